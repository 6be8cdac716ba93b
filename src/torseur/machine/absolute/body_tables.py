"""Where the numbers of bodies, rows, measures and elements stand in their tables.

Body 0 is the ground. Codes and indices in tables of doubles are whole numbers, which doubles hold
exactly.
"""

from torseur.machine.absolute import body_tables as at
from torseur.machine.runtime.memory import Columns, Layout, Shape

# what the kernel is asked for
RATE, CLOSE, CALM, REPORT, WATCH, CHOOSE = range(6)
LOADS = 6  # forces and couples on bodies that no row holds, in the place of accelerations

# --- pivots of rows, relative to what bodies gave to them: squares of the sine of an angle between
# a row and the rows before ---
REPEATED = 3e-8  # at a closed state: that of a row that says what others say, or less
RANK = 1e-10  # the least one that may be told from rounding, which smaller ones before it enlarge

# --- the choice of rows: one row of numbers ---
FOLLOWS = 0  # 1 where rows have been chosen
TRIED = 1  # the pivot that is asked for while rows are being chosen
LEVEL = 2  # the pivot that all chosen rows had
LOOKS, STALE = 3, 4  # 1: the next rate looks at its pivots; the choice no longer serves
AGE, PASSED = 5, 6  # steps since the last choice; places passed where more rows repeat others
LEFT_OUT, CHOICES = 7, 8  # how many rows do not count; how often they were chosen
CHOICE_WIDTH = 9

# --- the state of a body: 13 numbers ---
POSITION, ATTITUDE, VELOCITY, SPIN = 0, 3, 7, 10  # of the centre; quaternion; ω in body axes
STATE = 13

# --- a body: one row of numbers ---
MASS = 0
INERTIA = 1  # xx, xy, xz, yy, yz, zz about the centre, in body axes
BODY_WIDTH = 8

# --- a body in a set of rows: one row of whole numbers ---
SLOT_BODY, SLOT_NODE, SLOT_BLOCK, SLOT_UPRIGHT = 0, 1, 2, 3  # UPRIGHT: the block is J itself
SLOT_WIDTH = 4

# --- a measure: one row of whole numbers ---
TURN, SLIDE, SPIN_ONLY, GIVEN = range(4)
MEASURE_KIND, FOLLOWER, SPOKEN, PLACE = range(4)  # PLACE: of its row among what joints give
BODY_I, BODY_J = 4, 5
MEASURE_WIDTH = 6

# --- its row now, as the code of its joint gives it ---
READ = 0  # a distance, the sine of an angle, or how far the follower of a given one is behind
COSINE, MEASURE_BIAS = 1, 2
J_I, J_J = 3, 9  # on the speeds of both bodies, zero for the ground
READING_WIDTH = 15

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
ENTRY, CONSTANTS, BODIES, MEASURES, NUMBERS, INSTANCES, INDEX, NUMBER = range(8)
OUTPUTS, GIVES = 8, 9  # how many an instance has; where those of joints begin
GROUP_WIDTH = 10
# An instance has, in the table of indices, its bodies and its measures. Before them, rows have the
# set they belong to, the first of them, how many they are and how many of these hold positions;
# after them, the slots of the bodies, and two for each measure.
EL_NODE, EL_ROW, EL_ROWS, EL_POSITIONS, EL_HEAD = range(5)
GAP, DRIFT, BIAS, PARTIALS = 0, 1, 2, 3  # of a row that an element gives


# --- the record of a mechanism in absolute coordinates --------------------------------------------


_COUNTS = (
    "task",
    "writes",  # whether rows are written into the matrix, or only what they ask for
    "bodies",  # the ground not counted
    "followers",  # angles, beyond a half turn, and coordinates of defined joints
    "rows",  # sets of constraint rows
    "slots",  # bodies in sets of rows
    "measures",
    "rotors",
    "pairs",  # of bodies in sets of rows that enter the mass of a light body
    "blocks",
    "joint_groups",
    "row_groups",
    "load_groups",
    "watch_groups",
)
_NUMBERS = ("gx", "gy", "gz")
_TABLES = (
    "body",  # (bodies + 1, BODY_WIDTH)
    "rotor",  # (rotors, ROTOR_WIDTH)
    "fineness",  # (rows, 6): one over what each row is compared with, zero where there is none
    "weight",  # (rows, 6): σ of each row of such a set
    # elements
    "constants",
    "inputs",  # values and speeds of measures
    "output",
)
ELIMINATION = ("order", "diagonal", "first", "touched", "block", "target")
_TABLES_OF_WHOLES = (
    "slot",  # (slots, SLOT_WIDTH)
    "measure",  # (measures, MEASURE_WIDTH)
    "pair",  # (pairs, WEIGHT_WIDTH)
    # elements
    "groups",  # (of joints, rows, loads, then events; GROUP_WIDTH)
    "indices",
    "table",  # addresses
    *ELIMINATION,
)
# What the kernel works in: shapes, by counts; a node is a body or a set of rows.
ROOM: dict[str, Shape] = {
    "extra": ("bodies", 6),  # forces and couples that a report adds to all others
    "right": ("rows", 6),  # what the rows ask for
    "drift": ("rows", 6),  # the part of their speed that time alone causes
    "measured": ("measures", 2),  # value and speed
    "joined": ("joined",),  # what joints give
    "matrix": ("blocks", 36),  # rows, then masses, then factors
    "inverses": ("nodes", 6),
    "scale": ("nodes", 6),  # size of a pivot before anything is taken away from it
    "unknown": ("nodes", 6),
    "kept": (2,),  # the factors are of a state whose gap² was this, at this time
    "chosen": ("rows", 6),  # 1 for a row that counts, 0 for one that repeats others
    "choice": (at.CHOICE_WIDTH,),
    "least": (6,),  # of one node: what its pivots must be larger than
    "pivot": (6,),  # of one node
}

MODEL = Layout(
    _NUMBERS,
    _COUNTS,
    arrays=(*_TABLES, *ROOM),
    wholes=_TABLES_OF_WHOLES,
    columns={
        "groups": Columns(at.GROUP_WIDTH, addresses=(at.CONSTANTS,), functions=(at.ENTRY,)),
        "table": Columns(1, passing=(0,)),
    },
)
