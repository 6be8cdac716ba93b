"""Torseur: whole calls of simulate, in the coordinates of joints and in absolute ones.

The method is its own choice: DOP853, unless it finds a motion stiff.
"""

from __future__ import annotations

import numpy as np

from benchmarks.moving import OURS, Ready, Stopped, Way
from benchmarks.moving.rods import BASE, GRAVITY, INERTIA, LENGTH, MASS, Rods
from torseur.algebra.core.expr import expression
from torseur.errors import SolveError
from torseur.machine.compiled import compile
from torseur.model.description import GROUND, Body, Joint, Mechanism, Point
from torseur.model.joints.library import Revolute
from torseur.simulation.formulations.selection import why_absolute
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import simulate
from torseur.spatial.pose import Pose

Array = np.ndarray
TOLERANCES = tuple(10.0**-k for k in range(2, 13))
_AXIAL = 1e-4  # moment of inertia of a rod about its length, which nothing turns about [kg m²]
# In joint coordinates, stricter tolerances do not pass singular positions: steps become too short.
_STRICTEST_LOOPS = 1e-9


def ways(rods: Rods) -> list[Way]:
    """In absolute coordinates, and in those of joints where that is no long wait for code."""
    found = [_way(rods, "absolute", TOLERANCES)]
    if rods.closing and why_absolute("auto", mechanism(rods)) is None:
        loose = tuple(x for x in TOLERANCES if x > 0.5 * _STRICTEST_LOOPS)
        found.append(_way(rods, "joint", loose))
    if not rods.closing:
        found.append(_way(rods, "joint", TOLERANCES))
    return found


def _way(rods: Rods, coordinates: str, settings: tuple[float, ...]) -> Way:
    model = compile(mechanism(rods))

    def ready(rtol: float, times: Array) -> Ready:
        duration, rate = float(times[-1]), (len(times) - 1) / float(times[-1])

        def go() -> Run:
            try:
                return simulate(model, duration, rate=rate, rtol=rtol, coordinates=coordinates)
            except SolveError as error:
                raise Stopped(str(error)) from error

        return Ready(go, lambda run: (run.t, _states(rods, run)))

    return Way(OURS, coordinates, "tolerance", settings, 1e-9, ready)


def mechanism(rods: Rods) -> Mechanism:
    """The rods as Torseur's description; both ends of each are named points."""
    bodies = {
        name: Body(
            name,
            expression(MASS),
            np.array([LENGTH / 2, 0.0, 0.0]),
            np.diag([_AXIAL, INERTIA, INERTIA]),
        )
        for name in rods.bodies
    }
    joints, initial = {}, {}
    for pin in rods.pins:
        first = GROUND if pin.first == BASE else rods.bodies[pin.first]
        second = rods.bodies[pin.second]
        frames = _along(pin.at), _along(pin.end)
        names = (pin.name,), (f"{pin.name}.",)
        joints[pin.name] = Joint(pin.name, Revolute(2), first, second, *frames, *names)
    for pin in rods.carrying.values():
        values = zip((pin.name, f"{pin.name}."), rods.between(pin), strict=True)
        initial |= {name: expression(value) for name, value in values if value}
    points = {
        f"{name}.{end}": Point(f"{name}.{end}", name, np.array([LENGTH * end, 0.0, 0.0]))
        for name in rods.bodies
        for end in (0, 1)
    }
    gravity = np.array([0.0, -GRAVITY, 0.0])
    return Mechanism(rods.name, {}, bodies, joints, gravity, initial=initial, points=points)


def _along(distance: float) -> Pose:
    return Pose(np.array([distance, 0.0, 0.0]))


def _states(rods: Rods, run: Run) -> Array:
    """From the ends of every rod and their velocities (samples, rods, 6)."""
    found = []
    for name in rods.bodies:
        (p0, p1), (v0, v1) = (
            [run.point(f"{name}.{end}", derivative)[:, :2] for end in (0, 1)]
            for derivative in (0, 1)
        )
        along, apart = p1 - p0, v1 - v0
        angle = np.arctan2(along[:, 1], along[:, 0])
        turning = (along[:, 0] * apart[:, 1] - along[:, 1] * apart[:, 0]) / LENGTH**2
        found.append(np.column_stack([p0, angle, v0, turning]))
    return np.stack(found, axis=1)
