"""Ctrl-C ends a simulation, not only the waiting for it. What is interrupted would take minutes, or for ever; how soon it ends on a
machine that has nothing else to do is in docs/python.md."""

import os
import pathlib
import signal
import subprocess
import sys
import time

import numpy
import pytest

import sassafras


SOON = 15  # seconds, however busy the machine is


def cpu_seconds():
    return sum(os.times()[:2])


def is_at_rest():
    """This process computes nothing any more."""
    for _ in range(100):
        before = cpu_seconds()
        time.sleep(0.2)
        if cpu_seconds() - before < 0.05:
            return True
    return False


@pytest.mark.parametrize("device", ["simulated", "functional"])
def test_a_kernel_that_never_ends(fixtures, interrupted, device):
    module = sassafras.Module.from_cubin(fixtures / "faults" / "faults.cubin", gpu=sassafras.Gpu(device=device, instruction_limit=0))
    flag = numpy.zeros(1, "i4")
    assert interrupted(lambda: module.runaway(1, 32, flag)) < SOON
    assert is_at_rest()
    x, y = numpy.arange(64, dtype="f4"), numpy.zeros(64, "f4")
    module.saxpy(1, 64, y, x, 2.0, 0.0, 64)  # on a device made anew
    assert numpy.array_equal(y, 2 * x)


def test_commands(interrupted):
    for what in (
        lambda: sassafras.run("sort", n=16_000_000),
        lambda: sassafras.run("gemm", n=4096, threads=2, sample=True),
        lambda: sassafras.conflicts("gemm", n=4096),
    ):
        assert interrupted(what) < SOON
    assert is_at_rest()


def test_a_long_search(interrupted):
    """An evaluation takes milliseconds: the next one is not begun."""
    assert interrupted(lambda: sassafras.worst_case("sort", variant="mgpu", n=15360, metric="smsp__inst_executed.sum", evaluations=10_000_000), after=2) < 1
    assert is_at_rest()


def test_what_checks_a_result_polls():
    """The interpreter, which waits for what goes on, ends: while the device executes, or the reference is computed."""
    script = "import sassafras; sassafras.run('gemm', n=2048, device='functional')"
    process = subprocess.Popen([sys.executable, "-c", script], stderr=subprocess.PIPE, text=True)
    time.sleep(3)
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate(timeout=SOON)[1]


@pytest.mark.parametrize("what", ["run('sort', n=2**27, input='organ-pipe', device='functional')", "run('merge', n=2**27, device='functional')"])
def test_a_long_sort_of_an_input_ends(what):
    """And with it the interpreter, which waits for what goes on: 2^27 keys are sorted in a quarter of a minute."""
    process = subprocess.Popen([sys.executable, "-c", "import sassafras; print('begun', flush=True); sassafras." + what], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    process.stdout.readline()
    time.sleep(3)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in process.communicate()[1]
    assert time.monotonic() - begin < 5  # within a second on a machine that has nothing else to do


def test_what_builds_an_input_is_left_to_itself(interrupted):
    assert interrupted(lambda: sassafras.validate("sort")) < SOON


def test_a_program_is_ended_with_its_process(interrupted, tmp_path):
    script = tmp_path / "program"
    script.write_text("#!/bin/sh\necho $$ > pid\nexec sleep 1000\n")
    script.chmod(0o755)
    old = os.getcwd()
    os.chdir(tmp_path)
    try:
        try:
            assert interrupted(lambda: sassafras.exec([str(script)]), after=2) < SOON
        except sassafras.NotModelled as error:
            pytest.skip(str(error))
        pid = int((tmp_path / "pid").read_text())
        assert not pathlib.Path(f"/proc/{pid}").exists()
    finally:
        os.chdir(old)


@pytest.mark.parametrize(
    "what",
    [
        "sassafras.run('sort', n=1 << 22)",
        "sassafras.exec(['sleep', '1000'])",
        "sassafras.Module.from_cubin(cubin, gpu=sassafras.Gpu(instruction_limit=0)).runaway(1, 32, numpy.zeros(1, 'i4'))",
        "[sassafras.Module.from_cubin(cubin, gpu=gpu).saxpy(1, 32, None, None, 1.0, 1.0, 0) for gpu in [sassafras.Gpu()] for _ in range(1 << 30)]",
    ],
)
def test_a_daemon_ends_with_the_interpreter(what, fixtures):
    """As any other does: nothing is simulated any more, and nobody says a word."""
    script = f"""import sassafras, threading, time, numpy
cubin = {str(fixtures / "faults" / "faults.cubin")!r}
threading.Thread(target=lambda: {what}, daemon=True).start()
time.sleep(0.5)
"""
    process = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=SOON)
    assert (process.returncode, process.stdout, process.stderr) == (0, "", "")
