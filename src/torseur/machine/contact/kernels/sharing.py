"""Forces of rows that are listed, by a system that may leave some of them open.

Where more rows hold than are needed, loads are shared by one rule: the squares of the forces by
which elements hold have the least sum, couples counting over the length of the mechanism; then
those of its joints. Friction of what slides follows from these.
"""

from torseur.machine.contact import layout as at
from torseur.machine.integrators.kernels.dense import least, lessen, solve_apart
from torseur.machine.runtime.vectors import apart, whole


@apart
def solve(model, count):
    """found ← one of the solutions of a symmetric system, in the units of its rows."""
    if not solve_apart(count, model.matrix, model.gram, model.right, model.found):
        _solve(model, count)
    _scale_back(model, count)


@apart
def share(model, count):
    """found ← the solution by which loads are shared, as far as it is beside the reference.

    Where all rows hold and say things far apart from each other there is one solution only.
    """
    holds = True
    for k in range(count):
        holds = holds and model.role[whole(model.active[k])] == at.HELD
    if holds and solve_apart(count, model.matrix, model.gram, model.right, model.found):
        _scale_back(model, count)
        return
    left, weight = _solve(model, count), model.right
    for level in range(2):
        if left > 0:
            for k in range(count):
                i = whole(model.active[k])
                counts = model.own[i] == level and model.role[i] == at.HELD
                weight[k] = model.scale[i] / model.fineness[i] if counts else 0.0
            left = lessen(count, left, model.gram, weight, model.found)
    _scale_back(model, count)


@apart
def _solve(model, count):
    """Solve the system: found ← a solution; return the number of freedoms that it leaves."""
    matrix, right, column = model.matrix, model.right, model.column
    return least(count, matrix, right, model.rank, column, model.gram, model.found)


@apart
def _scale_back(model, count):
    """found ← in the units of its rows."""
    for k in range(count):
        model.found[k] *= model.scale[whole(model.active[k])]
