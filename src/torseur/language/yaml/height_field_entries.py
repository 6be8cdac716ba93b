"""The entry `height_field` of a solid that touches: its size, and heights inline or in a file."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.language.text.expression import Names
from torseur.language.text.height_files import read_heights
from torseur.language.text.place import Place
from torseur.language.yaml.fields import Fields, listed, number
from torseur.language.yaml.point_tables import TableFolder, tables_below
from torseur.language.yaml.source import Item
from torseur.model.checks.limits import LARGEST
from torseur.spatial.height_fields import HeightField
from torseur.words.sentence import say

Array = np.ndarray
KEYS = ("size", "heights", "file", "scale", "depth")
MOST_CORNERS = 500_000
_DEPTH = 0.1  # of the longer side: how far it reaches below its lowest corner
_EXAMPLE = "[[0, 0, 0.1], [0, 0, 0.2]]"


def read_height_field(item: Item, folder: TableFolder) -> HeightField:
    """A field such as `{size: [4, 3], heights: [[0, 0.1], [0, 0.2]]}`, all of it numbers."""
    fields, names = Fields(item, "a height field", KEYS), Names()
    if fields.required("size", "[4, 3]") is None:
        raise fields.faults.found[0]
    size: tuple[float, float] = fields.read("size", (1.0, 1.0), _size, names)
    file = fields.item("file")
    if (file is None) == (fields.item("heights") is None):
        problem = say("one of heights and file is expected.")
        raise item.fault(problem, say("Example: heights: {example}", _EXAMPLE))
    if file is None:
        heights = fields.read("heights", np.zeros((2, 2)), _rows, names)
    else:
        heights = fields.faults.attempt(np.zeros((2, 2)), _file_heights, file, folder)
    scale = fields.read("scale", 1.0, _value, names, "1")
    longer = _DEPTH * max(size)
    depth = fields.read("depth", longer, _positive, names)
    fields.faults.raised()
    return HeightField(size, _checked(heights * scale, item), depth)


def inline_heights(folder: Path, given: MutableMapping[str, Any]) -> None:
    """The heights of a file take the place of its name."""
    item = Item(Place(str(folder)), str(given.pop("file")))
    given["heights"] = _file_heights(item, tables_below(folder, None)).tolist()


def _file_heights(file: Item, folder: TableFolder) -> Array:
    return folder.read(file, lambda path: read_heights(path, str(file.place)))


def _value(item: Item, names: Names, unit: str) -> float:
    """A number; most are written as Python writes them."""
    try:
        return float(item.value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float(evaluate(number(item, names, unit), {}))


def _positive(item: Item, names: Names) -> float:
    value = _value(item, names, "m")
    if not 0 < value <= LARGEST:
        raise item.fault(say("{item} is no positive length.", item), "Example: 0.5")
    return value


def _size(item: Item, names: Names) -> tuple[float, float]:
    sides = listed(item, "lengths along x and y", 2)
    return _positive(sides[0], names), _positive(sides[1], names)


def _rows(item: Item, names: Names) -> Array:
    """Rows along x, from the lowest y to the highest."""
    rows = [[_value(x, names, "m") for x in listed(row, "a row")] for row in listed(item, "rows")]
    for row, part in zip(rows, listed(item, "rows"), strict=True):
        if len(row) != len(rows[0]):
            problem = say("{count} heights are expected in a row, not {n}.", len(rows[0]), len(row))
            raise part.fault(problem, "All rows have the same number of heights.")
    return np.array(rows, dtype=float)


def _checked(heights: Array, item: Item) -> Array:
    """Finite heights of a grid that is neither too small nor too large."""
    if heights.ndim != 2 or min(heights.shape) < 2:
        shape = " × ".join(map(str, heights.shape))
        problem = say("a height field has two rows and two columns at least, not {shape}.", shape)
        raise item.fault(problem, say("Example: heights: {example}", _EXAMPLE))
    if heights.size > MOST_CORNERS:
        problem = say(
            "a height field has {most} heights at most, not {n}.", MOST_CORNERS, heights.size
        )
        raise item.fault(problem, "Take every second one, or several fields side by side.")
    if not (np.abs(heights) <= LARGEST).all():
        raise item.fault("a height is not a finite number.", "Replace it by a number in metres.")
    return heights
