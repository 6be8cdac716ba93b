"""The free rotation of a body of a run: its kinetic moment in its own axes, where it goes.

Nothing outside turns the body: |σ| is kept. Something inside may take energy away, as fluids and
flexible parts do; then the body ends up turning about the axis of its largest moment, where the
energy |σ|²/2I is least (Plaut 2007, problem 3.1).
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.analyse.rotation.free_rotation import FreeRotation, flips, sign_changes
from torseur.analyse.rotation.polhode import Polhodes, polhodes
from torseur.errors import ModelError, require_known
from torseur.figures import Figure
from torseur.model.values.numeric import numeric_mechanism
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_KEPT = 1e-6  # of |σ|: what a run may lose of it to its tolerance


@final
class Tumbling(Result):
    """The rotation of a body that nothing outside turns, with what moves inside."""

    run: Run
    body: str
    moments: Array  # (3) principal, of the whole at the start [kg m²]
    axes: Array  # (3, 3): the principal axes in those of the body, as columns
    momentum: Array  # (samples, 3): σ at the centre of mass, along the principal axes [N m s]
    in_space: Array  # (samples, 3): the same in ground axes, which stays

    @property
    def size(self) -> float:
        """|σ| at the start [N m s]."""
        return float(np.linalg.norm(self.momentum[0]))

    @property
    def change(self) -> float:
        """The largest change of σ in space along the run, relative to |σ|."""
        apart = np.linalg.norm(self.in_space - self.in_space[0], axis=1).max()
        return float(apart / self.size) if self.size > 0 else 0.0

    @property
    def major(self) -> int:
        """The axis of the largest moment (0, 1, 2)."""
        return int(self.moments.argmax())

    @property
    def least_energy(self) -> float:
        """|σ|²/2I about the axis of the largest moment [J]: dissipation leads there."""
        return self.size**2 / (2 * float(self.moments.max()))

    @property
    def energy(self) -> Array:
        """The kinetic energy of rotation (samples) [J]."""
        return np.asarray(self.run.energy["kinetic"])

    @property
    def tilt(self) -> Array:
        """The angle of σ from the axis of the largest moment (samples) [rad], at most π/2."""
        along = np.abs(self.momentum[:, self.major]) / np.linalg.norm(self.momentum, axis=1)
        return np.asarray(np.arccos(np.clip(along, 0.0, 1.0)))

    @cached_property
    def rigid(self) -> FreeRotation:
        """The rotation that it would have if everything inside were fixed."""
        return FreeRotation(self.moments, self.momentum[0] / self.moments)

    @property
    def polhodes(self) -> Polhodes:
        """The curves on which σ stays without dissipation."""
        return polhodes(self.moments.tolist(), self.size)

    @property
    def document(self) -> dict[str, Any]:
        """The same as plain data."""
        return {
            **entries(self, "body", "moments", "axes", "change", "least_energy", "flips"),
            "momentum": self.size,
            "energy": plain(self.energy[[0, -1]]),
            "tilt": plain(self.tilt[[0, -1]]),
            "growth": plain([self.rigid.growth(k) for k in range(3)]),
        }

    @property
    def flips(self) -> Array:
        """The instants at which σ passes across the middle axis [s]."""
        middle = int(np.argsort(self.moments)[1])
        if np.allclose(np.abs(self.axes), np.eye(3), atol=1e-6):
            return flips(self.run, self.body, middle)
        return sign_changes(self.run.t, self.momentum[:, middle])

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> Iterator[str]:
        order = np.argsort(self.moments)
        sizes = (say("the smallest"), say("the middle one"), say("the largest"))
        words = dict(zip(order, sizes, strict=True))
        yield self.say("{body}: |σ| = {size:.6g} N m s; σ is kept to {change:.1e}")
        for k in range(3):
            rate = self.rigid.growth(k)
            what = say("unstable, exp({rate:.4g} t)", rate.real) if rate.real > 0 else say("stable")
            yield say(
                "  axis {number}: {moment:.6g} kg m², {rank}; {what}",
                k + 1,
                self.moments[k],
                words[k],
                what,
            )
        yield self.say(
            "energy from {first:.6g} to {last:.6g} J; "
            "the least for this |σ| is {least_energy:.6g} J",
            first=self.energy[0],
            last=self.energy[-1],
        )
        first, last = np.degrees(self.tilt[[0, -1]])
        yield say(
            "σ is {first:.2f}° from the axis of the largest moment at the start, "
            "{last:.2f}° at the end",
            first,
            last,
        )
        if len(self.flips):
            yield say(
                "rotation about the middle axis changes sense {number} time(s), first at "
                "t = {first:.5g} s, last at t = {last:.5g} s",
                len(self.flips),
                self.flips[0],
                self.flips[-1],
            )

    def figure(self, path: str | Path | None = None) -> Figure:
        """The polhodes with the path of σ on them."""
        return self.polhodes.figure(path, followed=self.momentum)


def tumbling(run: Run, body: str = "") -> Tumbling:
    """The free rotation in a run: σ of everything at its centre of mass, in the axes of a body.

    Without a name, the body is the first. Moments are those of all bodies where they are at the
    start.
    """
    mechanism = run.model.mechanism
    name = body or next(iter(mechanism.bodies))
    require_known("tumbling", "body", name, mechanism.bodies)
    bodies = numeric_mechanism(mechanism, run.model.parameters).bodies
    seen = run.seen
    mass = sum(x.mass for x in bodies.values())
    centres = {n: (n, [float(c) for c in x.centre]) for n, x in bodies.items()}
    places = {n: seen.point(centres[n]) for n in bodies}
    speeds = {n: seen.point(centres[n], 1) for n in bodies}
    G = sum(x.mass * places[n] for n, x in bodies.items()) / mass
    sigma, inertia = np.zeros((len(run.t), 3)), np.zeros((3, 3))
    for n, x in bodies.items():
        R, w = seen.poses[n][0], seen.angular_velocity(n)
        turned = R @ np.asarray(x.inertia, dtype=float) @ np.swapaxes(R, 1, 2)
        arm = places[n] - G
        sigma += np.einsum("kij,kj->ki", turned, w) + x.mass * np.cross(arm, speeds[n])
        r = arm[0]
        inertia += turned[0] + x.mass * (r @ r * np.eye(3) - np.outer(r, r))
    R = seen.poses[name][0]
    moments, axes = _principal(R[0].T @ inertia @ R[0])
    found = Tumbling(run, name, moments, axes, np.einsum("kji,kj->ki", R, sigma) @ axes, sigma)
    if not found.size > 0 or found.change > _KEPT:
        problem = say(
            "σ is not kept: |σ| = {size:.4g} N m s, changed by {change:.1e} of it.",
            found.size,
            found.change,
        )
        raise ModelError("tumbling", problem, "Nothing outside may turn the body.")
    return found


def _principal(tensor: Array) -> tuple[Array, Array]:
    """Moments and axes, in the order and sense nearest to those of the body."""
    values, vectors = np.linalg.eigh(tensor)
    if np.allclose(tensor, np.diag(np.diag(tensor)), atol=1e-12 * np.abs(tensor).max()):
        return np.diag(tensor).copy(), np.eye(3)
    order: list[int] = []
    for row in range(3):
        left = [k for k in range(3) if k not in order]
        order.append(max(left, key=lambda k: abs(vectors[row, k])))
    axes = vectors[:, order]
    axes = axes * np.where(np.diag(axes) < 0, -1.0, 1.0)
    if np.linalg.det(axes) < 0:
        axes[:, 2] *= -1
    return values[order], axes
