"""Studies: many runs of a command, each made once, and one table of all. docs/sweep.md says what they are."""

from __future__ import annotations

import json
import os
import pathlib
import shutil
import tempfile
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _core
from .errors import BadInput, Error
from .platforms import Platform

if TYPE_CHECKING:
    import numpy
    import pandas

Value = Union[str, int, float, "os.PathLike[str]", "numpy.generic", Platform]
Command = Union[str, Sequence[str]]
Values = Union[Value, Sequence[Value], "numpy.ndarray[Any, Any]"]


class _Platforms:
    """Files that stand for platforms in a study's folder, each named after what it is; made when the study is kept."""

    def __init__(self, folder: pathlib.Path) -> None:
        self._folder = folder / "platforms"
        self._texts: dict[pathlib.Path, str] = {}

    def path_of(self, platform: Platform) -> str:
        name = "".join(letter if letter.isalnum() or letter in "-_." else "-" for letter in platform.name)
        path = self._folder / f"{name}-{platform.hash.rpartition(':')[2][:12]}.json"
        self._texts[path] = platform.to_json()
        return os.path.relpath(path) if _seen_from(self._folder) is not None else str(path.absolute())

    def write(self) -> list[pathlib.Path]:
        """Those that were not there."""
        new = [path for path in self._texts if not path.exists()]
        for path in new:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(self._texts[path], encoding="utf-8")
        return new


def _seen_from(folder: pathlib.Path) -> Optional[str]:
    """The current folder as seen from one that lies in it: so both can be moved together. None for others."""
    seen = os.path.relpath(os.getcwd(), os.path.realpath(folder))
    return seen if set(seen.split(os.sep)) <= {os.pardir, os.curdir} else None


def _plain(name: str, value: Any, platforms: _Platforms) -> Union[str, int, float]:
    """As JSON has it, and as `run` spells it: NumPy's numbers are Python's, 1024.0 is 1024, a path is its text."""
    if isinstance(value, Platform):
        return platforms.path_of(value)
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, (str, int, float)) or value != value or value in (float("inf"), float("-inf")):
        raise BadInput(f"{value!r} is no value of an option", name, "give text, numbers or paths: one, or a list of them")
    return value


def _listed(name: str, values: Any, platforms: _Platforms) -> Union[str, list[Union[str, int, float]]]:
    """A text may be a range, which the program reads."""
    if isinstance(values, str):
        return values
    try:
        several = [] if isinstance(values, (os.PathLike, bytes, Platform)) or getattr(values, "ndim", 1) == 0 else list(values)
    except TypeError:
        several = []
    return [_plain(name, value, platforms) for value in several] or [_plain(name, values, platforms)]


def _words(command: Command) -> list[str]:
    return command.split() if isinstance(command, str) else [os.fspath(word) for word in command]


def _series(kind: str, values: list[Any]) -> "pandas.Series[Any]":
    """A column of a collected table, in which None is missing."""
    import pandas

    if kind == "real":
        return pandas.Series(values, dtype="float64")
    if kind == "integer":
        return pandas.Series(values, dtype="Int64" if None in values else "int64")
    return pandas.Series(values, dtype="object")


class Sweep:
    """A study in its folder, which `sweep` makes."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = pathlib.Path(folder)

    def run(
        self,
        *,
        engine: str = "local",
        jobs: Optional[int] = None,
        shards: Optional[int] = None,
        retry_failed: bool = False,
        timeout: Optional[int] = None,
        partition: Optional[str] = None,
        account: Optional[str] = None,
        time: Optional[str] = None,
        mem: Optional[str] = None,
        sbatch: Sequence[str] = (),
        template: Union[str, "os.PathLike[str]", None] = None,
        wait: bool = False,
        share: Union["Sweep", str, "os.PathLike[str]", Sequence[Union["Sweep", str, "os.PathLike[str]"]]] = (),
    ) -> "Sweep":
        """Makes the runs that have no result yet. Failed ones are rows, no exceptions. The engine is "local", "mpi" or
        "slurm", and the others are `sassafras sweep run`'s options; "slurm" returns when the job is in the queue, unless
        it is to `wait`. `timeout`: seconds after which a run is ended, and has failed. `share`: other studies, whose results are taken where they are of the same run. What a KeyboardInterrupt or anything else ends, the next run() goes on with."""
        options = {"engine": engine, "jobs": jobs, "shards": shards, "partition": partition, "account": account, "time": time, "mem": mem, "timeout": timeout}
        words = ["sweep", "run", str(self.folder)]
        words += [f"--{name}={value}" for name, value in options.items() if value is not None]
        words += [f"--sbatch={option}" for option in sbatch]
        for other in [share] if isinstance(share, (str, os.PathLike, Sweep)) else share:
            words.append(f"--share={other.folder if isinstance(other, Sweep) else os.fspath(other)}")
        if template is not None:
            words.append(f"--template={os.fspath(template)}")
        words += [f"--{name}" for name, is_wanted in (("retry-failed", retry_failed), ("wait", wait)) if is_wanted]
        _core.run_command(words)
        return self

    def best(self, column: str, cost: Union[str, Sequence[str]] = (), by: Union[str, Sequence[str]] = ()) -> list[dict[str, Any]]:
        """The runs that no other with the same work beats in `column` and in all of `cost`, each as small as can be: of each its
        number (`run`), these columns and the parameters. `by`: columns that tell the work, as of the command line. Raises
        `BadInput` for a column that is none, or has no numbers."""
        words = ["sweep", "collect", str(self.folder), "--best", column]
        for option, columns in (("--cost", cost), ("--by", by)):
            words += [f"{option}={name}" for name in ([columns] if isinstance(columns, str) else columns)]
        collected = json.loads(_core.run_command(words)[1])
        values = {entry["name"]: entry["values"] for entry in collected["columns"]}
        front = collected["front"]
        return [{name: values[name][run] for name in ("run", *front["columns"])} for group in front["groups"] for run in group["front"]]

    def sensitivity(self, column: str) -> dict[str, Any]:
        """By how many per cent `column` changes where a parameter grows by one: `elasticities` (`name`, `value` and the `margin`
        of its 95 % interval, `None` where it is not known), the greatest effect first; `explained` says how much of the
        variance that explains, `left_out` which parameters have none, and why. Raises `BadInput` where there is nothing to fit."""
        collected = json.loads(_core.run_command(["sweep", "collect", str(self.folder), "--sensitivity", column])[1])
        return collected["sensitivity"]  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        return f"<study in {self.folder}>"

    @property
    def status(self) -> dict[str, int]:
        """How many `runs` there are, and of them `done`, `failed`, `damaged` (their results cannot be read; `run()` makes them
        anew) and `left`."""
        status = json.loads(_core.run_command(["sweep", "status", str(self.folder)])[1])
        return {name: status[name] for name in ("runs", "done", "failed", "damaged", "left")}

    def to_numpy(self) -> "numpy.ndarray[Any, Any]":
        """A structured array with a row a run and a field a column: `run`, `status`, the parameters, and all that the run's report
        says; `nan` where a run has no such number."""
        import numpy

        with tempfile.TemporaryDirectory(prefix="sassafras-") as folder:
            path = os.path.join(folder, "runs.npz")
            _core.run_command(["sweep", "collect", str(self.folder), "--output", path])
            with numpy.load(path) as columns:
                arrays = {name: columns[name] for name in columns.files}
        table = numpy.empty(len(arrays["run"]), dtype=[(name, array.dtype) for name, array in arrays.items()])
        for name, array in arrays.items():
            table[name] = array
        return table

    def to_pandas(self) -> "pandas.DataFrame":
        """The same as a frame: integers with all of their digits (`int64`; `Int64` where some are missing), numbers, text (`None`
        where there is none). Raises `BadInput` if pandas is not installed."""
        try:
            import pandas
        except ImportError as missing:
            raise BadInput("pandas is not installed", remedy="install python3-pandas, or use to_numpy()") from missing
        columns = json.loads(_core.run_command(["sweep", "collect", str(self.folder)])[1])["columns"]
        return pandas.DataFrame({column["name"]: _series(column["type"], column["values"]) for column in columns})


def sweep(
    folder: Union[str, "os.PathLike[str]"],
    command: Optional[Command] = None,
    *,
    commands: Sequence[Command] = (),
    vary: Optional[Mapping[str, Values]] = None,
    set: Optional[Mapping[str, Values]] = None,
    design: str = "product",
    seed: int = 1,
    split_launches: int = 1,
) -> Sweep:
    """A [study](sweep.md): a command with many values of its options (`vary`) and of the platform's numbers (`set`).

    - `folder`: where the study and its results lie. `command`: `"run sort"`, or its words; `commands`: several. Without one
      the study that the folder has. Relative names in commands and values begin in the current folder, wherever the study is
      opened later.
    - Values are lists or arrays of numbers, texts, paths and platforms (`vary={"platform": [half, "h200"]}`), one of these
      alone, or ranges of the command line: `"2^10..2^20"`. Whole numbers are integers, `1024.0` too.
    - `split_launches`: how many runs share the launches of each `exec` or `trace replay`; their parts make one row.
    - `design`: `"product"` (all combinations), `"list"` (side by side) or `"sobol:64"` (64 of them, evenly spread, from
      `seed`).

    Nothing runs before `run()`. Raises `BadInput` if the description is wrong.

    >>> study = sassafras.sweep("study", "run merge --device functional", vary={"n": [1000, 2000]}).run()
    >>> study.status, study.to_numpy()["smsp__inst_executed.sum"].tolist()
    ({'runs': 2, 'done': 2, 'failed': 0, 'damaged': 0, 'left': 0}, [1521.0, 2639.0])
    """
    place = pathlib.Path(folder)
    several = [*([] if command is None else [command]), *commands]
    if isinstance(commands, str):
        raise BadInput("one text is no list of commands", "commands", "give it as command")
    if several:
        platforms = _Platforms(place)
        description = {
            "commands": [_words(one) for one in several],
            "vary": {name: _listed(name, values, platforms) for name, values in (vary or {}).items()},
            "set": {name: _listed(name, values, platforms) for name, values in (set or {}).items()},
            "design": design,
            "seed": seed,
            "split_launches": split_launches,
        }
        _keep(place, description, platforms)
    elif vary or set or design != "product" or seed != 1 or split_launches != 1:
        raise BadInput("values are given, but no command that they are of", remedy="give the command, too; or the folder alone, for the study that it has")
    study = Sweep(place)
    study.status  # what is wrong with a description is said now
    return study


def _keep(folder: pathlib.Path, description: Mapping[str, Any], platforms: _Platforms) -> None:
    """Writes the folder's study.json, if the description is one: it is checked where it replaces nothing."""
    with tempfile.TemporaryDirectory(prefix="sassafras-") as other:
        if (folder / "digests.txt").exists():  # so that large inputs are not read once more
            shutil.copyfile(folder / "digests.txt", os.path.join(other, "digests.txt"))
        checked = os.path.join(other, "study.json")
        new = platforms.write()

        def write(directory: str) -> None:
            text = json.dumps({**description, "directory": directory}, indent=2) + "\n"
            pathlib.Path(checked).write_text(text, encoding="utf-8")

        write(os.getcwd())
        try:
            _core.run_command(["sweep", "plan", other])
        except Error as error:
            for path in new:
                path.unlink()
            error.where = error.where.replace(checked, str(folder / "study.json"))
            raise
        folder.mkdir(parents=True, exist_ok=True)
        write(_seen_from(folder) or os.getcwd())
        for name in ("digests.txt", "study.json"):
            if os.path.exists(os.path.join(other, name)):
                written = folder / f"{name}.{os.getpid()}"
                shutil.copyfile(os.path.join(other, name), written)
                written.replace(folder / name)
