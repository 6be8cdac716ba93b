"""Places of a mechanism by name: a body, a named point with the axes of its body, a named frame."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, final

from torseur.errors import ModelError, unknown
from torseur.model.description import GROUND, Mechanism
from torseur.spatial.pose import Pose
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class NamedPlace:
    """A frame that moves with a body, or a point, which has a velocity but does not turn."""

    name: str
    body: str
    pose: Pose  # in the frame of the body
    is_point: bool = False


def place_names(mechanism: Mechanism) -> tuple[str, ...]:
    """Frames, points, bodies and the ground, each once."""
    names = (*mechanism.frames, *mechanism.points, *mechanism.bodies, GROUND)
    return tuple(dict.fromkeys(names))


def named_place(mechanism: Mechanism, name: Any) -> NamedPlace:
    """The place of that name; a name that means two places is refused.

    A point at the origin of a frame of the same name, as the tip of a phrase has, is that frame.
    """
    meanings = list(_meanings(mechanism, name))
    if len(meanings) > 1 and meanings[1].is_point and _is_origin(meanings[0], meanings[1]):
        del meanings[1]
    if not meanings:
        known = place_names(mechanism)
        raise unknown(f'mechanism "{mechanism.name}"', "place", str(name), known)
    if len(meanings) > 1:
        raise ModelError(
            f'mechanism "{mechanism.name}"',
            say('"{name}" is the name of {number} places.', name, len(meanings)),
            "Frames, points and bodies are told apart by their names: rename one of them.",
        )
    return meanings[0]


def _is_origin(frame: NamedPlace, point: NamedPlace) -> bool:
    return frame.body == point.body and all(frame.pose.p == point.pose.p)


def _meanings(mechanism: Mechanism, name: Any) -> Iterator[NamedPlace]:
    if not isinstance(name, str):
        return
    if name in mechanism.frames:
        frame = mechanism.frames[name]
        yield NamedPlace(name, frame.body, frame.pose)
    if name in mechanism.points:
        point = mechanism.points[name]
        yield NamedPlace(name, point.body, Pose(point.position), is_point=True)
    if name == GROUND or name in mechanism.bodies:
        yield NamedPlace(name, name, Pose())
