"""What the kernel knows of a pile and of its run: one record of numbers, counts and addresses."""

import numpy as np

from torseur.machine.piles import places as at

MOST_IN_NEWTON = 48  # contacts of an island for which a dense system is solved
CORNERS = 16  # most corners of a face of a box clipped by the sides of another

_NUMBERS = (
    "t",  # now
    "step",  # asked for
    "gx",
    "gy",
    "gz",
    "grain",  # a penetration that counts as none [m]
    "overlap",  # one that no start may have [m]
    "margin",  # a gap within which two bodies may meet in a step [m]
    "residual",  # the largest natural residual since the last sample [m/s]
    "penetration",  # the largest since the last sample [m]
    "asked",  # residual that islands are solved to; 0: what a number of sweeps reaches [m/s]
    "power",  # of the loads without potential [W]
    "soft",  # of the response of a contact: what a proximal point adds to it
)
_COUNTS = (
    "bodies",  # the ground not counted
    "n",  # numbers of a state
    "followers",  # angles of joints, beyond a half turn
    "planes",
    "ties",  # points that joints hold
    "sorted",  # bodies that may meet others
    "axis",  # along which they are sorted
    "capacity",  # of the tables of contacts
    "contacts",  # found at the present place
    "before",  # found at the place before, with their impulses
    "full",  # whether contacts were found that have no room
    "islands",
    "budget",  # steps to make before the next pause
    "samples",
    "filled",  # samples written
    "part",  # steps made since the last sample
    "placed",  # whether contacts are those of the present place
    "solved",  # whether they have the impulses of a step
    "rate",  # the address of the accelerations that loads give, 0: there are none
    "rate_table",
    "steps",
    "sweeps",
    "newtons",
    "nodes",  # bodies of the island that is solved at once
    "blocks",  # of its matrix
    "most_nodes",
    "most_blocks",
)
_ARRAYS = (
    "times",  # (samples,)
    "states",  # (samples, n)
    "y",  # (n,)
    "rates",  # (n,)
    "body",  # (bodies + 1, BODY_WIDTH)
    "motion",  # (bodies + 1, MOTION_WIDTH)
    "plane",  # (planes, PLANE_WIDTH)
    "law",  # (laws, LAW_WIDTH)
    "tie",  # (ties, TIE_WIDTH)
    "order",  # (sorted,): bodies by their lower corner, whole numbers
    "contact",  # (capacity, CONTACT_WIDTH)
    "contact_before",  # (capacity, CONTACT_WIDTH)
    "member",  # (capacity,): contacts island by island, whole numbers
    "along",  # (capacity, 3): the direction in which impulses go on
    "changed",  # (capacity, 3): what a sweep changed of them
    "first",  # (bodies + 2,): of each island among the members, whole numbers
    "island",  # (bodies + 1,): the number of the island of a root, whole numbers
    "corners",  # (2, CORNERS, 3): of a face that is clipped
    "compliance",  # (3 MOST_IN_NEWTON)²: speeds by impulses
    "tangent",  # the same: of the equations of Newton's method
    "exchanges",  # (3 MOST_IN_NEWTON,)
    "room",  # (3 MOST_IN_NEWTON,)
    "impulse",  # (3 capacity,): of an island that is solved at once
    "unknown",  # (3 capacity,)
    "tried",  # (3 capacity,)
    "kept",  # (3 capacity,)
    "anchor",  # (3 capacity,): impulses that a proximal point is near to
    "local",  # (capacity, 12): what a contact does in a step of Newton's method
    "node",  # (bodies + 1,): the number of a body in its island; −1: none; whole numbers, as follow
    "owner",  # (bodies,): the body of a node
    "degree",  # (bodies,): neighbours that are left
    "pivot",  # (bodies,): nodes in the order of elimination
    "later_first",  # (bodies + 1,): where the neighbours of each pivot begin
    "later",  # (most_blocks,): neighbours that are eliminated later
    "slot",  # (most_nodes²,): where a block is
    "block",  # (most_blocks, 36)
    "block_room",  # (2, 36)
    "given",  # (6 most_nodes,)
)
PILE = np.dtype(
    [(name, np.float64) for name in _NUMBERS] + [(name, np.int64) for name in (*_COUNTS, *_ARRAYS)],
    align=True,
)
WIDTHS = {"contact": at.CONTACT_WIDTH, "contact_before": at.CONTACT_WIDTH}  # of what is exchanged
SOLVED = {"impulse": 3, "unknown": 3, "tried": 3, "kept": 3, "anchor": 3, "local": 12}  # grow too
MOST_NODES = 1500  # bodies of an island whose matrix is factorised
NEIGHBOURS = 80  # blocks of each of them, above and below the diagonal
