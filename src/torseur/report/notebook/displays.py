"""Each public value as parts of a document, and these as notebooks take them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.analyse.equilibria.equilibria import Equilibria
from torseur.analyse.integrals.integrals import FirstIntegrals
from torseur.analyse.mobility.balance import Balance
from torseur.analyse.mobility.mobility import Mobility
from torseur.analyse.vibrations.linearise import Linear
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.formulas import Formulas as WrittenFormulas
from torseur.errors import ModelError, SolveError
from torseur.model.mass.properties import MassProperties
from torseur.model.mass.sheet import MassSheet, sheet
from torseur.named_words import dossier_words
from torseur.report.assets import style
from torseur.report.documents import html as html_document
from torseur.report.documents import latex as latex_document
from torseur.report.documents.parts import Formulas, Heading, Math, Parts, Table, Text
from torseur.report.dossier import motion
from torseur.report.dossier.derivation import (
    derivation_document,
    derivation_parts,
    equations_parts,
    integrals_parts,
    lines_parts,
)
from torseur.report.dossier.mobility import balance_sheet, mobility_sheet
from torseur.report.dossier.rest import equilibria_parts, linear_parts
from torseur.report.pages import cells
from torseur.report.schemes.scheme import scheme_texts
from torseur.simulation.run.run import Run
from torseur.spatial.torseur import Torseur
from torseur.teach.derivation.steps import Derivation
from torseur.words.language import spoken

_Made = TypeVar("_Made")
_SHEET = "notebook/notebook.css"


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


def piece(told: Derivation) -> str:
    """A derivation as sections of a LaTeX document."""
    return latex_document.fragment(derivation_document(told).parts) + "\n"


def whole(told: Derivation) -> str:
    """A derivation as a LaTeX document of its own."""
    return latex_document.written(derivation_document(told))


def page(told: Derivation) -> str:
    """A derivation as one HTML page."""
    return html_document.page(derivation_document(told))


def svg(value: Any) -> str | None:
    """The scheme of a mechanism."""
    texts = _attempt(scheme_texts, value)
    return None if texts is None else texts[0]


def parts_of(value: Any) -> Parts:
    """What is shown of a value."""
    return _SHOWN[type(value)](value)


def _attempt(made: Callable[[Any], _Made], value: Any) -> _Made | None:
    try:
        return made(value)
    except (ModelError, SolveError):
        return None


def _run(run: Run) -> Parts:
    """How well it was computed, what drives it, and its curves."""
    found = (*motion.quality(run, spoken()), *motion.drives(run, spoken()))
    return (*found, *motion.coordinates(run, spoken()))


def _torseur(torseur: Torseur) -> Parts:
    """Resultant and moment as columns, at their point."""
    sides = zip(torseur.resultant, torseur.moment, strict=True)
    rows = r" \\ ".join(f"{_entry(r)} & {_entry(m)}" for r, m in sides)
    point = ", ".join(_entry(x) for x in torseur.point)
    return (Formulas((rf"\begin{{Bmatrix}} {rows} \end{{Bmatrix}}_{{({point})}}",)),)


def _entry(x: Any) -> str:
    plain = isinstance(x, int | float | np.number)
    return cells.number(float(x)).latex if plain else cells.value(x).latex


def _sheet(told: MassSheet) -> Parts:
    """Mass, centre, inertia and principal moments."""
    words, body, found = dossier_words(spoken()), told.properties, told.principal
    tensor = r" \\ ".join(" & ".join(map(_entry, row)) for row in body.inertia)
    rows: list[tuple[Text, ...]] = [
        (words["mass"], Math(_entry(body.mass)), "kg"),
        (words["centre of mass"], _row(body.centre), "m"),
        (
            words["inertia at the centre of mass"],
            Math(rf"\begin{{bmatrix}} {tensor} \end{{bmatrix}}"),
            "kg·m²",
        ),
    ]
    if found is not None:
        rows.append((words["principal moments"], _row(found.moments), "kg·m²"))
    header = (words["quantity"], words["value"], words["unit"])
    return Heading(told.name, 2), Table(header, tuple(rows))


def _row(values: Any) -> Math:
    return Math(f"({', '.join(map(_entry, values))})")


_SHOWN: Mapping[type, Callable[[Any], Parts]] = {
    Equations: lambda x: equations_parts(x, spoken()),
    Derivation: derivation_parts,
    FirstIntegrals: lambda x: integrals_parts(x, spoken()),
    Run: _run,
    Mobility: lambda x: mobility_sheet(x, spoken()),
    Balance: lambda x: balance_sheet(x, spoken()),
    Linear: lambda x: linear_parts(x, spoken()),
    Equilibria: lambda x: equilibria_parts(x, spoken()),
    Torseur: _torseur,
    MassSheet: _sheet,
    Expr: lambda x: (Formulas((cells.value(x).latex,)),),
    MassProperties: lambda x: _sheet(sheet(x)),
    WrittenFormulas: lines_parts,
}
