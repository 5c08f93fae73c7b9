"""What makes the repository's Markdown a site's pages: a hook of mkdocs. Pages lie in the site as their files lie in the repository, so that links between
them hold in both. Nothing is copied, and no file is written for the site alone."""

import glob
import html
import logging
import os
import re
import shutil

from mkdocs.structure.files import File

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\]]*\])+)\]\(([^()\s]+)\)")
# Folders that have no page of their own: where they are told of.
TOLD_OF = {"docs/decisions": "docs/README.md#decisions"}
log = logging.getLogger("mkdocs.hooks.repository")  # mkdocs --strict counts warnings of this name


def expanded(nav):
    """The navigation, with every file of a pattern in its place."""
    for entry in nav:
        if isinstance(entry, dict):
            yield {name: list(expanded(below)) if isinstance(below, list) else below for name, below in entry.items()}
        elif "*" in entry:
            yield from sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, entry)))
        else:
            yield entry


def pages_of(nav):
    for entry in nav:
        if isinstance(entry, dict):
            for below in entry.values():
                yield from pages_of(below if isinstance(below, list) else [below])
        else:
            yield entry


def on_config(config):
    config["nav"] = list(expanded(config["nav"]))
    return config


def on_files(files, config):
    named = list(pages_of(config["nav"]))
    for page in named:
        files.append(File(page, ROOT, config["site_dir"], config["use_directory_urls"]))
    for path in glob.glob(f"{ROOT}/docs/**/*.md", recursive=True):
        if os.path.relpath(path, ROOT) not in named:
            log.warning("%s is a page that docs/site/mkdocs.yml does not name", os.path.relpath(path, ROOT))
    return files


def title_of(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return next(line[2:].strip() for line in file if line.startswith("# "))


def linked(match, page, files, config):
    """A link between pages stays, with the page's title for its file's name; a picture comes along; of any other file of the repository its name is shown, as nobody knows where its text is to be seen."""
    picture, text, target = match.groups()
    if re.match(r"[a-z]+:|#", target):
        return match.group(0)
    path, _, anchor = target.partition("#")
    folder = os.path.dirname(page.file.src_uri)
    place = os.path.normpath(os.path.join(folder, path))
    if files.get_file_from_path(place):
        names_file = text.endswith("/") or os.path.basename(path) == os.path.basename(text)
        return f"[{title_of(place) if names_file else text}]({target})"
    if place in TOLD_OF or files.get_file_from_path(f"{place}/README.md"):
        return f"[{text}]({os.path.relpath(TOLD_OF.get(place, f'{place}/README.md'), folder)})"
    if not os.path.exists(os.path.join(ROOT, place)):
        log.warning("%s links to %s, which is not there", page.file.src_uri, target)
    if picture:
        into = os.path.join(config["site_dir"], place)
        os.makedirs(os.path.dirname(into), exist_ok=True)
        shutil.copyfile(os.path.join(ROOT, place), into)
        return f'<img alt="{html.escape(text)}" src="{os.path.relpath(place, os.path.dirname(page.file.dest_path))}">'
    plain = text.strip("`")
    return f"`{place}`" if plain in (path, place, os.path.basename(place)) else f"{text} (`{place}`)"


def on_page_markdown(markdown, page, config, files):
    """Where GitHub's Markdown and Python-Markdown differ: a list or a table after a line of text needs an empty line, words after a fence's language are
    unknown to the latter, and comments end what they stand before."""
    lines, fenced, source = [], False, markdown.split("\n")
    for number, line in enumerate(source):
        before = lines[-1] if lines else ""
        if line.startswith("```"):
            fenced = not fenced
            line = re.sub(r"^(```\w*).*", r"\1", line)
        elif not fenced and line.startswith("<!--") and line.rstrip().endswith("-->"):
            line = ""
        elif not fenced:
            is_table = line.startswith("|") and re.match(r"\|[-:| ]+$", "".join(source[number + 1 : number + 2])) and not before.startswith("|")
            is_list = re.match(r"(?:[-*]|\d+\.) ", line) and not re.match(r"(?:[-*]|\d+\.) |  ", before)
            if (is_table or is_list) and before:
                lines.append("")
            line = LINK.sub(lambda match: linked(match, page, files, config), line)
        lines.append(line)
    return "\n".join(lines)
