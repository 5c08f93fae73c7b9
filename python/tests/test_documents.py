"""What docs/python.md shows is run, and prints what it says."""

import documents


def test_every_block_prints_what_stands_under_it(source, monkeypatch, tmp_path):
    # What blocks write goes to a folder of the test's own, with the repository's files in it.
    for name in ("tests", "workloads"):
        (tmp_path / name).symlink_to(source / name)
    monkeypatch.chdir(tmp_path)
    page = source / "docs" / "python.md"
    names = {"__name__": "documents"}
    blocks = documents.blocks_of(page.read_text())
    assert len(blocks) >= 7
    for line, code, expected in blocks:
        printed = documents.print_of(code, line, page, names)
        assert expected is None or printed == expected, f"{page}:{line}"


def test_each_task_has_ten_lines_at_most(source):
    for _, code, _ in documents.blocks_of((source / "docs" / "python.md").read_text())[:4]:
        assert len(code.splitlines()) <= 10
