"""The motion of every body at every sample at once: one recursion on symbols, run on columns."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol, final

import numpy as np

from torseur.dynamics.tree.kinematics import acceleration_tensor, accelerations, velocities
from torseur.equations.expressions.sampling import over_samples
from torseur.machine.compiled import CompiledModel
from torseur.model.description import GROUND
from torseur.simulation.observe.moving import MovingFrame, each, still, times
from torseur.spatial.pose import Pose
from torseur.spatial.vectors import cross, skew

Array = np.ndarray


class Samples(Protocol):
    """States of a mechanism at successive times, such as those of a run."""

    @property
    def model(self) -> CompiledModel: ...
    @property
    def t(self) -> Array: ...  # (samples)
    @property
    def q(self) -> Array: ...  # (samples, nq)
    @property
    def v(self) -> Array: ...
    @property
    def a(self) -> Array: ...


def symbol_values(samples: Samples, order: int = 2) -> dict[str, Any]:
    """Time, parameters and the symbols of q, v and a at every sample, by name.

    Speeds and accelerations are asked for only where the order needs them.
    """
    system, values = samples.model.system, {"t": samples.t, **samples.model.parameters}
    for symbols, name in ((system.q, "q"), (system.v, "v"), (system.a, "a"))[: order + 1]:
        columns = getattr(samples, name)
        values |= {x.name: columns[:, k] for k, x in enumerate(symbols)}
    return values


@final
class Bodies:
    """The frames of the bodies in the ground, each order of derivatives when it is asked for."""

    def __init__(self, samples: Samples) -> None:
        self.samples, self.count = samples, len(samples.t)
        self.system = samples.model.system
        self.index = {link.name: i for i, link in self.system.tree}

    def frame(self, body: str, orders: int) -> MovingFrame:
        """The frame of a body in the ground, with orders − 1 derivatives."""
        if body == GROUND:
            return still(Pose(), orders, self.count)
        i = self.index[body]
        R = self._placed[:, i, :9].reshape(-1, 3, 3)
        turned, moved = [R], [self._placed[:, i, 9:]]
        if orders > 1:
            w, v = np.split(self._moving[:, i], 2, axis=-1)
            turned.append(R @ each(skew, w))
            moved.append(times(R, v))
        if orders > 2:
            dw, acc = np.split(self._accelerated[:, i], 2, axis=-1)
            turned.append(R @ each(acceleration_tensor, w, dw))
            moved.append(times(R, acc))
        return MovingFrame(np.array(turned), np.array(moved))

    @cached_property
    def _placed(self) -> Array:
        """R and p of every body in the ground (samples, bodies, 12)."""
        q, tree = self.system.q, self.system.tree
        R: list[Array] = []  # of the computing frames
        p: list[Array] = []
        rows = []
        for X, link in zip(tree.poses(q), tree.links, strict=True):
            carrier, origin = (
                (R[link.parent], p[link.parent]) if link.parent >= 0 else (np.eye(3), np.zeros(3))
            )
            R.append(carrier @ X.R.matrix)
            p.append(origin + carrier @ X.p)
            own = R[-1] @ link.X_MB.R.matrix, p[-1] + R[-1] @ link.X_MB.p
            rows.append([*own[0].ravel(), *own[1]])
        return self._over_samples(rows, 12, symbol_values(self.samples, 0))

    @cached_property
    def _moving(self) -> Array:
        """ω and the velocity of the origin of every body, in its axes (samples, bodies, 6)."""
        tree = self.system.tree
        found = velocities(tree, self.system.q, self.system.v)
        rows = []
        for one, link in zip(found, tree.links, strict=True):
            X = link.X_MB
            rows.append([*X.R.into(one.w), *X.R.into(one.v + cross(one.w, X.p))])
        return self._over_samples(rows, 6, symbol_values(self.samples, 1))

    @cached_property
    def _accelerated(self) -> Array:
        """ω̇ and the acceleration of the origin of every body, in its axes (samples, bodies, 6)."""
        tree, weightless = self.system.tree, np.zeros(3)
        found = accelerations(tree, self.system.q, self.system.v, self.system.a, weightless)
        rows = []
        for one, link in zip(found, tree.links, strict=True):
            X = link.X_MB
            rows.append([*X.R.into(one.dw), *X.R.into(one.acc + one.U @ X.p)])
        return self._over_samples(rows, 6, symbol_values(self.samples))

    def _over_samples(self, rows: list[list[Any]], width: int, values: dict[str, Any]) -> Array:
        outputs = np.array(rows, dtype=object).reshape(len(rows), width)
        return over_samples(outputs, values, self.count)
