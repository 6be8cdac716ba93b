"""The elementary constraints between two bodies i and j: value, Jacobian and acceleration term.

Scalar code on tuples (x, y, z) with sums, differences and products only: it runs on numbers, on
columns of numbers, on expressions, and as machine code. All vectors are in ground axes. An end is
(r, v, w): position and velocity of the mass centre of its body, angular velocity Ω; p leads from
there to a point of the body, u is a direction of the body.

A row is (value, n, a_i, a_j, γ). Its rate is −n·v_i + a_i·Ω_i + n·v_j + a_j·Ω_j, and its second
rate is that of the accelerations plus γ. With a multiplier λ, the first body exerts the force λ n
on the second one, whose moment at its centre is λ a_j; the first one feels −λ n and λ a_i.

Llibre (2009), §4.5, with the errata E0-28 to E0-31: γ = −Γ, and the value need not be zero.
"""

from typing import Any

from torseur.spatial.triples import Vector, cross, dot, minus, plus, times

End = Any  # r, v, w
Row = Any  # value, n, a_i, a_j, γ


def between(i: End, p_i: Vector, j: End, p_j: Vector) -> Vector:
    """d = P_i P_j."""
    return minus(plus(j[0], p_j), plus(i[0], p_i))


def parting(i: End, p_i: Vector, j: End, p_j: Vector) -> Vector:
    """ḋ."""
    return minus(plus(j[1], cross(j[2], p_j)), plus(i[1], cross(i[2], p_i)))


def centripetal(w: Vector, p: Vector) -> Vector:
    """Ω × (Ω × p)."""
    return cross(w, cross(w, p))


def coincidence(i: End, p_i: Vector, j: End, p_j: Vector) -> tuple[Row, Row, Row]:
    """G3t: the points P_i and P_j coincide; a row along each axis of the ground."""
    d = between(i, p_i, j, p_j)
    g = minus(centripetal(j[2], p_j), centripetal(i[2], p_i))
    return (
        (d[0], (1.0, 0.0, 0.0), (0.0, -p_i[2], p_i[1]), (0.0, p_j[2], -p_j[1]), g[0]),
        (d[1], (0.0, 1.0, 0.0), (p_i[2], 0.0, -p_i[0]), (-p_j[2], 0.0, p_j[0]), g[1]),
        (d[2], (0.0, 0.0, 1.0), (-p_i[1], p_i[0], 0.0), (p_j[1], -p_j[0], 0.0), g[2]),
    )


def distance(length: Any, scale: Any, i: End, p_i: Vector, j: End, p_j: Vector) -> Row:
    """G1t: P_i and P_j stay at a distance: scale × ½ (d·d − length²).

    With the scale 1/length the multiplier is the force that pushes the points apart.
    """
    d, rate = between(i, p_i, j, p_j), parting(i, p_i, j, p_j)
    g = minus(centripetal(j[2], p_j), centripetal(i[2], p_i))
    n = times(scale, d)
    return (
        scale * 0.5 * (dot(d, d) - length * length),
        n,
        cross(n, p_i),
        cross(p_j, n),
        scale * dot(rate, rate) + dot(n, g),
    )


def orthogonality(i: End, u_i: Vector, j: End, u_j: Vector) -> Row:
    """G1r: the directions u_i and u_j stay orthogonal; the multiplier is a couple on u_j × u_i."""
    value, n = dot(u_i, u_j), (0.0, 0.0, 0.0)
    about, slip = cross(u_j, u_i), minus(j[2], i[2])
    jj, ii, ij, ji = dot(u_j, j[2]), dot(u_i, i[2]), dot(u_i, j[2]), dot(u_j, i[2])
    g = ii * ji + jj * ij - 2.0 * (ij * ji) - value * dot(slip, slip)
    return value, n, minus(n, about), about, g


def in_plane(offset: Any, i: End, u_i: Vector, p_i: Vector, j: End, p_j: Vector) -> Row:
    """G1n: P_j is at a height `offset` over the plane through P_i normal to u_i."""
    d, rate = between(i, p_i, j, p_j), parting(i, p_i, j, p_j)
    normal = cross(u_i, i[2])
    carried = plus(cross(i[2], minus(p_i, d)), times(2.0, rate))
    g = dot(u_i, centripetal(j[2], p_j)) - dot(normal, carried)
    return dot(u_i, d) - offset, u_i, cross(u_i, plus(p_i, d)), cross(p_j, u_i), g


def turning(i: End, j: End, u: Vector, w: Vector) -> Row:
    """The angle about a direction u of the body that turns at w; its value is read elsewhere.

    θ̇ = u·(Ω_j − Ω_i), θ̈ = u·(Ω̇_j − Ω̇_i) + (w × u)·(Ω_j − Ω_i).
    """
    nothing, slip = (0.0, 0.0, 0.0), minus(j[2], i[2])
    return 0.0, nothing, minus(nothing, u), u, dot(cross(w, u), slip)


def threaded(lead: Any, slide: Row, turn: Row) -> Row:
    """slide − lead × turn: what a thread keeps zero; the value is that of its ends elsewhere."""
    return (
        slide[0] - lead * turn[0],
        slide[1],
        minus(slide[2], times(lead, turn[2])),
        minus(slide[3], times(lead, turn[3])),
        slide[4] - lead * turn[4],
    )


def speed(row: Row, i: End, j: End) -> Any:
    """The rate of a row."""
    _, n, a_i, a_j, _ = row
    return dot(n, minus(j[1], i[1])) + dot(a_i, i[2]) + dot(a_j, j[2])
