"""Each public value as parts of a document, and these as notebooks take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any, TypeVar

import numpy as np

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.analyse.efforts.body_torseurs import BodyTorseurs
from torseur.analyse.equilibria.equilibria import Equilibria
from torseur.analyse.integrals.integrals import FirstIntegrals
from torseur.analyse.mobility.balance import Balance
from torseur.analyse.mobility.mobility import Mobility
from torseur.analyse.vibrations.linearise import Linear
from torseur.brief import part
from torseur.equations.analytical.lagrangian import Hamiltonian, Lagrangian, Routhian
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.formulas import Formulas as WrittenFormulas
from torseur.errors import ModelError, SolveError
from torseur.model.mass.properties import MassProperties
from torseur.model.mass.sheet import MassSheet, sheet
from torseur.model.values.named_numbers import name_ranks
from torseur.named_words import dossier_words
from torseur.report.assets import style
from torseur.report.documents import html as html_document
from torseur.report.documents import latex as latex_document
from torseur.report.documents.page_parts import FormulaLines, Heading, Math, Parts, TablePart, Text
from torseur.report.dossier import motion_section as motion
from torseur.report.dossier.derivation import (
    derivation_document,
    derivation_parts,
    equations_parts,
    integrals_parts,
    lines_parts,
)
from torseur.report.dossier.description_section import balance_sheet, mobility_sheet
from torseur.report.dossier.motion_section import equilibria_parts, linear_parts
from torseur.report.pages import cells
from torseur.report.schemes.scheme import scheme_texts
from torseur.simulation.run.run import Run
from torseur.simulation.start.assemble import Assembled
from torseur.spatial.rotation import Rotation
from torseur.spatial.torseur import Torseur, without_rounding
from torseur.teach.derivation.derivation_steps import Derivation
from torseur.words.language import spoken

_Made = TypeVar("_Made")
_SHEET = "notebook/notebook.css"
_TORSEURS = ("kinematic", "kinetic", "dynamic", "weight")
_FEW = 6  # entries of rows and matrices that are written out


def html(value: Any) -> str | None:
    """A piece of a page with its style; None where the value cannot be shown."""
    parts = _attempt(parts_of, value)
    if parts is None:
        return None
    return f'<div class="torseur">{style(_SHEET)}{html_document.fragment(parts)}</div>'


def latex(value: Any) -> str | None:
    """A piece of a LaTeX document (packages amsmath, longtable, booktabs, array, tikz)."""
    parts = _attempt(parts_of, value)
    return None if parts is None else latex_document.fragment(parts)


def piece(derivation: Derivation) -> str:
    """A derivation as sections of a LaTeX document."""
    return latex_document.fragment(derivation_document(derivation).parts) + "\n"


def whole(derivation: Derivation) -> str:
    """A derivation as a LaTeX document of its own."""
    return latex_document.written(derivation_document(derivation))


def page(derivation: Derivation) -> str:
    """A derivation as one HTML page."""
    return html_document.page(derivation_document(derivation))


def svg(value: Any) -> str | None:
    """The scheme of a mechanism."""
    texts = _attempt(scheme_texts, value)
    return None if texts is None else texts[0]


def parts_of(value: Any) -> Parts:
    """Parts that show a value: formulas as in books, or its fields in a table."""
    return _SHOWN.get(type(value), _fields)(value)


def _attempt(make: Callable[[Any], _Made], value: Any) -> _Made | None:
    try:
        return make(value)
    except (ModelError, SolveError):
        return None


def _run(run: Run) -> Parts:
    """Accuracy of the computation, what drives it, and its curves."""
    parts = (*motion.quality(run, spoken()), *motion.drives(run, spoken()))
    return (*parts, *motion.coordinates(run, spoken()))


def _torseur(torseur: Torseur) -> str:
    """Resultant and moment as columns, at their point."""
    sides = zip(*without_rounding(torseur), strict=True)
    rows = r" \\ ".join(f"{_entry(r)} & {_entry(m)}" for r, m in sides)
    point = ", ".join(_entry(x) for x in torseur.point)
    return rf"\begin{{Bmatrix}} {rows} \end{{Bmatrix}}_{{({point})}}"


def _analytical(function: Lagrangian | Hamiltonian | Routhian) -> Parts:
    """A function of Lagrange, Hamilton or Routh, and what follows from it, line by line."""
    given = function if isinstance(function, Lagrangian) else function.lagrangian
    ranks = name_ranks(given.system.mechanism)
    read, positive = given.at_start(function.lines)
    lines = [f"{cells.name(name).latex} = {_entry(x, ranks)}" for name, x in read.items()]
    return (FormulaLines((*lines, *(f"{_entry(x, ranks)} > 0" for x in positive))),)


def _body_torseurs(torseurs: BodyTorseurs) -> Parts:
    """The torseurs of a body in symbols; along a run they are arrays, and stay by name."""
    rows = tuple((name, _cell(getattr(torseurs, name))) for name in _TORSEURS)
    return Heading(torseurs.body, 2), _table(rows)


def _assembled(assembled: Assembled) -> Parts:
    """Coordinates and speeds by their names, and how far loops are from closed."""
    state = {**assembled.coordinates, **dict(zip(assembled.model.speeds, assembled.v, strict=True))}
    rows = [(cells.name(name), Math(_entry(x))) for name, x in state.items()]
    return (_table((*rows, ("closure_error", Math(_entry(assembled.closure_error))))),)


def _entry(x: Any, ranks: Ranks | None = None) -> str:
    if isinstance(x, int | float | np.number):
        return cells.number(float(x)).latex
    return cells.value(readable(expression(x)), ranks).latex


def _sheet(sheet: MassSheet) -> Parts:
    """Mass, centre, inertia and principal moments."""
    words, body, principal = dossier_words(spoken()), sheet.properties, sheet.principal
    rows: list[tuple[Text, ...]] = [
        (words["mass"], Math(_entry(body.mass)), "kg"),
        (words["centre of mass"], _row(body.centre), "m"),
        (
            words["inertia at the centre of mass"],
            Math(_matrix(body.inertia)),
            "kg·m²",
        ),
    ]
    if principal is not None:
        rows.append((words["principal moments"], _row(principal.moments), "kg·m²"))
    header = (words["quantity"], words["value"], words["unit"])
    return Heading(sheet.name, 2), TablePart(header, tuple(rows))


def _matrix(rows: Any) -> str:
    listed = r" \\ ".join(" & ".join(map(_entry, row)) for row in rows)
    return rf"\begin{{bmatrix}} {listed} \end{{bmatrix}}"


def _row(values: Any) -> Math:
    return Math(f"({', '.join(map(_entry, values))})")


def _fields(value: Any) -> Parts:
    """The fields of a value, by the names under which Python has them."""
    names = [field.name for field in fields(value) if field.repr and field.name[0] != "_"]
    rows = ((name, _cell(x)) for name in names if (x := getattr(value, name)) is not None)
    return Heading(type(value).__name__, 2), _table(tuple(rows))


def _table(rows: tuple[tuple[Text, ...], ...]) -> TablePart:
    words = dossier_words(spoken())
    return TablePart((words["quantity"], words["value"]), rows)


def _cell(x: Any) -> Text:
    """A field: numbers and formulas as they are, small arrays as rows and matrices."""
    if isinstance(x, Expr | int | float | np.number) and not isinstance(x, bool):
        return Math(_entry(x))
    if isinstance(x, Torseur):
        return Math(_torseur(x)) if np.ndim(x.point) == 1 else part(x)
    if isinstance(x, np.ndarray) and x.ndim == 1 and len(x) <= _FEW:
        return _row(x)
    if isinstance(x, np.ndarray) and x.ndim == 2 and max(x.shape) <= _FEW:
        return Math(_matrix(x))
    if isinstance(x, Mapping) and len(x) <= _FEW:
        pairs = (
            (f"{', ' if k else ''}{key}: ", _cell(item)) for k, (key, item) in enumerate(x.items())
        )
        return tuple(y for pair in pairs for text in pair for y in _inline(text))
    if isinstance(x, tuple | list) and all(isinstance(y, str) for y in x):
        return "; ".join(x)
    return x if isinstance(x, str) else part(x)


def _inline(text: Text) -> tuple[str | Math, ...]:
    return text if isinstance(text, tuple) else (text,)


_SHOWN: Mapping[type, Callable[[Any], Parts]] = {
    Equations: lambda x: equations_parts(x.in_letters, spoken()),
    Derivation: derivation_parts,
    FirstIntegrals: lambda x: integrals_parts(x, spoken()),
    Run: _run,
    Mobility: lambda x: mobility_sheet(x, spoken()),
    Balance: lambda x: balance_sheet(x, spoken()),
    Linear: lambda x: linear_parts(x, spoken()),
    Equilibria: lambda x: equilibria_parts(x, spoken()),
    Torseur: lambda x: (FormulaLines((_torseur(x),)),),
    Rotation: lambda x: (FormulaLines((_matrix(x.matrix),)),),
    Lagrangian: _analytical,
    Hamiltonian: _analytical,
    Routhian: _analytical,
    BodyTorseurs: _body_torseurs,
    Assembled: _assembled,
    MassSheet: _sheet,
    Expr: lambda x: (FormulaLines((_entry(x),)),),
    MassProperties: lambda x: _sheet(sheet(x)),
    WrittenFormulas: lines_parts,
}
