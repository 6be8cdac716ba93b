"""Shocks: speeds that jump, by impulses that follow the laws of restitution and of friction.

Where contacts close at a speed, u⁺ = u⁻ + A P. Newton: a normal impulse P ≥ 0 leaves at least
−e u⁻, and exactly that where it is positive. Friction acts on the speeds after the shock, or, with
a tangential restitution e_t, on u⁺ + e_t u⁻: it reverses this part of sliding if it can. Poisson:
compression ends where nothing closes any more; expansion gives back e times the normal impulses of
compression, and more where something would close again; friction acts on the speeds after each of
both (Glocker and Pfeiffer 1995). All that touches takes part at once, island by island; or one
contact after the other, until none closes any more. Contacts must not create energy: where they
would, less of the restitution acts.
"""

from math import inf

from torseur.machine.contact import layout as at
from torseur.machine.contact.kernels.acting import row_of, size_along
from torseur.machine.contact.kernels.events.choosing import choose, judge_as, weigh_rest
from torseur.machine.contact.kernels.events.noting import note_shock
from torseur.machine.contact.kernels.events.redundancy import write_touching_islands
from torseur.machine.contact.kernels.events.turning import solve_modes
from torseur.machine.contact.kernels.judging import weigh
from torseur.machine.contact.kernels.parting import first_row
from torseur.machine.contact.kernels.seeing import gap_size, is_approaching, is_struck, see
from torseur.machine.contact.kernels.tree_factor import add_pushed
from torseur.machine.contact.negligible import GAIN, RESTING
from torseur.machine.runtime.long_vectors import copy, dot
from torseur.machine.runtime.vectors import address, apart, whole

HALVINGS = 40  # of the restitution, where Newton's law would create energy
SHARP = 1e-6  # how exactly the share of the restitution is found
ROUNDING = 1e-14  # of what impulses would do one by one: what it may add to speeds
CHANGES = 50  # of what gives back more than its part


@apart
def strike(model, t, y):
    """Verdict on the shocks of an instant: SETTLED, y ← after them, and they are noted."""
    for _ in range(model.most_shocks):
        if not _shock(model):
            return at.NO_MODES
        model.laws_act[0] = 1.0
        jump(model, y, model.total_impulse)
        if not note_shock(model, t, y):
            return at.NO_ROOM
        if not see(model, t, y):
            return at.NO_MODES
        if not is_struck(model):
            return at.SETTLED
    return at.MANY_SHOCKS


@apart
def jump(model, y, impulses):
    """y ← with its speeds after a shock, and the work of elements and of what time moves."""
    nq, n, total = model.coordinates, model.speeds, 0.0
    add_pushed(model, model.every_row, model.rows, impulses, 1.0, address(y, nq))
    works = address(y, nq + n + 1 + model.inputs)
    for e in range(model.elements):
        works[e] += model.shock_work[e]
        total += model.shock_work[e]
    y[nq + n] += total - dot(model.rows, impulses, model.b)


# --- who takes part -------------------------------------------------------------------------------


@apart
def _shock(model):
    """Whether the impulses of one shock are found: those that touch and are joined to what closes,
    island by island, or the one that closes fastest, as if the others were a little apart."""
    model.granted_share[0] = 1.0
    copy(model.rows, model.u, model.before_speed)
    for i in range(model.rows):
        model.total_impulse[i] = 0.0
    for e in range(model.elements):
        model.shock_work[e] = 0.0
        judge_as(model, e, model.touching[e] == 1.0, False)
    if model.sequential == 1:
        return _strike_fastest(model)
    write_touching_islands(model, model.shock_island)
    for e in range(model.elements):
        island = model.shock_island[first_row(address(model.element, e * at.WIDTH))]
        if is_approaching(model, e) and not _is_done(model, e, island):
            for other in range(model.elements):
                row = first_row(address(model.element, other * at.WIDTH))
                same = model.shock_island[row] == island
                model.taking_part[other] = model.touching[other] if same else 0.0
            if not _within_energy(model, island):
                return False
    return True


@apart
def _is_done(model, e, island):
    """Whether an element before e closes in the same island."""
    for other in range(e):
        row = first_row(address(model.element, other * at.WIDTH))
        if is_approaching(model, other) and model.shock_island[row] == island:
            return True
    return False


@apart
def _strike_fastest(model):
    """Whether the impulses of the contact that closes fastest are found."""
    fastest, speed = -1, 0.0
    for e in range(model.elements):
        closing = model.seen[e * at.SEEN + at.CLOSING]
        if is_approaching(model, e) and closing < speed:
            fastest, speed = e, closing
    for e in range(model.elements):
        model.taking_part[e] = 1.0 if e == fastest else 0.0
    return _within_energy(model, -2.0)


# --- how much of the restitution acts -------------------------------------------------------------


@apart
def _within_energy(model, island):
    """Whether impulses are found that create no energy; they are added to those of the shock.

    Without restitution where no impulses agree with it: friction may hold what Newton's law wants
    to leave, as in a wedge or beside a dead point.
    """
    solved, share = _find_share(model)
    if not solved:
        share = 0.0
        if not _find_impulses(model, share):
            return False
    _add(model, island, share)
    return True


@apart
def _find_share(model):
    """Whether impulses are found that create no energy, and how much of the restitution acts."""
    low, high, share = 0.0, 1.0, 1.0
    for _ in range(HALVINGS):
        if not _find_impulses(model, share):
            return False, share
        gains = _creates_energy(model)
        if not gains and (share == 1.0 or high - low < SHARP):
            return True, share
        if gains:
            high = share
        else:
            low = share
        share = 0.5 * (low + high)
    return _find_impulses(model, low), low


@apart
def _add(model, island, share):
    """The impulses of an island, and their works, are added to those of the shock; −2: all."""
    for e in range(model.elements):
        model.shock_work[e] += _work(model, e, share)
    for i in range(model.rows):
        if island == -2.0 or model.shock_island[i] == island:
            model.total_impulse[i] += model.own_impulse[i]
    model.granted_share[0] = min(model.granted_share[0], share)


@apart
def _speed_after(model, row):
    """The speed of a row that the impulses at hand leave."""
    pushed = dot(model.rows, address(model.A, row * model.rows), model.own_impulse)
    return model.before_speed[row] + pushed


@apart
def _creates_energy(model):
    """Whether the work of the contacts, Σ P (u⁻ + u⁺)/2, is positive, and not by rounding alone.

    Beside a dead point A P is small beside what each impulse alone would do.
    """
    rows, P, before = model.rows, model.own_impulse, model.before_speed
    work, none = 0.0, 0.0
    for i in range(rows):
        parts = 0.0
        for j in range(rows):
            parts += abs(model.A[i * rows + j]) * abs(P[j])
        none += ROUNDING * abs(P[i]) * parts
        if model.own[i] == 0.0:
            after = _speed_after(model, i)
            work += 0.5 * P[i] * (before[i] + after)
            none += GAIN * abs(P[i]) * (abs(before[i]) + abs(after))
    return work > none


@apart
def _work(model, e, share):
    """The work that the laws of an element give its impulses, P · (u⁻ + u⁺)/2.

    Newton: u⁺ = −e u⁻ of a gap that closed. Coulomb: no more friction than μ P. Impulses that break
    these laws change the energy by something else, which the balance of energy shows.
    """
    element, work, rubbed = address(model.element, e * at.WIDTH), 0.0, 0.0
    P, before, normal = model.own_impulse, model.before_speed, whole(element[at.NORMAL])
    if normal >= 0:
        after = _speed_after(model, normal)
        if before[normal] < 0.0 and model.by_impulse[e] == 0.0 and P[normal] > 0.0:
            after = -share * model.restitution[e] * before[normal]
        work = 0.5 * P[normal] * (before[normal] + after)
    for k in range(whole(element[at.COUNT])):
        row = row_of(element, k)
        rubbed += 0.5 * P[row] * (before[row] + _speed_after(model, row))
    size, most = size_along(element, P), inf
    if element[at.LOAD] == at.NORMAL_LOAD:
        most = max(P[whole(element[at.LOAD_FROM])], 0.0)
        most *= max(element[at.STATIC], element[at.KINETIC])
    return work + rubbed * (most / size if size > most else 1.0)


# --- impulses -------------------------------------------------------------------------------------


@apart
def _find_impulses(model, share):
    """Whether the impulses of what takes part are found, a share of the restitution acting."""
    gives = False
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        normal, load = whole(element[at.NORMAL]), element[at.LOAD]
        given = load == at.CONSTANT_LOAD or load == at.GIVEN_LOAD
        touches = model.taking_part[e] == 1.0 and not given
        judge_as(model, e, touches, False)
        if normal >= 0:
            speed, newton = model.before_speed[normal], model.by_impulse[e] == 0.0
            part = share * model.restitution[e] if speed < 0.0 and newton else 0.0
            model.asked_speed[e] = part * speed
            gives = gives or (touches and not newton)
    _drop_forces(model)
    copy(model.rows, model.before_speed, model.phase_speed)
    if not gives:
        _ask(model, share)
        solved = _solve_phase(model)
        copy(model.rows, model.z, model.own_impulse)
        return solved
    if not _solve_phase(model):
        return False
    copy(model.rows, model.z, model.own_impulse)
    return _expand(model, share)


@apart
def _drop_forces(model):
    """Drop loads and laws by forces: the next unknowns are impulses on given speeds."""
    model.laws_act[0] = 0.0
    for k in range(model.loads):
        model.load_0[k] = 0.0
    for i in range(model.rows):
        model.u[i] = 0.0


@apart
def _ask(model, share):
    """The speeds of a phase ← with what Newton's law adds to those after the shock."""
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        normal = whole(element[at.NORMAL])
        if normal >= 0:
            model.phase_speed[normal] += model.asked_speed[e]
            if model.tangential[e] != 0.0 and model.before_speed[normal] < 0.0:
                for k in range(whole(element[at.COUNT])):
                    row = row_of(element, k)
                    part = share * model.tangential[e]
                    model.phase_speed[row] += part * model.before_speed[row]


@apart
def _solve_phase(model):
    """Whether the impulses z on the speeds of a phase are found; rounding is that of those before
    the shock. What slides has kinetic friction: no speed within a shock is a slow one."""
    copy(model.rows, model.before_speed, model.c)
    weigh(model)
    copy(model.rows, model.phase_speed, model.c)
    for e in range(model.elements):
        model.judged[e * at.JUDGED + at.PULLED] = 0.0
        model.element[e * at.WIDTH + at.STRIBECK] = 0.0
    solved = choose(model, 0, at.ACTED)
    for e in range(model.elements):
        stribeck = model.entry_element[e * at.WIDTH + at.STRIBECK]
        model.element[e * at.WIDTH + at.STRIBECK] = stribeck
    return solved


@apart
def _expand(model, share):
    """Whether the impulses that are given back are found: at least their parts, and more where a
    gap would close. Those of compression ← with them."""
    rows, compression = model.rows, model.first_phase
    copy(rows, model.own_impulse, compression)
    for i in range(rows):
        model.phase_speed[i] = _speed_after(model, i)
    copy(rows, model.phase_speed, model.compressed_speed)
    _ask(model, 0.0)
    solved = True
    for e in range(model.elements):
        normal = whole(model.element[e * at.WIDTH + at.NORMAL])
        model.gives[e] = 0.0
        touches = model.judged[e * at.JUDGED + at.TOUCHES] == 1.0
        if normal >= 0 and touches and model.by_impulse[e] == 1.0:
            model.gives[e] = 1.0
            part = share * model.restitution[e] * compression[normal]
            model.returned[normal] = max(part, 0.0)
    copy(model.elements, model.gives, model.may_give)
    for _ in range(CHANGES):
        solved = _solve_phase(model)
        if not solved or not _gives_otherwise(model):
            break
    for e in range(model.elements):
        model.gives[e] = 0.0
    for i in range(rows):
        model.own_impulse[i] = compression[i] + model.z[i]
    return solved


@apart
def _gives_otherwise(model):
    """Whether other elements give back more than their part; gives ← those that give just that."""
    changes = False
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        if model.may_give[e] == 1.0:
            normal, more = whole(element[at.NORMAL]), model.gives[e] == 0.0
            pushed = dot(model.rows, address(model.A, normal * model.rows), model.z)
            none = RESTING * model.pace * gap_size(model, element)
            needed = model.compressed_speed[normal] + pushed < -none
            if more:
                needed = model.z[normal] >= model.returned[normal]
            changes = changes or needed != more
            model.gives[e] = 0.0 if needed else 1.0
    return changes


# --- bounces that are over ------------------------------------------------------------------------


@apart
def end_bounces(model, y):
    """y ← after all bounces that are left, less what contacts at rest push in the same time.

    That takes the speeds of gaps away, m u, and from what slides the friction of as much: bounces
    that are left out then have the momentum, the work of drives and the losses of all of them.
    The modes in which elements come to rest are those of the table.
    """
    rows, before, P = model.rows, model.before_speed, model.own_impulse
    copy(rows, model.u, before)
    copy(rows, model.u, model.c)
    for e in range(model.elements):
        element = address(model.element, e * at.WIDTH)
        slides = element[at.MODE] == at.SLIP
        judge_as(model, e, model.touching[e] == 1.0, slides)
        if slides and element[at.LOAD] != at.NORMAL_LOAD and element[at.NORMAL] < 0.0:
            element[at.MODE] = at.OPEN
    _drop_forces(model)
    weigh(model)
    weigh_rest(model)
    solve_modes(model)
    copy(rows, model.z, P)
    model.laws_act[0] = 1.0
    for e in range(model.elements):
        element, work = address(model.element, e * at.WIDTH), 0.0
        for k in range(-1, whole(element[at.COUNT])):
            row = whole(element[at.NORMAL]) if k < 0 else row_of(element, k)
            if row >= 0 and P[row] != 0.0:
                work += 0.5 * P[row] * (before[row] + _speed_after(model, row))
        model.shock_work[e] = work
    jump(model, y, P)
