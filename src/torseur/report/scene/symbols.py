"""The symbols of the joints, as solids."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.model.joints.annular_contact import AnnularContact
from torseur.model.joints.cylindrical import Cylindrical
from torseur.model.joints.fixed import Fixed
from torseur.model.joints.free import Free
from torseur.model.joints.line_contact import LineContact
from torseur.model.joints.planar import Planar
from torseur.model.joints.point_contact import PointContact
from torseur.model.joints.prismatic import Prismatic
from torseur.model.joints.protocol import JointType
from torseur.model.joints.revolute import Revolute
from torseur.model.joints.screw import Screw
from torseur.model.joints.spherical import Spherical
from torseur.model.joints.universal import Universal
from torseur.report.scene.camera import Camera
from torseur.report.scene.joint_parts import Travel, joint_parts, moved
from torseur.report.scene.sizes import Size
from torseur.report.scene.solids import Ball, Box, Cylinder, Limb, Path, Solid
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray


@final
@dataclass(frozen=True)
class Site:
    """Where a symbol is drawn: its frame F, how far the second body is out, its size."""

    joint: JointType
    place: Array
    R: Array  # axes of F in the columns
    R_M: Array  # axes of M
    out: Array  # from F to M
    size: Size
    view: Camera
    lift: float  # towards the reader, so that it hides the ends of the bodies it links
    rail: bool = False  # a block that slides on the ground


Symbol = Callable[[Site], Iterator[Solid]]


def axis_index(joint: JointType) -> int | None:
    """The axis of a joint among those of its frame, if it has one."""
    for name in ("axis", "normal", "first"):
        if hasattr(joint, name):
            return int(getattr(joint, name))
    return None


def _revolute(site: Site, index: int | None = None) -> Iterator[Solid]:
    axis = site.R[:, axis_index(site.joint) if index is None else index]
    size = site.size
    yield Cylinder(site.place, axis, size.radius, size.half, "joint", site.lift)
    yield _axis_line(site, axis, size.half)
    yield from _turning(site, axis)


def _axis_line(site: Site, axis: Array, half: float) -> Path:
    beyond = half + 0.3 * site.size.unit * site.size.factor
    ends = (site.place - beyond * axis, site.place + beyond * axis)
    return Path(ends, "axis", -0.5 * site.size.radius)


def _turning(site: Site, axis: Array) -> Iterator[Solid]:
    """An arrow around the axis, most of it on the reader's side."""
    size = site.size
    centre = site.place + (size.half + 0.14 * size.unit * size.factor) * axis
    reader = site.view.reader - (site.view.reader @ axis) * axis
    across = np.cross(axis, reader)
    u = reader / np.linalg.norm(reader) if np.linalg.norm(reader) > 1e-6 else site.R[:, 0]
    v = across / np.linalg.norm(across) if np.linalg.norm(across) > 1e-6 else site.R[:, 1]
    angles = np.radians(np.linspace(-130, 130, 40))
    arc = [centre + 1.15 * size.radius * (np.cos(t) * u + np.sin(t) * v) for t in angles]
    lift = site.lift + 3 * size.radius
    yield Path(tuple(arc[:10]), "motion", -2 * size.radius)
    yield Path(tuple(arc[9:31]), "motion", lift)
    yield Path(tuple(arc[30:]), "motion", -2 * size.radius, head=0.09 * size.unit * size.factor)


def _sliding(site: Site, axis: Array) -> Path:
    """An arrow along the axis, beside the joint."""
    size = site.size
    side = np.cross(axis, site.view.reader)
    norm = float(np.linalg.norm(side))
    offset = 1.7 * size.radius * (side / norm if norm > 1e-6 else site.view.top)
    if offset @ site.view.top > 0:
        offset = -offset
    ends = (site.place + offset - size.half * axis, site.place + offset + 1.6 * size.half * axis)
    return Path(ends, "motion", site.lift + 3 * size.radius, head=0.09 * size.unit)


def _rod(site: Site, axis: Array, style: str = "body") -> Limb:
    """The part of the second body that slides through the first."""
    back = 2.0 * site.size.half
    start = site.place - back * axis
    end = site.place + site.out
    if (end - start) @ axis < 2 * back:
        end = end + max(0.0, back - site.out @ axis) * axis
    return Limb(start, end, site.size.thin, site.size.thin, style)


def _prismatic(site: Site) -> Iterator[Solid]:
    """A rod in a sleeve, or a block on a rail of the ground."""
    index = axis_index(site.joint) or 0
    size = site.size
    half = [0.95 * size.radius] * 3
    half[index] = 1.25 * size.half
    sides = (half[0], half[1], half[2])
    if site.rail:
        place, along = site.place + site.out, 0.62 * size.unit * site.R[:, index]
        yield Limb(place - along, place + along, 0.6 * size.thin, 0.6 * size.thin, "ground")
        yield Box(place, site.R, sides, "joint")  # without lift: a pin in it is seen before it
        yield _sliding(replace(site, place=place), site.R[:, index])
        return
    yield Box(site.place, site.R, sides, "joint", site.lift)
    yield _rod(site, site.R[:, index])
    yield _sliding(site, site.R[:, index])


def _cylindrical(site: Site) -> Iterator[Solid]:
    axis = site.R[:, axis_index(site.joint) or 0]
    size = site.size
    yield Cylinder(site.place, axis, size.radius, 1.5 * size.half, "joint", site.lift)
    yield _rod(site, axis)
    yield _sliding(site, axis)
    yield from _turning(replace(site, place=site.place + 0.5 * size.half * axis), axis)


def _screw(site: Site) -> Iterator[Solid]:
    """A nut on a threaded rod."""
    axis = site.R[:, axis_index(site.joint) or 0]
    size = site.size
    yield Cylinder(site.place, axis, size.radius, 0.9 * size.half, "joint", site.lift)
    rod = _rod(site, axis)
    yield rod
    u = np.cross(axis, site.view.reader)
    u = u / np.linalg.norm(u) if np.linalg.norm(u) > 1e-6 else site.view.right
    v = np.cross(axis, u)
    turns = np.linspace(0, 1, 200)
    thread = [
        rod.a + t * (rod.b - rod.a) + size.thin * (np.cos(70 * t) * u + np.sin(70 * t) * v)
        for t in turns
    ]
    front = [p for p, t in zip(thread, turns, strict=True)]
    yield Path(tuple(front), "thread", 0.2 * size.radius)
    yield from _turning(site, axis)


def _universal(site: Site) -> Iterator[Solid]:
    """The two arms of a cross."""
    joint, size = site.joint, site.size
    assert isinstance(joint, Universal), "the cross belongs to a universal joint"
    first = site.R[:, joint.first]
    second = site.R[:, joint.second]
    for axis in (first, second):
        yield Cylinder(site.place, axis, 0.55 * size.radius, 1.7 * size.half, "joint", site.lift)
    yield _axis_line(site, first, size.half)
    yield _axis_line(site, second, size.half)
    yield Ball(site.place, 0.8 * size.radius, "joint", site.lift + 0.01 * size.unit)


def _spherical(site: Site) -> Iterator[Solid]:
    """A ball in the ring of its socket."""
    size = site.size
    angles = np.radians(np.linspace(-145, 145, 40))
    ring = tuple(
        site.place + 1.45 * size.radius * (np.cos(t) * site.view.top + np.sin(t) * site.view.right)
        for t in angles + np.pi
    )
    yield Ball(site.place, 1.2 * size.radius, "joint", site.lift)
    yield Path(ring, "socket", site.lift + 0.01 * size.unit)


def _planar(site: Site) -> Iterator[Solid]:
    """A block on a plate."""
    index, size = axis_index(site.joint) or 0, site.size
    plate_half, block = [2.6 * size.radius] * 3, [0.9 * size.radius] * 3
    plate_half[index], block[index] = 0.2 * size.radius, 0.45 * size.radius
    normal = site.R[:, index]
    below = site.place - 0.2 * size.radius * normal
    above = site.place + site.out + 0.45 * size.radius * normal
    yield Box(below, site.R, (plate_half[0], plate_half[1], plate_half[2]), "ground")
    yield Box(above, site.R, (block[0], block[1], block[2]), "joint", site.lift)


def _free(site: Site) -> Iterator[Solid]:
    """Nothing links the bodies: a dotted line between their frames."""
    yield Path((site.place, site.place + site.out), "free")
    yield Ball(site.place + site.out, 0.6 * site.size.radius, "joint", site.lift)


def _fixed(site: Site) -> Iterator[Solid]:
    half = 0.75 * site.size.radius
    yield Box(site.place, site.R, (half, half, half), "ground", site.lift)


def _contact(site: Site) -> Iterator[Solid]:
    """A ball or an edge on its plate, a ball in its tube."""
    out = site.R.T @ site.out
    first, second = joint_parts(Travel(site.joint, out, out, site.size))
    X_F = Pose(site.place, from_matrix(site.R))
    X_M = Pose(site.place + site.out, from_matrix(site.R_M))
    yield from (moved(part, X_F) for part in first)
    yield from (moved(part, X_M) for part in second)


def _other(site: Site) -> Iterator[Solid]:
    """A link between two points: a line, with a ball at each end."""
    ends = (site.place, site.place + site.out)
    yield Path(ends, "link")
    for end in ends:
        yield Ball(end, 0.6 * site.size.radius, "joint", site.lift)


_SYMBOLS: dict[type, Symbol] = {
    Revolute: _revolute,
    Prismatic: _prismatic,
    Cylindrical: _cylindrical,
    Screw: _screw,
    Universal: _universal,
    Spherical: _spherical,
    Planar: _planar,
    Free: _free,
    Fixed: _fixed,
    PointContact: _contact,
    LineContact: _contact,
    AnnularContact: _contact,
}


def symbol(site: Site) -> Iterator[Solid]:
    """The symbol of a joint at its site."""
    return _SYMBOLS.get(type(site.joint), _other)(site)
