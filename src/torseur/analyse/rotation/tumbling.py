"""The free rotation of a body of a run: its kinetic moment in its own axes, where it goes.

Nothing outside turns the body: |σ| is kept. Something inside may take energy away, as fluids and
flexible parts do; then the body ends up turning about the axis of its largest moment, where the
energy |σ|²/2I is least (Plaut 2007, problem 3.1).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.analyse.rotation.free_rotation import FreeRotation, flips, sign_changes
from torseur.errors import ModelError, require_known
from torseur.figures import Figure, figure, written
from torseur.model.values.numeric import numeric_mechanism
from torseur.plain import entries, plain
from torseur.result import Result
from torseur.simulation.run.run import Run
from torseur.words.sentence import say

Array = np.ndarray
_KEPT = 1e-6  # of |σ|: what a run may lose of it to its tolerance
_POINTS = 241
_FROM = (25.0, -50.0)  # elevation and azimuth of the eye [°]
_COLOURS = ("tab:blue", "tab:green", "tab:red")  # of the axis a curve goes round


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
        """Plain data."""
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
    observed_run = run.seen
    mass = sum(x.mass for x in bodies.values())
    centres = {n: (n, [float(c) for c in x.centre]) for n, x in bodies.items()}
    places = {n: observed_run.point(centres[n]) for n in bodies}
    speeds = {n: observed_run.point(centres[n], 1) for n in bodies}
    G = sum(x.mass * places[n] for n, x in bodies.items()) / mass
    sigma, inertia = np.zeros((len(run.t), 3)), np.zeros((3, 3))
    for n, x in bodies.items():
        R, w = observed_run.poses[n][0], observed_run.angular_velocity(n)
        turned = R @ np.asarray(x.inertia, dtype=float) @ np.swapaxes(R, 1, 2)
        arm = places[n] - G
        sigma += np.einsum("kij,kj->ki", turned, w) + x.mass * np.cross(arm, speeds[n])
        r = arm[0]
        inertia += turned[0] + x.mass * (r @ r * np.eye(3) - np.outer(r, r))
    R = observed_run.poses[name][0]
    moments, axes = _principal(R[0].T @ inertia @ R[0])
    result = Tumbling(run, name, moments, axes, np.einsum("kji,kj->ki", R, sigma) @ axes, sigma)
    if not result.size > 0 or result.change > _KEPT:
        problem = say(
            "σ is not kept: |σ| = {size:.4g} N m s, changed by {change:.1e} of it.",
            result.size,
            result.change,
        )
        raise ModelError("tumbling", problem, "Nothing outside may turn the body.")
    return result


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


# --- polhodes ------------------------------------------------------------------------------------
#
# The kinetic moment of a free body follows a polhode in the body. |σ| and the energy are constant:
# σ stays where the sphere Σ σᵢ² = α meets the ellipsoid Σ σᵢ²/Iᵢ = β (Plaut 2007, (3.51) and
# (3.52)).


@final
class Polhode(Result):
    """The two closed curves of one energy, one on each side of the axis they go round."""

    energy: float  # [J]
    axis: int  # 0, 1, 2
    curves: tuple[Array, Array]  # (points, 3): σ in the principal axes [N m s]


@final
class Polhodes(Result):
    """Polhodes of one kinetic moment and several energies."""

    moments: Array  # (3,) [kg m²]
    momentum: float  # |σ| [N m s]
    curves: tuple[Polhode, ...]

    @property
    def separatrix(self) -> tuple[Array, Array]:
        """The two circles through the middle axis, σ₁/σ₃ = ± a constant (points, 3)."""
        low, middle, high = np.argsort(self.moments)
        a, b, c = (1 / self.moments[k] for k in (low, middle, high))
        u = np.linspace(0, 2 * np.pi, _POINTS)
        # (a − b) σ_low² = (b − c) σ_high²
        slope = np.arctan2(np.sqrt(b - c), np.sqrt(a - b))
        curves = []
        for side in (1, -1):
            circle = np.empty((_POINTS, 3))
            circle[:, middle] = np.cos(u)
            circle[:, low] = np.sin(slope) * np.sin(u)
            circle[:, high] = side * np.cos(slope) * np.sin(u)
            curves.append(self.momentum * circle)
        return curves[0], curves[1]

    def figure(self, path: str | Path | None = None, *, followed: Array | None = None) -> Figure:
        """The sphere with its polhodes; `followed` (samples, 3) is the σ of a run, on top.

        It goes from the ring to the full dot.
        """
        drawn = figure(6.5, 6.0)
        panel: Any = drawn.add_subplot(projection="3d", computed_zorder=False)
        panel.view_init(elev=_FROM[0], azim=_FROM[1])
        u, v = np.meshgrid(np.linspace(0, 2 * np.pi, 41), np.linspace(0, np.pi, 21))
        ball = self.momentum * np.array([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)])
        panel.plot_surface(*ball, color="0.95", linewidth=0, alpha=0.6, zorder=2, shade=False)
        for polhode in self.curves:
            for curve in polhode.curves:
                _draw_curve(panel, curve, "-", color=_COLOURS[polhode.axis], linewidth=1.0)
        for curve in self.separatrix:
            _draw_curve(panel, curve, "-", color="black", linewidth=1.6)
        if followed is not None:
            samples = np.asarray(followed)
            dot = 3.0 if len(samples) < 1000 else 1.2
            _draw_curve(panel, samples, ".", color="tab:orange", markersize=dot)
            _draw_curve(panel, samples[:1], "o", color="black", mfc="white", markersize=6)
            _draw_curve(panel, samples[-1:], "o", color="black", markersize=6)
        for k, moment in enumerate(self.moments):
            end = 1.15 * self.momentum * np.eye(3)[k]
            called = say("axis {number}", k + 1)
            panel.text(*end, f"{called}\n{moment:.4g} kg m²", ha="center", zorder=4)
        panel.set_xlabel("σ₁ [N m s]")
        panel.set_ylabel("σ₂ [N m s]")
        panel.set_zlabel("σ₃ [N m s]")
        panel.set_box_aspect((1, 1, 1))
        return written(drawn, path, say("polhodes; black: the separatrix through the middle axis"))


def _draw_curve(panel: Any, curve: Array, style: str, **look: Any) -> None:
    """A curve on the sphere: behind it what is hidden, before it what is seen."""
    up, round_ = np.radians(_FROM)
    eye = np.array([np.cos(up) * np.cos(round_), np.cos(up) * np.sin(round_), np.sin(up)])
    hidden = (curve @ eye < 0)[:, None]
    panel.plot(*np.where(hidden, curve, np.nan).T, style, zorder=1, **look)
    panel.plot(*np.where(hidden, np.nan, curve).T, style, zorder=3, **look)


def polhodes(
    moments: Sequence[float],
    momentum: float = 1.0,
    *,
    energies: Sequence[float] | None = None,
    count: int = 5,
) -> Polhodes:
    """The polhodes of a body of three different principal moments, at one |σ| [N m s].

    At the given energies [J], or at `count` of them on each side of the separatrix.
    """
    I = np.asarray(moments, dtype=float)
    if I.shape != (3,) or not (I > 0).all() or len(set(I)) < 3 or not momentum > 0:
        problem = say(
            "three different moments and a positive |σ| are needed, got {moments}, {momentum:g}.",
            moments,
            momentum,
        )
        raise ModelError("polhodes", problem, "With equal moments the polhodes are circles.")
    least, middle, most = momentum**2 / (2 * np.sort(I)[::-1])
    if energies is None:
        steps = (np.arange(count) + 1) / (count + 1)
        energies = [*(least + (middle - least) * steps), *(middle + (most - middle) * steps)]
    return Polhodes(I, momentum, tuple(_polhode(I, momentum, float(e)) for e in energies))


def _polhode(I: Array, momentum: float, energy: float) -> Polhode:
    """Both curves: an ellipse in the plane across the axis they go round, put on the sphere."""
    low, middle, high = np.argsort(I)
    limits = momentum**2 / (2 * I[[high, middle, low]])
    if not limits[0] <= energy <= limits[2] or energy == limits[1]:
        problem = say(
            "no polhode of {energy:g} J: |σ| allows {low:.6g} to {high:.6g} J, with the separatrix "
            "at {between:.6g} J.",
            energy,
            limits[0],
            limits[2],
            limits[1],
        )
        raise ModelError("polhodes", problem)
    k = high if energy < limits[1] else low
    u, curve = np.linspace(0, 2 * np.pi, _POINTS), np.empty((_POINTS, 3))
    excess = 2 * energy - momentum**2 / I[k]
    for j, wave in zip([x for x in range(3) if x != k], (np.cos(u), np.sin(u)), strict=True):
        curve[:, j] = np.sqrt(excess / (1 / I[j] - 1 / I[k])) * wave
    curve[:, k] = 0.0
    curve[:, k] = np.sqrt(momentum**2 - (curve**2).sum(axis=1))
    mirror = np.where(np.arange(3) == k, -1.0, 1.0)
    return Polhode(energy, int(k), (curve, mirror * curve))
