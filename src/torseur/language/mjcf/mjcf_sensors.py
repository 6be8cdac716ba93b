"""Sensors of MJCF: accelerometers and gyroscopes at sites, positions of joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torseur.language.robot.placement import by_quaternion
from torseur.language.robot.robot_parts import WORLD

_AT_SITES = ("mjSENS_ACCELEROMETER", "mjSENS_GYRO")
_POSITION = "mjSENS_JOINTPOS"


def mjcf_sensors(
    model: Any, bodies: Sequence[str], coordinates: Mapping[int, str]
) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Entries of the section `sensors` by name, and the names of those that are not read.

    Kinds of sensors that are not read at all are reported by their elements.
    """
    from mujoco import mjtSensor

    entries: dict[str, dict[str, Any]] = {}
    unread: list[str] = []
    for k in range(model.nsensor):
        kind, target = mjtSensor(int(model.sensor_type[k])).name, int(model.sensor_objid[k])
        name = model.sensor(k).name or f"sensor{k}"
        if kind in _AT_SITES:
            body = bodies[int(model.site_bodyid[target])]
            X = by_quaternion(model.site_pos[target], model.site_quat[target])
            point = {"point": [float(x) for x in X.p]} if any(X.p) else {}
            rotation = {} if X.rotation is None else {"rotation": X.rotation}
            entries[name] = {"type": "imu", "body": body, **point, **rotation}
            if body == WORLD:
                unread.append(name)
                del entries[name]
        elif kind == _POSITION and target in coordinates:
            entries[name] = {"type": "encoder", "coordinate": coordinates[target]}
    return entries, unread
