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
    """A modelled GPU with its memory. device="simulated" has time, "functional" counts what needs none, and is quicker.
    With cache_control="none" a launch finds in the caches what the one before left. Modules that share one see each
    other's launches in that."""

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
    """A kernel of a module: `kernel(grid, block, *arguments)` launches it and gives what it did.

    An array is passed as a pointer to its own memory, which the kernel reads and writes: nothing is copied, and the launch
    has ended when the call has. A number takes the size of its parameter: 3.0 is a float of 2, 4 or 8 bytes, 3 an integer;
    NumPy's numbers and bytes (of a structure) have a size of their own, which must be the parameter's. None is a null
    pointer. A kernel's parameters have no types in a cubin, so that 3 for a float goes unnoticed: write 3.0."""

    def __init__(self, module: "Module", name: str, demangled: str, sizes: Sequence[int]) -> None:
        self.module = module
        self.name = name
        self.demangled = demangled
        #: Of the parameters, in bytes.
        self.sizes = tuple(sizes)

    def __call__(self, grid: Extents, block: Extents, *arguments: Any, shared: int = 0, cooperative: bool = False, source: bool = False) -> "Launched":
        """`shared`: bytes of dynamic shared memory; `cooperative`: all blocks may wait for one another; `source`: the result
        has a row an instruction."""
        if len(arguments) != len(self.sizes):
            raise BadInput(f"{self.demangled} has {len(self.sizes)} parameters, and {len(arguments)} arguments are given", self.name, f"their sizes in bytes: {self.sizes}")
        values = [self._value(i, value) for i, value in enumerate(arguments)]
        core = self.module.gpu._core.launch(self.module._index, self.name, _extents(grid), _extents(block), shared, cooperative, values)
        return Launched(core, source)

    def _refuse(self, index: int, what: str, remedy: str) -> Error:
        return BadInput(f"argument {index} {what}", f"{self.demangled}, parameter {index} of {self.sizes[index]} bytes", remedy)

    def _value(self, index: int, value: Any) -> Any:
        size = self.sizes[index]
        interface = getattr(value, "__array_interface__", None)
        if interface is not None and getattr(value, "ndim", 1) > 0:
            return self._array(index, value)
        if value is None:
            value = 0
        if hasattr(value, "tobytes"):
            value = value.tobytes()
        if isinstance(value, (bytes, bytearray)):
            if len(value) != size:
                raise self._refuse(index, f"has {len(value)} bytes", "give a number of the parameter's size, as numpy.float64(3)")
            return bytes(value)
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
        raise self._refuse(index, f"is a {type(value).__name__}", "give an array, a number or bytes")

    def _array(self, index: int, array: Any) -> Any:
        if self.sizes[index] != 8:
            raise self._refuse(index, "is an array", "a pointer has 8 bytes: is this the right parameter?")
        flags = array.flags
        if not flags.c_contiguous:
            raise self._refuse(index, "is an array whose elements do not lie one behind the other", "pass numpy.ascontiguousarray(array), a copy")
        if not flags.writeable:
            raise self._refuse(index, "is an array that may not be written to, and kernels may", "pass array.copy()")
        if array.dtype.hasobject:
            raise self._refuse(index, "is an array of Python's objects", "give it a type of numbers")
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
    """The kernels of a cubin on a GPU: `module.saxpy(grid, block, x, y, 3.0)`, or get("saxpy") for names that are no
    Python. A kernel is found by its mangled name, or by its own if only one has it."""

    def __init__(self, cubin: bytes, origin: str = "cubin", *, gpu: Optional[Gpu] = None, platform: PlatformLike = "h200") -> None:
        self.gpu = gpu if gpu is not None else Gpu(platform)
        self.cubin = cubin
        self._kernels = {name: Kernel(self, name, demangled, sizes) for name, demangled, sizes in _core.kernels_of(cubin, origin)}
        self._index = self.gpu._core.load_module(cubin, origin)

    @classmethod
    def from_cubin(cls, cubin: Union[str, "os.PathLike[str]", bytes], *, gpu: Optional[Gpu] = None, platform: PlatformLike = "h200") -> "Module":
        """From a file or from its bytes, as `nvcc -cubin` makes it."""
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
        """From CUDA C++, by NVRTC or nvcc (compiler.compile_source), for the GPU's architecture (sm_90 of an H200) or another
        that it runs. extern "C" gives kernels plain names."""
        gpu = gpu if gpu is not None else Gpu(platform)
        own = gpu.platform.gpu
        arch = arch or f"sm_{own.compute_capability_major}{own.compute_capability_minor}"
        return cls(compile_source(source, arch, options), "source.cu", gpu=gpu)

    def get(self, name: str) -> Kernel:
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
    parts: list[Any] = list(value) if isinstance(value, Sequence) else [value]
    if not 1 <= len(parts) <= 3 or not all(0 < int(part) < 2**32 for part in parts):
        raise BadInput(f"{value!r} is no size of a grid or a block", "", "give a number, or up to three of them, from 1 on")
    x, y, z = (*(int(part) for part in parts), 1, 1)[:3]
    return x, y, z
