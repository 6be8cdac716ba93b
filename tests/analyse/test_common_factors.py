"""Greatest common divisors of long polynomials: those that SymPy finds, and known ones."""

from random import Random

import pytest
from sympy import QQ
from sympy.polys.rings import ring

from torseur.analyse.letters.common_factors import common_divisor, factor_list

RING, *LETTERS = ring("m a g k c s", QQ)
UNITS = {"m": (1, 0, 0), "a": (0, 1, 0), "g": (0, 1, 2), "k": (1, 0, 2)}


def polynomial(drawn, terms, homogeneous=False):
    """A random polynomial, whose terms have one unit if it is homogeneous."""
    total, unit = RING.zero, None
    while len(total) < terms:
        powers = tuple(drawn.randrange(4) for _ in LETTERS)
        units = zip(*(UNITS.get(str(x), (0, 0, 0)) for x in LETTERS), strict=True)
        dimension = [sum(e * u for e, u in zip(powers, row, strict=True)) for row in units]
        unit = unit or dimension
        if not homogeneous or dimension == unit:
            total += QQ(drawn.randrange(1, 9), drawn.randrange(1, 5)) * RING.from_dict({powers: 1})
    return total


@pytest.mark.parametrize("homogeneous", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_the_common_divisor_is_that_of_sympy(seed, homogeneous):
    drawn = Random(seed)
    shared, one, other = (polynomial(drawn, n, homogeneous) for n in (3, 2, 3))
    p, q = shared * one, shared * other * (1 + (seed % 3) * LETTERS[0])
    assert common_divisor(p, q).monic() == p.gcd(q).monic()


def test_a_polynomial_and_zero_share_the_polynomial():
    p = polynomial(Random(0), 5)
    assert common_divisor(p, RING.zero) == p


@pytest.mark.parametrize("homogeneous", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_factors_are_those_of_sympy(seed, homogeneous):
    drawn = Random(seed)
    p = polynomial(drawn, 3, homogeneous) * polynomial(drawn, 2, homogeneous) * LETTERS[1] ** seed
    content, listed = factor_list(p)
    _, known = p.factor_list()
    assert sorted((str(x.monic()), e) for x, e in listed) == sorted(
        (str(x.monic()), e) for x, e in known
    )
    product = RING.one * content
    for factor, power in listed:
        product *= factor**power
    assert product == p
