"""Which joint a set of motions is, and the one that a mechanism makes between two bodies.

A joint is the space of its twists (ω; v), named by its rotations: of k twists, r are independent
rotations and k − r pure translations. The rotations have a common point, or a common axis, when
v = c × ω for one c: that is what tells a ball joint from a general space of rank three.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import substitute
from torseur.analyse.at_a_state.pose import Posed, posed, seen_from
from torseur.errors import ModelError
from torseur.language.text.expression import Names, parse_expression
from torseur.language.text.place import Place
from torseur.model.called import called_body
from torseur.model.description import Mechanism
from torseur.model.joints.catalogue import joint_class
from torseur.result import Result
from torseur.simulation.start.assemble import Assembled
from torseur.spatial.in_words import direction, listed, point
from torseur.spatial.vectors import skew
from torseur.spatial.velocity_field import VelocityField
from torseur.words.catalogue import ENGLISH
from torseur.words.language import spoken
from torseur.words.sentence import Sentence, say, type_words

Array = np.ndarray
# Poses are assembled to about 1e-12 m, near singular ones to 1e-6; lengths are relative.
CLOSE = 1e-6
# Joints whose motions are the same at every pose, seen from the first body.
_INVARIANT = ("fixed", "revolute", "prismatic", "screw", "cylindrical", "spherical", "planar")


class BodyFreedom(Result):
    """A space of motions of one body: its dimension and, when it is one, the joint it is."""

    rank: int
    name: str  # of the standard joint, "" when it is none
    axis: Array | None = None  # of rotation or sliding, or normal of the plane; unit vector
    point: Array | None = None  # a point of the axis, the centre, the point of contact [m]
    pitch: float | None = None  # of a screw [m per turn]
    line: Array | None = None  # the direction of a line contact
    rotations: int = 0  # how many independent rotations
    basis: Array | None = None  # (6, rank): motions in ground axes at the origin of the ground

    @property
    def words(self) -> str:
        """The joint with its place, as one says it."""
        if not self.name:
            return _unnamed(self)
        kind, both = joint_class(self.name, "freedom"), spoken() == ENGLISH
        word = type_words(kind.words, "fr" if both else None)  # English gives the French name too
        plain = word.replace(" (", ", ").removesuffix(")")  # brackets do not nest
        return f"{self.name} ({plain}){_placed(self)}" if both else f"{plain}{_placed(self)}"


def freedom(motions: Array, centre: Array, size: float) -> BodyFreedom:
    """The space that motions (6, n) span, judged about `centre` with `size` as the unit length."""
    local = motions.copy()
    local[3:] += np.cross(local[:3], centre, axis=0)
    local[3:] /= size
    left, sizes, _ = np.linalg.svd(local)
    largest = sizes.max(initial=0.0)
    k = int((sizes > CLOSE * largest).sum()) if largest > CLOSE else 0
    named = _named(left[:, :k])
    basis = left[:, :k].copy()
    basis[3:] = basis[3:] * size - np.cross(basis[:3], centre, axis=0)
    return replace(
        named,
        point=None if named.point is None else centre + size * named.point,
        pitch=None if named.pitch is None else size * named.pitch,
        basis=basis,
    )


def _named(basis: Array) -> BodyFreedom:
    """The joint of an orthonormal basis of twists, about the origin with unit lengths."""
    k = basis.shape[1]
    left, sizes, right = np.linalg.svd(basis[:3])
    r = int((sizes > CLOSE).sum())
    turning = basis @ right[:r].T  # its angular parts are independent
    slides = (basis @ right[r:].T)[3:]  # (3, k − r)
    rule = _RULES.get((k, r))
    result = rule(left[:, :r], turning, slides) if rule is not None else None
    return replace(result or BodyFreedom(k, ""), rotations=r)


def _centre(w: Array, v: Array, projection: Array) -> Array | None:
    """c with seen (v − c × ω) = 0 for every motion, the nearest to the origin."""
    rows = np.concatenate([-(projection @ skew(w[:, i])) for i in range(w.shape[1])])
    target = np.concatenate([projection @ v[:, i] for i in range(w.shape[1])])
    c = np.linalg.lstsq(rows, target, rcond=CLOSE)[0]
    return c if np.abs(rows @ c - target).max(initial=0.0) < CLOSE * (1 + np.abs(c).max()) else None


def _normal(plane: Array) -> Array:
    """The direction normal to two columns."""
    return np.linalg.svd(plane)[0][:, 2]


def _parallel(a: Array, b: Array) -> bool:
    return bool(np.linalg.norm(np.cross(a, b)) < CLOSE * np.linalg.norm(a) * np.linalg.norm(b))


def _hinge(axes: Array, turning: Array, slides: Array) -> BodyFreedom:
    """A revolute, or a screw when the motion has a pitch."""
    w, v = turning[:3, 0], turning[3:, 0]
    square = w @ w
    axis, foot = w / np.sqrt(square), np.cross(w, v) / square
    pitch = w @ v / square
    if abs(pitch) < CLOSE:
        return BodyFreedom(1, "revolute", axis, foot)
    return BodyFreedom(1, "screw", axis, foot, 2 * np.pi * pitch)


def _cylinder(axes: Array, turning: Array, slides: Array) -> BodyFreedom | None:
    w, v = turning[:3, 0], turning[3:, 0]
    if not _parallel(w, slides[:, 0]):
        return None
    return BodyFreedom(2, "cylindrical", w / np.linalg.norm(w), np.cross(w, v) / (w @ w))


def _ball(axes: Array, turning: Array, slides: Array) -> BodyFreedom | None:
    """A ball, or a universal joint where one rotation is missing."""
    centre = _centre(turning[:3], turning[3:], np.eye(3))
    if centre is None:
        return None
    if axes.shape[1] == 2:
        return BodyFreedom(2, "universal", _normal(axes), centre)
    return BodyFreedom(3, "spherical", None, centre)


def _plane(axes: Array, turning: Array, slides: Array) -> BodyFreedom | None:
    n, w, v = _normal(slides), turning[:3, 0], turning[3:, 0]
    level = _parallel(w, n) and abs(n @ v) < CLOSE * np.linalg.norm(w)
    return BodyFreedom(3, "planar", n) if level else None


def _ring(axes: Array, turning: Array, slides: Array) -> BodyFreedom | None:
    d = slides[:, 0] / np.linalg.norm(slides)
    centre = _centre(turning[:3], turning[3:], np.eye(3) - np.outer(d, d))
    return None if centre is None else BodyFreedom(4, "annular contact", d, centre)


def _edge(axes: Array, turning: Array, slides: Array) -> BodyFreedom | None:
    """Sliding in a plane, turning about its normal and about a line of it."""
    n = _normal(slides)
    if np.linalg.norm(axes @ (axes.T @ n)) < 1 - CLOSE:
        return None
    line = np.cross(n, _normal(axes))
    about_n, about_line = (turning @ np.linalg.pinv(turning[:3]) @ e for e in (n, line))
    if abs(n @ about_n[3:]) > CLOSE:
        return None
    foot = (n @ about_line[3:]) * np.cross(line, n)
    return BodyFreedom(4, "line contact", n, foot, line=line)


def _touch(axes: Array, turning: Array, slides: Array) -> BodyFreedom | None:
    """Everything but the approach of two bodies at a point, along a normal."""
    n = _normal(slides)
    b = np.linalg.solve(turning[:3].T, turning[3:].T @ n)
    return BodyFreedom(5, "point contact", n, np.cross(b, n)) if abs(b @ n) < CLOSE else None


# by rank and number of rotations
_RULES: dict[tuple[int, int], Callable[[Array, Array, Array], BodyFreedom | None]] = {
    (0, 0): lambda *_: BodyFreedom(0, "fixed"),
    (1, 0): lambda _, __, slides: BodyFreedom(
        1, "prismatic", slides[:, 0] / np.linalg.norm(slides)
    ),
    (1, 1): _hinge,
    (2, 1): _cylinder,
    (2, 2): _ball,
    (3, 1): _plane,
    (3, 3): _ball,
    (4, 1): lambda axes, *_: BodyFreedom(4, "parallel axes", axes[:, 0]),
    (4, 2): _edge,
    (4, 3): _ring,
    (5, 3): _touch,
    (6, 3): lambda *_: BodyFreedom(6, "free"),
}


# --- words --------------------------------------------------------------------------------------


_PLACES = {
    "fixed": "",
    "free": "",
    "prismatic": " along {axis}",
    "parallel axes": " along {axis}",
    "planar": ", normal {axis}",
    "spherical": ", centre {at}",
    "universal": ", centre {at}, no rotation about {axis}",
    "point contact": ", normal {axis} on the line through {at}",
    "annular contact": ", centre {at} free along {axis}",
    "line contact": ", normal {axis}, line {line} through {at}",
}


def _placed(freedom: BodyFreedom) -> str:
    """Where the joint is."""
    at = "" if freedom.point is None else point(freedom.point)
    axis, line = ("" if x is None else direction(x) for x in (freedom.axis, freedom.line))
    pitch = "" if freedom.pitch is None else say(", pitch {pitch:.4g} m per turn", freedom.pitch)
    text = _PLACES.get(freedom.name, ", axis {axis} through {at}{pitch}")
    return Sentence(text, {"at": at, "axis": axis, "line": line, "pitch": pitch})


def _unnamed(freedom: BodyFreedom) -> str:
    slides = freedom.rank - freedom.rotations
    turning = (
        say("1 rotation") if freedom.rotations == 1 else say("{n} rotations", freedom.rotations)
    )
    sliding = say("1 translation") if slides == 1 else say("{n} translations", slides)
    parts = [text for text, n in ((turning, freedom.rotations), (sliding, slides)) if n]
    return say("no standard joint: {parts}", listed(parts))


# --- the joint that a whole mechanism makes (liaison équivalente) -------------------------------


@final
class EquivalentJoint(BodyFreedom):
    """Freedom of the second body relative to the first, at the assembled configuration."""

    first: str = ""
    second: str = ""
    lasting: bool = True  # whether nearby configurations give the same joint

    def __str__(self) -> str:
        pose = "" if self.lasting else say("; at this configuration only")
        return self.say(
            "{second} relative to {first}: {words}{here}.",
            second=called_body(self.second),
            first=called_body(self.first),
            here=pose,
        )


def equivalent_joint(mechanism: Mechanism | Assembled, first: str, second: str) -> EquivalentJoint:
    """The motions of `second` relative to `first` that all the joints together allow.

    They are the relative twists of the kernel of J, whether the joints between the two bodies are
    in series, in parallel or both. A mechanism may behave as a joint at one configuration only, as
    a coupler does that turns about its instantaneous centre: `lasting` says whether it goes on.
    """
    pose = posed(mechanism)
    freedom = _at(pose, first, second)
    near = pose.neighbours()
    lasting = all(_same(pose, there, freedom, first, second) for there in near)
    return EquivalentJoint(**vars(freedom), first=first, second=second, lasting=lasting)


def _at(pose: Posed, first: str, second: str) -> BodyFreedom:
    motions = pose.relative(first, second) @ pose.ranks.kernel
    return freedom(motions, pose.centre, pose.size)


def _same(pose: Posed, there: Posed, freedom: BodyFreedom, first: str, second: str) -> bool:
    """Whether another configuration gives the same joint, in the same place of the first body."""
    other = _at(there, first, second)
    if (other.rank, other.name) != (freedom.rank, freedom.name):
        return False
    if freedom.name not in _INVARIANT or freedom.basis is None or other.basis is None:
        return True
    length = np.array([1, 1, 1, pose.size, pose.size, pose.size])[:, np.newaxis]
    before, after = (
        np.linalg.qr(seen_from(where.pose_of(first), space) / length)[0]
        for where, space in ((pose, freedom.basis), (there, other.basis))
    )
    return bool(np.abs(after - before @ (before.T @ after)).max(initial=0.0) < 100 * CLOSE)


# --- rigidity of a velocity field written as text -------------------------------------------------


def rigidity(
    field: Sequence[str | Expr | float],
    *,
    coordinates: tuple[str, str, str] = ("x1", "x2", "x3"),
    **values: Any,
) -> VelocityField:
    """Test of a velocity field of three expressions for rigidity, with the conditions for it.

    Names other than the coordinates and the time `t` are parameters; `values` gives them numbers.
    The result has `.rigid`, `.conditions`, `.rotation`, `.strain_rate` and `.torseur(point)`.
    """
    if len(field) != 3:
        raise ModelError(
            "rigidity", say("three components are expected, but {number} are given.", len(field))
        )
    known = {name: symbol(name) for name in (*coordinates, TIME.name)}
    names = Names(known, open=True)
    components = [
        parse_expression(x, names, Place(f"component {k + 1} of the field"))
        if isinstance(x, str)
        else expression(x)
        for k, x in enumerate(field)
    ]
    given = {symbol(name): value for name, value in values.items()}
    v = substitute(np.array(components, dtype=object), given)
    x1, x2, x3 = (known[name] for name in coordinates)
    return VelocityField(v, (x1, x2, x3))
