"""Where two derivations of the same equations differ, term by term."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, substitute
from torseur.algebra.printing.text import text
from torseur.equations.motion.equations import Equations

Array = np.ndarray
_CLOSE = 1e-9
_LONGEST = 200  # characters of a formula


@final
@dataclass(frozen=True)
class Difference:
    """A term of an output that two formalisms write differently."""

    output: str  # such as "M[x., theta.]"
    term: str  # such as "x. theta."; empty for the whole entry
    formalisms: tuple[str, str]
    terms: tuple[Expr, Expr]
    values: tuple[float, float]  # at one random state

    def __str__(self) -> str:
        where = f"{self.output}, term in {self.term}" if self.term else self.output
        lines = [
            f"  {formalism}: {_shortened(x)} = {value:.12g}"
            for formalism, x, value in zip(self.formalisms, self.terms, self.values, strict=True)
        ]
        return "\n".join([f"{where} differs:", *lines])


def _shortened(x: Expr) -> str:
    written = text(x, limit=_LONGEST)
    return written if len(written) <= _LONGEST else f"{written[:_LONGEST]}…"


def differences(
    first: Equations, second: Equations, values: Mapping[str, Array]
) -> list[Difference]:
    """Every term that differs at the given state."""
    state = {name: float(np.ravel(x)[0]) for name, x in values.items()}
    rows = []
    for where, entries in _entries(first, second):
        if not _differ(entries, state):
            continue
        terms = list(_terms(entries, first)) if where.startswith("h") else [("", entries)]
        for term, pair in terms:
            if _differ(pair, state):
                numbers = tuple(_value(x, state) for x in pair)
                names = (first.formalism, second.formalism)
                rows.append(Difference(where, term, names, pair, numbers))  # type: ignore[arg-type]
    return rows


def _entries(first: Equations, second: Equations) -> Iterator[tuple[str, tuple[Expr, Expr]]]:
    speeds = first.speeds
    for name in ("M", "h", "g", "Q"):
        a, b = (np.asarray(x.output(name), dtype=object) for x in (first, second))
        for index in np.ndindex(a.shape):
            label = ", ".join(speeds[k] for k in index)
            yield f"{name}[{label}]", (expression(a[index]), expression(b[index]))


def _terms(entries: tuple[Expr, Expr], given: Equations) -> Iterator[tuple[str, Any]]:
    """The coefficients of the products of two speeds, then what is left at rest."""
    v = given.system.v
    for j, x in enumerate(v):
        slopes = [derivative(entry, x) for entry in entries]
        for y in v[j:]:
            factor = 2 if x is y else 1
            yield f"{x.name} {y.name}", tuple(derivative(slope, y) / factor for slope in slopes)
    still = dict.fromkeys(v, ZERO)
    yield "no speed", tuple(substitute(entry, still) for entry in entries)


def _differ(pair: tuple[Expr, Expr], state: Mapping[str, float]) -> bool:
    a, b = (_value(x, state) for x in pair)
    return not abs(a - b) <= _CLOSE * max(abs(a), abs(b), 1e-3)


def _value(x: Expr, state: Mapping[str, float]) -> float:
    return float(evaluate(x, state))
