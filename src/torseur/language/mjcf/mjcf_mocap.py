"""Mocap bodies of MJCF, which MuJoCo leaves where they are put: fixed, or moved as a law says."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from torseur.errors import ModelError, require_known, unknown
from torseur.language.robot.placement import Placement
from torseur.words.sentence import say

MocapLaws = Mapping[str, Mapping[str, Any]]  # by body: its position and rotation, of t
_KEYS = ("position", "rotation")
_EXAMPLE = 'Example: mocap={"target": {"position": ["0.1*sin(t)", 0, 0.5]}}.'


def check_mocap(laws: Any, bodies: Collection[str], place: str) -> None:
    """Laws name mocap bodies of the file, and give a position, a rotation or both."""
    if not isinstance(laws, Mapping):
        raise ModelError(place, "mocap: bodies with their laws are expected.", _EXAMPLE)
    for name, law in laws.items():
        require_known(place, "mocap body", (name,), bodies)
        if not isinstance(law, Mapping) or not law:
            problem = say('mocap body "{name}": a position or a rotation is expected.', name)
            raise ModelError(place, problem, _EXAMPLE)
        for key in law:
            if key not in _KEYS:
                raise unknown(place, "entry", key, _KEYS)


def mocap_motion(name: str, law: Mapping[str, Any], X: Placement) -> dict[str, Any]:
    """The imposed motion of a body; what its law leaves out stays as in the file."""
    still = {"position": list(X.position), "rotation": X.rotation or [{"z": 0}]}
    return {"body": name, **still, **law}
