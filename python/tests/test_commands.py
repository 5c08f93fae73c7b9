"""Commands as functions, and their results as objects and tables."""

import json
import os
import pathlib
import pickle
import subprocess
import threading
import time

import numpy
import pytest

import sassafras


def test_run_gives_launches_and_their_metrics():
    result = sassafras.run("sort", variant="mgpu", n=20_000, E=15, b=128)
    assert result.verified and result.workload["parameters"]["b"] == 128 and result.platform["name"] == "h200"
    assert len(result.kernels) > 1 and result.cycles == sum(kernel.cycles for kernel in result)
    together = result.metrics
    assert together["smsp__inst_executed.sum"] == sum(kernel.metrics["smsp__inst_executed.sum"] for kernel in result)
    assert "launch__registers_per_thread" not in together
    table = result.to_numpy()
    assert table["sm__cycles_elapsed.max"].tolist() == [kernel.cycles for kernel in result.kernels]
    assert table["grid_x"].tolist() == [kernel.grid[0] for kernel in result.kernels]


def test_results_can_be_sent_to_other_processes():
    result = sassafras.run("merge", n=1024)
    again = pickle.loads(pickle.dumps(result))
    assert again.json == result.json and again.kernels[0].metrics == result.kernels[0].metrics


def test_other_threads_run_meanwhile():
    steps = []
    done = threading.Event()

    def count():
        while not done.is_set():
            steps.append(time.monotonic())
            time.sleep(0.001)

    counting = threading.Thread(target=count)
    counting.start()
    begin = time.monotonic()
    sassafras.run("sort", n=200_000)
    end = time.monotonic()
    done.set()
    counting.join()
    inside = [step for step in steps if begin < step < end]
    assert len(inside) > 10


def test_run_says_what_the_command_says(source):
    binary = os.environ.get("SASSAFRAS_BINARY")
    result = sassafras.run("merge", n=4096)
    assert result.command[:3] == ["sassafras", "run", "merge"]
    if binary:
        printed = subprocess.run([binary, "run", "merge", "--n=4096", "--platform=h200", "--json", "-"], stdout=subprocess.PIPE, text=True, check=True)
        theirs, ours = json.loads(printed.stdout), result.json
        for document in (theirs, ours):
            for name in ("wall_seconds", "warp_instructions_per_second"):
                document["total"].pop(name)
        assert theirs == ours


def test_rows_of_instructions_are_there_when_asked_for():
    plain, full = sassafras.run("merge", n=4096), sassafras.run("merge", n=4096, source=True)
    assert plain.kernels[0].source == []
    assert sum(row["inst_executed"] for row in full.kernels[0].source) == full.kernels[0].metrics["smsp__inst_executed.sum"]


def test_an_array_is_an_input():
    keys = numpy.random.default_rng(3).permutation(15_360).astype("u4")
    assert sassafras.run("sort", variant="mgpu", input=keys, device="functional").verified


def test_conflicts_have_views():
    counted = sassafras.conflicts("sort", variant="mgpu", n=30_720)
    assert counted.run["requests"] == sum(phase["requests"] for phase in counted.phases)
    assert counted.to_numpy()["requests"].sum() == counted.run["requests"]
    assert counted.to_numpy("instructions")["requests"].sum() == counted.run["requests"]


def test_estimates_are_tables(tmp_path):
    one = sassafras.estimate("merge", n=2**20)
    assert one.cycles == one.total["cycles"] and set(one.to_numpy()["operation"]) <= set("gsry")
    series = sassafras.estimate("merge", n="2^10..2^14")
    assert series.to_numpy()["n"].tolist() == [2**i for i in range(10, 15)] and series.cycles is None


def test_validate_has_a_row_a_run_and_model():
    compared = sassafras.validate("merge", variant="E15", n=65_536)
    table = compared.to_numpy()
    spt = table[table["model"] == "spt-printed"]
    assert len(spt) == 1 and abs(spt["simulated"][0] / spt["measured"][0] - 1) < 0.1


def test_the_worst_input_is_worse():
    worst = sassafras.worst_case("sort", variant="mgpu", n=15_360)
    assert sorted(worst.numbers.tolist()) == list(range(15_360)) and worst.path is None
    total = worst.construction["total"]
    assert total["bound"] >= total["accesses"] > total["requests"]
    beta = sassafras.conflicts("sort", variant="mgpu", input=worst.numbers).run["beta"]
    assert beta > 2 * sassafras.conflicts("sort", variant="mgpu", n=15_360).run["beta"]


def test_launch_takes_arrays_and_counts_conflicts(fixtures):
    index = (numpy.arange(1024) * 32).astype("u4")  # 32 lanes, one bank
    arguments = dict(block=1024, args=[numpy.zeros(1024, "u4"), index])
    counted = sassafras.launch(fixtures / "conflicts.cubin", "gather", conflicts=True, **arguments)
    reads = [row for row in counted.instructions if row["sass"].startswith("LDS")]
    assert sum(row["wavefronts"] for row in reads) == 1024
    assert sassafras.launch(fixtures / "conflicts.cubin", "gather", **arguments).cycles > 0


def test_any_command_is_there():
    diagnosed = sassafras.command("diagnose", "stencil", n=16, no_what_if=True)
    assert diagnosed.kernels and len(diagnosed.to_numpy("kernels")) == len(diagnosed.kernels)
    assert "Workloads" in sassafras.command("list").text


def test_parameters_keep_their_spelling():
    assert sassafras.run("gemm", n=64, variant="magma", N_TB=96, **{"lambda": 16}, device="functional").workload["parameters"]["N_TB"] == 96
    assert sassafras.run("merge", n=4096, cache_control="none").command[-1] == "--cache-control=none"


def test_pandas_is_there_when_asked_for():
    pytest.importorskip("pandas")
    frame = sassafras.run("merge", n=4096).to_pandas()
    assert frame["name"][0] == "merge_E15" and frame["sm__cycles_elapsed.max"][0] > 0
    assert len(sassafras.conflicts("merge", variant="single-buffer", n=4096).to_pandas("kernels")) == 1


def test_importing_brings_no_pandas():
    import sys

    done = subprocess.run([sys.executable, "-c", "import sassafras, sys; sys.exit('pandas' in sys.modules or 'numpy' in sys.modules)"], check=False)
    assert done.returncode == 0


def test_programs_run_in_a_process_of_their_own(tmp_path):
    program = pathlib.Path(os.environ.get("SASSAFRAS_PROGRAMS", "")) / "arithmetic"
    if not program.is_file():
        pytest.skip("no CUDA program was built")
    result = sassafras.exec([program])
    assert result.status == 0 and result.kernels and result.cycles > 0
    assert sassafras.exec([program], conflicts=True).total["launches"] == len(result.kernels)
    with pytest.raises(sassafras.BadInput, match="cannot start"):
        sassafras.exec([str(tmp_path / "none")])


def test_what_is_no_number_and_what_computes_nothing():
    for options, says in (({"n": True}, "True is no number"), ({"seed": True}, "True is no number"), ({"help": True}, "computes nothing"), ({"version": True}, "computes nothing")):
        with pytest.raises(sassafras.BadInput, match=says) as raised:
            sassafras.run("sort", **options)
        assert raised.value.where == next(iter(options)) and raised.value.remedy


def test_results_say_what_they_are():
    result = sassafras.run("merge", n=1000)
    assert repr(result) == f"<run of merge on {result.platform['name']}: 1 launches, {result.cycles:,.0f} cycles>"
    estimate = sassafras.estimate("sort", variant="mgpu", n=491520, E=15, b=128)
    assert repr(estimate) == f"<estimate of sort: {estimate.cycles:,.0f} cycles>"
    assert repr(sassafras.estimate("sort", variant="mgpu", n="491520,983040", E=15, b=128)) == "<estimate: 2 points>"
    assert repr(sassafras.command("list")).startswith("<Result with ")
