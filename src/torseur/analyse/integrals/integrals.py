"""First integrals: what stays constant in every motion of a mechanism, found from its expressions.

Candidates are the energy, Painlevé's T2 − T0 + V where motions are imposed, the momenta of cyclic
coordinates, and the components of the linear and angular momentum along and about fixed axes. Each
is kept if its rate is zero in true motions at random states; where the condition of its theorem is
seen to vanish in the expressions themselves, that is a proof.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import evaluate, substitute
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.analyse.at_a_state.random_motion import (
    MovingState,
    given_motions,
    independent_speeds,
    random_motions,
)
from torseur.analyse.integrals.candidates import candidates
from torseur.analyse.integrals.rigid_symmetries import Candidate, further_symmetries
from torseur.equations.analytical.lagrangian import Lagrangian
from torseur.equations.constraints.constraint_rows import Constraints
from torseur.equations.expressions.sampling import with_size
from torseur.equations.formalisms.derive import derived
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.parametrisation import Parametrisation, chosen_coordinates
from torseur.equations.motion.signs_at_start import SignsAtStart, where_positive
from torseur.equations.symbols.system import System, system, unit_quaternions
from torseur.errors import unknown
from torseur.model.checks.mechanism_checks import require_coordinates
from torseur.model.constraints.protocol import ExpressionRow, JointRows
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.contact.smooth import require_smooth
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import LETTER, gravity_number, name_ranks, named_gravity
from torseur.model.values.scales import coordinate_units
from torseur.plain import entries
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.units import force_unit
from torseur.words.sentence import say, worded

Array = np.ndarray
EXACT, TESTED, GIVEN = "exact", "at random states", "at random states, for the given values"
_STATES = 6
_LONGEST = 500  # characters of a formula that is printed
_NOTHING = 1e-7  # what is zero thanks to constraints, which are closed to 1e-11
_CONSTANT = 1e-9  # of the terms of a rate: rounding of accelerations found by factorisation


@final
class FirstIntegral(Result):
    """A function of the state that is constant in every motion."""

    name: str  # such as "E", "p_theta", "P_x", "sigma_O_z"
    kind: str
    value: Expr  # in the symbols of the mechanism
    formula: Expr  # the same with g by its letter, in chosen coordinates, as one reads it at start
    unit: str
    why: str  # the theorem and its condition
    proof: str
    also: tuple[str, ...] = ()  # other names for the same quantity
    ranks: Ranks = field(default_factory=dict, repr=False)  # the order of symbols in print
    positive: tuple[Expr, ...] = ()  # what the formula takes to be positive, as it is at the start

    def __str__(self) -> str:
        same = say(" (also {names})", ", ".join(self.also)) if self.also else ""
        proof = (
            say("proved exactly")
            if self.proof == EXACT
            else say("constant {proof}", worded(self.proof))
        )
        written = text(self.formula, limit=_LONGEST, ranks=self.ranks)
        return "\n    ".join(
            [
                f"{self.name} = {written}  [{self.unit}]",
                *where_positive(self.positive, self.ranks),
                f"{worded(self.kind)}{same}{worded(': ')}{worded(self.why)}",
                proof,
            ]
        )


@final
class FirstIntegrals(Result):
    """The first integrals of a mechanism, and what its imposed motions need."""

    _repr_html_ = notebook.html
    _repr_latex_ = notebook.latex

    name: str
    found: tuple[FirstIntegral, ...]
    drives: tuple[Drive, ...] = ()

    def __iter__(self) -> Iterator[FirstIntegral]:
        return iter(self.found)

    def __len__(self) -> int:
        return len(self.found)

    def __getitem__(self, name: str | int) -> FirstIntegral:
        """By one of its names, or by its place."""
        if isinstance(name, int):
            return self.found[name]
        for one in self.found:
            if name in (one.name, *one.also):
                return one
        raise unknown("first integrals", "integral", name, [x.name for x in self.found])

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(one.name for one in self.found)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "name": self.name,
            "integrals": [
                entries(x, "name", "kind", "unit", "why", "proof", "also")
                | {"formula": text(x.formula, ranks=x.ranks)}
                | {"positive": [text(y, ranks=x.ranks) for y in x.positive]}
                for x in self.found
            ],
            "drives": [x.document for x in self.drives],
        }

    def __str__(self) -> str:
        count = len(self.found)
        numbers = {0: say("no first integrals"), 1: say("1 first integral")}
        text = numbers.get(count) or say("{count} first integrals", count)
        head = f"{self.name}{worded(': ')}{text}"
        return "\n".join([head, *map(str, self.found), *map(str, self.drives)])


def first_integrals(source: Mechanism | Lagrangian) -> FirstIntegrals:
    """The first integrals of a mechanism or of a Lagrangian, with their formulas and reasons.

    Sources: Llibre (2009) §2.2.7 to §2.2.9, Plaut (2007) §5.2 and §5.3. A momentum is kept only if
    no constraint holds its coordinate. Where ∂L/∂q plus the other forces is the derivative of an
    expression F(q, t), that is taken off the momentum; likewise off the energy where the rate of
    its own, −∂L/∂t plus the power of the other forces, is one (Noether, with a gauge term). A proof
    says "exact"; otherwise the rate was found zero at random states, with parameters at random if
    possible.
    """
    if isinstance(source, Lagrangian):
        searched: System = source.system
        return _IntegralSearch(searched, source.equations, source, None).result(
            searched.mechanism.name
        )
    require_coordinates(source, say("a search for first integrals"))
    require_smooth(source, say("a search for first integrals"))
    named = named_gravity(source)
    searched = system(named)
    size = gravity_number(source)
    return _IntegralSearch(searched, derived(searched, "newton-euler"), None, size).result(
        source.name
    )


@final
class _IntegralSearch:
    """The search in one system; `g` is the number that its letter stands for."""

    def __init__(
        self, system: System, equations: Equations, given: Lagrangian | None, g: Expr | None
    ) -> None:
        self._system = system
        self._equations = equations
        self._lagrangian = given
        self._letter = {} if g is None else {symbol(LETTER): g}
        self._chosen = given is None and bool(system.mechanism.chosen)

    @cached_property
    def _variables(self) -> Parametrisation:
        """The coordinates that the description chooses."""
        return chosen_coordinates(self._system)

    @cached_property
    def _given(self) -> list[MovingState]:
        """States with the parameters as they are."""
        return given_motions(self._equations, _STATES)

    @cached_property
    def _varied(self) -> list[MovingState]:
        """States with other parameters; where loops do not close then, none."""
        return random_motions(self._equations, _STATES, vary=True)

    def result(self, name: str) -> FirstIntegrals:
        """Candidates that are constant, each quantity once."""
        integrals: list[FirstIntegral] = []
        needed = drives(self._system) if self._lagrangian is None else ()
        if not independent_speeds(self._equations, self._given[0]):
            return FirstIntegrals(name, (), needed)  # imposed motions decide everything
        for candidate in candidates(self._system, self._lagrangian):
            self._consider(candidate, integrals)
        if self._lagrangian is None:
            values = [x.value for x in integrals]
            for candidate in further_symmetries(self._system, self._given, values):
                self._consider(candidate, integrals)
        return FirstIntegrals(name, tuple(integrals), needed)

    def _consider(self, candidate: Candidate, integrals: list[FirstIntegral]) -> None:
        value = candidate.value
        if candidate.unless and any(x.name in candidate.unless for x in integrals):
            return
        proof = self._proof(candidate)
        if not proof or self._trivial(value):
            return
        for k, known in enumerate(integrals):
            if self._same(known.value, value):
                integrals[k] = replace(known, also=(*known.also, candidate.name))
                return
        squares = unit_quaternions(self._system)
        plain = readable(value, squares)
        if plain is ZERO:
            return
        formula = readable(self._variables.written(plain), squares) if self._chosen else plain
        start = SignsAtStart(self._variables.reduced)
        shorter = start.without_sizes(formula)
        integrals.append(
            FirstIntegral(
                candidate.name,
                candidate.kind,
                substitute(plain, self._letter) if self._letter else plain,
                formula if shorter is formula else readable(shorter, squares),
                candidate.unit,
                candidate.why,
                proof,
                ranks=name_ranks(self._system.mechanism),
                positive=start.positive,
            )
        )

    def _proof(self, candidate: Candidate) -> str:
        """Proof that a candidate is constant; empty if it is not."""
        for states, proof in ((self._varied, TESTED), (self._given, GIVEN)):
            result = (x for state in states for x in state.rates_of([candidate.value]))
            if states and all(abs(rate) <= _CONSTANT * size for _, rate, size in result):
                return EXACT if proof == TESTED and candidate.proved() else proof
        return ""

    def _trivial(self, value: Expr) -> bool:
        """Whether it has the same value in all motions: nothing moves in it, or it is imposed."""
        result = [with_size(value, state.values) for state in self._given]
        values, sizes = zip(*result, strict=True)
        return bool(max(values) - min(values) <= _NOTHING * max(sizes))

    def _same(self, first: Expr, second: Expr) -> bool:
        """Whether one is the other, up to a factor and a constant, at the given parameters."""
        a, b = (
            np.array([float(evaluate(x, state.values)) for state in self._given])
            for x in (first, second)
        )
        if len(a) < 3:
            return False
        columns = np.column_stack([a, np.ones(len(a))])
        fit, *_ = np.linalg.lstsq(columns, b, rcond=None)
        left = np.abs(b - columns @ fit).max()
        return bool(left <= 1e-9 * np.abs(b).max(initial=1e-300)) and abs(fit[0]) > 1e-12


# --- imposed drives -------------------------------------------------------------------------------

# Drives of imposed motions: the force or couple that each needs, and its power.
#
# The power of the generalised forces leaves out what is spent to drag the system along with its
# coordinates held still (Llibre 2009, §2.2.7); it is found here as drive × imposed speed.


@final
class Drive(Result):
    """Force and power of an imposed motion, as expressions of the other coordinates."""

    motion: str
    coordinate: str
    force: Expr  # a couple for an angle [N m], a force for a length [N]
    power: Expr  # [W]
    unit: str = "N.m"
    ranks: Ranks = field(default_factory=dict, repr=False)  # the order of symbols in print

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        force, power = (text(x, ranks=self.ranks) for x in (self.force, self.power))
        return entries(self, "motion", "coordinate", "unit") | {"force": force, "power": power}

    def __str__(self) -> str:
        force, power = (text(x, limit=_LONGEST, ranks=self.ranks) for x in (self.force, self.power))
        return self.say(
            "the motion {motion} of {coordinate} needs {force} [{unit}], "
            "that is the power {power} [W]",
            force=force,
            power=power,
        )


def drives(system: System) -> tuple[Drive, ...]:
    """The drive of every imposed coordinate of the tree; other multipliers stay unknown."""
    motions = [
        m
        for m in imposed_coordinates(system.mechanism).values()
        if m.coordinate in system.coordinates
    ]
    if not motions:
        return ()
    equations, constraints = derived(system, "lagrange"), Constraints(system)
    speeds = {name.removesuffix("."): k for k, name in enumerate(system.speeds)}
    rows = {m.name: speeds[m.coordinate] for m in motions}
    known: dict[Expr, Any] = {}
    for motion in motions:
        k, law = rows[motion.name], expression(motion.law)
        rate = derivative(law, TIME)
        coordinate = system.q[system.coordinates.index(motion.coordinate)]
        known |= {coordinate: law, system.v[k]: rate, system.a[k]: derivative(rate, TIME)}
    powers, units = [], coordinate_units(system.mechanism)
    ranks = name_ranks(system.mechanism)
    for motion in motions:
        k = rows[motion.name]
        force = expression(equations.inverse_dynamics[k]) - equations.Q[k]
        for row, owner in enumerate(constraints.owners):
            if owner not in rows and constraints.J[row, k] is not ZERO:
                force = force - constraints.J[row, k] * constraints.unknowns[row]
        force = readable(substitute(force, known))
        power = readable(force * known[system.v[k]])
        unit = force_unit(units[motion.coordinate])
        powers.append(Drive(motion.name, motion.coordinate, force, power, unit, ranks))
    return tuple(powers)


def drive_power(run: Run, motion: str) -> Array:
    """The power that an imposed motion, of a coordinate or of a body, takes (samples) [W].

    All drives together give what the energy gains and what is dissipated.
    """
    needed, rows = run.drive(motion), run.model.mechanism.motions[motion].rows
    if isinstance(rows, ExpressionRow):
        return np.asarray(needed * run[f"{rows.coordinate}."])
    assert isinstance(rows, JointRows), "a body is moved as by a joint"
    at = [float(x) for x in evaluate(rows.X_BM.p, run.model.parameters)]
    velocity = run.seen.point((rows.second, at), derivative=1)
    turning = run.seen.frame(rows.second).angular_velocity
    return np.asarray((needed * np.concatenate([velocity, turning], axis=1)).sum(axis=1))
