"""Files of robots, read by their ending and root: each becomes a document of the YAML form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from xml.parsers.expat import ExpatError

from torseur.errors import ModelError, all_faults
from torseur.language.mjcf.mjcf_reader import mjcf_robot
from torseur.language.robot.collision_contacts import add_collisions, not_read_shapes
from torseur.language.robot.collision_request import collision_request
from torseur.language.robot.document import RobotDocument, robot_document
from torseur.language.robot.plain_robot import plain_mechanism
from torseur.language.robot.robot_parts import PLAIN, Reading, Robot
from torseur.language.robot.shapes_of_links import Packages
from torseur.language.robot.soundness import with_mesh_masses
from torseur.language.robot.xml_tree import XmlElement, read_xml
from torseur.language.saved import made_of
from torseur.language.sdf.sdf_reader import sdf_robot
from torseur.language.text.files import read_file
from torseur.language.urdf.urdf_reader import urdf_robot
from torseur.language.yaml.form import imported_mechanism
from torseur.model.checks.limits import LARGEST_FILE
from torseur.model.description import Mechanism
from torseur.packages import package
from torseur.words.sentence import say

_ENTRY = re.compile(r"\b[a-z_]+: *[\[{\"a-z\d]|\n? +\^")  # of the YAML form, or a formula of it


def robot_mechanism(path: Path, reading: Reading = PLAIN) -> Mechanism:
    """The mechanism of a file of a robot, checked; its notices list what was assumed."""
    document, source = robot_form(path, reading)
    try:
        mechanism = plain_mechanism(document, source) or imported_mechanism(
            document.data, source, document.lines
        )
    except ModelError as error:
        raise _without_yaml(error, source) from None
    mechanism = replace(mechanism, notices=(*document.notices, *mechanism.notices))
    return made_of(mechanism, document.data)


def robot_form(path: Path, reading: Reading = PLAIN) -> tuple[RobotDocument, str]:
    """The YAML form of a file of a robot, and the name of the file for messages."""
    xacro = path.suffix.lower() == ".xacro"
    text = _expand_xacro(path) if xacro else read_file(path, LARGEST_FILE, str(path))
    root = read_xml(text, str(path))
    if root.tag not in _READERS:
        known = ", ".join(f"<{tag}>" for tag in _READERS)
        problem = say("the root element is <{tag}>.", root.tag)
        raise root.fault(problem, say("Files of robots have one of: {known}.", known))
    if reading.keyframe is not None and root.tag != "mujoco":
        problem = say('a <{tag}> has no keyframe "{name}".', root.tag, reading.keyframe)
        raise root.fault(problem, "Keyframes are contents of MJCF.")
    if reading.mocap is not None and root.tag != "mujoco":
        problem = say("a <{tag}> has no mocap bodies.", root.tag)
        raise root.fault(problem, "They are contents of MJCF.")
    robot = _READERS[root.tag](root, path, reading)
    acting = (reading.limits is not None, reading.effort is not None)
    robot = replace(robot, accept=tuple(reading.accept))
    document = robot_document(robot, *acting)
    request = collision_request(reading.collisions)
    if request is not None and reading.joined:
        request = replace(request, joined=True, moved=reading.joined == "moved")
    if request is None:
        about = [*not_read_shapes(robot)]
    else:
        about = add_collisions(document.data, robot, request)
    return replace(document, notices=(*document.notices, *about)), robot.source


def _without_yaml(error: ModelError, source: str) -> ModelError:
    """The errors without places and advice of the YAML form, which the file does not have."""
    inside = re.compile(rf"^{re.escape(source)}\.[^:]*(?=:|$)")
    unwanted = str(say("Leave the entry out."))
    return all_faults(
        [
            ModelError(
                inside.sub(lambda _: source, x.place),
                x.problem if "\n" not in x.problem else x.problem.split("\n")[0],
                *(y for y in x.advice if not _ENTRY.search(y) and str(y) != unwanted),
            )
            for x in error.faults
        ]
    )


def _expand_xacro(path: Path) -> str:
    """The URDF of a file of xacro, whose macros xacrodoc expands."""
    need = say("xacro is a language of macros, which xacrodoc expands; it is not installed.")
    remedy = say("Or expand it: xacro FILE > robot.urdf")
    XacroDoc = package("xacrodoc", "robots", str(path), need, remedy).XacroDoc
    from xacro import XacroException, init_stacks
    from xacrodoc.packages import PackageNotFoundError

    if not path.is_file():
        raise FileNotFoundError(str(path))
    init_stacks(str(path.resolve()))  # includes are beside it, whatever the working directory
    try:
        return str(XacroDoc.from_file(path, resolve_packages=False).dom.toprettyxml())
    except RecursionError:
        reason = say("a file or a macro includes itself.")
    except (XacroException, PackageNotFoundError, ExpatError, ValueError, OSError) as error:
        reason = str(error).split("\n")[0][:200]
    raise ModelError(str(path), say("the macros cannot be expanded: {shown}", reason)) from None


def _urdf(root: XmlElement, path: Path, reading: Reading) -> Robot:
    packages, collisions = Packages(path, reading.packages), bool(reading.collisions)
    robot = urdf_robot(root, packages, reading.free_base, collisions)
    if reading.mesh_density is None:
        return robot
    return with_mesh_masses(robot, reading.mesh_density)


def _mjcf(root: XmlElement, path: Path, reading: Reading) -> Robot:
    if reading.free_base:
        problem = "a free base is described in the file itself: <freejoint/> in a <body>."
        raise ModelError(str(path), problem)
    collisions = bool(reading.collisions)
    acting = reading.keyframe, reading.actuators, reading.mocap
    return mjcf_robot(root, path, collisions, *acting)


def _sdf(root: XmlElement, path: Path, reading: Reading) -> Robot:
    return sdf_robot(root, Packages(path, reading.packages), bool(reading.collisions))


_READERS: dict[str, Callable[[XmlElement, Path, Reading], Robot]] = {
    "robot": _urdf,
    "sdf": _sdf,
    "mujoco": _mjcf,
}
