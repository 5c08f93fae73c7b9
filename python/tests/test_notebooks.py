"""The cells of docs/notebooks run in order, and keep no outputs."""

import json
import os

import pytest

NAMES = ("bank_conflicts", "hypothetical_gpu", "spt_against_simulation")


@pytest.mark.parametrize("name", NAMES)
def test_cells_run_in_order(source, monkeypatch, name):
    monkeypatch.chdir(source)
    monkeypatch.setenv("MPLBACKEND", "agg")  # figures need no screen
    notebook = json.loads((source / "docs" / "notebooks" / f"{name}.ipynb").read_text())
    names = {"__name__": "__main__"}
    for number, cell in enumerate(notebook["cells"]):
        if cell["cell_type"] == "code":
            assert cell["outputs"] == [] and cell["execution_count"] is None
            exec(compile("".join(cell["source"]), f"{name}, cell {number}", "exec"), names)


def test_all_notebooks_are_run(source):
    assert {file[: -len(".ipynb")] for file in os.listdir(source / "docs" / "notebooks") if file.endswith(".ipynb")} == set(NAMES)
