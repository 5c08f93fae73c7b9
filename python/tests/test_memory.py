"""100 MB arrays go to a kernel and back without a copy."""

import subprocess
import sys

PROGRAM = """
import numpy, sassafras, sys

def most_memory_mb():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM")) / 1024

n = 25_000_000
x, y = numpy.ones(n, "f4"), numpy.ones(n, "f4")
module = sassafras.Module.from_cubin(sys.argv[1], gpu=sassafras.Gpu(device=sys.argv[2], sample=sys.argv[2] == "simulated"))
small = numpy.ones(1_000_000, "f4")
module.saxpy(7813, 128, small, small, 2.0, 1.0, small.size)  # what the modelled GPU itself takes
before = most_memory_mb()
blocks = (n + 127) // 128 if sys.argv[2] == "functional" else 4000  # timing takes longer
module.saxpy(blocks, 128, y, x, 2.0, 1.0, n)
assert (y[: blocks * 128] == 3).all()
print(most_memory_mb() - before)
"""


def grown_mb(fixtures, device):
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(fixtures / "faults" / "faults.cubin"), device], stdout=subprocess.PIPE, text=True, check=True
    )
    return float(done.stdout)


def test_arrays_of_100_mb_are_not_copied_to_execute(fixtures):
    assert grown_mb(fixtures, "functional") < 30  # NumPy's comparison takes 25


def test_arrays_of_100_mb_are_not_copied_to_be_timed(fixtures):
    assert grown_mb(fixtures, "simulated") < 60
