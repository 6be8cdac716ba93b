"""Movements: successive configurations, the places of bodies in them, and curves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, flat
from torseur.model.description import GROUND
from torseur.report.scene.camera import Frames
from torseur.report.scene.geometry import SceneGeometry
from torseur.report.scene.touches import Touches
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.samples import Happened
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
