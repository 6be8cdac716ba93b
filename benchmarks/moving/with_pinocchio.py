"""Pinocchio: its constrained and articulated-body dynamics, moved by SciPy's DOP853.

It has no integrator of its own. Loops are held by its proximal solver at the level of
accelerations, with Baumgarte's correction of what drifts.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pinocchio as pin
from scipy.integrate import solve_ivp

from benchmarks.moving import Ready, Way
from benchmarks.moving.rods import BASE, GRAVITY, INERTIA, LENGTH, MASS, Rods

Array = np.ndarray
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9, 1e-10, 1e-11)
_MOST = 300  # bodies: its data grow as the cube of their number
_PULL = 30.0  # of the correction, critically damped [rad/s]
_PROXIMAL = pin.ProximalSettings(1e-12, 1e-5, 10)  # accuracy, regularisation, iterations
_AXIAL = 1e-4  # moment of inertia of a rod about its length, which nothing turns about [kg m²]


def ways(rods: Rods) -> list[Way]:
    """One: its accelerations in SciPy's integrator."""
    if len(rods.bodies) > _MOST:
        return []
    # looser ones leave the branch of the motion at singular positions
    settings = tuple(x for x in TOLERANCES if x < 1e-4) if rods.closing else TOLERANCES
    return [Way("Pinocchio", "SciPy's DOP853", "tolerance", settings, 1e-9, _ready(rods))]


def _ready(rods: Rods) -> Callable[[float, Array], Ready]:
    model, numbers = _model(rods)
    accelerations = _constrained(rods, model, numbers) if rods.closing else _free(model)
    address = np.array([model.joints[numbers[k]].idx_v for k in range(len(rods.bodies))])
    n = model.nv
    angles, rates = rods.joint_angles()
    start = np.empty(2 * n)
    start[address], start[n + address] = angles, rates

    def rate_of(_: float, y: Array) -> Array:
        return np.concatenate([y[n:], accelerations(y[:n], y[n:])])

    def ready(rtol: float, times: Array) -> Ready:
        span = 0.0, float(times[-1])

        def go() -> Array:
            return solve_ivp(
                rate_of, span, start, method="DOP853", rtol=rtol, atol=rtol, t_eval=times
            ).y

        def read(y: Array) -> tuple[Array, Array]:
            return times[: y.shape[1]], rods.from_joints(y[address].T, y[n + address].T)

        return Ready(go, read)

    return ready


def _model(rods: Rods) -> tuple[pin.Model, dict[int, int]]:
    """The tree, and the number of the joint that carries each rod."""
    model = pin.Model()
    numbers = {BASE: 0}
    inertia = np.diag([_AXIAL, INERTIA, INERTIA])
    body = pin.Inertia(MASS, np.array([LENGTH / 2, 0.0, 0.0]), inertia)
    for rod in rods.outward:
        carrying = rods.carrying[rod]
        carrier, name = numbers[carrying.first], rods.bodies[rod]
        numbers[rod] = model.addJoint(carrier, pin.JointModelRZ(), _along(carrying.at), name)
        model.appendBodyToJoint(numbers[rod], body, pin.SE3.Identity())
    model.gravity.linear[:] = 0.0, -GRAVITY, 0.0
    return model, numbers


def _free(model: pin.Model) -> Callable[[Array, Array], Array]:
    data, nothing = model.createData(), np.zeros(model.nv)
    return lambda q, v: pin.aba(model, data, q, v, nothing)


def _constrained(
    rods: Rods, model: pin.Model, numbers: dict[int, int]
) -> Callable[[Array, Array], Array]:
    """A point of one rod held on a point of another, for each pin that closes a loop."""
    data, nothing = model.createData(), np.zeros(model.nv)
    held = pin.StdVec_RigidConstraintModel()
    for closing in rods.closing:
        first = numbers[closing.first], _along(closing.at)
        second = numbers[closing.second], _along(closing.end)
        row = pin.RigidConstraintModel(
            pin.ContactType.CONTACT_3D, model, *first, *second, pin.ReferenceFrame.LOCAL
        )
        gains = pin.BaumgarteCorrectorParameters(_PULL**2, 2 * _PULL)
        row.setBaumgarteCorrectorParameters(gains)
        held.append(row)
    work = pin.StdVec_RigidConstraintData([row.createData() for row in held])
    pin.initConstraintDynamics(model, data, held, work)

    def accelerations(q: Array, v: Array) -> Array:
        return pin.constraintDynamics(model, data, q, v, nothing, held, work, _PROXIMAL)

    return accelerations


def _along(distance: float) -> pin.SE3:
    return pin.SE3(np.eye(3), np.array([distance, 0.0, 0.0]))
