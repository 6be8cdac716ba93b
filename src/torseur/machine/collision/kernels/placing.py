"""Shapes placed with their bodies: axes, centres and the boxes around them."""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import mapped, placed_row, shape_row
from torseur.machine.runtime.machine_text import machine_text
from torseur.machine.runtime.vectors import (
    address,
    inlined,
    keep,
    keep_matrix,
    matrix,
    minus,
    plus,
    vector,
    whole,
)
from torseur.spatial import triples

product = machine_text(triples)["product"]


@inlined
def place_shape(run, s, R, centre):
    """The place of shape s, of a body that is placed."""
    shape, row, half = shape_row(run, s), placed_row(run, s), 0.5 * run.margin
    if shape[at.IS_CENTRED] == 0.0:
        centre = plus(centre, mapped(R, vector(shape, at.OFFSET)))
        R = product(R, matrix(shape, at.TURNED))
    keep_matrix(row, at.ATTITUDE, R)
    keep(row, at.CENTRE, centre)
    e = _extent(run, shape, address(row, at.ATTITUDE))
    grown = e[0] + half, e[1] + half, e[2] + half
    keep(row, at.LOW, minus(centre, grown))
    keep(row, at.HIGH, plus(centre, grown))


@inlined
def _extent(run, shape, R):
    """Half the lengths of the box with ground axes around a shape; around the box of a hull."""
    kind, a = whole(shape[at.KIND]), vector(shape, at.SIZE)
    if kind == at.HEIGHT_FIELD:
        a = (
            0.5 * (a[1] - 1.0) * shape[at.STEPS],
            0.5 * (a[2] - 1.0) * shape[at.STEPS + 1],
            shape[at.HALF_HEIGHT],
        )
    if kind == at.HULL:
        a = vector(run.vertex, 3 * whole(a[0] + a[1]))
    if kind == at.BOX or kind >= at.HULL:
        return (
            abs(R[0]) * a[0] + abs(R[1]) * a[1] + abs(R[2]) * a[2],
            abs(R[3]) * a[0] + abs(R[4]) * a[1] + abs(R[5]) * a[2],
            abs(R[6]) * a[0] + abs(R[7]) * a[1] + abs(R[8]) * a[2],
        )
    if kind == at.SPHERE:
        return a[0], a[0], a[0]
    k = whole(a[2])  # a capsule; a cylinder has it around it
    return (a[0] + abs(R[k]) * a[1], a[0] + abs(R[3 + k]) * a[1], a[0] + abs(R[6 + k]) * a[1])
