"""From where a movement is seen first: a plane one from the front, another where it shows best."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.model.description import GROUND
from torseur.model.joints.freedoms import Slide, Turn
from torseur.model.joints.symbol import freedoms_of
from torseur.report.scene.camera import Camera, from_front, plane_normal
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene import Scene
from torseur.report.scene.skeleton import best

Array = np.ndarray


def outlook(movement: Movement, scene: Scene, sample: int) -> Camera:
    """The camera that sees a movement at one sample."""
    normal = plane_of(movement, scene, sample)
    if normal is not None:
        return from_front(normal, movement.geometry.up)
    return best(movement, [sample])[1]


def plane_of(movement: Movement, scene: Scene, sample: int) -> Array | None:
    """The normal of the plane in which everything moves, if there is one."""
    points = places(movement, scene, sample)
    axes, lines = tuple(_axes(movement, sample)), tuple(_lines(movement, sample))
    return plane_normal(movement.frames, points, axes, lines)


def places(movement: Movement, scene: Scene, sample: int) -> Array:
    """Joints, points and centres at one sample, in the ground (n, 3)."""
    placed = [(body, place) for body, points in scene.places.items() for place in points]
    bodies = movement.geometry.numeric.bodies.values()
    placed += [(body.name, body.centre) for body in bodies if body.name != GROUND]
    return np.array([movement.way(body, at)[sample] for body, at in placed])


def _axes(movement: Movement, sample: int) -> Iterator[Array]:
    """The axes about which joints turn that do nothing else, or slide across: first F, last M."""
    poses = movement.poses(sample)
    for joint in movement.geometry.numeric.joints.values():
        freedoms = freedoms_of(joint.kind)
        turns = [x.axis for x in freedoms if isinstance(x, Turn)]
        slides = {x.axis for x in freedoms if isinstance(x, Slide)}
        is_plane = len(turns) == 1 and len(slides) == 2 and turns[0] not in slides
        if turns and (len(turns) == joint.kind.nv or is_plane):
            yield (poses[joint.first] @ joint.X_AF).R.matrix[:, turns[0]]
            yield (poses[joint.second] @ joint.X_BM).R.matrix[:, turns[-1]]


def _lines(movement: Movement, sample: int) -> Iterator[Array]:
    """The lines along which joints that do nothing else slide, and that of the weight.

    None of joints that do more and rest: what they would do is not known then.
    """
    poses, geometry = movement.poses(sample), movement.geometry
    joints = geometry.numeric.joints.values()
    slides = {x.name: [f for f in freedoms_of(x.kind) if isinstance(f, Slide)] for x in joints}
    rests = not any(np.ptp(p, axis=0).any() for _, p in movement.frames.values())
    if rests and any(len(slides[x.name]) < x.kind.nv for x in joints):
        return
    for joint in joints:
        if len(slides[joint.name]) == joint.kind.nv:
            R = (poses[joint.first] @ joint.X_AF).R.matrix
            yield from (R[:, slide.axis] for slide in slides[joint.name])
    if np.any(geometry.gravity):
        yield geometry.up
