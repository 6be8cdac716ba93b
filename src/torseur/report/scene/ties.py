"""What is tied between bodies: springs, dampers and other forces along a line, rods, links."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, final

import numpy as np

from torseur.model.forces.protocol import Attachment
from torseur.model.joints.symbol import symbol_of
from torseur.report.scene.geometry import Geometry

Array = np.ndarray


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
class Line:
    """A tie in the ground, from a to b."""

    a: Array
    b: Array
    style: str
    width: float
    shift: float = 0.0  # to the side, in widths


def ties(found: Geometry) -> list[Tie]:
    """Those between the same two places one beside the other."""
    groups: dict[Any, list[Tie]] = {}
    for tie in (*pulled(found), *_linked(found)):
        key = tuple((body, *np.round(place, 9)) for body, place in tie.ends)
        groups.setdefault(key, []).append(tie)
    return [
        replace(tie, shift=k - (len(group) - 1) / 2)
        for group in groups.values()
        for k, tie in enumerate(group)
    ]


def pulled(found: Geometry) -> Iterator[Tie]:
    """The lines along which forces act between two points."""
    for load in found.mechanism.loads.values():
        ends = getattr(load, "between", ())
        if any(isinstance(end, Attachment) for end in ends):
            first, second = ((end.body, found.numbers(end.point)) for end in ends)
            style = load.names[0] if load.names[0] in ("spring", "damper") else "rod"
            yield Tie(load.name, style, (first, second))


def _linked(found: Geometry) -> Iterator[Tie]:
    """The joints that are drawn as a line."""
    for joint in found.numeric.joints.values():
        style = symbol_of(joint.kind).line
        if style:
            ends = (joint.first, joint.X_AF.p), (joint.second, joint.X_BM.p)
            yield Tie(joint.name, style, ends)
