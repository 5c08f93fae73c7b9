"""Kernels, launched from Python on a modelled GPU."""

from __future__ import annotations

import json
import os
import struct
from collections.abc import Sequence
from typing import Any, Iterator, Optional, Union

from . import _core
from .compiler import compile_source
from .errors import BadInput, Error
from .platforms import Platform, PlatformLike
from .results import KernelLaunch

Extents = Union[int, Sequence[int]]


class Gpu:
    """A modelled GPU with its memory, on which modules run.

    - `platform`: a name, a file, or a `Platform`.
    - `device`: `"simulated"` has time; `"functional"` counts what needs none, and is quicker.
    - `threads`: 1 to 1024, for timing; results do not depend on it.
    - `cache_control`: `"all"` empties the caches before each launch; with `"none"` a launch finds what the one before left.
      Modules that share a GPU see each other's launches in that.
    - `check`: look for races, illegal accesses and missed barriers (`findings` of a launch). `sample`: time some waves only.
    - `instruction_limit`: instructions that a warp may run before its kernel counts as a runaway; 0 is no limit.

    Raises `BadInput` for other values."""

    def __init__(
        self,
        platform: PlatformLike = "h200",
        *,
        device: str = "simulated",
        threads: int = 1,
        cache_control: str = "all",
        check: bool = False,
        sample: bool = False,
        instruction_limit: int = 100_000_000,
    ) -> None:
        if device not in ("simulated", "functional"):
            raise BadInput(f"there is no device {device!r}", "device", "choose simulated or functional")
        if cache_control not in ("all", "none"):
            raise BadInput(f"there is no cache control {cache_control!r}", "cache_control", "choose all or none")
        if sample and device != "simulated":
            raise BadInput("only time is sampled, and only a simulated device has it", "sample", "choose device='simulated'")
        if not 1 <= threads <= 1024:
            raise BadInput(f"{threads} threads cannot simulate", "threads", "give 1 to 1024")
        self.platform = Platform(platform)
        self._core = _core.Gpu(
            self.platform.to_json(), self.platform.name, device == "simulated", threads, cache_control == "all", check, sample, instruction_limit
        )

    def __repr__(self) -> str:
        return f"<GPU: {self.platform!r}>"


class Kernel:
    """A kernel of a module: `kernel(grid, block, *arguments)` launches it and gives what it did, a `KernelLaunch`. `name` is its
    mangled name, `demangled` that for people, `sizes` those of its parameters in bytes.

    - An array is passed as a pointer to its own memory, which the kernel reads and writes: nothing is copied, and the launch
      has ended when the call has. It must be C-contiguous and writeable, of numbers in this machine's order of bytes, without
      a mask.
    - A number takes the size of its parameter: `3.0` is a float of 2, 4 or 8 bytes, `3` an integer. A cubin does not say types,
      so that `3` for a float goes unnoticed: write `3.0`.
    - A number of NumPy, and `bytes` (a structure), have a size of their own, which must be the parameter's. `None` is a null
      pointer."""

    def __init__(self, module: "Module", name: str, demangled: str, sizes: Sequence[int]) -> None:
        self.module = module
        self.name = name
        self.demangled = demangled

        self.sizes = tuple(sizes)

    def __call__(self, grid: Extents, block: Extents, *arguments: Any, shared: int = 0, cooperative: bool = False, source: bool = False) -> "Launched":
        """`grid`, `block`: a number, or up to three. `shared`: bytes of dynamic shared memory; `cooperative`: all blocks may wait
        for one another; `source`: the result has a row an instruction.

        Raises `BadInput` if arguments do not fit the parameters, `CheckFailed` if the kernel faults (its class is
        `error.fault`), `NotModelled` for an instruction that is not modelled.

        >>> module = sassafras.Module.from_cubin("tests/fixtures/faults/faults.cubin")
        >>> x, y = numpy.arange(512, dtype="f4"), numpy.zeros(512, "f4")
        >>> module.saxpy(4, 128, y, x, 2.0, 1.0, 512)
        <launch of saxpy, grid (4, 1, 1), block (128, 1, 1), 4,302 cycles>
        >>> bool((y == 2 * x + 1).all())
        True
        """
        if len(arguments) != len(self.sizes):
            raise BadInput(f"{self.demangled} has {len(self.sizes)} parameters, and {len(arguments)} arguments are given", self.name, f"their sizes in bytes: {self.sizes}")
        values = [self._value(i, value) for i, value in enumerate(arguments)]
        core = self.module.gpu._core.launch(self.module._index, self.name, _extents(grid), _extents(block), shared, cooperative, values)
        return Launched(core, source)

    def _refuse(self, index: int, what: str, remedy: str) -> Error:
        return BadInput(f"argument {index} {what}", f"{self.demangled}, parameter {index} of {self.sizes[index]} bytes", remedy)

    def _value(self, index: int, value: Any) -> Any:
        size = self.sizes[index]
        if hasattr(value, "__array_interface__"):
            return self._array(index, value)
        if value is None:
            value = 0
        if isinstance(value, (bytes, bytearray)):
            return self._bytes(index, value)
        if isinstance(value, float):
            if size not in (2, 4, 8):
                raise self._refuse(index, "is a float", "give bytes of the parameter's size")
            try:
                return struct.pack({2: "<e", 4: "<f", 8: "<d"}[size], value)
            except OverflowError:
                raise self._refuse(index, f"is {value}, which is too large", "give numpy.float32(inf) if that is meant") from None
        if isinstance(value, int):
            try:
                return value.to_bytes(size, "little", signed=value < 0)
            except OverflowError:
                raise self._refuse(index, f"is {value}, which does not fit", "give a smaller number") from None
        raise self._refuse(index, f"is a {type(value).__name__}", "give an array of NumPy, a number or bytes")

    def _bytes(self, index: int, value: Union[bytes, bytearray], kind: str = "") -> bytes:
        size = self.sizes[index]
        if len(value) == size:
            return bytes(value)
        is_number = size in ((2, 4, 8) if kind == "float" else (1, 2, 4, 8)) and kind != ""
        remedy = f"give a number of the parameter's size, as numpy.{kind}{8 * size}(3)" if is_number else f"give bytes of the parameter's size, {size}"
        raise self._refuse(index, f"has {len(value)} bytes", remedy)

    def _array(self, index: int, array: Any) -> Any:
        """Of an array, which is passed as a pointer, or of a number of NumPy, whose bytes are."""
        import numpy

        if not isinstance(array, (numpy.ndarray, numpy.generic)):
            raise self._refuse(index, f"is a {type(array).__name__}", "pass numpy.asarray(it)")
        if isinstance(array, numpy.ma.MaskedArray):
            raise self._refuse(index, "has a mask, which a kernel does not see", "pass its .data, or .filled()")
        if array.dtype.hasobject:
            raise self._refuse(index, "is an array of Python's objects", "give it a type of numbers")
        if array.dtype.kind in "US":
            raise self._refuse(index, "is text", "pass its characters as numbers: .view(numpy.uint8), or uint32 of str")
        if not array.dtype.isnative:
            raise self._refuse(index, "has its bytes in an order that the GPU does not read", 'pass array.astype(array.dtype.newbyteorder("=")), a copy')
        if array.ndim == 0:
            return self._bytes(index, array.tobytes(), {"f": "float", "i": "int", "u": "uint"}.get(array.dtype.kind, ""))
        if self.sizes[index] != 8:
            raise self._refuse(index, "is an array", "a pointer has 8 bytes: is this the right parameter?")
        flags = array.flags
        if not flags.c_contiguous:
            raise self._refuse(index, "is an array whose elements do not lie one behind the other", "pass numpy.ascontiguousarray(array), a copy")
        if not flags.writeable:
            raise self._refuse(index, "is an array that may not be written to, and kernels may", "pass array.copy()")
        return array.view("u1") if array.dtype.kind in "mM" else array

    def __repr__(self) -> str:
        return f"<kernel {self.demangled}, parameters of {', '.join(map(str, self.sizes))} bytes>"


class Launched(KernelLaunch):
    """What a launch did; it is computed when it is first looked at, so that a launch itself costs little."""

    def __init__(self, core: _core.Launched, with_source: bool) -> None:
        self._core = core
        self._with_source = with_source
        self._json: Optional[dict[str, Any]] = None
        self.printed = core.printed

    @property
    def json(self) -> dict[str, Any]:  # type: ignore[override]
        if self._json is None:
            self._json = json.loads(self._core.json(self._with_source))
        return self._json

    @property
    def findings(self) -> list[dict[str, Any]]:  # type: ignore[override]
        return json.loads(self._core.findings_json())  # type: ignore[no-any-return]

    def __reduce__(self) -> Any:
        """To pickle: what it says, without what of C++ says it."""
        return KernelLaunch, (self.json, self.printed, self.findings)


class Module:
    """The kernels of a cubin on a GPU: `module.saxpy(grid, block, x, y, 3.0)`. A kernel is found by its mangled name, or by its
    plain one if only one has it. Iterating gives all kernels. Without `gpu` it has one of its own, of `platform`.

    Raises `BadInput` if the bytes are no cubin, or of an architecture that the GPU does not run."""

    def __init__(self, cubin: bytes, origin: str = "cubin", *, gpu: Optional[Gpu] = None, platform: PlatformLike = "h200") -> None:
        self.gpu = gpu if gpu is not None else Gpu(platform)
        self.cubin = cubin
        self._kernels = {name: Kernel(self, name, demangled, sizes) for name, demangled, sizes in _core.kernels_of(cubin, origin)}
        self._index = self.gpu._core.load_module(cubin, origin)

    @classmethod
    def from_cubin(cls, cubin: Union[str, "os.PathLike[str]", bytes], *, gpu: Optional[Gpu] = None, platform: PlatformLike = "h200") -> "Module":
        """From a file or from its bytes, as `nvcc -cubin` makes it. Raises `BadInput`.

        >>> [kernel.name for kernel in sassafras.Module.from_cubin("tests/fixtures/conflicts.cubin")]
        ['add', 'gather', 'strided', 'wide']
        """
        if isinstance(cubin, (bytes, bytearray)):
            return cls(bytes(cubin), gpu=gpu, platform=platform)
        path = os.fspath(cubin)
        try:
            with open(path, "rb") as file:
                return cls(file.read(), path, gpu=gpu, platform=platform)
        except OSError as error:
            raise BadInput(f"the cubin cannot be read: {error.strerror}", path, "check its path") from error

    @classmethod
    def from_source(
        cls, source: str, arch: Optional[str] = None, *, options: Sequence[str] = (), gpu: Optional[Gpu] = None, platform: PlatformLike = "h200"
    ) -> "Module":
        """From CUDA C++, by `compile_source`, for the GPU's architecture (`sm_90` of an H200) or another that it runs. `extern
        "C"` gives kernels plain names. Raises as `compile_source`."""
        gpu = gpu if gpu is not None else Gpu(platform)
        own = gpu.platform.gpu
        arch = arch or f"sm_{own.compute_capability_major}{own.compute_capability_minor}"
        return cls(compile_source(source, arch, options), "source.cu", gpu=gpu)

    def get(self, name: str) -> Kernel:
        """The kernel of this name, also of one that is no name of Python's. Raises `BadInput` if none has it, or several."""
        if name in self._kernels:
            return self._kernels[name]
        alike = [kernel for kernel in self if kernel.demangled.split("(")[0].split("<")[0].split(" ")[-1] == name]
        if len(alike) == 1:
            return alike[0]
        raise BadInput(
            f"{len(alike)} kernels are called {name}" if alike else f"there is no kernel {name}", name, f"choose one of {', '.join(self._kernels)}"
        )

    def __getattr__(self, name: str) -> Kernel:
        if name.startswith("__") or "_kernels" not in self.__dict__:
            raise AttributeError(name)
        try:
            return self.get(name)
        except BadInput as error:
            raise AttributeError(str(error)) from None

    def __iter__(self) -> Iterator[Kernel]:
        return iter(self._kernels.values())

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._kernels]

    def __repr__(self) -> str:
        return f"<module of {', '.join(self._kernels)}>"


def _extents(value: Extents) -> tuple[int, int, int]:
    given: list[Any] = list(value) if isinstance(value, Sequence) else [value]
    parts = [_whole(part) for part in given]
    if not 1 <= len(parts) <= 3 or not all(0 < part < 2**32 for part in parts):
        raise BadInput(f"{value!r} is no size of a grid or a block", "", "give a whole number, or up to three of them, from 1 on; -(-n // 256) rounds n / 256 up")
    x, y, z = (*parts, 1, 1)[:3]
    return x, y, z


def _whole(part: Any) -> int:
    """0, which is no extent, for what is no whole number: nothing is rounded, as that would leave out blocks."""
    try:
        return int(part) if int(part) == part else 0
    except (TypeError, ValueError, OverflowError):
        return 0
