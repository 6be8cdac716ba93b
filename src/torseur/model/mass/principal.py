"""Principal axes and moments of a numeric inertia, the central frame and the ellipsoid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.brief import brief
from torseur.errors import ModelError
from torseur.model.mass.properties import Array, MassProperties, as_number
from torseur.output import replacing
from torseur.words.sentence import say, worded

# Two principal moments that differ by less than this fraction of the largest are equal: far above
# the rounding of an eigenvalue (1e-15), far below what a drawing or a scale can tell.
EQUAL = 1e-9


@final
@dataclass(frozen=True, eq=False)
class PrincipalInertia:
    """The principal moments of a body at a point, in increasing order, and their axes."""

    _repr_html_ = notebook.html

    point: Array  # (3,) [m], in the body frame B
    moments: Array  # (3,) [kg m²], increasing
    axes: Array  # (3, 3) R_BP: its columns are the axes, right-handed, in the body frame
    kind: str  # "asymmetric", "prolate", "oblate" (of revolution), "spherical" or "null"

    @property
    def revolution_axis(self) -> Array | None:
        """The axis (3,) about which every turn leaves the inertia alone, if there is just one."""
        column = {"prolate": 0, "oblate": 2}.get(self.kind)
        return None if column is None else self.axes[:, column]

    @property
    def sentence(self) -> str:
        """The degenerate case in words."""
        axis = self.revolution_axis
        if axis is not None:
            shape = {"prolate": say("elongated"), "oblate": say("flattened")}[self.kind]
            return say("inertia of revolution, {shape} along {axis}", shape, direction_name(axis))
        return {
            "asymmetric": say("three different principal moments"),
            "spherical": say("spherical inertia: every axis is principal"),
            "null": say("no inertia: every axis is principal"),
        }[self.kind]


def principal_inertia(
    properties: MassProperties, point: Sequence[float] | Array | None = None
) -> PrincipalInertia:
    """The principal moments and axes at a point, the centre of mass unless one is given.

    Deterministic: moments increase; the largest component of the first two axes is positive; where
    moments are equal the axes are those of the body frame, as nearly as possible.
    """
    values = numeric(properties)
    place = values.centre if point is None else np.asarray(point, dtype=float)
    inertia = values.inertia if point is None else values.inertia_at(place)
    moments, vectors = np.linalg.eigh((inertia + inertia.T) / 2)
    kind = _kind(moments)
    if kind in ("spherical", "null"):
        axes = np.eye(3)
    elif kind == "prolate":
        axes = _about(vectors[:, 0], first=True)
    elif kind == "oblate":
        axes = _about(vectors[:, 2], first=False)
    else:
        axes = _right_handed(_oriented(vectors[:, 0]), _oriented(vectors[:, 1]))
    return PrincipalInertia(place, moments, axes + 0.0, kind)


def central_frame(properties: MassProperties) -> tuple[Array, Array]:
    """The pose R_BC (3, 3), p_BC (3,) of the central frame: centre of mass and principal axes."""
    principal = principal_inertia(properties)
    return principal.axes, principal.point


def numeric(properties: MassProperties) -> MassProperties:
    """Mass properties as floats; symbols without values are refused."""
    entries = (properties.mass, *properties.centre, *properties.inertia.flat)
    values = [as_number(entry) for entry in entries]
    if None in values:
        symbolic = entries[values.index(None)]
        raise ModelError(
            "mass properties",
            say("the value {symbolic} is not a number.", symbolic),
            "Give a value to every parameter first.",
        )
    floats: Any = np.array(values, dtype=float)
    return MassProperties(float(floats[0]), floats[1:4], floats[4:].reshape(3, 3))


def direction_name(u: Array) -> str:
    """A unit vector in words: x, y or z where it is one of them, else its components."""
    nearest = int(np.argmax(np.abs(u)))
    if abs(abs(u[nearest]) - 1) < EQUAL:
        return "xyz"[nearest]
    return "(" + ", ".join(f"{component:.4g}" for component in u + 0.0) + ")"


def _kind(moments: Array) -> str:
    low, middle, high = moments
    size = np.abs(moments).max()
    if size == 0:
        return "null"
    same_low, same_high = middle - low <= EQUAL * size, high - middle <= EQUAL * size
    if same_low and same_high:
        return "spherical"
    if same_high:
        return "prolate"
    return "oblate" if same_low else "asymmetric"


def _about(axis: Array, *, first: bool) -> Array:
    """Axes with a given first or last one; the next is the projection of a body axis."""
    w = _oriented(axis)
    body_axis = np.eye(3)[int(np.argmin(np.round(np.abs(w), 9)))]
    u = body_axis - w * (body_axis @ w)
    u = u / np.linalg.norm(u)
    return _right_handed(w, u) if first else _right_handed(u, np.cross(w, u))


def _oriented(u: Array) -> Array:
    """The one of ±u whose largest component is positive (the first of them, if they tie)."""
    largest = int(np.argmax(np.round(np.abs(u), 9)))
    return u if u[largest] > 0 else -u


def _right_handed(u: Array, v: Array) -> Array:
    return np.array([u, v, np.cross(u, v)]).T


# --- the inertia ellipsoid ------------------------------------------------------------------------

# The ellipsoid is the set of points A + ρ u with ρ inverse to the root of the moment about the axis
# (A, u) (Llibre 2009, §1.4.4). Here ρ = κ²/k, where k is the radius of gyration about that axis and
# κ² the mean of the three squared radii: it is a length, and roughly the proportions of the body.

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
