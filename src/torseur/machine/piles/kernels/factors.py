"""Linear systems over the bodies of an island: factors L and U of a matrix of blocks of 6 × 6."""

from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, inlined

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
    later, first, kept = run.later, run.later_first, run.block_room
    for k in range(run.nodes):
        p = run.pivot[k]
        for a in range(first[k], first[k + 1]):
            _take(block(run, later[a], p), address(x, SIDE * p), address(x, SIDE * later[a]))
    for k in range(run.nodes - 1, -1, -1):
        p = run.pivot[k]
        own = address(x, SIDE * p)
        for a in range(first[k], first[k + 1]):
            _take(block(run, p, later[a]), address(x, SIDE * later[a]), own)
        copy(SIDE, own, kept)
        for i in range(SIDE):
            own[i] = 0.0
            for j in range(SIDE):
                own[i] += block(run, p, p)[SIDE * i + j] * kept[j]


@inlined
def _take(A, x, y):
    """y ← y − A x."""
    for i in range(SIDE):
        for j in range(SIDE):
            y[i] -= A[SIDE * i + j] * x[j]
