"""Forces and loads that laws give, of reactions too: their rows of the system.

A row that carries such a force has z = f(R); a load of friction is N = f(R), with R the reactions
that laws name. Near the reactions at hand f is taken as linear: a step of Newton's method.
"""

from torseur.machine.contact import layout as at
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.vectors import apart, whole


@apart
def load_component(model, k):
    rows, role, load = model.rows, model.role, model.load_0[k]
    for i in range(rows):
        if role[i] != at.OFF:
            load += model.load_by[k * rows + i] * model.z[i]
    return load


@apart
def place_of(model, count, row):
    """Where a row stands among those that act."""
    for k in range(count):
        if whole(model.active[k]) == row:
            return k
    return -1


@apart
def write_alone(model, count, place):
    """A row of the system that speaks of its own force only."""
    for m in range(count):
        model.matrix[m * count + place] = 0.0
    model.matrix[place * count + place] = 1.0


@apart
def write_laws(model, count):
    """Rows z = what their laws give, as it is near the reactions at hand."""
    ask_laws(model)
    scale = model.scale
    for law in range(model.laws):
        row = whole(model.law_row[law])
        place = place_of(model, count, row) if row >= 0 else -1
        if place >= 0:
            write_alone(model, count, place)
            unit = 1.0 / scale[row] if scale[row] > 0.0 else 0.0
            model.right[place] = unit * write_given(model, count, law, place, -unit)


@apart
def obey_laws(model, count, size):
    """Whether forces are what their laws give, beside the largest; there may be none that are."""
    ask_laws(model)
    for law in range(model.laws):
        row = whole(model.law_row[law])
        if row >= 0 and place_of(model, count, row) >= 0:
            off = model.z[row] - model.given[law]
            if not abs(off) <= 1e-9 * size * model.scale[row]:
                return False
    return True


@apart
def ask_laws(model):
    """given ← what the laws give at the reactions that the forces at hand make."""
    state, first = model.at, model.coordinates + model.speeds
    for k in range(model.named):
        state[first + k] = load_component(model, model.loads - model.named + k)
    t = state[first + model.named]
    evaluate(model.law, model.law_table, t, state, model.given)


@apart
def write_given(model, count, law, place, push):
    """Value of a law without forces of rows; the row gets what they add, times push."""
    given, rows, constant = model.given, model.rows, model.given[law]
    for n in range(model.named):
        by = given[model.laws + law * model.named + n]
        k = model.loads - model.named + n
        load = model.at[model.coordinates + model.speeds + n]
        constant += by * (model.load_0[k] - load)
        for m in range(count):
            j = whole(model.active[m])
            response = model.load_by[k * rows + j] * model.scale[j]
            model.matrix[m * count + place] += push * by * response
    return constant
