"""Options for reading a robot, and the endings of files of robots."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from torseur.errors import unknown
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
    limits: str | None = None  # "stop": joints stop at their limits
    effort: str | None = None  # "clip": commands are clipped at the efforts of joints

    def __post_init__(self) -> None:
        for name, given, known in (
            ("limits", self.limits, "stop"),
            ("effort", self.effort, "clip"),
        ):
            if given not in (None, known):
                raise unknown(name, "behaviour", str(given), (known,))
        for kind in self.accept:
            if kind not in KINDS:
                raise unknown("accept", "kind of error", kind, KINDS)
        if self.mesh_density is not None:
            sensible("mesh_density", say("the value"), self.mesh_density)


PLAIN = Reading()
