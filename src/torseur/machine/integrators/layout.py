"""What an integrator remembers: one record of numbers, counts and addresses of arrays.

n is the number of components of the state y, m that of the event functions g.
"""

from torseur.machine.runtime.memory import Layout, Shape

STAGES = 16  # rows of stages: the twelve of the method, the derivative at its end, three for output
TERMS = 7  # rows of the polynomial between two steps
NODES = 4  # most places in a step where constraints act by impulses
# What a leap tells of each element after the state: how its mode changed, 0 where it stayed; how
# long before its end a gap closed by a shock, −1 where none did.
CHANGE, SHOCK = range(2)
HAPPENED = SHOCK + 1
SCANNED = 4  # pieces of a step at whose ends the event functions are looked at

_NUMBERS = (
    "t",  # now
    "h",  # the step to try next; 0 before the first one, unless it is given
    "end",  # when the run ends
    "rtol",
    "max_step",
    "closed",  # the gap of a closed loop
    "stop",  # fraction of the step at which a terminal event ends the run
    "bend",  # how much the rate of change changed in the last step: h |Δẏ| / |Δy|
    "h_done",  # the last step accepted by an implicit method; 0 when there is none
    "error_done",  # its error
    "h_factorised",  # the step of the matrices at hand; 0 when there are none
    "contraction",  # of Newton's iteration, in the last step tried
)
_COUNTS = (
    "n",
    "m",
    "budget",  # steps to try before the next pause
    "samples",
    "filled",  # samples written
    "order",  # of a method that has several
    "pairs",  # coordinates with their momenta, at the head of a state (q, p, …)
    "part",  # steps made since the last sample, by a method of fixed step
    "capacity",  # rows for events
    "recorded",  # rows written
    "started",
    "watched",  # whether the event functions have been looked at
    "trouble",  # code of what was wrong with the last step tried; PAUSED when it was accepted
    "accepted",
    "rejected",
    "evaluations",  # of the derivative
    "patience",  # steps kept short by stability until the run pauses for it; 0: it never does
    "strained",  # such steps so far
    "relaxed",  # steps since the last one
    "jacobian_age",  # 0: to be computed, 1: that of the present state, 2: an older one
    "together",  # steps made with a Jacobian at each stage; 0: one for all
    "iterations",  # of Newton, in the last step tried
    "restraints",  # constraints that impulses hold; 0: none
    "project",  # this and the next two: addresses of other kernels; 0 when nothing needs them
    "watch",
    "impel",
)
# Under impulses: "free" is the rate without reactions, "restraint" the gap g and the rows of
# G = ∂g/∂q, "compliance" G (∂²H/∂p²) Gᵀ.
_FUNCTIONS = (
    *("rate", "project_positions", "project_speeds", "prepare", "act", "settle", "leap"),
    *("events", "rate_derivative", "free", "restraint", "compliance"),
)
_GIVEN = (
    "times",  # (samples,): when y is wanted
    "acting",  # (samples,): 1 where somebody acts on y then; 0 for all, when nobody does
    "limits",  # (samples,): from each on, how far steps may go: until somebody acts
    "states",  # (samples, n): y then
    "atol",  # (n,)
    "usual",  # (n,): what each component usually is
    "most",  # (n,): of each component, how much of it the relative tolerance counts at most
    "grain",  # (n,): what its rounding may open a loop by, for each unit of it
    "y",  # (n,): now
    "direction",  # (m,): −1 falling, +1 rising, 0 both
    "terminal",  # (m,): 1 when the run ends there
    "turning",  # (m,): of one that must not fall below zero, its rate; −2: not known; −1: others
)
ROOM: dict[str, Shape] = {
    "f": ("n",),  # its derivative
    "arrival": ("n",),  # y at the end of the step tried, as the method gives it
    "next_y": ("n",),  # the same, projected
    "next_f": ("n",),  # its derivative
    "inside": ("n",),  # y inside a step
    "stages": (STAGES, "n"),
    "polynomial": (TERMS, "n"),
    "room": ("n + 1",),  # what the projection and the error estimate work in
    "g": ("m",),  # event functions at a point
    "g_before": ("m",),  # at the point before
    "g_after": ("m",),  # at the point after
    "side": ("m",),  # sign of the last value that was not zero
    "root": ("m",),  # where each function changes sign in a piece of a step
    "records": ("capacity", "n + 2"),  # time, index, y of each event
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
    _NUMBERS,
    _COUNTS,
    _FUNCTIONS,
    arrays=dict.fromkeys((*_GIVEN, *ROOM, *OF_IMPULSES, *MATRICES)),
    complexes=COMPLEX_MATRICES,
)
