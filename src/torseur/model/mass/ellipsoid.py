"""The inertia ellipsoid of a body, drawn with its principal axes.

The ellipsoid is the set of points A + ρ u with ρ inverse to the root of the moment about the axis
(A, u) (Llibre 2009, §1.4.4). Here ρ = κ²/k, where k is the radius of gyration about that axis and
κ² the mean of the three squared radii: it is a length, and roughly the proportions of the body.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.errors import ModelError
from torseur.model.mass.principal import PrincipalInertia, numeric, principal_inertia
from torseur.model.mass.properties import Array, MassProperties
from torseur.output import replacing
from torseur.words.sentence import say, worded

# A semi-axis longer than this many times the next one is cut: the moment about it is nearly zero.
LONGEST = 4.0
_NOTHING = 1e-9  # of the largest moment

_COLOURS = ("#c1440e", "#2e7d32", "#1a5fb4")  # axes 1, 2, 3: distinct in print and for most eyes
_SURFACE = "#8fb8de"


@final
@dataclass(frozen=True, eq=False)
class Ellipsoid:
    """The inertia ellipsoid at a point, in metres."""

    __repr__ = brief
    _repr_html_ = notebook.html

    frame: PrincipalInertia
    semi_axes: Array  # (3,) [m] along the principal axes; inf where the moment is zero
    drawn: Array  # (3,) [m] the same, cut where they are too long to be drawn
    note: str  # about a cut axis, or empty


def inertia_ellipsoid(
    properties: MassProperties, point: Sequence[float] | Array | None = None
) -> Ellipsoid:
    """The inertia ellipsoid at a point, the centre of mass unless one is given."""
    body = numeric(properties)
    frame = principal_inertia(body, point)
    least, middle, largest = frame.moments
    if body.mass <= 0 or least < -_NOTHING * largest or middle <= _NOTHING * largest:
        raise ModelError(
            "inertia ellipsoid",
            say(
                "a mass of {mass:.6g} kg and moments {moments} kg m² have no inertia ellipsoid.",
                body.mass,
                frame.moments.tolist(),
            ),
            "It needs a mass, and moments of which two at least are positive, none negative.",
        )
    squares = np.maximum(frame.moments, 0.0) / body.mass
    squares = np.where(squares < _NOTHING * squares[2], 0.0, squares)
    with np.errstate(divide="ignore"):
        semi_axes = squares.mean() / np.sqrt(squares)
    limit = LONGEST * semi_axes[1]
    if semi_axes[0] <= limit:
        return Ellipsoid(frame, semi_axes, semi_axes, "")
    long = say("infinite") if np.isinf(semi_axes[0]) else f"{semi_axes[0]:.3g} m"
    note = say("along axis 1 the ellipsoid is cut: its semi-axis there is {long}", long)
    return Ellipsoid(frame, semi_axes, np.array([limit, *semi_axes[1:]]), note)


def draw_ellipsoid(
    properties: MassProperties,
    path: str | Path,
    *,
    point: Sequence[float] | Array | None = None,
    title: str = "",
) -> Path:
    """Save the picture of the inertia ellipsoid as SVG or PNG, by the ending of the path."""
    from matplotlib import rc_context
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    saved = Path(path)
    if saved.suffix not in (".svg", ".png"):
        raise ModelError(
            str(path), say('"{suffix}" is not a picture format.', saved.suffix), "Use .svg, .png."
        )
    ellipsoid = inertia_ellipsoid(properties, point)
    figure = Figure(figsize=(7.0, 6.0), dpi=150)
    FigureCanvasAgg(figure)
    axes: Any = figure.add_axes((0.0, 0.08, 0.94, 0.76), projection="3d")
    _draw_surface(axes, ellipsoid)
    _draw_axes(axes, ellipsoid)
    _frame_view(axes, ellipsoid)
    named = title or worded("Inertia ellipsoid")
    figure.suptitle(named, x=0.03, y=0.965, ha="left", fontsize=14, fontweight="bold")
    figure.text(0.03, 0.91, _subtitle(ellipsoid), fontsize=9.5, color="#444444")
    figure.text(0.03, 0.03, _caption(ellipsoid), fontsize=8.5, color="#444444")
    figure.legend(
        loc="upper left", bbox_to_anchor=(0.015, 0.905), ncols=3, frameon=False, fontsize=9.5
    )
    dated = {"Date": None} if saved.suffix == ".svg" else None
    with rc_context({"svg.hashsalt": "inertia ellipsoid"}), replacing(saved) as file:
        figure.savefig(file, metadata=dated)  # the same file every time
    return saved


def _surface(ellipsoid: Ellipsoid) -> Array:
    """Points (3, n, m) of the drawn surface, in the body frame; a cut end stays open."""
    a, b, c = ellipsoid.drawn
    azimuth = np.linspace(0, 2 * np.pi, 49)
    if ellipsoid.note:  # the part of the surface with |x| ≤ a
        x = np.linspace(-a, a, 25)
        ring = np.sqrt(1 - (x / ellipsoid.semi_axes[0]) ** 2)
    else:
        latitude = np.linspace(0, np.pi, 33)
        x, ring = a * np.cos(latitude), np.sin(latitude)
    local = [
        np.outer(np.ones_like(azimuth), x),
        b * np.outer(np.cos(azimuth), ring),
        c * np.outer(np.sin(azimuth), ring),
    ]
    origin = ellipsoid.frame.point[:, None, None]
    return np.asarray(np.einsum("ij,jnm->inm", ellipsoid.frame.axes, np.array(local)) + origin)


def _draw_surface(axes: Any, ellipsoid: Ellipsoid) -> None:
    x, y, z = _surface(ellipsoid)
    axes.plot_surface(
        x, y, z, color=_SURFACE, alpha=0.35, linewidth=0, shade=True, rcount=40, ccount=40
    )
    axes.plot_wireframe(x, y, z, color="#4a6d8c", linewidth=0.35, rcount=12, ccount=12, alpha=0.6)


def _draw_axes(axes: Any, ellipsoid: Ellipsoid) -> None:
    """The principal axes through the surface, the point, and the origin of the body frame."""
    frame = ellipsoid.frame
    for i, colour in enumerate(_COLOURS):
        reach = 1.2 * ellipsoid.drawn[i] * frame.axes[:, i]
        ends = np.array([frame.point - reach, frame.point + reach])
        label = say("axis {number}: {moment:.4g} kg m²", i + 1, frame.moments[i])
        axes.plot(*ends.T, color=colour, linewidth=2.0, label=label)
        tip = frame.point + reach + 0.12 * ellipsoid.drawn[1] * frame.axes[:, i]
        axes.text(*tip, str(i + 1), color=colour, fontsize=13, ha="center", va="center")
    axes.scatter(*frame.point, color="black", s=20)
    if np.linalg.norm(frame.point) > 1e-9 * ellipsoid.drawn[0]:
        axes.scatter(0, 0, 0, color="black", marker="+", s=60)
        axes.text(0, 0, -0.2 * ellipsoid.drawn[1], "O", fontsize=11, ha="center", va="center")


def _frame_view(axes: Any, ellipsoid: Ellipsoid) -> None:
    """Equal scales, metres on every axis, a view that hides no axis."""
    from matplotlib.ticker import MaxNLocator

    point, surface = ellipsoid.frame.point, _surface(ellipsoid).reshape(3, -1)
    reach = np.abs(ellipsoid.frame.axes * (1.2 * ellipsoid.drawn)).max(axis=1)
    low = np.minimum(np.minimum(surface.min(axis=1), point - reach), 0.0)
    high = np.maximum(np.maximum(surface.max(axis=1), point + reach), 0.0)
    room = 0.03 * float((high - low).max())
    limits = np.array([low - room, high + room]).T
    axes.set(xlim=limits[0], ylim=limits[1], zlim=limits[2])
    axes.set(xlabel="x [m]", ylabel="y [m]", zlabel="z [m]")
    axes.set_box_aspect(limits[:, 1] - limits[:, 0], zoom=1.08)
    axes.view_init(elev=24, azim=-56)
    axes.tick_params(labelsize=8)
    longest = (limits[:, 1] - limits[:, 0]).max()
    for axis, (start, stop) in zip((axes.xaxis, axes.yaxis, axes.zaxis), limits, strict=True):
        axis.set_pane_color((0.97, 0.97, 0.98, 1.0))
        axis.set_major_locator(MaxNLocator(max(2, round(6 * (stop - start) / longest))))
        axis.labelpad = 11


def _subtitle(ellipsoid: Ellipsoid) -> str:
    x, y, z = ellipsoid.frame.point
    return say("at ({x:.4g}, {y:.4g}, {z:.4g}) m — {shape}", x, y, z, ellipsoid.frame.sentence)


def _caption(ellipsoid: Ellipsoid) -> str:
    axes = ", ".join("∞" if np.isinf(a) else f"{a:.3g}" for a in ellipsoid.semi_axes)
    rule = say(
        "semi-axes ρ = κ²/k = {axes} m (k: radius of gyration about the axis, κ²: mean k²)", axes
    )
    return f"{rule}\n{ellipsoid.note}" if ellipsoid.note else rule
