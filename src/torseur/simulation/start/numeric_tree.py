"""The tree of a model in numbers, and the arcs that displacements of its joints make."""

from __future__ import annotations

from collections import defaultdict
from functools import cached_property
from math import nan
from typing import final

import numpy as np

from torseur.dynamics.tree.closure import closures, relative_jacobian
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Joint, Mechanism
from torseur.model.values.numeric import numeric_mechanism
from torseur.model.values.scales import speed_units
from torseur.topology.structure import Structure, structure

Array = np.ndarray
_RANK = 1e-9
_OTHERS = 1e-3  # what arcs of what is not given weigh beside given values
# Given values are kept in their order unless this moves them so many times further than needed.
DEARER = 10.0


@final
class NumericTree:
    """The tree of a compiled model at its parameters; masses may be unknown."""

    def __init__(self, model: CompiledModel) -> None:
        self.model = model
        self._last: tuple[bytes, dict[str, Array]] = b"", {}  # coordinates, and the rows there

    @cached_property
    def _numbers(self) -> Mechanism:
        known = {n: nan if x is None else x for n, x in self.model.parameters.items()}
        return numeric_mechanism(self.model.mechanism, known)

    @cached_property
    def structure(self) -> Structure:
        """The joints that carry bodies and those that close loops."""
        return structure(self._numbers)

    @cached_property
    def _reaches(self) -> dict[str, float]:
        """Distances of the joints and the centre of each body from their middle [m]."""
        points: dict[str, list[Array]] = defaultdict(list)
        for joint in self._numbers.joints.values():
            points[joint.first].append(np.asarray(joint.X_AF.p, dtype=float))
            points[joint.second].append(np.asarray(joint.X_BM.p, dtype=float))
        reaches = {}
        for name, body in self._numbers.bodies.items():
            placed = np.array([*points[name], np.asarray(body.centre, dtype=float)])
            placed = placed[np.isfinite(placed).all(axis=1)]
            reach = float(np.linalg.norm(placed - placed.mean(axis=0), axis=1).max(initial=0.0))
            reaches[name] = reach or self.model.sizes.scales.length
        return reaches

    def arc(self, speed: str) -> float:
        """The arc, in parts of the size, that a joint makes at one speed of that size, or radian.

        Turning by a radian, the larger of its bodies makes the arc of its reach.
        """
        joint, unit = self._joints[speed]
        if unit == "m/s":
            return 1.0
        reaches = (self._reaches[n] for n in (joint.first, joint.second) if n in self._reaches)
        return max(reaches, default=0.0) / self.model.sizes.scales.length

    @cached_property
    def _joints(self) -> dict[str, tuple[Joint, str]]:
        """Joints by their speeds, with the unit; speeds of contacts cannot be given."""
        joints = self.model.mechanism.joints.values()
        units = speed_units(self.model.mechanism)
        return {n: (joint, units[n]) for joint in joints for n in joint.speeds if n in units}

    def rows(self, q: Array) -> dict[str, Array]:
        """(nv): every speed of a joint as a row of the speeds of the tree, without dimension.

        Those of closing joints too: t = S v gives v, from the relative motion t of their bodies.
        """
        last = self._last
        if last[0] != q.tobytes():
            self._last = last = q.tobytes(), self._rows(q)
        return last[1]

    def _rows(self, q: Array) -> dict[str, Array]:
        model, parts = self.model, self.structure
        rows = dict(zip(model.speeds, np.eye(len(model.speeds)), strict=True))
        cuts = tuple(cut for cut in parts.cuts if set(cut.speeds) & self._joints.keys())
        placed = ground_poses(parts.tree, q) if cuts else []
        for closure in closures(parts.tree, cuts, q) if cuts else ():
            jacobian = np.concatenate(relative_jacobian(parts.tree, placed, q, closure)).astype(
                float
            )
            S = np.asarray(closure.cut.joint.motions_at(closure.R, closure.p), dtype=float)
            by_speed = zip(closure.cut.speeds, np.linalg.pinv(S) @ jacobian, strict=True)
            rows |= {n: row * model.sizes.displacements / self.size(n) for n, row in by_speed}
        return rows

    def size(self, speed: str) -> float:
        """Reference size of the displacement of a speed: the length of the mechanism, or 1."""
        unit = self._joints[speed][1].removesuffix("/s")
        return float(self.model.sizes.scales.of([unit])[0])

    def arcs(self, q: Array) -> Array:
        """G (nv, nv): xᵀ G x sums the squares of the arcs that all joints make in a displacement x.

        Displacements and arcs are in parts of the size of the mechanism, or in radians. Which
        joints carry bodies makes no difference.
        """
        rows = [self.arc(name) * row for name, row in self.rows(q).items()]
        A = np.array(rows).reshape(len(rows), len(self.model.speeds))
        return np.asarray(A.T @ A)


# --- smallest displacements -----------------------------------------------------------------------


def least_step(J: Array, right: Array, G: Array | None) -> Array:
    """The smallest x with J x = right, by least squares, in the metric xᵀ G x.

    Zero where J is not a number: no step leads from there.
    """
    if not np.isfinite(J).all():
        return np.zeros(J.shape[1])
    if G is None or not len(G):
        return np.asarray(np.linalg.lstsq(J, right, rcond=_RANK)[0])
    root = np.linalg.cholesky(G)  # G = root rootᵀ, y = rootᵀ x
    within = np.linalg.solve(root, J.T).T  # J root⁻ᵀ
    return np.linalg.solve(root.T, np.linalg.lstsq(within, right, rcond=_RANK)[0])


def nearest_step(J: Array, right: Array, A: Array, off: Array, G: Array) -> Array:
    """The x with J x = right that leaves the least of A x + off, then moves least."""
    step = least_step(J, right, G)
    _, sizes, rows = np.linalg.svd(J)
    free = rows[int((sizes > _RANK * sizes.max(initial=0.0)).sum()) :].T
    root = _OTHERS * np.linalg.cholesky(G).T
    right_side = -np.concatenate([off + A @ step, root @ step])
    along = np.linalg.lstsq(np.vstack([A, root]) @ free, right_side, rcond=None)[0]
    return np.asarray(step + free @ along)
