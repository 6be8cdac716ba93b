"""Files of robots, read by their ending and root: each becomes a document of the YAML form."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import final

from torseur.errors import ModelError
from torseur.language.robot.document import Document, robot_document
from torseur.language.robot.parts import Robot
from torseur.language.robot.xml_tree import Element, read_xml
from torseur.language.saved import made_of
from torseur.language.text.files import read_file
from torseur.language.yaml.form import imported_mechanism
from torseur.model.checks.limits import LARGEST_FILE
from torseur.model.description import Mechanism
from torseur.words.sentence import say

ENDINGS = (".urdf", ".sdf", ".xml", ".mjcf", ".xacro")


@final
@dataclass(frozen=True)
class Reading:
    """What the user says of the reading of a robot."""

    free_base: bool = False  # the base moves freely, whatever the file says
    packages: Sequence[str | os.PathLike[str]] = ()  # folders in which packages are
    mesh_masses: float | None = None  # density [kg/m³] that fills the meshes of massless links
    accept: tuple[str, ...] = ()  # kinds of fault in mass data to let pass


PLAIN = Reading()


def robot_mechanism(path: Path, reading: Reading = PLAIN) -> Mechanism:
    """The mechanism of a file of a robot, checked, with what was assumed among its notices."""
    document = robot_file_document(path, reading)
    made = imported_mechanism(document.data, document.source, document.lines or {})
    told = replace(made, notices=(*document.notices, *made.notices))
    return made_of(told, document.data)


def robot_file_document(path: Path, reading: Reading = PLAIN) -> Document:
    """The YAML form of a file of a robot, and what is to be told of it."""
    if path.suffix.lower() == ".xacro":
        from torseur.language.urdf.xacro_files import expanded

        text = expanded(path)
    else:
        text = read_file(path, LARGEST_FILE, str(path))
    root = read_xml(text, str(path))
    if root.tag not in _READERS:
        known = ", ".join(f"<{tag}>" for tag in _READERS)
        problem = say("the root element is <{tag}>.", root.tag)
        raise root.fault(problem, say("Files of robots have one of: {known}.", known))
    robot = _READERS[root.tag](root, path, reading)
    return robot_document(replace(robot, accept=reading.accept))


def _urdf(root: Element, path: Path, reading: Reading) -> Robot:
    from torseur.language.robot.mesh_masses import with_mesh_masses
    from torseur.language.robot.packages import Packages
    from torseur.language.urdf.reading import urdf_robot

    robot = urdf_robot(root, Packages(path, reading.packages), reading.free_base)
    if reading.mesh_masses is None:
        return robot
    return with_mesh_masses(robot, reading.mesh_masses)


def _sdf(root: Element, path: Path, reading: Reading) -> Robot:
    from torseur.language.robot.packages import Packages
    from torseur.language.sdf.reading import sdf_robot

    return sdf_robot(root, Packages(path, reading.packages))


def _mjcf(root: Element, path: Path, reading: Reading) -> Robot:
    from torseur.language.mjcf.reading import mjcf_robot

    if reading.free_base:
        problem = "a base that moves freely is said in the file: <freejoint/> in a <body>."
        raise ModelError(str(path), problem)
    return mjcf_robot(root, path)


_READERS: dict[str, Callable[[Element, Path, Reading], Robot]] = {
    "robot": _urdf,
    "sdf": _sdf,
    "mujoco": _mjcf,
}
