"""Drake: discrete plants with its solvers of contact, by default and with fine regularisation.

Its documentation lets the speed at which things that stick creep be set: `stiction_tolerance`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pydrake.geometry import HalfSpace, Sphere
from pydrake.math import RigidTransform
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    DiscreteContactApproximation,
    MultibodyPlant,
)
from pydrake.multibody.tree import RotationalInertia, SpatialInertia
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from benchmarks.slopes import CORNERS, HALF, INERTIA, MASS, RADIUS, Slid, Slope, Way

_KINDS = DiscreteContactApproximation
_SETTINGS = {
    "by default, 1 ms": (1e-3, None, None),
    "SAP, 1 ms": (1e-3, _KINDS.kSap, None),
    "lagged, stiction tolerance 1e-6 m/s, 1 ms": (1e-3, _KINDS.kLagged, 1e-6),
    "TAMSI, stiction tolerance 1e-6 m/s, 0.2 ms": (2e-4, _KINDS.kTamsi, 1e-6),
}
_Setting = tuple[float, DiscreteContactApproximation | None, float | None]


def ways() -> list[Way]:
    """Every setting."""
    return [Way(f"Drake, {name}", _ready(setting)) for name, setting in _SETTINGS.items()]


def _ready(setting: _Setting) -> Callable[[Slope], Callable[[], Slid]]:
    def ready(slope: Slope) -> Callable[[], Slid]:
        simulator, plant = _simulator(slope, setting)
        context = simulator.get_mutable_context()
        own = plant.GetMyMutableContextFromRoot(context)

        def go() -> Slid:
            context.SetTime(0.0)
            plant.SetPositions(own, [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, HALF])
            plant.SetVelocities(own, np.zeros(6))
            simulator.Initialize()
            kept = np.zeros((slope.samples, 2))
            for k, t in enumerate(slope.times[1:] - 0.5 * setting[0], start=1):
                simulator.AdvanceTo(t)
                q = plant.GetPositions(own)
                kept[k] = q[4], q[6] - HALF
            return Slid(kept[:, 0], kept[:, 1])

        return go

    return ready


def _simulator(slope: Slope, setting: _Setting) -> tuple[Simulator, MultibodyPlant]:
    step, kind, tolerance = setting
    builder = DiagramBuilder()
    plant, _ = AddMultibodyPlantSceneGraph(builder, step)
    if kind is not None:
        plant.set_discrete_contact_approximation(kind)
    plant.mutable_gravity_field().set_gravity_vector(slope.gravity)
    rough = CoulombFriction(slope.friction, slope.friction)
    ground = plant.world_body()
    plant.RegisterCollisionGeometry(ground, RigidTransform(), HalfSpace(), "plane", rough)
    inertia = RotationalInertia(INERTIA, INERTIA, INERTIA)
    mass = SpatialInertia.MakeFromCentralInertia(MASS, [0.0, 0.0, 0.0], inertia)
    box = plant.AddRigidBody("box", mass)
    for k, corner in enumerate(CORNERS):
        place = RigidTransform(list(corner))
        plant.RegisterCollisionGeometry(box, place, Sphere(RADIUS), f"corner {k}", rough)
    plant.Finalize()
    if tolerance is not None:
        plant.set_stiction_tolerance(tolerance)
    return Simulator(builder.Build()), plant
