"""Files of robots, by their endings: messages about them give no advice in the YAML form."""

from __future__ import annotations

from pathlib import PurePath

ENDINGS = (".urdf", ".sdf", ".xml", ".mjcf", ".xacro")


def is_robot_file(source: str) -> bool:
    """Whether the ending of a file is that of a robot."""
    return PurePath(source).suffix.lower() in ENDINGS
