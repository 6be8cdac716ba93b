"""Drake: trees by its error-controlled integrators, loops by its discrete solver SAP.

Its plants in continuous time refuse constraints, and so does its integrator CENIC: mechanisms with
loops are moved in discrete time, by ball constraints that are almost rigid.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from pydrake.math import RigidTransform
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    RevoluteJoint,
    RotationalInertia,
    SpatialInertia,
)
from pydrake.systems.analysis import ApplySimulatorConfig, Simulator, SimulatorConfig

from benchmarks.moving import Ready, Way
from benchmarks.moving.rods import BASE, GRAVITY, INERTIA, LENGTH, MASS, Rods

Array = np.ndarray
STEPS = (2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4)
ACCURACIES = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
_SCHEMES = {"RK3": ("runge_kutta3", ACCURACIES), "RK5": ("runge_kutta5", ACCURACIES[2:])}


def ways(rods: Rods) -> list[Way]:
    """SAP for loops; third and fifth order for trees."""
    if rods.closing:
        return [Way("Drake", "SAP", "step", STEPS, 1e-3, _discrete(rods))]
    return [
        Way("Drake", name, "tolerance", accuracies, 1e-6, _continuous(rods, scheme))
        for name, (scheme, accuracies) in _SCHEMES.items()
    ]


def _discrete(rods: Rods) -> Callable[[float, Array], Ready]:
    return lambda step, times: _ready(rods, _plant(rods, step), None, times)


def _continuous(rods: Rods, scheme: str) -> Callable[[float, Array], Ready]:
    plant = _plant(rods, 0.0)

    def ready(accuracy: float, times: Array) -> Ready:
        config = SimulatorConfig(integration_scheme=scheme, accuracy=accuracy, max_step_size=0.1)
        return _ready(rods, plant, config, times)

    return ready


def _plant(rods: Rods, step: float) -> MultibodyPlant:
    """In continuous time if the step is zero."""
    plant = MultibodyPlant(step)
    if step:
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
    plant.mutable_gravity_field().set_gravity_vector([0.0, -GRAVITY, 0.0])
    # a rod is thin, but its moments have to be those of a body: half as much along it
    moments = RotationalInertia(INERTIA / 2, INERTIA, INERTIA)
    mass = SpatialInertia.MakeFromCentralInertia(MASS, [LENGTH / 2, 0.0, 0.0], moments)
    bodies = {BASE: plant.world_body()}
    bodies |= {k: plant.AddRigidBody(name, mass) for k, name in enumerate(rods.bodies)}
    for rod, name in enumerate(rods.bodies):
        pin = rods.carrying[rod]
        place = RigidTransform([pin.at, 0.0, 0.0])
        frame = FixedOffsetFrame(f"{name}.0", bodies[pin.first].body_frame(), place)
        ends = plant.AddFrame(frame), bodies[rod].body_frame()
        plant.AddJoint(RevoluteJoint(name, *ends, [0.0, 0.0, 1.0], 0.0))
    for pin in rods.closing:
        ends = [pin.at, 0.0, 0.0], bodies[pin.second], [pin.end, 0.0, 0.0]
        plant.AddBallConstraint(bodies[pin.first], *ends)
    plant.Finalize()
    return plant


def _ready(
    rods: Rods, plant: MultibodyPlant, config: SimulatorConfig | None, times: Array
) -> Ready:
    simulator = Simulator(plant)
    if config is not None:
        ApplySimulatorConfig(config, simulator)
    context = simulator.get_mutable_context()
    # the state at an instant of the grid is there half a step before: no rounding adds a step
    reached = times - 0.5 * plant.time_step()
    joints = [plant.GetJointByName(name) for name in rods.bodies]
    places = np.array([joint.position_start() for joint in joints])
    speeds = np.array([joint.velocity_start() for joint in joints])
    angles, rates = rods.joint_angles()
    begun = np.empty((2, len(joints)))
    begun[0, places], begun[1, speeds] = angles, rates

    def go() -> Array:
        context.SetTime(0.0)
        plant.SetPositions(context, begun[0])
        plant.SetVelocities(context, begun[1])
        simulator.Initialize()
        kept = np.empty((len(times), 2, len(joints)))
        kept[0] = angles, rates
        for k in range(1, len(times)):
            simulator.AdvanceTo(reached[k])
            kept[k, 0] = plant.GetPositions(context)[places]
            kept[k, 1] = plant.GetVelocities(context)[speeds]
        return kept

    return Ready(go, lambda kept: (times, rods.from_joints(kept[:, 0], kept[:, 1])))
