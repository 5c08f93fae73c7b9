"""What commands and launches give: the JSON of the command line as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional

from . import _core, tables

if TYPE_CHECKING:
    import numpy
    import pandas


class KernelLaunch:
    """One launch of a kernel. `metrics` has [Nsight Compute's names](metrics.md); `printed` is what the kernel printed; `findings`
    what `check` found in it, empty where that was not asked for; `json` all of it."""

    def __init__(self, document: dict[str, Any], printed: str = "", findings: Optional[list[dict[str, Any]]] = None) -> None:
        self.json = document
        #: What the kernel printed, and what --check found in it; empty where that was not asked for.
        self.printed = printed
        self.findings = findings or []

    @property
    def name(self) -> str:
        """Mangled, as in the cubin."""
        return str(self.json["name"])

    @property
    def demangled(self) -> str:
        """For people."""
        return str(self.json.get("demangled", self.json["name"]))

    @property
    def grid(self) -> tuple[int, int, int]:
        """Blocks along x, y and z."""
        x, y, z = self.json["grid"]
        return x, y, z

    @property
    def block(self) -> tuple[int, int, int]:
        """Threads of a block along x, y and z."""
        x, y, z = self.json["block"]
        return x, y, z

    @property
    def registers_per_thread(self) -> int:
        """Registers of 32 bits that a thread has."""
        return int(self.json["registers_per_thread"])

    @property
    def metrics(self) -> dict[str, float]:
        """Of each metric that the device knows its value, in the unit that [metrics.md](metrics.md) says."""
        return self.json["metrics"]  # type: ignore[no-any-return]

    @property
    def cycles(self) -> Optional[float]:
        """Cycles of the SMs' clock from the launch's begin to its end; `None` on a device without time."""
        return self.metrics.get("sm__cycles_elapsed.max")

    @property
    def time_ns(self) -> Optional[float]:
        """The same in nanoseconds."""
        return self.metrics.get("gpu__time_duration.sum")

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """Where metrics that are estimates lie with 95 % confidence, as (least, greatest); empty unless the launch was sampled."""
        found = self.json.get("sampling", {}).get("intervals_95", {})
        return {name: (low, high) for name, (low, high) in found.items()}

    @property
    def source(self) -> list[dict[str, Any]]:
        """A row an instruction, if `source` was asked for: `pc`, `sass`, executions, reasons to stall."""
        return self.json.get("source", [])

    def row(self) -> dict[str, Any]:
        """Its row in tables: name, sizes and metrics, side by side."""
        return {name: value for name, value in self.json.items() if name not in ("metrics", "sampling", "source")} | self.metrics

    def __repr__(self) -> str:
        cycles = "" if self.cycles is None else f", {self.cycles:,.0f} cycles"
        return f"<launch of {self.demangled}, grid {self.grid}, block {self.block}{cycles}>"


class Result:
    """What a command computed. `json` is all of it, as `--json` writes it, and its keys are attributes, too; `status` is the exit
    status (1 if checks found something); `printed` is what kernels printed, and what was said beside the result."""

    def __init__(self, document: dict[str, Any], status: int = 0, printed: str = "") -> None:
        self.json = document
        self.status = status
        self.printed = printed

    def __getattr__(self, name: str) -> Any:
        document = self.__dict__.get("json", {})
        if name in document:
            return document[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; its JSON has {', '.join(document)}")

    def __repr__(self) -> str:
        return f"<{type(self).__name__} with {', '.join(self.json)}>"

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        """What `to_numpy()` and `to_pandas()` have a row of, as dictionaries: the list of objects of this name in `json`; without
        one, what says most."""
        lists = [value for value in self.json.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
        return list(self.json[view]) if view else lists[0] if lists else []

    def to_numpy(self, view: str = "") -> "numpy.ndarray[Any, Any]":
        """A structured array with a row a row of `rows(view)` and a field a column. A missing number is `nan`, a missing text
        empty; a grid or a block is three fields, `_x`, `_y`, `_z`."""
        return tables.to_numpy(self.rows(view))

    def to_pandas(self, view: str = "") -> "pandas.DataFrame":
        """The same as a frame. Raises `BadInput` if pandas is not installed."""
        return tables.to_pandas(self.rows(view))


class RunResult(Result):
    """Of `run`, `exec` and `launch`. `kernels` is a list of its launches (`KernelLaunch`), over which it iterates, too; tables
    have a row for each. `verified` says whether the result was right.

    >>> result = sassafras.run("sort", n=20000, device="functional")
    >>> result.to_numpy()["name"][:2].tolist(), result.to_numpy()["grid_x"][:2].tolist()
    (['sort_blocksort_E15_b128', 'sort_partition'], [11, 1])
    """

    def __init__(self, document: dict[str, Any], status: int = 0, printed: str = "") -> None:
        super().__init__(document, status, printed)
        self.kernels = [KernelLaunch(kernel) for kernel in document["kernels"]]

    def __iter__(self) -> Iterator[KernelLaunch]:
        return iter(self.kernels)

    def __repr__(self) -> str:
        cycles = "" if self.cycles is None else f", {self.cycles:,.0f} cycles"
        return f"<run of {self.json.get('workload', {}).get('name', 'a program')} on {self.json['platform']['name']}: {len(self.kernels)} launches{cycles}>"

    @property
    def metrics(self) -> dict[str, float]:
        """What the launches together have; a metric that says nothing of several launches is left out."""
        return _core.total_of_launches([kernel.metrics for kernel in self.kernels])

    @property
    def cycles(self) -> Optional[float]:
        """Of all launches; `None` on a device without time."""
        return self.json["total"]["cycles"]  # type: ignore[no-any-return]

    @property
    def time_ns(self) -> Optional[float]:
        """Of all launches, in nanoseconds; `None` on a device without time."""
        return self.json["total"]["time_ns"]  # type: ignore[no-any-return]

    @property
    def checks(self) -> list[dict[str, Any]]:
        """What a check has found; empty without one."""
        return self.json.get("checks", [])

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        return super().rows(view) if view else [kernel.row() for kernel in self.kernels]


class ConflictResult(Result):
    """Of `conflicts`, and of `launch` and `exec` with `conflicts=True`: requests, wavefronts and beta of all (`run`), by
    `kernels`, `phases`, `rounds` and `instructions`. Tables have a row a phase; `to_pandas("instructions")` has another view."""

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        rows = super().rows(view or "phases")
        if view != "instructions":
            return rows
        return [row | {"file": (row.get("line") or {}).get("file"), "line": (row.get("line") or {}).get("line")} for row in rows]


class EstimateResult(Result):
    """Of `estimate`. Tables have a row a term of the formula, of a series a row a point; `to_pandas("models")` has one a rival."""

    @property
    def cycles(self) -> Optional[float]:
        """Of the whole run, cycles of the SMs' clock; `None` of a series."""
        return self.json.get("total", {}).get("cycles")  # type: ignore[no-any-return]

    def __repr__(self) -> str:
        said = f"{self.cycles:,.0f} cycles" if self.cycles is not None else f"{len(self.rows())} points"
        workload = self.json.get("workload", {}).get("name", "")
        return f"<estimate of {workload}: {said}>" if workload else f"<estimate: {said}>"

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        return super().rows(view or next(key for key in ("points", "terms", "models") if self.json.get(key)))


class ValidateResult(Result):
    """Of `validate`. Tables have a row for each run and model, beside what was simulated and measured of it."""

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        if view:
            return super().rows(view)
        rows: list[dict[str, Any]] = []
        for platform in self.json.get("platforms", []):
            for run in platform["runs"]:
                known = {"platform": platform["platform"]["name"]} | {key: run.get(key) for key in ("workload", "variant", "n", "launches")}
                for source in ("measured", "simulated"):
                    known[source] = (run.get(source) or {}).get("cycles")
                rows += [known | model for model in run["models"]]
        return rows


class CaseResult(Result):
    """Of `worst_case` and `best_case`: the `numbers` of the input, an array of one dimension; the `path` where they were saved
    (`None` if that was not asked for); and what the command printed (`text`): what was made, what it costs, and the command
    that runs it; `json` has the same, parts and totals. `to_numpy()` is `numbers`."""

    def __init__(
        self, document: dict[str, Any], text: str, numbers: "numpy.ndarray[Any, Any]", path: Optional[str], printed: str
    ) -> None:
        super().__init__(document | {"text": text}, 0, printed)
        self.numbers = numbers
        self.path = path

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        return [{"number": number} for number in self.numbers.tolist()]

    def to_numpy(self, view: str = "") -> "numpy.ndarray[Any, Any]":
        return self.numbers
