"""What docs/python.md and the tutorials show is run, and prints what they say."""

import documents
import pytest

PAGES = ("python", "tutorials/bank-conflicts", "tutorials/estimate", "tutorials/hypothetical-gpu", "tutorials/worst-case")


@pytest.mark.parametrize("name", PAGES)
def test_every_block_prints_what_stands_under_it(source, monkeypatch, tmp_path, name):
    # What blocks write goes to a folder of the test's own, with the repository's files in it.
    for folder in ("tests", "workloads"):
        (tmp_path / folder).symlink_to(source / folder)
    monkeypatch.chdir(tmp_path)
    page = source / "docs" / f"{name}.md"
    names = {"__name__": "documents"}
    blocks = documents.blocks_of(page.read_text())
    assert len(blocks) >= (7 if name == "python" else 1)
    for line, code, expected in blocks:
        printed = documents.print_of(code, line, page, names)
        assert expected is None or printed == expected, f"{page}:{line}"


def test_all_tutorials_are_run(source):
    found = {f"tutorials/{page.stem}" for page in (source / "docs" / "tutorials").glob("*.md") if page.name != "README.md"}
    assert found == set(PAGES) - {"python"}


def test_each_task_has_ten_lines_at_most(source):
    for _, code, _ in documents.blocks_of((source / "docs" / "python.md").read_text())[:4]:
        assert len(code.splitlines()) <= 10
