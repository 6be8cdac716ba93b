"""The parts of a joint as solids: those that move with its first body, and with its second."""

import numpy as np

from torseur.model.joints import symbol as drawn
from torseur.model.joints.symbol import Symbol
from torseur.report.scene.scene_solids import (
    BallPart,
    CylinderPart,
    Limb,
    MeshPart,
    Polyline,
    Size,
    Solid,
    box,
    strip,
)
from torseur.report.scene.shape_solids import ellipsoid

Array = np.ndarray
LIFT = 2.4  # how much nearer a symbol is drawn than what it links, in its radii
_BEHIND = -20.0  # a plate is behind everything, in units
_PIECES = 96  # of a profile


def joint_parts(
    symbol: Symbol, travel: Array, size: Size, radius: float
) -> tuple[list[Solid], list[Solid]]:
    """The solids of a symbol of this radius: the first in F, the others in M.

    `travel` (2, 3) is from where to where the origin of M goes, in the axes of F.
    """
    back = -travel[::-1]
    first = [_solid(part, travel, size, radius, "ground") for part in symbol.first]
    return first, [_solid(part, back, size, radius, "own") for part in symbol.second]


def _solid(part: drawn.Part, travel: Array, size: Size, r: float, style: str) -> Solid:
    """A part of a symbol of radius r; `travel` is that of the other frame, seen from its own."""
    origin = np.zeros(3)
    if isinstance(part, drawn.Bar):
        (low, high), thick = bar_ends(part, travel, r), part.radius * r
        if style == "ground":
            return Limb(low, high, thick, thick, style, -size.unit)
        return Limb(np.minimum(low, 0.0), np.maximum(high, 0.0), thick, thick, style)
    if isinstance(part, drawn.Plate):
        return _plate(part, travel, size, r)
    if isinstance(part, drawn.Profile):
        return _profile(part, travel, size)
    if isinstance(part, drawn.Prism):
        return _prism(part, size)
    if isinstance(part, drawn.Capsule):
        end, thick = part.half * r * np.eye(3)[part.axis], part.radius * r
        return Limb(-end, end, thick, thick, part.style)
    lift = 0.0 if part.style == "own" else LIFT * r
    if isinstance(part, drawn.Cylinder):
        axis = np.eye(3)[part.axis]
        return CylinderPart(origin, axis, part.radius * r, part.half * r, part.style, lift)
    lift += part.lift * r
    if isinstance(part, drawn.SymbolBall):
        return BallPart(origin, part.radius * r, part.style, lift)
    if isinstance(part, drawn.SymbolEllipsoid):
        return ellipsoid(r * np.array(part.radii), part.style, lift)
    return box(r * np.array(part.half), part.style, lift, r * np.array(part.at))


def bar_ends(bar: drawn.Bar, travel: Array, r: float) -> tuple[Array, Array]:
    """From where to where a bar goes."""
    (low, high), along = travel[:, bar.axis], np.eye(3)[bar.axis]
    return (low - bar.beyond * r) * along, (high + bar.beyond * r) * along


def _plate(plate: drawn.Plate, travel: Array, size: Size, r: float) -> Polyline:
    reach = plate.beyond * max(r, size.radius)
    low, high = travel[0] - reach, travel[1] + reach
    i, j = (plate.normal + 1) % 3, (plate.normal + 2) % 3
    corners = np.zeros((4, 3))
    corners[:, i] = low[i], high[i], high[i], low[i]
    corners[:, j] = low[j], low[j], high[j], high[j]
    return Polyline(tuple(corners), "ground-plate", _BEHIND * size.unit, closed=True)


def _profile(part: drawn.Profile, travel: Array, size: Size) -> MeshPart:
    """A strip of flat pieces between two edges."""
    across, reach = 3 - part.along - part.normal, part.beyond * size.radius
    low, high = travel[0] - reach, travel[1] + reach
    places = np.linspace(low[part.along], high[part.along], _PIECES + 1)
    edges = np.zeros((2, _PIECES + 1, 3))
    edges[:, :, part.along] = places
    edges[:, :, part.normal] = [float(part.height(float(x))) for x in places]
    edges[:, :, across] = [[low[across]], [high[across]]]
    second = _PIECES + 1
    faces = tuple((k, k + 1, second + k + 1, second + k) for k in range(_PIECES))
    return MeshPart(edges.reshape(-1, 3), faces, "ground", _BEHIND * size.unit, open=True)


def _prism(part: drawn.Prism, size: Size) -> MeshPart:
    """Two outlines side by side and the strip between them; one sees through what is hollow."""
    angles = 2 * np.pi * np.arange(_PIECES) / _PIECES
    radii = np.array([float(part.radius(float(u))) for u in angles])
    half = 0.05 * float(radii.max())
    edges = np.zeros((2, _PIECES, 3))
    edges[:, :, part.first] = radii * np.cos(angles)
    edges[:, :, part.second] = radii * np.sin(angles)
    edges[:, :, 3 - part.first - part.second] = [[-half], [half]]
    below, above = tuple(range(_PIECES)), tuple(range(_PIECES, 2 * _PIECES))
    hollow = part.style == "hint"
    faces = (*strip(below, above), *(() if hollow else (below[::-1], above)))
    lift = _BEHIND * size.unit if part.style == "ground" else 0.0
    if (part.second - part.first) % 3 == 2:  # the axes are in the other order
        faces = tuple(face[::-1] for face in faces)
    return MeshPart(edges.reshape(-1, 3), faces, part.style, lift, open=hollow)
