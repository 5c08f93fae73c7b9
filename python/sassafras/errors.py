"""What goes wrong, as exceptions: each says what is wrong, where, and what can be done about it."""

from __future__ import annotations

import json
from typing import Any, Optional


class Error(Exception):
    """What all errors are. `str()` has what, where and remedy.

    - `what` is wrong; `where` (a file, a JSON pointer, a kernel and its instruction); the `remedy`. The latter two may be
      empty.
    - `fault` names what stopped a kernel, as `"illegal_address"` or `"runaway"`; else it is empty.
    - `result`: what there is of a result (JSON), or `None`. `printed`: what kernels printed, and what was said beside it.
    - `exit_status`: what the command line would end with.

    >>> try:
    ...     sassafras.run("merge", n=-1)
    ... except sassafras.BadInput as error:
    ...     print(error)
    --n: "-1" is no whole number; give 0 or more; see sassafras run --help
    """

    exit_status = 2

    def __init__(self, what: str, where: str = "", remedy: str = "", fault: str = "", result: Any = None, printed: str = "") -> None:
        super().__init__(what)
        self.what = what
        self.where = where
        self.remedy = remedy
        self.fault = fault
        self.result = result
        self.printed = printed

    def __str__(self) -> str:
        where = f" [{self.where}]" if self.where else ""
        return self.what + where + (f"; {self.remedy}" if self.remedy else "")


class CheckFailed(Error):
    """A result is wrong, a kernel faulted, or a check fell short. `exit_status` is 1."""

    exit_status = 1


class BadInput(Error, ValueError):
    """Bad usage, or bad input; a `ValueError`, too. `exit_status` is 2."""

    exit_status = 2


class NotModelled(Error, NotImplementedError):
    """The program needs something that the simulator does not model; a `NotImplementedError`, too. `exit_status` is 3."""

    exit_status = 3


KINDS = {kind.exit_status: kind for kind in (CheckFailed, BadInput, NotModelled)}


def from_core(kind: int, what: str, where: str, remedy: str, fault: str, result_json: str, printed: str) -> Error:
    """Called by the C++ part."""
    result: Optional[Any] = json.loads(result_json) if result_json else None
    return KINDS.get(kind, Error)(what, where, remedy, fault, result, printed)
