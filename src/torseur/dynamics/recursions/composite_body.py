"""Mass matrix by composite bodies.

A column is the momentum that a unit speed of one joint gives to everything beyond it, carried down
to the ground. Reference: Featherstone (2008), table 6.2; rotors as in Llibre (2009) §3.2.2 with
erratum E0-20.
"""

from typing import Any

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.recursions.body_motion import NOTHING
from torseur.dynamics.recursions.body_rows import (
    address,
    bodies,
    carrier_of,
    column,
    gather,
    gather_symmetric,
    keep,
    keep_symmetric,
    out,
    place,
    rotation,
    rows,
    speeds,
    symmetric,
    turned_symmetric,
    vector,
)
from torseur.spatial.triples import Symmetric, Vector, applied, cross, dot, plus, times


def fill_mass_matrix(model: Any, work: Any, columns: Any, q: Any, M: Any, nv: int) -> None:
    """M ← the mass matrix, symmetric, by rows; it is zero before.

    Only the entries of two joints on one branch are computed; the others are zero.
    """
    # outward: where each body is, and its own inertia
    for i in range(1, bodies(model) + 1):
        body, current, _ = rows(model, work, i, at.COMPOSITE_WIDTH)
        place(body, current, columns, q)
        current[at.HELD_M] = body[at.MASS]
        keep(current, at.HELD_H, vector(body, at.FIRST_MOMENT))
        keep_symmetric(current, at.HELD_K, symmetric(body, at.SECOND_MOMENT))

    # inward: a composite body is a body and everything it carries
    for i in range(bodies(model), 0, -1):
        body, current, carrier = rows(model, work, i, at.COMPOSITE_WIDTH)
        if carrier_of(body) > 0:
            hand_body(current, carrier)

    # inward from each joint: the momentum of its composite body, seen by every ancestor
    for i in range(1, bodies(model) + 1):
        body, _, _ = rows(model, work, i, at.COMPOSITE_WIDTH)
        first, end = speeds(body)
        for k in range(first, end):
            fill_column(model, work, columns, i, k, address(M, k * nv), address(M, k), nv)


def hand_body(current: Any, carrier: Any) -> None:
    """A composite body joins its carrier."""
    R, p, m = rotation(current), vector(current, at.P), current[at.HELD_M]
    h, K = moved_moments(R, p, m, vector(current, at.HELD_H), symmetric(current, at.HELD_K))
    carrier[at.HELD_M] += m
    gather(carrier, at.HELD_H, h)
    gather_symmetric(carrier, at.HELD_K, K)


def moved_moments(R: Any, p: Vector, m: Any, h: Vector, K: Symmetric) -> tuple[Vector, Symmetric]:
    """Moments seen from where a body is at (R, p): h' = R h + m p, R K Rᵀ + (R h) pᵀ + p h'ᵀ."""
    h, K = out(R, h), turned_symmetric(R, K)
    shifted = plus(h, times(m, p))
    x, y, z = times(h[0], p), times(h[1], p), times(h[2], p)
    a, b, c = times(p[0], shifted), times(p[1], shifted), times(p[2], shifted)
    xx, xy, xz = K[0] + x[0] + a[0], K[1] + x[1] + a[1], K[2] + x[2] + a[2]
    yy, yz, zz = K[3] + y[1] + b[1], K[4] + y[2] + b[2], K[5] + z[2] + c[2]
    return shifted, (xx, xy, xz, yy, yz, zz)


def fill_column(
    model: Any, work: Any, columns: Any, i: int, k: int, row: Any, col: Any, nv: int
) -> None:
    """The entries of speed k of body i, with its own joint and with those of its ancestors."""
    body, current, _ = rows(model, work, i, at.COMPOSITE_WIDTH)
    w, V = column(body, columns, k)
    m, h, K = current[at.HELD_M], vector(current, at.HELD_H), symmetric(current, at.HELD_K)
    linear, angular = body_momentum(m, h, K, w, V)
    enter(body, columns, linear, angular, row, col, nv)
    spin = NOTHING
    if body[at.REFLECTED] != 0.0:
        row[k] += body[at.REFLECTED]
        spin = vector(body, at.SPIN)
    parent = carrier_of(body)
    while parent > 0:
        R = rotation(current)
        linear = out(R, linear)
        # the carrier of the joint carries the motor too
        angular = plus(plus(out(R, angular), cross(vector(current, at.P), linear)), spin)
        spin = NOTHING
        body, current, _ = rows(model, work, parent, at.COMPOSITE_WIDTH)
        enter(body, columns, linear, angular, row, col, nv)
        parent = carrier_of(body)


def body_momentum(m: Any, h: Vector, K: Symmetric, w: Vector, V: Vector) -> tuple[Vector, Vector]:
    """Linear and angular momentum at the origin of a body, for a twist."""
    return plus(times(m, V), cross(w, h)), plus(applied(inertia_tensor(K), w), cross(h, V))


def inertia_tensor(K: Symmetric) -> Symmetric:
    """tr(K) 1 − K."""
    xx, xy, xz, yy, yz, zz = K
    return yy + zz, -xy, -xz, zz + xx, -yz, xx + yy


def enter(
    body: Any, columns: Any, linear: Vector, angular: Vector, row: Any, col: Any, nv: int
) -> None:
    """Enter the component of a momentum along a joint, in the row and the column of its cause."""
    first, end = speeds(body)
    for j in range(first, end):
        w, V = column(body, columns, j)
        row[j] = dot(w, angular) + dot(V, linear)
        col[j * nv] = row[j]
