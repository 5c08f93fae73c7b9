"""The commands of the command line. Options have its names: `--cache-control none` is cache_control="none", a flag is True."""

from __future__ import annotations

import contextlib
import json
import os
import sys
import tempfile
from typing import TYPE_CHECKING, Any, Optional, Sequence, Union, overload

from . import _core
from .errors import BadInput, Error
from .platforms import Platform, PlatformLike
from .results import CaseResult, ConflictResult, EstimateResult, Result, RunResult, ValidateResult

if TYPE_CHECKING:
    from typing import Literal

    import numpy

    Numbers = Union[str, "os.PathLike[str]", "numpy.ndarray[Any, Any]"]


class _CommandLine:
    """Words of a command, and the files that stand for what only Python has; those go when the command has ended."""

    def __init__(self, *words: str) -> None:
        self.words = list(words)
        self._files = contextlib.ExitStack()
        self._folder = ""

    def __enter__(self) -> "_CommandLine":
        return self

    def __exit__(self, *_: Any) -> None:
        self._files.close()

    def file(self, name: str) -> str:
        if not self._folder:
            self._folder = self._files.enter_context(tempfile.TemporaryDirectory(prefix="sassafras-"))
        return os.path.join(self._folder, name)

    def spelled(self, name: str, value: Any) -> str:
        if isinstance(value, Platform):
            path = self.file(f"platform-{len(self.words)}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write(value.to_json())
            return path
        if hasattr(value, "__array_interface__") and getattr(value, "ndim", 0) > 0:
            import numpy

            path = self.file(f"{name}-{len(self.words)}.npy")
            numpy.save(path, value)
            return path
        if isinstance(value, float) and value.is_integer():
            value = int(value)
        return str(os.fspath(value)) if isinstance(value, os.PathLike) else str(value)

    def add(self, **options: Any) -> None:
        """None and False are left out; of a list each is given."""
        for name, value in options.items():
            if value is None or value is False:
                continue
            # Parameters of workloads keep their underscores, which no option has.
            option = "--" + (name if name in ("N_TB", "M_TB", "M_o", "M_I", "key_bits") else name.replace("_", "-"))
            for one in value if isinstance(value, (list, tuple)) else [value]:
                self.words += [option] if one is True else [f"{option}={self.spelled(name, one)}"]

    def run(self) -> tuple[int, dict[str, Any], str, str]:
        """Exit status, JSON, text, what was printed beside. A temporary folder's name is no part of a result."""
        try:
            status, document, text, printed = _core.run_command(self.words)
        except Error as error:
            if self._folder:
                error.where = error.where.replace(self._folder + os.sep, "")
            raise
        if self._folder:
            document = document.replace(json.dumps(self._folder + os.sep)[1:-1], "")
        return status, json.loads(document) if document else {}, text, printed


def command(*words: str, **options: Any) -> Result:
    """Any command that has --json, as command("diagnose", "sort", n=4096)."""
    with _CommandLine(*words) as line:
        line.add(**options)
        status, document, text, printed = line.run()
    return Result(document or {"text": text}, status, printed)


def run(
    workload: str,
    *,
    n: Optional[int] = None,
    variant: Optional[str] = None,
    input: Optional["Numbers"] = None,
    platform: PlatformLike = "h200",
    device: Optional[str] = None,
    seed: Optional[int] = None,
    threads: Optional[int] = None,
    check: bool = False,
    sample: bool = False,
    source: bool = False,
    **options: Any,
) -> RunResult:
    """`sassafras run`: a workload on a device, its result checked. `input` is a kind, a file, or an array of keys; `source`
    asks for a row an instruction. Other options are the command's, or the workload's parameters: run("sort", E=15, b=128)."""
    with _CommandLine("run", workload) as line:
        line.add(n=n, variant=variant, input=input, platform=platform, device=device, seed=seed, threads=threads, check=check, sample=sample)
        line.add(page="source" if source else None, **options)
        status, document, _, printed = line.run()
    return RunResult(document, status, printed)


def conflicts(
    workload: str,
    *,
    n: Optional[int] = None,
    variant: Optional[str] = None,
    input: Optional["Numbers"] = None,
    platform: PlatformLike = "h200",
    **options: Any,
) -> ConflictResult:
    """`sassafras conflicts`: bank conflicts of a workload. Options and parameters as of run()."""
    with _CommandLine("conflicts", workload) as line:
        line.add(n=n, variant=variant, input=input, platform=platform, **options)
        status, document, _, printed = line.run()
    return ConflictResult(document, status, printed)


@overload
def exec(program: Sequence[str], *, conflicts: "Literal[False]" = False, platform: PlatformLike = "h200", **options: Any) -> RunResult: ...
@overload
def exec(program: Sequence[str], *, conflicts: "Literal[True]", platform: PlatformLike = "h200", **options: Any) -> ConflictResult: ...
def exec(program: Sequence[str], *, conflicts: bool = False, platform: PlatformLike = "h200", **options: Any) -> Union[RunResult, ConflictResult]:
    """`sassafras exec`: a CUDA program (a list: its path and its arguments), built with nvcc -cudart shared, in a process of
    its own, whose standard streams are this one's. `status` is its exit status."""
    if isinstance(program, str):
        program = [program]
    with _CommandLine("exec") as line:
        line.add(platform=platform, conflicts=conflicts, **options)
        line.words += ["--", *(os.fspath(word) for word in program)]
        sys.stdout.flush()  # what was printed before comes before what the program prints
        status, document, _, printed = line.run()
    return ConflictResult(document, status, printed) if conflicts else RunResult(document, status, printed)


def _spelled_argument(line: _CommandLine, value: Any) -> str:
    """i32:5, f32:1.5, file:keys.npy."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool) or not hasattr(value, "dtype"):
        raise BadInput(f"of {value!r} nobody knows the type", "args", "give a NumPy number, numpy.float32(3), an array, or text as the command takes: i32:3")
    if value.ndim > 0:
        return "file:" + line.spelled("argument", value)
    kinds = {"i4": "i32", "u4": "u32", "i8": "i64", "u8": "u64", "f4": "f32", "f8": "f64"}
    kind = kinds.get(value.dtype.kind + str(value.dtype.itemsize))
    if kind is None:
        raise BadInput(f"the command takes no {value.dtype}", "args", "Module launches kernels with arguments of any type")
    return f"{kind}:{value.item()!r}"


@overload
def launch(cubin: Union[str, "os.PathLike[str]"], kernel: str, *, grid: Any = 1, block: Any = 32, args: Sequence[Any] = (), conflicts: "Literal[False]" = False, platform: PlatformLike = "h200", **options: Any) -> RunResult: ...
@overload
def launch(cubin: Union[str, "os.PathLike[str]"], kernel: str, *, grid: Any = 1, block: Any = 32, args: Sequence[Any] = (), conflicts: "Literal[True]", platform: PlatformLike = "h200", **options: Any) -> ConflictResult: ...
def launch(
    cubin: Union[str, "os.PathLike[str]"],
    kernel: str,
    *,
    grid: Any = 1,
    block: Any = 32,
    args: Sequence[Any] = (),
    conflicts: bool = False,
    platform: PlatformLike = "h200",
    **options: Any,
) -> Union[RunResult, ConflictResult]:
    """`sassafras launch`: one kernel of a cubin, once. Arguments are NumPy's numbers and arrays (which are copied: what the
    kernel writes is not seen; Module does that), or text as the command takes: "buffer:4096:iota"."""
    extents = {name: ",".join(str(part) for part in value) if isinstance(value, (list, tuple)) else str(value) for name, value in (("grid", grid), ("block", block))}
    with _CommandLine("launch") as line:
        line.add(cubin=cubin, kernel=kernel, platform=platform, conflicts=conflicts, **extents, **options)
        for value in args:
            line.words += ["--arg", _spelled_argument(line, value)]
        status, document, _, printed = line.run()
    return ConflictResult(document, status, printed) if conflicts else RunResult(document, status, printed)


def estimate(workload: str, *, n: Union[int, str, None] = None, variant: Optional[str] = None, **options: Any) -> EstimateResult:
    """`sassafras estimate`: SPT's prediction, term by term. `n` may be a series, "2^10..2^28"; model="all" adds the rivals."""
    with _CommandLine("estimate", workload) as line:
        line.add(n=n, variant=variant, **options)
        status, document, _, printed = line.run()
    return EstimateResult(document, status, printed)


def validate(*workloads: str, platform: Union[PlatformLike, Sequence[PlatformLike]] = "h200", **options: Any) -> ValidateResult:
    """`sassafras validate`: estimates, simulation and what hardware took, side by side."""
    with _CommandLine("validate", *workloads) as line:
        line.add(platform=platform, **options)
        status, document, _, printed = line.run()
    return ValidateResult(document, status, printed)


def _case(command: str, workload: str, output: Union[str, "os.PathLike[str]", None], options: dict[str, Any]) -> CaseResult:
    import numpy

    with _CommandLine(command, workload) as line:
        path = os.fspath(output) if output is not None else line.file("numbers.npy")
        line.add(output=path, **options)
        _, _, text, printed = line.run()
        numbers = numpy.load(path) if path.endswith(".npy") else numpy.fromfile(path, dtype=options.get("input_type", "<u4"))
    return CaseResult(text, numbers, None if output is None else path, printed)


def worst_case(workload: str, *, output: Union[str, "os.PathLike[str]", None] = None, **options: Any) -> CaseResult:
    """`sassafras worst-case`: the input that costs a workload most, by construction, or by a search for a metric. Its
    `numbers` are what run(input=...) takes; `output` names a file that they are saved to."""
    return _case("worst-case", workload, output, options)


def best_case(workload: str, *, output: Union[str, "os.PathLike[str]", None] = None, **options: Any) -> CaseResult:
    """`sassafras best-case`, as worst_case."""
    return _case("best-case", workload, output, options)
