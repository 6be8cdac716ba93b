"""Contacts at a place: boxes that overlap, shapes near enough, impulses of the step before."""

from torseur.machine.collision import places as at
from torseur.machine.collision.kernels.access import (
    before_row,
    placed_row,
    shape_row,
)
from torseur.machine.collision.kernels.boxes import box_box
from torseur.machine.collision.kernels.convex import meet_convex
from torseur.machine.collision.kernels.fields import meet_field
from torseur.machine.collision.kernels.on_planes import with_plane
from torseur.machine.collision.kernels.touching import (
    capsule_box,
    capsule_capsule,
    sphere_box,
    sphere_capsule,
    sphere_sphere,
)
from torseur.machine.runtime.vectors import apart, inlined, keep, vector, whole


@apart
def find_contacts(run):
    """The contacts of all placed shapes, after those that are listed already."""
    for s in range(run.shapes):
        planes, p = whole(shape_row(run, s)[at.PLANES]), 0
        while planes > 0:
            if planes & 1:
                with_plane(run, s, p)
            planes, p = planes >> 1, p + 1
    _sort(run)
    _sweep(run)


# --- pairs ---------------------------------------------------------------------------------------


@apart
def _sort(run):
    """By the lower ends of their boxes; by insertion, because they hardly change their order."""
    order, axis = run.order, at.LOW + run.axis
    for i in range(1, run.sorted):
        s = order[i]
        low, k = placed_row(run, s)[axis], i
        while k > 0 and placed_row(run, order[k - 1])[axis] > low:
            order[k] = order[k - 1]
            k -= 1
        order[k] = s


@apart
def _sweep(run):
    """Every two shapes whose boxes overlap."""
    order, axis = run.order, run.axis
    for i in range(run.sorted):
        a = order[i]
        row, pairs = placed_row(run, a), whole(shape_row(run, a)[at.PAIRS])
        high = row[at.HIGH + axis]
        for k in range(i + 1, run.sorted):
            b = order[k]
            other = placed_row(run, b)
            if other[at.LOW + axis] > high:
                break
            common = pairs & whole(shape_row(run, b)[at.PAIRS])
            if common != 0 and _overlap(row, other) and _may_meet(run, a, b):
                meet(run, min(a, b), max(a, b), _lowest(common), False)


@inlined
def _overlap(a, b):
    for k in range(3):
        if a[at.LOW + k] > b[at.HIGH + k] or b[at.LOW + k] > a[at.HIGH + k]:
            return False
    return True


@inlined
def _lowest(members):
    """The first member of a set."""
    k = 0
    while not (members >> k) & 1:
        k += 1
    return k


@inlined
def _may_meet(run, a, b):
    """Whether two shapes are of bodies that no joint holds together."""
    one, other = whole(shape_row(run, a)[at.OWNER]), whole(shape_row(run, b)[at.OWNER])
    if one == other:
        return False
    for k in range(run.neighbour_first[one], run.neighbour_first[one + 1]):
        if run.neighbour[k] == other:
            return False
    return True


@apart
def meet(run, a, b, law, only_nearest):
    """The contacts of two shapes, the simpler one first; height fields do not meet each other."""
    one, other = whole(shape_row(run, a)[at.KIND]), whole(shape_row(run, b)[at.KIND])
    if one > other:
        a, b, one, other = b, a, other, one
    if other == at.HEIGHT_FIELD:
        if one != other:
            meet_field(run, a, b, law, only_nearest)
    elif other >= at.CYLINDER:
        meet_convex(run, a, b, law)
    elif one == at.SPHERE:
        if other == at.SPHERE:
            sphere_sphere(run, a, b, law)
        elif other == at.CAPSULE:
            sphere_capsule(run, a, b, law)
        else:
            sphere_box(run, a, b, law)
    elif one == at.CAPSULE:
        if other == at.CAPSULE:
            capsule_capsule(run, a, b, law)
        else:
            capsule_box(run, a, b, law)
    else:
        box_box(run, a, b, law)


# --- impulses of the step before -----------------------------------------------------------------


@apart
def remember(run, bodies):
    """The contacts before, in lists by their first body."""
    for b in range(bodies + 1):
        run.head[b] = -1
    for c in range(run.before):
        row = before_row(run, c)
        b = whole(row[at.FIRST])
        row[at.NEXT], run.head[b] = run.head[b], c


@apart
def recall(run, row):
    """The impulse that the same contact had; zero for a new one."""
    keep(row, at.PUSHED, (0.0, 0.0, 0.0))
    c = run.head[whole(row[at.FIRST])]
    while c >= 0:
        old = before_row(run, c)
        if old[at.SECOND] == row[at.SECOND] and old[at.FEATURE] == row[at.FEATURE]:
            keep(row, at.PUSHED, vector(old, at.PUSHED))
            return
        c = whole(old[at.NEXT])


@inlined
def exchange(run):
    """The contacts so far become those before."""
    run.contact, run.contact_before = run.contact_before, run.contact
    run.before = run.contacts
