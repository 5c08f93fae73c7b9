"""Rows of a result as NumPy's structured arrays and as pandas' frames."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterable, Mapping, Sequence

if TYPE_CHECKING:
    import numpy
    import pandas

Row = Mapping[str, Any]


def flat(row: Row) -> dict[str, Any]:
    """The row's numbers, texts and truth values; a triple (a grid) is three columns; what else is nested is left out."""
    columns: dict[str, Any] = {}
    for name, value in row.items():
        if value is None or isinstance(value, (bool, int, float, str)):
            columns[name] = value
        elif isinstance(value, list) and len(value) == 3 and all(isinstance(part, int) for part in value):
            columns.update({f"{name}_{axis}": part for axis, part in zip("xyz", value)})
    return columns


def _type_of(values: Sequence[Any]) -> str:
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, bool) for value in known) and len(known) == len(values):
        return "?"
    if known and all(isinstance(value, str) for value in known):
        return f"U{max(1, *(len(value) for value in known))}"
    if len(known) == len(values) and all(isinstance(value, int) for value in known):
        return "i8"
    return "f8"


def to_numpy(rows: Iterable[Row]) -> "numpy.ndarray[Any, Any]":
    """A structured array with a field a column. Where a row lacks a number it is nan; where it lacks a text, empty."""
    import numpy

    listed = [flat(row) for row in rows]
    names = list(dict.fromkeys(name for row in listed for name in row))
    types = {name: _type_of([row.get(name) for row in listed]) for name in names}

    def cell(row: dict[str, Any], name: str) -> Any:
        value = row.get(name)
        if value is None:
            return "" if types[name].startswith("U") else float("nan")
        return value

    return numpy.array([tuple(cell(row, name) for name in names) for row in listed], dtype=list(types.items()))


def to_pandas(rows: Iterable[Row]) -> "pandas.DataFrame":
    """A frame with a column for each of the rows' values. pandas is needed for this only."""
    try:
        import pandas
    except ImportError as missing:
        from .errors import BadInput

        raise BadInput("pandas is not installed", remedy="install python3-pandas, or use to_numpy()") from missing
    return pandas.DataFrame([flat(row) for row in rows])
