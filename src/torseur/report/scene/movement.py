"""What moves in an animation: poses one after the other, and the curves beside them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, flat
from torseur.analyse.at_a_state.pose import posed
from torseur.analyse.mobility.path import first_station, stations
from torseur.errors import ModelError, SolveError
from torseur.model.description import GROUND, Mechanism
from torseur.report.scene.geometry import Geometry, geometry
from torseur.report.scene.placed import assembled, constrained, poses
from torseur.report.scene.scene import scene
from torseur.simulation.formulations.sampling import asked_rate
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.run import Run

Array = np.ndarray
Frames = tuple[Array, Array]  # R (samples, 3, 3) and p (samples, 3) in the ground
_MOST = 2000  # samples that are kept: between two, poses are interpolated
_LARGEST = 8000  # of a motion so fast that its paths would be polygons with fewer
_QUICK = 40_000  # reactions that are computed without being asked for


@final
@dataclass(frozen=True)
class Movement:
    """Configurations along an axis: the time, or a coordinate that is followed."""

    geometry: Geometry
    axis: Curve
    q: Array  # (samples, nq)
    curves: Mapping[str, tuple[Curve, ...]] = field(default_factory=dict)  # by kind
    reactions: Mapping[str, Array] = field(default_factory=dict)  # joint → (samples, 3) [N]
    events: tuple[tuple[str, float], ...] = ()  # name and instant
    notices: tuple[str, ...] = ()

    @property
    def frames(self) -> dict[str, Frames]:
        """The frame of every body, as the user gave it, in the ground."""
        count = len(self.q)
        found: dict[str, Frames] = {GROUND: _still(np.eye(3), np.zeros(3), count)}
        computing: list[Frames] = []
        for link in self.geometry.structure.tree.links:
            names = [symbol(f"q{k}", "coordinate") for k in range(link.joint.nq)]
            values = {x.name: self.q[:, link.q][:, k] for k, x in enumerate(names)}
            X = link.X_PF @ link.joint.transform(np.array(names, dtype=object))
            R, p = _over(X.R.matrix, values, count), _over(X.p, values, count)
            if link.parent >= 0:
                R_P, p_P = computing[link.parent]
                R, p = R_P @ R, p_P + _turned(R_P, p)
            computing.append((R, p))
            X_MB = link.X_MB
            found[link.name] = (R @ X_MB.R.matrix, p + R @ np.asarray(X_MB.p, dtype=float))
        return found


def _still(R: Array, p: Array, count: int) -> Frames:
    return np.broadcast_to(R, (count, 3, 3)), np.broadcast_to(p, (count, 3))


def _over(outputs: Any, values: Mapping[str, Array], count: int) -> Array:
    """Expressions at every sample (samples, *shape)."""
    columns = [np.broadcast_to(x, count) for x in evaluate(flat(outputs), values)]
    return np.array(columns, dtype=float).T.reshape(count, *np.shape(outputs))


def _turned(R: Array, p: Array) -> Array:
    return np.einsum("nij,nj->ni", R, p)


# --- from a run ---------------------------------------------------------------------------------


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
    raise ModelError("view", f"a value of type {kind} cannot be shown.", advice)


def _of_run(run: Run, reactions: bool | None) -> Movement:
    kept = _kept(len(run.t), _enough(run))
    known = {name: x for name, x in run.model.parameters.items() if x is not None}
    found = geometry(run.model.mechanism, known)
    curves = _by_kind({n: Curve(n, u, run[n][kept]) for n, u in run.names.items()})
    energies = _energies(run.energy, kept)
    joints = run.model.mechanism.joints
    if reactions is None:
        reactions = len(run.t) * len(joints) <= _QUICK
    forces, notices = _reactions(run, kept) if reactions else ({}, ())
    sizes = tuple(Curve(n, "N", np.linalg.norm(x, axis=1)) for n, x in forces.items())
    return Movement(
        found,
        Curve("t", "s", run.t[kept]),
        run.q[kept],
        curves | _if_any("energies", energies) | _if_any("reactions", sizes),
        forces,
        tuple((event.name, float(event.t)) for event in run.events),
        (*run.notices, *notices),
    )


def _reactions(run: Run, kept: Array) -> tuple[dict[str, Array], tuple[str, ...]]:
    """The force of the first body on the second in each joint, where it is determined."""
    found, notices = {}, []
    for name, joint in run.model.mechanism.joints.items():
        if joint.kind.nv == 6:
            continue
        try:
            found[name] = run.reaction(name)[kept, :3]
        except (ModelError, SolveError) as error:
            notices.append(str(error))
    return found, tuple(dict.fromkeys(notices))


def _of_saved(run: SavedRun, mechanism: Mechanism | None) -> Movement:
    described = mechanism or run.mechanism
    if described is None:
        raise ModelError(
            f'run "{run.name}"',
            "its file does not hold the mechanism.",
            "Give it: torseur view RUN.nc --model MODEL, or ts.view(run, path, model=mechanism).",
        )
    found, kept = geometry(described), _kept(len(run.t))
    missing = [name for name in found.structure.coordinates if name not in run.values]
    if missing:
        problem = f'the run has no coordinate "{missing[0]}" of "{described.name}".'
        raise ModelError(f'run "{run.name}"', problem, f"It has: {', '.join(run.values)}.")
    q = np.column_stack([run.values[name] for name in found.structure.coordinates])
    curves = _by_kind({n: Curve(n, run.units.get(n, ""), x[kept]) for n, x in run.values.items()})
    energies = _energies(run.energy, kept)
    return Movement(
        found,
        Curve("t", "s", run.t[kept]),
        q[kept],
        curves | _if_any("energies", energies),
        notices=run.notices,
    )


def _energies(energy: Mapping[str, Array], kept: Array) -> tuple[Curve, ...]:
    """Each energy, and the sum of the kinetic and the potential one."""
    total = energy["kinetic"] + energy["potential"]
    return tuple(Curve(n, "J", x[kept]) for n, x in (*energy.items(), ("total", total)))


def _kept(count: int, most: int = _MOST) -> Array:
    """All samples, or as many as an animation needs."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int))


def _enough(run: Run) -> int:
    """The samples that an animation of a run needs for smooth paths, within limits."""
    if len(run.t) <= _MOST:
        return _MOST
    return int(np.clip(asked_rate(run) * (run.t[-1] - run.t[0]), _MOST, _LARGEST))


def _by_kind(curves: Mapping[str, Curve]) -> dict[str, tuple[Curve, ...]]:
    """Coordinates, then speeds; one panel for each unit, quaternions after the others."""
    found: dict[str, list[Curve]] = {}
    for curve in curves.values():
        kind = "speeds" if curve.unit.endswith("/s") else "coordinates"
        found.setdefault(f"{kind} {curve.unit}", []).append(curve)
    order = sorted(found, key=lambda kind: (kind.split(" ")[0], kind.endswith(" 1"), kind))
    return {kind: tuple(found[kind]) for kind in order}


def _if_any(kind: str, curves: tuple[Curve, ...]) -> dict[str, tuple[Curve, ...]]:
    return {kind: curves} if curves else {}


# --- from a mechanism ---------------------------------------------------------------------------


def of_mechanism(mechanism: Mechanism) -> Movement:
    """The pose of a tree, or the path of a closed mechanism that has one motion."""
    if constrained(mechanism):
        return _path(mechanism)
    pose, _ = scene(poses(mechanism))
    return Movement(pose.geometry, Curve("", "", np.zeros(1)), pose.q[None])


def _path(mechanism: Mechanism) -> Movement:
    """All the poses of a mechanism with one motion; otherwise the assembled one."""
    found = geometry(mechanism)
    start = assembled(found)
    try:
        first = first_station(posed(start))
        leading = [first.rate(name) for name in first.pose.rates][:1]
        followed = list(stations(first.turned() if leading < [0.0] else first))
    except (ModelError, SolveError):  # several motions, none, or a path without an end
        return Movement(found, Curve("", "", np.zeros(1)), start.q[None])
    names, units = list(followed[0].pose.coordinates), followed[0].pose.units
    table = np.array([[s.pose.coordinates[name] for name in names] for s in followed])
    table = np.where([units[name] == "rad" for name in names], np.unwrap(table, axis=0), table)
    q = np.array([station.pose.q for station in followed])
    axis = _leading(table)
    if axis is not None and table[-1, axis] < table[0, axis]:
        table, q = table[::-1], q[::-1]
    curves = {n: Curve(n, units[n], table[:, k]) for k, n in enumerate(names)}
    along = Curve("", "", np.arange(len(q), dtype=float)) if axis is None else curves[names[axis]]
    return Movement(found, along, q, _by_kind(curves))


def _leading(table: Array) -> int | None:
    """The first column that never turns back."""
    steps = np.diff(table, axis=0)
    one_way = (steps > 0).all(axis=0) | (steps < 0).all(axis=0)
    return int(np.argmax(one_way)) if one_way.any() else None
