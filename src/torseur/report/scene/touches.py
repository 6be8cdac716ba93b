"""Where bodies touch at every sample of a movement: places, forces and states."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.equations.symbols.system import signal_names
from torseur.model.constraints.protocol import ExpressionRow, JointRows
from torseur.model.contact.element import Element
from torseur.model.contact.elements import elements, friction_name
from torseur.model.joints.mesh_points import PLACE, MeshPoint, mesh_axes
from torseur.model.joints.rolling import ContactType, at_poses
from torseur.report.scene.camera import Frames
from torseur.report.scene.geometry import Geometry
from torseur.report.scene.solids import Path
from torseur.simulation.run.contact_samples import ContactHistory
from torseur.simulation.run.run import Run
from torseur.simulation.run.touching import Touching

Array = np.ndarray
STATES = ("stick", "slip", "roll")
_SEEN = 0.02  # of the usual force: a force that is shown
_ROLLS = 1e-7  # of a usual length: how far a place on a body moves between samples, at least


@final
@dataclass(frozen=True)
class Touches:
    """What touches, sample after sample, in the order of `names` within each."""

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

    def arrows(self, sample: int, unit: float) -> Iterator[Path]:
        """The forces of a sample, the usual one 1.6 units long, in the style of their state."""
        for k in range(*self.starts[sample : sample + 2]):
            styles = "touch-normal", f"touch-{STATES[self.states[k]]}"
            for force, style in zip((self.normal[k], self.friction[k]), styles, strict=True):
                if np.linalg.norm(force) > _SEEN * self.usual:
                    ends = self.places[k], self.places[k] + 1.6 * unit / self.usual * force
                    yield Path(ends, style, 4 * unit, head=0.16 * unit)


def touches(run: Run, frames: Mapping[str, Frames], shape: Geometry, kept: Array) -> Touches | None:
    """The touches of a run at the samples that are kept; None where nothing can touch."""
    if run.samples.touching is not None:
        return _of_pile(run.samples.touching, kept)
    if not run.samples.contacts_named:
        return None
    found = {
        one.name: _Course(one, run.contact(one.name), _points(run, one), kept)
        for one in elements(shape.mechanism)
    }
    columns = [_column(course, frames, shape) for course in found.values()]
    acting = np.array([course.acts for course in found.values()]).T & [
        x is not None for x in columns
    ]
    samples, which = np.nonzero(acting)
    parts = [x if x is not None else _Column.nowhere(len(kept)) for x in columns]
    table = [np.stack([getattr(part, name) for part in parts]) for name in _Column.__slots__]
    states, *vectors = (x[which, samples] for x in table)
    starts = np.searchsorted(samples, np.arange(len(kept) + 1))
    return Touches(tuple(found), starts, which, states, *vectors)


# --- contacts between frames, stops and friction in joints ---------------------------------------


@final
class _Course:
    """An element at the samples that are kept."""

    def __init__(
        self, element: Element, history: ContactHistory, points: Array, kept: Array
    ) -> None:
        self.element, self.points = element, points[kept]
        self.state, self.force = history.state[kept], history.force[kept]

    @property
    def acts(self) -> Array:
        return np.asarray(self.state != "open")

    @property
    def slips(self) -> Array:
        return np.asarray(self.state == "slip")


@final
@dataclass(frozen=True, slots=True)
class _Column:
    """States, places and forces of one element at every sample."""

    states: Array
    places: Array
    normal: Array
    friction: Array

    @classmethod
    def nowhere(cls, count: int) -> _Column:
        """Of what has no place."""
        nothing = np.zeros((count, 3))
        return cls(np.zeros(count, dtype=int), nothing, nothing, nothing)


def _column(course: _Course, frames: Mapping[str, Frames], shape: Geometry) -> _Column | None:
    row = course.element.rows[0]
    if isinstance(row, JointRows) and course.element.pushes:
        return _between(course, row, frames, shape)
    if isinstance(row, ExpressionRow):
        return _in_joint(course, frames, shape)
    return None  # couples against rolling act at the place of their contact


def _between(
    course: _Course, row: JointRows, frames: Mapping[str, Frames], shape: Geometry
) -> _Column:
    """A contact: the point of the second body that touches, and forces along its axes."""
    kind, X_AF, X_BM = _numeric(row, shape)
    (R_A, p_A), (R_B, p_B) = frames[row.first], frames[row.second]
    R_F, p_F = R_A @ X_AF.R.matrix, p_A + R_A @ X_AF.p
    R_M, p_M = R_B @ X_BM.R.matrix, p_B + R_B @ X_BM.p
    R = np.einsum("nji,njk->nik", R_F, R_M)
    p = np.einsum("nji,nj->ni", R_F, p_M - p_F)
    if isinstance(kind, MeshPoint):
        own, axes = course.points[:, PLACE], mesh_axes(course.points)
    else:
        own, axes = at_poses(kind.touching, R, p), at_poses(kind.frame, R, p)[:, : kind.forces]
    seen = np.einsum("nij,nkj->nki", R_F, axes)  # (samples, axes, 3) in the ground
    forces = course.force[:, : seen.shape[1], np.newaxis] * seen[:, : course.force.shape[1]]
    places = p_M + np.einsum("nij,nj->ni", R_M, own)
    states = np.where(course.slips, 1, np.where(_rolls(own), 2, 0))
    return _Column(states, places, forces[:, 0], forces[:, 1:].sum(axis=1))


def _points(run: Run, one: Element) -> Array:
    """The numbers of a point of two meshes at every sample; none of what is no such point."""
    kind = one.rows[0].kind if isinstance(one.rows[0], JointRows) else None
    if not isinstance(kind, MeshPoint):
        return np.zeros((len(run.t), 0))
    first = signal_names(run.model.mechanism).index(kind.signals[0])
    return np.asarray(run.samples.inputs[:, first : first + len(kind.signals)])


def _numeric(row: JointRows, shape: Geometry) -> tuple[ContactType, Any, Any]:
    kind = row.kind.numeric(lambda x: float(shape.numbers(x)))
    return kind, shape.pose(row.X_AF), shape.pose(row.X_BM)


def _rolls(own: Array) -> Array:
    """(samples): whether the place that touches moves over the second body."""
    size = float(np.abs(own).max(initial=0.0))
    moved = np.linalg.norm(np.diff(own, axis=0), axis=1) > _ROLLS * size
    return np.concatenate([moved, moved[-1:]]) if len(moved) else np.zeros(len(own), dtype=bool)


def _in_joint(course: _Course, frames: Mapping[str, Frames], shape: Geometry) -> _Column | None:
    """A stop or a friction: the place of its joint, without arrows."""
    own = course.element.name
    for joint in shape.numeric.joints.values():
        stops = {
            f"{name}: {side} stop" for name in joint.coordinates for side in ("lower", "upper")
        }
        if own == friction_name(joint.name) or own in stops:
            R, p = frames[joint.second]
            nothing = np.zeros((len(p), 3))
            states = course.slips.astype(int)
            return _Column(states, p + R @ joint.X_BM.p, nothing, nothing)
    return None


# --- piles ---------------------------------------------------------------------------------------


def _of_pile(touching: Touching, kept: Array) -> Touches:
    """What touches at each sample, by pairs of bodies."""
    pairs: dict[str, int] = {}
    starts, rows = [0], []
    for sample in kept:
        rows += sorted(_rows(touching, int(sample), pairs), key=lambda row: row[0])
        starts.append(len(rows))
    table = np.array(rows, dtype=float).reshape(-1, 11)
    which, states = table[:, 0].astype(int), table[:, 1].astype(int)
    vectors = (table[:, k : k + 3] for k in (2, 5, 8))
    return Touches(tuple(pairs), np.array(starts), which, states, *vectors)


def _rows(touching: Touching, sample: int, pairs: dict[str, int]) -> Iterator[tuple[float, ...]]:
    """Pair, state, place, normal force and friction of each touch that presses."""
    seen: dict[str, int] = {}
    for touch in touching[sample]:
        pair = f"{touch.first}, {touch.second}"
        seen[pair] = seen.get(pair, 0) + 1
        name = pair if seen[pair] == 1 else f"{pair} ({seen[pair]})"
        normal = (touch.force @ touch.normal) * touch.normal
        if normal.any():
            rubbing = touch.force - normal
            which = pairs.setdefault(name, len(pairs))
            yield (which, int(touch.slides), *touch.point, *normal, *rubbing)
