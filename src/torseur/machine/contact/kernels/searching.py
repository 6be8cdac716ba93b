"""Contacts that the kernel of pools finds, as a step asks for them."""

from torseur.machine.collision import places as geometry
from torseur.machine.collision.kernels.access import contact_row
from torseur.machine.contact import layout as at
from torseur.machine.contact.pool_layout import LIST, POOL
from torseur.machine.runtime.access import evaluate, record_at, wholes
from torseur.machine.runtime.vectors import apart, inlined, keep, plus, times, vector, whole

pool_at = record_at(POOL)


@inlined
def _pool(model):
    """The pool of a mechanism."""
    return pool_at(wholes(model.search_table)[0])


@apart
def list_contacts(model, place, t, y):
    """The contacts near a place ← elements of the step."""
    pool = _pool(model)
    pool.task, pool.model = LIST, place
    evaluate(model.search, model.search_table, t, y, model.output)


@apart
def see_contacts(model, task, t, y):
    """Read the listed contacts at another place of the step."""
    pool = _pool(model)
    pool.task = task
    evaluate(model.search, model.search_table, t, y, model.output)


@apart
def have_room(model):
    """Whether all contacts of the step had room."""
    return _pool(model).full == 0


@apart
def keep_impulses(model):
    """The impulses of contacts go to their lines, for the step that follows."""
    pool = _pool(model)
    for c in range(pool.contacts):
        row, first = contact_row(pool, c), model.described_rows + at.SLOT * c
        total, acts = (0.0, 0.0, 0.0), model.acts[model.described + c] == 1.0
        count = whole(model.element[at.WIDTH * (model.described + c) + at.COUNT])
        for i in range(1 + count if acts else 0):
            size = model.impulse[whole(model.spot[first + i])]
            total = plus(total, times(size, vector(row, geometry.AXES + 3 * i)))
        keep(row, geometry.PUSHED, total)


@apart
def deepest_seen(model):
    """The deepest penetration at the place seen last, in parts of the size of gaps."""
    return _pool(model).deepest * model.fineness[model.rows - 1]
