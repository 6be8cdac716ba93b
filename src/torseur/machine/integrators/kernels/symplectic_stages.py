"""Gauss–Legendre methods of one, two and three stages.

Coefficients, where a step keeps its stages, their weights, and the nodes where constraints act.
The rows of the methods follow each other in the tables: one, two, three. μ_ij = a_ij / b_j, at the
stages and at the nodes of Lobatto, of which there is one more than stages.
"""

from collections.abc import Callable

import numpy as np

from torseur.machine.runtime.long_vectors import table
from torseur.machine.runtime.vectors import address, apart

Array = np.ndarray
MOST_STAGES = 3
_ONE = np.polynomial.Polynomial([1.0])


def _nodes(s: int) -> Array:
    """The zeros of Legendre's polynomial on [0, 1]."""
    return (1 + np.polynomial.legendre.leggauss(s)[0]) / 2


def _lagrange(c: Array) -> list[np.polynomial.Polynomial]:
    """The polynomials that are 1 at one node and 0 at the others."""
    polynomials = []
    for j, node in enumerate(c):
        others = np.delete(c, j)
        product = np.polynomial.Polynomial.fromroots(others) if len(others) else _ONE
        polynomials.append(product / product(node))
    return polynomials


def _weights(c: Array) -> Array:
    return np.array([x.integ()(1.0) for x in _lagrange(c)])


def _fractions(c: Array) -> Array:
    """μ, with μ_ij + μ_ji = 1 without rounding: the one above ½ is rounded, the other follows."""
    a = np.array([[x.integ()(node) for x in _lagrange(c)] for node in c])
    mu: Array = a / _weights(c)
    for i in range(len(c)):
        mu[i, i] = 0.5
        mu[:i, i] = 1.0 - mu[i, :i]
    return mu


def _lobatto(s: int) -> Array:
    """The ends of [0, 1], and between them the extrema of Legendre's polynomial of degree s."""
    inner = np.sort(np.polynomial.Legendre.basis(s).deriv().roots().real)
    return np.array([0.0, *((1 + x) / 2 for x in inner), 1.0])


def _places(c: Array) -> Array:
    """μ at the nodes of Lobatto: 0 at the first, 1 at the last, without rounding."""
    a = np.array([[x.integ()(node) for x in _lagrange(c)] for node in _lobatto(len(c))])
    mu: Array = a / _weights(c)
    mu[-1] = 1.0
    return mu


def _answers(c: Array) -> Array:
    """Changes of impulses at all nodes but the last that move all nodes but the first.

    An impulse at node j moves node i by h Σ_k μ_ik b_k (1 − μ_jk), times ∂²H/∂p².
    """
    mu = _places(c)
    return np.linalg.inv((mu[1:] * _weights(c)) @ (1 - mu[:-1]).T)


def _ahead(c: Array) -> Array:
    """L_i of the next step from those of this one, by the polynomial through the derivatives."""
    b = _weights(c)
    values = np.array([[x(1.0 + node) for x in _lagrange(c)] for node in c])
    return np.asarray(values * b[:, np.newaxis] / b)


def _rows(make: Callable[[Array], Array]) -> Array:
    """The tables of all methods, one below the other."""
    tables = [make(_nodes(s)) for s in range(1, MOST_STAGES + 1)]
    return np.vstack([np.pad(x, ((0, 0), (0, MOST_STAGES - x.shape[1]))) for x in tables])


FRACTIONS = _rows(_fractions)
AHEAD = _rows(_ahead)
PLACES = _rows(_places)
ANSWERS = _rows(_answers)
POINTS = _rows(lambda c: c[:, np.newaxis])

# --- stages ---------------------------------------------------------------------------------------

# rows of `stages`: those of the method come first
FORMER = MOST_STAGES  # the stages of the step before
CARRY = 2 * MOST_STAGES  # what the last sum rounded away
LEAST = CARRY + 1  # the smallest change of each component in the iterations so far
CHANGE = CARRY + 2  # that of the last iteration
SIZE = CARRY + 3  # the largest stage of each component
KICKS = CARRY + 4  # the impulses of constraints, at each node

GUESS, CORRECT, CALM = 0, 1, 2  # what there is to do about impulses

_place = table("places", PLACES)


@apart
def weight(h, s, i):
    """h b_i, such that their sum is h."""
    if s < 3:
        return h / s
    outer = h * 5.0 / 18.0
    return h - 2.0 * outer if i == 1 else outer


@apart
def first(s):
    """The row of the tables where the method of s stages begins."""
    return s * (s - 1) // 2


@apart
def node(s, k):
    """μ of node k of the method of s stages."""
    return _place(first(s) + s - 1 + k)


@apart
def row(run, k):
    """Row k of the stages."""
    return address(run.stages, k * run.n)
