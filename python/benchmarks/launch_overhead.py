"""What a launch from Python costs beside the simulation: python3 python/benchmarks/launch_overhead.py [launches]

A kernel that does next to nothing, saxpy of no elements in one block, with two arrays and three numbers. On the functional device what
is left is the call: arguments, lending the arrays' memory, the result. The simulated device also sets up
and simulates 132 SMs for the 2,800 cycles that an empty launch takes."""

import pathlib
import statistics
import sys
import time

import numpy

import sassafras

CUBIN = pathlib.Path(__file__).resolve().parents[2] / "tests" / "fixtures" / "faults" / "faults.cubin"


def microseconds(what, launches):
    times = []
    for _ in range(launches):
        begin = time.perf_counter()
        what()
        times.append(1e6 * (time.perf_counter() - begin))
    return statistics.median(times)


def main():
    launches = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    x, y = numpy.zeros(25_000_000, "f4"), numpy.zeros(25_000_000, "f4")
    for device in ("functional", "simulated"):
        module = sassafras.Module.from_cubin(CUBIN, gpu=sassafras.Gpu(device=device))

        def launch():
            return module.saxpy(1, 32, y, x, 1.0, 0.0, 0)

        launch()
        print(f"{device}: {microseconds(launch, launches):.0f} us a launch, median of {launches}")
        print(f"{device}: {microseconds(lambda: launch().metrics, launches):.0f} us with its metrics looked at")


if __name__ == "__main__":
    main()
