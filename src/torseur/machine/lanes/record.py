"""What lanes remember: one record of numbers, counts and addresses, for each thread one.

n is the number of components of a state, m that of event functions, W that of lanes. Arrays over
lanes have them last, so that a number of all lanes is one vector.
"""

from torseur.machine.integrators.layout import STAGES, TERMS
from torseur.machine.runtime.memory import Layout, Shape

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
    "counter",  # the address of the next row that nobody moves, of all threads
    "functions",  # how many have constants
    *("size_stride", "given_stride"),  # 0 where one row stands for all
)
# The last one acts on a row at instants: its constants are the record of the row.
FUNCTIONS = ("rate", "project_positions", "project_speeds", "events", "energy", "act")
# (functions,): of each but the last, what makes its constants, the table of that [values, constants
# of one row], how many they are, where values are given, how far apart those of two rows are (0:
# they are the same), and where the constants of all lanes go.
MAKE, MAKE_TABLE, COUNT, VALUES, STRIDE, CONSTANTS = range(6)
MAKING_WIDTH = 6
# (rows …) of all motions, shared by all threads
_SHARED = (
    "times",  # (samples,)
    "starts",  # (rows, n)
    "row_atol",  # (rows or 1, n)
    "row_usual",  # (rows or 1, n)
    "row_grain",  # (rows or 1, n)
    "given",  # (rows or 1, samples, inputs)
    "states",  # (rows, samples, n)
    "ended",  # (rows,): when each ended
    "last",  # (rows, n): the state then
    "balance",  # (rows, 3): largest error of the energy, energy exchanged, energies themselves
)
_SHARED_WHOLES = (
    "codes",  # (rows,): why each ended
    "steps",  # (rows, 2): accepted, rejected
)
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
ROOM: dict[str, Shape] = {
    **dict.fromkeys(LANE, ("W",)),
    **dict.fromkeys(OF_STATE, ("n", "W")),
    **dict.fromkeys(OF_EVENTS, ("m", "W")),
    "room": ("n + 1", "W"),
    "stages": (STAGES, "n", "W"),
    "polynomial": (TERMS, "n", "W"),
    "energies": (2, "W"),
    "records": ("capacity", "n + 3"),  # row, time, index, state
    "alone": ("n",),  # the state of one row before somebody acts
    "acted": ("n",),  # and after
}
LANES = Layout(
    _NUMBERS,
    _COUNTS,
    FUNCTIONS,
    arrays=(*_SHARED, *ROOM, "direction", "terminal", "acting"),  # of events (m,); (samples,)
    wholes=(*_SHARED_WHOLES, "loops", "making"),  # (rows,): the records by which somebody acts
)
