"""Formulas as data: a symbol and what it is equal to, ready to be written in any notation."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, reachable
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.algebra.printing.latex import quoted
from torseur.algebra.printing.latex_words import words
from torseur.algebra.printing.names import GREEK, identifier
from torseur.algebra.printing.text import text
from torseur.model.description import GROUND
from torseur.spatial.rotation import Rotation

Array = np.ndarray
_MUCH, _SHORT = 2, 60  # nodes
Reader = Callable[[Any], Any]  # makes a formula readable


@final
@dataclass(frozen=True)
class SymbolLabel:
    """A name in plain text and in LaTeX."""

    text: str
    latex: str

    def __str__(self) -> str:
        return self.text


def word(name: str) -> str:
    """A name upright in LaTeX, a Greek letter as such; accents and spaces are for text."""
    if identifier(name).stem in GREEK:
        return latex_name(name)
    text = name.replace("_", " ")
    plain = text.isascii() and " " not in text
    return rf"\mathrm{{{words(text)}}}" if plain else quoted(text)


@final
@dataclass(frozen=True)
class Scalar:
    """symbol = value."""

    symbol: SymbolLabel
    value: Expr


@final
@dataclass(frozen=True)
class Components:
    """Three components along the axes of a body, or of the ground."""

    values: Array
    axes: str = GROUND

    @property
    def is_nothing(self) -> bool:
        """Whether all are zero."""
        return all(expression(x) is ZERO for x in self.values)


@final
@dataclass(frozen=True)
class Vector:
    """symbol = components."""

    symbol: SymbolLabel
    value: Components


@final
@dataclass(frozen=True)
class TorseurFormula:
    """{symbol} = {resultant; moment} at a point, the moment having a symbol of its own."""

    symbol: SymbolLabel
    resultant: Vector
    moment: Vector
    point: SymbolLabel

    @property
    def is_nothing(self) -> bool:
        """Whether both vectors are zero."""
        return self.resultant.value.is_nothing and self.moment.value.is_nothing


@final
@dataclass(frozen=True)
class Equation:
    """left = right, with the name of what it is the equation of."""

    name: str
    left: Expr
    right: Expr


@final
@dataclass(frozen=True)
class Positive:
    """value > 0: the condition under which distances are written without bars."""

    value: Expr


Formula = Scalar | Vector | TorseurFormula | Equation | Positive


def components(values: Any, axes: str, R: Rotation, read: Reader = readable) -> Components:
    """A vector given along the axes of a body, along these or those of the ground.

    The shorter is taken, and the ground if they are alike. What is much longer before it is read is
    not tried: a body far from the ground is turned many times.
    """
    local, turned = expressions(values), expressions(R.out(expressions(values)))
    near = Components(read(local), axes)
    if len(reachable(turned)) > _MUCH * len(reachable(local)) + _SHORT:
        return near
    far = Components(read(turned))
    return near if _length(near.values) < _length(far.values) else far


def _length(values: Array) -> int:
    return sum(len(text(expression(x), limit=2000)) for x in values)
