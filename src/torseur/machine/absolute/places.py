"""Where the numbers of bodies, rows, measures and elements stand in their tables.

Body 0 is the ground. Codes and indices in tables of doubles are whole numbers, which doubles hold
exactly.
"""

# what the kernel is asked for
RATE, CLOSE, CALM, REPORT, WATCH = range(5)

# --- the state of a body: 13 numbers ---
POSITION, ATTITUDE, VELOCITY, SPIN = 0, 3, 7, 10  # of the centre; quaternion; ω in body axes
STATE = 13

# --- a body: one row of numbers ---
MASS = 0
INERTIA = 1  # xx, xy, xz, yy, yz, zz about the centre, in body axes
BODY_WIDTH = 8

# --- where a body is now: one row of the workspace ---
R = 0  # from body axes to ground axes, by rows (9)
CENTRE, SPEED, OMEGA = 9, 12, 15  # ground axes
LOCAL_OMEGA = 18  # body axes
HERE_WIDTH = 24

# --- an elementary constraint: one row of numbers ---
COINCIDENT, APART, ORTHOGONAL, IN_PLANE, THREADED = range(5)
KIND, ROW = 0, 1  # the first of its rows in the node
P_I, U_I, P_J, U_J = 2, 5, 8, 11  # points from the centres and directions, body axes
B_I, C_I = 14, 17  # a thread: the two axes of F that follow its own
LENGTH, SCALE = 20, 21  # distance and its inverse; lead and its inverse
PART_WIDTH = 22

# --- a set of rows: one row of whole numbers ---
FIRST_BODY, SECOND_BODY = 0, 1  # of a joint; 0 is the ground
FIRST_SLOT, SECOND_SLOT = 2, 3  # of its Jacobian; −1 for the ground
FIRST_PART, LAST_PART = 4, 5  # elementary constraints
NODE_WIDTH = 6

# --- a body in a set of rows: one row of whole numbers ---
SLOT_BODY, SLOT_NODE, SLOT_BLOCK, SLOT_UPRIGHT = 0, 1, 2, 3  # UPRIGHT: the block is J itself
SLOT_WIDTH = 4

# --- a measure: one row of numbers ---
TURN_I, TURN_J, SLIDE, GIVEN = range(4)
MEASURE_KIND, BODY_I, BODY_J, FOLLOWER, SPOKEN, FACTOR = range(6)
AXIS = 6  # body axes, of the body it is fixed in (3)
SINE_I, SINE_J, COSINE_I, COSINE_J = 9, 12, 15, 18  # a turn
FROM, TO = 9, 12  # a slide: points from the centres
GUIDE = 9  # a coordinate of a defined joint: its row in the workspace
MEASURE_WIDTH = 21

# --- the row of such a coordinate now, as its code gives it ---
G_VALUE, G_BIAS, G_N, G_A_I, G_A_J = 0, 1, 2, 5, 8  # G_VALUE: how far its follower is behind
GUIDE_WIDTH = 11

# --- a rotor: one row of numbers ---
ROTOR_MEASURE = 0  # of the speed it multiplies
REFLECTED, COUPLED = 1, 2  # ratio² j; ratio × j if it has an axis
EPSILON = 3  # its axis, in the axes of the first body of the measure (3)
BLOCK_I, BLOCK_J, BLOCK_IJ, J_IS_LATER = 6, 7, 8, 9  # of its bodies; −1 for the ground
ROTOR_WIDTH = 10

# --- two bodies in a set of rows whose J enters the mass of one that is light: whole numbers ---
LATER, EARLIER, BOTH = 0, 1, 2  # slots, the one of the body that goes later first; their block
WEIGHT_WIDTH = 3

# --- a group of elements with the same code: one row of whole numbers ---
ENTRY, CONSTANTS, BODIES, MEASURES, NUMBERS, INSTANCES, INDEX, NUMBER, OUTPUTS = range(9)
GROUP_WIDTH = 9
# An instance has, in the table of indices, its bodies and its measures. Before them, rows have the
# set they belong to, the first of them, how many they are and how many of these hold positions;
# after them, the slots of the bodies, and two for each measure.
EL_NODE, EL_ROW, EL_ROWS, EL_POSITIONS, EL_HEAD = range(5)
GAP, DRIFT, BIAS, PARTIALS = 0, 1, 2, 3  # of a row that an element gives
