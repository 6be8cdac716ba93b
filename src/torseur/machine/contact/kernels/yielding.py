"""Forces along speeds that change much in a step, such as those of servos: they act implicitly.

Their slopes D by speeds and K by places join the inertia of the step, M + h D/2 + h² K/4: the
midpoint rule, linearised. Steps in which no slope is stiff are those without.
"""

from torseur.machine.contact.kernels.returning import normalise
from torseur.machine.contact.kernels.tree_factor import factorise
from torseur.machine.runtime.access import evaluate
from torseur.machine.runtime.vectors import address, apart

STIFF = 0.05  # of the inertia of a speed, those beyond it being free


@apart
def soften(model, t, h):
    """Whether M is positive still; M and its factor ← with the slopes of the middle, if stiff."""
    model.is_stiff[0] = 0.0
    if model.yielding == 0:
        return True
    n, damping = model.speeds, model.yields
    joined = address(damping, n)
    evaluate(model.yielding, model.yielding_table, t, model.moved, damping)
    for i in range(n):
        ease = model.factor[i * n + i] * model.factor[i * n + i]
        damping[i] = 0.5 * max(damping[i], 0.0)
        joined[i] = h * (damping[i] + 0.25 * h * max(joined[i], 0.0))
        if joined[i] * ease > STIFF:
            model.is_stiff[0] = 1.0
    if model.is_stiff[0] == 0.0:
        return True
    for i in range(n):
        model.M[i * n + i] += joined[i]
    return factorise(model)


@apart
def add_slopes(model, y):
    """S ← with what speeds at the end, as they are known, have changed already."""
    if model.is_stiff[0] == 1.0:
        for i in range(model.speeds):
            model.S[i] += model.yields[i] * (model.after[i] - y[model.coordinates + i])


@apart
def move_to_mean(model, y, h):
    """moved ← where the mean speeds lead in half a step, if forces are stiff: they act there."""
    if model.is_stiff[0] == 1.0:
        for k in range(model.coordinates):
            model.moved[k] = y[k] + 0.5 * h * model.rates[k]
        normalise(model, model.moved)
