"""The scalar equations of sets of bodies, as numbers: which unknowns each has.

Every connected set has a resultant along, and a moment at, whatever is chosen; looked at are the
points and the axes of the joints around it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.graph import evaluate, expressions, free_symbols
from torseur.equations.actions.efforts import Efforts, Transmitted
from torseur.equations.expressions.sampling import sample, unit_quaternions

Array = np.ndarray
_SETS = 500  # of bodies that are looked at, the smallest first
_NOTHING = 1e-9  # of numbers of about one


@final
@dataclass(frozen=True)
class EquationChoice:
    """A scalar equation of some bodies: its unknowns, and which body equations are added up."""

    bodies: frozenset[int]
    at: Transmitted | None  # where the moment is taken
    frame: Transmitted | None  # whose axes; None for the ground
    axis: int
    row: Array  # (unknowns): their coefficients
    mix: Array  # (6 bodies): resultant and moment of each body at the origin


@final
class ScalarEquations:
    """A mechanism in one configuration taken at random, lengths over its size."""

    def __init__(self, efforts: Efforts) -> None:
        self._efforts = efforts
        self._passing = efforts.transmitted
        at_origin = [x.reaction.at(np.zeros(3)) for x in self._passing]
        components = expressions([[*x.resultant, *x.moment] for x in at_origin])
        symbols = [x for x in free_symbols(components) if x.kind == "input"]
        self.unknowns = tuple(x.name for x in symbols)
        factors = (
            expressions([jacobian(six, symbols) for six in components]) if symbols else components
        )
        points = expressions([x.frame.p for x in self._passing])
        axes = expressions([x.frame.R.matrix for x in self._passing])
        values = self._values((factors, points, axes, components))
        self._points, self._axes = (_numeric(x, values) for x in (points, axes))
        size = float(np.abs(self._points).max(initial=0.0)) or 1.0
        self._points = self._points / size
        self._factors = _numeric(factors, values) if symbols else np.zeros((*components.shape, 0))
        self._factors[:, 3:] /= size
        largest = np.abs(self._factors).max(axis=(0, 1), initial=0.0)
        self._factors /= np.where(largest > 0, largest, 1.0)

    def _values(self, outputs: Any) -> dict[str, float]:
        known, rng = self._efforts.system, np.random.default_rng(0)
        everything = [x for part in outputs for x in np.ravel(part)]
        turned = {name: float(x[0]) for name, x in unit_quaternions(known, rng, 1).items()}
        return sample(everything, known.mechanism) | turned

    @cached_property
    def choices(self) -> list[EquationChoice]:
        """Distinct choices, the best first: few unknowns, few bodies, resultants, ground axes."""
        by_signature: dict[bytes, EquationChoice] = {}
        for x in (x for bodies in self._sets() for x in self._of(bodies)):
            by_signature.setdefault(_signature(x.mix), x)
        listed = list(by_signature.values())
        unknowns = [int((np.abs(x.row) > _NOTHING).sum()) for x in listed]
        order = sorted(
            range(len(listed)),
            key=lambda k: (unknowns[k], len(listed[k].bodies), listed[k].at is not None, k),
        )
        return [listed[k] for k in order]

    @cached_property
    def rows(self) -> Array:
        """(choices, unknowns)."""
        return np.array([x.row for x in self.choices]).reshape(len(self.choices), -1)

    @cached_property
    def has(self) -> Array:
        """(choices, unknowns): which unknowns each has."""
        return np.asarray(np.abs(self.rows) > _NOTHING)

    @cached_property
    def mixes(self) -> Array:
        """(choices, 6 bodies), each of length one."""
        mixes = np.array([x.mix for x in self.choices])
        return np.asarray(mixes / np.linalg.norm(mixes, axis=1, keepdims=True))

    def idle(self, k: int) -> frozenset[str]:
        """The unknowns that a choice does not have."""
        return frozenset(name for name, x in zip(self.unknowns, self.has[k], strict=True) if not x)

    @cached_property
    def bodywise(self) -> Array:
        """(6 bodies, unknowns): every equation of every body."""
        size = len(self._efforts.places.index)
        return np.concatenate([self._acting(frozenset({i})) for i in range(size)])

    def _sets(self) -> Iterator[frozenset[int]]:
        """Connected sets of bodies, small ones first, and all of them together."""
        near = [{x.first, x.second} - {-1} for x in self._passing]
        bodies = range(len(self._efforts.places.index))
        yield frozenset(bodies)
        level = {frozenset({i}) for i in bodies}
        left = _SETS
        while level and left > 0:
            yield from (ordered := sorted(level, key=sorted))
            left -= len(ordered)
            level = {x | pair for x in ordered for pair in near if x & pair and not pair <= x}

    def _of(self, bodies: frozenset[int]) -> Iterator[EquationChoice]:
        """The resultants and moments of a set at the points and along the axes around it."""
        acting = self._acting(bodies)
        border = [k for k, x in enumerate(self._passing) if x.on(set(bodies))]
        for frame, axis, d in self._directions(border):
            yield self._choice(bodies, None, (frame, axis), np.array([*d, 0, 0, 0]), acting)
            for k in border:
                arm = -np.cross(d, self._points[k])  # d · (M − p × R)
                at = self._passing[k]
                yield self._choice(bodies, at, (frame, axis), np.array([*arm, *d]), acting)

    def _choice(
        self,
        bodies: frozenset[int],
        at: Transmitted | None,
        along: tuple[Transmitted | None, int],
        parts: Array,
        acting: Array,
    ) -> EquationChoice:
        mix = np.zeros((len(self._efforts.places.index), 6))
        mix[sorted(bodies)] = parts
        return EquationChoice(bodies, at, *along, parts @ acting, mix.ravel())

    def _acting(self, bodies: frozenset[int]) -> Array:
        """(6, unknowns): of the wrench on a set at the origin."""
        sides = np.array([x.on(set(bodies)) for x in self._passing], dtype=float)
        return np.asarray(np.einsum("t,tij->ij", sides, self._factors))

    def _directions(self, border: Sequence[int]) -> Iterator[tuple[Transmitted | None, int, Array]]:
        """The axes of the ground, and those of the joints that differ from them."""
        directions: list[Array] = []
        frames = [(None, np.eye(3)), *((self._passing[k], self._axes[k]) for k in border)]
        for frame, R in frames:
            for axis in range(3):
                d = R[:, axis]
                if all(np.linalg.norm(np.cross(d, x)) > _NOTHING for x in directions):
                    directions.append(d)
                    yield frame, axis, d


def _numeric(outputs: Array, values: dict[str, float]) -> Array:
    return np.asarray(evaluate(outputs, values), dtype=float).reshape(np.shape(outputs))


def _signature(mix: Array) -> bytes:
    """Signature of an equation, independent of its sign and size."""
    plain = mix / np.abs(mix).max()
    first = plain[np.flatnonzero(np.abs(plain) > _NOTHING)[0]]
    return bytes((np.round(plain * np.sign(first), 7) + 0.0).tobytes())
