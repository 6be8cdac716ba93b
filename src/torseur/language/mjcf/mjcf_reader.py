"""From MJCF to links and joints: MuJoCo compiles the file, the compiled model is read.

Compiling resolves defaults, includes, geometries and inertias as MuJoCo means them. Its soft
equality constraints become true joints and relations.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.errors import ModelError
from torseur.language.mjcf.mjcf_contents import switch_off, unread
from torseur.language.mjcf.mjcf_touching import (
    ELLIPSOID,
    HFIELD,
    MESH,
    PLANE,
    TouchingGeometries,
    plain_solid,
)
from torseur.language.robot.placement import (
    Placement,
    by_matrix,
    by_quaternion,
    free_start,
    turned_inertia,
)
from torseur.language.robot.robot_names import Symbols
from torseur.language.robot.robot_parts import (
    WORLD,
    Robot,
    RobotJoint,
    RobotLink,
    RobotMesh,
    Visual,
)
from torseur.language.robot.xml_tree import XmlElement
from torseur.model.checks.limits import MOST_BODIES
from torseur.model.description import GROUND
from torseur.model.left_out import not_read
from torseur.packages import package
from torseur.spatial import quaternion
from torseur.words.sentence import say

KINDS = ("free", "spherical", "prismatic", "revolute")  # mjtJoint
CONNECT, WELD, JOINT, TENDON = range(4)  # mjtEq
SITES, JOINT_WRAP = 6, 1  # mjtObj of sites, mjtWrap of joints
NOT_DRAWN = {
    PLANE: say("planes"),
    HFIELD: say("height fields"),
    ELLIPSOID: say("ellipsoids"),
    MESH: say("surfaces in no file of their own"),
}
SHOWN_GROUPS = 3  # MuJoCo shows the groups 0, 1 and 2; the others mostly are hulls that touch
_EXACT = 1e-12  # of a rotation that is none
# Values of a joint that act, by their arrays: by joint, or by degree of freedom.
_ACTING = {
    "stiffness": "jnt_stiffness",
    "damping": "dof_damping",
    "frictionloss": "dof_frictionloss",
    "armature": "dof_armature",
}


def mjcf_robot(root: XmlElement, path: Path, collisions: bool = False) -> Robot:
    """The robot of a file of MuJoCo."""
    _check_copies(root)
    spec, model = _compile(path)
    shapes = _Shapes(model, spec)
    disabled = switch_off(model)
    reader = _ModelReader(model, str(path), _lines(root))
    for body in range(1, model.nbody):
        reader.read_body(body, shapes)
    reader.read_equalities()
    touching = TouchingGeometries(model, reader.bodies)
    touching.add_to(reader.links, reader.joints)
    unread_parts = not_read(*unread(spec, model, touching.unread if collisions else None))
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


def _check_copies(root: XmlElement) -> None:
    """Refuse more copies than a mechanism has bodies, before they are made."""
    pending = [(root, 1.0)]
    while pending:
        element, copies = pending.pop()
        for count in element.get("count").split():  # of replicate, composite, flexcomp
            copies *= max(1.0, float(count)) if count.isdecimal() else 1.0
        if copies > MOST_BODIES:
            problem = say("<{tag}> makes {copies:g} copies.", element.tag, copies)
            raise element.fault(problem, say("At most {most} are read.", MOST_BODIES))
        pending += [(child, copies) for child in element.children]


def _compile(path: Path) -> tuple[Any, Any]:
    """The contents of the file, and the model that MuJoCo makes of them."""
    need = say("MJCF is compiled by MuJoCo, which is not installed.")
    mujoco = package("mujoco", "robots", str(path), need)
    try:
        spec = mujoco.MjSpec.from_file(str(path))
        return spec, spec.compile()
    except ValueError as error:
        reason = " ".join(str(error).split())[:300]
        raise ModelError(str(path), say("MuJoCo cannot compile it: {shown}", reason)) from None


def _lines(root: XmlElement) -> dict[str, int]:
    """The line of every element that has a name, by its tag and name."""
    lines, pending = {}, [root]
    while pending:
        element = pending.pop()
        if element.get("name"):
            lines[f"{element.tag} {element.get('name')}"] = element.line
        pending += element.children
    return lines


def _floats(values: Any) -> tuple[float, ...]:
    return tuple(float(x) for x in values)


@final
class _ModelReader:
    """Links and joints of a compiled model, and further sections of the YAML form."""

    def __init__(self, model: Any, source: str, lines: dict[str, int]) -> None:
        self.model, self.source, self.lines = model, source, lines
        self.bodies = self._names("body", model.nbody, model.body)
        self.bodies[0] = WORLD
        self.joint_names = self._names("joint", model.njnt, model.jnt)
        symbols = Symbols()
        self.coordinates = {  # of slides and hinges, by joint
            k: symbols.legal(name)
            for k, name in enumerate(self.joint_names)
            if KINDS[int(model.jnt_type[k])] in ("prismatic", "revolute")
        }
        self.links = {WORLD: RobotLink(WORLD)}
        self.joints: dict[str, RobotJoint] = {}
        self.sections: dict[str, dict[str, Any]] = {}
        self.notices: list[str] = []

    def _names(self, kind: str, count: int, part: Any) -> list[str]:
        """The names of bodies or joints; those that have none are numbered."""
        names = (part(k).name or f"{kind}{k}" for k in range(count))
        return [f"{name}_link" if name == GROUND else name for name in names]

    def _section(self, name: str) -> dict[str, Any]:
        return self.sections.setdefault(name, {})

    def read_body(self, body: int, shapes: _Shapes) -> None:
        """Add a body, with a massless link before each of its joints but the last."""
        m, name = self.model, self.bodies[body]
        carrier, line = self.bodies[m.body_parentid[body]], self.lines.get(f"body {name}", 0)
        X = by_quaternion(m.body_pos[body], m.body_quat[body])
        first, count = m.body_jntadr[body], m.body_jntnum[body]
        if not count:
            weld = f"{name}_weld"
            self.joints[weld] = RobotJoint(weld, "fixed", carrier, name, line, X)
        for k in range(first, first + count):
            last = k == first + count - 1
            link = name if last else f"{name}_{k - first + 1}"
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

    def _joint(self, k: int, carrier: str, link: str, X: Placement) -> RobotJoint:
        m, name, kind = self.model, self.joint_names[k], KINDS[int(self.model.jnt_type[k])]
        dof = m.jnt_dofadr[k]
        at = {"stiffness": k}  # the other values are those of degrees of freedom
        acting = {key: float(getattr(m, x)[at.get(key, dof)]) for key, x in _ACTING.items()}
        joint = RobotJoint(name, kind, carrier, link, self.lines.get(f"joint {name}", 0))
        point = _floats(m.jnt_pos[k])
        if k not in self.coordinates:
            self.notices += self._notices_of_several(joint, acting, X)
            if kind == "spherical":
                return replace(joint, placement=X, point=point)
            self._section("initial").update(free_start(name, X))  # it starts where the file has it
            return joint
        reference = float(m.qpos0[m.jnt_qposadr[k]])
        if reference:
            self.notices.append(
                say(
                    'joint "{name}": its coordinate is counted from its reference {reference:g}.',
                    name,
                    reference,
                )
            )
        low, high = _floats(m.jnt_range[k])
        if acting["stiffness"]:
            rest = float(m.qpos_spring[m.jnt_qposadr[k]]) - reference
            pull = f"-{acting['stiffness']!r}*({self.coordinates[k]} - ({rest!r}))"
            spring = {"type": "joint", "joint": name, "value": pull}
            self._section("forces")[f"{name}_spring"] = spring
        return replace(
            joint,
            placement=X,
            point=point,
            axis=_floats(m.jnt_axis[k]),
            limits=(low - reference, high - reference) if m.jnt_limited[k] else None,
            effort=float(m.jnt_actfrcrange[k][1]) if m.jnt_actfrclimited[k] else None,
            armature=acting["armature"],
            damping=acting["damping"],
            friction=acting["frictionloss"],
        )

    def _notices_of_several(
        self, joint: RobotJoint, acting: dict[str, float], X: Placement
    ) -> Iterator[str]:
        """Values of a ball or of a free joint that are not read, and the axes of a ball."""
        name, kind = joint.name, joint.kind
        if listed := ", ".join(key for key, x in acting.items() if x):
            yield say('joint "{name}" ({kind}): not read: {listed}.', name, kind, listed)
        if kind == "spherical" and not np.allclose(X.R, np.eye(3), rtol=0, atol=_EXACT):
            yield say(
                'joint "{joint}": its quaternion and angular velocity refer to axes parallel to '
                'those of "{carrier}" at zero; MuJoCo uses the axes of "{link}".',
                name,
                joint.parent,
                joint.child,
            )

    # --- equality constraints: joints that close loops, relations of coordinates ------------------

    def read_equalities(self) -> None:
        """Add the active equalities."""
        m = self.model
        active = [k for k in range(m.neq) if m.eq_active0[k]]
        for k in active:
            name, kind = m.equality(k).name or f"equality{k}", int(m.eq_type[k])
            if kind in (CONNECT, WELD):
                self.joints[name] = self._closing(k, name)
            elif kind in (JOINT, TENDON):
                self._relation(k, name)
            else:
                raise self._equality_error(
                    name,
                    say("its kind, {kind}, is not read.", kind),
                    "Read are connect, weld, joint and tendon.",
                )
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
        if int(m.eq_type[k]) == CONNECT:
            a, b = (_floats(sites[i].p if sites else data[3 * i : 3 * i + 3]) for i in (0, 1))
            X = Placement(tuple(x - y for x, y in zip(a, b, strict=True)))
            return RobotJoint(name, "spherical", first, second, line, X, b, closing=True)
        X = by_quaternion(data[3:6], data[6:10])
        if sites:
            R = sites[0].R @ sites[1].R.T
            X = by_matrix(sites[0].p - R @ sites[1].p, R)
        return RobotJoint(name, "fixed", first, second, line, X, closing=True)

    def _relation(self, k: int, name: str) -> None:
        """first = polynomial(second), of coordinates or of lengths; a constant without a second."""
        m, joints = self.model, int(self.model.eq_type[k]) == JOINT
        ends = [int(i) for i in (m.eq_obj1id[k], m.eq_obj2id[k]) if i >= 0]
        first, *second = (self.coordinates[i] if joints else self._length(i, name) for i in ends)
        law = _polynomial(m.eq_data[k][: 5 if second else 1], *second)
        self._section("constraints")[name] = {"type": "relation", "zero": f"{first} - ({law})"}

    def _length(self, tendon: int, name: str) -> str:
        """The length of a fixed tendon beyond that at the reference: a sum of coordinates."""
        m, terms = self.model, []
        start = int(m.tendon_adr[tendon])
        for w in range(start, start + int(m.tendon_num[tendon])):
            if int(m.wrap_type[w]) != JOINT_WRAP:
                problem = say('the tendon "{name}" is spatial.', m.tendon(tendon).name)
                advice = "Fixed tendons are read, which are sums of joints."
                raise self._equality_error(name, problem, advice)
            terms.append(f"({float(m.wrap_prm[w])!r})*{self.coordinates[int(m.wrap_objid[w])]}")
        return "(" + " + ".join(terms) + ")"


def _polynomial(coefficients: Any, variable: str = "") -> str:
    """a0 + a1 x + … as text, without terms that are zero."""
    terms = [
        f"({float(c)!r})" + (f"*({variable})^{n}" if n > 1 else f"*({variable})" if n else "")
        for n, c in enumerate(coefficients)
        if c
    ]
    return " + ".join(terms) or "0"


# --- geometries ---------------------------------------------------------------------------------


@final
class _Shapes:
    """The geometries that MuJoCo shows, by the number of their body, and those not drawn."""

    def __init__(self, model: Any, spec: Any) -> None:
        self.model = model
        self.files = {mesh.name: mesh for mesh in spec.meshes}
        self.visuals: dict[int, list[Visual]] = defaultdict(list)
        self.meshes: dict[int, list[RobotMesh]] = defaultdict(list)
        self.left_out: Counter[str] = Counter()
        for k in range(model.ngeom):
            self._add(k)

    @property
    def notices(self) -> Iterator[str]:
        """The geometries that are not drawn."""
        if self.left_out:
            listed = ", ".join(f"{what} ({n})" for what, n in self.left_out.items())
            yield say("Geometries that are not drawn: {listed}.", listed)
        if self.model.nmat or self.model.ntex:
            yield say("Colours, materials and textures are not read.")

    def _add(self, k: int) -> None:
        m = self.model
        body, kind = int(m.geom_bodyid[k]), int(m.geom_type[k])
        X = by_quaternion(m.geom_pos[k], m.geom_quat[k])
        shape = plain_solid(kind, _floats(m.geom_size[k]))
        if not body:
            self.left_out[say("of the world")] += 1
        elif int(m.geom_group[k]) >= SHOWN_GROUPS:
            self.left_out[say("of hidden groups")] += 1
        elif shape is not None:
            self.visuals[body].append(Visual(shape, X))
        elif kind == MESH and (mesh := self._mesh(k, X)) is not None:
            self.meshes[body].append(mesh)
        else:
            self.left_out[NOT_DRAWN.get(kind, say("other shapes"))] += 1

    def _mesh(self, k: int, X_BG: Placement) -> RobotMesh | None:
        """The file of a surface and its frame in the body; None where it is in no file.

        MuJoCo moves the points of a file by refpos, turns them by refquat, scales them, and then
        takes the centre and the principal axes of the surface as the frame of the geometry.
        """
        m = self.model
        data = int(m.geom_dataid[k])
        start = int(m.mesh_pathadr[data])
        path = "" if start < 0 else m.paths[start:].split(b"\0")[0].decode()
        mesh = self.files.get(m.mesh(data).name)
        if not path or mesh is None:
            return None
        S, p = np.asarray(mesh.scale, dtype=float), np.asarray(mesh.refpos, dtype=float)
        R = quaternion.matrix(np.asarray(mesh.refquat, dtype=float) / np.linalg.norm(mesh.refquat))
        if not np.allclose(R * S, (R.T * S).T, atol=1e-9):  # turned, then stretched unevenly
            return None
        p_MF, R_MF = -S * (R.T @ p), R.T  # the file in the mesh as MuJoCo scaled it
        R_BM = X_BG.R @ quaternion.matrix(m.mesh_quat[data]).T
        p_BM = X_BG.p - R_BM @ m.mesh_pos[data]
        placement = by_matrix(p_BM + R_BM @ p_MF, R_BM @ R_MF)
        return RobotMesh(str(Path(path).absolute()), placement, _floats(S))
