"""Passive forces of a compiled model of MuJoCo, as forces of the YAML form.

Springs pull by −(k₀ + k₁ x + k₂ x²) x and dampers by −(c₀ + c₁ |v| + c₂ v²) v; RobotJoint has the
first terms of joints with one coordinate.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from torseur.language.robot.robot_parts import WORLD, RobotJoint
from torseur.language.yaml.coordinate_entries import identifier

_TURNED = (  # R(w, x, y, z) of a unit quaternion, row by row
    ("1 - 2*({y}^2 + {z}^2)", "2*({x}*{y} - {w}*{z})", "2*({x}*{z} + {w}*{y})"),
    ("2*({x}*{y} + {w}*{z})", "1 - 2*({x}^2 + {z}^2)", "2*({y}*{z} - {w}*{x})"),
    ("2*({x}*{z} - {w}*{y})", "2*({y}*{z} + {w}*{x})", "1 - 2*({x}^2 + {y}^2)"),
)
Texts = Sequence[str]
Factors = Mapping[str, tuple[str, float]]  # coordinate and factor, by joint
Forces = Iterator[tuple[str, dict[str, Any]]]  # names, and entries of the section `forces`


def coefficients(model: Any, field: str, k: int) -> tuple[float, ...]:
    """The coefficients of a spring or a damper; older versions have the first one only."""
    higher = getattr(model, f"{field}poly", None)
    return float(getattr(model, field)[k]), *([] if higher is None else map(float, higher[k]))


def polynomial(terms: Sequence[Any], variable: str = "") -> str:
    """a₀ + a₁ x + … as text, without terms that are zero."""
    texts = [
        f"({float(c)!r})" + (f"*({variable})^{n}" if n > 1 else f"*({variable})" if n else "")
        for n, c in enumerate(terms)
        if c
    ]
    return " + ".join(texts) or "0"


def damping_law(terms: Sequence[float], rate: str) -> str:
    """(c₀ + c₁ |v| + c₂ v²) v as text."""
    return f"({polynomial(terms, f'abs({rate})')})*({rate})"


def higher_terms(joint: RobotJoint, spring: Sequence[float], damper: Sequence[float]) -> Forces:
    """Terms of second and third order of a spring and a damper along one coordinate."""
    position = "distance" if joint.kind == "prismatic" else "angle"
    longer = f"{position} - ({joint.rest!r})"
    laws = {
        "spring": f"-({polynomial((0, *spring[1:]), longer)})*({longer})",
        "damper": f"-{damping_law((0, *damper[1:]), 'rate')}",
    }
    for (what, law), terms in zip(laws.items(), (spring, damper), strict=True):
        if any(terms[1:]):
            entry = {"type": "law", "joint": joint.name, "value": law}
            yield f"nonlinear {what} of {joint.name}", entry


def free_damping(joint: RobotJoint, damping: float) -> Forces:
    """The damper of a free joint: −c v and −c ω."""
    tensor = [damping] * 3
    entry = {"type": "resistance", "body": joint.child, "force": tensor, "couple": tensor}
    yield f"damper of {joint.name}", entry


def ball_spring(joint: RobotJoint, stiffness: float) -> Forces:
    """The spring of a ball: −k θ u, θ ≤ π the angle of its rotation and u the axis.

    The axis is that of the vector part of the quaternion, in both bodies at zero.
    """
    name = identifier(joint.name)
    w, *vector = (f"{name}_{axis}" for axis in "wxyz")
    size = f"sqrt({' + '.join(f'{x}^2' for x in vector)})"
    angle = f"if({w}, atan2({size}, {w}), -atan2({size}, -{w}))"
    factor = f"if({size} - 1e-12, 2*({angle})/({size}), 2)"  # θ / sin(θ/2)
    along = [f"({factor})*{x}" for x in vector]
    yield from _couples(f"spring of {joint.name}", joint, stiffness, along, along)


def ball_damper(joint: RobotJoint, damping: float) -> Forces:
    """The damper of a ball: −c ω, with the rotation matrix for ω in the axes of the carrier."""
    name = identifier(joint.name)
    w = [f"{name}_w{axis}" for axis in "xyz"]
    q = {axis: f"{name}_{axis}" for axis in "wxyz"}
    turned = (zip(row, w, strict=True) for row in _TURNED)
    rates = [" + ".join(f"({x.format(**q)})*{y}" for x, y in row) for row in turned]
    yield from _couples(f"damper of {joint.name}", joint, damping, w, rates)


def _couples(name: str, joint: RobotJoint, size: float, second: Texts, first: Texts) -> Forces:
    """A couple −size × a vector on the body of a ball, and the opposite on the one that carries it.

    The vector is given in the axes of the joint on each body; those on the first are its own, those
    on the second are parallel to them at zero.
    """
    columns = [[f"({float(x)!r})" for x in column] for column in joint.placement.R.T]
    on_second = [
        " + ".join(f"{x}*({y})" for x, y in zip(row, second, strict=True)) for row in columns
    ]
    for body, vector, sign in ((joint.child, on_second, "-"), (joint.parent, first, "")):
        if body != WORLD:
            couple = [f"{sign}({size!r})*({x})" for x in vector]
            entry = {"type": "wrench", "body": body, "couple": couple, "frame": "body"}
            yield f"{name} on {body}", entry


def gravity_compensation(model: Any, body: int, name: str) -> Forces:
    """The force −c m g at the centre of mass of a body."""
    factor = float(model.body_gravcomp[body]) * float(model.body_mass[body])
    force = [-factor * float(x) for x in model.opt.gravity]
    if any(force):
        centre = [float(x) for x in model.body_ipos[body]]
        entry = {"type": "wrench", "body": name, "point": centre, "force": force}
        yield f"gravity compensation of {name}", entry
