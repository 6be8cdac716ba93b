"""Islands of a step: which of them come to rest, and when impulses change their speeds."""

from torseur.machine.contact.kernels.parting import joined_island
from torseur.machine.contact.kernels.pushing import normal_of
from torseur.machine.runtime.vectors import apart, whole

REST = 1e-9  # of the speeds that forces would give: what is slower is at rest


@apart
def rest(model, n, h):
    """after ← zero for islands that are pushed and do not move beside what forces would do."""
    island = model.island
    for k in range(model.speeds):
        if whole(island[k]) == k and _rests(model, n, k, h):
            for i in range(k, model.speeds):
                if whole(island[i]) == k:
                    model.after[i] = 0.0


@apart
def _rests(model, n, first, h):
    """Whether an island is pushed, and slower than a part of what forces would make it."""
    fastest, usual, pushed = 0.0, 0.0, False
    for k in range(first, model.speeds):
        if whole(model.island[k]) == first:
            reach = model.reach[k]
            fastest = max(fastest, abs(model.after[k]) * reach)
            usual = max(usual, abs(h * model.free[k]) * reach)
            pushed = pushed or _is_pushed(model, n, k)
    return pushed and fastest <= REST * usual


@apart
def _is_pushed(model, n, k):
    """Whether an impulse of an element acts on a speed."""
    for i in range(n):
        row = whole(model.acting[i])
        if model.impulse[i] != 0.0 and model.J[row * model.speeds + k] != 0.0:
            return True
    return False


@apart
def share_out(model, h):
    """share ← when impulses act: mid-step, or at the hardest shock of an island."""
    for k in range(model.speeds):
        model.share[k] = 0.5
    for e in range(model.elements):
        row = normal_of(model, e)
        if row >= 0 and model.acts[e] == 1.0 and model.left[e] >= 0.0:
            push = model.impulse[whole(model.spot[row])]
            if push > 0.0 and _is_hardest(model, e, row, push):
                island = joined_island(model, row)
                for k in range(model.speeds):
                    if whole(model.island[k]) == island:
                        model.share[k] = 1.0 - model.left[e] / h


@apart
def _is_hardest(model, e, row, push):
    """Whether no other shock of the same island takes more energy."""
    island, hard = joined_island(model, row), push * model.start_speed[row]
    for other in range(model.elements):
        normal = normal_of(model, other)
        acts = normal >= 0 and model.acts[other] == 1.0
        if acts and other != e and model.left[other] >= 0.0:
            pushed = model.impulse[whole(model.spot[normal])]
            harder = pushed * model.start_speed[normal] < hard
            if harder and joined_island(model, normal) == island:
                return False
    return True
