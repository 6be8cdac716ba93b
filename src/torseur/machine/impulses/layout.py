"""Record of a problem of impulses: its cones, its rows, and room to work in.

A cone is the law of one element: a row that pushes, rows that rub, or both. Its rows are numbered
among those that are solved for.
"""

from torseur.machine.runtime.memory import Shape

# what friction is proportional to: nothing, a row, the size of a joint's load, one load as it is
CONSTANT, OF_ROW, OF_JOINT, OF_LOAD = range(4)

# what rubs may hold, slides in a known direction (or has what a law gives), or slides in any
MAY_HOLD, IS_KNOWN, MUST_SLIDE = range(3)

# how the pressure is spread over a surface that slides and pivots
NO_PATCH, UNIFORM, HERTZ = range(3)

# columns of the table of cones
(
    NORMAL,  # the row that pushes; −1: none
    BOUND,  # its least speed
    FLOOR,  # its least impulse; HELD for a row that pulls too
    COUNT,  # of rows that rub, at most three
    FIRST,  # these rows: this column and the next two
    SECOND,
    THIRD,
    MEAN,  # the mean of their responses
    GRIP,  # the coefficient of friction
    LOAD,  # what friction is proportional to
    FROM,  # the row of a load, −1: it does not push; one load, or the first of a joint
    COMPONENTS,  # of the load of a joint
    ARM,
    FORWARD,  # the constant impulse against a motion forward
    BACKWARD,
    WRAPPED,  # 1 for a rope about a drum, which slides the other way with a smaller coefficient
    LEVEL,  # where impulses have a choice, those of level 0 are made small before those of 1
    ROOM,  # how far below its limit friction stays
    PATCH,  # the pressure of its surface
    SPIN,  # which of the rows that rub is that of pivoting, times the radius
    SLIDING,  # whether it may hold
    HEADING,  # its friction over coefficient × load: this column and the next two
) = range(22)
WIDTH = HEADING + 3
HELD = -1e300

# columns of the table of groups: cones that have nothing to do with those of others
(
    FIRST_ROW,
    ROW_COUNT,
    FIRST_CONE,
    CONE_COUNT,
    IS_UNIQUE,  # 1 where no impulses leave all rows at rest
    RESTS,  # 1 while what acts may go on sticking, as in the step before
) = range(6)
GROUP = RESTS + 1

NUMBERS = ("soft",)  # of the response of a row: what is added to it on the way
COUNTS = (
    "rows",  # the most there can be: the length of a row of the response
    "cones",
)
VECTORS = ("impulse", "unknown", "tried", "kept", "anchor")


def tables(rows: str | int, cones: str | int, loads: str | int) -> dict[str, Shape]:
    """Shapes of the arrays of a problem, but for VECTORS, which have a number for each row."""
    return {
        "cone": (cones, WIDTH),
        "fine": (rows,),  # one over what the speed of a row is compared with
        "response": (rows, rows),  # speeds by impulses
        "root": (rows, rows),  # its Cholesky factor, by `unit`
        "unpushed": (rows,),  # speeds without impulses
        "speed": (rows,),
        "load_response": (loads, rows),  # loads of joints by impulses
        "load_free": (loads,),  # and without them
        "unit": (rows,),  # impulses by which energies of rows are alike
        "weight": (rows,),  # what impulses count by, where they have a choice
        "tangent": (rows, rows),
        "gram": (rows, rows),
        "exchanges": (rows,),
        "room": (rows,),
        "column": (rows,),
        "right": (rows,),
        "found": (rows,),
    }
