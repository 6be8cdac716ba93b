"""Columns of numbers in text: separators, decimals, heads with units that bring them to SI."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError, suggestion
from torseur.language.text.files import read_file
from torseur.language.text.literals import plain_unit, si_factor, unknown_unit
from torseur.model.checks.limits import LARGEST, LARGEST_TABLE
from torseur.output import reason
from torseur.words.sentence import say

Array = np.ndarray
_UNIT = re.compile(r"\[([^\[\]]*)\]")


def cells(line: str) -> list[str]:
    """The cells of a line between commas, semicolons (decimals may then have commas) or tabs."""
    separator = next((mark for mark in ";\t" if mark in line), ",")
    texts = [cell.strip() for row in csv.reader([line], delimiter=separator) for cell in row]
    return [cell.replace(",", ".") for cell in texts] if separator == ";" else texts


def filled_rows(text: str) -> list[tuple[int, list[str]]]:
    """The cells of each line that holds anything, with its number; # begins a comment."""
    lines = enumerate(text.splitlines(), start=1)
    filled = ((k, x) for k, x in lines if x.strip() and not x.lstrip().startswith("#"))
    return [(k, cells(line)) for k, line in filled]


def cell_number(cell: str) -> float | None:
    """The number in a cell; None if there is none."""
    try:
        return float(cell)
    except ValueError:
        return None


def head_unit(head: str) -> str:
    """The unit in brackets of a head such as `x [mm]`; empty where there is none."""
    unit = _UNIT.search(head)
    return unit[1].strip() if unit else ""


def unit_size(unit: str, place: str) -> float:
    """Factor from a unit to SI."""
    factor = si_factor(plain_unit(unit)) if unit else 1
    if factor is None:
        raise ModelError(place, *unknown_unit(unit, after_number=False))
    return float(evaluate(factor, {}))


@final
@dataclass(frozen=True, eq=False)
class NumberColumn:
    """The numbers under a name, as they were written, and the unit in brackets after the name."""

    values: Array  # (samples)
    unit: str
    place: str

    @property
    def si(self) -> Array:
        """The numbers in SI units and radians; those without a unit are so already."""
        return np.asarray(self.values * unit_size(self.unit, self.place))


def read_columns(path: str | Path) -> dict[str, NumberColumn]:
    """The columns of a file by name: heads such as `q1 [deg]`, then numbers; # begins a comment."""
    (first, heads), *rows = _rows(path)
    names = [head.split("[")[0].strip() for head in heads]
    if len(set(names)) < len(names) or cell_number(heads[0]) is not None:
        header = ",".join(heads)
        problem = say('the first row is "{header}": a name for each column is needed.', header)
        raise ModelError(f"{path}:{first}", problem, "For instance: t [s],q1 [rad].")
    table = np.array([_numbers(path, line, names, row) for line, row in rows])
    return {
        name: NumberColumn(table[:, k], head_unit(heads[k]), f"{path}:{first}")
        for k, name in enumerate(names)
    }


def _rows(path: str | Path) -> list[tuple[int, list[str]]]:
    """The rows that hold anything, with their lines."""
    try:
        rows = filled_rows(read_file(Path(path), LARGEST_TABLE, str(path)))
    except (OSError, ValueError, csv.Error) as error:
        raise ModelError(str(path), say("cannot be read: {said}.", reason(error))) from None
    if len(rows) < 2:
        raise ModelError(
            str(path), say("{number} rows: a row of names and samples are needed.", len(rows))
        )
    return rows


def _numbers(path: str | Path, line: int, names: list[str], row: list[str]) -> list[float]:
    if len(row) != len(names):
        problem = say("{number} values in a row of {width} names.", len(row), len(names))
        raise ModelError(f"{path}:{line}", problem)
    numbers = []
    for name, cell in zip(names, row, strict=True):
        number = cell_number(cell)
        if number is None:
            raise ModelError(f"{path}:{line}", say('"{cell}" is not a number.', cell))
        if not abs(number) <= LARGEST:  # NaN neither
            problem = say('"{names}" is {table} in row {number}.', name, number, line)
            raise ModelError(str(path), problem, "Leave samples out that have no value.")
        numbers.append(number)
    return numbers


def needed_column(name: str, columns: Mapping[str, NumberColumn], path: str | Path) -> NumberColumn:
    """One of the columns of a file by its name; a ModelError where it is missing."""
    if name not in columns:
        listed = ", ".join(columns)
        problem = say('a column "{name}" is needed; there are: {columns}.', name, listed)
        raise ModelError(str(path), problem, *suggestion(name, columns))
    return columns[name]
