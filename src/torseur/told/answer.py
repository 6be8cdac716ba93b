"""A formula typed by somebody, compared with the right one.

Faults that can be seen without computing come first: what cannot be read, symbols nothing defines,
vectors taken for scalars, terms of different dimensions. Then the formulas are compared as
functions: equal, equal up to a sign or a factor, or different, with a state where they differ and
the terms that do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur.algebra.expr import ONE, ZERO, Expr, expression
from torseur.algebra.graph import evaluate, free_symbols
from torseur.algebra.normal_form import vanishes
from torseur.algebra.readable import readable
from torseur.formalisms.lagrangian import Lagrangian
from torseur.mechanism.description import GROUND, Mechanism
from torseur.told.answer_text import answer_text
from torseur.told.asked import Asked, asked, constraint_rows
from torseur.told.constrained import constrained_samples, reduced_equation
from torseur.told.factors import Sampled, constant_factor, monomial_factor
from torseur.told.faults import DIMENSIONS, Fault
from torseur.told.groups import TermDifference, differing, groups
from torseur.told.model import Model
from torseur.told.sampling import EQUAL, random_states, sized
from torseur.told.submitted import Submitted, submitted

Array = np.ndarray
RIGHT = ("equal", "sign", "factor")


@final
@dataclass(frozen=True)
class Answer:
    """What is to be said of a formula. It prints as text; `text("fr")` is the same in French."""

    name: str  # what was asked for
    equation: bool
    verdict: str  # equal, sign, factor, combination, different or faulty
    expected: Any
    faults: tuple[Fault, ...] = ()
    factor: Expr | None = None  # expected = factor × given
    differences: tuple[TermDifference, ...] = ()
    state: Mapping[str, float] = field(default_factory=dict)  # where both differ
    values: tuple[float, float] | None = None  # of the right one and the given one there
    combination: Mapping[str, float] = field(default_factory=dict)
    exact: bool = False  # proved, not only tested at random states
    states: int = 0
    notices: tuple[str, ...] = ()

    @property
    def right(self) -> bool:
        """Whether it is right: an equation may have any factor, a quantity must be equal."""
        return self.verdict == "equal" or (self.equation and self.verdict in RIGHT)

    @property
    def codes(self) -> tuple[str, ...]:
        """The marks of annex B that the formula gets: SE, KK, INHT, INHD."""
        return tuple(dict.fromkeys(fault.code for fault in self.faults))

    def text(self, lang: str = "en") -> str:
        """What is to be said, in a language."""
        return answer_text(self, lang)

    def __str__(self) -> str:
        return self.text()

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            "of": self.name,
            "verdict": self.verdict,
            "right": self.right,
            "codes": list(self.codes),
            "factor": None if self.factor is None else str(self.factor),
            "differences": [
                {
                    "kind": x.group.kind,
                    "of": x.group.of,
                    "how": x.how,
                    "expected": str(x.group.expected),
                    "given": str(x.group.given),
                }
                for x in self.differences
            ],
            "state": dict(self.state),
            "values": None if self.values is None else list(self.values),
            "text": self.text().split("\n"),
        }


def check_answer(
    source: Mechanism | Lagrangian,
    formula: Any,
    of: str = "",
    *,
    coordinates: Mapping[str, str] | None = None,
    axes: str = GROUND,
) -> Answer:
    """Compare a formula with what the model says of `of`.

    The formula is text (`m*l^2*theta.. + m*g*l*sin(theta) = 0`), LaTeX, Mathematica or SymPy. `of`
    is a coordinate (its equation of motion), T, V, L, H or R, the generalised forces S_q and Q_q, a
    momentum p_q, a vector V(A), gamma(A), Omega(body), whose components may be along the `axes` of
    a body, or a constraint, whose condition it is. `coordinates` says what the coordinates of the
    model are in terms of those of the formula. Parameters take random values, so that 1 kg and 1 m
    are not mixed up.
    """
    model = Model(source, coordinates)
    rows = constraint_rows(model, of)
    if rows:
        return _best([_answer(model, row, formula) for row in rows])
    return _answer(model, asked(model, of, axes), formula)


def _best(answers: list[Answer]) -> Answer:
    """Of the conditions of a constraint, the one that was meant."""
    right = [x for x in answers if x.right]
    return right[0] if right else min(answers, key=lambda x: len(x.differences))


def _answer(model: Model, wanted: Asked, formula: Any) -> Answer:
    given = submitted(model, wanted, formula)
    fatal = [fault for fault in given.faults if fault.code != DIMENSIONS]
    if fatal or given.value is None:
        return Answer(
            wanted.name, wanted.equation, "faulty", wanted.expected, given.faults,
            notices=given.notices,
        )  # fmt: skip
    if wanted.order:
        return _of_vector(model, wanted, given)
    if wanted.equation and _without_reactions(model, wanted, given):
        return _constrained(model, wanted, given)
    return _compared(model, wanted, given)


# --- scalars --------------------------------------------------------------------------------------


def _compared(model: Model, wanted: Asked, given: Submitted) -> Answer:
    expected, found = expression(wanted.expected), expression(given.value)
    values = random_states(model, [expected, found, *(model.rows if wanted.equation else [])])
    (a, sa), (b, sb) = sized(expected, values), sized(found, values)
    samples = Sampled(a, b, sa + sb, values, EQUAL)
    used = [x.name for x in free_symbols([expected, found]) if x.kind == "parameter"]
    factor = constant_factor(samples) or monomial_factor(samples, used)
    if factor is None and wanted.equation:
        factor = _quotient(expected, found, samples)
    if factor is not None and not given.faults:
        exact = vanishes(expected - factor * found)
        return _settled(wanted, given, factor, exact, len(a))
    factor, apart = differing(groups(expected, found), values, wanted.equation)
    mixed = _combination(model, found, values) if wanted.equation and not given.faults else {}
    state, pair = _counter_example(expected, readable(factor * found), values, samples.worst)
    return Answer(
        wanted.name,
        wanted.equation,
        "combination" if mixed else "different",
        wanted.expected,
        given.faults,
        factor if factor is not ONE else None,
        () if mixed else tuple(apart),
        {} if mixed else state,
        None if mixed else pair,
        mixed,
        notices=given.notices,
    )


def _settled(wanted: Asked, given: Submitted, factor: Expr, exact: bool, states: int) -> Answer:
    verdict = "equal" if factor is ONE else "sign" if factor is -ONE else "factor"
    return Answer(
        wanted.name, wanted.equation, verdict, wanted.expected, given.faults,
        None if factor is ONE else factor, exact=exact, states=states, notices=given.notices,
    )  # fmt: skip


def _quotient(expected: Expr, found: Expr, samples: Sampled) -> Expr | None:
    """A factor that is no monomial, such as C + m R², or that depends on the configuration."""
    for x in groups(expected, found):
        if x.kind == "acceleration" and x.expected is not ZERO and x.given is not ZERO:
            factor = readable(x.expected / x.given)
            numbers, _ = sized(factor, samples.values)
            if np.isfinite(numbers).all() and samples.close(numbers):
                return factor
    return None


def _combination(model: Model, found: Expr, values: Mapping[str, Array]) -> dict[str, float]:
    """The equations of which the given one is the sum, with their small whole factors."""
    if len(model.rows) < 2:
        return {}
    rows = np.column_stack([sized(row, values)[0] for row in model.rows])
    mine, size = sized(found, values)
    if not np.isfinite(rows).all() or not np.isfinite(mine).all():
        return {}
    fit, *_ = np.linalg.lstsq(rows, mine, rcond=None)
    whole = np.asarray(np.round(fit))
    left = np.abs(mine - rows @ whole).max()
    if left > 1e-9 * size.max() or np.abs(whole).max() > 4 or not whole.any():
        return {}
    return {n: float(c) for n, c in zip(model.coordinates, whole, strict=True) if c}


def _counter_example(
    expected: Expr, found: Expr, values: Mapping[str, Array], k: int
) -> tuple[dict[str, float], tuple[float, float] | None]:
    """A state with short numbers, and both values there."""
    names = [x.name for x in free_symbols([expected, found])]
    state = {name: float(f"{values[name][k]:.2g}") for name in names}
    with np.errstate(all="ignore"):
        pair = float(evaluate(expected, state)), float(evaluate(found, state))
    return state, pair


# --- with constraints, and vectors ----------------------------------------------------------------


def _without_reactions(model: Model, wanted: Asked, given: Submitted) -> bool:
    """Whether an equation of a constrained model is written without its multipliers."""
    names = {x.name for x in model.multipliers}
    used = {x.name for x in free_symbols(expression(given.value))}
    needed = {x.name for x in free_symbols(expression(wanted.expected))}
    return bool(names & needed) and not names & used


def _constrained(model: Model, wanted: Asked, given: Submitted) -> Answer:
    row = model.coordinates.index(wanted.name)
    found = expression(given.value)
    samples = constrained_samples(model, row, found)
    used = [x.name for x in free_symbols([expression(wanted.expected), found])]
    names = [name for name in used if name in samples.values]
    factor = constant_factor(samples) or monomial_factor(samples, names)
    if factor is not None and not given.faults:
        return _settled(wanted, given, factor, False, len(samples.expected))
    apart = _terms_apart(model, row, found)
    if apart is not None:
        return replace(apart, name=wanted.name, faults=given.faults, notices=given.notices)
    k = samples.worst
    pair = float(samples.expected[k]), float(samples.given[k])
    state = {name: float(column[k]) for name, column in samples.values.items() if name in names}
    return Answer(
        wanted.name, wanted.equation, "different", wanted.expected, given.faults, state=state,
        values=pair, notices=given.notices,
    )  # fmt: skip


def _terms_apart(model: Model, row: int, found: Expr) -> Answer | None:
    """The terms that differ from the equation in one coordinate, if both speak of it alone."""
    expected = reduced_equation(model, row)
    if expected is None:
        return None
    spoken = {x for x in free_symbols(found) if x.kind != "parameter"}
    if not spoken <= set(free_symbols(expected)):
        return None
    values = random_states(model, [expected, found])
    factor, apart = differing(groups(expected, found), values, True)
    state, pair = _counter_example(expected, readable(factor * found), values, 0)
    shown = None if factor is ONE else factor
    return Answer("", True, "different", expected, (), shown, tuple(apart), state, pair)


def _of_vector(model: Model, wanted: Asked, given: Submitted) -> Answer:
    """Component by component; the first that differs is shown."""
    apart = None
    for axis, a, b in zip("xyz", wanted.expected, given.value, strict=True):
        part = Asked(f"{wanted.name}.{axis}", expression(a), False)
        found = _compared(model, part, Submitted(expression(b), given.faults, given.notices))
        if found.verdict != "equal" and apart is None:
            apart = found
    if apart is not None:
        return apart
    exact = all(
        vanishes(expression(a) - b) for a, b in zip(wanted.expected, given.value, strict=True)
    )
    return _settled(wanted, given, ONE, exact, len("xyz"))
