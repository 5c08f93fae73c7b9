"""GPUs that exist, and others that are changed from them."""

from __future__ import annotations

import copy
import json
import os
from typing import Any, Iterator, Union

from . import _core
from .errors import BadInput

PARAMETER = frozenset(("value", "provenance", "source"))


def platform_names() -> list[str]:
    """Names of the platforms that are built in.

    >>> sassafras.platform_names()[:3]
    ['a100', 'algoparc', 'c2050']
    """
    return _core.platform_names()


class Group:
    """A group of parameters: `platform.l2.bytes`. Reading gives values; writing checks the whole platform, and changes
    nothing if that is refused. Several that only fit together are changed by `platform.change`."""

    def __init__(self, platform: "Platform", path: tuple[str, ...]) -> None:
        object.__setattr__(self, "_platform", platform)
        object.__setattr__(self, "_path", path)

    def _members(self) -> dict[str, Any]:
        found = self._platform._document
        for name in self._path:
            found = found[name]
        return found  # type: ignore[no-any-return]

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):  # of Python's own protocols, some before there is a platform
            raise AttributeError(name)
        members = self._members()
        if name not in members:
            raise AttributeError(f"{'.'.join(self._path)} has no parameter {name!r}; it has {', '.join(members)}")
        member = members[name]
        return copy.copy(member["value"]) if "value" in member else Group(self._platform, self._path + (name,))

    def __setattr__(self, name: str, value: Any) -> None:
        self._platform.change({".".join(self._path + (name,)): value})

    def __dir__(self) -> list[str]:
        return list(self._members())

    def __iter__(self) -> Iterator[str]:
        return iter(self._members())

    def __repr__(self) -> str:
        inside = ", ".join(f"{name}={getattr(self, name)!r}" for name in self)
        return f"<{'.'.join(self._path)}: {inside}>"


class Platform:
    """A modelled GPU: a name, a file's path, or another `Platform`, whose copy it is. Every function that takes `platform=` takes
    one. Parameters are attributes of groups; `dir(platform)` and `dir(platform.l2)` list them, units are in their names.
    Reading gives values; writing checks the whole platform, and changes nothing if that is refused (`BadInput`).

    >>> half = sassafras.Platform("h200", name="half")
    >>> half.gpu.sm_count, half.l2.bytes
    (132, 62914560)
    >>> half.gpu.sm_count = 66
    >>> half.gpu.sm_count, sassafras.Platform("h200").gpu.sm_count
    (66, 132)
    """

    _document: dict[str, Any]
    _hash: str

    def __init__(self, base: Union[str, "os.PathLike[str]", "Platform"] = "h200", name: str = "") -> None:
        text, found = (base.to_json(), base.hash) if isinstance(base, Platform) else _core.load_platform(os.fspath(base))
        object.__setattr__(self, "_document", json.loads(text))
        object.__setattr__(self, "_hash", found)
        if name:
            self.name = name

    @classmethod
    def from_json(cls, text: str) -> "Platform":
        """From the text of a platform's file; a base that is a path is looked for in the current folder. Raises `BadInput`, with
        the place in the text as a JSON pointer."""
        made = cls.__new__(cls)
        made._take(*_core.parse_platform(text, "platform.json"))
        return made

    def _take(self, text: str, found: str) -> None:
        object.__setattr__(self, "_document", json.loads(text))
        object.__setattr__(self, "_hash", found)

    @property
    def name(self) -> str:
        """What results call it; it can be set."""
        return str(self._document["name"])

    @name.setter
    def name(self, name: str) -> None:
        self._take(*_core.parse_platform(json.dumps(self._document | {"name": name}), name))

    @property
    def hash(self) -> str:
        """Names what the parameters that decide results are: equal for equal ones, whatever the platform is called."""
        return self._hash

    def change(self, parameters: dict[str, Any]) -> "Platform":
        """Several parameters at once, those that only fit together. All or none are changed; gives the platform itself. Raises
        `BadInput`.

        >>> sassafras.Platform("h200").change({"gpu.sm_count": 66, "l2.slices": 46, "dram.channels": 46}).l2.slices
        46
        """
        document = copy.deepcopy(self._document)
        for path, value in parameters.items():
            *groups, last = path.split(".")
            members = document
            for group in groups:
                members = members.get(group, {})
            if not isinstance(members.get(last), dict) or "value" not in members[last]:
                raise BadInput(f"a platform has no parameter {path}", path, "dir(platform) and dir(platform.l2) list what there is")
            # NumPy's numbers are no JSON.
            members[last] = {"value": getattr(value, "item", lambda: value)(), "provenance": "assumed", "source": "set in Python"}
        self._take(*_core.parse_platform(json.dumps(document), self.name))
        return self

    def to_json(self) -> str:
        """The text of a platform's file, which `--platform` takes, too."""
        return json.dumps(self._document, indent=2) + "\n"

    def __getattr__(self, name: str) -> Group:
        if name.startswith("_"):  # of Python's own protocols, some before there is a document
            raise AttributeError(name)
        if name not in self._document:
            raise AttributeError(f"a platform has no group {name!r}; it has {', '.join(dir(self))}")
        return Group(self, (name,))

    def __setattr__(self, name: str, value: Any) -> None:
        if name != "name":
            raise BadInput(f"a platform's parameters are in groups, and {name} is none of them", name, "as in platform.gpu.sm_count = 66")
        object.__setattr__(self, name, value)

    def __dir__(self) -> list[str]:
        return [name for name in self._document if name != "name"]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Platform) and self._document == other._document

    def __hash__(self) -> int:
        return hash(self._hash)

    def __deepcopy__(self, memo: Any) -> "Platform":
        return Platform(self)

    def __repr__(self) -> str:
        return f"<platform {self.name}: {self.gpu.sm_count} SMs, {self.hash}>"


PlatformLike = Union[str, "os.PathLike[str]", Platform]
