"""From where a movement is seen first: a plane one from the front, another where it shows best."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from torseur.model.description import GROUND
from torseur.model.joints.freedoms import Turn
from torseur.model.joints.symbol import freedoms_of
from torseur.report.scene.camera import Camera, from_front, plane_normal
from torseur.report.scene.movement import Movement
from torseur.report.scene.scene import Scene
from torseur.report.scene.skeleton import best

Array = np.ndarray


def outlook(movement: Movement, shown: Scene, sample: int) -> Camera:
    """The camera that sees a movement at one sample."""
    normal = plane_of(movement, shown, sample)
    if normal is not None:
        return from_front(normal, movement.geometry.up)
    return best(movement, [sample])[1]


def plane_of(movement: Movement, shown: Scene, sample: int) -> Array | None:
    """The normal of the plane in which everything moves, if there is one."""
    seen = places(movement, shown, sample)
    return plane_normal(movement.frames, seen, tuple(_axes(movement, sample)))


def places(movement: Movement, shown: Scene, sample: int) -> Array:
    """Joints, points and centres at one sample, in the ground (n, 3)."""
    found = [(body, place) for body, own in shown.places.items() for place in own]
    bodies = movement.geometry.numeric.bodies.values()
    found += [(body.name, body.centre) for body in bodies if body.name != GROUND]
    return np.array([movement.way(body, at)[sample] for body, at in found])


def _axes(movement: Movement, sample: int) -> Iterator[Array]:
    """The axes about which joints that do nothing else turn: the first of F, the last of M."""
    poses = movement.poses(sample)
    for joint in movement.geometry.numeric.joints.values():
        turns = [x.axis for x in freedoms_of(joint.kind) if isinstance(x, Turn)]
        if turns and len(turns) == joint.kind.nv:
            yield (poses[joint.first] @ joint.X_AF).R.matrix[:, turns[0]]
            yield (poses[joint.second] @ joint.X_BM).R.matrix[:, turns[-1]]
