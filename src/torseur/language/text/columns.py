"""Columns of numbers from text: separators, decimals, heads with units that bring them to SI."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np

from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.text.files import read_file
from torseur.language.text.literals import plain_unit, si_factor, unknown_unit
from torseur.model.checks.limits import LARGEST, LARGEST_TABLE
from torseur.words.sentence import say

Array = np.ndarray
_UNIT = re.compile(r"\[([^\[\]]*)\]")


def cells(line: str) -> list[str]:
    """The cells of a line between commas, semicolons (decimals may then have commas) or tabs."""
    separator = next((mark for mark in ";\t" if mark in line), ",")
    found = [cell.strip() for cell in line.split(separator)]
    return [cell.replace(",", ".") for cell in found] if separator == ";" else found


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
    """What brings a number with that unit to SI."""
    factor = si_factor(plain_unit(unit)) if unit else 1
    if factor is None:
        raise ModelError(place, *unknown_unit(unit, after_number=False))
    return float(evaluate(factor, {}))


def read_columns(path: Path) -> dict[str, Array]:
    """The columns of a file by their names, in SI units: heads such as `q1 [deg]`, then numbers."""
    lines = enumerate(_text(path).splitlines(), start=1)
    rows = [(k, line) for k, line in lines if line.strip() and not line.lstrip().startswith("#")]
    if len(rows) < 2:
        raise ModelError(
            str(path), say("{number} rows: a row of names and samples are needed.", len(rows))
        )
    (first, header), *rows = rows
    heads = [cell.strip('"') for cell in cells(header)]
    names = [head.split("[")[0].strip() for head in heads]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None or cell_number(heads[0]) is not None:
        problem = say('the first row is "{header}": a name for each column is needed.', header)
        raise ModelError(f"{path}:{first}", problem, "For instance: t [s],q1 [rad].")
    sizes = np.array([unit_size(head_unit(head), f"{path}:{first}") for head in heads])
    table = np.array([_row(line, len(names), f"{path}:{k}") for k, line in rows])
    return {name: table[:, k] * sizes[k] for k, name in enumerate(names)}


def _text(path: Path) -> str:
    try:
        return read_file(path, LARGEST_TABLE, str(path))
    except FileNotFoundError:
        raise ModelError(str(path), "the file does not exist.") from None


def _row(line: str, width: int, place: str) -> list[float]:
    own = cells(line)
    if len(own) != width:
        problem = say("{number} values in a row of {width} names.", len(own), width)
        raise ModelError(place, problem)
    numbers = [cell_number(cell) for cell in own]
    for cell, value in zip(own, numbers, strict=True):
        if value is None or not abs(value) <= LARGEST:
            raise ModelError(place, say('"{cell}" is not a number.', cell))
    return [x for x in numbers if x is not None]
