"""What lanes remember: one record of numbers, counts and addresses, for each thread one.

n is the number of components of a state, m that of event functions, W that of lanes. Arrays over
lanes have them last, so that a number of all lanes is one vector.
"""

import numpy as np

from torseur.machine.runtime.run_record import STAGES, TERMS

_NUMBERS = (
    "end",  # when all motions end
    "rtol",
    "max_step",
    "closed",  # the gap of a closed loop
    "step",  # of a method of fixed step
)
_COUNTS = (
    "n",
    "m",
    "rows",
    "samples",
    "budget",  # steps of all lanes before the next pause
    "tried",  # steps of all lanes so far
    "patience",  # steps kept short by stability until a motion is left to others; 0: never
    "inputs",  # components at the end of the state that are given anew at every sample
    "capacity",  # rows for events
    "recorded",  # rows written
    "busy",  # lanes with a motion
    "act",  # the function that acts on a row at instants; 0: there is none
    "act_table",  # and its table [record of the row, alone, act_clock, acted]
    "loops",  # (rows): the records by which it acts
    "acting",  # (samples): whether it acts there
)
# Of every function: its entry and its table [constants, y, t, output]; what makes its constants,
# the table of that [values, constants of one row], how many they are, and where values are given:
# from row to row a stride of 0 says that they are the same.
FUNCTIONS = ("rate", "project_positions", "project_speeds", "events", "energy")
PARTS = ("", "_table", "_make", "_make_table", "_count", "_values", "_stride")
# (rows …) of all motions, shared by all threads
_SHARED = (
    "counter",  # (1,): the next row that nobody moves, a whole number
    "times",  # (samples,)
    "starts",  # (rows, n)
    "row_atol",  # (rows or 1, n)
    "row_usual",  # (rows or 1, n)
    "row_grain",  # (rows or 1, n)
    "given",  # (rows or 1, samples, inputs)
    "states",  # (rows, samples, n)
    "codes",  # (rows,): why each ended
    "ended",  # (rows,): when
    "last",  # (rows, n): the state then
    "steps",  # (rows, 2): accepted, rejected
    "balance",  # (rows, 3): largest error of the energy, energy exchanged, energies themselves
)
_STRIDES = ("size_stride", "given_stride")  # 0 where one row stands for all
LANE = (  # (W,)
    *("row", "t", "h", "ahead", "length", "clock", "filled", "trouble", "retried"),
    *("accepted", "rejected", "strained", "relaxed", "mark_t", "mark_steps"),
    *("error", "third", "coarse", "mask", "active", "x", "stop", "ending", "gap", "noise"),
    *("first_energy", "first_potential", "lost", "exchanged", "largest", "part"),
    *("pending", "before", "open", "at_end"),
)
OF_STATE = (  # (n, W)
    *("y", "f", "arrival", "next_y", "next_f", "inside", "between", "kept"),
    *("atol", "usual", "most", "grain"),
)
OF_EVENTS = ("g", "g_before", "g_after", "side", "root")  # (m, W)
# alone and acted: (n,), the state of one row before and after somebody acts; act_clock: (1,)
# room: (n + 1, W); stages: (STAGES, n, W); polynomial: (TERMS, n, W); energies: (2, W);
# direction and terminal: (m,); records: (capacity, 3 + n): row, time, index, state
_OTHERS = ("room", "stages", "polynomial", "energies", "direction", "terminal", "records")
_ACTED = ("alone", "acted", "act_clock")

LANES = np.dtype(
    [(name, np.float64) for name in _NUMBERS]
    + [(name, np.int64) for name in (*_COUNTS, *_STRIDES)]
    + [(name + part, np.int64) for name in FUNCTIONS for part in PARTS]
    + [(name, np.int64) for name in (*_SHARED, *LANE, *OF_STATE, *OF_EVENTS, *_OTHERS, *_ACTED)],
    align=True,
)


def room(n: int, m: int, lanes: int, capacity: int) -> dict[str, tuple[int, ...]]:
    """The shapes of the arrays that belong to one thread."""
    shapes: dict[str, tuple[int, ...]] = dict.fromkeys(LANE, (lanes,))
    shapes |= dict.fromkeys(OF_STATE, (n, lanes)) | dict.fromkeys(OF_EVENTS, (m, lanes))
    return shapes | {
        "room": (n + 1, lanes),
        "stages": (STAGES, n, lanes),
        "polynomial": (TERMS, n, lanes),
        "energies": (2, lanes),
        "records": (capacity, 3 + n),
        "alone": (n,),
        "acted": (n,),
        "act_clock": (1,),
    }
