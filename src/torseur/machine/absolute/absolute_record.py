"""Record of a mechanism in absolute coordinates: counts, numbers and arrays."""

from torseur.machine.absolute import body_tables as at
from torseur.machine.runtime.memory import Columns, Layout, Shape

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
