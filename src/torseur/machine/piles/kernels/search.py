"""The contacts at a place: boxes that overlap, shapes near enough, and points that joints hold."""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import body_row, contact_row, motion_row
from torseur.machine.piles.kernels.bodies import fastest, mapped, place_bodies
from torseur.machine.piles.kernels.boxes import box_box
from torseur.machine.piles.kernels.touching import (
    capsule_box,
    capsule_capsule,
    length,
    sphere_box,
    sphere_capsule,
    sphere_sphere,
    with_plane,
)
from torseur.machine.runtime.vectors import (
    address,
    apart,
    dot,
    inlined,
    keep,
    matrix,
    minus,
    plus,
    vector,
    whole,
)

REACHED = 2.0  # of the way that the fastest body makes in a step: within it bodies may meet


@apart
def search(run, h):
    """The contacts at the present place, each with the impulse that it had before."""
    weight = length((run.gx, run.gy, run.gz))
    run.margin = run.grain + REACHED * h * (fastest(run) + h * weight)
    place_bodies(run)
    _remember(run)
    run.contacts, run.full = 0, 0
    for k in range(run.ties):
        _add_tie(run, k)
    for b in range(1, run.bodies + 1):
        planes, p = whole(body_row(run, b)[at.PLANES]), 0
        while planes > 0:
            if planes & 1:
                with_plane(run, b, p)
            planes, p = planes >> 1, p + 1
    _sort(run)
    _sweep(run)
    if run.full == 0:
        for c in range(run.contacts):
            _recall(run, contact_row(run, c))
    deepest = 0.0
    for c in range(run.contacts):
        row = contact_row(run, c)
        off = length(vector(row, at.MISS)) if row[at.HELD] != 0.0 else -row[at.GAP]
        deepest = max(deepest, off)
    return deepest


# --- pairs ---------------------------------------------------------------------------------------


@apart
def _sort(run):
    """By the lower ends of their boxes; by insertion, because they hardly change their order."""
    order, axis = run.order, at.LOW + run.axis
    for i in range(1, run.sorted):
        b = order[i]
        low, k = motion_row(run, b)[axis], i
        while k > 0 and motion_row(run, order[k - 1])[axis] > low:
            order[k] = order[k - 1]
            k -= 1
        order[k] = b


@apart
def _sweep(run):
    """Every two bodies whose boxes overlap."""
    order, axis = run.order, run.axis
    for i in range(run.sorted):
        a = order[i]
        row, pairs = motion_row(run, a), whole(body_row(run, a)[at.PAIRS])
        high = row[at.HIGH + axis]
        for k in range(i + 1, run.sorted):
            b = order[k]
            other = motion_row(run, b)
            if other[at.LOW + axis] > high:
                break
            common = pairs & whole(body_row(run, b)[at.PAIRS])
            if common != 0 and _overlap(row, other) and not _joined(run, a, b):
                _meet(run, min(a, b), max(a, b), _lowest(common))


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


@apart
def _meet(run, a, b, law):
    """The contacts of two bodies: the simpler shape first."""
    one, other = whole(body_row(run, a)[at.SHAPE]), whole(body_row(run, b)[at.SHAPE])
    if one > other:
        a, b, one, other = b, a, other, one
    if one == at.SPHERE:
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
def _remember(run):
    """The contacts so far become those before, in lists by their first body."""
    if run.solved != 0:
        run.contact, run.contact_before = run.contact_before, run.contact
        run.before, run.solved = run.contacts, 0
    for b in range(run.bodies + 1):
        motion_row(run, b)[at.HEAD] = -1.0
    for c in range(run.before):
        row = address(run.contact_before, at.CONTACT_WIDTH * c)
        head = motion_row(run, whole(row[at.FIRST]))
        row[at.NEXT], head[at.HEAD] = head[at.HEAD], c


@apart
def _recall(run, row):
    """The impulse that the same contact had; zero for a new one."""
    keep(row, at.PUSHED, (0.0, 0.0, 0.0))
    c = whole(motion_row(run, whole(row[at.FIRST]))[at.HEAD])
    while c >= 0:
        old = address(run.contact_before, at.CONTACT_WIDTH * c)
        if old[at.SECOND] == row[at.SECOND] and old[at.FEATURE] == row[at.FEATURE]:
            keep(row, at.PUSHED, vector(old, at.PUSHED))
            return
        c = whole(old[at.NEXT])


# --- what joints hold: points of one body in axes of another --------------------------------------


@inlined
def _tie(run, k):
    return address(run.tie, at.TIE_WIDTH * k)


@apart
def _add_tie(run, k):
    """A point that a joint holds, among the contacts, if there is room."""
    if run.contacts >= run.capacity:
        run.full = 1
        return
    own, row = _tie(run, k), contact_row(run, run.contacts)
    a = motion_row(run, whole(own[at.TIE_FIRST]))
    b = motion_row(run, whole(own[at.TIE_SECOND]))
    R, S = matrix(a, at.ATTITUDE), matrix(b, at.ATTITUDE)
    point = plus(vector(a, at.CENTRE), mapped(R, vector(own, at.TIE_POINT)))
    base = plus(vector(b, at.CENTRE), mapped(S, vector(own, at.TIE_BASE)))
    row[at.FIRST], row[at.SECOND] = own[at.TIE_FIRST], own[at.TIE_SECOND]
    row[at.FEATURE], row[at.HELD] = -1.0 - k, own[at.TIE_COUNT]
    row[at.FRICTION], row[at.RESTITUTION], row[at.GAP], row[at.SLIP] = 0.0, 0.0, 0.0, 0.0
    keep(row, at.POINT, point)
    for i in range(3):
        axis = mapped(S, vector(own, at.TIE_AXES + 3 * i))
        keep(row, at.AXES + 3 * i, axis)
        row[at.MISS + i] = dot(axis, minus(point, base))
    run.contacts += 1


@apart
def _joined(run, a, b):
    """Whether a joint holds two bodies: those do not meet."""
    for k in range(run.ties):
        own = _tie(run, k)
        one, other = whole(own[at.TIE_FIRST]), whole(own[at.TIE_SECOND])
        if (one == a and other == b) or (one == b and other == a):
            return True
    return False
