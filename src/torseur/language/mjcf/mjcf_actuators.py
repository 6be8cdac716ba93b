"""Actuators of MJCF along hinges and slides: motors, position and velocity servos.

The compiled model gives the force gain·u + bias₀ + bias₁ l + bias₂ l̇ with the length l = gear·q of
the transmission; the force along the coordinate is gear times that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

JOINT, JOINT_IN_PARENT = 0, 1  # mjtTrn
FIXED, NO_BIAS, AFFINE, NO_DYNAMICS = 0, 0, 1, 0  # mjtGain, mjtBias, mjtDyn
_MORE = ("armature", "damping", "dampingpoly", "delay")  # of later versions
Range = tuple[float, float]


@final
@dataclass(frozen=True)
class MjcfActuators:
    """Entries of the section `actuators`, the parameters that command them, and unread names."""

    entries: dict[str, dict[str, Any]] = field(default_factory=dict)
    commands: dict[str, float] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)


def mjcf_actuators(
    model: Any, coordinates: Mapping[int, str], legal: Callable[[str], str]
) -> MjcfActuators:
    """The actuators of a compiled model; `coordinates` are those of its hinges and slides.

    Commands are parameters called after the actuators by `legal`, with the value 0.
    """
    read = MjcfActuators()
    counts = Counter(int(joint) for joint in model.actuator_trnid[:, 0])
    for k in range(model.nu):
        name = model.actuator(k).name or f"actuator{k}"
        joint, gear = int(model.actuator_trnid[k, 0]), float(model.actuator_gear[k, 0])
        if not gear:  # it does not push, or flags disable it
            continue
        law = _law(model, k, counts[joint]) if joint in coordinates else None
        if law is None:
            read.unread.append(name)
            continue
        command = legal(name)
        reference = float(model.qpos0[model.jnt_qposadr[joint]])
        entry = _entry(law, _clamped(model, k, command), gear, reference)
        limit = _limit(model, k, joint, gear)
        read.commands[command] = 0.0
        read.entries[name] = {
            **entry,
            "coordinate": coordinates[joint],
            **({} if limit is None else {"limit": list(limit)}),
        }
    return read


def _law(model: Any, k: int, along: int) -> tuple[str, float, float] | None:
    """The type of an actuator, its gain and its damping; None for one that is not read.

    `along` is the number of actuators of its joint, which bounds their sum.
    """
    joint = int(model.actuator_trnid[k, 0])
    gain, bias = float(model.actuator_gainprm[k, 0]), model.actuator_biasprm[k, :3]
    zero, stiffness, damping = (float(x) for x in bias)
    kinds = tuple(
        int(getattr(model, f"actuator_{x}type")[k]) for x in ("trn", "gain", "bias", "dyn")
    )
    plain = kinds[0] in (JOINT, JOINT_IN_PARENT) and kinds[1::2] == (FIXED, NO_DYNAMICS)
    more = any(np.any(getattr(model, f"actuator_{x}", 0.0 * model.actuator_gear)[k]) for x in _MORE)
    disabled = int(model.opt.disableactuator) >> int(model.actuator_group[k]) & 1
    shared = along > 1 and model.jnt_actfrclimited[joint]
    if not plain or more or disabled or shared or kinds[2] not in (NO_BIAS, AFFINE):
        return None
    if kinds[2] == NO_BIAS or not (zero or stiffness or damping):
        return "motor", gain, 0.0
    if not zero and stiffness == -gain:
        return "servo", gain, -damping
    return ("velocity servo", gain, 0.0) if (zero, stiffness, damping) == (0, 0, -gain) else None


def _entry(law: tuple[str, float, float], command: str, gear: float, ref: float) -> dict[str, Any]:
    """The entries of the force gear·(gain·(u − gear·(q + ref)) − damping·gear·q̇), and such."""
    kind, gain, damping = law
    if kind == "motor":
        return {"type": kind, "force": f"({gear * gain!r})*{command}"}
    scaled, set_point = gain * gear**2, command if gear == 1 else f"{command}/({gear!r})"
    if kind == "velocity servo":
        return {"type": kind, "velocity": set_point, "gain": scaled}
    position = f"{set_point} - ({ref!r})" if ref else set_point
    return {"type": kind, "position": position, "gain": scaled, "damping": damping * gear**2}


def _clamped(model: Any, k: int, command: str) -> str:
    """The command within its range, unless flags let it leave that."""
    import mujoco

    free = int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL)
    if free or not model.actuator_ctrllimited[k]:
        return command
    low, high = (float(x) for x in model.actuator_ctrlrange[k])
    return f"clip({command}, {low!r}, {high!r})"


def _limit(model: Any, k: int, joint: int, gear: float) -> Range | None:
    """The bounds of the force along the coordinate: those of the actuator within the joint's."""
    bounds = None
    if model.actuator_forcelimited[k]:
        low, high = sorted(gear * float(x) for x in model.actuator_forcerange[k])
        bounds = low, high
    if not model.jnt_actfrclimited[joint]:
        return bounds
    least, most = (float(x) for x in model.jnt_actfrcrange[joint])
    if bounds is None:
        return least, most
    low, high = (min(max(x, least), most) for x in bounds)
    return low, high
