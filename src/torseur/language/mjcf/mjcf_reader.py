"""From MJCF to links and joints: MuJoCo compiles the file, the compiled model is read.

Compiling resolves defaults, includes, geometries and inertias as MuJoCo means them. Its soft
equality constraints become true joints and relations.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.brief import shortened
from torseur.errors import ModelError
from torseur.language.mjcf.mjcf_actuators import MjcfActuators, mjcf_actuators
from torseur.language.mjcf.mjcf_compiling import check_copies, check_rigid, compiled
from torseur.language.mjcf.mjcf_fluid import fluid_forces
from torseur.language.mjcf.mjcf_forces import (
    Forces,
    ball_damper,
    ball_spring,
    coefficients,
    free_damping,
    gravity_compensation,
    higher_terms,
    polynomial,
)
from torseur.language.mjcf.mjcf_keyframe import keyframe_names, keyframe_number, read_keyframe
from torseur.language.mjcf.mjcf_mocap import MocapLaws, check_mocap, mocap_motion
from torseur.language.mjcf.mjcf_sensors import mjcf_sensors
from torseur.language.mjcf.mjcf_shapes import MjcfShapes
from torseur.language.mjcf.mjcf_table import KINDS, switch_off, unread
from torseur.language.mjcf.mjcf_tendons import (
    JOINT_TARGET,
    actuator_sums,
    read_tendons,
    tendon_forces,
)
from torseur.language.mjcf.mjcf_touching import TouchingGeometries
from torseur.language.robot.placement import (
    Placement,
    by_matrix,
    by_quaternion,
    free_start,
    turned_inertia,
)
from torseur.language.robot.robot_parts import WORLD, Robot, RobotJoint, RobotLink, Symbols
from torseur.language.robot.xml_tree import XmlElement
from torseur.model.description import GROUND
from torseur.notices import not_read
from torseur.words.sentence import say

CONNECT, WELD, JOINT, TENDON = range(4)  # mjtEq
SITES = 6  # mjtObj
_EXACT = 1e-12  # of a rotation that is none


def mjcf_robot(
    root: XmlElement,
    path: Path,
    collisions: bool = False,
    keyframe: str | None = None,
    actuators: bool = True,
    mocap: MocapLaws | None = None,
) -> Robot:
    """The robot of a file of MuJoCo; it starts at a keyframe, or at the reference of the file."""
    check_copies(root)
    spec, model = compiled(path)
    check_rigid(model, str(path))
    shapes = MjcfShapes(model, spec)
    disabled = switch_off(model)
    reader = _ModelReader(model, str(path), _lines(root), mocap or {})
    for body in range(1, model.nbody):
        reader.read_body(body, shapes)
    reader.read_tendons()
    reader.read_equalities()
    reader.read_actuators(keyframe, actuators)
    reader.read_sensors()
    touching = TouchingGeometries(model, reader.bodies)
    touching.add_to(reader.links, reader.joints)
    of_contacts = touching.unread if collisions else None
    unread_parts = not_read(unread(root, spec, model, of_contacts) + reader.unread)
    return Robot(
        root.get("model") or path.stem,
        reader.links,
        reader.joints,
        _floats(model.opt.gravity),
        reader.sections,
        (*reader.notices, *disabled, *unread_parts, *shapes.notices),
        str(path),
        never_collide=touching.excluded,
    )


def _lines(root: XmlElement) -> dict[str, int]:
    """The line of every element that has a name, by its tag and name."""
    lines, pending = {}, [root]
    while pending:
        element = pending.pop()
        if element.get("name"):
            lines[f"{element.tag} {element.get('name')}"] = element.line
        pending += element.children
    return lines


def _free_name(name: str, others: Collection[str]) -> str:
    """The name, with underscores where another part has it."""
    while name in others:
        name += "_"
    return name


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in values)


@final
class _ModelReader:
    """Links and joints of a compiled model, and further sections of the YAML form."""

    def __init__(self, model: Any, source: str, lines: dict[str, int], mocap: MocapLaws) -> None:
        self.model, self.source, self.lines = model, source, lines
        self.bodies = self._names("body", model.nbody, model.body)
        self.bodies[0] = WORLD
        self.joint_names = self._names("joint", model.njnt, model.jnt)
        kinds = (KINDS[int(kind)] for kind in model.jnt_type)
        self.symbols = Symbols()
        names = self.symbols.coordinates(dict(zip(self.joint_names, kinds, strict=True)))
        self.coordinates = {  # of slides and hinges, by joint
            k: names[name] for k, name in enumerate(self.joint_names) if name in names
        }
        self.tendons = read_tendons(model, self.bodies, self.joint_names, self.coordinates)
        self.links = {WORLD: RobotLink(WORLD)}
        self.joints: dict[str, RobotJoint] = {}
        self.sections: dict[str, dict[str, Any]] = {}
        self.notices: list[str] = []
        self.mocap = mocap
        named = [x for k, x in enumerate(self.bodies) if model.body_mocapid[k] >= 0]
        check_mocap(mocap, named, source)
        self.unread: Counter[str] = Counter()

    def _names(self, kind: str, count: int, part: Any) -> list[str]:
        """The names of bodies or joints; those that have none are numbered."""
        names = (part(k).name or f"{kind}{k}" for k in range(count))
        return [f"{name}_link" if name == GROUND else name for name in names]

    def _section(self, name: str) -> dict[str, Any]:
        return self.sections.setdefault(name, {})

    def read_body(self, body: int, shapes: MjcfShapes) -> None:
        """Add a body, with a massless link before each of its joints but the last."""
        m, name = self.model, self.bodies[body]
        carrier, line = self.bodies[m.body_parentid[body]], self.lines.get(f"body {name}", 0)
        X = by_quaternion(m.body_pos[body], m.body_quat[body])
        first, count = m.body_jntadr[body], m.body_jntnum[body]
        if not count:
            kind, rest = ("free", Placement()) if name in self.mocap else ("fixed", X)
            weld = _free_name(f"{name}_weld", {*self.joint_names, *self.joints})
            self.joints[weld] = RobotJoint(weld, kind, carrier, name, line, rest)
        for k in range(first, first + count):
            last = k == first + count - 1
            link = name if last else _free_name(f"{name}_{k - first + 1}", self.bodies)
            if not last:
                self.links[link] = RobotLink(link, line)
            joint = self._joint(k, carrier, link, X)
            self.joints[joint.name] = joint
            carrier, X = link, Placement()
        moments = (*_floats(m.body_inertia[body]), 0.0, 0.0, 0.0)
        R = by_quaternion(m.body_ipos[body], m.body_iquat[body]).R
        self.links[name] = RobotLink(
            name,
            line,
            float(m.body_mass[body]),
            _floats(m.body_ipos[body]),
            turned_inertia(moments, R),
            tuple(shapes.meshes.get(body, ())),
            tuple(shapes.visuals.get(body, ())),
        )
        self._add_forces(gravity_compensation(m, body, name))
        self._add_forces(fluid_forces(m, body, name))
        if name in self.mocap:
            self._section("motions")[name] = mocap_motion(name, self.mocap[name], X)
        elif m.body_mocapid[body] >= 0:
            still = say('The mocap body "{name}" stays at its pose; mocap= moves it.', name)
            self.notices.append(still)

    def _joint(self, k: int, carrier: str, link: str, X: Placement) -> RobotJoint:
        m, name, kind = self.model, self.joint_names[k], KINDS[int(self.model.jnt_type[k])]
        joint = RobotJoint(
            name,
            kind,
            carrier,
            link,
            self.lines.get(f"joint {name}", 0),
            placement=X,
            point=_floats(m.jnt_pos[k]),
        )
        if k not in self.coordinates:
            return self._with_several_speeds(joint, k)
        dof, reference = m.jnt_dofadr[k], float(m.qpos0[m.jnt_qposadr[k]])
        if reference:
            self.notices.append(
                say(
                    'joint "{name}": its coordinate is counted from its reference {reference:g}.',
                    name,
                    reference,
                )
            )
        low, high = _floats(m.jnt_range[k])
        weakest, strongest = _floats(m.jnt_actfrcrange[k])
        bounded = bool(m.jnt_actfrclimited[k])
        self.unread["<joint actuatorfrcrange>"] += bounded and weakest != -strongest
        spring, damper = coefficients(m, "jnt_stiffness", k), coefficients(m, "dof_damping", dof)
        driven = actuator_sums(m, "actuator_damping", JOINT_TARGET, k, len(damper))
        damper = tuple(x + y for x, y in zip(damper, driven, strict=True))
        (rotors,) = actuator_sums(m, "actuator_armature", JOINT_TARGET, k, 1)
        self.unread["<joint actuatorgravcomp>"] += bounded and bool(
            getattr(m, "jnt_actgravcomp", [0] * m.njnt)[k]
        )
        joint = replace(
            joint,
            axis=_floats(m.jnt_axis[k]),
            limits=(low - reference, high - reference) if m.jnt_limited[k] else None,
            effort=strongest if bounded and weakest == -strongest else None,
            armature=float(m.dof_armature[dof]) + rotors,
            damping=damper[0],
            friction=float(m.dof_frictionloss[dof]),
            stiffness=spring[0],
            rest=float(m.qpos_spring[m.jnt_qposadr[k]]) - reference,
        )
        self._add_forces(higher_terms(joint, spring, damper))
        return joint

    def _with_several_speeds(self, joint: RobotJoint, k: int) -> RobotJoint:
        """A ball or a free joint; it starts where the file has it."""
        m, name, kind, X = self.model, joint.name, joint.kind, joint.placement
        dof, ball = m.jnt_dofadr[k], joint.kind == "spherical"
        damping, *more_damping = coefficients(m, "dof_damping", dof)
        stiffness, *more_stiffness = coefficients(m, "jnt_stiffness", k)
        values = {
            "stiffness": stiffness and not ball,
            "nonlinear stiffness": any(more_stiffness),
            "nonlinear damping": any(more_damping),
            "frictionloss": m.dof_frictionloss[dof],
            "armature": m.dof_armature[dof],
            "range": m.jnt_limited[k],
        }
        if listed := ", ".join(key for key, x in values.items() if x):
            self.notices.append(
                say('joint "{name}" ({kind}): not read: {listed}.', name, kind, listed)
            )
        if damping:
            self._add_forces((ball_damper if ball else free_damping)(joint, damping))
        if stiffness and ball:
            self._add_forces(ball_spring(joint, stiffness))
        if not ball:
            self._section("initial").update(free_start(name, X))
            return replace(joint, placement=Placement(), point=(0, 0, 0))
        if not np.allclose(X.R, np.eye(3), rtol=0, atol=_EXACT):
            self.notices.append(
                say(
                    'joint "{joint}": its quaternion and angular velocity refer to axes parallel '
                    'to those of "{carrier}" at zero; MuJoCo uses the axes of "{link}".',
                    name,
                    joint.parent,
                    joint.child,
                )
            )
        return joint

    def _add_forces(self, forces: Forces) -> None:
        self._section("forces").update(forces)

    # --- tendons and actuators ------------------------------------------------------------------

    def read_tendons(self) -> None:
        """Add the springs and dampers of tendons."""
        m, tendons = self.model, self.tendons
        self.unread[say("tendons inside an obstacle")] += len(tendons.inside)
        for k in range(m.ntendon):
            name = m.tendon(k).name or f"tendon{k}"
            self._add_forces(tendon_forces(m, k, name, tendons))

    def read_actuators(self, keyframe: str | None, acting: bool = True) -> None:
        """Add the actuators; their commands are parameters, their activations are states.

        A keyframe gives values of both, and where the motion starts. Unless they act, no
        actuator is added.
        """
        forces = self._section("forces")
        read = mjcf_actuators(
            self.model, self.coordinates, self.tendons, self.symbols.legal, set(forces)
        )
        if not acting:
            read = MjcfActuators()
        self.unread.update(say('actuator "{name}"', name) for name in read.unread)
        early = getattr(self.model, "actuator_actearly", np.zeros(0))
        self.unread["<actuator actearly>"] += sum(bool(early[k]) for k in read.activations)
        if keyframe is not None:
            self._start_at(keyframe, read)
        elif names := keyframe_names(self.model):
            listed = shortened(", ".join(names))
            self.notices.append(
                say("Motions start at the reference of the file; it has keyframes: {x}.", listed)
            )
        for section, parts in read.sections.items():
            if parts:
                self._section(section).update(parts)
        if read.commands:
            listed = shortened(", ".join(read.commands))
            words = say("Commands of actuators are parameters, 0 here: {x}.", listed)
            if keyframe is not None:
                words = say("Commands of actuators are parameters: {x}.", listed)
            self.notices.append(words)

    def read_sensors(self) -> None:
        """Add the sensors of inertial units and of joints."""
        entries, unread = mjcf_sensors(self.model, self.bodies, self.coordinates)
        self.unread.update(say('sensor "{name}"', name) for name in unread)
        if entries:
            self._section("sensors").update(entries)

    def _start_at(self, keyframe: str, read: MjcfActuators) -> None:
        """Start at a keyframe, with its commands and activations."""
        number = keyframe_number(self.model, keyframe, self.source)
        joints = [self.joints[name] for name in self.joint_names]
        key = read_keyframe(self.model, number, joints, self.coordinates, read)
        self._section("initial").update(key.initial)
        read.commands.update(key.commands)
        for name, value in key.activations.items():
            read.states[name]["initial"] = value

    # --- equality constraints: joints that close loops, relations of coordinates ------------------

    def read_equalities(self) -> None:
        """Add the active equalities."""
        m = self.model
        active = [k for k in range(m.neq) if m.eq_active0[k]]
        for k in active:
            name, kind = m.equality(k).name or f"equality{k}", int(m.eq_type[k])
            if kind in (CONNECT, WELD):
                closing = self._closing(k, _free_name(name, self.joints))
                self.joints[closing.name] = closing
            elif kind in (JOINT, TENDON):
                self._relation(k, name)
            else:
                from mujoco import mjtEq

                problem = say("its kind, {kind}, is not read.", mjtEq(kind).name[5:].lower())
                advice = "Read are connect, weld, joint and tendon."
                raise self._equality_error(name, problem, advice)
        if active:
            self.notices.append(say("Equality constraints, soft in MuJoCo, hold exactly."))

    def _equality_error(self, name: str, problem: str, advice: str) -> ModelError:
        return ModelError(f'{self.source}: equality "{name}"', problem, advice)

    def _closing(self, k: int, name: str) -> RobotJoint:
        """The joint of a pair of points or frames that are held together."""
        m, data = self.model, self.model.eq_data[k]
        ends = [int(m.eq_obj1id[k]), int(m.eq_obj2id[k])]
        by_site = ends if m.eq_objtype[k] == SITES else []
        sites = [by_quaternion(m.site_pos[i], m.site_quat[i]) for i in by_site]
        first, second = (self.bodies[m.site_bodyid[i] if sites else i] for i in ends)
        line = self.lines.get(f"connect {name}", 0) or self.lines.get(f"weld {name}", 0)
        connect = int(m.eq_type[k]) == CONNECT
        # a point in each body; data of a weld have that of the second body first
        a, b = (np.array(data[x : x + 3]) for x in ((0, 3) if connect else (3, 0)))
        R = by_quaternion(b, data[6:10]).R
        if sites:
            a, b, R = sites[0].p, sites[1].p, sites[0].R @ sites[1].R.T
        if connect or not data[10]:  # a weld that scales couples by zero holds a point
            point, X = _floats(b), Placement(_floats(a - b))
            return RobotJoint(name, "spherical", first, second, line, X, point, closing=True)
        X = by_matrix(a - R @ b, R)
        return RobotJoint(name, "fixed", first, second, line, X, closing=True)

    def _relation(self, k: int, name: str) -> None:
        """first = polynomial(second), of coordinates or of lengths; a constant without a second."""
        m, joints = self.model, int(self.model.eq_type[k]) == JOINT
        ends = [int(i) for i in (m.eq_obj1id[k], m.eq_obj2id[k]) if i >= 0]
        first, *second = (self.coordinates[i] if joints else self._length(i, name) for i in ends)
        law = polynomial(m.eq_data[k][: 5 if second else 1], *second)
        self._section("constraints")[name] = {"type": "relation", "zero": f"{first} - ({law})"}

    def _length(self, tendon: int, name: str) -> str:
        """The length of a fixed tendon beyond that at the reference: a sum of coordinates."""
        if tendon not in self.tendons.sums:
            problem = say('the tendon "{name}" is spatial.', self.model.tendon(tendon).name)
            advice = "Fixed tendons are read, which are sums of joints."
            raise self._equality_error(name, problem, advice)
        joints = self.tendons.sums[tendon].values()
        return "(" + " + ".join(f"({c!r})*{q}" for q, c in joints) + ")"
