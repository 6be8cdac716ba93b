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
from torseur.algebra.core.graph import evaluate, expressions
from torseur.machine.compiled import CompiledModel
from torseur.model.joints.protocol import JointType
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.run.followed import angles, beside, followed
from torseur.topology.structure import Cut

Array = np.ndarray
_TURN = 2 * np.pi


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
            q = _columns(joint.read(R, p), len(self._t))
            v = _columns(evaluate(_reading(joint)[0], _values(q, motions)), len(self._t))
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
                found[:, k] += _TURN * np.round((given - found[0, k]) / _TURN)
        return found

    def accelerations(self, name: str, a: Array) -> Array:
        """The rates of the speeds of a joint (samples, nv), from the accelerations of the tree."""
        k, _, joint = self._cuts[name]
        rates = self._function("closing_accelerations", self._q, self._v, a)[:, k]
        values = _values(self.joints[name][0], self._motions[:, k])
        values |= {f"t.[{k}]": x for k, x in enumerate(rates.T)}
        return _columns(evaluate(_reading(joint)[1], values), len(self._t))


def _values(q: Array, motions: Array) -> dict[str, Any]:
    known = {f"q[{k}]": x for k, x in enumerate(q.T)}
    return known | {f"t[{k}]": x for k, x in enumerate(motions[:, 12:].T)}


def _columns(rows: Any, samples: int) -> Array:
    made = [np.broadcast_to(np.asarray(x, dtype=float), samples) for x in rows]
    return np.array(made).reshape(len(made), samples).T


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
