"""The C++ part of the package; the rest is built on it, and users need not know it."""

from typing import Any, Sequence

version: str

def run_command(words: Sequence[str]) -> tuple[int, str, str, str]:
    """A command line: its exit status, its result as JSON or else as text, and what was said beside that."""

def platform_names() -> list[str]: ...
def load_platform(name_or_path: str) -> tuple[str, str]:
    """The whole platform as JSON, and its hash."""

def parse_platform(text: str, origin: str) -> tuple[str, str]: ...
def metric_rows() -> list[tuple[str, str, str]]:
    """Of each metric its name, unit and meaning."""

def total_of_launches(launches: Sequence[dict[str, float]]) -> dict[str, float]: ...
def kernels_of(cubin: bytes, origin: str) -> list[tuple[str, str, list[int]]]:
    """Of each kernel its name, the same for people, and the sizes of its parameters in bytes."""

class Launched:
    printed: str
    def json(self, with_source: bool) -> str: ...
    def findings_json(self) -> str: ...

class Gpu:
    def __init__(
        self,
        platform: str,
        origin: str,
        has_time: bool,
        threads: int,
        cold_caches: bool,
        check: bool,
        sample: bool,
        instruction_limit: int,
    ) -> None: ...
    def load_module(self, cubin: bytes, origin: str) -> int: ...
    def launch(
        self,
        module: int,
        kernel: str,
        grid: tuple[int, int, int],
        block: tuple[int, int, int],
        shared: int,
        cooperative: bool,
        values: list[Any],
    ) -> Launched: ...
