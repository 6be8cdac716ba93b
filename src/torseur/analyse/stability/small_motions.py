"""Small motions about any state without inputs, M s̈ + D ṡ + K s = 0: eigenvalues and stability.

s are independent displacements; every other coordinate follows. Derivatives are exact, from the
graph of the equations. With rolling there are more displacements than speeds: then K is not square.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from torseur.analyse.at_a_state.channels import Channels, zero_slopes
from torseur.analyse.at_a_state.chart import Reduced
from torseur.analyse.at_a_state.light_motions import in_balance
from torseur.analyse.at_a_state.state_freedoms import StatePlaces
from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.stability.potential import has_energy, valley
from torseur.analyse.stability.vibration_modes import (
    Eigensystem,
    Evidence,
    Mode,
    Verdict,
    conservative,
    general,
    modes,
    negligible,
    verdict,
)
from torseur.errors import SolveError
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray


class SmallMotions(Result):
    """The matrices of small motions about a state, their eigenvalues and what these decide.

    `A` is the first-order form of x = (s, w), with speeds w (= ṡ without rolling), and of the
    first-order states after them, which M, D and K leave out. Displacements of coordinates that
    turn are left out, because nothing depends on them.
    """

    here: AtState
    turning: frozenset[int]  # displacements that turn for ever
    is_steady: bool
    is_held: bool  # by constant forces that are no part of the mechanism
    M: Array
    D: Array
    K: Array
    A: Array

    @cached_property
    def places(self) -> StatePlaces:
        """The places of displacements, speeds and first-order states."""
        return StatePlaces(self.here, self.turning)

    @property
    def first_order(self) -> tuple[str, ...]:
        """The names of the first-order states."""
        return self.places.names

    @property
    def coordinates(self) -> tuple[str, ...]:
        """The names of s."""
        speeds, at = self.here.tangent.speeds, self.here.chart.shifts
        return tuple(displacement_name(speeds[at[k]]) for k in self.places.shifts)

    @property
    def speeds(self) -> tuple[str, ...]:
        """The names of w."""
        speeds, at = self.here.tangent.speeds, self.here.chart.speeds
        return tuple(speeds[at[k]] for k in self.places.speeds)

    # --- eigenvalues ----------------------------------------------------------------------------

    @cached_property
    def spectrum(self) -> Eigensystem:
        """Eigenvalues, vectors and what rounding can do to them."""
        speeds, softest = self._arms, self._softest
        error = self.here.rounding / softest
        plain = self._plain and not self.first_order
        if plain and negligible(self._alike(self.D), self._damping) and self._symmetric:
            return conservative(self.M, self.K, error)
        n, end = len(self.places.shifts), len(self.places.bodies)
        errors = np.zeros_like(self.A)
        errors[n:end, :n] = error * speeds[:, np.newaxis] / self._units
        D = np.abs(self._alike(self.D)).max(initial=0.0)
        errors[n:end, n:end] = 1e-12 * D / softest * speeds[:, np.newaxis] / speeds
        errors[end:, end:] = 1e-14 * np.abs(self.A[end:, end:])
        return general(self.A, errors)

    @property
    def _arms(self) -> Array:
        """(w): what the speeds are counted in, along displacements."""
        return self.here.arms[list(self.places.speeds)]

    @property
    def _units(self) -> Array:
        """(s): what the displacements are counted in."""
        return self.here.units[list(self.places.shifts)]

    @property
    def _plain(self) -> bool:
        """Whether w = ṡ."""
        n, A = len(self.M), self.A[: len(self.places.bodies), : len(self.places.bodies)]
        upper = np.concatenate([np.zeros((n, n)), np.eye(n)], axis=1)
        return A.shape == (2 * n, 2 * n) and bool(np.allclose(A[:n], upper, atol=1e-12))

    def _alike(self, matrix: Array) -> Array:
        """M or D with lengths in units of that of the mechanism: entries can be compared."""
        return np.asarray(self._arms[:, np.newaxis] * matrix * self._arms)

    @property
    def _stiffness(self) -> Array:
        """K in such units [J]."""
        return np.asarray(self._arms[:, np.newaxis] * self.K * self._units)

    @property
    def _softest(self) -> float:
        """The least inertia, in units of the length of the mechanism [kg m²]."""
        sizes = np.linalg.eigvalsh(self._alike((self.M + self.M.T) / 2))
        return float(sizes[0]) if len(sizes) else 1.0

    @property
    def _damping(self) -> float:
        """A damping that would count."""
        inertia, stiffness = np.abs(self._alike(self.M)), np.abs(self._stiffness)
        return float(np.sqrt(inertia.max(initial=0.0) * stiffness.max(initial=0.0)))

    @property
    def _symmetric(self) -> bool:
        both = self._alike(self.M), self._stiffness
        return all(negligible(x - x.T, float(np.abs(x).max(initial=0.0))) for x in both)

    @property
    def eigenvalues(self) -> Array:
        """λ of A [1/s], each conjugate pair next to each other; zeros are exact zeros."""
        return np.where(self.spectrum.zero, 0.0, self.spectrum.values)

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """The modes, slow ones first, with the motion of every coordinate of every joint.

        What turns in a steady motion is given by its speed.
        """
        channels = Channels(self.places, zero_slopes(self.here, 0))
        rows = dict(channels.positions)
        for k in self.turning:
            speed = self.here.tangent.speeds[k]
            rows.pop(displacement_name(speed), None)
            rows[speed] = channels.speeds[speed]
        return modes(self.spectrum, rows)

    # --- stability ------------------------------------------------------------------------------

    @cached_property
    def stable(self) -> Verdict:
        """The verdict with its reason and its limits; true when stable."""
        if not self.is_steady:
            limits = say("A and the modes hold at this instant only.")
            reason = say("the state is not steady: {why}.", self._unsteady)
            return Verdict("undecided", reason, limits)
        return verdict(self._evidence)

    @property
    def is_one_sided(self) -> bool:
        """Whether there is a potential that rises, or falls, in all directions."""
        known = self._evidence
        if not self.is_steady or known.curvature is None:
            return False
        return bool((known.curvature > known.flat).all() or (known.curvature < -known.flat).all())

    @property
    def _unsteady(self) -> str:
        """Cause of unsteadiness in words: an acceleration, or a shape that changes."""
        names, a = self.here.tangent.speeds, self.here.a
        rates = np.abs(a) / self.here.tangent.model.sizes.displacements
        worst = int(rates.argmax()) if len(a) else 0
        if len(a) and rates[worst] > 1e-9 * self.here.largest / self._softest:
            return say("{name} changes by {a:.3g} m/s² or rad/s²", names[worst], a[worst])
        v = np.abs(self.here.v)
        moving = [names[i] for i in self.here.chart.shifts if v[i] > 1e-9 * v.max()]
        return say("{moving} move, and the loads depend on their positions", ", ".join(moving))

    @property
    def _evidence(self) -> Evidence:
        curvature, potential = None, say("$E_p − K0$") if self.here.v.any() else say("$E_p$")
        K = self._routh if self.turning else self.K if self._plain else None
        K = None if K is None else self._units[:, np.newaxis] * K * self._units
        even = K is not None and negligible(K - K.T, 1e3 * self.here.largest)
        if (
            K is not None
            and even
            and not self.first_order
            and self.here.tangent.holonomic
            and has_energy(self.here)
        ):
            curvature = np.linalg.eigvalsh((K + K.T) / 2)
        if self.turning:
            potential = say("the potential at constant momenta")
        if self.is_held:
            potential = say("$E_p$ less the work of the holding forces")
        flat = 1e2 * self.here.rounding
        turning = bool(self.turning)
        low = ""
        if curvature is not None and not turning and not self.is_held:
            low = self._valley(curvature, flat)
        return Evidence(self.spectrum, self.modes, potential, curvature, flat, turning, low)

    def _valley(self, curvature: Array, flat: float) -> str:
        """Shape of the potential along the one direction without curvature; empty if several."""
        if not (np.abs(curvature) <= flat).sum() == 1 == (curvature <= flat).sum():
            return ""
        along = valley(self.here)
        # what does not rise is held or not by rotation: no theorem says
        return "" if along == "falls" and self.here.v.any() else along

    @property
    def _routh(self) -> Array | None:
        """The stiffness of the shape when the momenta p of what turns stay the same.

        Their rows read d/dt (M_tt w_t + M_ts ṡ + D_ts s) = 0, which gives w_t.
        """
        speeds = self.here.chart.speeds
        t = [k for k, i in enumerate(speeds) if i in self.turning]
        s = [k for k in range(len(speeds)) if k not in t]
        D, K = self._alike(self.D), self._stiffness
        if (
            self.first_order
            or len(s) != len(self.places.shifts)
            or not negligible(K[t], 1e2 * self.here.largest)
        ):
            return None
        if not negligible((D + D.T) / 2, 1e2 * (self._damping + np.abs(D).max(initial=0.0))):
            return None
        D_st, D_ts = self.D[np.ix_(s, t)], self.D[np.ix_(t, s)]
        return np.asarray(self.K[s] - D_st @ np.linalg.solve(self.M[np.ix_(t, t)], D_ts))


def small_motions(
    state: AtState, turning: frozenset[int], is_steady: bool, is_held: bool
) -> SmallMotions:
    """The small motions about a state; an error where no inertia resists one of them."""
    state = in_balance(state, turning)
    equations, places = state.reduced, StatePlaces(state, turning)
    _check_inertia(state, equations)
    speeds, shifts = list(places.speeds), list(places.shifts)
    return SmallMotions(
        state,
        turning,
        is_steady,
        is_held,
        equations.M[np.ix_(speeds, speeds)] + 0.0,  # no zeros with a sign
        equations.D[np.ix_(speeds, speeds)] + 0.0,
        equations.K[np.ix_(speeds, shifts)] + 0.0,
        places.among(equations.A) + 0.0,
    )


def displacement_name(speed: str) -> str:
    """The coordinate of a speed; for an angular velocity, the small rotation it makes."""
    return speed.removesuffix(".") if speed.endswith(".") else f"∫{speed}"


def _check_inertia(state: AtState, equations: Reduced) -> None:
    """M must resist every independent motion."""
    M = equations.M
    if not len(M) and state.chart.shifts:
        return  # first-order motions only
    if not len(M):
        raise SolveError(
            f'mechanism "{state.tangent.model.mechanism.name}"',
            say("it has {number} free motions: nothing can vibrate.", len(M)),
            "Every coordinate is imposed or held.",
        )
    sizes, shapes = np.linalg.eigh(state.arms[:, np.newaxis] * (M + M.T) / 2 * state.arms)
    if sizes[0] <= 1e-13 * sizes[-1]:
        shape = shapes[:, 0]
        name = state.tangent.speeds[state.chart.speeds[int(np.abs(shape).argmax())]]
        raise SolveError(
            f'mechanism "{state.tangent.model.mechanism.name}"',
            say(
                "no inertia resists ${name}$ at this configuration (0 but for rounding, the "
                "largest being {sizes:.3g}).",
                name.removesuffix("."),
                sizes[-1],
            ),
            "Give the body a mass or an inertia, or use coordinates that are not singular here.",
        )
