"""The section `tables`: functions given by points, in the model or in a CSV file beside it.

The meshes of contacts, their entries `file` and `surface_file`, are in files there too.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, final

from torseur.algebra.core.graph import evaluate
from torseur.algebra.core.tabulated import BEYOND, ENDS, Slopes, Table, table
from torseur.errors import ModelError, suggestion
from torseur.language.text.expression import Names
from torseur.language.text.files import (
    beside,
    cell_number,
    filled_rows,
    head_unit,
    read_file,
    read_triangles,
    unit_size,
)
from torseur.language.text.literals import plain_unit
from torseur.language.text.measures import Expected, Measures, table_names
from torseur.language.text.place import Place
from torseur.language.yaml.fields import Faults, Fields, listed, number, read_parts, text
from torseur.language.yaml.parameter_entries import check_name
from torseur.language.yaml.source import Item
from torseur.language.yaml.translated_keys import english
from torseur.model.checks.limits import LARGEST_TABLE, MOST_CORNERS
from torseur.spatial.hulls import Triangles, is_flat
from torseur.words.sentence import say

KEYS = ("t", "x", "value", "file", "ends", "beyond")
Points = tuple[list[float], list[float]]
Folder = str | os.PathLike[str]
T = TypeVar("T")


@final
@dataclass(frozen=True)
class TableFolder:
    """Folder where the paths of tables start, and the folder that they may not leave."""

    start: Path
    inside: Path

    def path(self, item: Item) -> Path:
        """The path of a table; a ModelError if it is outside."""
        try:
            path = self.start / text(item)
            within = path.resolve().is_relative_to(self.inside.resolve())
        except (OSError, ValueError):
            raise item.fault(say("the file {item} does not exist.", item)) from None
        if not within:
            raise item.fault(
                say("the file {item} is outside the folder of the model.", item),
                "Put it beside the model, or allow its folder: load(…, tables=FOLDER), --tables "
                "FOLDER.",
            )
        return path

    def read(self, item: Item, reading: Callable[[Path], T]) -> T:
        """The result of reading a file; a missing one is reported with the most similar."""
        path = self.path(item)
        try:
            return reading(path)
        except FileNotFoundError:
            present = [p.name for p in beside(path) if p.is_file()]
            problem = say("the file {item} does not exist.", item)
            where = "A path is relative to the folder of the model."
            raise item.fault(problem, where, *suggestion(path.name, present)) from None


def tables_below(start: Path, allowed: Folder | None) -> TableFolder:
    """The folder of a model, with another folder that its tables may come from."""
    return TableFolder(start, start if allowed is None else Path(allowed))


def read_tables(
    item: Item | None,
    folder: TableFolder,
    faults: Faults,
    measures: Measures,
    parameters: Collection[str] = (),
) -> dict[str, Table]:
    """The tables of a model; CSV files are looked for from `folder`.

    A wrong table is replaced, so that expressions that call it can be read.
    """
    if item is None:
        return {}
    refused = {
        name: say('"{name}" is a parameter, but a table holds numbers only.', name)
        for name in parameters
    }
    declared = item.value if isinstance(item.value, Mapping) else {}
    tables = read_parts(item, faults, _table, folder, Names(refused=refused, measures=measures))
    return {name: tables.get(name) or table(say("none"), (0, 1), (0, 0)) for name in declared}


def _table(name: str, item: Item, folder: TableFolder, names: Names) -> Table:
    place = str(item.place)
    check_name(name, place)
    if name in names.refused:
        advice = say('Choose another one, for instance "{name}1".', name)
        raise ModelError(place, say('the name "{name}" is that of a parameter.', name), advice)
    fields = Fields(item, "a table", KEYS)
    ends = fields.read("ends", "natural", _ends, names)
    beyond = fields.read("beyond", None, _word, BEYOND)
    file = fields.item("file")
    if file is None:
        points = _points_in_model(name, fields, names)
    else:
        _alone(fields, file)
        points = fields.faults.attempt(([], []), _from_file, file, folder, name, names.measures)
    fields.faults.raised()
    return table(name, *points, ends, beyond, place=place)


def _ends(item: Item, names: Names) -> str | Slopes:
    """A condition at both ends, or the slopes there."""
    if isinstance(item.value, str):
        return _word(item, ENDS)
    first, last = (_value(x, names, None) for x in listed(item, "the slopes at both ends", 2))
    return first, last


def _word(item: Item, known: Collection[str]) -> str:
    """One of some words, in either language; the table itself refuses others."""
    return english(text(item), known)


def _points_in_model(name: str, fields: Fields, names: Names) -> Points:
    """The points of the model itself."""
    if fields.item("t") is not None and fields.item("x") is not None:
        problem = say(
            "arguments are given twice: {fields} and {fields2}.", fields.item("t"), fields.item("x")
        )
        fields.faults.add(fields.at.fault(problem, 'Keep one of "t" and "x".'))
    key = "x" if fields.item("x") is not None else "t"
    if key == "t":
        fields.required("t", "[0, 0.5, 1]")
    fields.required("value", "[0, 20 mm, 0]")
    argument, value = table_names(name)
    arguments: list[float] = fields.read(key, [], _values, names, argument)
    values: list[float] = fields.read("value", [], _values, names, value)
    return arguments, values


def _values(item: Item, names: Names, what: str) -> list[float]:
    faults = Faults()
    unit = names.measures.symbols.of_symbol(what) if names.measures else None
    values = [faults.attempt(0.0, _value, x, names, unit) for x in listed(item, "")]
    faults.raised()
    return values


def _value(item: Item, names: Names, expected: Expected) -> float:
    """A number; most are written as Python writes them."""
    try:
        return float(item.value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return float(evaluate(number(item, names, expected), {}))


def _alone(fields: Fields, file: Item) -> None:
    """A table that is in a file is not in the model too."""
    for key in ("t", "x", "value"):
        if fields.item(key) is not None:
            problem = say('the points are given twice: the file {file} and "{key}".', file, key)
            fields.faults.add(fields.at.fault(problem, say('Leave out "file" or "{key}".', key)))
            return


# --- CSV ----------------------------------------------------------------------------------------


def read_points(name: str, folder: Path, file: str) -> Points:
    """The points of a table in a file of a folder."""
    item = Item(Place(str(folder)), str(file))
    return _from_file(item, tables_below(folder, None), name, None)


def _from_file(item: Item, folder: TableFolder, name: str, measures: Measures | None) -> Points:
    """Two columns, an argument and a value a line, perhaps under a header such as `t [s],x [m]`.

    Columns are separated by commas, semicolons (decimals may then have commas) or tabs.
    """
    text_of_file = folder.read(item, lambda path: read_file(path, LARGEST_TABLE, str(item.place)))
    path, rows = folder.path(item), filled_rows(text_of_file)
    factors = (1.0, 1.0)
    if rows and cell_number(rows[0][1][0]) is None:
        (k, header), *rows = rows
        factors = _factors(f"{path}:{k}", header, name, measures)
    points: Points = ([], [])
    for k, cells in rows:
        if len(cells) != 2:
            problem = say("two numbers are expected in a line, not {number}.", len(cells))
            raise ModelError(f"{path}:{k}", problem, "A line holds an argument and a value.")
        for column, cell, factor in zip(points, cells, factors, strict=True):
            value = cell_number(cell)
            if value is None:
                raise ModelError(f"{path}:{k}", say('"{cell}" is not a number.', cell))
            column.append(value * factor)
    return points


def _factors(
    place: str, header: list[str], name: str, measures: Measures | None
) -> tuple[float, float]:
    """Factors of the columns to SI units, from the units in brackets of the header."""
    factors = []
    for head, what in zip((*header, "", "")[:2], table_names(name), strict=True):
        unit = head_unit(head)
        factors.append(unit_size(unit, place))
        if unit and measures is not None:
            measures.declare(what, plain_unit(unit), place)
    return factors[0], factors[1]


# --- meshes ---------------------------------------------------------------------------------------


def read_mesh(item: Item, folder: TableFolder | None) -> Triangles:
    """The surface of a file, which has some volume and few corners."""
    below = folder or tables_below(Path(), None)
    surface = below.read(item, lambda path: read_triangles(path, str(item.place)))
    if is_flat(surface.points):
        raise item.fault(
            say("all points of {item} lie in a plane.", item),
            "Give its corners: points: [[0, 0, 0], [0.1, 0, 0]].",
        )
    if len(surface.hull) > MOST_CORNERS:
        raise item.fault(
            say(
                "{item} has {count} corners, more than {most}: each of them would be a contact.",
                item,
                len(surface.hull),
                MOST_CORNERS,
            ),
            "Simplify the mesh, or give the corners that matter: points: [[0, 0, 0]].",
        )
    return surface


def scaled_corners(
    folder: Path, contact: MutableMapping[str, Any], before: str = ""
) -> list[list[Any]]:
    """The corners that the file and the scale of a contact give, which are taken out of it.

    Those of its surface have names that begin with `before`.
    """
    item = Item(Place(str(folder)), str(contact.pop(f"{before}file")))
    scale = contact.pop(f"{before}scale", None)
    corners = read_mesh(item, tables_below(folder, None)).hull.tolist()
    if scale is None:
        return [list(corner) for corner in corners]
    return [[f"({scale})*{x!r}" for x in corner] for corner in corners]
