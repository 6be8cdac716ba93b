"""One mechanism on another: a tool on a flange, a robot on a table or beside another."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from torseur.language.joining import JoinedSections, ModelForm
from torseur.language.load import load
from torseur.language.meeting import Meeting, meeting_law
from torseur.language.yaml.point_tables import tables_below
from torseur.language.yaml.source import Item, read_data, read_text
from torseur.model.checks.robot_files import is_robot_file
from torseur.model.description import GROUND, Mechanism


def attach(
    robot: Mechanism | str | os.PathLike[str] | Mapping[str, Any],
    tool: Mechanism | str | os.PathLike[str] | Mapping[str, Any],
    at: str = GROUND,
    *,
    position: Sequence[float | str] = (0, 0, 0),
    rotation: Any = None,
    prefix: str = "",
    name: str = "",
    collisions: bool | Mapping[str, Any] = False,
) -> Mechanism:
    """Join two mechanisms: a tool on a flange, a robot on a table or beside another.

    The ground of the `tool` is fixed to `at`, a body, a frame or a point of the `robot`, at a
    position [m] and with a rotation in the frame of `at`. The rotation is written as in a
    description: [{"z": "90 deg"}], a matrix or a quaternion. Names of the tool get the prefix.
    Masses and lengths of robot files are parameters: `f.with_parameters(tool_m_hand=2.0)` changes a
    payload without compiling. The gravity is that of the robot. With `collisions`, solids of the
    robot and of the tool can touch, except those that a joint connects. `True` takes the larger
    friction of the two solids (default 1); a dict gives "friction", "restitution" and "combine",
    the rule for two values.
    """
    base, other = _form(robot), _form(tool)
    given: dict[str, Any] = {"at": [at, list(position)]}
    if rotation is not None:
        given["rotation"] = rotation
    below = tables_below(Path(base.source).parent, None)
    meeting = None if collisions is False else Meeting(meeting_law(collisions))
    scene = JoinedSections(dict(base.sections), below, meeting, list(base.notices))
    if meeting is not None:
        meeting.add(base.sections)
    if name:
        scene.sections["name"] = Item(base.root.place, name)
    scene.add(other, prefix, read_data(given, "attach"))
    return scene.mechanism(base.root, base.name, base.source)


def _form(model: Any) -> ModelForm:
    """The sections of a mechanism, of a file or of the YAML form."""
    mechanism = model if isinstance(model, Mechanism) else load(model)
    source = mechanism.source or mechanism.name
    root = read_text(mechanism.yaml(), source)
    if is_robot_file(source):  # whose lines are others
        root = read_data(root.plain, source)
    return ModelForm(root, mechanism.name, mechanism.source, mechanism.notices)
