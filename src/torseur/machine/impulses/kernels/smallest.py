"""Impulses that the laws of a step leave open: the smallest are taken.

The laws are taken as linear near the impulses at hand. Of all impulses that obey them so, those
come next of which the squares of what holds have the least sum; friction of what slides follows.
`rows` says which rows of a problem are meant, the last of it how many numbers they have.
"""

from torseur.machine.impulses.kernels.cones import write_laws, write_weights
from torseur.machine.integrators.kernels.dense import cholesky, least, lessen
from torseur.machine.runtime.long_vectors import copy, square_root
from torseur.machine.runtime.vectors import apart

GIVES = 1e-6  # of the response of a row: by how much rows give way at first
UNIQUE = 1e-8  # the same: the least eigenvalue of those that leave no choice
RANK = 1e-8  # a column beside the largest that counts as nothing
STEPS = 8
SHARED = 1e-10  # of the largest impulse: what the last of them changes
LEVELS = 2  # impulses of contacts are made small first, then those of joints


@apart
def is_unique(problem, n):
    """Whether no impulses of rows leave all of them at rest, by far.

    unit ← 1/√ of the response of each: impulses by which energies of rows are alike. A row that
    nothing moves has no part in it. root ← the Cholesky factor of the response in these units, a
    little less on its diagonal.
    """
    S, start, unit, stride = problem.tangent, problem.found, problem.unit, problem.rows
    response = problem.response
    for i in range(n):
        diagonal = response[i * stride + i]
        start[i], unit[i] = 0.0, 1.0 / square_root(diagonal) if diagonal > 0.0 else 1.0
    for i in range(n):
        for j in range(i):
            S[i * n + j] = response[i * stride + j] * unit[i] * unit[j]
        S[i * n + i] = 1.0 - UNIQUE
    return cholesky(n, S, problem.root, start)


@apart
def smallest(problem, rows, close):
    """The residual; impulse ← the smallest that keep what sticks, slides and is open.

    Where the smallest break a law, they stay as they were.
    """
    n, P, saved, change = rows[1], problem.impulse, problem.anchor, 1.0
    copy(n, P, saved)
    error = write_laws(problem, rows)
    for _ in range(STEPS):
        change = _step(problem, rows)
        error = write_laws(problem, rows)
        if error <= close and change <= SHARED:
            return error
    copy(n, saved, P)
    return write_laws(problem, rows)


@apart
def _step(problem, rows):
    """Step to the smallest impulses near those at hand; the change relative to the largest."""
    n, P, J, right, x = rows[1], problem.impulse, problem.tangent, problem.right, problem.found
    unit, weight = problem.unit, problem.weight
    for i in range(n):
        right[i] = -problem.unknown[i]
        for c in range(n):
            right[i] += J[n * c + i] * P[c]
    for i in range(n):
        right[i] /= unit[i]
        for c in range(n):
            J[n * c + i] *= unit[c] / unit[i]
    left = least(n, J, right, RANK, problem.column, problem.gram, x)
    for level in range(LEVELS):
        write_weights(problem, rows, level)
        for i in range(n):
            weight[i] *= unit[i]
        left = lessen(n, left, problem.gram, weight, x)
    largest, change = 0.0, 0.0
    for i in range(n):
        after, before = x[i], P[i] / unit[i]
        largest, change = max(largest, abs(after)), max(change, abs(after - before))
        P[i] = after * unit[i]
    return change / largest if largest > 0.0 else 0.0
