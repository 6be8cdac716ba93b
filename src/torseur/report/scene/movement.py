"""Movements: successive configurations, places of bodies and of contacts, and curves."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, flat
from torseur.equations.symbols.system import signal_names
from torseur.model.constraints.protocol import ExpressionRow, JointRows
from torseur.model.contact.element import Element
from torseur.model.contact.elements import elements, friction_name
from torseur.model.description import GROUND
from torseur.model.joints.mesh_points import PLACE, MeshPoint, mesh_axes
from torseur.model.joints.rolling import ContactType, at_poses
from torseur.report.scene.camera import Frames
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.scene_solids import Polyline
from torseur.simulation.run.contact_samples import ContactHistory
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.run import Run
from torseur.simulation.run.samples import Happened
from torseur.simulation.run.touching import PileContacts
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray


@final
@dataclass(frozen=True)
class Movement:
    """Configurations along an axis: the time, or a coordinate that is followed."""

    geometry: SceneGeometry
    axis: Curve
    q: Array  # (samples, nq)
    curves: Mapping[str, tuple[Curve, ...]] = field(default_factory=dict)  # by kind
    reactions: Mapping[str, Array] = field(default_factory=dict)  # joint → (samples, 3) [N]
    events: tuple[Happened, ...] = ()
    notices: tuple[str, ...] = ()
    touches: Touches | None = None
    offered: tuple[Curve, ...] = ()  # that a reader may choose

    @cached_property
    def frames(self) -> dict[str, Frames]:
        """The frame of every body, as the user gave it, in the ground."""
        count = len(self.q)
        still = np.broadcast_to(np.eye(3), (count, 3, 3)), np.zeros((count, 3))
        frames: dict[str, Frames] = {GROUND: still}
        computing: list[Frames] = []
        for link in self.geometry.structure.tree.links:
            names = [symbol(f"q{k}", "coordinate") for k in range(link.joint.nq)]
            values = {x.name: self.q[:, link.q][:, k] for k, x in enumerate(names)}
            X = link.X_PF @ link.joint.transform(np.array(names, dtype=object))
            R, p = _over(X.R.matrix, values, count), _over(X.p, values, count)
            if link.parent >= 0:
                R_P, p_P = computing[link.parent]
                R, p = R_P @ R, p_P + np.einsum("nij,nj->ni", R_P, p)
            computing.append((R, p))
            X_MB = link.X_MB
            frames[link.name] = (R @ X_MB.R.matrix, p + R @ np.asarray(X_MB.p, dtype=float))
        return frames

    def at(self, sample: int) -> Movement:
        """One configuration alone."""
        return replace(self, q=self.q[sample : sample + 1])

    def poses(self, sample: int) -> dict[str, Pose]:
        """The frame of every body at one sample."""
        return {
            body: Pose(p[sample], from_matrix(R[sample])) for body, (R, p) in self.frames.items()
        }

    def way(self, body: str, place: Array) -> Array:
        """The places of a point of a body (samples, 3)."""
        R, p = self.frames[body]
        return np.asarray(p + R @ place)


def _over(outputs: Any, values: Mapping[str, Array], count: int) -> Array:
    """Expressions at every sample (samples, *shape)."""
    columns = [np.broadcast_to(x, count) for x in evaluate(flat(outputs), values)]
    return np.array(columns, dtype=float).T.reshape(count, *np.shape(outputs))


# --- where bodies touch at every sample of a movement: places, forces and states ------------------

_Column = tuple[Array, Array, Array, Array]  # states, places, normal forces, frictions of one
STATES = ("stick", "slip", "roll")
_SEEN = 0.02  # of the usual force: a force that is shown
_ROLLS = 1e-7  # of a usual length: how far a place on a body moves between samples, at least


@final
@dataclass(frozen=True)
class Touches:
    """Contacts of each sample, in the order of `names`."""

    names: tuple[str, ...]  # of contacts, or of pairs of bodies
    starts: Array  # (samples + 1): the touches of sample k are those from starts[k] to starts[k+1]
    which: Array  # (touches): places in names
    states: Array  # (touches): places in STATES
    places: Array  # (touches, 3) in the ground [m]
    normal: Array  # (touches, 3): the force that presses on the second body, in the ground [N]
    friction: Array  # (touches, 3): what holds it back [N]

    @property
    def usual(self) -> float:
        """A force that is large, but for a few [N]."""
        sizes = np.linalg.norm(np.concatenate([self.normal, self.friction]), axis=1)
        return float(np.quantile(sizes[sizes > 0], 0.99)) if sizes.any() else 0.0

    def arrows(self, sample: int, unit: float) -> Iterator[Polyline]:
        """The forces of a sample, the usual one 1.6 units long, in the style of their state."""
        for k in range(*self.starts[sample : sample + 2]):
            styles = "touch-normal", f"touch-{STATES[self.states[k]]}"
            for force, style in zip((self.normal[k], self.friction[k]), styles, strict=True):
                if np.linalg.norm(force) > _SEEN * self.usual:
                    ends = self.places[k], self.places[k] + 1.6 * unit / self.usual * force
                    yield Polyline(ends, style, 4 * unit, head=0.16 * unit)


def touches(
    run: Run, frames: Mapping[str, Frames], shape: SceneGeometry, samples_chosen: Array
) -> Touches | None:
    """The touches of a run at the samples that are kept; None where nothing can touch."""
    if run.samples.touching is not None:
        return _of_pile(run.samples.touching, samples_chosen)
    if not run.samples.contacts_named:
        return None
    contacts = elements(shape.mechanism)
    histories = [run.contact(one.name) for one in contacts]
    finder = _ContactFinder(run, frames, shape, samples_chosen)
    columns = [finder.column(*pair) for pair in zip(contacts, histories, strict=True)]
    nowhere = (np.zeros(len(samples_chosen), dtype=int), *[np.zeros((len(samples_chosen), 3))] * 3)
    acting = [history.state[samples_chosen] != "open" for history in histories]
    placed = [column is not None for column in columns]
    samples, which = np.nonzero(np.array(acting).T & placed)
    table = zip(*(column or nowhere for column in columns), strict=True)
    states, *vectors = (np.stack(part)[which, samples] for part in table)
    starts = np.searchsorted(samples, np.arange(len(samples_chosen) + 1))
    return Touches(tuple(one.name for one in contacts), starts, which, states, *vectors)


# --- contacts between frames, stops and friction in joints ---------------------------------------


@final
@dataclass(frozen=True)
class _ContactFinder:
    """Finder of contacts of a run, at chosen samples."""

    run: Run
    frames: Mapping[str, Frames]
    shape: SceneGeometry
    kept: Array

    def column(self, one: Element, history: ContactHistory) -> _Column | None:
        """An element at every sample; None where it has no place."""
        row, force = one.rows[0], history.force[self.kept]
        slips = np.asarray(history.state[self.kept] == "slip")
        if isinstance(row, JointRows) and one.pushes:
            inner, places, axes = self._between(row)
            forces = force[:, : axes.shape[1], np.newaxis] * axes[:, : force.shape[1]]
            states = np.where(slips, 1, np.where(_rolls(inner), 2, 0))
            return states, places, forces[:, 0], forces[:, 1:].sum(axis=1)
        place = self._in_joint(one.name) if isinstance(row, ExpressionRow) else None
        if place is None:  # couples against rolling act at the place of their contact
            return None
        nothing = np.zeros(place.shape)
        return slips.astype(int), place, nothing, nothing

    def _between(self, row: JointRows) -> tuple[Array, Array, Array]:
        """Touching point of the second body, in M and in the ground, and the axes of a contact."""
        kind: ContactType = row.kind.numeric(lambda x: float(self.shape.numbers(x)))
        X_AF, X_BM = self.shape.pose(row.X_AF), self.shape.pose(row.X_BM)
        (R_A, p_A), (R_B, p_B) = self.frames[row.first], self.frames[row.second]
        R_F, p_F = R_A @ X_AF.R.matrix, p_A + R_A @ X_AF.p
        R_M, p_M = R_B @ X_BM.R.matrix, p_B + R_B @ X_BM.p
        R = np.einsum("nji,njk->nik", R_F, R_M)
        p = np.einsum("nji,nj->ni", R_F, p_M - p_F)
        if isinstance(row.kind, MeshPoint):
            signals = row.kind.signals
            first = signal_names(self.run.model.mechanism).index(signals[0])
            inputs = self.run.samples.inputs[self.kept, first : first + len(signals)]
            inner, axes = inputs[:, PLACE], mesh_axes(inputs)
        else:
            inner, axes = (
                at_poses(kind.touching, R, p),
                at_poses(kind.frame, R, p)[:, : kind.forces],
            )
        ground_axes = np.einsum("nij,nkj->nki", R_F, axes)  # (samples, axes, 3) in the ground
        return inner, p_M + np.einsum("nij,nj->ni", R_M, inner), ground_axes

    def _in_joint(self, joint_name: str) -> Array | None:
        """Place of the joint of a stop or a friction."""
        for joint in self.shape.numeric.joints.values():
            stops = {
                f"{name}: {side} stop" for name in joint.coordinates for side in ("lower", "upper")
            }
            if joint_name == friction_name(joint.name) or joint_name in stops:
                R, p = self.frames[joint.second]
                return np.asarray(p + R @ joint.X_BM.p)
        return None


def _rolls(points: Array) -> Array:
    """(samples): whether the place that touches moves over the second body."""
    size = float(np.abs(points).max(initial=0.0))
    moving = np.linalg.norm(np.diff(points, axis=0), axis=1) > _ROLLS * size
    return (
        np.concatenate([moving, moving[-1:]]) if len(moving) else np.zeros(len(points), dtype=bool)
    )


# --- piles ---------------------------------------------------------------------------------------


def _of_pile(touching: PileContacts, samples: Array) -> Touches:
    """Contacts of a pile at each sample, by pairs of bodies."""
    pairs: dict[str, int] = {}
    starts, rows = [0], []
    for sample in samples:
        rows += sorted(_rows(touching, int(sample), pairs), key=lambda row: row[0])
        starts.append(len(rows))
    table = np.array(rows, dtype=float).reshape(-1, 11)
    which, states = table[:, 0].astype(int), table[:, 1].astype(int)
    vectors = (table[:, k : k + 3] for k in (2, 5, 8))
    return Touches(tuple(pairs), np.array(starts), which, states, *vectors)


def _rows(
    touching: PileContacts, sample: int, pairs: dict[str, int]
) -> Iterator[tuple[float, ...]]:
    """Pair, state, place, normal force and friction of each touch that presses."""
    order: dict[str, int] = {}
    for touch in touching[sample]:
        pair = f"{touch.first}, {touch.second}"
        order[pair] = order.get(pair, 0) + 1
        name = pair if order[pair] == 1 else f"{pair} ({order[pair]})"
        normal = (touch.force @ touch.normal) * touch.normal
        if normal.any():
            rubbing = touch.force - normal
            which = pairs.setdefault(name, len(pairs))
            yield (which, int(touch.slides), *touch.point, *normal, *rubbing)
