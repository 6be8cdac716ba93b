"""The coefficients of the methods of Gauss and Legendre of one, two and three stages.

The rows of the methods follow each other: one, then two, then three. μ_ij = a_ij / b_j.
"""

from collections.abc import Callable

import numpy as np

Array = np.ndarray
MOST_STAGES = 3
_ONE = np.polynomial.Polynomial([1.0])


def _nodes(s: int) -> Array:
    """The zeros of Legendre's polynomial on [0, 1]."""
    return (1 + np.polynomial.legendre.leggauss(s)[0]) / 2


def _lagrange(c: Array) -> list[np.polynomial.Polynomial]:
    """The polynomials that are 1 at one node and 0 at the others."""
    made = []
    for j, here in enumerate(c):
        others = np.delete(c, j)
        own = np.polynomial.Polynomial.fromroots(others) if len(others) else _ONE
        made.append(own / own(here))
    return made


def _weights(c: Array) -> Array:
    return np.array([x.integ()(1.0) for x in _lagrange(c)])


def _fractions(c: Array) -> Array:
    """μ, with μ_ij + μ_ji = 1 without rounding: the one above ½ is rounded, the other follows."""
    a = np.array([[x.integ()(node) for x in _lagrange(c)] for node in c])
    mu = a / _weights(c)
    for i in range(len(c)):
        mu[i, i] = 0.5
        mu[:i, i] = 1.0 - mu[i, :i]
    return mu


def _ahead(c: Array) -> Array:
    """L_i of the next step from those of this one, by the polynomial through the derivatives."""
    b = _weights(c)
    values = np.array([[x(1.0 + node) for x in _lagrange(c)] for node in c])
    return values * b[:, np.newaxis] / b


def _rows(make: Callable[[Array], Array]) -> Array:
    """The tables of all methods, one below the other."""
    made = [make(_nodes(s)) for s in range(1, MOST_STAGES + 1)]
    return np.vstack([np.pad(x, ((0, 0), (0, MOST_STAGES - x.shape[1]))) for x in made])


FRACTIONS = _rows(_fractions)
AHEAD = _rows(_ahead)
POINTS = _rows(lambda c: c[:, np.newaxis])
