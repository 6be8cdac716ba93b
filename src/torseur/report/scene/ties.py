"""Ties between bodies: springs, dampers and other forces along a line, rods, links."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, final

import numpy as np

from torseur.model.forces.protocol import ends_of
from torseur.report.scene.camera import Camera
from torseur.report.scene.drums import strands as strands_of_ropes
from torseur.report.scene.geometry import SceneGeometry

Array = np.ndarray
_COILS = 9


@final
@dataclass(frozen=True)
class Tie:
    """A line between points of two bodies: a spring, a damper, a rod, a link."""

    name: str
    style: str
    ends: tuple[tuple[str, Array], tuple[str, Array]]
    shift: float = 0.0  # beside others that have the same ends, in widths


@final
@dataclass(frozen=True)
class TieLine:
    """A tie in the ground, from a to b."""

    a: Array
    b: Array
    style: str
    width: float
    shift: float = 0.0  # to the side, in widths


def ties(geometry: SceneGeometry) -> list[Tie]:
    """Ties with ties between the same two places shifted beside each other."""
    groups: dict[Any, list[Tie]] = {}
    for tie in (*pulled(geometry), *_linked(geometry), *_hung(geometry)):
        key = tuple((body, *np.round(place, 9)) for body, place in tie.ends)
        groups.setdefault(key, []).append(tie)
    return [
        replace(tie, shift=k - (len(group) - 1) / 2)
        for group in groups.values()
        for k, tie in enumerate(group)
    ]


def strands(style: str) -> Sequence[Sequence[tuple[float, float]]]:
    """The broken lines of a style: how far along, and how far to the side in widths."""
    if style == "spring":
        places = range(1, 2 * _COILS)
        coils = [(0.14 + 0.36 * k / _COILS, 1.0 if k % 2 else -1.0) for k in places]
        return [[(0, 0), (0.14, 0), *coils, (0.86, 0), (1, 0)]]
    if style == "damper":
        cup = [(0.68, 0.8), (0.35, 0.8), (0.35, -0.8), (0.68, -0.8)]
        return [[(0, 0), (0.35, 0)], cup, [(0.55, 0.6), (0.55, -0.6)], [(0.55, 0), (1, 0)]]
    return [[(0, 0), (1, 0)]]


def strands_on_page(
    line: TieLine, view: Camera, width: float | None = None, beside: float = 2.6
) -> list[Array]:
    """The broken lines of a spring, a damper or a rod as they are seen, each (n, 2).

    A width on the page may be given; `beside` others they stand so many widths apart.
    """
    a, b = view.at(line.a), view.at(line.b)
    along, width = b - a, view.scale * line.width if width is None else width
    normal = np.array([-along[1], along[0]]) / (float(np.hypot(*along)) or 1e-9)
    shift = beside * line.shift
    return [
        np.array([a + s * along + (n + shift) * width * normal for s, n in one])
        for one in strands(line.style)
    ]


def pulled(geometry: SceneGeometry) -> Iterator[Tie]:
    """The lines along which forces act between two points."""
    for load in geometry.mechanism.loads.values():
        ends = [(end.body, geometry.numbers(end.point)) for end in ends_of(load)]
        style = load.names[0] if load.names[0] in ("spring", "damper") else "rod"
        yield from (Tie(load.name, style, pair) for pair in pairwise(ends))


def _linked(geometry: SceneGeometry) -> Iterator[Tie]:
    """The joints that are drawn as a line."""
    for joint in geometry.numeric.joints.values():
        style = joint.kind.symbol.line
        if style:
            ends = (joint.first, joint.X_AF.p), (joint.second, joint.X_BM.p)
            yield Tie(joint.name, style, ends)


def _hung(geometry: SceneGeometry) -> Iterator[Tie]:
    """The strands of ropes that hang from a drum."""
    for joint in (joint for pair in strands_of_ropes(geometry) for joint in pair):
        ends = (joint.first, joint.X_AF.p), (joint.second, joint.X_BM.p)
        yield Tie(f"{joint.name}: rope", "rod", ends)
