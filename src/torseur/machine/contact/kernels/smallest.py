"""Impulses that the laws of a step leave open: the smallest are taken.

The laws are taken as linear near the impulses at hand. Of all impulses that obey them so, those
come next of which the squares of what holds have the least sum; friction of what slides follows.
"""

from torseur.machine.contact.kernels.dense import cholesky, least, lessen
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import apart, whole

UNIQUE = 1e-8  # of the response of rows: the least eigenvalue of those that leave no choice
STEPS = 8
SHARED = 1e-10  # of the largest impulse: what the last of them changes


@apart
def is_unique(model, n):
    """Whether no impulses of rows leave all of them at rest, by far."""
    S, start = model.matrix, model.found
    for i in range(n):
        start[i] = 0.0
        for j in range(i + 1):
            own = model.response[i * model.rows + j] * _unit(model, i) * _unit(model, j)
            S[i * n + j] = own - UNIQUE if i == j else own
    return cholesky(n, S, model.gram, start)


@apart
def _unit(model, i):
    """1/√ of the response of a row: the impulse by which energies of rows are alike."""
    return 1.0 / square_root(model.response[i * model.rows + i])


@apart
def smallest(model, n, close, laws, write_weights):
    """The residual; impulse ← the smallest that keep what sticks, slides and is open.

    `laws` writes the equations and how they change, and returns their residual. Where the smallest
    impulses break a law, they stay as they were.
    """
    P, kept, change = model.impulse, model.anchor, 1.0
    copy(n, P, kept)
    error = laws(model, n)
    for _ in range(STEPS):
        change = _step(model, n, write_weights)
        error = laws(model, n)
        if error <= close and change <= SHARED:
            return error
    copy(n, kept, P)
    return laws(model, n)


@apart
def _step(model, n, write_weights):
    """What the smallest impulses near those at hand change, of the largest."""
    P, J, right, x = model.impulse, model.tangent, model.right, model.found
    for i in range(n):
        right[i] = -model.unknown[i]
        for c in range(n):
            right[i] += J[n * c + i] * P[c]
    for i in range(n):
        right[i] /= _unit(model, i)
        for c in range(n):
            J[n * c + i] *= _unit(model, c) / _unit(model, i)
    left, weight = least(n, J, right, model.rank, model.column, model.gram, x), model.right
    write_weights(model, n, weight)
    for i in range(n):
        weight[i] *= _unit(model, i)
    lessen(n, left, model.gram, weight, x)
    largest, change = 0.0, 0.0
    for i in range(n):
        fine, after = model.fineness[whole(model.acting[i])], x[i] * _unit(model, i)
        largest, change = max(largest, abs(after) / fine), max(change, abs(after - P[i]) / fine)
        P[i] = after
    return change / largest if largest > 0.0 else 0.0
