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

if TYPE_CHECKING:
    import numpy
    import pandas

Value = Union[str, int, float, "os.PathLike[str]", "numpy.generic"]
Values = Union[Value, Sequence[Value], "numpy.ndarray[Any, Any]"]


def _plain(name: str, value: Any) -> Union[str, int, float]:
    """As JSON has it, and as `run` spells it: NumPy's numbers are Python's, 1024.0 is 1024, a path is its text."""
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        value = value.item()
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, (str, int, float)) or value != value or value in (float("inf"), float("-inf")):
        raise BadInput(f"{value!r} is no value of an option", name, "give text, numbers or paths: one, or a list of them")
    return value


def _listed(name: str, values: Any) -> Union[str, list[Union[str, int, float]]]:
    """A text may be a range, which the program reads."""
    if isinstance(values, str):
        return values
    try:
        several = [] if isinstance(values, (os.PathLike, bytes)) or getattr(values, "ndim", 1) == 0 else list(values)
    except TypeError:
        several = []
    return [_plain(name, value) for value in several] or [_plain(name, values)]


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
        partition: Optional[str] = None,
        account: Optional[str] = None,
        time: Optional[str] = None,
        mem: Optional[str] = None,
        sbatch: Sequence[str] = (),
        template: Union[str, "os.PathLike[str]", None] = None,
        wait: bool = False,
    ) -> "Sweep":
        """Makes the runs that have no result yet. Failed ones are rows, no exceptions. The engine is "local", "mpi" or
        "slurm", and the others are `sassafras sweep run`'s options; "slurm" returns when the job is in the queue, unless
        it is to `wait`. What a KeyboardInterrupt or anything else ends, the next run() goes on with."""
        options = {"engine": engine, "jobs": jobs, "shards": shards, "partition": partition, "account": account, "time": time, "mem": mem}
        words = ["sweep", "run", str(self.folder)]
        words += [f"--{name}={value}" for name, value in options.items() if value is not None]
        words += [f"--sbatch={option}" for option in sbatch]
        if template is not None:
            words.append(f"--template={os.fspath(template)}")
        words += [f"--{name}" for name, is_wanted in (("retry-failed", retry_failed), ("wait", wait)) if is_wanted]
        _core.run_command(words)
        return self

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
    command: Optional[Union[str, Sequence[str]]] = None,
    *,
    vary: Optional[Mapping[str, Values]] = None,
    set: Optional[Mapping[str, Values]] = None,
    design: str = "product",
    seed: int = 1,
    split_launches: int = 1,
) -> Sweep:
    """A [study](sweep.md): a command with many values of its options (`vary`) and of the platform's numbers (`set`).

    - `folder`: where the study and its results lie. `command`: `"run sort"`, or its words; without one the study that the
      folder has.
    - Values are lists or arrays of numbers, texts and paths, one of these alone, or ranges of the command line: `"2^10..2^20"`.
      Whole numbers are integers, `1024.0` too.
    - `split_launches`: how many runs share the launches of each `exec` or `trace replay`; their parts make one row.
    - `design`: `"product"` (all combinations), `"list"` (side by side) or `"sobol:64"` (64 of them, evenly spread, from
      `seed`).

    Nothing runs before `run()`. Raises `BadInput` if the description is wrong.

    >>> study = sassafras.sweep("study", "run merge --device functional", vary={"n": [1000, 2000]}).run()
    >>> study.status, study.to_numpy()["smsp__inst_executed.sum"].tolist()
    ({'runs': 2, 'done': 2, 'failed': 0, 'damaged': 0, 'left': 0}, [1521.0, 2639.0])
    """
    place = pathlib.Path(folder)
    if command is not None:
        words = command.split() if isinstance(command, str) else [os.fspath(word) for word in command]
        description = {
            "command": words,
            "vary": {name: _listed(name, values) for name, values in (vary or {}).items()},
            "set": {name: _listed(name, values) for name, values in (set or {}).items()},
            "design": design,
            "seed": seed,
            "split_launches": split_launches,
        }
        _keep(place, description)
    elif vary or set or design != "product" or seed != 1 or split_launches != 1:
        raise BadInput("values are given, but no command that they are of", remedy="give the command, too; or the folder alone, for the study that it has")
    study = Sweep(place)
    study.status  # what is wrong with a description is said now
    return study


def _keep(folder: pathlib.Path, description: Mapping[str, Any]) -> None:
    """Writes the folder's study.json, if the description is one: it is checked where it replaces nothing."""
    with tempfile.TemporaryDirectory(prefix="sassafras-") as other:
        if (folder / "digests.txt").exists():  # so that large inputs are not read once more
            shutil.copyfile(folder / "digests.txt", os.path.join(other, "digests.txt"))
        checked = os.path.join(other, "study.json")
        text = json.dumps(description, indent=2) + "\n"
        pathlib.Path(checked).write_text(text, encoding="utf-8")
        try:
            _core.run_command(["sweep", "plan", other])
        except Error as error:
            error.where = error.where.replace(checked, str(folder / "study.json"))
            raise
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("digests.txt", "study.json"):
            if os.path.exists(os.path.join(other, name)):
                written = folder / f"{name}.{os.getpid()}"
                shutil.copyfile(os.path.join(other, name), written)
                written.replace(folder / name)
