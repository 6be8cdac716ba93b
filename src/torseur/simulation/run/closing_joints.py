"""The coordinates, speeds and accelerations of joints that close loops, all samples at once.

A compiled function gives the pose of M in F and its motion t = (ω; v); each joint reads its own
coordinates from the pose, v_k = S_k·t / S_k·S_k from the motion, and a_k from the rate of that.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property, lru_cache
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import expressions
from torseur.equations.expressions.sampling import over_samples
from torseur.machine.compiled import CompiledModel
from torseur.model.joints.protocol import JointType
from torseur.model.values.numeric import numeric_mechanism
from torseur.spatial import quaternion
from torseur.spatial.attitude_steps import exponential
from torseur.topology.structure import Cut

Array = np.ndarray


@final
class Closing:
    """The closing joints of a motion at its samples, whole turns followed from its start."""

    def __init__(
        self,
        model: CompiledModel,
        t: Array,
        q: Array,
        v: Array,
        *,
        given: Mapping[str, float] | None = None,
        whole: Closing | None = None,
    ) -> None:
        self._model, self._t, self._q, self._v = model, t, q, v
        self._given = given or {}  # coordinates that the motion starts from
        self._whole = whole  # the same motion at all that was kept of it; None: this is it

    @cached_property
    def _cuts(self) -> dict[str, tuple[int, Cut, Any]]:
        """The closing joints with coordinates: place, names, and joint with numbers."""
        model = self._model
        joints = numeric_mechanism(model.mechanism, model.parameters).joints
        cuts = [cut for cut in model.system.cuts if cut.coordinates]
        return {cut.name: (k, cut, joints[cut.name].kind) for k, cut in enumerate(cuts)}

    @cached_property
    def _motions(self) -> Array:
        """R, p and t of each (samples, joints, 18)."""
        return self._function("closing_motions", self._q, self._v)

    def _function(self, name: str, *arrays: Array) -> Array:
        found = np.asarray(self._model.timed(name)(*arrays, self._t))
        return found.reshape(len(self._t), len(self._cuts), -1)

    @cached_property
    def joints(self) -> dict[str, tuple[Array, Array]]:
        """Coordinates and speeds of each joint (samples, n), by name."""
        found: dict[str, tuple[Array, Array]] = {}
        for name, (k, cut, joint) in self._cuts.items():
            motions = self._motions[:, k]
            R, p = motions[:, :9].T.reshape(3, 3, -1), motions[:, 9:12].T
            q = np.stack(np.broadcast_arrays(*joint.read(R, p), self._t)[:-1], axis=1).astype(float)
            v = over_samples(_reading(joint)[0], _values(q, motions), len(self._t))
            found[name] = self._continued(cut, joint, q, v), v
        return found

    def _continued(self, cut: Cut, joint: JointType, q: Array, v: Array) -> Array:
        """Coordinates without jumps: from the samples of the whole motion, or from its start."""
        whole = self._whole
        if whole is not None:
            place = np.searchsorted(whole._t, self._t, side="right") - 1
            known, speeds = (x[place] for x in whole.joints[cut.name])
            ahead = (speeds + v) / 2 * (self._t - whole._t[place])[:, np.newaxis]
            return beside(joint, q, known, ahead)
        found = followed(joint, self._t, q, v)
        for k in angles(joint):
            given = self._given.get(cut.coordinates[k])
            if given is not None:
                found[:, k] += turns(given, found[0, k])
        return found

    def accelerations(self, name: str, a: Array) -> Array:
        """The rates of the speeds of a joint (samples, nv), from the accelerations of the tree."""
        k, _, joint = self._cuts[name]
        rates = self._function("closing_accelerations", self._q, self._v, a)[:, k]
        values = _values(self.joints[name][0], self._motions[:, k])
        values |= {f"t.[{k}]": x for k, x in enumerate(rates.T)}
        return over_samples(_reading(joint)[1], values, len(self._t))


def _values(q: Array, motions: Array) -> dict[str, Any]:
    known = {f"q[{k}]": x for k, x in enumerate(q.T)}
    return known | {f"t[{k}]": x for k, x in enumerate(motions[:, 12:].T)}


@lru_cache(maxsize=256)
def _reading(joint: Any) -> tuple[Array, Array]:
    """The speeds of a joint and their rates, as expressions of its coordinates, of t and of ṫ."""
    q, t, rate = (
        np.array([symbol(f"{name}[{k}]", "input") for k in range(count)], dtype=object)
        for name, count in (("q", joint.nq), ("t", 6), ("t.", 6))
    )
    S = expressions(joint.motion_subspace(q))
    v = expressions([S[:, k] @ t / (S[:, k] @ S[:, k]) for k in range(joint.nv)])
    along = dict(zip(q, joint.rates(q, v), strict=True)) | dict(zip(t, rate, strict=True))
    return v, time_derivative(v, along)


# --- followed from sample to sample --------------------------------------------------------------


def followed(joint: JointType, t: Array, samples: Array, speeds: Array) -> Array:
    """The coordinates of a joint (samples, nq) without jumps, which its speeds foretell.

    Whole turns are added to angles; of a quaternion a and −a, the one that is nearer to what the
    speeds between two samples lead to. It has w ≥ 0 at first.
    """
    found, mean = samples.copy(), (speeds[1:] + speeds[:-1]) / 2 * np.diff(t)[:, np.newaxis]
    if joint.turning:
        flips = np.cumprod(_signs(found[:-1, -4:], mean[:, -3:], found[1:, -4:]))
        found[1:, -4:] *= flips[:, np.newaxis]
    for k in angles(joint):
        found[1:, k] += np.cumsum(turns(found[:-1, k] + mean[:, k], found[1:, k]))
    return found


def beside(joint: JointType, samples: Array, known: Array, ahead: Array) -> Array:
    """The coordinates of a joint (samples, nq), each beside known ones from which it moved on.

    `ahead` (samples, nv) is what the speeds have made of the way since then.
    """
    found = samples.copy()
    if joint.turning:
        signs = _signs(known[:, -4:], ahead[:, -3:], found[:, -4:])
        found[:, -4:] *= signs[:, np.newaxis]
    for k in angles(joint):
        found[:, k] += turns(known[:, k] + ahead[:, k], found[:, k])
    return found


def angles(joint: JointType) -> list[int]:
    """The coordinates of a joint that whole turns leave as they are."""
    units = enumerate(joint.coordinate_units)
    return [k for k, unit in units if unit == "rad" and k < joint.nv]


def turns(foretold: Any, angles: Any) -> Any:
    """Whole turns between angles and what was foretold of them [rad]."""
    return 2 * np.pi * np.round((foretold - angles) / (2 * np.pi))


def _signs(before: Array, ahead: Array, after: Array) -> Array:
    """−1 where the speeds lead from one attitude to minus the other."""
    foretold = quaternion.product(before.T, exponential(ahead.T))
    return np.where((foretold * after.T).sum(axis=0) < 0, -1.0, 1.0)
