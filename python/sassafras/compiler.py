"""CUDA C++ to cubins: by NVRTC where its library is, else by nvcc."""

from __future__ import annotations

import ctypes
import glob
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Iterator, Optional, Sequence

from .errors import BadInput, NotModelled


def _toolkits() -> Iterator[str]:
    """Folders of CUDA toolkits, those that the user names first."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if os.environ.get(variable):
            yield os.environ[variable]
    nvcc = shutil.which("nvcc")
    if nvcc:
        yield os.path.dirname(os.path.dirname(os.path.realpath(nvcc)))
    yield "/usr/local/cuda"
    yield from sorted(glob.glob("/usr/local/cuda-*"), reverse=True)


def find_nvrtc() -> Optional[ctypes.CDLL]:
    """The loader's, a toolkit's, or the one of NVIDIA's packages for Python; None where there is none."""
    places = ["libnvrtc.so"]
    for toolkit in _toolkits():
        for folder in ("lib64", "lib", "targets/x86_64-linux/lib"):
            places += glob.glob(os.path.join(toolkit, folder, "libnvrtc.so*"))
    for folder in sys.path:
        places += glob.glob(os.path.join(folder, "nvidia", "*", "lib", "libnvrtc.so*"))
    for place in places:
        try:
            return ctypes.CDLL(place)
        except OSError:
            continue
    return None


def _compile_with_nvrtc(nvrtc: ctypes.CDLL, source: str, name: str, options: Sequence[str]) -> bytes:
    program = ctypes.c_void_p()

    def ask(function: str, size_function: str) -> bytes:
        size = ctypes.c_size_t()
        getattr(nvrtc, size_function)(program, ctypes.byref(size))
        text = ctypes.create_string_buffer(max(1, size.value))
        getattr(nvrtc, function)(program, text)
        return text.raw[: size.value]

    if nvrtc.nvrtcCreateProgram(ctypes.byref(program), source.encode(), name.encode(), 0, None, None) != 0:
        raise BadInput("NVRTC cannot take this source", name)
    try:
        words = [option.encode() for option in options]
        failed = nvrtc.nvrtcCompileProgram(program, len(words), (ctypes.c_char_p * len(words))(*words))
        if failed:
            log = ask("nvrtcGetProgramLog", "nvrtcGetProgramLogSize").rstrip(b"\0\n").decode(errors="replace")
            raise BadInput(f"NVRTC cannot compile the source:\n{log}", name, "")
        return ask("nvrtcGetCUBIN", "nvrtcGetCUBINSize")
    finally:
        nvrtc.nvrtcDestroyProgram(ctypes.byref(program))


def _compile_with_nvcc(nvcc: str, source: str, name: str, options: Sequence[str]) -> bytes:
    with tempfile.TemporaryDirectory(prefix="sassafras-") as folder:
        paths = os.path.join(folder, "source.cu"), os.path.join(folder, "code.cubin")
        with open(paths[0], "w", encoding="utf-8") as file:
            file.write(source)
        done = subprocess.run([nvcc, "-cubin", *options, "-o", paths[1], paths[0]], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        if done.returncode:
            raise BadInput(f"nvcc cannot compile the source:\n{done.stdout.replace(paths[0], name).rstrip()}", name, "")
        with open(paths[1], "rb") as code:
            return code.read()


def compile_source(source: str, arch: str = "sm_90", options: Sequence[str] = (), name: str = "source.cu") -> bytes:
    """A cubin's bytes out of CUDA C++, by NVRTC where its library is, else by nvcc.

    - `arch`: as nvcc's `-arch`. `options`: those that NVRTC and nvcc share, as `"-DN=3"`. `name`: what the compiler calls the
      source in its messages.

    Raises `BadInput` with the compiler's text, `NotModelled` if there is no compiler."""
    common = [f"-arch={arch}", "-std=c++17", "-lineinfo", *options]
    nvrtc = find_nvrtc()
    if nvrtc is not None and hasattr(nvrtc, "nvrtcGetCUBIN"):
        headers = [os.path.join(toolkit, "include") for toolkit in _toolkits()]
        return _compile_with_nvrtc(nvrtc, source, name, common + [f"-I{folder}" for folder in headers if os.path.isdir(folder)])
    for toolkit in _toolkits():
        nvcc = os.path.join(toolkit, "bin", "nvcc")
        if os.access(nvcc, os.X_OK):
            return _compile_with_nvcc(nvcc, source, name, common)
    raise NotModelled(
        "no compiler of CUDA is here: neither libnvrtc.so nor nvcc",
        name,
        "install NVIDIA's CUDA toolkit (its package cuda-nvrtc is enough) and set CUDA_HOME, or compile elsewhere and use Module.from_cubin",
    )
