"""The rows of a joint that its user defines: of the rates of its coordinates, and what it holds.

Its free motions S are known at given coordinates only, so that these are part of the state. With
S = Q [R; 0], Q a product of reflections (Householder), the rates of the coordinates are Pᵀ t for a
relative motion t, P = Q₁ R⁻ᵀ, and the joint holds T = Q₂: Tᵀ t = 0. Their second rates follow from
ṫ = S q̈ + Ṡ q̇: T itself need not have a rate. Scalars are numbers or expressions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.dynamics.absolute.elementary_rows import between, centripetal, parting
from torseur.model.joints.defined import Defined
from torseur.model.joints.protocol import turned
from torseur.spatial.triples import cross, dot, minus, plus
from torseur.words.sentence import say

Column = list[Any]  # scalars
Frame = tuple[Any, Any, Any]  # see `composed`
_WIDTH = 6  # of a motion or a wrench
_FORCES = 3  # the first component of a wrench that is a force


def defined_rows(kind: Defined, q: Any, first: Frame, second: Frame, length: Any = 1) -> list[Any]:
    """The rows of the rates of the coordinates, then those that the joint holds.

    The value of the first is how far the pose is from that of the coordinates q, along them; of the
    others, how far it is from one that the joint allows. Where turns and slides go together, a turn
    counts as what it moves at a `length` [m].
    """
    P, T = directions(kind.motion_subspace(q), kind.moving, length)
    t, rate = _relative_motion(first, second)
    v = [_product(p, t) for p in P]
    left = [x - y for x, y in zip(rate, kind.bias(q, np.array(v)), strict=True)]
    off = _distance(kind, q, first, second)
    return [_row(w, off, left, first, second) for w in (*P, *T)]


def _row(w: Column, off: Column, left: Column, first: Frame, second: Frame) -> Any:
    """The component of a motion on w, a couple and a force in the axes of M at its origin."""
    (i, p_i, _), (j, p_j, M) = first, second
    couple, n = _out(M, w[:3]), _out(M, w[3:])
    lever = plus(p_i, between(i, p_i, j, p_j))  # from the centre of the first body
    a_i, a_j = plus(couple, cross(lever, n)), plus(couple, cross(p_j, n))
    return _product(w, off), n, minus((0.0, 0.0, 0.0), a_i), a_j, _product(w, left)


def _relative_motion(first: Frame, second: Frame) -> tuple[Column, Column]:
    """t of M relative to F, in the axes of M, and its rate in those axes without accelerations."""
    (i, p_i, _), (j, p_j, M) = first, second
    lever, w = plus(p_i, between(i, p_i, j, p_j)), minus(j[2], i[2])
    v = parting(i, lever, j, p_j)
    turning = minus((0.0, 0.0, 0.0), cross(j[2], w))
    moving = minus(centripetal(j[2], p_j), centripetal(i[2], lever))
    moving = minus(moving, cross(plus(i[2], j[2]), v))
    return [*_into(M, w), *_into(M, v)], [*_into(M, turning), *_into(M, moving)]


def _distance(kind: Defined, q: Any, first: Frame, second: Frame) -> Column:
    """The motion, in the axes of M, that leads from the pose of the coordinates to the real one."""
    (i, p_i, F), (j, p_j, M) = first, second
    X, d = kind.transform(q), between(i, p_i, j, p_j)
    axes = _columns(X.R.matrix)
    R = np.array([[dot(a, _into(F, M[:, k])) for k in range(3)] for a in axes], dtype=object)
    p = minus(_into(F, d), X.p)
    return [*turned(R), *(dot(a, p) for a in axes)]


def _columns(R: Any) -> list[Any]:
    return [R[:, k] for k in range(3)]


def _into(axes: Any, a: Any) -> Any:
    """The components on given axes of a vector of the ground."""
    return tuple(dot(x, a) for x in _columns(axes))


def _out(axes: Any, a: Any) -> Any:
    """A vector of the ground from its components on given axes."""
    return tuple(dot(axes[k], a) for k in range(3))


def _product(a: Sequence[Any], b: Sequence[Any]) -> Any:
    return sum((x * y for x, y in zip(a, b, strict=True)), 0)


# --- the directions of the rows -----------------------------------------------------------------


def directions(S: Any, moving: Sequence[int], length: Any = 1) -> tuple[list[Column], list[Column]]:
    """The columns of P, with Pᵀ S = 1, and those of T, with Tᵀ S = 0.

    Only the components of motion that are `moving` are ever other than zero: T has first the
    wrenches of one component along each of the others. The others are of unit size; where they have
    forces and couples, a couple counts as the force at the `length`.
    """
    n, m = len(S[0]), len(moving)
    mixed = min(moving, default=0) < _FORCES <= max(moving, default=0)
    sizes = [length if mixed and i < _FORCES else 1 for i in moving]
    columns = [[size * S[i][k] for i, size in zip(moving, sizes, strict=True)] for k in range(n)]
    mirrors: list[tuple[Column, Any]] = []
    for k in range(n):
        x = columns[k][k:]
        length = np.sqrt(_product(x, x))
        away = _side(x[0]) * length
        mirror = [x[0] + away, *x[1:]], 1 / (length * length + away * x[0])
        mirrors.append(mirror)
        for j in range(k + 1, n):
            columns[j][k:] = _reflected(mirror, columns[j][k:])
        columns[k][k] = -away
    Q = [_turned_back(mirrors, [float(i == k) for i in range(m)]) for k in range(m)]
    P: list[Column] = [[] for _ in range(n)]
    for k in reversed(range(n)):
        left = Q[k]
        for j in range(k + 1, n):
            left = [x - columns[j][k] * y for x, y in zip(left, P[j], strict=True)]
        P[k] = [x / columns[k][k] for x in left]
    scaled = ([x * y for x, y in zip(sizes, one, strict=True)] for one in (*P, *Q[n:]))
    whole = [_six_components(column, moving) for column in scaled]
    return whole[:n], [*_units(moving), *whole[n:]]


def _side(x: Any) -> Any:
    """1 for x ≥ 0, else −1."""
    if isinstance(x, Expr):
        return (x.sign() + 0.5).sign()
    return -1.0 if x < 0 else 1.0


def _reflected(mirror: tuple[Column, Any], x: Column) -> Column:
    """x − β (u·x) u."""
    u, beta = mirror
    size = beta * _product(u, x)
    return [a - size * b for a, b in zip(x, u, strict=True)]


def _turned_back(mirrors: list[tuple[Column, Any]], x: Column) -> Column:
    for k, mirror in reversed(list(enumerate(mirrors))):
        x = [*x[:k], *_reflected(mirror, x[k:])]
    return x


def _six_components(column: Column, moving: Sequence[int]) -> Column:
    """All six components from those that move."""
    known = dict(zip(moving, column, strict=True))
    return [known.get(i, 0.0) for i in range(_WIDTH)]


def _units(moving: Sequence[int]) -> Iterator[Column]:
    for k in range(_WIDTH):
        if k not in moving:
            yield [float(i == k) for i in range(_WIDTH)]


# --- what the multipliers are -------------------------------------------------------------------


def defined_meanings(kind: Defined) -> tuple[str, ...]:
    """Meaning of the multiplier of each row, in words; components are on the axes of M.

    Where they are couples and forces, a couple counts as the force at the length of the mechanism.
    """
    count, moving = len(kind.moving) - kind.nv, ", ".join(map(_component, kind.moving))
    alone = (
        say("{effort} of M, at its origin", _component(k))
        for k in range(_WIDTH)
        if k not in kind.moving
    )
    shared = (
        say(
            "part {k} of {count} of what ({moving}) of M has along motions that the joint forbids",
            k + 1,
            count,
            moving,
        )
        for k in range(count)
    )
    return (*alone, *shared)


def _component(k: int) -> str:
    """One of the six: couples first."""
    axis = "xyz"[k % 3]
    return say("couple about {axis}", axis) if k < 3 else say("force along {axis}", axis)
