"""Actuators of MJCF along hinges, slides and tendons, and wrenches at sites.

The compiled model gives the force gain·input + bias along the length l of a transmission, times its
gear. One along a hinge or a slide is an actuator of the YAML form; another one is a force.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.language.mjcf.mjcf_laws import (
    AFFINE,
    FIXED,
    NO_DYNAMICS,
    Lengths,
    activation_rate,
    bias,
    gain,
    known_laws,
)
from torseur.language.mjcf.mjcf_tendons import Tendons, fixed_length, fixed_rate
from torseur.language.robot.placement import by_quaternion
from torseur.language.robot.robot_parts import WORLD
from torseur.model.description import GROUND

JOINT, JOINT_IN_PARENT, TENDON, SITE = 0, 1, 3, 4  # mjtTrn
Range = tuple[float, float]
Entry = dict[str, Any]


@final
@dataclass(frozen=True)
class MjcfActuators:
    """Entries of sections, the parameters that command actuators, and unread names."""

    entries: dict[str, Entry] = field(default_factory=dict)
    forces: dict[str, Entry] = field(default_factory=dict)
    states: dict[str, Entry] = field(default_factory=dict)
    commands: dict[str, float] = field(default_factory=dict)
    unread: list[str] = field(default_factory=list)
    by_index: dict[int, str] = field(default_factory=dict)  # command of each actuator
    activations: dict[int, str] = field(default_factory=dict)  # state of each actuator

    @property
    def sections(self) -> dict[str, dict[str, Any]]:
        """The parts of each section of the YAML form."""
        return {
            "actuators": self.entries,
            "forces": self.forces,
            "states": self.states,
            "parameters": self.commands,
        }


def mjcf_actuators(
    model: Any,
    coordinates: Mapping[int, str],
    tendons: Tendons,
    legal: Callable[[str], str],
    other_names: Collection[str],
) -> MjcfActuators:
    """The actuators of a compiled model; `coordinates` are those of its hinges and slides.

    Commands are parameters called after the actuators by `legal`, with the value 0. Other
    forces have the `other_names`.
    """
    import mujoco

    read = MjcfActuators()
    if int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_ACTUATION):
        return read
    reading = _Reading(model, coordinates, tendons, legal, read)
    shared: defaultdict[int, list[tuple[str, str]]] = defaultdict(list)
    for k in range(model.nactuator if hasattr(model, "nactuator") else model.nu):
        name = _free_name(model.actuator(k).name or f"actuator{k}", {*read.forces, *other_names})
        if not np.any(model.actuator_gear[_output(model, k)]):  # it does not push
            continue
        if not reading.add(k, name, shared):
            read.unread.append(name)
    for joint, forces in shared.items():  # their sum has bounds
        low, high = (float(x) for x in model.jnt_actfrcrange[joint])
        force = " + ".join(f"({text})" for _, text in forces)
        read.entries[" + ".join(name for name, _ in forces)] = {
            "type": "motor",
            "force": f"clip({force}, {low!r}, {high!r})",
            "coordinate": coordinates[joint],
        }
    return read


def _free_name(name: str, others: set[str]) -> str:
    while name in others:
        name += "_"
    return name


def _output(model: Any, k: int) -> int:
    """The first row of an actuator in tables of outputs; older versions have one each."""
    return int(model.actuator_outadr[k]) if hasattr(model, "actuator_outadr") else k


@final
@dataclass(frozen=True)
class _Reading:
    """Readers of actuators of a compiled model."""

    model: Any
    coordinates: Mapping[int, str]
    tendons: Tendons
    legal: Callable[[str], str]
    read: MjcfActuators

    def add(self, k: int, name: str, shared: dict[int, list[tuple[str, str]]]) -> bool:
        """Add an actuator; whether it is read."""
        m, target = self.model, int(self.model.actuator_trnid[k, 0])
        if not known_laws(m, k) or _has_more(m, k):
            return False
        kind = int(m.actuator_trntype[k])
        if kind in (JOINT, JOINT_IN_PARENT) and target in self.coordinates:
            return self._along_joint(k, name, target, shared)
        if kind == TENDON and self._bounds_alone(k, target):
            return self._along_tendon(k, name, target)
        return kind == SITE and self._at_site(k, name, target)

    def _bounds_alone(self, k: int, tendon: int) -> bool:
        """Whether no other actuator shares the bounds of a tendon."""
        if not _field(self.model, "tendon_actfrclimited", tendon):
            return True
        m = self.model
        pulling = (m.actuator_trntype == TENDON) & (m.actuator_trnid[:, 0] == tendon)
        return int(np.count_nonzero(pulling)) == 1

    # --- laws -----------------------------------------------------------------------------------

    def _input(self, k: int, name: str) -> str:
        """The command within its range, or the activation that follows it."""
        command = self.read.by_index.get(k)
        if command is None:
            command = self.read.by_index[k] = self.legal(name)
            self.read.commands[command] = 0.0
        text = _clamped(self.model, k, command)
        if int(self.model.actuator_dyntype[k]) == NO_DYNAMICS:
            return text
        state = self.legal(f"{command}_activation")
        self.read.states[state] = {"rate": activation_rate(self.model, k, text, state)}
        self.read.activations[k] = state
        return state

    def _force(self, k: int, name: str, motion: Lengths) -> str | None:
        """The force along the length, within its range; None where the law is not read."""
        factor, constant = gain(self.model, k, motion), bias(self.model, k, motion)
        if factor is None or constant is None:
            return None
        force = f"({factor})*{self._input(k, name)}"
        force = force if constant == "0" else f"{force} + {constant}"
        tendon = int(self.model.actuator_trnid[k, 0])
        if int(self.model.actuator_trntype[k]) == TENDON:
            force = _clip(force, self.model, "tendon_actfrc", tendon)
        return _clip(force, self.model, "actuator_force", k)

    # --- transmissions --------------------------------------------------------------------------

    def _along_joint(
        self, k: int, name: str, joint: int, shared: dict[int, list[tuple[str, str]]]
    ) -> bool:
        m, q = self.model, self.coordinates[joint]
        gear = float(m.actuator_gear[_output(m, k), 0])
        reference = float(m.qpos0[m.jnt_qposadr[joint]])
        bounded = bool(m.jnt_actfrclimited[joint])
        along = (m.actuator_trntype <= JOINT_IN_PARENT) & (m.actuator_trnid[:, 0] == joint)
        alone = Counter(along.tolist())[True] == 1
        plain = _plain_law(m, k) if alone or not bounded else None
        if plain is not None:
            entry = _entry(plain, self._input(k, name), gear, reference)
        else:
            motion = Lengths(f"({gear!r})*({q} + ({reference!r}))", f"({gear!r})*{q}.")
            force = self._force(k, name, motion)
            if force is None:
                return False
            if bounded and not alone:
                shared[joint].append((name, f"({gear!r})*({force})"))
                return True
            entry = {"type": "motor", "force": f"({gear!r})*({force})"}
        limit = _limit(m, k, joint, gear)
        bounds = {} if limit is None else {"limit": list(limit)}
        self.read.entries[name] = {**entry, "coordinate": q, **bounds}
        return True

    def _along_tendon(self, k: int, name: str, tendon: int) -> bool:
        m, tendons = self.model, self.tendons
        gear = float(m.actuator_gear[_output(m, k), 0])
        if tendon in tendons.sums:
            total = fixed_length(m, tendon, tendons.sums[tendon])
            rate = fixed_rate(tendons.sums[tendon])
            force = self._force(k, name, Lengths(f"({gear!r})*({total})", f"({gear!r})*({rate})"))
            for joint, (_, factor) in tendons.sums[tendon].items() if force is not None else ():
                value = f"({gear * factor!r})*({force})"
                entry = {"type": "joint", "joint": joint, "value": value}
                self.read.forces[f"{name} on {joint}"] = entry
            return force is not None
        path = tendons.paths.get(tendon)
        if path is None:
            return False
        force = self._force(k, name, Lengths(f"({gear!r})*length", f"({gear!r})*rate"))
        if force is None:
            return False
        tension = f"-({gear!r})*({force})"
        self.read.forces[name] = {"type": "wrapped cable", "through": path, "tension": tension}
        return True

    def _at_site(self, k: int, name: str, site: int) -> bool:
        """A wrench in the axes of a site; relative to another site it is not read."""
        m = self.model
        body = self.tendons.bodies[int(m.site_bodyid[site])]
        force = None if int(m.actuator_trnid[k, 1]) >= 0 else self._force(k, name, Lengths())
        if force is None:
            return False
        X = by_quaternion(m.site_pos[site], m.site_quat[site])
        gear = m.actuator_gear[_output(m, k)]
        vectors = {"force": X.R @ gear[:3], "couple": X.R @ gear[3:]}
        if body not in (WORLD, GROUND):
            self.read.forces[name] = {
                "type": "wrench",
                "body": body,
                "point": [float(x) for x in X.p],
                **{
                    what: [f"({float(x)!r})*({force})" if x else 0 for x in along]
                    for what, along in vectors.items()
                    if along.any()
                },
                "frame": "body",
            }
        return True


def _field(model: Any, name: str, k: int) -> Any:
    """An entry of a field, 0 where the version has no such field."""
    values = getattr(model, name, None)
    return 0 if values is None else values[k]


def _has_more(model: Any, k: int) -> bool:
    """Whether an actuator is disabled, belongs to a plugin or delays its command."""
    disabled = int(model.opt.disableactuator) >> int(model.actuator_group[k]) & 1
    plugged = int(_field(model, "actuator_plugin", k)) >= 0 and hasattr(model, "actuator_plugin")
    on_tendon = int(model.actuator_trntype[k]) == TENDON and np.any(
        _field(model, "actuator_armature", k)
    )
    return bool(disabled or plugged or on_tendon or _field(model, "actuator_delay", k))


def _clip(force: str, model: Any, field_name: str, k: int) -> str:
    if not _field(model, f"{field_name}limited", k):
        return force
    low, high = (float(x) for x in getattr(model, f"{field_name}range")[k])
    return f"clip({force}, {low!r}, {high!r})"


# --- plain laws of one coordinate -----------------------------------------------------------------


def _plain_law(model: Any, k: int) -> tuple[str, float, float] | None:
    """The type of an actuator of the YAML form, its gain and its damping; None for another law."""
    if int(model.actuator_gaintype[k]) != FIXED:
        return None
    factor = float(model.actuator_gainprm[k, 0])
    zero, stiffness, damping = (float(x) for x in model.actuator_biasprm[k, :3])
    kind = int(model.actuator_biastype[k])
    if kind == FIXED or (kind == AFFINE and not (zero or stiffness or damping)):
        return "motor", factor, 0.0
    if kind != AFFINE:
        return None
    if not zero and stiffness == -factor:
        return "servo", factor, -damping
    return (
        ("velocity servo", factor, 0.0) if (zero, stiffness, damping) == (0, 0, -factor) else None
    )


def _entry(law: tuple[str, float, float], command: str, gear: float, ref: float) -> Entry:
    """The entries of the force gear·(gain·(u − gear·(q + ref)) − damping·gear·q̇), and such."""
    kind, factor, damping = law
    if kind == "motor":
        return {"type": kind, "force": f"({gear * factor!r})*{command}"}
    scaled, set_point = factor * gear**2, command if gear == 1 else f"{command}/({gear!r})"
    if kind == "velocity servo":
        return {"type": kind, "velocity": set_point, "gain": scaled}
    position = f"{set_point} - ({ref!r})" if ref else set_point
    return {"type": kind, "position": position, "gain": scaled, "damping": damping * gear**2}


def _clamped(model: Any, k: int, command: str) -> str:
    """The command within its range, unless flags let it leave that."""
    import mujoco

    at = int(model.actuator_ctrladr[k]) if hasattr(model, "actuator_ctrladr") else k
    free = int(model.opt.disableflags) & int(mujoco.mjtDisableBit.mjDSBL_CLAMPCTRL)
    if free or not model.actuator_ctrllimited[at]:
        return command
    low, high = (float(x) for x in model.actuator_ctrlrange[at])
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
