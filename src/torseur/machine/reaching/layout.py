"""Record of inverse kinematics: counts, functions of q, targets, limits, room."""

from torseur.machine.runtime.memory import Columns, Layout, Shape

_NUMBERS = (
    "length",  # that of the mechanism [m]: distances count as parts of it
    "reached",  # the error at which a target is reached, without dimension
)
_COUNTS = (
    "n",  # speeds
    "nq",  # coordinates
    "loops",  # rows that hold loops closed, before those of the place
    "rows",  # all rows: those of loops, then 3 of a point or 6 of a pose
    "starts",  # postures that are tried, the guess first
    "targets",
    "balls",  # quaternions
    "eases",  # 1 where what the target leaves free goes to the middle
)
# functions of q, called with a table [constants, inputs …, output, room]
FUNCTIONS = (
    "placing",  # the pose of the place (12), then its J (6, n)
    "opening",  # the gap of loops
    "holding",  # J of constraints
    "rates",  # of coordinates, of q and speeds; 0 where coordinates have their own speeds
)
_OUTPUTS = tuple(f"{name}_output" for name in FUNCTIONS)  # the word of the output in each table
GIVEN = (
    "goals",  # (targets, 16): poses [R p; 0 1]; of points the last column counts
    "guesses",  # (starts, nq)
    "low",  # (nq,)
    "high",
    "middle",  # (nq,): where a coordinate should be; not a number where any value will do
    "weight",  # (n,): large where a coordinate may go anywhere to let others be where they should
    "displacement",  # (n,): characteristic displacements
    "gap_size",  # (loops,)
)
WHOLES = (
    "own",  # (n,): the coordinate of each speed; -1 where it has none
    "quaternion",  # (balls,): the first coordinate of each
    "held",  # (loops,): the row of J of each entry of the gap
)
OUTPUT: dict[str, Shape] = {"found": ("targets", "nq"), "residual": ("targets", "rows")}
STEPS: dict[str, Shape] = {"steps": ("targets",)}
ROOM: dict[str, Shape] = {
    "q": ("nq",),
    "trial": ("nq",),
    "eased": ("nq",),
    "rate": ("nq",),
    "placed": ("placed",),
    "gap": ("loops",),
    "J_loops": ("J_loops",),
    "e": ("rows",),
    "e_trial": ("rows",),
    "J": ("rows", "n"),
    "J_trial": ("rows", "n"),
    "step": ("n",),
    "aside": ("n",),
    "free": ("n",),  # 1 where a coordinate may move
    "G": ("rows", "rows"),
    "right": ("rows",),
}
ORDER: dict[str, Shape] = {"order": ("rows",)}

_TABLES = tuple(f"{name}_table" for name in FUNCTIONS)
TABLE = 7  # words: [constants, inputs …, output, room]
REACH = Layout(
    numbers=_NUMBERS,
    counts=(*_COUNTS, *_OUTPUTS),
    helpers=FUNCTIONS,
    arrays=(*GIVEN, *OUTPUT, *ROOM),
    wholes=(*_TABLES, *WHOLES, *STEPS, *ORDER),
    columns=dict.fromkeys(_TABLES, Columns(TABLE, passing=tuple(range(TABLE)))),
)
