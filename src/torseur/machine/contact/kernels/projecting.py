"""Forces of contacts found row by row, each projected on what it may be (Gauss and Seidel's way).

What touches without sliding always has such forces, though they come slowly; they serve where modes
go in circles, and where more rows hold than are needed, so that forces are not unique.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import friction_size, pressing_load, resisted, row_of
from torseur.machine.contact.kernels.laws import follow_laws
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

PASSES = 3000  # over all rows
SETTLED = 1e-12  # of the largest force: what the last of them changes
FAR = 1e12  # times the usual force: what slides may have no forces at all
TINY = 1e-300


@apart
def project(model, into):
    """z and into ← forces of all that touches."""
    rows, z = model.rows, model.z
    usual = 0.0  # the largest of the forces that would hold a row alone
    for i in range(rows):
        z[i] = 0.0
        if model.movable[i] == 1.0:
            usual = max(usual, abs(model.c[i] / _compliance(model, i)))
    far = FAR * usual
    for _ in range(PASSES):
        copy(rows, z, into)
        if model.laws > 0:
            follow_laws(model)
        for i in range(rows):
            if model.own[i] == 1.0 and model.movable[i] == 1.0:
                z[i] -= _motion(model, i) / _compliance(model, i)
        for e in range(model.elements):
            if model.judged[e * at.JUDGED + at.TOUCHES] == 1.0:
                _project_element(model, e, address(model.element, e * at.WIDTH))
        size, change = 0.0, 0.0
        for i in range(rows):
            size, change = max(size, abs(z[i])), max(change, abs(z[i] - into[i]))
        if size > far or change <= SETTLED * max(size, TINY):
            break
    copy(rows, z, into)


@apart
def _compliance(model, i):
    return model.A[i * model.rows + i]


@apart
def _motion(model, i):
    """w of a row, by the forces at hand."""
    own = address(model.A, i * model.rows)
    return dot(model.rows, own, model.z) + model.c[i]


@apart
def _project_element(model, e, element):
    """z ← with the forces of one element those nearest to what would hold it."""
    z, n, count = model.z, whole(element[at.NORMAL]), whole(element[at.COUNT])
    if n >= 0 and model.role[n] == at.RETURNED:
        z[n] = model.returned[n]
    elif n >= 0:
        z[n] = max(0.0, z[n] - _motion(model, n) / _compliance(model, n))
    if count == 0:
        return
    load, judged = pressing_load(model, element), address(model.judged, e * at.JUDGED)
    if judged[at.SLIDES] == 1.0:
        for k in range(count):  # against the speed of sliding
            own = row_of(element, k)
            z[own] = -element[at.KINETIC] * load * resisted(model, element, k)
    else:
        _hold_within(model, element, max(0.0, element[at.STATIC] * load - judged[at.ROOM]))


@apart
def _hold_within(model, element, limit):
    """z ← nearer to the friction that holds, at most of a size."""
    z, count, trace = model.z, whole(element[at.COUNT]), 0.0
    left = model.right
    for k in range(count):
        trace += _compliance(model, row_of(element, k))
        left[k] = _motion(model, row_of(element, k))
    for k in range(count):
        z[row_of(element, k)] -= left[k] / trace
    size = friction_size(element, z)
    if size > limit:
        for k in range(count):
            z[row_of(element, k)] *= limit / size
