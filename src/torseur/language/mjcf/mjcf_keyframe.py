"""Keyframes of MJCF: where a motion starts, the commands and the activations there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, suggestion
from torseur.language.mjcf.mjcf_actuators import MjcfActuators
from torseur.language.robot.placement import by_quaternion, free_start
from torseur.language.robot.robot_parts import RobotJoint
from torseur.language.yaml.coordinate_entries import identifier
from torseur.words.sentence import say

_AXES = ("x", "y", "z")


@final
@dataclass(frozen=True)
class Keyframe:
    """Initial values of coordinates and speeds, of parameters and of states, by name."""

    initial: dict[str, float]
    commands: dict[str, float]
    activations: dict[str, float]


def keyframe_number(model: Any, name: str, source: str) -> int:
    """The number of a keyframe, by its name, or by its number where it has none."""
    names = keyframe_names(model)
    if name in names:
        return names.index(name)
    problem = say('there is no keyframe "{name}".', name)
    listed = say("Keyframes of the file: {names}.", ", ".join(names) or say("none"))
    raise ModelError(source, problem, listed, *suggestion(name, names))


def keyframe_names(model: Any) -> list[str]:
    """The names of the keyframes; those that have none are numbered."""
    return [model.key(k).name or str(k) for k in range(model.nkey)]


def read_keyframe(
    model: Any,
    k: int,
    joints: Sequence[RobotJoint],
    coordinates: Mapping[int, str],
    read: MjcfActuators,
) -> Keyframe:
    """A keyframe of a compiled model; `joints` are those of the model in their order."""
    m = model
    initial: dict[str, float] = {}
    for n, joint in enumerate(joints):
        q, v = m.key_qpos[k, m.jnt_qposadr[n] :], m.key_qvel[k, m.jnt_dofadr[n] :]
        name = identifier(joint.name)
        if n in coordinates:
            initial[coordinates[n]] = float(q[0] - m.qpos0[m.jnt_qposadr[n]])
            initial[f"{coordinates[n]}."] = float(v[0])
            continue
        if joint.kind == "free":
            initial |= free_start(joint.name, by_quaternion(q[:3], _unit(q[3:7])))
            rates = dict(zip((f"{name}_{x}." for x in _AXES), v, strict=False))
            v = v[3:]
        else:
            w, *xyz = _unit(q[:4])
            values = (w, *(joint.placement.R @ xyz))
            rates = {f"{name}_{x}": value for x, value in zip("wxyz", values, strict=True)}
            v = joint.placement.R @ v[:3]
        rates |= dict(zip((f"{name}_w{x}" for x in _AXES), v, strict=False))
        initial |= {x: float(value) for x, value in rates.items()}
    commands = {name: float(m.key_ctrl[k, _first(m, n)]) for n, name in read.by_index.items()}
    activations = {
        name: float(m.key_act[k, m.actuator_actadr[n] + m.actuator_actnum[n] - 1])
        for n, name in read.activations.items()
    }
    return Keyframe({x: y for x, y in initial.items() if y or x[-1] != "."}, commands, activations)


def _first(model: Any, k: int) -> int:
    return int(model.actuator_ctrladr[k]) if hasattr(model, "actuator_ctrladr") else k


def _unit(quaternion: Any) -> Any:
    return np.asarray(quaternion, dtype=float) / np.linalg.norm(quaternion)
