"""What commands and launches give: the JSON of the command line as objects."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator, Optional

from . import _core, tables

if TYPE_CHECKING:
    import numpy
    import pandas


class KernelLaunch:
    """One launch of a kernel. `metrics` has Nsight Compute's names."""

    def __init__(self, document: dict[str, Any], printed: str = "", findings: Optional[list[dict[str, Any]]] = None) -> None:
        self.json = document
        #: What the kernel printed, and what --check found in it; empty where that was not asked for.
        self.printed = printed
        self.findings = findings or []

    @property
    def name(self) -> str:
        """Mangled, as in the cubin; `demangled` is for people."""
        return str(self.json["name"])

    @property
    def demangled(self) -> str:
        return str(self.json.get("demangled", self.json["name"]))

    @property
    def grid(self) -> tuple[int, int, int]:
        x, y, z = self.json["grid"]
        return x, y, z

    @property
    def block(self) -> tuple[int, int, int]:
        x, y, z = self.json["block"]
        return x, y, z

    @property
    def registers_per_thread(self) -> int:
        return int(self.json["registers_per_thread"])

    @property
    def metrics(self) -> dict[str, float]:
        return self.json["metrics"]  # type: ignore[no-any-return]

    @property
    def cycles(self) -> Optional[float]:
        """None on a device without time."""
        return self.metrics.get("sm__cycles_elapsed.max")

    @property
    def time_ns(self) -> Optional[float]:
        return self.metrics.get("gpu__time_duration.sum")

    @property
    def intervals(self) -> dict[str, tuple[float, float]]:
        """Where metrics that are estimates lie with 95 % confidence; empty unless the launch was sampled."""
        found = self.json.get("sampling", {}).get("intervals_95", {})
        return {name: (low, high) for name, (low, high) in found.items()}

    @property
    def source(self) -> list[dict[str, Any]]:
        """A row an instruction, if that was asked for."""
        return self.json.get("source", [])

    def row(self) -> dict[str, Any]:
        return {name: value for name, value in self.json.items() if name not in ("metrics", "sampling", "source")} | self.metrics

    def __repr__(self) -> str:
        cycles = "" if self.cycles is None else f", {self.cycles:,.0f} cycles"
        return f"<launch of {self.demangled}, grid {self.grid}, block {self.block}{cycles}>"


class Result:
    """What a command computed. `json` is all of it, as `--json` writes it, and its keys are attributes, too; `status` is
    the exit status (1 if checks found something); `printed` is what kernels printed, and what was said beside the result."""

    def __init__(self, document: dict[str, Any], status: int = 0, printed: str = "") -> None:
        self.json = document
        self.status = status
        self.printed = printed

    def __getattr__(self, name: str) -> Any:
        document = self.__dict__.get("json", {})
        if name in document:
            return document[name]
        raise AttributeError(f"{type(self).__name__} has no {name!r}; its JSON has {', '.join(document)}")

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        """What to_numpy() and to_pandas() have a row of: the list of objects of this name; without one, what says most."""
        lists = [value for value in self.json.values() if isinstance(value, list) and value and isinstance(value[0], dict)]
        return list(self.json[view]) if view else lists[0] if lists else []

    def to_numpy(self, view: str = "") -> "numpy.ndarray[Any, Any]":
        return tables.to_numpy(self.rows(view))

    def to_pandas(self, view: str = "") -> "pandas.DataFrame":
        return tables.to_pandas(self.rows(view))


class RunResult(Result):
    """Of run, exec and launch: a list of launches, and a row for each in tables."""

    def __init__(self, document: dict[str, Any], status: int = 0, printed: str = "") -> None:
        super().__init__(document, status, printed)
        self.kernels = [KernelLaunch(kernel) for kernel in document["kernels"]]

    def __iter__(self) -> Iterator[KernelLaunch]:
        return iter(self.kernels)

    @property
    def metrics(self) -> dict[str, float]:
        """What the launches together have; a metric that says nothing of several launches is left out."""
        return _core.total_of_launches([kernel.metrics for kernel in self.kernels])

    @property
    def cycles(self) -> Optional[float]:
        """Of all launches; None on a device without time."""
        return self.json["total"]["cycles"]  # type: ignore[no-any-return]

    @property
    def time_ns(self) -> Optional[float]:
        return self.json["total"]["time_ns"]  # type: ignore[no-any-return]

    @property
    def checks(self) -> list[dict[str, Any]]:
        """What a check has found; empty without one."""
        return self.json.get("checks", [])

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        return super().rows(view) if view else [kernel.row() for kernel in self.kernels]


class ConflictResult(Result):
    """Of conflicts, and of launch and exec with conflicts=True: bank conflicts of all (`run`), by kernel, phase, round and
    instruction. Tables have a row a phase; to_pandas("instructions") has another view."""

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        rows = super().rows(view or "phases")
        if view != "instructions":
            return rows
        return [row | {"file": (row.get("line") or {}).get("file"), "line": (row.get("line") or {}).get("line")} for row in rows]


class EstimateResult(Result):
    """Of estimate. Tables have a row a term of the formula, of a series a row a point; to_pandas("models") has one a rival."""

    @property
    def cycles(self) -> Optional[float]:
        """None of a series."""
        return self.json.get("total", {}).get("cycles")  # type: ignore[no-any-return]

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        return super().rows(view or next(key for key in ("points", "terms", "models") if self.json.get(key)))


class ValidateResult(Result):
    """Of validate. Tables have a row for each run and model, beside what was simulated and measured of it."""

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
    """Of worst_case and best_case: the `numbers` of the input, where they were saved (`path`, None if that was not asked
    for), and what the command printed (`text`): what was made, what it costs, and the command that runs it."""

    def __init__(self, text: str, numbers: "numpy.ndarray[Any, Any]", path: Optional[str], printed: str) -> None:
        super().__init__({"text": text}, 0, printed)
        self.numbers = numbers
        self.path = path

    def rows(self, view: str = "") -> list[dict[str, Any]]:
        return [{"number": number} for number in self.numbers.tolist()]

    def to_numpy(self, view: str = "") -> "numpy.ndarray[Any, Any]":
        return self.numbers
