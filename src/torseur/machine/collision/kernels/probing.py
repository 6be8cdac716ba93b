"""The probe: nearest points of pairs of shapes, or of shapes and planes, in many places."""

from torseur.machine.collision import places as at
from torseur.machine.collision import probe_layout as slot
from torseur.machine.collision.kernels.access import contact_row, length, placed_row, shape_row
from torseur.machine.collision.kernels.on_planes import with_plane
from torseur.machine.collision.kernels.placing import place_shape
from torseur.machine.collision.kernels.search import meet
from torseur.machine.runtime.access import METHOD, record_at, wholes
from torseur.machine.runtime.vectors import (
    address,
    apart,
    dot,
    inlined,
    keep,
    matrix,
    minus,
    times,
    vector,
    whole,
)

probe_at = record_at(slot.PROBE)
SIGNATURE = METHOD
ENTRIES = ("probing",)


def probing(place):
    """nearest (rows, pairs, NEAREST_WIDTH) ← the pairs at each place of the bodies."""
    run = probe_at(wholes(place)[0])
    for r in range(run.rows):
        for s in range(run.shapes):
            b = whole(shape_row(run, s)[at.OWNER]) - 1
            row = address(run.body_place, at.BODY_PLACED_WIDTH * (r * run.bodies + b))
            place_shape(run, s, matrix(row, at.BODY_ATTITUDE), vector(row, at.BODY_CENTRE))
        for k in range(run.pairs):
            target = address(run.nearest, slot.NEAREST_WIDTH * (r * run.pairs + k))
            _write_nearest(run, (run.pair[2 * k], run.pair[2 * k + 1]), target)
    return 0


@apart
def _write_nearest(run, pair, target):
    """target ← the nearest points of a pair; of pairs beyond the margin, a lower bound only."""
    a, b = pair
    far = _height(run, a, -1 - b) if b < 0 else _distance_of_balls(run, a, b)
    target[slot.IS_EXACT], target[slot.GAP] = 0.0, far
    if far > run.margin:
        return
    run.contacts = 0
    if b < 0:
        with_plane(run, a, -1 - b)
    else:
        meet(run, a, b, 0, True)
    target[slot.GAP] = max(far, run.margin)
    best, least = -1, 1e300
    for c in range(run.contacts):
        if contact_row(run, c)[at.GAP] < least:
            best, least = c, contact_row(run, c)[at.GAP]
    if best < 0:
        return
    row = contact_row(run, best)
    is_turned = row[at.FIRST] != shape_row(run, a)[at.OWNER]
    n, point = vector(row, at.AXES), vector(row, at.POINT)
    if b < 0:
        point = minus(point, times(0.5 * least, n))
    target[slot.IS_EXACT], target[slot.GAP] = 1.0, least
    keep(target, slot.POINT, point)
    keep(target, slot.NORMAL, times(-1.0 if is_turned else 1.0, n))


@inlined
def _height(run, s, p):
    """Height of a ball around a shape above a plane."""
    plane = address(run.plane, at.PLANE_WIDTH * p)
    height = dot(vector(plane, at.NORMAL), vector(placed_row(run, s), at.CENTRE))
    return height - plane[at.HEIGHT] - shape_row(run, s)[at.REACH]


@inlined
def _distance_of_balls(run, a, b):
    """Distance of balls around two shapes."""
    between = minus(vector(placed_row(run, a), at.CENTRE), vector(placed_row(run, b), at.CENTRE))
    return length(between) - shape_row(run, a)[at.REACH] - shape_row(run, b)[at.REACH]
