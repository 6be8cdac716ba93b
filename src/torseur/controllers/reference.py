"""Inputs of control laws: references, which are functions of time, and gains."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, expressions
from torseur.algebra.core.tabulated import Tabulated, table
from torseur.brief import shortened
from torseur.equations.symbols.texts import read_text
from torseur.errors import ModelError, require_known
from torseur.language.text.expression import Names
from torseur.model.checks.limits import sensible
from torseur.words.sentence import say

Array = np.ndarray
_PLACE = "reference"
Gain = float | Mapping[str, float]


@final
@dataclass(frozen=True, eq=False)
class Reference:
    """Where coordinates should be: {"q1": "0.5*sin(2*t)", "q2": "30 deg", "q3": (times, angles)}.

    A position is a number, a text of t with units if it has any, or two arrays: instants, and the
    positions there, through which a cubic spline goes that rests at both ends and holds beyond
    them. Speeds and accelerations are its derivatives.
    """

    positions: Mapping[str, Any]

    def expressions(self) -> dict[str, Expr]:
        """The positions as expressions of t."""
        return {name: _read(name, given) for name, given in self.positions.items()}

    def motion(self, names: Sequence[str]) -> Demand:
        """Positions, speeds and accelerations of some coordinates, in order."""
        known = self.expressions()
        missing = [name for name in names if name not in known]
        if missing:
            raise ModelError(
                _PLACE,
                say("the position of {missing} is missing.", ", ".join(missing)),
                say("It has positions of {names}.", ", ".join(known) or say("nothing")),
            )
        q = expressions([known[name] for name in names])
        v = derivative(q, TIME)
        return Demand(q, v, derivative(v, TIME))

    def at(self, t: Any, derivative: int = 0) -> Array:
        """Positions, or speeds or accelerations, at instants: (instants, coordinates)."""
        target = self.motion(tuple(self.positions))
        listed = (target.q, target.v, target.a)[derivative]
        times = np.asarray(t, dtype=float)
        rows = [np.broadcast_to(evaluate(x, {TIME.name: times}), times.shape) for x in listed]
        return np.stack([np.asarray(row, dtype=float) for row in rows], axis=-1)


@final
@dataclass(frozen=True)
class Demand:
    """Wanted motion of some coordinates, as expressions of t."""

    q: Array
    v: Array
    a: Array


def reference_of(given: Any) -> Reference:
    """A reference, a mapping of positions by name, or an object whose `expressions()` are such."""
    if isinstance(given, Reference):
        return given
    if hasattr(given, "expressions"):
        given = given.expressions()
    if not isinstance(given, Mapping) or not given:
        raise ModelError(
            _PLACE,
            say("positions by name are expected, got {kind}.", type(given).__name__),
            'For instance: {"q1": "0.5*sin(2*t)", "q2": "30 deg"}.',
        )
    return Reference({str(name): value for name, value in given.items()})


def reaching(
    start: Mapping[str, float], end: Mapping[str, float], duration: float, begin: float = 0.0
) -> Reference:
    """Reference along a line in `duration` seconds with the least jerk, then constant.

    s(τ) = 10 τ³ − 15 τ⁴ + 6 τ⁵ (Flash and Hogan, 1985, The coordination of arm movements).
    """
    if not duration > 0:
        raise ModelError(_PLACE, say("the duration must be positive, got {length}.", duration))
    require_known(_PLACE, "coordinate", start, end)
    tau = f"clip((t - ({begin!r}))/{duration!r}, 0, 1)"
    s = f"(10*{tau}^3 - 15*{tau}^4 + 6*{tau}^5)"
    return Reference({
        name: f"({float(start.get(name, 0.0))!r}) + ({float(x - start.get(name, 0.0))!r})*{s}"
        for name, x in end.items()
    })  # fmt: skip


def _read(name: str, given: Any) -> Expr:
    place = say('reference of "{name}"', name)
    if isinstance(given, str):
        return read_text(given, Names({TIME.name: TIME}), place)
    if isinstance(given, Expr):
        return given
    if not isinstance(given, Sequence) and np.ndim(given) == 0:
        return expression(sensible(place, say("the position"), given))
    times, values = _points(place, given)
    label = "".join(c if c.isalnum() else "_" for c in f"reference_{name}")
    spline = table(label, times, values, ends="clamped", beyond="hold", place=place)
    return Tabulated(spline)(TIME)


def _points(place: str, given: Any) -> list[list[float]]:
    """Instants, and the positions there."""
    try:
        points = np.asarray(given, dtype=float)
    except (TypeError, ValueError):
        points = np.zeros(0)
    if points.ndim != 2 or len(points) != 2:
        raise ModelError(
            place,
            say(
                "expected a text of t or two arrays, got {count} entries: {shown}.",
                len(given),
                shortened(repr(given)),
            ),
            "For instance: (times, positions), with as many times as positions.",
        )
    result: list[list[float]] = points.tolist()
    return result


# --- gains ---------------------------------------------------------------------------------------


@final
@dataclass(frozen=True)
class Gains:
    """A symbol for each coordinate, and the values of the symbols by name."""

    symbols: Array
    values: Mapping[str, float]


def gains(name: str, given: Gain, coordinates: Sequence[str]) -> Gains:
    """`kp` for all coordinates, or `kp_q1`, `kp_q2`, … where each has its own."""
    if not isinstance(given, Mapping):
        return Gains(np.array([symbol(name)] * len(coordinates), dtype=object),
                     {name: _checked(name, given)})  # fmt: skip
    require_known("control", "coordinate", given, coordinates)
    for coordinate in coordinates:
        if coordinate not in given:
            raise ModelError(
                "control",
                say('the gain "{name}" has no value for "{coordinate}".', name, coordinate),
                "Give one number for all, or one for each coordinate of the reference.",
            )
    values = {f"{name}_{x}": _checked(f"{name}_{x}", given[x]) for x in coordinates}
    return Gains(np.array([symbol(x) for x in values], dtype=object), values)


def _checked(name: str, value: float) -> float:
    return sensible("control", say('the gain "{name}"', name), value)
