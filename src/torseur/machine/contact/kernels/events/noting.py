"""The table of what happened at events: shocks, changes of modes, their causes and effects."""

from torseur.machine.contact import layout as at
from torseur.machine.runtime.long_vectors import copy
from torseur.machine.runtime.vectors import address, apart, whole


@apart
def note_shock(model, t, y):
    """Whether there is room for a shock: of each element that is pushed, its impulse; the share of
    the restitution that acted, where that is not all of it."""
    for e in range(model.elements):
        normal = whole(model.element[e * at.WIDTH + at.NORMAL])
        if normal >= 0 and model.total_impulse[normal] > 0.0:
            model.hit[e] = 1.0
            if not _note(model, t, e, at.SHOCK, model.total_impulse[normal], y):
                return False
    share = model.granted_share[0]
    return share == 1.0 or _note(model, t, 0, at.SHARE, share, y)


@apart
def note_changes(model, t, modes, element, what, y):
    """Whether there is room for the elements whose modes change, and for events of others.

    What was about to happen and did not is no event: friction at its limit that is shared anew, a
    gap that closes without a shock and stays open. The first modes are none either.
    """
    for e in range(model.elements):
        cause = what if e == element and what != at.ACTED else at.CHANGE
        happens = cause == at.END or (cause == at.TOUCH and model.hit[e] == 1.0)
        changes = modes[e] != model.element[e * at.WIDTH + at.MODE]
        tells = modes[e] >= 0.0 and (changes or happens)
        if tells and not _note(model, model.rest_time[e], e, cause, 0.0, y):
            return False
    return True


@apart
def note_choice(model, t, y):
    """Whether there is room for the elements whose forces have a choice that moves something."""
    for e in range(model.elements):
        if model.has_choice[e] == 1.0 and not _note(model, t, e, at.CHOICE, 0.0, y):
            return False
    return True


@apart
def _note(model, t, e, cause, number, y):
    """Whether there is room for one line."""
    count = whole(model.noted[0])
    if count >= model.lines:
        return False
    line = address(model.notes, count * (at.NOTED + model.size))
    line[at.WHEN], line[at.WHICH], line[at.CAUSE], line[at.NUMBER] = t, e, cause, number
    line[at.EFFECT] = model.element[e * at.WIDTH + at.MODE]
    copy(model.size, y, address(line, at.NOTED))
    model.noted[0] = count + 1.0
    return True
