"""Record of a pile and of its run for the kernel: numbers, counts and addresses."""

from torseur.machine.collision import layout as collision
from torseur.machine.collision import places as geometry
from torseur.machine.impulses import layout as solver
from torseur.machine.piles import places as at
from torseur.machine.runtime.memory import Layout, Shape

FULL, OVERLAP = 100, 101  # why steps ended: no room for contacts; bodies in each other at first
MOST_IN_NEWTON = 48  # contacts of an island for which a dense system is solved
MOST_SHARED = 20  # the same: of one that slides, for which the smallest impulses are found
DENSE = 3 * MOST_IN_NEWTON  # its rows

_NUMBERS = (
    "t",  # now
    "step",  # asked for
    "gx",
    "gy",
    "gz",
    "grain",  # a penetration that counts as none [m]
    "overlap",  # one that no start may have [m]
    *collision.NUMBERS,
    "residual",  # the largest natural residual since the last sample [m/s]
    "penetration",  # the largest since the last sample [m]
    "asked",  # residual that islands are solved to; 0: what a number of sweeps reaches [m/s]
    "power",  # of the loads without potential [W]
    *solver.NUMBERS,
)
_COUNTS = (
    "bodies",  # the ground not counted
    "n",  # numbers of a state
    "followers",  # angles of joints, beyond a half turn
    *collision.COUNTS,
    "ties",  # points that joints hold
    "islands",
    "budget",  # steps to make before the next pause
    "samples",
    "filled",  # samples written
    "part",  # steps made since the last sample
    "placed",  # whether contacts are those of the present place
    "solved",  # whether they have the impulses of a step
    "steps",
    "sweeps",
    "newtons",
    "nodes",  # bodies of the island that is solved at once
    "blocks",  # of its matrix
    "most_nodes",
    "most_blocks",
    *solver.COUNTS,
)
_GIVEN = (
    "times",  # (samples,)
    "states",  # (samples, n)
    "y",  # (n,)
    "body",  # (bodies + 1, BODY_WIDTH)
    "motion",  # (bodies + 1, MOTION_WIDTH)
    *collision.GIVEN,
    "tie",  # (ties, TIE_WIDTH)
)
ROOM: dict[str, Shape] = {
    "rates": ("n",),
    **collision.ROOM,
    "shape_place": ("shapes + 1", geometry.PLACED_WIDTH),
    **solver.tables(DENSE, DENSE, 0),  # of an island that is solved at once
    "block": ("most_blocks", 36),
    "block_room": (2, 36),
    "given": ("most_nodes", 6),
}
OF_CONTACTS: dict[str, Shape] = {  # these grow
    "contact": ("capacity", at.CONTACT_WIDTH),  # this and the next are exchanged
    "contact_before": ("capacity", at.CONTACT_WIDTH),
    "along": ("capacity", 3),  # the direction in which impulses go on
    "changed": ("capacity", 3),  # what a sweep changed of them
    **dict.fromkeys(solver.VECTORS, ("capacity", 3)),  # of an island that is solved at once
    "local": ("capacity", 12),  # what a contact does in a step of Newton's method
}
MEMBERS: dict[str, Shape] = {"member": ("capacity",)}  # contacts island by island; this grows too
WHOLES: dict[str, Shape] = {
    "first": ("bodies + 2",),  # of each island among the members
    "island": ("bodies + 1",),  # the number of the island of a root
    "node": ("bodies + 1",),  # the number of a body in its island; −1: none
    "owner": ("most_nodes",),  # the body of a node
    "degree": ("most_nodes",),  # neighbours that are left
    "pivot": ("most_nodes",),  # nodes in the order of elimination
    "later_first": ("most_nodes + 1",),  # where the neighbours of each pivot begin
    "later": ("most_blocks",),  # neighbours that are eliminated later
    "slot": ("most_nodes", "most_nodes"),  # where a block is
}
PILE = Layout(
    _NUMBERS,
    _COUNTS,
    functions=("rate",),  # the accelerations that loads give
    arrays=tuple(dict.fromkeys((*_GIVEN, *ROOM, *OF_CONTACTS))),
    wholes=(*collision.WHOLES, *MEMBERS, *WHOLES),
)
MOST_NODES = 1500  # bodies of an island whose matrix is factorised
NEIGHBOURS = 80  # blocks of each of them, above and below the diagonal
