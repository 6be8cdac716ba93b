"""Whether two derivations of the same equations agree at random states, and which terms do not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, flat, free_symbols, substitute
from torseur.algebra.printing.text import text
from torseur.equations.expressions.sampling import over_samples, unit_quaternions
from torseur.equations.motion.equations import Equations
from torseur.words.sentence import say

Array = np.ndarray
Numbers = Mapping[str, Array]  # by output: one row for each entry, one column for each state
OUTPUTS = ("M", "h", "g", "Q")
STATES = 20
EQUAL = 1e-12  # relative
FLOOR = 1e-2  # of the largest of M, h, g and Q
_CLOSE = 1e-9
_LONGEST = 200  # characters of a formula


def largest_difference(first: Equations, second: Equations) -> float:
    """Between M, h, g and Q of two derivations, each relative to its largest entry at any state."""
    values = sampled([first, second], STATES)
    return difference(numbers(first, values, STATES), numbers(second, values, STATES))


def difference(first: Numbers, second: Numbers) -> float:
    """Largest relative difference of outputs that are already numbers.

    What is nearly zero beside the others is measured against a hundredth of them.
    """
    pairs = {name: (first[name], second[name]) for name in OUTPUTS}
    size = {name: float(np.abs(pair).max(initial=0.0)) for name, pair in pairs.items()}
    floor = FLOOR * max(size.values())  # speeds and accelerations are of the order of one
    worst = 0.0
    for name, (a, b) in pairs.items():
        apart = float(np.abs(a - b).max(initial=0.0))
        if apart > 0:
            worst = max(worst, apart / max(size[name], floor))
    return worst if all(np.isfinite(list(size.values()))) else np.inf


def sampled(given: Sequence[Equations], states: int, more: Iterable[Any] = ()) -> dict[str, Array]:
    """Random values of every symbol, with unit quaternions; `states` of each."""
    system = given[0].system
    rng = np.random.default_rng(0)
    spoken = [x for equations in given for name in OUTPUTS for x in flat(equations.output(name))]
    values = {x.name: rng.uniform(0.4, 1.6, states) for x in free_symbols([*spoken, *more])}
    for name, value in system.mechanism.parameters.items():
        if value is not None:
            values[name] = np.full(states, value)
    return values | unit_quaternions(system, rng, states)


def numbers(given: Equations, values: Mapping[str, Array], states: int) -> Numbers:
    """M, h, g and Q at states; what they share is computed once."""
    rows = [flat(given.output(name)) for name in OUTPUTS]
    values_at = over_states([x for row in rows for x in row], values, states)
    ends = np.cumsum([len(row) for row in rows])[:-1]
    return dict(zip(OUTPUTS, np.split(values_at, ends), strict=True))


def over_states(outputs: Array | Sequence[Any], values: Mapping[str, Array], states: int) -> Array:
    """One row for each expression, one column for each state."""
    return over_samples(outputs, values, states).T


# --- term by term -------------------------------------------------------------------------------


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
        where = (
            say("{output}, term in {term}", self.output, self.term) if self.term else self.output
        )
        lines = [
            f"  {formalism}: {_shortened(x)} = {value:.12g}"
            for formalism, x, value in zip(self.formalisms, self.terms, self.values, strict=True)
        ]
        return "\n".join([say("{where} differs:", where), *lines])


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
    for name in OUTPUTS:
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
