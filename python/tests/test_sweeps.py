"""Studies from Python."""

import json
import os
import re
import shutil
import signal
import subprocess
import threading
import time

import numpy
import pytest

import sassafras


def test_a_study_is_a_table(tmp_path):
    study = sassafras.sweep(tmp_path / "study", "run merge", vary={"n": numpy.array([1000, 2000])}, set={"gpu.sm_count": "66,132"})
    assert study.status == {"runs": 4, "done": 0, "failed": 0, "damaged": 0, "left": 4}
    table = study.run().to_numpy()
    assert table["n"].tolist() == [1000, 1000, 2000, 2000] and table["gpu.sm_count"].tolist() == [66, 132, 66, 132]
    assert set(table["status"]) == {"done"}
    assert table["total.cycles"][0] == sassafras.run("merge", n=1000, set="gpu.sm_count=66").cycles
    frame = study.to_pandas()
    assert frame["total.cycles"].tolist() == table["total.cycles"].tolist()
    assert sassafras.sweep(tmp_path / "study").status["done"] == 4


def test_a_run_that_fails_is_a_row(tmp_path):
    study = sassafras.sweep(tmp_path / "study", ["run", "merge"], vary={"n": [1000, "none"]}).run(jobs=1)
    assert study.status == {"runs": 2, "done": 1, "failed": 1, "damaged": 0, "left": 0}
    assert "none" in study.to_numpy()["error"][1]


def test_what_is_no_study(tmp_path):
    with pytest.raises(sassafras.BadInput, match="no study"):
        sassafras.sweep(tmp_path / "nothing")
    with pytest.raises(sassafras.BadInput, match="design"):
        sassafras.sweep(tmp_path / "study", "run merge", design="grid")


def test_a_wrong_description_leaves_all_as_it_was(tmp_path):
    for wrong in ({"design": "grid"}, {"vary": {"m": [1]}}, {"vary": {"key": [1]}}):
        with pytest.raises(sassafras.BadInput) as raised:
            sassafras.sweep(tmp_path / "study", "run merge", **wrong)
        assert "/tmp/sassafras-" not in str(raised.value)
        assert not (tmp_path / "study").exists()
    sassafras.sweep(tmp_path / "study", "run merge", vary={"n": [1000]})
    before = (tmp_path / "study" / "study.json").read_bytes()
    with pytest.raises(sassafras.BadInput, match="mergee"):
        sassafras.sweep(tmp_path / "study", "run mergee", vary={"n": [1000]})
    assert (tmp_path / "study" / "study.json").read_bytes() == before
    assert sassafras.sweep(tmp_path / "study").status["runs"] == 1
    for values in ({"vary": {"n": [1]}}, {"set": {"gpu.sm_count": 66}}, {"design": "list"}, {"split_launches": 2}):
        with pytest.raises(sassafras.BadInput, match="no command"):
            sassafras.sweep(tmp_path / "study", **values)


def test_a_frame_has_the_types_of_its_columns(tmp_path, source, monkeypatch):
    monkeypatch.syspath_prepend(source / "tests" / "end-to-end")
    from stored_record import write_record

    pytest.importorskip("pandas")
    big = 2**53 + 1
    study = sassafras.sweep(tmp_path / "study", "run merge --device functional --instruction-limit {limit}", vary={"n": [1000, 2000], "seed": [big, big + 2], "limit": ["0100000", "0200000"]}, design="list").run()
    path = next(study.folder.glob("??/*.json"))
    record = json.loads(path.read_text())
    record["report"] |= {"counted": big, "text": "", "digits": "12"}
    write_record(path, record)
    frame = study.to_pandas()
    assert frame["seed"].dtype == "int64" and frame["seed"].tolist() == [big, big + 2]
    assert frame["limit"].tolist() == ["0100000", "0200000"]
    assert frame["error"].tolist() == [None, None]
    (row,) = [i for i in range(2) if frame["digits"][i] is not None]
    assert frame["counted"].dtype == "Int64" and frame["counted"][row] == big and frame["counted"].isna().sum() == 1
    assert frame["text"][row] == "" and frame["text"][1 - row] is None and frame["digits"][row] == "12"


def test_other_children_are_left_to_whoever_started_them(tmp_path):
    other = subprocess.Popen(["sh", "-c", "exit 7"])
    sassafras.sweep(tmp_path / "study", "run merge", vary={"n": [1000, 2000]}).run()
    assert other.wait() == 7


@pytest.fixture
def as_root(monkeypatch):
    """Open MPI wants to be told that root means it."""
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT", "1")
    monkeypatch.setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")


needs_mpi = pytest.mark.skipif(shutil.which("mpirun") is None, reason="there is no mpirun")


@needs_mpi
def test_engines_make_the_same_table(tmp_path, as_root):
    vary = {"n": [1000, 1001, 1002, 1003, 1004]}
    local = sassafras.sweep(tmp_path / "local", "run merge", vary=vary).run(jobs=2)
    ranks = sassafras.sweep(tmp_path / "ranks", "run merge", vary=vary).run(engine="mpi", shards=2)
    assert ranks.status == {"runs": 5, "done": 5, "failed": 0, "damaged": 0, "left": 0}
    assert repr(ranks.to_numpy()) == repr(local.to_numpy())


def test_a_job_gets_the_schedulers_options(tmp_path, monkeypatch):
    """By an sbatch of the test's own, which keeps what it gets; tests/end-to-end/sweep_slurm_test.py has Slurm's."""
    (tmp_path / "sbatch").write_text(f"#!/bin/sh\ncat > {tmp_path}/script\necho \"$@\" > {tmp_path}/options\necho 42\n")
    (tmp_path / "sbatch").chmod(0o755)
    (tmp_path / "job.sh").write_text("#!/bin/sh\n#SBATCH --array={array}\n#SBATCH --mem={mem}\n#SBATCH -p {partition}\n{command}\n")
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    study = sassafras.sweep(tmp_path / "study", "run merge", vary={"n": [1000, 2000]})
    study.run(engine="slurm", shards=2, mem="2G", partition="long", sbatch=["--nice"], template=tmp_path / "job.sh")
    script = (tmp_path / "script").read_text().splitlines()
    assert script[1:4] == ["#SBATCH --array=0-1", "#SBATCH --mem=2G", "#SBATCH -p long"] and " sweep run " in script[4]
    assert "--nice" in (tmp_path / "options").read_text()
    assert study.status["left"] == 2


@pytest.mark.parametrize("engine", ["local", pytest.param("mpi", marks=needs_mpi)])
def test_a_key_leaves_the_study_to_be_gone_on_with(tmp_path, as_root, engine):
    study = sassafras.sweep(tmp_path / "study", "run sort --device functional", vary={"n": list(range(150000, 150016))})

    def interrupt():
        while study.folder.exists() and not list(study.folder.glob("??/*")):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        study.run(engine=engine, shards=2 if engine == "mpi" else None)
    before = {path: path.read_bytes() for path in study.folder.glob("??/*")}
    assert 0 < len(before) < 16
    study.run()
    assert study.status == {"runs": 16, "done": 16, "failed": 0, "damaged": 0, "left": 0}
    assert all(path.read_bytes() == text for path, text in before.items())


def test_values_are_numbers_texts_and_paths(tmp_path):
    def words(values, name="n"):
        sassafras.sweep(tmp_path / "study", "run merge --device functional", vary={name: values})
        return json.loads((tmp_path / "study" / "study.json").read_text())["vary"][name]

    assert words(numpy.int64(1024)) == words(1024.0) == words(numpy.array(1024)) == [1024]
    assert words(numpy.logspace(10, 12, 3, base=2)) == [1024, 2048, 4096]
    assert words(tmp_path / "keys", "input") == words([tmp_path / "keys"], "input") == [str(tmp_path / "keys")]
    for wrong in (None, [None], [[1, 2]], object(), float("nan"), b"1", []):
        with pytest.raises(sassafras.BadInput, match="no value of an option"):
            words(wrong)


def test_several_commands_and_platforms(tmp_path, monkeypatch):
    half = sassafras.Platform("h200", name="half an H200").change({"gpu.sm_count": 66, "l2.slices": 46, "dram.channels": 46})
    monkeypatch.chdir(tmp_path)
    study = sassafras.sweep("study", commands=["run merge --device functional", ["run", "search", "--device", "functional"]], vary={"platform": [half, "h200"], "n": [1000]})
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    study = sassafras.Sweep(tmp_path / "study").run()
    assert study.status["done"] == 4
    table = study.to_numpy()
    assert set(table["workload.name"]) == {"merge", "search"} and set(table["platform.hash"]) == {half.hash, sassafras.Platform("h200").hash}
    with pytest.raises(sassafras.BadInput, match="no list of commands"):
        sassafras.sweep("study", commands="run merge")
    with pytest.raises(sassafras.BadInput):
        sassafras.sweep(tmp_path / "wrong", "run mergee", vary={"platform": [half]})
    assert not list((tmp_path / "wrong").glob("**/*.json"))


def test_what_is_best_and_what_matters(tmp_path):
    study = sassafras.sweep(tmp_path / "study", "run merge", vary={"n": [30000]}, set={"gpu.sm_count": [33, 66, 132], "l2.bytes": ["25M", "50M"]}).run()
    table = study.to_numpy()
    best = study.best("cycles", cost="gpu.sm_count")
    assert best[0]["total.cycles"] == table["total.cycles"].min() and {row["n"] for row in best} == {30000}
    for row in best:
        assert not ((table["total.cycles"] < row["total.cycles"]) & (table["gpu.sm_count"] <= row["gpu.sm_count"])).any()
    said = study.sensitivity("cycles")
    assert said["elasticities"][0]["name"] == "gpu.sm_count" and said["elasticities"][0]["value"] < 0
    with pytest.raises(sassafras.BadInput, match="nothing"):
        study.best("nothing")
    assert repr(study) == f"<study in {tmp_path / 'study'}>"


def test_results_are_shared_between_studies(tmp_path):
    first = sassafras.sweep(tmp_path / "first", "run merge --device functional", vary={"n": [1000, 2000]}).run()
    second = sassafras.sweep(tmp_path / "second", "run merge --device functional", vary={"n": [1000, 2000, 3000]}).run(share=first, jobs=1)
    assert second.status["done"] == 3
    assert len(list((tmp_path / "second" / "times").iterdir())) == 1
    assert len((next((tmp_path / "second" / "times").iterdir())).read_text().splitlines()) == 1
    slow = sassafras.sweep(tmp_path / "slow", "run sort --device functional", vary={"n": [10**8]}).run(timeout=1)
    assert slow.status["failed"] == 1 and "longer than 1 s" in slow.to_numpy()["error"][0]


def test_options_that_are_named_are_there():
    program = os.environ.get("SASSAFRAS_BINARY") or pytest.skip("the program is not named")
    said = subprocess.run([program, "exec", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    named = re.search(r"Other options are the command's: (.*)\.", sassafras.exec.__doc__).group(1)
    for option in re.findall("`(.*?)`", named):
        assert f"--{option}" in said
