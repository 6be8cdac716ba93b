"""Polhodes: the curves that the kinetic moment of a free body follows in the body.

|σ| is kept, and so is the energy: σ stays where the sphere Σ σᵢ² = α meets the ellipsoid
Σ σᵢ²/Iᵢ = β (Plaut 2007, (3.51) and (3.52)).
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.figures import Figure, figure, written
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
_POINTS = 241
_FROM = (25.0, -50.0)  # elevation and azimuth of the eye [°]
_COLOURS = ("tab:blue", "tab:green", "tab:red")  # of the axis a curve goes round


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
                _drawn(panel, curve, "-", color=_COLOURS[polhode.axis], linewidth=1.0)
        for curve in self.separatrix:
            _drawn(panel, curve, "-", color="black", linewidth=1.6)
        if followed is not None:
            seen = np.asarray(followed)
            dot = 3.0 if len(seen) < 1000 else 1.2
            _drawn(panel, seen, ".", color="tab:orange", markersize=dot)
            _drawn(panel, seen[:1], "o", color="black", mfc="white", markersize=6)
            _drawn(panel, seen[-1:], "o", color="black", markersize=6)
        for k, moment in enumerate(self.moments):
            end = 1.15 * self.momentum * np.eye(3)[k]
            called = say("axis {number}", k + 1)
            panel.text(*end, f"{called}\n{moment:.4g} kg m²", ha="center", zorder=4)
        panel.set_xlabel("σ₁ [N m s]")
        panel.set_ylabel("σ₂ [N m s]")
        panel.set_zlabel("σ₃ [N m s]")
        panel.set_box_aspect((1, 1, 1))
        return written(drawn, path, say("polhodes; black: the separatrix through the middle axis"))


def _drawn(panel: Any, curve: Array, style: str, **look: Any) -> None:
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
        raise ModelError("polhodes", problem, "With equal moments: circles.")
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
