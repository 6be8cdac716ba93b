"""Columns of numbers in CSV files: a row of names, perhaps with units in brackets, then samples."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.text.files import read_file
from torseur.language.text.literals import plain_unit, si_factor, unknown_unit
from torseur.model.checks.limits import LARGEST, LARGEST_TABLE
from torseur.words.sentence import say

Array = np.ndarray


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
        if not self.unit:
            return self.values
        factor = si_factor(plain_unit(self.unit))
        if factor is None:
            raise ModelError(self.place, *unknown_unit(self.unit, after_number=False))
        return np.asarray(self.values * float(evaluate(factor, {})))


def read_columns(path: str | Path) -> dict[str, NumberColumn]:
    """The columns of a file by name."""
    rows = _rows(path)
    heads = [cell.partition("[") for cell in rows[0]]
    names = [name.strip() for name, _, _ in heads]
    table = _numbers(path, names, rows)
    return {
        name: NumberColumn(table[:, k], heads[k][2].rstrip("] "), str(path))
        for k, name in enumerate(names)
    }


def _rows(path: str | Path) -> list[list[str]]:
    try:
        text = read_file(Path(path), LARGEST_TABLE, str(path))
        rows = [row for row in csv.reader(text.splitlines()) if row]
    except (OSError, ValueError, csv.Error) as error:
        said = getattr(error, "strerror", None) or error
        raise ModelError(str(path), say("cannot be read: {said}.", said)) from None
    if len(rows) < 2:
        raise ModelError(
            str(path), say("{number} rows: a row of names and samples are needed.", len(rows))
        )
    return rows


def _numbers(path: str | Path, names: list[str], rows: list[list[str]]) -> Array:
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(names):
            problem = say(
                "{number} values in row {number2}, {number3} names.", len(row), number, len(names)
            )
            raise ModelError(f"{path}:{number}", problem)
    try:
        table = np.array(rows[1:], dtype=float)
    except ValueError as error:
        raise ModelError(str(path), say("not a number: {error}.", error)) from None
    measured = np.abs(table) <= LARGEST  # which what is not a number is not either
    if not measured.all():
        number, k = np.argwhere(~measured)[0]
        problem = say(
            '"{names}" is {table} in row {number}.', names[k], table[number, k], number + 2
        )
        raise ModelError(str(path), problem, "Leave samples out that have no value.")
    return table
