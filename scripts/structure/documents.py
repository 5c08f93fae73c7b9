"""Whether each folder is told of by a README, and whether what documents name is there."""
import os
import re

FENCE = re.compile(r"```.*?```", re.S)
CODE = re.compile(r"`([^`\n]+)`")
LINK = re.compile(r"\]\(([^()\s#]+)(?:#[^()\s]*)?\)")
# What is a file's or a folder's name by its look. Words in capitals stand for any.
NAMED = re.compile(r"((?:\.?[a-z][\w.*-]*/)+[\w.*-]*|[\w*-]+\.(?:cpp|hpp|cuh?|py|csv|json|txt|tsv|bin|md|sh|zst|cmake|cubin|lines))(?=$|[ :])")
BRACES = re.compile(r"([\w./*-]*)\{([\w.,]+)\}([\w./*-]*)")
SCRIPT = re.compile(r"(?<![\w./-])(?:\./)?(scripts/[\w-]+)")
WILD = re.compile(r"\b[A-Z]+\b|(?<=_)[A-Z]+")

# Names of files that are not ours: the document says whose.
ELSEWHERE = {"nvhw/sfu_tab.c"}


def pattern_of(name):
    return re.escape(WILD.sub("*", name.rstrip("/"))).replace(r"\*", "[^/]*")


def spelled(code):
    """a.{hpp,cpp} are two names."""
    found = BRACES.match(code)
    return [found.group(1) + one + found.group(3) for one in found.group(2).split(",")] if found else [code]


def name_faults(document, text, files):
    """A name is looked for from the root, from the document's folder and those above it, and at any depth below it; what docs/ says is of everything.
    `files`: the paths that are there, a line each."""
    folder = os.path.dirname(document)
    above = [""]
    for part in folder.split("/") if folder else []:
        above.append(above[-1] + part + "/")
    anywhere = "" if above[1:2] in ([], ["docs/"]) else above[-1]
    ways = "|".join(map(re.escape, above)) + "|" + re.escape(anywhere) + ".*/"
    prose = FENCE.sub("", text)
    for code in (name for code in CODE.findall(prose) for name in spelled(code)):
        found = NAMED.match(code)
        if not found or found.group(1).startswith("build/") or found.group(1) in ELSEWHERE:
            continue
        # A target goes by its source's name without the ending, and what the build makes of X.in is X.
        ending = r"(?:\.\w+)?" if "." not in os.path.basename(found.group(1)) else r"(?:\.in)?"
        if not re.search(f"^(?:{ways}){pattern_of(found.group(1))}(?:/|{ending}$)", files, re.M):
            yield f"{document} names {found.group(1)}, which is not there"
    for link in LINK.findall(prose):
        place = os.path.normpath(os.path.join(folder, link))
        if not re.match(r"[a-z]+:", link) and not re.search(f"^{re.escape(place)}(?:/|$)", files, re.M):
            yield f"{document} links to {link}, which is not there"
    for fence in FENCE.findall(text):
        for script in SCRIPT.findall(fence):
            if not re.search(f"^{re.escape(script)}$", files, re.M):
                yield f"{document} runs {script}, which is not there"


def says(text, above, folder):
    """Whether the README of `above` names `folder`, or something in it."""
    parts = (folder.removeprefix(above + "/") if above else folder).split("/")
    for name in re.findall(r"[\w.*-]+(?:/[\w.*-]+)*/?", " ".join(CODE.findall(text) + LINK.findall(text))):
        if "/" not in name:
            continue
        named = (name.removeprefix(above + "/") if above else name).rstrip("/").split("/")[:len(parts)]
        if len(named) == len(parts) and all(re.fullmatch(pattern_of(one), part) for one, part in zip(named, parts)):
            return True
    return False


def folder_faults(files, read):
    """Each folder has a README, or the next one above it names the folder. CONTRIBUTING.md counts at the root."""
    folders = set()
    for path in files:
        while path := os.path.dirname(path):
            folders.add(path)
    for folder in sorted(folders):
        if f"{folder}/README.md" in files:
            continue
        above = os.path.dirname(folder)
        while above and f"{above}/README.md" not in files:
            above = os.path.dirname(above)
        told_by = [f"{above}/README.md"] if above else ["README.md", "CONTRIBUTING.md"]
        if not says("\n".join(read(path) or "" for path in told_by), above, folder):
            yield f"{folder} has no README.md, and {told_by[-1]} does not name it"


def floor_faults(files, floors):
    """The top folders of sources, and each floor of sim and validate, have a README of their own."""
    for folder in sorted({floor if floor.startswith(("sim/", "validate/")) else floor.split("/")[0] for floor in floors}):
        if f"{folder}/README.md" not in files:
            yield f"{folder} has no README.md"


def place_faults(text, files):
    """docs/where.md is nothing but names, and paths begin at the root."""
    named = [found.group(1) for found in map(NAMED.match, CODE.findall(text)) if found]
    for name in named:
        if "/" in name and not re.search(f"^{pattern_of(name)}(?:/|$)", files, re.M):
            yield f"docs/where.md names {name}, which is not there"
    if len(named) < 40:
        yield f"docs/where.md names {len(named)} files only"
