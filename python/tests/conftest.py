"""What the tests share."""

import os
import pathlib
import signal
import threading
import time

import pytest

import sassafras

SOURCE = pathlib.Path(os.environ.get("SASSAFRAS_SOURCE", pathlib.Path(__file__).resolve().parents[2]))


@pytest.fixture
def source():
    """The root of the repository."""
    return SOURCE


@pytest.fixture
def fixtures():
    return SOURCE / "tests" / "fixtures"


@pytest.fixture
def functional():
    return sassafras.Gpu(device="functional")


@pytest.fixture
def faults(fixtures, functional):
    return sassafras.Module.from_cubin(fixtures / "faults" / "faults.cubin", gpu=functional)


@pytest.fixture
def interrupted():
    """Runs what takes long and sends this process SIGINT meanwhile, as Ctrl-C does; seconds from there to the exception."""

    def run(what, after=0.5):
        sent = []

        def send():
            sent.append(time.monotonic())
            os.kill(os.getpid(), signal.SIGINT)

        timer = threading.Timer(after, send)
        timer.start()
        try:
            with pytest.raises(KeyboardInterrupt):
                what()
                time.sleep(5)  # it ended before: the signal comes here
                pytest.fail("no signal came")
            return time.monotonic() - sent[0]
        finally:
            timer.cancel()

    return run
