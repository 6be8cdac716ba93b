"""Where the numbers of a body stand in its row of the model and in its row of the workspace.

Row 0 is the ground in both, so that no recursion asks whether a body has a carrier. The model row
is 32 doubles, four cache lines; the codes in it are whole numbers, which doubles hold exactly.
"""

# Kinds of joint. An axial joint turns about and slides along z, both in proportion to its one
# coordinate: revolute, prismatic and screw, crossed in either direction.
AXIAL, FIXED, CYLINDRICAL, UNIVERSAL, SPHERICAL, PLANAR, FREE = range(7)

# --- the model: one row a body ---
PARENT = 0  # row of the carrier
KIND = 1
FIRST_Q, FIRST_V = 2, 3  # its first coordinate and its first speed
TURN, SLIDE = 4, 5  # axial: rotation [rad] and translation [m] for a unit of the coordinate
REVERSED, FIRST_AXIS = 4, 5  # others: 1.0 if crossed backwards; axis of F of a universal joint
ROTATION = 6  # R_PF by rows (9)
POSITION = 15  # p_PF (3)
MASS = 18
FIRST_MOMENT = 19  # h (3)
SECOND_MOMENT = 22  # K: xx, xy, xz, yy, yz, zz
REFLECTED = 28  # rotor: ratio² j
SPIN = 29  # rotor: ratio j × axis, in the frame of the carrier (3)
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
U_ANGULAR, U_LINEAR, GAP, D_INVERSE = 12, 15, 18, 19  # I S, what is left of Q, 1 / D
# on the way outward again, where its wrench was
EXTRA_ANGULAR, EXTRA_LINEAR = 21, 24  # accelerations due to the joints
# other kernels, in the place of velocities
VELOCITY = 15  # kinetic energy: of the origin
HELD_M, HELD_H, HELD_K = 12, 13, 16  # composite body: m, h, K
COMPOSITE_WIDTH = 24

# --- the columns of S, one row a speed; only joints that are not axial use them ---
ANGULAR, LINEAR = 0, 3  # the column itself
COLUMN_U_ANGULAR, COLUMN_U_LINEAR, COLUMN_GAP, COLUMN_D_INVERSE = 6, 9, 12, 13
COLUMN_WIDTH = 14
