"""Which folder includes which: down the floors only, and in no circle."""
import os
import re

# A folder and those whose headers it may include, its own apart. The longest prefix of a path counts; but a floor that has floors within it is the
# folder itself, without the folders below it.
FLOORS = {
    "core": "",
    "isa/sass": "core",
    "isa/cubin": "core isa/sass",
    "isa/program": "core isa/sass isa/cubin",
    "sim/engine": "core",
    "sim/platform": "core isa",
    "sim/metrics": "core",
    "sim/trace": "core isa",
    "sim/access": "core isa sim/trace sim/platform",
    "sim/formats": "core isa sim/trace sim/access",
    "sim/execute": "core isa sim/trace sim/access",
    "sim/check": "core isa sim/trace sim/access sim/execute",
    "sim/timing": "core isa sim/engine sim/platform sim/metrics sim/trace sim/access",
    "sim/what_if": "core isa sim/platform sim/trace sim/access",
    "sim/device": "core isa sim",
    "library": "core isa sim",
    "workloads": "core isa sim",
    "study": "core isa sim workloads",
    "validate/records": "core sim/device sim/metrics",
    "validate/models": "core isa sim workloads validate/records",
    "validate/compare": "core isa sim workloads study validate/records validate/models",
    "validate/calibrate": "core isa sim workloads",
    "validate/claims": "core isa sim workloads study validate/records validate/models validate/compare",
    "cudart/protocol": "core isa sim",
    "cudart": "core isa sim cudart/protocol",
    "cli/reports": "core isa sim workloads study validate cudart/protocol",
    "cli/html": "core isa sim workloads study validate cudart/protocol cli/reports",
    "cli/pages": "core",
    "cli/options": "core isa sim workloads study validate cudart/protocol cli/reports cli/html cli/pages",
    "cli/commands": "core isa sim workloads study validate cudart/protocol cli/reports cli/html cli/pages cli/options",
    "cli": "cli/commands",
    "examples": "",  # what is installed, and nothing of ours
    "python/module": "core isa sim cli",
    "tools": "core isa sim workloads study validate cudart/protocol cli",
}
TOPS = {floor.split("/")[0] for floor in FLOORS}

SOURCE = re.compile(r"\.(?:c|cc|cpp|cxx|cu|cuh|h|hh|hpp|hxx|inc|inl|ipp|tpp|def)(?:\.in)?$")
COMMENT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"', re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\b[ \t]*(?:"([^"\n]*)"|<([^>\n]*)>)?', re.M)


def includes(path, text, files):
    """(line, what is included as a path from the root) of each include but those of other people's headers."""
    kept = COMMENT.sub(lambda found: found.group() if found.group()[0] == '"' else re.sub(r"[^\n]", " ", found.group()), text)
    for found in INCLUDE.finditer(kept):
        line = kept.count("\n", 0, found.start()) + 1
        quoted, angled = found.groups()
        if angled is not None and angled.split("/")[0] not in TOPS and not angled.startswith("."):
            continue
        name = quoted or angled or ""
        beside = os.path.normpath(os.path.join(os.path.dirname(path), name))
        yield line, beside if beside in files else name


def floor_of(path):
    floor = max((floor for floor in FLOORS if path.startswith(floor + "/")), key=len, default=None)
    within = floor is not None and any(other.startswith(floor + "/") for other in FLOORS)
    return None if within and os.path.dirname(path) != floor else floor


def direction_faults(path, included):
    if path.startswith("tests/"):  # which may include everything
        return
    floor = floor_of(path)
    if floor is None:
        yield f"{path}: its folder is none of FLOORS in scripts/structure/includes.py: say there what it may include"
        return
    for line, name in included:
        if name.startswith("tests/") and path.startswith("validate/records/"):  # a probe of what a test compares
            continue
        target = floor_of(name)
        if target is None:
            yield f"{path}:{line}: includes {name or 'what a macro says'}, whose folder is none of FLOORS"
        elif target != floor and not any(target == one or target.startswith(one + "/") for one in FLOORS[floor].split()):
            yield f"{path}:{line}: {floor} includes {name}, which stands above it or beside it"


def circles(follows):
    """Sets of nodes that reach each other; `follows`: node to (node to where it says so)."""
    reached = {}
    for node in follows:
        reached[node], waiting = set(), [node]
        while waiting:
            for other in follows.get(waiting.pop(), ()):
                if other not in reached[node]:
                    reached[node].add(other)
                    waiting.append(other)
    seen = set()
    for node in sorted(follows):
        if node in reached[node] and node not in seen:
            circle = {other for other in reached[node] if node in reached.get(other, ())}
            seen |= circle
            yield sorted(circle)


def circle_faults(included):
    """`included`: path to its includes. A folder and those within it are one subject: it may list them, and they use what it shares."""
    of_folders, of_files = {}, {}
    for path, names in included.items():
        for line, name in names:
            a, b = os.path.dirname(path), os.path.dirname(name)
            of_files.setdefault(path, {})[name] = f"{path}:{line}"
            if a != b and not b.startswith(a + "/") and not a.startswith(b + "/"):
                of_folders.setdefault(a, {}).setdefault(b, f"{path}:{line}")
    for kind, follows in (("folders", of_folders), ("files", of_files)):
        for circle in circles(follows):
            where = [at for node in circle for other, at in sorted(follows[node].items()) if other in circle]
            yield f"{kind} include each other in a circle: {', '.join(circle)} ({', '.join(where[:6])})"


def fuzzed_faults(files, text):
    """The fuzzers compile the simulator's folders again: one that is left out shows only where they are linked, at the end of .ci/run.
    Platform files are not read by them: their GPUs are made in code. `text`: tests/fuzz/CMakeLists.txt."""
    for floor in FLOORS:
        folder = floor.removeprefix("sim/")
        compiled = any(path.startswith(floor + "/") and path.endswith(".cpp") for path in files)
        if floor.startswith("sim/") and floor != "sim/platform" and compiled and not re.search(rf"\b{folder}\b", text):
            yield f"tests/fuzz/CMakeLists.txt does not compile {floor}"
