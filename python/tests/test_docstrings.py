"""The examples of the docstrings, which docs/python-api.md shows, print what they say; and what is public has a docstring, and that page is up to date."""

import doctest
import subprocess
import sys

import numpy
import pytest

import sassafras
from sassafras import commands, compiler, errors, modules, platforms, results, sweeps


@pytest.mark.parametrize("module", (commands, compiler, errors, modules, platforms, results, sweeps), ids=lambda module: module.__name__)
def test_examples_print_what_they_say(source, monkeypatch, tmp_path, module):
    (tmp_path / "tests").symlink_to(source / "tests")
    monkeypatch.chdir(tmp_path)
    done = doctest.testmod(module, extraglobs={"sassafras": sassafras, "numpy": numpy})
    assert done.failed == 0
    assert done.attempted > 0 or module is compiler


def test_the_page_is_up_to_date(source):
    made = subprocess.run([sys.executable, source / "scripts" / "python-api"], stdout=subprocess.PIPE, text=True, check=True).stdout
    assert made == (source / "docs" / "python-api.md").read_text(), "scripts/renew writes docs/python-api.md"


def test_the_page_has_all_that_is_public(source):
    page = (source / "docs" / "python-api.md").read_text()
    for name in sassafras.__all__:
        assert f"## {name}\n" in page
    for name in ("Gpu", "Kernel", "Module", "Platform", "KernelLaunch", "RunResult", "Sweep"):
        own = [member for member in vars(getattr(sassafras, name)) if not member.startswith("_")]
        members = [member for member in own if not hasattr(sassafras.Result, member) or name == "KernelLaunch"]  # others are said of Result
        assert all(f"### {name}.{member}\n" in page for member in members), name
