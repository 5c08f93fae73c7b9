"""The Python of docs/python.md and the tutorials, and what stands under each block."""

import re

BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n+^```text\n(.*?)^```$)?", re.M | re.S)


def blocks_of(text):
    """Of each block its line, its code and what it shall print (None: nothing is said of that)."""
    return [(text.count("\n", 0, found.start()) + 2, found.group(1), found.group(2)) for found in BLOCK.finditer(text)]


def print_of(code, line, path, names):
    """Runs it with these names, as a user would."""
    import contextlib
    import io

    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile("\n" * (line - 1) + code, str(path), "exec"), names)
    return printed.getvalue()


def renewed(path):
    """The page with what its blocks print now."""
    text, names, parts, at = path.read_text(), {"__name__": "documents"}, [], 0
    for found in BLOCK.finditer(text):
        printed = print_of(found.group(1), text.count("\n", 0, found.start()) + 2, path, names)
        if found.group(2) is not None:
            parts += [text[at : found.start(2)], printed]
            at = found.end(2)
    return "".join(parts) + text[at:]


if __name__ == "__main__":  # python3 python/tests/documents.py docs/python.md, from the root of the repository; remove what the blocks wrote
    import pathlib
    import sys

    page = pathlib.Path(sys.argv[1])
    page.write_text(renewed(page))
