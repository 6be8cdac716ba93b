"""Formulas as data: a symbol and what it is equal to, ready to be written in any notation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.expr import ZERO, Expr, expression
from torseur.algebra.graph import expressions
from torseur.algebra.printing.text import text
from torseur.algebra.readable import readable
from torseur.mechanism.description import GROUND
from torseur.spatial.rotation import Rotation
from torseur.spatial.torseur import Torseur

Array = np.ndarray
Reader = Callable[[Any], Any]  # makes a formula readable


@final
@dataclass(frozen=True)
class Label:
    """A name in plain text and in LaTeX."""

    text: str
    latex: str

    def __str__(self) -> str:
        return self.text


def word(name: str) -> str:
    """A name of the model upright in LaTeX."""
    return rf"\mathrm{{{name.replace('_', ' ')}}}"


def plain(letter: str, latex: str = "") -> Label:
    """A letter that is the same in both."""
    return Label(letter, latex or letter)


@final
@dataclass(frozen=True)
class Scalar:
    """symbol = value."""

    symbol: Label
    value: Expr


@final
@dataclass(frozen=True)
class Components:
    """Three components along the axes of a body, or of the ground."""

    values: Array
    axes: str = GROUND


@final
@dataclass(frozen=True)
class Vector:
    """symbol = components."""

    symbol: Label
    value: Components


@final
@dataclass(frozen=True)
class TorseurFormula:
    """{symbol} = {resultant; moment} at a point, the moment having a symbol of its own."""

    symbol: Label
    resultant: Vector
    moment: Vector
    point: Label


@final
@dataclass(frozen=True)
class Equation:
    """left = right, with the name of what it is the equation of."""

    name: str
    left: Expr
    right: Expr


Formula = Scalar | Vector | TorseurFormula | Equation


def components(values: Any, rotations: dict[str, Rotation], read: Reader = readable) -> Components:
    """A vector given in ground axes, along the axes in which it is shortest to write."""
    here = read(expressions(values))
    best = Components(here)
    for axes, R in rotations.items():
        turned = read(expressions(R.into(here)))
        if _length(turned) < _length(best.values):
            best = Components(turned, axes)
    return best


def torseur(
    symbol: Label,
    value: Torseur,
    letters: tuple[Label, Label],
    point: Label,
    rotations: dict[str, Rotation],
    read: Reader = readable,
) -> TorseurFormula:
    """A torseur in ground axes, each of its vectors along the axes that make it short."""
    R, M = (components(x, rotations, read) for x in (value.resultant, value.moment))
    return TorseurFormula(symbol, Vector(letters[0], R), Vector(letters[1], M), point)


def _length(values: Array) -> int:
    return sum(len(text(expression(x), limit=2000)) for x in values)


def is_nothing(value: Components) -> bool:
    """Whether a vector is zero."""
    return all(expression(x) is ZERO for x in value.values)
