"""M = Lᵀ L along the tree of a mechanism: no number is stored or touched that is always zero.

The parent of a speed is the last one before it that inertia joins to it, those between being
eliminated (Featherstone 2008, Rigid Body Dynamics Algorithms, section 6.5). Of each speed `above`
lists its parent, the parent of that and so on: left of its diagonal L has these numbers. The
diagonal of L has one over its numbers.
"""

from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def factorise(model):
    """Whether M is positive; factor ← L."""
    model.measured[0] = -1.0
    n, M, L = model.speeds, model.M, model.factor
    for i in range(n):
        above = address(model.above, i * n)
        L[i * n + i] = M[i * n + i]
        for s in range(model.above_count[i]):
            L[i * n + above[s]] = M[i * n + above[s]]
    for k in range(n - 1, -1, -1):
        column, above, count = address(L, k * n), address(model.above, k * n), model.above_count[k]
        if not column[k] > 0.0:
            return False
        column[k] = 1.0 / square_root(column[k])
        for s in range(count):
            column[above[s]] *= column[k]
        for s in range(count):  # what carries the parent of k carries k too
            part, row = column[above[s]], address(L, above[s] * n)
            for m in range(s, count):
                row[above[m]] -= part * column[above[m]]
    return True


@apart
def halve(model, nodes, count, x):
    """x ← L⁻ᵀ x, zero but at nodes that are listed, the last one first, with all their parents."""
    n, L = model.speeds, model.factor
    for m in range(count):
        i = nodes[m]
        row, above = address(L, i * n), address(model.above, i * n)
        part = x[i] * row[i]
        x[i] = part
        for s in range(model.above_count[i]):
            x[above[s]] -= row[above[s]] * part


@apart
def complete(model, x):
    """x ← L⁻¹ x."""
    n, L = model.speeds, model.factor
    for i in range(n):
        row, above, total = address(L, i * n), address(model.above, i * n), x[i]
        for s in range(model.above_count[i]):
            total -= row[above[s]] * x[above[s]]
        x[i] = total * row[i]


@apart
def add_pushed(model, rows, count, forces, factor, v):
    """v ← v + factor M⁻¹ Jᵀ z, of the rows listed and their forces z."""
    n, total = model.speeds, model.pushed
    for k in range(n):
        total[k] = 0.0
    for m in range(count):
        i, z = whole(rows[m]), forces[m]
        if z != 0.0:
            half, path = address(model.half, i * n), address(model.path, i * n)
            for s in range(model.path_count[i]):
                total[path[s]] += half[path[s]] * z
    complete(model, total)
    for k in range(n):
        v[k] += factor * total[k]
