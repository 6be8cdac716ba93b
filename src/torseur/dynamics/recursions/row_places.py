"""Where the numbers of a body stand in its row of the model and in its row of the workspace.

Row 0 is the ground in both, so that no recursion asks whether a body has a carrier. The model row
is 32 doubles, four cache lines; the codes in it are whole numbers, which doubles hold exactly.
"""

# Elementary freedoms of a joint. Each is 1 + the axis + 3 × what it does, or a ball; those of a
# joint are the digits of a number, the last freedom first. An axial joint turns about and slides
# along z, both in proportion to its one coordinate: it has the number −1.
SLIDES, TURNS, WINDS = range(3)
BALL = 10
FREEDOM_BITS = 4
AXIAL = -1

# --- the model: one row a body ---
PARENT = 0  # row of the carrier
FREEDOMS = 1
FIRST_Q, FIRST_V = 2, 3  # its first coordinate and its first speed
LAST_Q = 2  # joints that are not axial: their last coordinate
TURN, SLIDE = 4, 5  # axial: rotation [rad] and translation [m] for a unit of the coordinate
REVERSED, COUNT = 4, 5  # others: 1.0 if crossed backwards; how many speeds
ROTATION = 6  # R_PF by rows (9)
POSITION = 15  # p_PF (3)
MASS = 18
FIRST_MOMENT = 19  # h (3)
SECOND_MOMENT = 22  # K: xx, xy, xz, yy, yz, zz
REFLECTED = 28  # rotor: ratio² j
SPIN = 29  # rotor: ratio j × axis, in the frame of the carrier (3)
LEAD = 29  # joints that are not axial have no rotor: leads of helices, the last one first (3)
MODEL_WIDTH = 32

# --- the ground's row of the model ---
BODIES, COORDINATES, SPEEDS = 0, 1, 2
GRAVITY = 3  # the field in ground axes (3)

# --- the workspace: one row a body ---
R = 0  # R_PM by rows (9)
P = 9  # p_PM (3)
W, DW, ACC = 12, 15, 18  # angular velocity and acceleration, acceleration of the origin
COUPLE, FORCE = 21, 24  # the wrench the body needs from its joint, at its origin
INVERSE_WIDTH = 28
A, B, C = 27, 33, 42  # articulated inertia: A and C as K above, B by rows
FORWARD_WIDTH = 48
# on the way inward, where the velocities of a body were, what its axial joint needs afterwards
SOLVED = 6  # from here on as in a row of the columns of S
# on the way outward again, where its wrench was
EXTRA_ANGULAR, EXTRA_LINEAR = 21, 24  # accelerations due to the joints
# other kernels, in the place of velocities
VELOCITY = 15  # kinetic energy: of the origin
HELD_M, HELD_H, HELD_K = 12, 13, 16  # composite body: m, h, K
COMPOSITE_WIDTH = 24
# in the ground: R, P, W, DW and the wrench as above, in its axes and at its origin
SLIDING = 18  # linear part of the rate of the twist
STREAM = 27  # linear part of the twist: velocity of the body where the origin of the ground is
OWN_H, OWN_K = 30, 33  # of the body alone
WHOLE_M, WHOLE_H, WHOLE_K = 39, 40, 43  # of the body with all that it carries
MOMENTUM, SWEPT = 49, 52  # of the same: Σ m ṙ, and 2 Σ m ((r · ṙ) 1 − ṙ rᵀ) by rows
OUTERMOST, LEVEL = 61, 62  # on the way from the ground: the last speed, −1 if none; how many
GROUND_WIDTH = 64

# --- the columns of S, one row a speed; only joints that are not axial use them ---
ANGULAR, LINEAR = 0, 3  # the column itself
U_ANGULAR, U_LINEAR, GAP, D_INVERSE = 6, 9, 12, 13  # I S, what is left of Q, 1 / D
COLUMN_WIDTH = 14

# --- motions in the ground, one row a speed: each an angular part, then a linear one ---
MOTION = 0  # the column of S
CARRIED = 6  # its rate, were it fixed in what carries the freedom
CARRIED_TWICE = 12  # the rate of that, in the same sense
SHARED = 18  # the rate of the column and CARRIED together
BEFORE = 24  # the speed just before it on the way to the ground; −1: none
RANK = 25  # how many there are before it
MOTION_WIDTH = 26
