"""Tendons of MJCF: sums of coordinates, and cables through sites past spheres and cylinders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur.language.mjcf.mjcf_forces import Factors, Forces, coefficients, damping_law, polynomial
from torseur.language.robot.placement import by_quaternion
from torseur.language.robot.robot_parts import WORLD
from torseur.model.description import GROUND

JOINT, PULLEY, SITE, SPHERE, CYLINDER = 1, 2, 3, 4, 5  # mjtWrap
JOINT_TARGET, TENDON_TARGET = (0, 1), (3,)  # mjtTrn
Kinds = tuple[int, ...]
Path = list[Any]  # as the YAML form writes it


@final
@dataclass(frozen=True)
class Tendons:
    """Tendons by number: sums of coordinates, paths of cables, and those that are not read."""

    bodies: Sequence[str]
    sums: dict[int, Factors] = field(default_factory=dict)
    paths: dict[int, Path] = field(default_factory=dict)
    inside: list[int] = field(default_factory=list)  # they run inside an obstacle


def read_tendons(
    model: Any, bodies: Sequence[str], joints: Sequence[str], coordinates: Mapping[int, str]
) -> Tendons:
    """The tendons of a compiled model."""
    tendons = Tendons(bodies)
    for k in range(model.ntendon):
        start = int(model.tendon_adr[k])
        parts = range(start, start + int(model.tendon_num[k]))
        if int(model.wrap_type[start]) == JOINT:
            tendons.sums[k] = {
                joints[i]: (coordinates[i], float(model.wrap_prm[part]))
                for part in parts
                for i in [int(model.wrap_objid[part])]
            }
        elif any(_inside(model, part) for part in parts):
            tendons.inside.append(k)
        else:
            tendons.paths[k] = [_part(model, part, bodies) for part in parts]
    return tendons


def _on(body: str, point: Any) -> list[Any]:
    return [GROUND if body == WORLD else body, [float(x) for x in point]]


def _site(model: Any, site: int, bodies: Sequence[str]) -> list[Any]:
    return _on(bodies[int(model.site_bodyid[site])], model.site_pos[site])


def _part(model: Any, part: int, bodies: Sequence[str]) -> Any:
    """A point, an obstacle or a pulley of a path."""
    kind, i = int(model.wrap_type[part]), int(model.wrap_objid[part])
    value = float(model.wrap_prm[part])
    if kind == PULLEY:
        return {"pulley": value}
    if kind == SITE:
        return _site(model, i, bodies)
    body, centre = _on(bodies[int(model.geom_bodyid[i])], model.geom_pos[i])
    obstacle = {"body": body, "centre": centre, "radius": float(model.geom_size[i, 0])}
    if kind == CYLINDER:
        R = by_quaternion(model.geom_pos[i], model.geom_quat[i]).R
        obstacle["axis"] = [float(x) for x in R[:, 2]]
    if value >= 0:
        obstacle["side"] = _site(model, round(value), bodies)
    return obstacle


def _inside(model: Any, part: int) -> bool:
    """Whether a tendon runs inside a sphere or a cylinder: its side is a point in there."""
    geometry, side = int(model.wrap_objid[part]), round(float(model.wrap_prm[part]))
    if int(model.wrap_type[part]) not in (SPHERE, CYLINDER) or side < 0:
        return False
    import mujoco

    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    apart = data.site_xpos[side] - data.geom_xpos[geometry]
    return bool(np.linalg.norm(apart) < model.geom_size[geometry, 0])


# --- springs and dampers --------------------------------------------------------------------------


def fixed_length(model: Any, tendon: int, joints: Factors) -> str:
    """The length of a tendon that is a sum of coordinates."""
    total = " + ".join(f"({factor!r})*{q}" for q, factor in joints.values())
    return f"{total} + ({float(model.tendon_length0[tendon])!r})"


def fixed_rate(joints: Factors) -> str:
    """The rate of such a length."""
    return " + ".join(f"({factor!r})*{q}." for q, factor in joints.values())


def _stretch(model: Any, tendon: int, length: str) -> str:
    """The length of a tendon beyond the range in which its spring does not pull."""
    low, high = (float(x) for x in model.tendon_lengthspring[tendon])
    if low == high:
        return f"{length} - ({low!r})"
    return f"max({length} - ({high!r}), 0) + min({length} - ({low!r}), 0)"


def tendon_forces(model: Any, tendon: int, name: str, tendons: Tendons) -> Forces:
    """The spring and the damper of a tendon, and the damper of an actuator on it."""
    spring = coefficients(model, "tendon_stiffness", tendon)
    damper = _damper(model, tendon)
    if not any(spring) and not any(damper):
        return
    if tendon in tendons.sums:
        yield from _fixed(model, tendon, name, tendons.sums[tendon])
    elif tendon in tendons.paths:
        longer = _stretch(model, tendon, "length")
        tension = f"({polynomial(spring, longer)})*({longer}) + {damping_law(damper, 'rate')}"
        path = tendons.paths[tendon]
        plain = len(path) == 2
        entry = (
            {"type": "line", "between": path}
            if plain
            else {
                "type": "wrapped cable",
                "through": path,
            }
        )
        yield f"tendon {name}", {**entry, "tension": tension}


def _damper(model: Any, tendon: int) -> tuple[float, ...]:
    terms = coefficients(model, "tendon_damping", tendon)
    driven = actuator_sums(model, "actuator_damping", TENDON_TARGET, tendon, len(terms))
    return tuple(x + y for x, y in zip(terms, driven, strict=True))


def _fixed(model: Any, tendon: int, name: str, joints: Factors) -> Forces:
    spring = coefficients(model, "tendon_stiffness", tendon)
    damper = _damper(model, tendon)
    if any(spring):
        energy = [0, 0, *(k / (n + 2) for n, k in enumerate(spring))]
        value = polynomial(energy, _stretch(model, tendon, fixed_length(model, tendon, joints)))
        yield f"spring of {name}", {"type": "generalised potential", "value": value}
    if any(damper):
        for joint, (_, factor) in joints.items():
            value = f"-({factor!r})*{damping_law(damper, fixed_rate(joints))}"
            entry = {"type": "joint", "joint": joint, "value": value}
            yield f"damper of {name} on {joint}", entry


def actuator_sums(model: Any, name: str, kinds: Kinds, target: int, count: int) -> list[float]:
    """Coefficients of the dampers or rotors of actuators, of later versions, on one target."""
    total = [0.0] * count
    for k in range(len(getattr(model, name, ()))):
        if int(model.actuator_trntype[k]) in kinds and int(model.actuator_trnid[k, 0]) == target:
            gear2 = float(model.actuator_gear[int(model.actuator_outadr[k]), 0]) ** 2
            terms = coefficients(model, name, k)
            total = [x + gear2 * y for x, y in zip(total, terms, strict=True)]
    return total
