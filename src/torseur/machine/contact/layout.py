"""Record of the contacts for the kernel, and the columns of its tables."""

from torseur.machine.impulses import layout as solver
from torseur.machine.runtime.memory import Layout, Shape

# tasks of a state: rates, returns, event functions, forces; elements as they are seen
RATE, CLOSE, CALM, EVENTS, FORCES, LOOK, TURN = range(7)
SEE = 7  # with all rows; output (1,): the element deepest inside, or −1
CHOOSE = 8  # the modes of the state; output (1,): the verdict
CHECK = 9  # output (1,): the first element that breaks its law, or −1
SETTLE = 10  # an event, an act or a start
PART, EVERY = 11, 12  # roles and islands of rows by the modes of the table; of every row
STAND = 13  # speeds of parts that stand still become zero
STEP = 14  # of Moreau and Jean, by a kernel of its own

# instead of an event function: somebody acted on a state, or a motion starts
AFTER_ACT, AT_START = -1, -2

# what happens at an event: its cause, or a line of the table of notes
TOUCH, LIFT, LIMIT, END, ACTED, SHOCK, CHANGE, SHARE, CHOICE = range(9)

# the verdict on an event: the state goes on, or why it cannot
(
    NO_MODES,  # none agrees with the laws
    SETTLED,
    SEVERAL_MODES,  # that move differently
    INSIDE,  # bodies start inside each other
    BROKEN_LAW,  # at the end of a stretch
    MANY_SHOCKS,  # in one instant
    MANY_EVENTS,  # in almost no time
    NO_ROOM,  # in the table of notes
    NOT_OF_ELEMENTS,  # an event of the mechanism itself
) = range(9)

# columns of the table of notes; the state follows
(
    WHEN,  # [s]
    WHICH,  # element
    CAUSE,
    EFFECT,  # the mode of the element from there on
    NUMBER,  # the impulse of a shock, or the share of its restitution
) = range(5)
NOTED = NUMBER + 1
MOST_EVENTS = 1000  # without progress: more would go on for ever
TRIED = 200  # sets of modes that a search remembers

# what steps tell, after the state: of all steps so far
(
    RESIDUAL,  # the largest natural residual, in sizes of rows a second
    PENETRATION,  # the deepest at the end of a step, in sizes of gaps
    GRANTED,  # the least share of a restitution that was given back: more would give energy
    LIMITED,  # steps in which that is less than 1
    LENGTH,  # of the next step [s]
) = range(5)
TOLD = LENGTH + 1
MODES = 4  # a change of modes is this times the old one, plus the new one, 1 being added to each

SLOT = 3  # rows of a contact that a search finds: its gap, and two of friction

# modes of an element
OPEN, STICK, SLIP = range(3)

# roles of a row: it does not act, it holds, it resists by friction, it carries what a law gives, or
# the impulse that is given back
OFF, HELD, RESISTED, LAWFUL, RETURNED = range(5)

# how the pressure is spread over a surface that slides and pivots
NO_PATCH, UNIFORM, HERTZ = solver.NO_PATCH, solver.UNIFORM, solver.HERTZ

# loads that friction is proportional to
NO_LOAD, NORMAL_LOAD, JOINT_LOAD, CONSTANT_LOAD, GIVEN_LOAD = range(5)

# columns of the table of elements
(
    MODE,
    NORMAL,  # the row of the gap; −1: none
    COUNT,  # of rows that friction acts on, at most three
    FIRST,  # these rows
    SECOND,
    THIRD,
    LOAD,  # what friction is proportional to
    LOAD_FROM,  # the row of a normal force, the first component of a joint's load, or a law
    LOAD_COUNT,  # of these components
    ARM,
    STATIC,
    KINETIC,
    VISCOUS,
    STRIBECK,
    FORWARD,  # the constant size against a positive speed
    BACKWARD,
    WRAPPED,  # 1 for a rope about a drum, which slides the other way with a smaller coefficient
    SLACK,  # how far an open gap may be below zero: that of one which others keep closed
    SPRING,  # the row of the spring that it is; −1: none
    PATCH,  # the pressure of its surface
    STARTS,  # 1 for one that starts to slide from rest, in several directions at once
    SPIN,  # which of the rows of friction is that of pivoting, times the radius
    DIRECTION,  # of sliding: this column and the next two
) = range(23)
WIDTH = DIRECTION + 3

# columns of the table by which modes are judged
(
    TOUCHES,  # 1 for an element that has no gap
    SLIDES,  # 1 for one that slides
    PULLED,  # 1 for one that pulled while it stuck
    PRESSED,  # the element whose normal force its friction is proportional to; −1: its own
    ROOM,  # how far below its limit the friction of one that does not slide is kept
) = range(5)
JUDGED = ROOM + 1

# columns of the table of what is seen of elements
(
    GAP,  # 0: there is none
    CLOSING,  # the speed of the gap
    SLIDING,  # how fast it slides
    ALONG,  # the direction of that: this column and the next two
) = range(4)
SEEN = ALONG + 3

AGREES = -1  # instead of the mode that an element should have

STARTED = 1e2  # times the speed near which what starts to slide turns to it: it slides like others
MET = 1e-12  # of the size of a gap: how far a spring that was met may be from it
UNMOVED = 1e-20  # of the largest diagonal of A without dimensions: that of a row nothing moves

OF_PARTS: dict[str, tuple[str, ...]] = {  # functions of a state, by the parts that they give
    "state": (),  # all of them
    "kinematics": ("rates",),
    "inertia": ("M", "load_a", "load_z"),
    "force": ("S", "load", "power", "changes"),
    "row": ("J", "b", "gap"),
}
IN_STEPS = ("inertia", "force", "row")  # of these
_COUNTS = (
    *("task", "coordinates", "speeds", "elements", "loads", "quaternions"),
    *solver.COUNTS,
    "groups",  # of cones that have nothing to do with each other
    "most_cones",  # of elements and of laws
    "load_lines",  # loads, then what laws give
    "described",  # elements that a state has numbers of; others are contacts that a search finds
    "described_rows",  # of these
    "inputs",  # forces that are given from outside, and first-order states
    "size",  # of a state: q, v, work, inputs; work and mode of each element; forces of rows
    "watched",  # events of the mechanism itself
    "turnings",  # event functions: three of each element, and those
    "noting",  # numbers of a line of the table of notes
    "lines",  # of that table
    "most_shocks",  # in one instant
    "sides",  # of a basis of forces, and s
    "sequential",  # 1 where contacts are struck one after the other
    "ends",  # of islands: one more than there can be
    *(f"{name}_entries" for name in OF_PARTS),  # numbers that a function of parts gives
    "shared",  # rows of joints that move nothing, and share the loads of joints
    "laws",  # that give forces of rows, or loads
    "named",  # reactions that these depend on: the last of the loads
    "outputs",  # of the laws: what they give, then how each reaction changes it
    "asked",  # coordinates, speeds and reactions that the laws were asked at, then the time
)
_NUMBERS = (
    *solver.NUMBERS,
    "rank",  # a column beside the largest that counts as nothing
    "pace",  # how many times its own size anything usually goes in a second
    "slow",  # a part of what a row is compared with, in a second, that is no sliding
    "starting",  # the same, near which what starts to slide turns to its speed
    "known",  # the same, that errors of a step may have
    "least",  # an energy that is none; over what a row is compared with, a force that is none
    "stopped",  # times a speed of sliding that is none: what slides slower stops with its neighbour
    "usual_work",  # of a force along the size of the mechanism
)
_FUNCTIONS = (*OF_PARTS, "events", "law", "yielding", "search")  # 0: nothing is searched for
PARTS = (  # that the output of the state function has its places in
    *("rates", "M", "S", "J", "gamma", "b", "gap"),
    *("load", "load_a", "load_z", "power", "changes"),
)
OF_STEPS: dict[str, Shape] = {  # rows that act stand one after the other
    "step": (1,),  # how long it is [s]
    "begin_mode": ("elements",),  # at the start of the step
    "end_mode": ("elements",),
    "warm": ("rows",),  # impulses of the step before, in the order of rows
    "asked_residual": (1,),  # that impulses are solved to, in parts of the speeds
    "restitution": ("elements",),
    "tangential": ("elements",),  # restitution of the speeds of sliding
    "returns": ("elements",),  # the part of its impulse that is given back (Poisson); 0: none
    "floor": ("elements",),  # the impulse that it gives back in the phase that follows
    "later": ("elements",),  # the bound of its speed in that phase
    "first_impulse": ("rows",),  # of the phase of compression
    "first_unpushed": ("rows",),
    "reach": ("speeds",),  # one over what a displacement is compared with
    "acts": ("elements",),  # 1 for one that may push or rub in a step
    "grip": ("elements",),  # the coefficient of its friction
    "friction": ("elements",),  # whether that is static, as what holds, or kinetic
    "struck": ("elements",),  # 1 for one that is joined to a shock of the step
    "granted": ("elements",),  # the share of its restitution that is given back
    "grants_least": ("elements",),  # of shares, one that gives no energy
    "grants_most": ("elements",),  # and one that does
    "bound": ("elements",),  # the least normal speed at the end of the step
    "start_speed": ("rows",),  # of all rows, at the start of the step
    "start_gap": ("rows",),
    "pull": ("elements",),  # how gaps accelerate without contacts, joints being held
    "left": ("elements",),  # what is left of a step after the shock of an element [s]
    "share": ("speeds",),  # of a step, before the impulses that change a speed
    "due": ("elements",),  # the gap that a rebound leaves at the end of the step
    "island": ("speeds",),  # a number for each: the same for those that rows join in a step
    "oiled": ("rows",),  # of all rows, impulses of viscous friction
    "shift": ("rows",),  # what a row changes its speed by because it turns, in the first half
    "spot": ("rows",),  # where each row stands among those that act; −1: it does not
    "acting": ("rows",),  # the row at each place
    "cone_of": ("elements",),  # the cone of each that acts
    "moves": ("rows",),  # 1 for a place whose row is moved by its impulse
    "loose": ("speeds",),  # speeds at the end if no row acted
    "after": ("speeds",),  # speeds at the end
    "is_stiff": (1,),  # whether forces along speeds act implicitly
    "yields": (2, "speeds"),  # half of how forces fall with speeds; what joins M
}
OF_SETTLING: dict[str, Shape] = {
    "tied": ("elements", "rows"),  # 1 for the rows of an element, and those its load depends on
    "tied_speed": ("elements", "speeds"),  # 1 for the speeds that its load depends on
    "tied_all": (1,),  # 1 where loads of joints may join all that acts
    "laws_act": (1,),  # 1 where forces by reactions act: they do not in shocks
    "driven": ("rows",),  # 1 for a row that time moves
    "by_impulse": ("elements",),  # 1 for one that gives back a part of its impulse (Poisson)
    "touching": ("elements",),  # 1 for one without a gap, at the state seen last
    "sliding": ("elements",),  # 1 for one that slides there
    "verdict": ("size",),  # whether there are forces, whether they hold; the margin of each element
    "entry_element": ("elements", WIDTH),  # the table as it was before an event
    "other_element": ("elements", WIDTH),  # modes to which a search comes back
    "other_wanted": ("elements", 4),
    "tried_modes": (TRIED,),  # numbers of sets of modes
    "near_mode": ("elements",),  # modes of forces of cones
    "cone_force": ("rows",),  # these forces
    "rooms": ("elements",),  # the most that friction may keep from its limit
    "chosen": ("rows",),  # 1 for a row whose force is not told
    "touching_island": ("rows",),  # islands of all that touches, if it sticks; −1: it does not
    "turned": (3,),  # a direction
    "turning_force": ("rows",),  # forces by which directions are found
    "by_normals": ("rows", "rows"),  # how normal forces that friction follows change gaps
    "before_speed": ("rows",),  # speeds of rows before a shock
    "phase_speed": ("rows",),  # those that impulses of one phase act on
    "compressed_speed": ("rows",),  # those after compression
    "asked_speed": ("elements",),  # what Newton's law adds to speeds after the shock
    "first_phase": ("rows",),  # impulses of compression
    "own_impulse": ("rows",),  # of what takes part
    "total_impulse": ("rows",),  # of the whole shock
    "shock_work": ("elements",),
    "shock_island": ("rows",),
    "granted_share": (1,),  # of the restitution, less than 1 where it would create energy
    "taking_part": ("elements",),  # 1 for one that takes part in a shock
    "gives": ("elements",),  # 1 for one whose normal impulse is the one that is given back
    "may_give": ("elements",),  # 1 for one that gives back at least that
    "over": ("elements",),  # 1 for one whose bounces are over
    "hit": ("elements",),  # 1 for one that a shock of this instant pushed
    "rest_time": ("elements",),  # when its bounces end [s]
    "held_columns": ("speeds", "rows"),  # J of the rows that hold a part, by columns
    "asked_force": ("rows",),
    "measured": (1,),  # how many rows were measured last; −1: another factor of inertia is at hand
    "measured_at": ("asked",),  # when and where that was: t, q
    "measured_order": ("rows",),  # which rows, island after island
    "measured_first": ("ends",),
    "follows": (1,),  # 1 where the last return of a state, 2 where the last event had no rate yet
    "known_time": (2,),  # when the rates after these were asked for; not a number: modes changed
    "known_state": (2, "size"),
    "known_events": (2, "turnings"),  # event functions of elements there
    "resting": ("elements",),  # 1 for one whose island may rest instead
    "basis": ("sides", "rows"),  # forces that hold, then those that do nothing
    "limit": ("elements", 4, "sides"),  # μ N and T of limits, by 1, freedoms and the distance s
    "point": ("sides",),  # freedoms and s
    "tried_point": ("sides",),
    "slope": ("sides",),  # of the barrier
    "bent": ("sides", "sides"),  # its second derivatives
    "bent_root": ("sides", "sides"),
    "barrier_start": ("sides",),
    "direction_of": ("sides",),  # a step
    "tells": (1,),  # 1 as long as a choice of forces that matters has to be told
    "blamed": (1,),  # the element by which an event cannot be settled
    "option": ("elements",),  # which of the modes that an element may have is tried
    "kept_force": ("rows",),  # z and w of modes to which a search comes back
    "kept_change": ("rows",),
    "held_by_others": ("elements",),  # 1 for one that others leave no freedom to slide
    "has_choice": ("elements",),  # 1 for one whose force has a choice that moves something
    "progress": (2,),  # since when events are counted, and how many
    "turning": ("turnings",),  # of event functions, the rate; −2: not known; −1: others
    "noted": (1,),  # lines of the table of notes
    "notes": ("lines", "noting"),
}
TABLES: dict[str, Shape] = {
    "output": ("state_entries",),  # of a function of parts
    "element": ("elements", WIDTH),
    "role": ("rows",),
    "holds": ("rows",),  # 1 for a row that holds a position
    "fineness": ("rows",),  # one over what a row is compared with
    "start": ("speeds",),  # the first speed that inertia joins to each
    "every_row": ("rows",),
    "islands": (1,),  # of rows: those of different ones have nothing to do with each other
    "order": ("rows",),  # the rows that act, island after island
    "first": ("ends",),  # where each island starts there, and where the last one ends
    "part": ("speeds",),  # the island of each
    "every_role": ("rows",),  # this and the next three: the same if all rows act
    "every_islands": (1,),
    "every_order": ("rows",),
    "every_first": ("ends",),
    "tried_role": ("rows",),  # of modes that are tried
    "easiest": (1,),  # A of the row that is moved most easily, without dimensions
    "still": ("speeds",),  # 1 for a speed that nothing can change
    "quaternion": ("quaternions",),  # where each starts
    "z": ("rows",),  # the forces found
    "reference": ("rows",),  # of forces that are not unique, those nearest to these
    "free": ("speeds",),  # accelerations without the rows
    "c": ("rows",),  # what the rows would do then
    "load_0": ("loads",),  # loads then
    "load_by": ("loads", "rows"),  # and how forces of rows change them
    "A": ("rows", "rows"),  # J M⁻¹ Jᵀ
    "ease": ("rows",),  # its diagonal; of rows of friction, the same for those of one element
    "half": ("rows", "speeds"),  # L⁻ᵀ Jᵀ, where M = Lᵀ L
    "load_half": ("speeds",),  # the same of a load
    "pushed": ("speeds",),  # what impulses or forces of rows do to speeds
    "u": ("rows",),  # speeds of the rows
    "w": ("rows",),  # what the forces found do to the rows: A z + c
    "seen": ("elements", SEEN),  # gaps, speeds and directions of elements
    "judged": ("elements", JUDGED),  # what decides whether a mode agrees
    "wanted": ("elements", 4),  # a mode instead, and its direction
    "no_force": ("rows",),  # forces that are none
    "no_change": ("rows",),  # changes of rows that are none
    "movable": ("rows",),  # 1 for a row that forces move
    "own": ("rows",),  # 1 for a row of the mechanism itself
    "returned": ("rows",),  # the impulses that are given back
    "factor": ("speeds", "speeds"),  # L
    "scale": ("rows",),
    "active": ("rows",),  # the rows that act, as numbers
    "matrix": ("rows", "rows"),
    "moved": ("size",),  # a state whose speeds are a step
    "shared_row": ("shared",),
    "carried": ("loads",),  # 1 for a component of a couple in joints that share, 2 for a force
    "arm": ("loads",),  # what such a component counts by: 1 over the length for couples
    "stress": ("shared", "loads"),  # what each set of forces that moves nothing adds to loads
    "stress_z": ("shared", "rows"),  # these forces
    "stress_size": ("shared",),  # the square of what is made as small as can be by it
    "stress_of": ("shared",),  # whether that are couples (1) or forces (2); 0: nothing
    "load_now": ("loads",),
    "law_row": ("laws",),  # the row whose force a law gives; −1: none
    "given": ("outputs",),  # what the laws give, and how reactions change it
    "at": ("asked",),  # what that depends on
    **OF_STEPS,
    **OF_SETTLING,
    **solver.tables("rows", "most_cones", "load_lines"),
    "group": ("most_cones", solver.GROUP),
    **dict.fromkeys(solver.VECTORS, ("rows",)),
}
_WHOLES = (
    *(f"{name}_place" for name in OF_PARTS),  # where its numbers are in all parts
    "above",  # (speeds, speeds): the parent of each speed in the tree of inertia, its parent …
    "above_count",  # (speeds,)
    "path",  # (rows, speeds): the speeds that a row moves, and those above, the last first
    "path_count",  # (rows,)
    "every_speed",  # (speeds,): the last one first
)
CONTACTS = Layout(_NUMBERS, _COUNTS, _FUNCTIONS, arrays=("parts", *PARTS, *TABLES), wholes=_WHOLES)
