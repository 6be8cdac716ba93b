"""The order in which bodies of an island are eliminated, and the blocks that this needs.

Bodies are nodes, those that touch are neighbours; the ground is none. The node with the fewest
neighbours that are left goes first, and they become neighbours of each other (minimum degree,
Tinney and Walker 1967).
"""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import member_row
from torseur.machine.runtime.vectors import apart, inlined, whole


@apart
def order_bodies(run, start, stop):
    """Whether there is room; nodes, their order, and a place for each block ← of an island."""
    if not _number(run, start, stop):
        return False
    n, slot, degree = run.nodes, run.slot, run.degree
    for i in range(n * n):
        slot[i] = -1
    for i in range(n):
        slot[i * n + i], degree[i] = i, 0
    run.blocks = n
    for k in range(start, stop):
        a, b = nodes_of(run, member_row(run, k))
        if a >= 0 and b >= 0 and not _join(run, a, b):
            return False
    return _eliminate(run)


@inlined
def nodes_of(run, row):
    """Of both bodies of a contact; −1: the ground."""
    return run.node[whole(row[at.FIRST])], run.node[whole(row[at.SECOND])]


@apart
def _number(run, start, stop):
    """node ← of each body of the island, owner ← the body of each node."""
    node, owner = run.node, run.owner
    for b in range(run.bodies + 1):
        node[b] = -1
    run.nodes = 0
    for k in range(start, stop):
        row = member_row(run, k)
        for place in range(at.FIRST, at.SECOND + 1):
            b = whole(row[place])
            if b > 0 and node[b] < 0:
                if run.nodes >= run.most_nodes:
                    return False
                node[b], owner[run.nodes] = run.nodes, b
                run.nodes += 1
    return True


@apart
def _join(run, a, b):
    """Whether there is room for the blocks of two neighbours."""
    n, slot, degree = run.nodes, run.slot, run.degree
    if slot[a * n + b] >= 0:
        return True
    if run.blocks + 2 > run.most_blocks:
        return False
    slot[a * n + b], slot[b * n + a] = run.blocks, run.blocks + 1
    degree[a], degree[b] = degree[a] + 1, degree[b] + 1
    run.blocks += 2
    return True


@apart
def _eliminate(run):
    """pivot ← the nodes in their order; later ← of each, the neighbours that are left then."""
    n, slot, degree = run.nodes, run.slot, run.degree
    pivot, later, first = run.pivot, run.later, run.later_first
    count = 0
    for k in range(n):
        best = -1
        for i in range(n):
            if degree[i] >= 0 and (best < 0 or degree[i] < degree[best]):
                best = i
        pivot[k], first[k] = best, count
        for j in range(n):
            if j != best and degree[j] >= 0 and slot[best * n + j] >= 0:
                later[count] = j
                count += 1
        degree[best] = -1
        for p in range(first[k], count):
            degree[later[p]] -= 1
        for p in range(first[k], count):
            for q in range(p + 1, count):
                if not _join(run, later[p], later[q]):
                    return False
    first[n] = count
    return True
