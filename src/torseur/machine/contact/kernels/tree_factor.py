"""M = Lᵀ L along the tree of a mechanism: no number is stored or touched that is always zero.

The parent of a speed is the last one before it that inertia joins to it, those between being
eliminated (Featherstone 2008, Rigid Body Dynamics Algorithms, section 6.5). The speeds from
`run[i]` up to i are each the parent of the next: the numbers of L left of its diagonal stand in
such runs. The diagonal of L has one over its numbers.
"""

from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def factorise(model):
    """Whether M is positive; factor ← L."""
    n, M, L, run, parent = model.speeds, model.M, model.factor, model.run, model.parent
    for i in range(n):
        last = i
        while last >= 0:
            first = whole(run[last])
            for j in range(first, last + 1):
                L[i * n + j] = M[i * n + j]
            last = whole(parent[first])
    for k in range(n - 1, -1, -1):
        own = address(L, k * n)
        if not own[k] > 0.0:
            return False
        inverse = 1.0 / square_root(own[k])
        last = k
        while last >= 0:
            first = whole(run[last])
            for i in range(first, min(last + 1, k)):
                own[i] *= inverse
            last = whole(parent[first])
        own[k] = inverse
        _take_from_parents(model, k, own)
    return True


@apart
def _take_from_parents(model, k, own):
    """The rows of all that carry k ← without the squares of its own."""
    n, run, parent, i = model.speeds, model.run, model.parent, k
    while True:
        i = i - 1 if i > whole(run[i]) else whole(parent[i])
        if i < 0:
            return
        part, row, last = own[i], address(model.factor, i * n), i
        while last >= 0:
            first = whole(run[last])
            for j in range(first, last + 1):
                row[j] -= part * own[j]
            last = whole(parent[first])


@apart
def halve(model, nodes, count, x):
    """x ← L⁻ᵀ x, zero but at nodes that are listed, the last one first, with all their parents."""
    n, L, run, parent = model.speeds, model.factor, model.run, model.parent
    for m in range(count):
        i = whole(nodes[m])
        own = address(L, i * n)
        part = x[i] * own[i]
        x[i], last = part, i
        while last >= 0:
            first = whole(run[last])
            for j in range(first, min(last + 1, i)):
                x[j] -= own[j] * part
            last = whole(parent[first])


@apart
def complete(model, x):
    """x ← L⁻¹ x."""
    n, L, run, parent = model.speeds, model.factor, model.run, model.parent
    for i in range(n):
        own, total, last = address(L, i * n), x[i], i
        while last >= 0:
            first = whole(run[last])
            for j in range(first, min(last + 1, i)):
                total -= own[j] * x[j]
            last = whole(parent[first])
        x[i] = total * own[i]


@apart
def add_pushed(model, rows, count, forces, factor, v):
    """v ← v + factor M⁻¹ Jᵀ z, of the rows listed and their forces z."""
    n, total = model.speeds, model.pushed
    for k in range(n):
        total[k] = 0.0
    for m in range(count):
        i, z = whole(rows[m]), forces[m]
        if z != 0.0:
            half = address(model.half, i * n)
            for k in range(whole(model.low[i]), whole(model.high[i])):
                total[k] += half[k] * z
    complete(model, total)
    for k in range(n):
        v[k] += factor * total[k]
