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


NUMBERS = frozenset(("n", "seed", "threads", "banks", "bank_width", "evaluations", "minutes", "instruction_limit", "E", "b"))


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
            if name in ("help", "version", "h"):
                raise BadInput(f"{name} computes nothing", name, "help(sassafras) says what functions take; sassafras.__version__ is the version")
            if value is True and name in NUMBERS:
                raise BadInput("True is no number", name, "give a number")
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
    """Any command that has `--json`, with its words and its options as keywords.

    - An option is spelled as the command line has it, with `_` for `-`; `True` is a flag, a list is an option given several
      times, `None` and `False` leave it out.
    - A `Platform` and an array of NumPy stand for the file that the command would read.

    Raises `BadInput` for what the command refuses, `CheckFailed` if a kernel faults, `NotModelled` for an instruction that is
    not.

    >>> sassafras.command("diagnose", "sort", n=4096).kernels[0]["verdict"]["bound"]
    'latency'
    """
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
    """`sassafras run`: a workload on a device, and its result checked against a CPU reference.

    - `n`: the size that `sassafras list` names first, in keys, queries, points or rows.
    - `input`: a kind (`"random"`, `"sorted"`), a file, or an array: one dimension, of the type that `sassafras list` says
      (`uint32` keys, `float32` matrices).
    - `platform`: a name, a file, or a `Platform`. `device`: `"simulated"` (with cycles), `"functional"` (counts alone, quicker)
      or `"cuda"`.
    - `threads`: that simulate; results do not depend on it. `seed`: of whatever is random.
    - `check`: look for races and illegal accesses; `sample`: time some waves only; `source`: each launch has a row an
      instruction.
    - Other options are the command's, or the workload's parameters.

    The result has `.cycles` (of the SMs' clock), `.time_ns`, `.metrics` and `.kernels`. Raises `CheckFailed` if the result is
    wrong or a kernel faults.

    >>> result = sassafras.run("merge", n=4096, variant="E8", device="functional")
    >>> result.verified, len(result.kernels), result.metrics["smsp__inst_executed.sum"]
    (True, 1, 5784.0)
    """
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
    """`sassafras conflicts`: the bank conflicts of a workload's shared-memory accesses, by kernel, phase, round and instruction.
    Options and parameters as of `run`; `banks` and `bank_width` (bytes) count for another memory.

    >>> counted = sassafras.conflicts("sort", variant="mgpu", E=16, b=128, n=16384, input="sorted")
    >>> counted.run["requests"], counted.run["wavefronts"], round(counted.run["beta"], 3)
    (14112, 128472, 9.104)
    """
    with _CommandLine("conflicts", workload) as line:
        line.add(n=n, variant=variant, input=input, platform=platform, **options)
        status, document, _, printed = line.run()
    return ConflictResult(document, status, printed)


@overload
def exec(program: Sequence[str], *, conflicts: "Literal[False]" = False, platform: PlatformLike = "h200", **options: Any) -> RunResult: ...
@overload
def exec(program: Sequence[str], *, conflicts: "Literal[True]", platform: PlatformLike = "h200", **options: Any) -> ConflictResult: ...
def exec(program: Sequence[str], *, conflicts: bool = False, platform: PlatformLike = "h200", **options: Any) -> Union[RunResult, ConflictResult]:
    """`sassafras exec`: a CUDA program, built with `nvcc -cudart shared`, on the modelled GPU, in a process of its own whose
    standard streams are this one's.

    - `program`: a list of its path and its arguments.
    - `conflicts`: count bank conflicts, without time, and give a `ConflictResult`.
    - Other options are the command's: `check`, `page`, `sample`.

    The result's `status` is the program's exit status."""
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
    """`sassafras launch`: one kernel of a cubin, once.

    - `grid`, `block`: a number, or up to three.
    - `args`: one for each parameter. A number of NumPy (its type is the parameter's), an array (which is copied: what the
      kernel writes is not seen, `Module` does that), or text as the command takes it: `"buffer:4096:iota"` is a buffer of 4096
      bytes that holds 0, 1, 2, ... in words of 32 bits.
    - `conflicts`: count bank conflicts, and give a `ConflictResult`.

    Raises `BadInput` if arguments do not fit the kernel's parameters, `CheckFailed` if it faults.

    >>> counted = sassafras.launch("tests/fixtures/conflicts.cubin", "strided", args=["buffer:128", numpy.uint32(8)], conflicts=True)
    >>> [(row["sass"], row["beta"]) for row in counted.instructions if row["beta"] > 1]
    [('LDS R5, [R0+UR4]', 8.0), ('LDS R4, [R4+UR4]', 8.0)]
    """
    extents = {name: ",".join(str(part) for part in value) if isinstance(value, (list, tuple)) else str(value) for name, value in (("grid", grid), ("block", block))}
    with _CommandLine("launch") as line:
        line.add(cubin=cubin, kernel=kernel, platform=platform, conflicts=conflicts, **extents, **options)
        for value in args:
            line.words += ["--arg", _spelled_argument(line, value)]
        status, document, _, printed = line.run()
    return ConflictResult(document, status, printed) if conflicts else RunResult(document, status, printed)


def estimate(workload: str, *, n: Union[int, str, None] = None, variant: Optional[str] = None, **options: Any) -> EstimateResult:
    """`sassafras estimate`: SPT's prediction of a workload's cycles, term by term.

    - `n` and parameters may be series, `"2^10..2^28"` or `"15,31"`: then the result has `.points`, one for each combination,
      and no `.cycles`.
    - `model="all"` adds the rivals; `counts="measured"` takes counts of a run in place of the formula's; `instance` names the
      machine.

    >>> estimate = sassafras.estimate("sort", variant="mgpu", n=491520, E=15, b=128)
    >>> round(estimate.cycles), estimate.to_numpy()["operation"][:3].tolist()
    (67157, ['g', 'g', 's'])
    """
    with _CommandLine("estimate", workload) as line:
        line.add(n=n, variant=variant, **options)
        status, document, _, printed = line.run()
    return EstimateResult(document, status, printed)


def validate(*workloads: str, platform: Union[PlatformLike, Sequence[PlatformLike]] = "h200", **options: Any) -> ValidateResult:
    """`sassafras validate`: estimates, simulation and what hardware took, side by side. Without workloads, all of them. A table
    has a row for each run and model: `cycles` (of the model), `simulated` and `measured`, all in cycles of the SMs; `nan` where
    there is none.

    >>> table = sassafras.validate("merge", variant="E15", n=65536).to_numpy()
    >>> table["model"][0].item(), table["measured"][0].item()
    ('spt-printed', 11700.5)
    """
    with _CommandLine("validate", *workloads) as line:
        line.add(platform=platform, **options)
        status, document, _, printed = line.run()
    return ValidateResult(document, status, printed)


def _case(command: str, workload: str, output: Union[str, "os.PathLike[str]", None], options: dict[str, Any]) -> CaseResult:
    import numpy

    with _CommandLine(command, workload) as line:
        path = os.fspath(output) if output is not None else line.file("numbers.npy")
        line.add(output=path, **options)
        _, document, text, printed = line.run()
        numbers = numpy.load(path) if path.endswith(".npy") else numpy.fromfile(path, dtype=options.get("input_type", "<u4"))
    return CaseResult(document, text, numbers, None if output is None else path, printed)


def worst_case(workload: str, *, output: Union[str, "os.PathLike[str]", None] = None, **options: Any) -> CaseResult:
    """`sassafras worst-case`: the input that costs a workload most, by construction where one is known; with `metric`, by a
    search.

    - `output`: a file (`.npy`, else raw) that the numbers are saved to.
    - Other options are the command's: `metric`, `evaluations`, `minutes`, `values`, and the workload's parameters.

    `.numbers` is an array of one dimension, which `run(input=...)` and `conflicts(input=...)` take.

    >>> worst = sassafras.worst_case("sort", variant="mgpu", E=15, b=128, n=7680)
    >>> worst.numbers.shape, worst.numbers.dtype
    ((7680,), dtype('uint32'))
    """
    return _case("worst-case", workload, output, options)


def best_case(workload: str, *, output: Union[str, "os.PathLike[str]", None] = None, **options: Any) -> CaseResult:
    """`sassafras best-case`: the input that costs a workload least; as `worst_case`."""
    return _case("best-case", workload, output, options)
