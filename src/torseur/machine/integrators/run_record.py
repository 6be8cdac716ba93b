"""Record of an integrator: numbers, counts and addresses of arrays, for each thread one.

n is the number of components of the state y, m that of event functions g, W that of lanes: a single
motion is one row in one lane. Arrays over lanes have them last, so that a number of all lanes is
one vector. Steppers that have one lane read these arrays as those of their motion.
"""

from torseur.machine.runtime.memory import Columns, Layout, Shape

STAGES = 16  # rows of stages: the twelve of the method, the derivative at its end, three for output
TERMS = 7  # rows of the polynomial between two steps
NODES = 4  # most places in a step where constraints act by impulses
# What a leap tells of each element after the state: how its mode changed, 0 where it stayed; how
# long before its end a gap closed by a shock, −1 where none did.
CHANGE, SHOCK = range(2)
HAPPENED = SHOCK + 1
SCANNED = 4  # pieces of a step at whose ends the event functions are looked at

_NUMBERS = (
    "end",  # when all motions end
    "rtol",
    "max_step",
    "closed",  # the gap of a closed loop
    "step",  # of a method of fixed step
    "first",  # the first step of a method with control of the error; 0: it is guessed
)
_NUMBERS_OF_RADAU = (
    "h_done",  # the last step accepted; 0 when there is none
    "error_done",  # its error
    "h_factorised",  # the step of the matrices at hand; 0 when there are none
    "contraction",  # of Newton's iteration, in the last step tried
)
_COUNTS = (
    "n",
    "m",
    "rows",
    "samples",
    "budget",  # steps of all lanes before the next pause
    "evaluations",  # of the derivative, in all lanes at once
    "patience",  # steps kept short by stability until a motion pauses for it; 0: it never does
    "acts",  # 1 where y changes at instants, 0 where nobody acts
    "inputs",  # components of the state that are given
    "after",  # components that stand behind those
    "capacity",  # rows for events
    "recorded",  # rows written
    "busy",  # lanes with a motion
    "anew",  # lanes with one that goes on from an event as from a start
    "functions",  # how many have constants of each row
    *("size_stride", "given_stride"),  # 0 where one row stands for all
)
_COUNTS_OF_RADAU = (
    "jacobian_age",  # 0: to be computed, 1: that of the present state, 2: an older one
    "together",  # steps made with a Jacobian at each stage; 0: one for all
    "iterations",  # of Newton, in the last step tried
)
_COUNTS_OF_SYMPLECTIC = (
    "order",
    "pairs",  # coordinates with their momenta, at the head of a state (q, p, …)
    "restraints",  # constraints that impulses hold; 0: none
)
# In all lanes at once, each with constants for every row:
FUNCTIONS = ("rate", "project_positions", "project_speeds", "events", "energy", "prepare")
# Of one row at a time. Under impulses: "free" is the rate without reactions, "restraint" the gap g
# and the rows of G = ∂g/∂q, "compliance" G (∂²H/∂p²) Gᵀ.
OF_ONE_ROW = ("act", "settle", "leap", "rate_derivative", "free", "restraint", "compliance")
# (functions,): of each, what makes its constants, the table of that [values, constants of one row],
# how many they are, where values are given, how far apart those of two rows are (0: they are the
# same), and where the constants of all lanes go.
MAKE, MAKE_TABLE, COUNT, VALUES, STRIDE, CONSTANTS = range(6)
MAKING_WIDTH = 6
# (rows …) of all motions, shared by all threads
_SHARED = (
    "times",  # (samples,): when y is wanted
    "acting",  # (samples,): 1 where somebody acts on y then
    "limits",  # (samples,): from each on, how far steps may go: until somebody acts
    "starts",  # (rows, n)
    "row_atol",  # (rows or 1, n)
    "row_usual",  # (rows or 1, n): what each component usually is
    "row_grain",  # (rows or 1, n): what its rounding may open a loop by, for each unit of it
    "given",  # (rows or 1, samples, inputs)
    "states",  # (rows, samples, n)
    "ended",  # (rows,): when each ended
    "last",  # (rows, n): the state then
    "balance",  # (rows, 3): largest error of the energy, energy exchanged, energies themselves
)
_SHARED_WHOLES = (
    "counter",  # (1,): the next row that no lane has taken
    "codes",  # (rows,): why each ended
    "steps",  # (rows, 3): accepted, rejected, samples written
    "loops",  # (rows,): the records by which somebody acts
)
_EVENTS = (  # (m,)
    "direction",  # −1 falling, +1 rising, 0 both
    "terminal",  # 1 when a motion ends there
    "turning",  # of one that must not fall below zero, its rate; −2: not known; −1: others
)
LANE = (  # (W,)
    "row",  # that a lane moves; −1: none
    *("t", "h", "ahead", "length"),  # time; next step; end and length of this one
    *("part", "since"),  # steps of fixed length since when
    *("filled", "accepted", "rejected"),  # samples written, steps
    *("trouble", "retried"),  # code of what was wrong with the last step; whether something was
    *("strained", "relaxed"),  # steps kept short by stability; steps since the last one
    "bend",  # how much the rate of change changed in the last step looked at: h |Δẏ| / |Δy|
    *("mark_t", "mark_steps"),  # where its pace was last judged
    "watched",  # whether event functions have been looked at
    *("ending", "stop", "event"),  # why, when and by which function a motion ends in this step
    "begins",  # whether it goes on from an event as from a start
    *("clock", "x"),  # time, and fraction of the step, of an evaluation
    *("error", "third", "coarse", "noise", "gap"),
    *("mask", "active", "pending", "before", "at_end", "open"),  # which lanes
    *("first_energy", "first_potential", "lost", "exchanged", "largest"),
)
OF_STATE = (  # (n, W)
    *("y", "f"),  # now
    "arrival",  # y at the end of the step tried, as the method gives it
    *("next_y", "next_f"),  # the same, projected
    *("inside", "between", "kept"),  # inside a step; differences; y at an event
    *("atol", "usual", "grain"),
    "most",  # how much of a component the relative tolerance counts at most
)
OF_EVENTS = ("g", "g_before", "g_after", "side", "root")  # (m, W)
ROOM: dict[str, Shape] = {
    "room": ("n + 1", "W"),
    "stages": (STAGES, "n", "W"),
    "polynomial": (TERMS, "n", "W"),
    "energies": (2, "W"),
    "records": ("capacity", "n + 3"),  # row, time, index, state of each event
    "alone": ("n",),  # the state of one row before somebody acts
    "acted": ("n + 1",),  # and after
}
OF_IMPULSES: dict[str, Shape] = {
    "impulses": (2, NODES, "restraints"),  # at the nodes of a step, and of the one before
    "restrained": (NODES, "restrained"),  # g and G there
    "real_factors": ("restraints", "restraints"),  # of the compliance, by columns
    "exchanges": ("restraints",),  # of its rows
}
MATRICES: dict[str, Shape] = {  # of implicit methods, by columns but for the first
    "jacobian": ("n", "n"),  # ∂ẏ/∂y
    "real_factors": ("n", "n"),
    "exchanges": (2, "n"),  # of the rows of these and of the complex ones
    "all_factors": ("3 n", "3 n"),
    "all_exchanges": ("3 n",),
    "all_room": ("3 n",),
}
COMPLEX_MATRICES: dict[str, Shape] = {"complex_factors": ("n", "n"), "solution": ("n",)}

RUN = Layout(
    (*_NUMBERS, *_NUMBERS_OF_RADAU),
    (*_COUNTS, *_COUNTS_OF_RADAU, *_COUNTS_OF_SYMPLECTIC),
    (*FUNCTIONS, *OF_ONE_ROW),
    arrays=dict.fromkeys((*_SHARED, *_EVENTS, *LANE, *OF_STATE, *OF_EVENTS,
                          *ROOM, *OF_IMPULSES, *MATRICES)),
    wholes=(*_SHARED_WHOLES, "making"),
    complexes=COMPLEX_MATRICES,
    helpers=("impel",),  # the kernel of impulses
    columns={
        "making": Columns(MAKING_WIDTH, (MAKE_TABLE, VALUES, CONSTANTS), (MAKE,)),
        "loops": Columns(1, (0,)),
    },
)  # fmt: skip
