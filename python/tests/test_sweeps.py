"""Studies from Python."""

import subprocess

import numpy
import pytest

import sassafras


def test_a_study_is_a_table(tmp_path):
    study = sassafras.sweep(tmp_path / "study", "run merge", vary={"n": numpy.array([1000, 2000])}, set={"gpu.sm_count": "66,132"})
    assert study.status == {"runs": 4, "done": 0, "failed": 0, "left": 4}
    table = study.run().to_numpy()
    assert table["n"].tolist() == [1000, 1000, 2000, 2000] and table["gpu.sm_count"].tolist() == [66, 132, 66, 132]
    assert set(table["status"]) == {"done"}
    assert table["total.cycles"][0] == sassafras.run("merge", n=1000, set="gpu.sm_count=66").cycles
    frame = study.to_pandas()
    assert frame["total.cycles"].tolist() == table["total.cycles"].tolist()
    assert sassafras.sweep(tmp_path / "study").status["done"] == 4


def test_a_run_that_fails_is_a_row(tmp_path):
    study = sassafras.sweep(tmp_path / "study", ["run", "merge"], vary={"n": [1000, "none"]}).run(jobs=1)
    assert study.status == {"runs": 2, "done": 1, "failed": 1, "left": 0}
    assert "none" in study.to_numpy()["error"][1]


def test_what_is_no_study(tmp_path):
    with pytest.raises(sassafras.BadInput, match="no study"):
        sassafras.sweep(tmp_path / "nothing")
    with pytest.raises(sassafras.BadInput, match="design"):
        sassafras.sweep(tmp_path / "study", "run merge", design="grid")


def test_other_children_are_left_to_whoever_started_them(tmp_path):
    other = subprocess.Popen(["sh", "-c", "exit 7"])
    sassafras.sweep(tmp_path / "study", "run merge", vary={"n": [1000, 2000]}).run()
    assert other.wait() == 7
