"""A mechanism at rest, or in steady motion: what keeps its independent speeds from changing.

In a steady motion the independent speeds u are constant, and every coordinate that anything depends
on is. The other accelerations c follow from the constraints, and what remains to be balanced is
F = Nᵀ (M c + h + g − Q) = 0. At rest u = 0, or only what imposed motions move has a speed: then
F = 0 says that E_p − K0 is stationary (Plaut 2007, §4.3 with erratum E4-20).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import final

import numpy as np

from torseur.analyse.at_a_state.chart import (
    Chart,
    Reduced,
    UnknownPlaces,
    balance,
    chart,
    close_loops,
    completed,
    parameter_effect,
    places,
    reduced,
    solved,
)
from torseur.analyse.at_a_state.chart import multipliers as least
from torseur.analyse.at_a_state.pose import Posed, posed
from torseur.analyse.at_a_state.tangent import Slopes, StateTerms, Tangent
from torseur.brief import values_text
from torseur.errors import SolveError
from torseur.result import Result
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.multipliers import accelerations, direct
from torseur.simulation.constraints.numeric_constraints import CLOSED
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray
_JUMP = 0.3  # from where a state is expected: it is another way of closing the loops
_STEPS = 60  # of Newton's method
_TURN = 0.7  # the most an angle turns in a step [rad]
_SMALL = 1e-11  # a step after which nothing changes any more
_SMALLEST = 1e-4  # of the weight times the length: 1e-9 of that is rounding
_CANCELLED = 1e-13  # of the weight times the length
_OF_LOOPS = 1e4  # what rounding of closed loops makes of forces
_STUCK = 1e-7  # where F has a double zero steps only halve: then this has to do


@final
class AtState(Result):
    """A state with its accelerations and multipliers, and the equations there."""

    tangent: Tangent
    q: Array
    v: Array
    a: Array
    lam: Array
    t: float
    terms: StateTerms
    chart: Chart

    @cached_property
    def F(self) -> Array:
        """Unbalanced forces along the independent speeds [N or N m]."""
        return np.asarray(balance(self.terms, self.chart).T @ self.terms.r)

    @cached_property
    def largest(self) -> float:
        """The largest energy of loads and stiffnesses, with which others are compared [J].

        Where they are rounding themselves, because weights cancel, a small part of the weights.
        """
        return max(_SMALLEST * self.tangent.weight, self._acting)

    @cached_property
    def units(self) -> Array:
        """(shifts): the length of the mechanism for lengths, 1 for angles."""
        return self.tangent.model.sizes.displacements[list(self.chart.shifts)]

    @cached_property
    def arms(self) -> Array:
        """(speeds): the same along the independent speeds; F times its arm is an energy."""
        return self.tangent.model.sizes.displacements[list(self.chart.speeds)]

    @cached_property
    def rounding(self) -> float:
        """Rounding left where energies of the size of weights and stiffnesses cancel [J]."""
        return max(1e-12 * self._acting, _CANCELLED * self.tangent.weight)

    @property
    def noise(self) -> float:
        """Rounding of energies where loops are closed to rounding, which forces multiply [J]."""
        return self.rounding * (_OF_LOOPS if self.tangent.positions else 1.0)

    @cached_property
    def _acting(self) -> float:
        """Largest energy of loads over the size of the mechanism, and of stiffnesses [J]."""
        loads = (self.terms.r + self.terms.T.T @ self.lam) * self.tangent.model.sizes.displacements
        K = self.arms[:, np.newaxis] * self.reduced.K * self.units
        return max(float(np.abs(K).max(initial=0.0)), float(np.abs(loads).max(initial=0.0)))

    @cached_property
    def pose(self) -> Posed:
        """The bodies where they are, and how they can move."""
        return posed(Assembled(self.tangent.model, self.q, self.v, 0.0, {}))

    @cached_property
    def reduced(self) -> Reduced:
        """The small motions about this state."""
        return reduced(self.terms, self.chart)

    def at(
        self, q: Array, v: Array | None = None, sought: Unknowns | None = None
    ) -> AtState | None:
        """The steady state at other coordinates, loops closed by those that are not independent.

        With the speeds that it has here, or v; None where loops do not close.
        """
        speeds, fixed = self.v if v is None else v, self.chart.shifts
        return closed_state(
            self.tangent, q, self.t, speeds, sought, previous=self.chart, fixed=fixed
        )

    def beside(
        self, shift: Array, v: Array | None = None, sought: Unknowns | None = None
    ) -> AtState | None:
        """Steady state after a displacement."""
        return self.at(advanced(self.tangent.model, self.q, shift), v, sought)

    def along(self, name: str, values: Array) -> Iterator[AtState]:
        """The states at values of the one free coordinate, as far as loops close without a jump.

        Each is found straight on from the last two: where loops can close in several ways that is
        how a motion goes on.
        """
        model, k = self.tangent.model, self.tangent.coordinates.index(name)
        (rate,) = self.chart.P.T
        state = self
        for x in values:
            q = advanced(model, state.q, (x - state.q[k]) * rate)
            q[k] = x
            there = self.at(q)
            if there is None:
                return
            missed = self.tangent.displacement(q, there.q) / model.sizes.displacements
            if np.abs(missed).max() > _JUMP:
                return
            if (gone := x - state.q[k]) != 0:
                rate = self.tangent.displacement(state.q, there.q) / gone
            state = there
            yield state

    def moving(self, v: Array | None = None) -> AtState:
        """State with its true accelerations, at its speeds or at others."""
        tangent, q, t = self.tangent, self.q, self.t
        v = self.v if v is None else v
        terms = tangent.at(q, t, v)
        if terms.pushed is None:
            a, lam = accelerations(terms.M, -terms.r, terms.J, terms.w, tangent.model.sizes)
        else:
            a, lam = direct(terms.M, -terms.r, terms.J, terms.w, terms.T)
        result = tangent.at(q, t, v, a, lam)
        return AtState(tangent, q, v, a, lam, t, result, chart(result, previous=self.chart))

    def unbalanced(self) -> SolveError:
        """Error: no equilibrium near this state."""
        model, worst = self.tangent.model, int(np.abs(self.F).argmax()) if len(self.F) else 0
        along = model.speeds[self.chart.speeds[worst]].removesuffix(".")
        where = values_text(dict(zip(model.coordinates, self.q, strict=True)), 4)
        problem = say(
            "no equilibrium was found near {where}: {f:.3g} N or N m is not balanced along "
            "{names}.",
            where,
            self.F[worst],
            along,
        )
        return SolveError(
            f'mechanism "{model.mechanism.name}"',
            problem,
            "Start nearer to an equilibrium, find all of them with equilibria(…), or give the "
            "state itself. For a steady rotation, use steady_motions(…).",
        )

    def slopes(self, names: tuple[str, ...]) -> Slopes:
        """The derivatives by parameters."""
        return self.tangent.parameters(names, self.q, self.t, self.v, self.a, self.lam)


# From a state and a step, as displacements and changes of speeds: by how much to go.
Deflation = Callable[[AtState, Array, Array], float]


@final
@dataclass(frozen=True)
class Unknowns:
    """Unknowns of a search, by indices of speeds; the rest stays as it is."""

    frozen: frozenset[int] = frozenset()  # displacements that keep their value
    speeds: frozenset[int] = frozenset()  # independent speeds that are unknown
    turning: frozenset[int] = frozenset()  # displacements that may go on for ever
    idle: frozenset[int] = frozenset()  # equations that are always satisfied
    wanted: tuple[int, ...] = ()  # independent coordinates, before others
    given_speeds: tuple[tuple[int, float], ...] = ()  # speeds that are given, with their values

    def places(self, chart: Chart) -> UnknownPlaces:
        """Where the unknowns and the equations stand in a chart."""
        given = self.turning or self.frozen, self.given_speeds
        return places(chart.shifts, chart.speeds, self.frozen, self.speeds, self.idle, *given)

    def resting(self, v: Array) -> Array:
        """The speeds without those of displacements that must stand still in a steady motion."""
        if not self.turning:
            return v
        return np.where([i in self.turning for i in range(len(v))], v, 0.0)

    def residual(self, state: AtState) -> Array:
        """Residual of the search: unbalanced forces, then speeds that must have given values."""
        places = self.places(state.chart)
        forces = state.F[places.equations]
        if not places.still:
            return forces
        return np.concatenate([forces, state.v[places.still] - places.kept])

    def units(self, state: AtState) -> Array:
        """Reference values of the unknown displacements, then of the unknown speeds."""
        sizes = state.tangent.model.sizes
        return self.counted_in(state, sizes.displacements, 1 / sizes.scales.time)

    def counted_in(self, state: AtState, lengths: Array, rate: float) -> Array:
        """Reference values from a length of each displacement, and a rate [1/s] for speeds."""
        places = self.places(state.chart)
        displacements = lengths[places.moved]
        return (
            np.concatenate([displacements, rate * lengths[places.turned]])
            if places.turned
            else displacements
        )

    def jacobian(self, state: AtState) -> Array:
        """Derivatives of the residual by the unknown displacements, then by the unknown speeds."""
        equations, places = state.reduced, self.places(state.chart)
        upper = places.columns(equations.K, equations.D)[places.equations]
        if not places.still:
            return upper
        return np.concatenate([upper, places.columns(equations.L, state.chart.N)[places.still]])

    def step(self, state: AtState) -> Array:
        """The unknowns changed so that what has to vanish does so to first order.

        A force of rounding that no unknown changes, within a family, says nothing.
        """
        sizes, places, units = (
            state.tangent.model.sizes,
            self.places(state.chart),
            self.units(state),
        )
        rows = sizes.displacements[places.balanced] / sizes.energy
        if places.still:
            speeds = sizes.scales.time / sizes.displacements[places.still]
            rows = np.concatenate([rows, speeds])
        plain = rows[:, np.newaxis] * self.jacobian(state) * units
        right = -rows * self.residual(state)
        size = np.maximum(np.abs(right), np.abs(plain).max(axis=1, initial=0.0))
        telling = size > state.noise / sizes.energy
        return np.asarray(units * solved(plain[telling], right[telling]))

    def balanced(self, state: AtState) -> bool:
        """Whether the residual is nothing but rounding.

        A row is compared with what a displacement of about the size of the mechanism, or of about
        a radian, would make of it.
        """
        left, slopes = (
            np.abs(self.residual(state)),
            np.abs(self.jacobian(state)) * self.units(state),
        )
        sizes, places = state.tangent.model.sizes, self.places(state.chart)
        forces = state.rounding / sizes.displacements[places.balanced]
        still = sizes.displacements[places.still]
        speeds = 1e-12 * still * np.abs(state.v / sizes.displacements).max(initial=0.0)
        return bool(np.all(left <= 1e-7 * slopes.sum(axis=1) + np.concatenate([forces, speeds])))

    def slope(self, state: AtState, name: str) -> Array:
        """Derivative of the residual by a parameter."""
        effect = parameter_effect(state.terms, state.chart, state.slopes((name,)))
        places = self.places(state.chart)
        return np.concatenate([effect.force[places.equations, 0], effect.speeds[places.still, 0]])

    # --- Newton's method ------------------------------------------------------------------------

    def solved(
        self, state: AtState | None, *, deflation: Deflation | None = None, steps: int = _STEPS
    ) -> AtState | None:
        """The nearest state at which everything is balanced; None if there is none.

        There is none near a state whose loops did not close, None itself. Steps are shortened so
        that angles turn little at once.
        """
        if state is None:
            return None
        small, within = 0, CLOSED
        for _ in range(steps):
            step = self.step(state)
            if deflation is not None:
                step = step * deflation(state, *self.apart(state, step))
            size = float(np.abs(step / self.units(state)).max(initial=0.0))
            if not np.isfinite(size):
                return None
            small = small + 1 if size < _STUCK and within == CLOSED else 0
            done = small > 12 or (small and size < _SMALL)
            # loops need not be closed to rounding while steps are large
            within = min(max(size**2, CLOSED), 1e-4)
            after = self.shifted(state, step * self._shortened(state, step), within)
            if after is None:
                return None
            state = after
            if done:
                # a step that is not pushed away by what is known brings it to rounding
                last = self.shifted(state, self.step(state))
                state = state if deflation is None or last is None else last
                return state if self.balanced(state) else None
        return None

    def _shortened(self, state: AtState, step: Array) -> float:
        """By how much a step is shortened so that angles turn little at once."""
        displacements, metres = self.places(state.chart).moved, state.tangent.metres
        turned = (abs(x) for i, x in zip(displacements, step, strict=False) if not metres[i])
        return min(1.0, _TURN / max(float(max(turned, default=0.0)), 1e-300))

    def apart(self, state: AtState, step: Array) -> tuple[Array, Array]:
        """The displacements and the changes of speeds of a step in the unknowns."""
        places = self.places(state.chart)
        rates = np.zeros(state.tangent.size)
        rates[places.turned] = step[len(places.shifts) :]
        return state.chart.P[:, places.shifts] @ step[: len(places.shifts)], rates

    def shifted(self, state: AtState, step: Array, within: float = CLOSED) -> AtState | None:
        """The state after a step in the unknowns."""
        shift, rates = self.apart(state, step)
        q = advanced(state.tangent.model, state.q, shift)
        fixed = tuple(self.frozen & set(state.chart.shifts))
        return closed_state(
            state.tangent, q, state.t, state.v + rates, self, fixed=fixed, within=within
        )


def steady_state(
    tangent: Tangent,
    q: Array,
    v: Array | None,
    t: float,
    sought: Unknowns | None = None,
    previous: Chart | None = None,
) -> AtState:
    """The state with the independent speeds of v, or none, not accelerated."""
    v = np.zeros(tangent.size) if v is None else v
    preferred = () if sought is None else sought.wanted
    terms = tangent.at(q, t)
    at = chart(terms, preferred, previous)
    speeds = v if sought is None else sought.resting(v)
    v = at.N @ speeds[list(at.speeds)] + completed(terms.J, at.speeds, -terms.u, terms.units)
    rates = np.abs(v) / tangent.model.sizes.displacements
    v = np.where(rates > 1e-14 * rates.max(initial=0.0), v, 0.0)
    if v.any():
        terms = tangent.at(q, t, v)
    if tangent.slides is not None:
        tangent.slides.check(terms.r)
    a = completed(terms.J, at.speeds, -terms.w, terms.units)
    lam = least(terms.T, terms.M @ a + terms.r, terms.units)
    if a.any() or lam.any():
        terms = tangent.at(q, t, v, a, lam)
    return AtState(tangent, q, v, a, lam, t, terms, at)


def closed_state(
    tangent: Tangent,
    q: Array,
    t: float,
    v: Array | None = None,
    sought: Unknowns | None = None,
    *,
    previous: Chart | None = None,
    fixed: tuple[int, ...] = (),
    within: float = CLOSED,
) -> AtState | None:
    """The steady state at the nearest coordinates that close every loop; None if there are none."""
    closed = close_loops(tangent, q, t, fixed, within)
    return None if closed is None else steady_state(tangent, closed, v, t, sought, previous)
