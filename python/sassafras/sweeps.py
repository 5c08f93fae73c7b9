"""Studies: many runs of a command, each made once, and one table of all. docs/sweep.md says what they are."""

from __future__ import annotations

import io
import json
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

from . import _core
from .errors import BadInput

if TYPE_CHECKING:
    import numpy
    import pandas

Values = Union[str, int, float, Sequence[Union[str, int, float]]]


def _listed(values: Values) -> Union[str, list[Union[str, int, float]]]:
    """A text may be a range, which the program reads; NumPy's numbers become Python's."""
    if isinstance(values, str):
        return values
    if isinstance(values, (int, float)):
        return [values]
    plain: list[Any] = [value.item() if hasattr(value, "item") else value for value in values]
    return plain


class Sweep:
    """A study in its folder, which `sweep` makes."""

    def __init__(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        self.folder = pathlib.Path(folder)

    def run(self, *, jobs: Optional[int] = None, retry_failed: bool = False) -> "Sweep":
        """Makes the runs that have no result yet, as processes of this machine, `jobs` at a time (as many as there are processors,
        if not given). Failed ones are rows, no exceptions; `retry_failed` makes those again. Gives the study itself."""
        words = ["sweep", "run", str(self.folder)]
        if jobs is not None:
            words += ["--jobs", str(jobs)]
        if retry_failed:
            words.append("--retry-failed")
        _core.run_command(words)
        return self

    @property
    def status(self) -> dict[str, int]:
        """How many `runs` there are, and of them `done`, `failed` and `left`."""
        text = _core.run_command(["sweep", "status", str(self.folder)])[2]
        counts = [int(word.replace(",", "")) for word in text.split() if word[0].isdigit()]
        return dict(zip(("runs", "done", "failed", "left"), counts))

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
        """The same as a frame. Raises `BadInput` if pandas is not installed."""
        try:
            import pandas
        except ImportError as missing:
            raise BadInput("pandas is not installed", remedy="install python3-pandas, or use to_numpy()") from missing
        return pandas.read_csv(io.StringIO(_core.run_command(["sweep", "collect", str(self.folder)])[2]))


def sweep(
    folder: Union[str, "os.PathLike[str]"],
    command: Optional[Union[str, Sequence[str]]] = None,
    *,
    vary: Optional[Mapping[str, Values]] = None,
    set: Optional[Mapping[str, Values]] = None,
    design: str = "product",
    seed: int = 1,
) -> Sweep:
    """A [study](sweep.md): a command with many values of its options (`vary`) and of the platform's numbers (`set`).

    - `folder`: where the study and its results lie. `command`: `"run sort"`, or its words; without one the study that the
      folder has.
    - Values are lists, or ranges of the command line: `"2^10..2^20"`.
    - `design`: `"product"` (all combinations), `"list"` (side by side) or `"sobol:64"` (64 of them, evenly spread, from
      `seed`).

    Nothing runs before `run()`. Raises `BadInput` if the description is wrong.

    >>> study = sassafras.sweep("study", "run merge --device functional", vary={"n": [1000, 2000]}).run()
    >>> study.status, study.to_numpy()["smsp__inst_executed.sum"].tolist()
    ({'runs': 2, 'done': 2, 'failed': 0, 'left': 0}, [1521.0, 2639.0])
    """
    place = pathlib.Path(folder)
    if command is not None:
        words = command.split() if isinstance(command, str) else list(command)
        description = {
            "command": words,
            "vary": {name: _listed(values) for name, values in (vary or {}).items()},
            "set": {name: _listed(values) for name, values in (set or {}).items()},
            "design": design,
            "seed": seed,
        }
        place.mkdir(parents=True, exist_ok=True)
        written = place / f"study.json.{os.getpid()}"
        written.write_text(json.dumps(description, indent=2) + "\n", encoding="utf-8")
        written.replace(place / "study.json")
    study = Sweep(place)
    study.status  # what is wrong with a description is said now
    return study
