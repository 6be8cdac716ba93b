"""The impulses of an island: contact after contact solved exactly, then all at once.

Block Gauss-Seidel (Moreau 1994, Jean 1999) from the impulses of the step before is quick and
reaches a moderate accuracy; Newton's method finishes islands of few contacts.
"""

from torseur.machine.piles import places as at
from torseur.machine.piles.kernels.access import body_row, member_row, motion_row
from torseur.machine.piles.kernels.contacts import (
    free_speed,
    landing,
    push,
    speed,
    start_speed,
    warm_impulse,
)
from torseur.machine.piles.kernels.newton import share_sliding, solve_at_once
from torseur.machine.piles.kernels.proximal import proximal
from torseur.machine.piles.kernels.relaxing import accelerated, residual_of, swept
from torseur.machine.piles.layout import MOST_IN_NEWTON, MOST_SHARED
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import (
    apart,
    applied,
    dot,
    inlined,
    keep,
    minus,
    plus,
    symmetric,
    times,
    vector,
    whole,
)

EXACT = 1e-12  # of the speeds of an island: a residual of one that Newton's method may finish
MODERATE = 1e-8  # the same of a larger one
BEHIND = 1e-5  # the same: sweeps that leave this stay behind
FEW_CONTACTS = 20  # of an island that Newton's method finishes cheaply
SLOW = 1e-2  # of the speeds of an island: it is coming to rest
FEW, MANY = 30, 120  # sweeps before Newton's method, of few contacts and of more
HASTY = 200  # sweeps of an island before proximal points; ten times as many after they failed
ENOUGH = 1e-9  # the same: one that rounding may leave
ROUNDS = 3  # of sweeps and Newton's method, or of sweeps and proximal points
STUCK = 0.1  # the same: that of shocks which no impulses can obey
FAR = 1e-2  # the same: that of loads to which sweeps come nowhere near
REST = 1e-6  # of the speeds that free fall would give: what is slower is at rest
NOTHING = (0.0, 0.0, 0.0)


@apart
def solve_island(run, i, h):
    """The impulses of island i; a shock that nothing gives way to, or that would give energy, has
    no rebound, and where sweeps come nowhere near, or stay behind what joints hold, proximal points
    do."""
    start, stop = run.first[i], run.first[i + 1]
    largest = 0.0  # the square of the speed of any contact, if nothing touched
    for k in range(start, stop):
        u = free_speed(run, member_row(run, k))
        largest = max(largest, dot(u, u))
    size = square_root(largest)
    residual = _solved(run, start, stop, size)
    if _rebounds(run, start, stop, h) and (
        residual > STUCK * size or _gained(run, start, stop, h) > EXACT * size
    ):
        for k in range(start, stop):  # no rebound; impulses are those of the step before
            row = member_row(run, k)
            row[at.BOUND] = landing(run, row, h)
            push(run, row, minus(warm_impulse(row), vector(row, at.IMPULSE)))
        residual = _solved(run, start, stop, size)
    if residual <= ENOUGH * size and stop - start <= MOST_SHARED:
        share_sliding(run, start, stop, ENOUGH * size)
    far = BEHIND if run.ties > 0 else FAR
    if run.asked == 0.0 and residual > far * size:
        residual = proximal(run, start, stop, MODERATE * size)
    _rest(run, start, stop, size)
    run.residual = max(run.residual, residual)


# --- impulses ------------------------------------------------------------------------------------


@apart
def _solved(run, start, stop, size):
    """The residual after sweeps, and after proximal points if a requested one is not reached."""
    residual = _usual(run, start, stop, size)
    if run.asked == 0.0 or residual <= run.asked:
        return residual
    sweeps = HASTY
    for _ in range(ROUNDS):
        residual = accelerated(run, start, stop, sweeps, run.asked)
        if residual > run.asked:
            residual = proximal(run, start, stop, run.asked)
        if residual <= run.asked:
            break
        sweeps *= 10
    return residual


@apart
def _usual(run, start, stop, size):
    """Impulses until the residual is small beside the speeds; the residual that is left.

    Few contacts are finished by Newton's method at once; more of them, where sweeps stay behind or
    nothing moves: what is at rest is solved once and then stays.
    """
    count = stop - start
    close = (EXACT if count <= FEW_CONTACTS else MODERATE) * size
    if count > MOST_IN_NEWTON:
        return swept(run, start, stop, MANY, close)
    residual = swept(run, start, stop, FEW if count <= FEW_CONTACTS else MANY, close)
    if count > FEW_CONTACTS:
        close = (EXACT if _pace(run, start, stop) <= SLOW * size else BEHIND) * size
    for _ in range(ROUNDS):
        if residual <= close:
            break
        solve_at_once(run, start, stop, EXACT * size)
        residual = residual_of(run, start, stop)
        if residual <= ENOUGH * size:
            break
        residual = swept(run, start, stop, MANY, close)
    return residual


# --- shocks --------------------------------------------------------------------------------------


@apart
def _rebounds(run, start, stop, h):
    """Whether a contact has to rebound."""
    for k in range(start, stop):
        row = member_row(run, k)
        if row[at.BOUND] > landing(run, row, h):
            return True
    return False


@apart
def _gained(run, start, stop, h):
    """Gain of T and of the energy of the weight by contacts in a step, over Σ |P| [m/s].

    With Δv = v − v₀ the first is P · u − ½ Δv · M Δv: P · (u₀ + (u − u_free)/2) summed over the
    contacts, less ½ h² F · M⁻¹ F of all else that acts on their bodies.
    """
    energy, total = 0.0, 0.0
    for k in range(start, stop):
        row = member_row(run, k)
        P, half = vector(row, at.IMPULSE), times(0.5, minus(speed(run, row), free_speed(run, row)))
        energy += dot(P, plus(start_speed(run, row), half))
        energy -= _fallen(run, whole(row[at.FIRST]), h) + _fallen(run, whole(row[at.SECOND]), h)
        total += square_root(dot(P, P))
    return energy / total if total > 0.0 else 0.0


@inlined
def _fallen(run, b, h):
    """½ h² F · M⁻¹ F of a body, once."""
    body, row = body_row(run, b), motion_row(run, b)
    if row[at.TOUCHES] != 1.0:
        return 0.0
    row[at.TOUCHES] = 2.0
    a = plus((run.gx, run.gy, run.gz), vector(row, at.PUSH))
    turned = vector(row, at.TORQUE)
    turning = dot(turned, applied(symmetric(body, at.INERTIA), turned))
    return 0.5 * h * h * (body[at.MASS] * dot(a, a) + turning)


# --- rest ----------------------------------------------------------------------------------------


@apart
def _rest(run, start, stop, size):
    """Impulses in ground axes, for the next step; where all speeds are nothing, they are zero."""
    for k in range(start, stop):
        row = member_row(run, k)
        P = vector(row, at.IMPULSE)
        x = plus(times(P[0], vector(row, at.AXES)), times(P[1], vector(row, at.AXES + 3)))
        keep(row, at.PUSHED, plus(x, times(P[2], vector(row, at.AXES + 6))))
    if _pace(run, start, stop) <= REST * size:
        for k in range(start, stop):
            row = member_row(run, k)
            _stop(run, whole(row[at.FIRST]))
            _stop(run, whole(row[at.SECOND]))


@apart
def _pace(run, start, stop):
    """The largest speed of any point of the bodies of an island."""
    fastest = 0.0
    for k in range(start, stop):
        row = member_row(run, k)
        one, other = _pace_of(run, row[at.FIRST]), _pace_of(run, row[at.SECOND])
        fastest = max(fastest, one, other)
    return fastest


@inlined
def _pace_of(run, body):
    row, reach = motion_row(run, whole(body)), body_row(run, whole(body))[at.REACH]
    v, w = vector(row, at.V), vector(row, at.W)
    return square_root(dot(v, v)) + reach * square_root(dot(w, w))


@inlined
def _stop(run, b):
    row = motion_row(run, b)
    keep(row, at.V, NOTHING)
    keep(row, at.W, NOTHING)
