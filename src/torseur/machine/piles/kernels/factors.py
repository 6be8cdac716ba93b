"""Linear systems over the bodies of an island: factors L and U of a matrix of blocks of 6 × 6.

Bodies are nodes, those that touch are neighbours; the ground is none. The node with the fewest
neighbours that are left is eliminated first, and they become neighbours of each other (minimum
degree, Tinney and Walker 1967).
"""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import member_row
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, inlined, whole

SIDE = 6
BLOCK = SIDE * SIDE


@inlined
def block(run, i, j):
    """The block of two nodes, by rows."""
    return address(run.block, BLOCK * run.slot[i * run.nodes + j])


@apart
def factorise_blocks(run):
    """Whether all pivots are regular; block ← factors, with the inverses of the pivots."""
    later, first = run.later, run.later_first
    factor, room = run.block_room, address(run.block_room, BLOCK)
    for k in range(run.nodes):
        p = run.pivot[k]
        if not _inverted(block(run, p, p), room):
            return False
        for a in range(first[k], first[k + 1]):
            below = block(run, later[a], p)
            copy(BLOCK, below, factor)
            for i in range(BLOCK):
                below[i] = 0.0
            _subtract(factor, block(run, p, p), below, -1.0)
            for b in range(first[k], first[k + 1]):
                _subtract(below, block(run, p, later[b]), block(run, later[a], later[b]), 1.0)
    return True


@inlined
def _subtract(A, B, C, sign):
    """C ← C − sign A B."""
    for i in range(SIDE):
        for k in range(SIDE):
            a = sign * A[SIDE * i + k]
            for j in range(SIDE):
                C[SIDE * i + j] -= a * B[SIDE * k + j]


@apart
def _inverted(A, room):
    """Whether a block is regular; A ← its inverse, by Gauss and Jordan with exchanges of rows."""
    copy(BLOCK, A, room)
    for i in range(BLOCK):
        A[i] = 0.0
    for i in range(SIDE):
        A[(SIDE + 1) * i] = 1.0
    for k in range(SIDE):
        best = k
        for i in range(k + 1, SIDE):
            if abs(room[SIDE * i + k]) > abs(room[SIDE * best + k]):
                best = i
        size = room[SIDE * best + k]
        if not abs(size) > 0.0:
            return False
        for j in range(SIDE):
            x, y = room[SIDE * k + j], A[SIDE * k + j]
            room[SIDE * k + j], A[SIDE * k + j] = room[SIDE * best + j], A[SIDE * best + j]
            if best != k:
                room[SIDE * best + j], A[SIDE * best + j] = x, y
            room[SIDE * k + j], A[SIDE * k + j] = (
                room[SIDE * k + j] / size,
                A[SIDE * k + j] / size,
            )
        for i in range(SIDE):
            share = room[SIDE * i + k]
            if i != k and share != 0.0:
                for j in range(SIDE):
                    room[SIDE * i + j] -= share * room[SIDE * k + j]
                    A[SIDE * i + j] -= share * A[SIDE * k + j]
    return True


@apart
def solve_blocks(run, x):
    """x ← the solution, from the factors; six numbers a node."""
    later, first, right = run.later, run.later_first, run.block_room
    for k in range(run.nodes):
        p = run.pivot[k]
        for a in range(first[k], first[k + 1]):
            _take(block(run, later[a], p), address(x, SIDE * p), address(x, SIDE * later[a]))
    for k in range(run.nodes - 1, -1, -1):
        p = run.pivot[k]
        part = address(x, SIDE * p)
        for a in range(first[k], first[k + 1]):
            _take(block(run, p, later[a]), address(x, SIDE * later[a]), part)
        copy(SIDE, part, right)
        for i in range(SIDE):
            part[i] = 0.0
            for j in range(SIDE):
                part[i] += block(run, p, p)[SIDE * i + j] * right[j]


@inlined
def _take(A, x, y):
    """y ← y − A x."""
    for i in range(SIDE):
        for j in range(SIDE):
            y[i] -= A[SIDE * i + j] * x[j]


# --- the order of bodies, and the blocks that it needs --------------------------------------------


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
    """Nodes of both bodies of a contact; −1: the ground."""
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
