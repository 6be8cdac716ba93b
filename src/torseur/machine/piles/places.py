"""Where the numbers of bodies, planes and contacts stand in their tables.

Body 0 is the ground. Codes and indices in tables of doubles are whole numbers, which doubles hold
exactly; so are sets, a bit for each member.
"""

# --- shapes ---
SPHERE, CAPSULE, BOX, NO_SHAPE = range(4)

# --- a body: one row of numbers that stay ---
MASS, INVERSE_MASS = 0, 1
INERTIA, INVERSE_INERTIA = 2, 8  # xx, xy, xz, yy, yz, zz about the centre, in body axes
IS_ROUND = 14  # all moments of inertia are the same
SHAPE = 15
SIZE = 16  # radius; radius, half length, axis of a capsule; half lengths of a box
REACH = 19  # from the centre to its farthest point
PAIRS, PLANES = 20, 21  # sets: in which piles it is, which planes it meets
BODY_WIDTH = 22

# --- a body: one row of numbers of a step, in ground axes ---
V, W = 0, 3  # velocity of the centre, angular velocity: at the end of the step
V_FREE, W_FREE = 6, 9  # at its end if nothing touched
V_START, W_START = 12, 15  # at its start
ATTITUDE = 18  # R, by rows
COMPLIANCE = 27  # the inverse of the inertia
LOW, HIGH = 33, 36  # corners of a box around it
CENTRE = 39
TOUCHES = 42  # whether it has a contact
ROOT = 43  # of its island
HEAD = 44  # the first contact whose first body it is, before the last search; −1: none
PUSH, TORQUE = 45, 48  # accelerations that loads give: of the centre, of ω in body axes
LIFTED, KINETIC = 51, 52  # of the island of a root: energy given by a return, energy of motion
MOTION_WIDTH = 53

# --- a plane of the ground: one row of numbers ---
NORMAL, OFFSET, PLANE_LAW = 0, 3, 4
PLANE_WIDTH = 5

# --- a law: one row of numbers ---
LAW_FRICTION, LAW_RESTITUTION = 0, 1
LAW_WIDTH = 2

# --- a contact: one row of numbers; its normal leads from the second body to the first ---
FIRST, SECOND, FEATURE = 0, 1, 2  # which corner, edge or end of the pair touches
FRICTION, RESTITUTION = 3, 4
GAP = 5
POINT = 6
NEXT = 9  # the next contact of the same first body; −1: none
BOUND = 10  # the least normal speed at the end of the step
SLIP = 11  # speed over friction impulse where it slides
IMPULSE = 12  # normal, then along both tangents
AXES = 15  # normal and tangents, by rows
ARM_A, ARM_B = 24, 33  # r × each axis
TURN_A, TURN_B = 42, 51  # the inverses of the inertias times these
LIGHT_A, LIGHT_B = 60, 61  # inverse masses
D = 62  # speeds by impulses of its own: nn, n1, n2, 11, 12, 22; the tangents are such that
#         12 − n1 n2 / nn = 0
PUSHED = 68  # the impulse on the first body in ground axes
HELD = 71  # of what a joint holds: how many of its axes; 0: a contact
MISS = 72  # how far that is from its place, along each axis
CONTACT_WIDTH = 75

# --- what a joint holds: one row of numbers; a point of the first body, in axes of the second ---
TIE_FIRST, TIE_SECOND, TIE_COUNT = 0, 1, 2
TIE_POINT, TIE_BASE = 3, 6  # from the centres, in body axes
TIE_AXES = 9  # by rows; zero from the count on
TIE_WIDTH = 18

# --- the state of a motion: 13 numbers a body, then these ---
RESIDUAL, PENETRATION, STEP, ASKED, WORK = range(5)  # the work last, as in every state
EXTRA = 5
