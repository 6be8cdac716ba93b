"""Runs as Excel files: samples with names and units, parameters, and the numbers of each column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from torseur.errors import ModelError
from torseur.output import known_ending, replacing, writable
from torseur.packages import package
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.reductions import REDUCED
from torseur.simulation.run.samples import Readable
from torseur.simulation.run.saving import columns_of
from torseur.words.sentence import say

_NUMBERS = ("mean", "rms", "min", "max", "peak", "range")
_MOST_ROWS = 1_048_575  # of a sheet, beside its heads


def to_excel(run: Readable, path: str | Path, of: Sequence[str] = ()) -> None:
    """Write time, coordinates, speeds and what `of` names, with parameters and extremes."""
    known_ending(path, (".xlsx",), "to_excel")
    writable(path)
    openpyxl = package("openpyxl", "excel", "to_excel")
    if len(run.t) > _MOST_ROWS:
        problem = say(
            "the run has {number} samples; a sheet has {most} rows.", len(run.t), _MOST_ROWS
        )
        raise ModelError("to_excel", problem, "Write .csv, or take fewer samples: run.at(times).")
    curves = columns_of(run, of)
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = say("samples")
    _fill(sheet, [_head(curve) for curve in curves],
          np.column_stack([curve.values for curve in curves]).tolist())  # fmt: skip
    extremes = [[curve.name, curve.unit, *_numbers(run.t, curve)] for curve in curves[1:]]
    heads = [say("quantity"), say("unit"), say("mean"), say("rms"), "min", "max"]
    _fill(book.create_sheet(say("extremes")), [*heads, say("peak"), say("range")], extremes)
    table, values = run.model.mechanism.parameter_table, run.model.parameters
    rows = [[name, values[name], str(x.unit or "1"), x.meaning] for name, x in table.items()]
    heads = [say("parameter"), say("value"), say("unit"), say("meaning")]
    _fill(book.create_sheet(say("parameters")), heads, rows)
    with replacing(path) as place:
        book.save(place)


def _head(curve: Curve) -> str:
    return f"{curve.name} [{curve.unit}]" if curve.unit else curve.name


def _numbers(t: np.ndarray, curve: Curve) -> list[float]:
    """The numbers by which a curve is judged."""
    x = np.asarray(curve.values, dtype=float)[np.newaxis]
    return [float(REDUCED[kind](np.asarray(t), x)[0]) for kind in _NUMBERS]


def _fill(sheet: Any, heads: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """A row of heads that stays in sight, then the rows; texts are no formulas."""
    sheet.append([str(head) for head in heads])
    for row in rows:
        sheet.append([str(x) if isinstance(x, str) else x for x in row])
    for cells in sheet.iter_rows():
        for cell in cells:
            if isinstance(cell.value, str):
                cell.data_type = "s"
    sheet.freeze_panes = "B2"
    for k, head in enumerate(heads):
        letter = sheet.cell(1, k + 1).column_letter
        sheet.column_dimensions[letter].width = max(12, len(head) + 2)
