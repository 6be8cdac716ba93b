"""Files of robots, read with what only the user knows of them."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from torseur.language.imported import Reading, robot_mechanism
from torseur.model.description import Mechanism


def load(
    path: str | os.PathLike[str],
    *,
    free_base: bool = False,
    packages: Sequence[str] = (),
    mesh_density: float | None = None,
    accept: Sequence[str] = (),
) -> Mechanism:
    """The mechanism of a file of a robot (.urdf, .sdf, .xml of MuJoCo, .xacro).

    With `free_base` the base of a URDF moves freely; otherwise it is fixed to the ground.
    `packages` are folders in which `package://` is looked for. `mesh_density` [kg/m³] fills the
    meshes of links that have no mass data. `accept` names kinds of fault in mass data to let
    pass, such as "negative moment".
    """
    return robot_mechanism(Path(path), Reading(free_base, packages, mesh_density, tuple(accept)))
