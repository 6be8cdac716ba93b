"""Options for the collision shapes of a robot file."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from torseur.errors import ModelError, unknown
from torseur.words.sentence import say

KEYS = ("self", "ground", "named", "balls", "friction", "restitution", "srdf", "parts")
CHOICES = ("links", "ground", "all", "named")


@final
@dataclass(frozen=True)
class CollisionRequest:
    """Contacts to make of the collision shapes of a robot."""

    among_links: bool = True
    ground: float | None = None  # height of a plane of the ground that links meet [m]
    friction: float | None = None  # instead of that of the file
    restitution: float = 0.0
    srdf: str | None = None  # file with pairs that never collide; None: the one beside the robot
    parts: bool = False  # of meshes touch one by one, each by its hull
    named: tuple[str, ...] | None = None  # links with contacts by name; all that move if empty
    balls: bool = False  # stand for hulls of many corners, in contacts by name
    joined: bool = False  # to other models, whose solids it may touch
    moved: bool = False  # in a scene, so that the planes of the file are elsewhere


def collision_request(given: bool | str | Mapping[str, Any]) -> CollisionRequest | None:
    """The request of an argument `collisions`; None where shapes are not to be read."""
    if isinstance(given, bool):
        return CollisionRequest() if given else None
    if isinstance(given, str):
        if given not in CHOICES:
            raise unknown("collisions", "choice", given, CHOICES)
        if given == "named":
            return CollisionRequest(False, 0.0, named=())
        return CollisionRequest(given != "ground", None if given == "links" else 0.0)
    if not isinstance(given, Mapping):
        problem = say("a choice or a dict is expected, not {given}.", given)
        raise ModelError("collisions", problem, 'For instance: collisions="all".')
    for key in given:
        if key not in KEYS:
            raise unknown("collisions", "entry", key, KEYS)
    named = _links(given.get("named", False))
    ground = given.get("ground", named is not None)
    height = None if ground is False or ground is None else 0.0 if ground is True else ground
    srdf = given.get("srdf")
    return CollisionRequest(
        bool(given.get("self", named is None)),
        None if height is None else _number("ground", height),
        None if given.get("friction") is None else _number("friction", given["friction"]),
        _number("restitution", given.get("restitution", 0.0)),
        None if srdf is None else os.fspath(srdf),
        bool(given.get("parts", False)),
        named,
        bool(given.get("balls", False)),
    )


def _links(given: Any) -> tuple[str, ...] | None:
    """Links with contacts by name; None without such contacts, empty for all links."""
    if isinstance(given, bool):
        return () if given else None
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, Sequence) or not all(isinstance(x, str) for x in names):
        problem = say("names of links are expected, not {given}.", given)
        raise ModelError("collisions: named", problem, 'For instance: ["left_foot"], or True.')
    return tuple(names) or None


def _number(key: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        problem = say('"{key}" is {value}, not a number.', key, value)
        raise ModelError("collisions", problem) from None
