"""Sassafras: real GPU machine code on a modelled GPU, cycle by cycle. docs/python.md says how to use it."""

from ._core import version as __version__
from .commands import best_case, command, conflicts, estimate, exec, launch, run, validate, worst_case
from .compiler import compile_source
from .errors import BadInput, CheckFailed, Error, NotModelled
from .modules import Gpu, Kernel, Module
from .platforms import Platform, platform_names
from .results import CaseResult, ConflictResult, EstimateResult, KernelLaunch, Result, RunResult, ValidateResult
from .sweeps import Sweep, sweep

__all__ = [
    "BadInput",
    "CaseResult",
    "CheckFailed",
    "ConflictResult",
    "Error",
    "EstimateResult",
    "Gpu",
    "Kernel",
    "KernelLaunch",
    "Module",
    "NotModelled",
    "Platform",
    "Result",
    "RunResult",
    "Sweep",
    "ValidateResult",
    "best_case",
    "command",
    "compile_source",
    "conflicts",
    "estimate",
    "exec",
    "launch",
    "platform_names",
    "run",
    "sweep",
    "validate",
    "worst_case",
]
