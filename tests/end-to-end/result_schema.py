"""Holds what --json writes to configs/output.schema.json, for every end-to-end test that runs the program."""
import functools
import json
import os

CONFIGS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "configs")


def why_no_schema():
    try:
        import jsonschema  # pylint: disable=import-outside-toplevel,unused-import
    except ImportError:
        return "this Python has no jsonschema (Debian: python3-jsonschema)"
    return None


def read(name):
    with open(os.path.join(CONFIGS, name), encoding="utf-8") as file:
        return json.load(file)


@functools.lru_cache(maxsize=None)
def schema():
    return read("output.schema.json")


@functools.lru_cache(maxsize=None)
def validator(kind):
    """Of one kind of result, so that a fault is said where it is."""
    import jsonschema  # pylint: disable=import-outside-toplevel
    platform = read("platform.schema.json")
    resolver = jsonschema.RefResolver.from_schema(schema(), store={"platform.schema.json": platform})
    # Not through the reference: the resolver would ask for each of them again.
    return jsonschema.Draft202012Validator(schema()["$defs"][kind], resolver=resolver)


def faults(result):
    """Where a result is not as the schema says, and how; a few of them."""
    if not isinstance(result, dict) or result.get("kind") not in schema()["properties"]["kind"]["enum"]:
        return [f"its kind is {result.get('kind') if isinstance(result, dict) else result!r}"]
    found = []
    for error in validator(result["kind"]).iter_errors(result):
        found.append(f"/{'/'.join(map(str, error.absolute_path))}: {error.message[:300]}")
        if len(found) == 5:
            break
    return found


def json_place(arguments):
    """What --json names on a command line, before the -- of a program."""
    words = list(arguments)
    words = words[:words.index("--")] if "--" in words else words
    for i, word in enumerate(words):
        if word == "--json" and i + 1 < len(words):
            return words[i + 1]
        if word.startswith("--json="):
            return word[len("--json="):]
    return None


def check_written(arguments, status, stdout):
    """The result of a command that has ended, if it wrote one to a file or to standard output (text)."""
    place = json_place(arguments)
    if place is None or status not in (0, 1) or why_no_schema():
        return
    if place == "-":
        text = stdout
    elif os.path.isfile(place):
        with open(place, encoding="utf-8") as file:
            text = file.read()
    else:
        return
    if not text or not text.lstrip().startswith("{"):
        return
    found = faults(json.loads(text))
    assert not found, f"{' '.join(map(str, arguments))}: the result is not as configs/output.schema.json says: {found}"
