"""The movements of runs, of saved runs and of mechanisms."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.at_a_state.pose import posed
from torseur.analyse.mobility.dead_points import first_station, stations
from torseur.errors import ModelError, SolveError, unknown
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.constraints.selection import one_sided, restraints
from torseur.model.description import Mechanism
from torseur.model.joint_graph import spanning
from torseur.report.scene.geometry import SceneGeometry, geometry
from torseur.report.scene.movement import Movement, touches
from torseur.report.scene.panels import by_kind, drives, offered, ordered, panels_of, pressing
from torseur.report.scene.skeleton import best
from torseur.simulation.formulations.sampling import asked_rate
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.run import Run
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.words.sentence import say

Array = np.ndarray
_MOST = 2000  # samples that are kept: between two, poses are interpolated
_LARGEST = 8000  # of a motion so fast that its paths would be polygons with fewer
_POSES = 100_000  # of bodies at samples that are kept, where bodies are many
_LEAST = 240  # samples that are kept even then
_LINES = 64  # curves of one kind: of more, none can be told from another
_QUICK = 40_000  # reactions that are computed without being asked for


def movement(
    subject: Run | SavedRun | Mechanism,
    reactions: bool | None = None,
    mechanism: Mechanism | None = None,
) -> Movement:
    """The movement of a run, or of a mechanism through its poses.

    Without `reactions` asked for or refused, they are computed where this is quick.
    """
    if isinstance(subject, Run):
        return _of_run(subject, reactions)
    if isinstance(subject, SavedRun):
        return _of_saved(subject, mechanism)
    if isinstance(subject, Mechanism):
        return of_mechanism(subject)
    kind = type(subject).__name__
    advice = "Give a run (ts.simulate), a saved run (ts.load_run) or a mechanism (ts.load)."
    raise ModelError("view", say("a value of type {kind} cannot be shown.", kind), advice)


def _of_run(run: Run, reactions: bool | None) -> Movement:
    joints = run.model.mechanism.joints
    samples = _samples(len(run.t), min(_enough(run), max(_POSES // len(joints), _LEAST)))
    shape = geometry(run.model.mechanism, run.model.parameters)
    if reactions is None:
        reactions = len(run.t) * len(joints) <= _QUICK
    forces, notices = _reactions(run, samples) if reactions else ({}, ())
    names = run.names if len(joints) <= _LINES else {}
    curves = [Curve(name, unit, run[name]) for name, unit in names.items()]
    panels = (
        panels_of(curves, run.energy, samples, forces)
        | pressing(run, samples)
        | drives(run, samples)
    )
    more = offered(run, samples, panels, reactions=reactions) if names else ()
    moving = Movement(
        shape,
        Curve("t", "s", run.t[samples]),
        run.q[samples],
        ordered(panels),
        forces,
        tuple(run.events),
        (*run.notices, *notices),
    )
    return replace(moving, touches=touches(run, moving.frames, shape, samples), offered=more)


def _reactions(run: Run, samples: Array) -> tuple[dict[str, Array], tuple[str, ...]]:
    """The force of the first body on the second in each joint, where it is determined."""
    forces, notices = {}, []
    for name, joint in run.model.mechanism.joints.items():
        if joint.kind.nv == 6:
            continue
        try:
            forces[name] = run.reaction(name)[samples, :3]
        except (ModelError, SolveError) as error:
            notices.append(str(error))
    return forces, tuple(dict.fromkeys(notices))


def _of_saved(run: SavedRun, mechanism: Mechanism | None) -> Movement:
    described = mechanism or run.mechanism
    if described is None:
        raise ModelError(
            f'run "{run.name}"',
            "its file does not contain the mechanism.",
            "Give it: torseur view RUN.nc --model MODEL, or ts.view(run, path, model=mechanism).",
        )
    shape, samples = geometry(described), _samples(len(run.t))
    missing = [name for name in shape.structure.coordinates if name not in run.values]
    if missing:
        problem = say(
            'the run has no coordinate "{missing}" of "{described}".', missing[0], described.name
        )
        raise ModelError(
            f'run "{run.name}"', problem, say("It has: {values}.", ", ".join(run.values))
        )
    q = np.column_stack([run.values[name] for name in shape.structure.coordinates])
    curves = [Curve(name, run.units.get(name, ""), x) for name, x in run.values.items()]
    panels = ordered(panels_of(curves, run.energy, samples))
    return Movement(shape, Curve("t", "s", run.t[samples]), q[samples], panels, notices=run.notices)


def _samples(count: int, most: int = _MOST) -> Array:
    """All samples, or as many as an animation needs."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def _enough(run: Run) -> int:
    """The samples that an animation of a run needs for smooth paths, within limits."""
    if len(run.t) <= _MOST:
        return _MOST
    return int(np.clip(asked_rate(run) * (run.t[-1] - run.t[0]), _MOST, _LARGEST))


# --- from a mechanism ---------------------------------------------------------------------------


def of_mechanism(mechanism: Mechanism) -> Movement:
    """The pose of a tree, or the path of a closed mechanism that has one motion."""
    return _path(mechanism) if constrained(mechanism) else one_pose(mechanism)


def one_pose(mechanism: Mechanism) -> Movement:
    """A pose that shows a mechanism well."""
    choices = still(geometry(mechanism))
    return choices.at(best(choices)[0].sample)


def still(shape: SceneGeometry, q: Any = None) -> Movement:
    """Configurations beside each other: a given one, or some that show the structure."""
    table = np.array(configurations(shape, q))
    return Movement(shape, Curve("", "", np.zeros(1)), table)


def _path(mechanism: Mechanism) -> Movement:
    """All the poses of a mechanism with one motion; otherwise the assembled one."""
    shape = geometry(mechanism)
    start = assembled(shape)
    try:
        first = first_station(posed(start))
        leading = [first.rate(name) for name in first.pose.rates][:1]
        followed = list(stations(first.turned() if leading < [0.0] else first))
    except (ModelError, SolveError):  # several motions, none, or a path without an end
        return Movement(shape, Curve("", "", np.zeros(1)), start.q[None])
    names, units = list(followed[0].pose.coordinates), followed[0].pose.units
    table = np.array([[s.pose.coordinates[name] for name in names] for s in followed])
    table = np.where([units[name] == "rad" for name in names], np.unwrap(table, axis=0), table)
    q = np.array([station.pose.q for station in followed])
    axis = _leading(table)
    if axis is not None and table[-1, axis] < table[0, axis]:
        table, q = table[::-1], q[::-1]
    curves = {n: Curve(n, units[n], table[:, k]) for k, n in enumerate(names)}
    along = Curve("", "", np.arange(len(q), dtype=float)) if axis is None else curves[names[axis]]
    return Movement(shape, along, q, ordered(by_kind(curves.values())))


def _leading(table: Array) -> int | None:
    """The first column that never turns back."""
    steps = np.diff(table, axis=0)
    one_way = (steps > 0).all(axis=0) | (steps < 0).all(axis=0)
    return int(np.argmax(one_way)) if one_way.any() else None


# --- configurations of a mechanism: a given one, or some that show its structure ------------------

_SWINGS = (0.5, 0.55, 0.4, 0.5, 0.6, 0.35)  # [rad] in turn, to show the structure
_SIGNS = ((1, -1), (-1, 1), (1, 1, -1, -1), (-1, -1, 1, 1), (1, -1, -1, 1), (-1, 1, 1, -1))
_SLIDE = 0.5  # of a usual lever
_TURNS = ((0.9, -0.9, 1.3), (0.4, -0.4), (0.15, -0.15))  # [rad, m] of a first coordinate


def configurations(geometry: SceneGeometry, q: Any = None) -> list[Array]:
    """The coordinates q (an array or a dict by name); without q, some to choose from.

    What is not given of a closed mechanism is assembled; what touches is shown where it starts.
    """
    if q is not None:
        return [_given(geometry, q)]
    if constrained(geometry.mechanism):
        return _closed(geometry)
    if one_sided(geometry.mechanism):
        return [_showing(geometry, ())]
    return [_showing(geometry, signs) for signs in _SIGNS]


def constrained(mechanism: Mechanism) -> bool:
    """Whether coordinates depend on each other or on time."""
    closing = spanning(mechanism).closing or restraints(mechanism)
    return bool(closing)


def assembled(
    geometry: SceneGeometry, guess: Mapping[str, float] | None = None, pinned: tuple[str, ...] = ()
) -> Assembled:
    """Coordinates that close every loop of a geometry, near a guess."""
    return assemble(_model(geometry), guess, pinned=pinned)


def _model(geometry: SceneGeometry) -> CompiledModel:
    table = geometry.mechanism.parameter_table
    given = {name: x for name, x in geometry.values.items() if name in table}
    return compile(geometry.mechanism).with_parameters(**given)


# --- coordinates --------------------------------------------------------------------------------


def _given(geometry: SceneGeometry, q: Any) -> Array:
    names = geometry.structure.coordinates
    if isinstance(q, Mapping):
        for name in q:
            if name not in names:
                raise unknown("q", "coordinate", name, names)
        if constrained(geometry.mechanism):
            speeds = set(geometry.structure.speeds)
            return assembled(geometry, q, tuple(name for name in q if f"{name}." in speeds)).q
        start = geometry.structure.tree.neutral
        return np.array([q.get(name, x) for name, x in zip(names, start, strict=True)], float)
    array = np.asarray(q, dtype=float)
    if array.shape != (len(names),):
        problem = say(
            "expected {number} values, got an array of shape {shape}.", len(names), array.shape
        )
        raise ModelError("q", problem, say("In this order: {names}.", ", ".join(names)))
    return array


def _closed(geometry: SceneGeometry) -> list[Array]:
    """The assembled pose, and others where a first coordinate moved: one may show better.

    What imposed motions ask for at the start is no reason not to move.
    """
    start = assembled(geometry)
    described = replace(geometry.mechanism, motions={})
    free = replace(geometry, mechanism=described)
    names, speeds = geometry.structure.coordinates, set(geometry.structure.speeds)
    first = next((name for name in names if f"{name}." in speeds), "")
    poses = [start.q]
    for turns in _TURNS if first else ():
        for turn in turns:
            guess = start.coordinates | {first: start.coordinates[first] + turn}
            try:
                poses.append(assembled(free, guess, (first,)).q)
            except SolveError:  # the loop does not reach there
                continue
        if len(poses) > 1:
            break
    return poses


def _showing(geometry: SceneGeometry, signs: tuple[int, ...]) -> Array:
    """The initial values that were given; else angles with these signs, and slides out.

    Without signs it stays as it starts: elsewhere it could be in what it touches.
    """
    tree, mechanism, known = geometry.structure.tree, geometry.mechanism, geometry.known
    levers = [size for link in tree.links if (size := float(np.linalg.norm(link.X_PF.p))) > 0]
    slide = _SLIDE * (float(np.median(levers)) if levers else 1.0)
    q, turned = np.zeros(tree.nq), 0
    for link in tree.links:
        joint = mechanism.joints[link.joint_name]
        neutral = np.array(link.joint.neutral(), dtype=float)
        for k, unit in enumerate(link.joint.coordinate_units):
            if unit == "m" and signs:
                neutral[k] = slide
            elif unit == "rad" and signs:
                neutral[k] = signs[turned % len(signs)] * _SWINGS[turned % len(_SWINGS)]
                turned += 1
            limits = geometry.limits(joint.limits[k]) if k < len(joint.limits) else None
            neutral[k] = np.clip(neutral[k], *limits) if limits else neutral[k]
            start = mechanism.initial.get(joint.coordinates[k])
            if start is not None and all(x.name in known for x in free_symbols([start])):
                neutral[k] = float(evaluate(expression(start), known))
        free = link.joint.coordinate_units[-4:] == ("1",) * 4
        if signs and free and tuple(neutral[-4:]) == (1, 0, 0, 0):
            neutral[-4:] = np.array([0.92, 0.2, 0.3, 0.15]) / np.linalg.norm([0.92, 0.2, 0.3, 0.15])
        q[link.q] = neutral
    return q
