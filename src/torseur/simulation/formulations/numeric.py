"""The motion of a large mechanism in the coordinates of joints, by numerical linear algebra."""

from __future__ import annotations

from collections.abc import Callable
from typing import final

import numpy as np
import scipy

from torseur.errors import ModelError, SolveError
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.simulation.constraints.displacement import advanced
from torseur.simulation.constraints.multipliers import Resolution
from torseur.simulation.constraints.newton import Look, returned
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.joint_start import ConstrainedRate, JointStart, Mover
from torseur.simulation.formulations.protocol import MotionStates, interruption_notice
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.trouble import Halt, trouble
from torseur.words.sentence import say

Array = np.ndarray
_RANK = 1e-10


@final
class NumericFormulation:
    """By the separate functions of the model, SciPy's integrators and projection."""

    def __init__(
        self,
        begin: JointStart,
        stepping: Method | None = None,
        resolution: Resolution | None = None,
    ) -> None:
        self.begin, self.start, self.notices = begin, begin.y, begin.notices
        self.samples = begin.samples
        self.stepping = stepping or Dop853()
        self._resolution = resolution

    def _apart(self, y: Array) -> tuple[Array, Array, Array]:
        model = self.begin.model
        nq, nv = len(model.coordinates), len(model.speeds)
        return y[:nq], y[nq : nq + nv], y[nq + nv :]

    def rate(self, t: float, y: Array) -> Array:
        """ẏ."""
        constraints, model = self.begin.constraints, self.begin.model
        q, v, _ = self._apart(y)
        a, lam = self._solved(q, v, t)
        imposed = -(lam @ constraints.rate(q, t)) if constraints else 0.0
        power = model.timed("power")(q, v, t)
        return np.concatenate([model.rates(q, v), a, [power + imposed]])

    def _solved(self, q: Array, v: Array, t: float) -> tuple[Array, Array]:
        """Accelerations and multipliers."""
        try:
            return self.begin.constraints.accelerations(q, v, t, self._resolution)
        except scipy.linalg.LinAlgError:
            raise SolveError(
                f"t = {t:.6g} s",
                "the resolution of the multipliers needs a mass matrix that is regular.",
                'Use multipliers="null-space" or "pseudo-inverse", which do not.',
            ) from None

    def project(self, t: float, y: Array) -> Array:
        """The state moved onto the constraints, positions then speeds; no gains."""
        constraints, (q, v, work) = self.begin.constraints, self._apart(y)
        if not constraints:
            return np.concatenate([advanced(constraints.model, q, np.zeros_like(v)), v, work])
        sizes = constraints.sizes.displacements

        def look(place: Array) -> Look[Array]:
            opening = constraints.opening(place, t)

            def correction() -> Array:
                J = constraints.scaled_J(place, t)[constraints.positions]
                return -_least(constraints, place, J, opening)

            return Look(
                opening,
                correction,
                lambda step: advanced(constraints.model, place, step * sizes),
            )

        result = returned(look, q, constraints.closed_within)
        if not result.is_closed:
            raise self.begin.cannot_be_held(t, result.q)
        q = result.q
        excess = (constraints.J(q, t) @ v + constraints.rate(q, t)) / constraints.sizes.rows
        return np.concatenate(
            [q, v - sizes * _least(constraints, q, constraints.scaled_J(q, t), excess), work]
        )

    def move(self, state: Array, request: Request) -> MotionStates:
        """The motion by SciPy's DOP853 or Radau."""
        return scipy_motion(self, state, request)


def _least(constraints: NumericConstraints, q: Array, J: Array, excess: Array) -> Array:
    """M⁻¹ Jᵀ (J M⁻¹ Jᵀ)⁻¹ excess: what moves the least mass; J and it have no dimension.

    What has no mass is given next to none, so that it is what moves.
    """
    sizes = constraints.sizes.displacements
    M = constraints.model.mass_matrix(q) * np.outer(sizes, sizes)
    least = _RANK * np.abs(M).max(initial=0.0) * np.eye(len(M))
    X = scipy.linalg.lstsq(M + least, J.T, cond=None)[0]
    return np.asarray(X @ scipy.linalg.lstsq(J @ X, excess, cond=_RANK)[0])


def scipy_motion(moving: Mover, y: Array, request: Request) -> MotionStates:
    """The states by SciPy's DOP853 or Radau."""
    begin, method = moving.begin, moving.stepping
    if not isinstance(method, Dop853 | Radau) or begin.model.mechanism.events:
        raise ModelError(
            "simulate",
            say(
                "fixed steps and events need machine code, for a mechanism of at most 48 speeds; "
                "this one has {number}.",
                len(begin.model.speeds),
            ),
            "Leave out method and events, or install numba.",
        )

    def failed(t: float, y: Array) -> SolveError:
        return trouble(Halt(moving, t, y), say("the step became too small"))

    usual = begin.sizes(moving, y, request.times).usual if method.atol is None else 1.0
    return by_scipy(moving, y, request, method, usual, failed)


def by_scipy(
    moving: ConstrainedRate,
    y: Array,
    request: Request,
    method: Dop853 | Radau,
    usual: Array | float,
    failed: Callable[[float, Array], SolveError],
) -> MotionStates:
    """The states by an integrator of SciPy, constraints held after every step.

    `usual` are the sizes of which 1e-3 rtol is tolerated where no absolute tolerance is given.
    """
    from scipy import integrate as scipy  # half a second that other runs need not wait for

    steps, times = scipy.DOP853 if isinstance(method, Dop853) else scipy.Radau, request.times
    atol = 1e-3 * method.rtol * usual if method.atol is None else method.atol
    solver = steps(
        moving.rate, times[0], y, times[-1], rtol=method.rtol, atol=atol, max_step=method.max_step
    )
    states, notices = [y], []
    try:
        while solver.status == "running":
            solver.step()
            if solver.status == "failed":
                raise failed(solver.t, solver.y)
            dense = solver.dense_output()
            while len(states) < len(times) and times[len(states)] <= solver.t:
                states.append(moving.project(times[len(states)], dense(times[len(states)])))
            solver.y = moving.project(solver.t, solver.y)
            solver.f = moving.rate(solver.t, solver.y)
            if request.progress is not None:
                request.progress(solver.t)
    except KeyboardInterrupt:
        notices.append(interruption_notice(solver.t))
    return MotionStates(times[: len(states)], np.array(states), notices, is_whole=not notices)
