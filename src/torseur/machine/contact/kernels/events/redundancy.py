"""Forces that have a choice: rows of all that touches that hold each other.

Islands are those of all that touches, as if it stuck.
"""

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of
from torseur.machine.contact.kernels.parting import join_acting, joined_island
from torseur.machine.contact.negligible import RANK
from torseur.machine.integrators.kernels.dense import cholesky, least
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole

PART = 1e-6  # of the largest force of some that do nothing: a row that has no part in them


@apart
def write_touching_islands(model, into):
    """into ← of each row its island, if all that touches by the table of judgement sticks; −1."""
    for e in range(model.elements):
        model.acts[e] = model.judged[e * at.JUDGED + at.TOUCHES]
    join_acting(model)
    for i in range(model.rows):
        acts = model.tried_role[i] != at.OFF
        into[i] = joined_island(model, i) if acts else -1.0


@apart
def list_touching(model, island):
    """List the rows of an island that hold if all touching elements stick; return their number."""
    count = 0
    for i in range(model.rows):
        holds = model.touching_island[i] == island and model.every_role[i] == at.HELD
        if holds and model.movable[i] == 1.0:
            model.active[count] = i
            count += 1
    return count


@apart
def write_scaled(model, count, lessened):
    """matrix ← A of the rows listed, with ones less a little on its diagonal."""
    A, rows, S = model.A, model.rows, model.matrix
    for k in range(count):
        for m in range(count):
            i, j = whole(model.active[k]), whole(model.active[m])
            scale = square_root(A[i * rows + i] * A[j * rows + j])
            S[k * count + m] = A[i * rows + j] / scale - (lessened if k == m else 0.0)


@apart
def are_independent(model, count):
    """Whether no forces of the rows listed do nothing to them."""
    write_scaled(model, count, RANK)
    for k in range(count):
        model.found[k] = 0.0
    return cholesky(count, model.matrix, model.gram, model.found)


@apart
def freedoms(model, count):
    """Number of independent forces of the rows listed that do nothing to them; gram ← these."""
    write_scaled(model, count, 0.0)
    for k in range(count):
        model.right[k] = 0.0
    return least(count, model.matrix, model.right, RANK, model.column, model.gram, model.found)


@apart
def is_redundant(model, island):
    """Whether the rows of all that touches in an island leave its forces a choice."""
    return not are_independent(model, list_touching(model, island))


@apart
def write_rooms(model):
    """Whether friction that has a choice holds something; room ← the largest force of the island
    of each element that sticks by such friction, in its own units, else 0."""
    has_room = False
    _write_choices(model)
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        has_choice, largest = False, 0.0
        for k in range(whole(element[at.COUNT])):
            has_choice = has_choice or model.chosen[row_of(element, k)] == 1.0
        if has_choice and element[at.MODE] == at.STICK:
            first = row_of(element, 0)
            for i in range(model.rows):
                same = model.touching_island[i] == model.touching_island[first]
                if same and model.own[i] == 0.0:
                    largest = max(largest, abs(model.z[i]) / model.fineness[i])
            largest *= model.fineness[first]
        model.rooms[e] = largest
        has_room = has_room or largest > 0.0
    return has_room


@apart
def _write_choices(model):
    """chosen ← 1 for rows of all that touches whose forces are not told."""
    for i in range(model.rows):
        model.chosen[i] = 0.0
    for island in range(model.speeds):
        count = list_touching(model, island)
        if count > 0:
            for j in range(freedoms(model, count)):
                choice, largest = address(model.gram, j * count), 0.0
                for k in range(count):
                    largest = max(largest, abs(choice[k]))
                for k in range(count):
                    if abs(choice[k]) > PART * largest:
                        model.chosen[whole(model.active[k])] = 1.0
