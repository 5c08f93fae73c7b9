"""How long a file and a function may be, and what may be longer."""
import hashlib
import os
import re

from structure.functions import functions
from structure.includes import SOURCE

FILE_LINES = 350
FUNCTION_LINES = 80

# Longer than a file may be, as they are lists: what they list.
TABLES = {
    "isa/sass/instruction_list.hpp": "instructions",
}
# Longer than a function may be, as they only choose: path and head, as one line.
DISPATCH = {}
# Functions that a GPU ran, too long, and left so as the record holds for this code: name and record. The record of a workload has its cubin's
# digest, that of a probe is what it printed.
MEASURED = "validate/records/h200/measured/meta.json"
RECORDED = {
    "workloads/gemm/gemm_magma.cu": ("multiply", MEASURED),
    "validate/records/h200/probes/streams.cu": ("main", "validate/records/h200/probes/streams.txt"),
}


def is_counted(path, text):
    """Whatever somebody writes line by line: sources, scripts, how they are built."""
    is_script = "." not in os.path.basename(path) and text.startswith("#!")
    return bool(SOURCE.search(path)) or path.endswith((".py", ".sh", ".cmake", "CMakeLists.txt")) or is_script


def lines_of(text):
    return text.count("\n") + (not text.endswith("\n") and text != "")


def file_faults(path, text):
    if lines_of(text) > FILE_LINES and path not in TABLES:
        yield f"{path}: {lines_of(text)} lines, more than {FILE_LINES}"


def bodies_of(path, text):
    """(lines, line, head) of each function; a fault in the place of the list if brackets do not match."""
    try:
        return [(length, line, head) for line, length, head in functions(text)], []
    except ValueError as error:
        return [], [f"{path}: its functions cannot be told apart: {error}"]


def is_recorded(path, head):
    return path in RECORDED and re.search(rf"\b{RECORDED[path][0]}\(", head)


def function_faults(path, bodies):
    if path.startswith("tests/"):
        return
    for length, line, head in bodies:
        if length > FUNCTION_LINES and f"{path}: {head}" not in DISPATCH and not is_recorded(path, head):
            yield f"{path}:{line}: a function of {length} lines, more than {FUNCTION_LINES}: {head[:80]}"


def exemption_faults(read, bodies):
    """What may be long must be there, and functions be long. `read(path)`: its text, if it is there; `bodies`: of functions, by path."""
    for path in TABLES:
        if read(path) is None:
            yield f"scripts/structure/lengths.py names {path}, which is not there"
    for path in RECORDED:
        if not any(length > FUNCTION_LINES and is_recorded(path, head) for length, _, head in bodies.get(path, [])):
            yield f"scripts/structure/lengths.py lets a function of {path} be long, which is not there or not long"
    for head in DISPATCH:
        path = head.split(": ")[0]
        if not any(f"{path}: {one}" == head and length > FUNCTION_LINES for length, _, one in bodies.get(path, [])):
            yield f"scripts/structure/lengths.py lets {head} be long, which is not there or not long"


def record_faults(root, path, record):
    """A long source that has no record, or one of other code, is not to be kept for its record's sake."""
    record_path, cubin_path = os.path.join(root, record), os.path.join(root, re.sub(r"\.cu$", ".cubin", path))
    if not os.path.isfile(record_path):
        yield f"{path} may be long for {record}, which is not there"
    elif os.path.isfile(cubin_path):
        with open(cubin_path, "rb") as cubin, open(record_path, encoding="utf-8") as text:
            if hashlib.sha256(cubin.read()).hexdigest() not in text.read():
                yield f"{path} may be long for {record}, which is not of its cubin"
    elif os.path.splitext(record)[0] != os.path.splitext(path)[0]:
        yield f"{path} may be long for {record}, which is not of it"
