"""The ground in a picture: a hatched plate, or hatching along a line when it is seen edge-on."""

import numpy as np

from torseur.report.drawing.pencil import Stroke, hatch, points, polygon, polyline, strokes
from torseur.report.scene.camera import Camera
from torseur.report.scene.solids import Path

Array = np.ndarray
THICKNESS = 8.0  # of the hatching along a line [px]
_EDGE_ON = 0.05  # cosine between the normal of a plate and the line of sight
_ON = 0.02  # of the length of a line: places that are on it and tell no side


def hatched(plate: Path, view: Camera, places: Array, name: str) -> Stroke:
    """A plate as it is seen; hatching is on the side away from what is nearest of `places`."""
    stroke = next(strokes(plate, view, name))
    a, b, c = plate.points[:3]
    normal = np.cross(b - a, c - b)
    if abs(normal @ view.reader) > _EDGE_ON * float(np.linalg.norm(normal)):
        return stroke
    corners = view.at(np.array(plate.points))
    middle = corners.mean(axis=0)
    along, across = np.linalg.svd(corners - middle)[2]
    reach = float(np.abs((corners - middle) @ along).max()) * along
    seen = view.at(places)
    off = seen[np.abs((seen - middle) @ across) > _ON * np.linalg.norm(reach)]
    nearest = min(off, key=lambda place: float(np.hypot(*(place - middle))), default=middle)
    deep = THICKNESS * (across if across @ (middle - nearest) > 0 else -across)
    ends = [middle - reach, middle + reach]
    strip = [*ends, ends[1] + deep, ends[0] + deep]
    svg = f'<path class="hatching" {hatch(name)} d="{polygon(strip)}"/>'
    svg += f'<path class="edge" d="{polyline(ends)}"/>'
    return Stroke(stroke.depth, svg, discs=points(strip))


def pattern(name: str) -> str:
    """The definition of the hatching."""
    return (
        f'<pattern id="{name}" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><rect class="paper" width="6" height="6"/>'
        '<line class="hatch" x1="0" y1="0" x2="0" y2="6"/></pattern>'
    )
