"""Exudyn: its bodies in the plane with generalised-α steps, and its tree with explicit ones."""

from __future__ import annotations

import io
import sys
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.moving import Ready, Stopped, Way
from benchmarks.moving.rods import (
    BASE,
    GRAVITY,
    INERTIA,
    LENGTH,
    MASS,
    Pin,
    Rods,
    places,
    velocities,
)

sys.exudynFast = True  # type: ignore[attr-defined]  # its build without range checks
with redirect_stdout(sys.stderr):  # where results may go as data, a greeting does not belong
    import exudyn
    from exudyn import itemInterface as items
    from exudyn.utilities import LoadSolutionFile

Array = np.ndarray
STEPS = (5e-2, 2e-2, 1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 2.5e-4, 1e-4)
TOLERANCES = (1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
_SMALL = 6  # rods, up to which its dense solver is the quicker one
_NEWTON = 1e-3  # relative tolerance of its Newton iterations: a stricter one gives no better motion
_LONGEST = 0.1  # step of its adaptive integrator [s]
_DAMPING = 0.9  # spectral radius at infinity, its default; without damping singular positions fail


def ways(rods: Rods) -> list[Way]:
    """Absolute coordinates in the plane for all; for trees its kinematic tree too."""
    found = [Way("Exudyn", "generalised α", "step", STEPS, 1e-3, _implicit(rods))]
    if not rods.closing:
        tree = _explicit(rods)
        found.append(Way("Exudyn", "tree, DOPRI5", "tolerance", TOLERANCES, 1e-6, tree))
    return found


def _implicit(rods: Rods) -> Callable[[float, Array], Ready]:
    """Full Newton iterations; EigenSparse keeps the pattern it has analysed."""
    system = _bodies(rods)

    def ready(step: float, times: Array) -> Ready:
        settings = _settings(times, step)
        small = len(rods.bodies) <= _SMALL
        kinds = exudyn.LinearSolverType
        settings.linearSolver.solverType = kinds.EXUdense if small else kinds.EigenSparse
        settings.linearSolver.reuseAnalyzedPattern = True
        settings.timeIntegration.newton.useModifiedNewton = False
        settings.timeIntegration.newton.relativeTolerance = _NEWTON
        settings.timeIntegration.newton.absoluteTolerance = 1e-2 * _NEWTON
        settings.timeIntegration.generalizedAlpha.spectralRadius = _DAMPING
        return _ready(system, settings, "GeneralizedAlpha", lambda x, v: _planar(rods, x, v))

    return ready


def _explicit(rods: Rods) -> Callable[[float, Array], Ready]:
    """A tree in the coordinates of its joints, with a dense mass matrix."""
    system = _tree(rods)

    def ready(tolerance: float, times: Array) -> Ready:
        settings = _settings(times, _LONGEST)
        settings.timeIntegration.automaticStepSize = True
        settings.timeIntegration.initialStepSize = 1e-3
        settings.timeIntegration.relativeTolerance = tolerance
        settings.timeIntegration.absoluteTolerance = tolerance
        settings.linearSolver.solverType = exudyn.LinearSolverType.EigenDense
        return _ready(system, settings, "DOPRI5", rods.from_joints)

    return ready


# --- models -------------------------------------------------------------------------------------


def _bodies(rods: Rods) -> Any:
    """Rigid bodies and revolute joints in the plane."""
    system = exudyn.SystemContainer().AddSystem()
    ground = system.AddObject(items.ObjectGround())
    numbers = []
    centres, speeds = places(rods.start, 0.5), velocities(rods.start, 0.5)
    for state, centre, speed in zip(rods.start, centres, speeds, strict=True):
        node = items.NodeRigidBody2D(
            referenceCoordinates=[*centre, state[2]], initialVelocities=[*speed, state[5]]
        )
        body = items.ObjectRigidBody2D(mass=MASS, inertia=INERTIA, nodeNumber=system.AddNode(node))
        numbers.append(system.AddObject(body))
        marker = system.AddMarker(items.MarkerBodyMass(bodyNumber=numbers[-1]))
        weight = items.LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0])
        system.AddLoad(weight)

    def marker_at(body: int, x: float) -> Any:
        place = items.MarkerBodyPosition(bodyNumber=body, localPosition=[x, 0, 0])
        return system.AddMarker(place)

    def marker_of(rod: int, at: float) -> Any:
        return marker_at(numbers[rod], LENGTH * (at - 0.5))

    for pin in rods.pins:
        first = marker_at(ground, pin.at) if pin.first == BASE else marker_of(pin.first, pin.at)
        both = [first, marker_of(pin.second, pin.end)]
        system.AddObject(items.ObjectJointRevolute2D(markerNumbers=both))
    system.Assemble()
    return system


def _tree(rods: Rods) -> Any:
    """Its ObjectKinematicTree."""
    system = exudyn.SystemContainer().AddSystem()
    count = len(rods.bodies)
    angles, rates = rods.joint_angles()
    node = items.NodeGenericODE2(
        numberOfODE2Coordinates=count,
        referenceCoordinates=[0.0] * count,
        initialCoordinates=list(angles),
        initialCoordinates_t=list(rates),
    )
    pins: list[Pin] = [rods.carrying[k] for k in range(count)]
    inertia, centre = np.diag([0.0, INERTIA, INERTIA]), np.array([LENGTH / 2, 0.0, 0.0])
    system.AddObject(
        items.ObjectKinematicTree(
            nodeNumber=system.AddNode(node),
            jointTypes=[exudyn.JointType.RevoluteZ] * count,
            linkParents=[pin.first for pin in pins],
            jointTransformations=exudyn.Matrix3DList([np.eye(3)] * count),
            jointOffsets=exudyn.Vector3DList([np.array([pin.at, 0.0, 0.0]) for pin in pins]),
            linkInertiasCOM=exudyn.Matrix3DList([inertia] * count),
            linkCOMs=exudyn.Vector3DList([centre] * count),
            linkMasses=[MASS] * count,
            gravity=[0.0, -GRAVITY, 0.0],
        )
    )
    system.Assemble()
    return system


# --- runs ---------------------------------------------------------------------------------------


def _settings(times: Array, step: float) -> Any:
    """Steps, one thread, and samples into a binary file."""
    settings = exudyn.SimulationSettings()
    duration = float(times[-1])
    settings.timeIntegration.endTime = duration
    settings.timeIntegration.numberOfSteps = max(1, round(duration / step))
    settings.timeIntegration.verboseMode = 0
    settings.parallel.numberOfThreads = 1
    settings.solution.sensors.active = False
    settings.solution.solverInformationFileName = ""
    file = settings.solution.file
    file.write, file.binary, file.writePeriod = True, True, float(times[1])
    exported = file.export
    exported.accelerations = exported.algebraicCoordinates = exported.dataCoordinates = False
    return settings


def _ready(
    system: Any, settings: Any, method: str, states: Callable[[Array, Array], Array]
) -> Ready:
    folder = tempfile.TemporaryDirectory()  # removed with the last function that writes there
    settings.solution.file.name = str(Path(folder.name) / "samples")

    def go() -> str:
        try:
            with redirect_stdout(io.StringIO()):  # it says that it failed there, and raises too
                system.SolveDynamic(settings, solverType=getattr(exudyn.DynamicSolverType, method))
        except exudyn.ExudynError as error:
            raise Stopped(str(error)) from error
        return f"{folder.name}/samples.sol"

    def read(path: str) -> tuple[Array, Array]:
        found = LoadSolutionFile(path, verbose=False)["data"]
        count = (found.shape[1] - 1) // 2
        return found[:, 0], states(found[:, 1 : count + 1], found[:, count + 1 :])

    return Ready(go, read)


def _planar(rods: Rods, x: Array, v: Array) -> Array:
    """States from displacements of centres and angles since the start (samples, rods, 6)."""
    shape = (len(x), len(rods.bodies), 3)
    begun = np.column_stack([places(rods.start, 0.5), rods.start[:, 2]])
    central = np.concatenate([begun + x.reshape(shape), v.reshape(shape)], axis=-1)
    states = central.copy()
    states[..., :2] = places(central, -0.5)
    states[..., 3:5] = velocities(central, -0.5)
    return states
