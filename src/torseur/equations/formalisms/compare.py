"""Comparison of the formalisms that apply to a mechanism: agreement at random states, and cost."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import derivative, jacobian, time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import evaluate, expressions, flat, free_symbols, substitute
from torseur.algebra.forms.count import Operations, count
from torseur.algebra.printing.text import text
from torseur.brief import brief
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.expressions.sampling import over_samples, unit_quaternions
from torseur.equations.formalisms.derive import FORMALISMS, derived
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import eliminated, imposed, in_variables
from torseur.equations.symbols.system import System, system
from torseur.equations.symbols.system_places import places_of
from torseur.errors import ModelError, require_known
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.library import Free
from torseur.notices import text_table
from torseur.words.sentence import say

Array = np.ndarray
LAWS = "lagrange, laws put in"
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


@final
@dataclass(frozen=True)
class Compared:
    """One formalism: what it costs and how far it is from the first, or why it does not apply."""

    formalism: str
    operations: Operations | None = None
    seconds: float = 0.0  # processor time of the derivation
    difference: float | None = None
    reason: str = ""

    @property
    def applies(self) -> bool:
        """Whether the formalism gave equations."""
        return self.operations is not None


@final
@dataclass(frozen=True)
class Comparison:
    """The formalisms of a mechanism side by side."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    name: str
    rows: tuple[Compared, ...]
    differences: tuple[Difference, ...] = ()

    @property
    def agree(self) -> bool:
        """Whether all that apply give the same equations."""
        return all(row.difference is None or row.difference <= EQUAL for row in self.rows)

    @property
    def document(self) -> dict[str, Any]:
        """Comparison as plain data."""
        return {
            "name": self.name,
            "agree": self.agree,
            "formalisms": [
                {
                    "formalism": row.formalism,
                    "applies": row.applies,
                    "operations": row.operations.total if row.operations else None,
                    "seconds": row.seconds,
                    "difference": row.difference,
                    "reason": row.reason,
                }
                for row in self.rows
            ],
            "differences": [str(x) for x in self.differences],
        }

    def __str__(self) -> str:
        head = (say("formalism"), say("operations"), say("time [ms]"), say("difference"))
        cells = [head, *(_cells(row) for row in self.rows if row.applies)]
        lines = text_table(cells, numbers=True)
        refused = (row for row in self.rows if row.reason)
        lines += [say("{words}: {names}", row.formalism, row.reason) for row in refused]
        if self.agree:
            lines.append(
                say("All that apply agree to {equal:g} at {states} random states.", EQUAL, STATES)
            )
        return "\n".join([*lines, *(str(x) for x in self.differences)])


def _cells(row: Compared) -> tuple[str, ...]:
    assert row.operations is not None, "only formalisms that apply have figures"
    apart = "–" if row.difference is None else f"{row.difference:.1e}"
    return row.formalism, str(row.operations.total), f"{1e3 * row.seconds:.1f}", apart


def compare(mechanism: Mechanism, formalisms: Sequence[str] = ()) -> Comparison:
    """M, h, g and Q by every formalism, or by those named, at random states of random parameters.

    Parameters that have a value keep it. The first formalism that applies is the reference. Where
    two disagree, the terms that differ are shown. Absolute coordinates are compared after
    projection on the speeds of the joints.
    """
    require_known("compare", "formalism", formalisms, FORMALISMS)
    known = system(mechanism)
    rows = [_derived(known, name) for name in formalisms or FORMALISMS]
    reference = next(
        (derived_equations for _, derived_equations in rows if derived_equations is not None), None
    )
    if reference is None:
        return Comparison(mechanism.name, tuple(row for row, _ in rows))
    compared = _beside(reference, rows, known)
    laws = imposed(known)
    if laws and "lagrange" in (formalisms or FORMALISMS) and reference.speeds == known.speeds:
        row, derived_equations = _derived(known, "lagrange", eliminate=laws)
        assert derived_equations is not None, "a law of time gives its coordinate"
        projected = in_variables(reference, eliminated(known, laws))
        compared += _beside(projected, [(replace(row, formalism=LAWS), derived_equations)], known)
    differences = tuple(x for _, apart in compared for x in apart)
    return Comparison(mechanism.name, tuple(row for row, _ in compared), differences)


def _derived(known: System, name: str, **options: Any) -> tuple[Compared, Equations | None]:
    """The equations with their cost, or why there are none."""
    began = time.process_time()
    try:
        equations = derived(known, name, **options)
    except ModelError as error:
        return Compared(name, reason=str(error).replace("\n  ", " ")), None
    seconds = time.process_time() - began
    cost = count([x for output in OUTPUTS for x in flat(equations.output(output))])
    return Compared(name, cost, seconds), equations


def _beside(
    reference: Equations, rows: Sequence[tuple[Compared, Equations | None]], known: System
) -> list[tuple[Compared, list[Difference]]]:
    """Difference of the equations of each row from the reference, and the terms that differ."""
    given = [derived_equations for _, derived_equations in rows if derived_equations is not None]
    samples = {
        id(x): JointSpeeds(x, known)
        for x in given
        if x.speeds != reference.speeds and reference.speeds == known.speeds
    }
    alike = [reference, *(x for x in given if x.speeds == reference.speeds)]
    values = sampled(alike, STATES, [y for x in samples.values() for y in x.spoken])
    right = numbers(reference, values, STATES)
    compared: list[tuple[Compared, list[Difference]]] = []
    for row, derived_equations in rows:
        if derived_equations is None:
            compared.append((row, []))
        elif derived_equations.speeds == reference.speeds:
            size = difference(right, numbers(derived_equations, values, STATES))
            apart = differences(reference, derived_equations, values) if size > EQUAL else []
            compared.append((replace(row, difference=size), apart))
        elif id(derived_equations) in samples:
            size = difference(right, samples[id(derived_equations)].numbers(values, STATES))
            compared.append((replace(row, difference=size), []))
        else:
            reason = say(
                "it has other variables ({count} speeds), and is not compared.",
                len(derived_equations.speeds),
            )
            compared.append((replace(row, reason=reason), []))
    return compared


# --- absolute coordinates -------------------------------------------------------------------------


@final
class JointSpeeds:
    """Absolute equations seen in the speeds of the joints, so that others compare with them.

    The poses and speeds w of all bodies are functions of the coordinates of a tree: w = B v and
    w' = B v' + β give Bᵀ (M (B v' + β) + h + g) = Bᵀ Q. The reactions of the joints that carry the
    bodies do not work in B and drop out.
    """

    def __init__(self, absolute: Equations, tree: System) -> None:
        self._absolute = absolute
        places, bodies = places_of(tree), tree.mechanism.bodies
        poses, speeds = [], []
        for _, link in absolute.system.tree:
            centre = Attachment(link.name, bodies[link.name].centre)
            poses += [*places.position(centre), *places.rotation(link.name).matrix.ravel()]
            speeds += [*places.velocity(centre), *places.twist(centre)[0]]
        self._poses, self._speeds = expressions(poses), expressions(speeds)
        self._B = jacobian(self._speeds, tree.v).reshape(len(speeds), len(tree.v))
        along = dict(zip(tree.q, coordinate_rates(tree), strict=True))
        self._turning = time_derivative(self._speeds, along, TIME)

    @property
    def spoken(self) -> list[Expr]:
        """The symbols that must have a value."""
        outputs = [x for name in OUTPUTS for x in flat(self._absolute.output(name))]
        return free_symbols([*outputs, *self._poses, *self._speeds, *self._turning])

    def numbers(self, values: Mapping[str, Array], states: int) -> Numbers:
        """M, h, g and Q in the speeds of the tree, at states of the tree."""
        n, m = self._B.shape
        at = numbers(self._absolute, {**values, **self._states(values, states)}, states)
        M = at["M"].reshape(n, n, states)
        B = over_states(self._B.ravel(), values, states).reshape(n, m, states)
        turning = over_states(self._turning, values, states)
        needed = at["h"] + np.einsum("ijk,jk->ik", M, turning)
        return {
            "M": np.einsum("iak,ijk,jbk->abk", B, M, B).reshape(m * m, states),
            "h": np.einsum("iak,ik->ak", B, needed),
            "g": np.einsum("iak,ik->ak", B, at["g"]),
            "Q": np.einsum("iak,ik->ak", B, at["Q"]),
        }

    def _states(self, values: Mapping[str, Array], states: int) -> dict[str, Array]:
        """The absolute coordinates and speeds by name."""
        system = self._absolute.system
        poses = over_states(self._poses, values, states).reshape(-1, 4, 3, states)
        placed = [
            Free().read(pose[1:, :, k], pose[0, :, k]) for k in range(states) for pose in poses
        ]
        q = np.array(placed, dtype=float).reshape(states, len(system.q)).T
        v = over_states(self._speeds, values, states)
        return dict(zip((*system.coordinates, *system.speeds), (*q, *v), strict=True))
