r"""Vocabulary of formulas about a model: symbols, momenta, reactions, and vectors.

Base vectors are those of the ground (`x0`, `e_x`, `\vec{x}_0`), of a body by its name or number
(`x1`, `\vec{y}_{arm}`), and those of the coordinates of a point: e_q = ∂OM/∂q over its size, with
e_r along OM if no coordinate is called r.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.calculus.derivative import derivative, time_derivative
from torseur.algebra.core.coefficients import either_root
from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.algebra.forms.readable import readable
from torseur.equations.constraints.unknowns import COUPLES, FORCES
from torseur.model.constraints.protocol import MULTIPLIER
from torseur.model.description import GROUND
from torseur.teach.answers.right_model import RightModel
from torseur.teach.formula.tokens import KnownNames, plain

Array = np.ndarray
_GRAVITY = "g"
_LETTERS = "xyz"
_NUMBERED = re.compile(r"\D*(\d{1,4})")


@final
class Vocabulary:
    """The names of a model, and what they mean."""

    def __init__(self, model: RightModel, point: str | None = None) -> None:
        self.model = model
        self._point = point  # whose coordinates have base vectors

    # --- scalars ----------------------------------------------------------------------------------

    def names(self, *, vectors: bool = False) -> KnownNames:
        """Everything a formula may name; base vectors without arrows only if it is a vector."""
        known = {name: name for name in self._symbols}
        multipliers = [x.name for x in self.model.multipliers]
        known |= {name: name for name in multipliers}
        for called, name in self.model.multiplier_names.items():
            known.setdefault(called, name)
        if len(multipliers) == 1:
            known.setdefault(MULTIPLIER, multipliers[0])
        for written, name in self._momenta.items():
            known.setdefault(written, name)
            known.setdefault(f"{written}.", f"{name}.")
        for name in self.reactions:
            known.setdefault(name, name)
        bare = [key for key in self._bases if key not in (*_LETTERS, *"ijk")] if vectors else []
        return KnownNames(known, frozenset(bare))

    def value(self, name: str) -> Expr:
        """The expression that a name of the model stands for."""
        known = self._symbols.get(name)
        if known is not None:
            return known
        if name in self.reactions:
            return self.model.reaction(*self.reactions[name])
        bare = name.rstrip(".")
        k = self.model.coordinates.index(bare.removeprefix("p_"))
        momentum = expression(self.model.momenta[k])
        if bare == name:
            return momentum
        return expression(time_derivative(momentum, self.model.rates))

    @cached_property
    def _symbols(self) -> dict[str, Expr]:
        system = self.model.system
        symbols = {name: symbol(name) for name in self.model.mechanism.parameter_table}
        symbols |= {x.name: x for part in (system.q, system.v, system.a) for x in part}
        return symbols | {TIME.name: TIME} | {x.name: x for x in self.model.multipliers}

    @cached_property
    def _momenta(self) -> dict[str, str]:
        """p_theta, and p1, p2 … by the digits of the coordinates or their order; p if alone."""
        coordinates = self.model.coordinates
        momenta = {f"p_{x}": f"p_{q}" for q in coordinates for x in (q, plain(q))}
        for number, q in numbered(coordinates).items():
            momenta.setdefault(f"p{number}", f"p_{q}")
        if len(coordinates) == 1:
            momenta.setdefault("p", f"p_{coordinates[0]}")
        return momenta

    @cached_property
    def reactions(self) -> dict[str, tuple[str, int]]:
        """X, Y, Z (forces) and L, M, N (couples) of every joint, with their number in its wrench.

        A component that is an unknown of the model's equations is left to that unknown.
        """
        letters = FORCES + COUPLES
        return {
            f"{letter}_{joint}": (joint, k)
            for joint in self.model.wrenches
            for k, letter in enumerate(letters)
            if f"{letter}_{joint}" not in self._symbols
        }

    # --- vectors ----------------------------------------------------------------------------------

    def vector(self, written: str) -> Array | None:
        """Gravity, a base vector, or from one named point to another, in ground axes."""
        model = self.model
        if written == _GRAVITY:
            return expressions(model.mechanism.gravity)
        for k in range(1, len(written)):
            first, second = written[:k], written[k:]
            if first in self._points and second in self._points:
                a, b = self._points[first], self._points[second]
                return expressions(model.position(b) - model.position(a))
        return self._base(written)

    def is_base(self, written: str) -> bool:
        """Whether a vector is a base vector: it has no dimension."""
        return written != _GRAVITY and written in self._bases

    @cached_property
    def _points(self) -> dict[str, str]:
        return {plain(name): name for name in self.model.points}

    @cached_property
    def _bases(self) -> dict[str, tuple[str, int]]:
        """By key: the body and the number of its axis, or the coordinate and −1."""
        bodies = tuple(self.model.mechanism.bodies)
        bases: dict[str, tuple[str, int]] = {}
        carried = {"0": GROUND, GROUND: GROUND, **numbered(bodies), **{b: b for b in bodies}}
        for label, body in carried.items():
            for k, letter in enumerate(_LETTERS):
                for written in (f"{letter}{label}", f"e{letter}{label}"):
                    bases.setdefault(plain(written), (body, k))
        for k, letter in enumerate(_LETTERS):
            for written in (letter, f"e{letter}", f"u{letter}", "ijk"[k]):
                bases.setdefault(written, (GROUND, k))
        if self._point is not None:
            for q in (*self.model.coordinates, "r"):
                for written in (f"e_{q}", f"u_{q}"):
                    bases.setdefault(plain(written), (q, -1))
        return bases

    def _base(self, written: str) -> Array | None:
        if written not in self._bases:
            return None
        of, axis = self._bases[written]
        if axis >= 0:
            return self.model.axes_of(of)[:, axis]
        assert self._point is not None, "base vectors of coordinates belong to a point"
        place = self.model.position(self._point)
        q = {x.name: x for x in self.model.system.q}.get(of)
        along = place if q is None else expressions(derivative(place, q))
        size = either_root(expression(readable(along @ along)))  # a sin(theta), not |a sin(theta)|
        return expressions(along / size)


def numbered(names: tuple[str, ...]) -> dict[str, str]:
    """Names by the digits they end with if all have their own, else by their order from 1."""
    digits = [_NUMBERED.fullmatch(name) for name in names]
    suffixes = [match[1] for match in digits if match]
    if len(set(suffixes)) == len(names):
        return dict(zip(suffixes, names, strict=True))
    return {str(k + 1): name for k, name in enumerate(names)}
