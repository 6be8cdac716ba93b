"""Options for reading a robot, and the endings of files of robots."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

from torseur.errors import unknown
from torseur.language.robot.collision_request import CollisionRequest, collision_request
from torseur.model.checks.limits import sensible
from torseur.model.mass.validity import KINDS
from torseur.words.sentence import say

ENDINGS = (".urdf", ".sdf", ".xml", ".mjcf", ".xacro")


@final
@dataclass(frozen=True)
class Reading:
    """Options for reading a robot."""

    free_base: bool = False  # the base moves freely, whatever the file says
    packages: Sequence[str | os.PathLike[str]] = ()  # folders in which packages are
    mesh_density: float | None = None  # [kg/m³]: it fills the meshes of massless links
    accept: Sequence[str] = ()  # kinds of error in mass data to let pass
    collisions: bool | str | Mapping[str, Any] = False  # what is made of collision shapes

    @property
    def collision_request(self) -> CollisionRequest | None:
        """Contacts to make of collision shapes."""
        return collision_request(self.collisions)

    def __post_init__(self) -> None:
        for kind in self.accept:
            if kind not in KINDS:
                raise unknown("accept", "kind of error", kind, KINDS)
        if self.mesh_density is not None:
            sensible("mesh_density", say("the value"), self.mesh_density)


PLAIN = Reading()
