"""From MJCF to links and joints: MuJoCo compiles the file, the compiled model is read.

Compiling resolves defaults, includes, geometries and inertias as MuJoCo means them. Its soft
equality constraints become true joints and relations.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.language.mjcf.equalities import read_equalities
from torseur.language.mjcf.unread import Disabled, unread
from torseur.language.mjcf.visuals import Drawn, read_visuals
from torseur.language.robot.numbers import by_matrix, free_start, turned_inertia
from torseur.language.robot.parts import WORLD, Link, Placement, Robot, RobotJoint
from torseur.language.robot.symbols import Symbols
from torseur.language.robot.xml_tree import Element
from torseur.model.checks.limits import MOST_BODIES
from torseur.model.description import GROUND
from torseur.model.left_out import not_read
from torseur.packages import package
from torseur.spatial import quaternion
from torseur.words.sentence import say

FREE, BALL, SLIDE, HINGE = range(4)  # mjtJoint
_EXACT = 1e-12  # of a rotation that is none
KINDS = {FREE: "free", BALL: "spherical", SLIDE: "prismatic", HINGE: "revolute"}


@final
@dataclass
class Found:
    """A compiled model and what was made of it so far."""

    model: Any
    source: str
    lines: dict[str, int]
    body_names: list[str]
    joint_names: list[str]
    coordinates: dict[int, str] = field(default_factory=dict)  # of slides and hinges, by joint
    links: dict[str, Link] = field(default_factory=dict)
    joints: dict[str, RobotJoint] = field(default_factory=dict)
    extra: dict[str, dict[str, Any]] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)

    def section(self, name: str) -> dict[str, Any]:
        """A further section of the YAML form."""
        return self.extra.setdefault(name, {})


def mjcf_robot(root: Element, path: Path) -> Robot:
    """The robot of a file of MuJoCo."""
    _check_copies(root)
    spec, model = _compiled(path)
    drawn = read_visuals(model, spec)
    found = Found(model, str(path), _lines(root), _names(model, "body"), _names(model, "joint"))
    disabled = Disabled(int(model.opt.disableflags))
    disabled.switch_off(model)
    symbols = Symbols()
    for k, name in enumerate(found.joint_names):
        if model.jnt_type[k] in (SLIDE, HINGE):
            found.coordinates[k] = symbols.legal(name)
    found.links[WORLD] = Link(WORLD)
    for body in range(1, model.nbody):
        _body(found, body, drawn)
    read_equalities(found)
    found.notices += [*disabled.notices, *not_read(*unread(spec, model)), *drawn.notices]
    gravity = (0.0, 0.0, 0.0) if disabled.gravity else tuple(map(float, model.opt.gravity))
    name = root.get("model") or path.stem
    return Robot(
        name, found.links, found.joints, gravity, found.extra, tuple(found.notices), str(path)
    )


def _check_copies(root: Element) -> None:
    """Refuse what would be copied more often than a mechanism has bodies, before it is."""
    pending = [(root, 1.0)]
    while pending:
        element, copies = pending.pop()
        for count in element.get("count").split():  # of replicate, composite, flexcomp
            copies *= max(1.0, float(count)) if count.isdecimal() else 1.0
        if copies > MOST_BODIES:
            problem = say("<{tag}> makes {copies:g} copies.", element.tag, copies)
            raise element.fault(problem, say("At most {most} are read.", MOST_BODIES))
        pending += [(child, copies) for child in element.children]


def _compiled(path: Path) -> tuple[Any, Any]:
    """What the file says, and the model that MuJoCo makes of it."""
    need = say("MJCF is compiled by MuJoCo, which is not installed.")
    mujoco = package("mujoco", "robots", str(path), need)
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        return spec, spec.compile()
    except ValueError as error:
        shown = " ".join(str(error).split())[:300]
        raise ModelError(str(path), say("MuJoCo cannot compile it: {shown}", shown)) from None


def _lines(root: Element) -> dict[str, int]:
    """The line of every element that has a name, by its name."""
    found, pending = {}, [root]
    while pending:
        element = pending.pop()
        if element.get("name"):
            found[f"{element.tag} {element.get('name')}"] = element.line
        pending += element.children
    return found


def _names(model: Any, kind: str) -> list[str]:
    """The names of bodies or joints; those that have none are numbered."""
    count = model.nbody if kind == "body" else model.njnt
    one = model.body if kind == "body" else model.jnt
    found = [one(k).name or f"{kind}{k}" for k in range(count)]
    return [f"{name}_link" if name == GROUND else name for name in found]


def _body(found: Found, body: int, drawn: Drawn) -> None:
    """A body, with a massless link before each of its joints but the last."""
    m, name = found.model, found.body_names[body]
    carrier = found.body_names[m.body_parentid[body]] if m.body_parentid[body] else WORLD
    line = found.lines.get(f"body {name}", 0)
    X = by_matrix(m.body_pos[body], quaternion.matrix(m.body_quat[body]))
    R = by_matrix(m.body_ipos[body], quaternion.matrix(m.body_iquat[body])).R
    first, count = m.body_jntadr[body], m.body_jntnum[body]
    if not count:
        joint = RobotJoint(f"{name}_weld", "fixed", carrier, name, line, X)
        found.joints[joint.name] = joint
    for k in range(first, first + count):
        last = k == first + count - 1
        link = name if last else f"{name}_{k - first + 1}"
        if not last:
            found.links[link] = Link(link, line)
        joint = _joint(found, k, carrier, link, X)
        found.joints[joint.name] = joint
        carrier, X = link, Placement()
    moments = (*(float(x) for x in m.body_inertia[body]), 0.0, 0.0, 0.0)
    mass, centre = float(m.body_mass[body]), tuple(float(x) for x in m.body_ipos[body])
    looks = tuple(drawn.meshes.get(body, ())), tuple(drawn.visuals.get(body, ()))
    found.links[name] = Link(name, line, mass, centre, turned_inertia(moments, R), *looks)


def _joint(found: Found, k: int, carrier: str, link: str, X: Placement) -> RobotJoint:
    m, name, dof = found.model, found.joint_names[k], found.model.jnt_dofadr[k]
    kind = KINDS[int(m.jnt_type[k])]
    line = found.lines.get(f"joint {name}", 0)
    if kind == "free":
        found.notices += _unread_of_several(found, k)
        found.section("initial").update(free_start(name, X))  # it starts where the file has it
        return RobotJoint(name, kind, carrier, link, line)
    if kind == "spherical":
        found.notices += _unread_of_several(found, k)
        if not np.allclose(X.R, np.eye(3), rtol=0, atol=_EXACT):
            found.notices.append(_of_axes(name, carrier, link))
        return RobotJoint(name, kind, carrier, link, line, X, tuple(map(float, m.jnt_pos[k])))
    reference = float(m.qpos0[m.jnt_qposadr[k]])
    if reference:
        found.notices.append(
            say(
                'joint "{name}": its coordinate is counted from its reference {reference:g}.',
                name,
                reference,
            )
        )
    low, high = (float(x) for x in m.jnt_range[k])
    _spring(found, k, reference)
    return RobotJoint(
        name,
        kind,
        carrier,
        link,
        line,
        X,
        tuple(map(float, m.jnt_pos[k])),
        tuple(map(float, m.jnt_axis[k])),
        limits=(low - reference, high - reference) if m.jnt_limited[k] else None,
        effort=float(m.jnt_actfrcrange[k][1]) if m.jnt_actfrclimited[k] else None,
        armature=float(m.dof_armature[dof]),
        damping=float(m.dof_damping[dof]),
        friction=float(m.dof_frictionloss[dof]),
    )


def _of_axes(joint: str, carrier: str, link: str) -> str:
    return say(
        'joint "{joint}": its quaternion and its angular velocity are along axes that are those of '
        '"{carrier}" where it does not turn; MuJoCo takes those of "{link}".',
        joint,
        carrier,
        link,
    )


def _unread_of_several(found: Found, k: int) -> Iterator[str]:
    """What acts in a ball or on a free body, and is not read."""
    m, dof = found.model, found.model.jnt_dofadr[k]
    acting = {"stiffness": m.jnt_stiffness[k], "damping": m.dof_damping[dof],
              "frictionloss": m.dof_frictionloss[dof], "armature": m.dof_armature[dof]}  # fmt: skip
    listed = ", ".join(name for name, x in acting.items() if x)
    if listed:
        kind = KINDS[int(m.jnt_type[k])]
        name = found.joint_names[k]
        yield say('joint "{name}" ({kind}): not read: {listed}.', name, kind, listed)


def _spring(found: Found, k: int, reference: float) -> None:
    m, name = found.model, found.joint_names[k]
    stiffness = float(m.jnt_stiffness[k])
    if not stiffness:
        return
    rest = float(m.qpos_spring[m.jnt_qposadr[k]]) - reference
    pull = f"-{stiffness!r}*({found.coordinates[k]} - ({rest!r}))"
    found.section("forces")[f"{name}_spring"] = {"type": "joint", "joint": name, "value": pull}
