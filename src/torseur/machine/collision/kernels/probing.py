"""The probe: contacts of shapes of placed bodies, or the nearest points of pairs of shapes."""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import contact_row, shape_row
from torseur.machine.collision.kernels.placing import place_shape
from torseur.machine.collision.kernels.search import find_contacts, meet
from torseur.machine.collision.probe_layout import LISTED, PROBE
from torseur.machine.runtime.access import METHOD, record_at, wholes
from torseur.machine.runtime.vectors import address, apart, matrix, vector, whole

probe_at = record_at(PROBE)
SIGNATURE = METHOD
ENTRIES = ("probing",)


def probing(place):
    """The task of a probe; of [probe, …]."""
    run = probe_at(wholes(place)[0])
    for s in range(run.shapes):
        b = whole(shape_row(run, s)[at.OWNER])
        row = address(run.body_place, at.BODY_PLACED_WIDTH * (b - 1))
        place_shape(run, s, matrix(row, at.BODY_ATTITUDE), vector(row, at.BODY_CENTRE))
    run.contacts, run.full = 0, 0
    if run.task == LISTED:
        for k in range(run.pairs):
            _write_nearest(run, k)
    else:
        find_contacts(run)
    return 0


@apart
def _write_nearest(run, k):
    """nearest ← the contact of pair k with the least gap."""
    run.contacts = 0
    meet(run, run.pair[2 * k], run.pair[2 * k + 1], 0)
    best, least = 0, 1e300
    for c in range(run.contacts):
        if contact_row(run, c)[at.GAP] < least:
            best, least = c, contact_row(run, c)[at.GAP]
    source, target = contact_row(run, best), address(run.nearest, at.CONTACT_WIDTH * k)
    for i in range(at.CONTACT_WIDTH):
        target[i] = source[i]
