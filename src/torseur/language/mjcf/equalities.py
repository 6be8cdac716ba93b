"""Equality constraints of MuJoCo as joints that close loops, and as relations of coordinates."""

from __future__ import annotations

from typing import Any

from torseur.errors import ModelError
from torseur.language.robot.numbers import by_matrix
from torseur.language.robot.parts import WORLD, Placement, RobotJoint
from torseur.spatial import quaternion
from torseur.words.sentence import say

CONNECT, WELD, JOINT, TENDON = range(4)  # mjtEq
SITES, JOINT_WRAP = 6, 1  # mjtObj of sites, mjtWrap of joints


def read_equalities(found: Any) -> None:
    """Add the equalities of a compiled model to what was found of it."""
    m = found.model
    active = [k for k in range(m.neq) if m.eq_active0[k]]
    for k in active:
        name = m.equality(k).name or f"equality{k}"
        kind = int(m.eq_type[k])
        if kind in (CONNECT, WELD):
            joint = _closing(found, k, name)
            found.joints[name] = joint
        elif kind in (JOINT, TENDON):
            _held(found, k, name)
        else:
            problem = say("its kind, {kind}, is not read.", kind)
            place = f'{found.source}: equality "{name}"'
            raise ModelError(place, problem, "Read are connect, weld, joint and tendon.")
    if active:
        found.notices.append(say("Equality constraints, soft in MuJoCo, hold exactly."))


def _closing(found: Any, k: int, name: str) -> RobotJoint:
    m, data = found.model, found.model.eq_data[k]
    ends = [int(m.eq_obj1id[k]), int(m.eq_obj2id[k])]
    by_site = ends if m.eq_objtype[k] == SITES else []
    sites = [by_matrix(m.site_pos[i], quaternion.matrix(m.site_quat[i])) for i in by_site]
    bodies = [int(m.site_bodyid[i]) for i in ends] if sites else ends
    first, second = (found.body_names[i] if i else WORLD for i in bodies)
    line = found.lines.get(f"connect {name}", 0) or found.lines.get(f"weld {name}", 0)
    if int(m.eq_type[k]) == CONNECT:
        a, b = (
            tuple(float(x) for x in (sites[i].p if sites else data[3 * i : 3 * i + 3]))
            for i in (0, 1)
        )
        X = Placement(tuple(x - y for x, y in zip(a, b, strict=True)))
        return RobotJoint(name, "spherical", first, second, line, X, b, closing=True)
    X = by_matrix(data[3:6], quaternion.matrix(data[6:10]))
    if sites:
        R = sites[0].R @ sites[1].R.T
        X = by_matrix(sites[0].p - R @ sites[1].p, R)
    return RobotJoint(name, "fixed", first, second, line, X, closing=True)


def _polynomial(coefficients: Any, variable: str = "") -> str:
    """a0 + a1 x + … as text, without what is zero."""
    terms = [
        f"({float(c)!r})" + (f"*({variable})^{n}" if n > 1 else f"*({variable})" if n else "")
        for n, c in enumerate(coefficients)
        if c
    ]
    return " + ".join(terms) or "0"


def _held(found: Any, k: int, name: str) -> None:
    """first = polynomial(second), of coordinates or of lengths; a constant without a second."""
    m, joints = found.model, int(found.model.eq_type[k]) == JOINT
    ends = [int(i) for i in (m.eq_obj1id[k], m.eq_obj2id[k]) if i >= 0]
    first, *second = (found.coordinates[i] if joints else _length(found, i, name) for i in ends)
    law = _polynomial(m.eq_data[k][: 5 if second else 1], *second)
    found.section("constraints")[name] = {"type": "relation", "zero": f"{first} - ({law})"}


def _length(found: Any, tendon: int, name: str) -> str:
    """The length of a fixed tendon beyond that at the reference: a sum of coordinates."""
    m = found.model
    start = int(m.tendon_adr[tendon])
    terms = []
    for w in range(start, start + int(m.tendon_num[tendon])):
        if int(m.wrap_type[w]) != JOINT_WRAP:
            place = f'{found.source}: equality "{name}"'
            raise ModelError(
                place, say('the tendon "{name}" runs in space.', m.tendon(tendon).name),
                "Fixed tendons are read, which are sums of joints.",
            )  # fmt: skip
        terms.append(f"({float(m.wrap_prm[w])!r})*{found.coordinates[int(m.wrap_objid[w])]}")
    return "(" + " + ".join(terms) + ")"
