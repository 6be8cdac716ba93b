"""Options for the collision shapes of a robot file."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from torseur.errors import ModelError, unknown
from torseur.words.sentence import say

KEYS = ("self", "ground", "friction", "restitution", "srdf", "parts")
_NAMED = ("links", "ground", "all")


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
    joined: bool = False  # to other models, whose solids it may touch
    moved: bool = False  # in a scene, so that the planes of the file are elsewhere


def collision_request(given: bool | str | Mapping[str, Any]) -> CollisionRequest | None:
    """The request of an argument `collisions`; None where shapes are not to be read."""
    if isinstance(given, bool):
        return CollisionRequest() if given else None
    if isinstance(given, str):
        if given not in _NAMED:
            raise unknown("collisions", "choice", given, _NAMED)
        return CollisionRequest(given != "ground", None if given == "links" else 0.0)
    if not isinstance(given, Mapping):
        problem = say("a choice or a dict is expected, not {given}.", given)
        raise ModelError("collisions", problem, 'For instance: collisions="all".')
    for key in given:
        if key not in KEYS:
            raise unknown("collisions", "entry", key, KEYS)
    ground = given.get("ground", False)
    height = None if ground is False or ground is None else 0.0 if ground is True else ground
    srdf = given.get("srdf")
    return CollisionRequest(
        bool(given.get("self", True)),
        None if height is None else _number("ground", height),
        None if given.get("friction") is None else _number("friction", given["friction"]),
        _number("restitution", given.get("restitution", 0.0)),
        None if srdf is None else os.fspath(srdf),
        bool(given.get("parts", False)),
    )


def _number(key: str, value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError):
        problem = say('"{key}" is {value}, not a number.', key, value)
        raise ModelError("collisions", problem) from None
