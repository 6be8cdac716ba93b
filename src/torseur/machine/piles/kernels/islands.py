"""Islands: bodies that touch each other, directly or through others; the ground joins none."""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import contact_row, motion_row
from torseur.machine.runtime.vectors import apart, inlined, whole


@apart
def part_islands(run):
    """The contacts island by island: `member`, from first[i] to first[i + 1] those of island i."""
    for b in range(run.bodies + 1):
        motion_row(run, b)[at.ROOT] = b
    for c in range(run.contacts):
        a, b = _ends(run, c)
        motion_row(run, a)[at.TOUCHES] = 1.0
        if b > 0:
            motion_row(run, b)[at.TOUCHES] = 1.0
            one, other = root_of(run, a), root_of(run, b)
            motion_row(run, max(one, other))[at.ROOT] = min(one, other)
    _count(run)
    member, first, island = run.member, run.first, run.island
    for c in range(run.contacts):
        i = island[root_of(run, _ends(run, c)[0])]
        member[first[i]] = c
        first[i] += 1
    for i in range(run.islands, 0, -1):
        first[i] = first[i - 1]
    first[0] = 0


@inlined
def _ends(run, c):
    row = contact_row(run, c)
    return whole(row[at.FIRST]), whole(row[at.SECOND])


@apart
def root_of(run, b):
    """The body that an island is named after; the way to it is made shorter."""
    up = whole(motion_row(run, b)[at.ROOT])
    while up != b:
        above = whole(motion_row(run, up)[at.ROOT])
        motion_row(run, b)[at.ROOT] = above
        b, up = up, above
    return b


@apart
def _count(run):
    """Numbers of islands by their roots, and where each begins among the members."""
    first, island = run.first, run.island
    for b in range(run.bodies + 1):
        island[b] = -1
    run.islands = 0
    for c in range(run.contacts):
        root = root_of(run, _ends(run, c)[0])
        if island[root] < 0:
            island[root] = run.islands
            first[run.islands] = 0
            run.islands += 1
        first[island[root]] += 1
    total = 0
    for i in range(run.islands):
        count = first[i]
        first[i] = total
        total += count
    first[run.islands] = total
