"""Mass matrix over arrays: composite bodies."""

from torseur.machine.runtime.vectors import (
    address,
    apart,
    applied,
    cross,
    dot,
    gather,
    gather_symmetric,
    inlined,
    keep,
    keep_symmetric,
    matrix,
    minus,
    out,
    plus,
    rows,
    symmetric,
    times,
    turned_symmetric,
    vector,
    whole,
)
from torseur.machine.tree import places as at
from torseur.machine.tree.joints import column, freedoms, place

NOTHING = (0.0, 0.0, 0.0)


@apart
def mass_matrix(model, work, columns, q, M):
    """M ← the mass matrix, symmetric; see dynamics.composite_body.

    Only the entries of two joints on one branch are computed; the others are zero.
    """
    n, nv = whole(model[at.BODIES]), whole(model[at.SPEEDS])
    for k in range(nv * nv):
        M[k] = 0.0

    # outward: where each body is, and its own inertia
    for i in range(1, n + 1):
        body, here, _ = rows(model, work, i, at.COMPOSITE_WIDTH)
        place(body, here, columns, q)
        here[at.HELD_M] = body[at.MASS]
        keep(here, at.HELD_H, vector(body, at.FIRST_MOMENT))
        keep_symmetric(here, at.HELD_K, symmetric(body, at.SECOND_MOMENT))

    # inward: a composite body is a body and everything it carries
    for i in range(n, 0, -1):
        body, here, carrier = rows(model, work, i, at.COMPOSITE_WIDTH)
        if whole(body[at.PARENT]) > 0:
            _hand_over(here, carrier)

    # inward from each joint: the momentum of its composite body, seen by every ancestor
    for i in range(1, n + 1):
        body = address(model, i * at.MODEL_WIDTH)
        first = whole(body[at.FIRST_V])
        for k in range(first, first + freedoms(whole(body[at.KIND]))):
            _write_column(model, work, columns, i, k, address(M, k * nv), address(M, k))


@inlined
def _hand_over(here, carrier):
    """A composite body joins its carrier: h' = R h + m p, K' = R K Rᵀ + (R h) pᵀ + p h'ᵀ."""
    R_PM, p, m = matrix(here, at.R), vector(here, at.P), here[at.HELD_M]
    h = out(R_PM, vector(here, at.HELD_H))
    K = turned_symmetric(R_PM, symmetric(here, at.HELD_K))
    shifted = plus(h, times(m, p))
    carrier[at.HELD_M] += m
    gather(carrier, at.HELD_H, shifted)
    gather_symmetric(
        carrier,
        at.HELD_K,
        (
            K[0] + h[0] * p[0] + p[0] * shifted[0],
            K[1] + h[0] * p[1] + p[0] * shifted[1],
            K[2] + h[0] * p[2] + p[0] * shifted[2],
            K[3] + h[1] * p[1] + p[1] * shifted[1],
            K[4] + h[1] * p[2] + p[1] * shifted[2],
            K[5] + h[2] * p[2] + p[2] * shifted[2],
        ),
    )


@inlined
def _write_column(model, work, columns, i, k, row, col):
    """The entries of speed k of body i, with its own joint and with those of its ancestors."""
    nv = whole(model[at.SPEEDS])
    body, here, _ = rows(model, work, i, at.COMPOSITE_WIDTH)
    w, V = _motion(body, columns, k)
    m, h, K = here[at.HELD_M], vector(here, at.HELD_H), symmetric(here, at.HELD_K)
    linear = plus(times(m, V), cross(w, h))
    angular = plus(minus(times(K[0] + K[3] + K[5], w), applied(K, w)), cross(h, V))
    _write_entries(body, columns, linear, angular, row, col, nv)
    reflected = NOTHING
    if body[at.REFLECTED] != 0.0:
        row[k] += body[at.REFLECTED]
        reflected = vector(body, at.SPIN)
    parent = whole(body[at.PARENT])
    while parent > 0:
        R_PM = matrix(here, at.R)
        linear = out(R_PM, linear)
        angular = plus(plus(out(R_PM, angular), cross(vector(here, at.P), linear)), reflected)
        reflected = NOTHING
        body, here, _ = rows(model, work, parent, at.COMPOSITE_WIDTH)
        _write_entries(body, columns, linear, angular, row, col, nv)
        parent = whole(body[at.PARENT])


@inlined
def _motion(body, columns, k):
    """The column of S of speed k: angular and linear part."""
    if whole(body[at.KIND]) == at.AXIAL:
        return (0.0, 0.0, body[at.TURN]), (0.0, 0.0, body[at.SLIDE])
    S = column(columns, k)
    return vector(S, at.ANGULAR), vector(S, at.LINEAR)


@inlined
def _write_entries(body, columns, linear, angular, row, col, nv):
    """What the joint of a body feels of a momentum, in the row and in the column of its cause."""
    kind, first = whole(body[at.KIND]), whole(body[at.FIRST_V])
    if kind == at.AXIAL:
        row[first] = body[at.TURN] * angular[2] + body[at.SLIDE] * linear[2]
        col[first * nv] = row[first]
    else:
        for j in range(first, first + freedoms(kind)):
            S = column(columns, j)
            row[j] = dot(vector(S, at.ANGULAR), angular) + dot(vector(S, at.LINEAR), linear)
            col[j * nv] = row[j]
