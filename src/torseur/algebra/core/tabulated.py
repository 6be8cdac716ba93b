"""Functions given by a table: a cubic spline of one argument, and its derivatives.

A table is a row of cubic pieces, two of which stand beyond its ends. Every evaluation, here, in
machine code and in exported code, is the same: bring a periodic argument back to the first period,
count the thresholds that it has reached, and run Horner's scheme on the piece found there.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, final

import numpy as np

from torseur.algebra.core.called import PythonCall
from torseur.algebra.core.expr import ZERO, Expr, node, number
from torseur.algebra.core.functions import FUNCTIONS, FunctionDefinition
from torseur.errors import ModelError, unknown
from torseur.words.entries import shown_key
from torseur.words.sentence import say

Array = np.ndarray
Slopes = tuple[float, float]

ENDS = ("natural", "not-a-knot", "clamped", "periodic")
BEYOND = ("straight", "hold")

# What multiplies each coefficient, highest power first, in the derivatives of a cubic.
FACTORS = ((1, 1, 1, 1), (3, 2, 1), (6, 2), (6,))


@final
@dataclass(frozen=True)
class Table:
    """A function of one argument given at points, with continuous curvature between them.

    Piece k holds where k thresholds are at or below x; with h = x − origins[k] its value is
    ((a h + b) h + c) h + d. Tables of the same name and content are equal.
    """

    name: str
    digest: str  # of everything below
    thresholds: Array = field(compare=False, repr=False)  # (n,)
    origins: Array = field(compare=False, repr=False)  # (n + 1,)
    pieces: Array = field(compare=False, repr=False)  # (n + 1, 4): a, b, c, d
    period: float = field(compare=False, repr=False)  # 0: the table does not repeat itself

    @property
    def breaks(self) -> Array:
        """The arguments at which the function is given."""
        return self.origins[1:]

    @property
    def values(self) -> Array:
        """Values of the function at the given points."""
        return self.pieces[1:, 3]

    def evaluate(self, x: Any, order: int = 0) -> Any:
        """The derivative of an order, 0 to 3, on a float or on an array."""
        x = np.asarray(x, dtype=float)
        if self.period:
            x = x - self.period * np.floor((x - self.breaks[0]) / self.period)
        k = np.searchsorted(self.thresholds, x, side="right")
        h, total = x - self.origins[k], 0.0
        for power, factor in enumerate(FACTORS[order]):
            total = total * h + factor * self.pieces[k, power]
        return total


@final
@dataclass(frozen=True)
class Tabulated:
    """A derivative of a table as a function an expression may contain: lift, lift', lift''."""

    table: Table
    order: int = 0

    parity: ClassVar[str] = ""

    @property
    def name(self) -> str:
        """The name of the table, with a prime for each derivative."""
        return self.table.name + "'" * self.order

    def __call__(self, x: Expr) -> Expr:
        """The node of this function at x; a constant is looked up at once."""
        if x.op == "number":
            return number(float(self.evaluate(float(x.value[1]))))
        return node("table", (x,), self, x.stage)

    def evaluate(self, x: Any) -> Any:
        """The value on a float or on an array."""
        return self.table.evaluate(x, self.order)

    def derivatives(self, x: Expr) -> tuple[Expr]:
        """The next derivative; the third one is constant on each piece."""
        if self.order + 1 == len(FACTORS):
            return (ZERO,)
        return (Tabulated(self.table, self.order + 1)(x),)


def definition(x: Expr) -> FunctionDefinition | Tabulated | PythonCall:
    """Name, evaluation and derivative of the function at a node; tables and calls have theirs."""
    return x.value if x.op in ("table", "call") else FUNCTIONS[x.op]


def table(
    name: str,
    breaks: Sequence[float],
    values: Sequence[float],
    ends: str | Slopes = "natural",
    beyond: str | None = None,
    place: str = "",
) -> Table:
    """The cubic spline through points.

    `ends` says what closes the system: "natural" (no curvature), "not-a-knot" (the third
    derivative does not jump at the second point), "clamped" (no slope), two slopes, or "periodic".
    `beyond` says how it goes on outside: "straight", with the slope of the end (the default; with
    natural ends the curvature is then continuous everywhere), or "hold", at the value of the end.
    A periodic table repeats itself.
    """
    place = place or f'table "{name}"'
    _check_name(place, name)
    x, y = np.array(breaks, dtype=float), np.array(values, dtype=float)
    _check_points(place, x, y)
    _check_manner(place, y, ends, beyond)
    inner = _inner_pieces(place, x, y, ends)
    period = float(x[-1] - x[0]) if ends == "periodic" else 0.0
    first, last = _outer_pieces(x, y, inner, period, beyond)
    before = x[-2] - period if period else x[0]
    return _table(
        name,
        np.array([*x[:-1], np.nextafter(x[-1], np.inf)]),  # the last point belongs to the table
        np.array([before, *x]),
        np.array([first, *inner, last]),
        period,
    )


def _inner_pieces(place: str, x: Array, y: Array, ends: str | Slopes) -> Array:
    """The cubics between the points, (n − 1, 4)."""
    from scipy.interpolate import CubicSpline

    manner: Any = ends if isinstance(ends, str) else tuple((1, float(slope)) for slope in ends)
    try:
        with np.errstate(all="ignore"):
            inner: Array = CubicSpline(x, y, bc_type=manner).c.T
    except ValueError:  # the slopes at the points are infinite
        inner = np.array([[np.inf]])
    if not np.isfinite(inner).all():
        problem = say(
            "its slopes are out of range; the smallest step is {diff:g}.", np.diff(x).min()
        )
        advice = "Leave out points that are close together, or choose other units."
        raise ModelError(place, problem, advice)
    return inner


def _outer_pieces(
    x: Array, y: Array, inner: Array, period: float, beyond: str | None
) -> tuple[Any, Any]:
    """Pieces before the first point and after the last."""
    if period:  # only the rounding of an argument brought back to the period leads there
        return inner[-1], inner[0]
    if beyond == "hold":
        return (0, 0, 0, y[0]), (0, 0, 0, y[-1])
    h = x[-1] - x[-2]
    a, b, c, _ = inner[-1]
    return (0, 0, inner[0, 2], y[0]), (0, 0, (3 * a * h + 2 * b) * h + c, y[-1])


def _table(name: str, thresholds: Array, origins: Array, pieces: Array, period: float) -> Table:
    content = hashlib.blake2b(digest_size=16)
    for array in (thresholds, origins, pieces, np.array([period])):
        content.update(array.astype("<f8").tobytes())
        array.flags.writeable = False
    return Table(name, content.hexdigest(), thresholds, origins, pieces, period)


def _check_name(place: str, name: str) -> None:
    """A table is printed as a function, and must be told from the others."""
    if not name.isidentifier() or name in FUNCTIONS or name in ("sqrt", "pi"):
        problem = say('the name "{name}" cannot be that of a function given by a table.', name)
        advice = "Choose a word of letters, digits and underscores that has no meaning yet."
        raise ModelError(place, problem, advice)


def _check_points(place: str, x: Array, y: Array) -> None:
    if x.ndim != 1 or x.shape != y.shape:
        problem = say("{size} arguments are given, but {size2} values.", x.size, y.size)
        raise ModelError(place, problem, "Give one value for each argument.")
    if len(x) < 2:
        problem = say("a table needs at least 2 points, not {number}.", len(x))
        raise ModelError(place, problem, "A constant needs no table.")
    for what, numbers in (("argument", x), ("value", y)):
        wrong = np.flatnonzero(~np.isfinite(numbers))
        if wrong.size:
            problem = say(
                "{what} {wrong} is {numbers}, not a finite number.",
                what,
                wrong[0] + 1,
                numbers[wrong[0]],
            )
            raise ModelError(place, problem, "Leave the point out.")
    falls = np.flatnonzero(np.diff(x) <= 0)
    if falls.size:
        k = falls[0]
        problem = say(
            "argument {k} is {x:g}, after {x2:g}: arguments must increase.", k + 2, x[k + 1], x[k]
        )
        raise ModelError(place, problem, "Sort the points, and keep one at each argument.")


def _check_manner(place: str, y: Array, ends: str | Slopes, beyond: str | None) -> None:
    if isinstance(ends, str) and ends not in ENDS:
        raise unknown(place, "end condition", ends, map(shown_key, ENDS))
    if not isinstance(ends, str) and not (len(ends) == 2 and np.isfinite(ends).all()):
        problem = say("the slopes of the ends are {ends}.", ", ".join(map(str, ends)))
        raise ModelError(place, problem, "Give two finite slopes, at the first and last point.")
    if beyond is not None and beyond not in BEYOND:
        raise unknown(place, "extrapolation", beyond, map(shown_key, BEYOND))
    if ends != "periodic":
        return
    if beyond is not None:
        problem = say(
            'beyond its ends a periodic table repeats itself: "{beyond}" has no meaning.', beyond
        )
        raise ModelError(place, problem, 'Leave out "beyond".')
    if y[0] != y[-1]:
        problem = say("it is periodic, but starts at {y:g} and stops at {y2:g}.", y[0], y[-1])
        raise ModelError(place, problem, "End it with the value it starts with.")
