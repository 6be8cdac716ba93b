"""Integration of domains: closed forms, quadrature, and that the two agree."""

import re
from itertools import permutations

import numpy as np
import pytest
import sympy
from sympy import Rational, cos, pi, sin

from torseur.errors import ModelError
from torseur.mass import Domain, cartesian, integrate
from torseur.torseurs import distributed

a, b, h = sympy.symbols("a b h", positive=True)
x, y, z, r, theta, phi = sympy.symbols("x y z r theta phi", real=True)
VALUES = {"a": 0.3, "b": 0.7, "h": 1.1}

DOMAINS = {
    "bar of linear density": cartesian([(x, 0, a)], 1 + x / a),
    "hoop": Domain((a * cos(theta), a * sin(theta), 0), ((theta, 0, 2 * pi),)),
    "triangle": cartesian([(x, 0, a), (y, 0, b * (1 - x / a))]),
    "half-disc": Domain((r * cos(theta), r * sin(theta), 0), ((r, 0, a), (theta, 0, pi))),
    "left-handed half-disc": Domain(
        (r * cos(theta), r * sin(theta), 0), ((theta, 0, pi), (r, 0, a))
    ),
    "shell": Domain(
        (a * sin(theta) * cos(phi), a * sin(theta) * sin(phi), a * cos(theta)),
        ((theta, 0, pi), (phi, 0, 2 * pi)),
    ),
    "cone": Domain(
        (r * cos(theta), r * sin(theta), z), ((z, 0, h), (r, 0, a * z / h), (theta, 0, 2 * pi))
    ),
    "left-handed cone": Domain(
        (r * cos(theta), r * sin(theta), z), ((z, 0, h), (theta, 0, 2 * pi), (r, 0, a * z / h))
    ),
    "tetrahedron": cartesian([(x, 0, a), (y, 0, a - x), (z, 0, a - x - y)]),
}


def numbers(array):
    values = {a: 0.3, b: 0.7, h: 1.1}
    return np.array([[float(sympy.sympify(e).subs(values)) for e in row] for row in array])


@pytest.mark.parametrize("name", DOMAINS)
def test_the_exact_integral_and_the_quadrature_agree(name):
    exact = DOMAINS[name].mass_properties()
    found = DOMAINS[name].integrate(VALUES)
    assert found.error < 1e-10
    assert found.properties.mass > 0
    assert float(exact.mass.subs({a: 0.3, b: 0.7, h: 1.1})) == pytest.approx(found.properties.mass)
    np.testing.assert_allclose(numbers([exact.centre])[0], found.properties.centre, atol=1e-10)
    np.testing.assert_allclose(numbers(exact.inertia), found.properties.inertia, atol=1e-10)


def test_closed_forms_come_out_short():
    half_disc = DOMAINS["half-disc"].mass_properties()
    assert half_disc.mass == pi * a**2 / 2
    assert list(half_disc.centre) == [0, 4 * a / (3 * pi), 0]
    triangle = DOMAINS["triangle"].mass_properties()
    assert triangle.inertia[0, 0] == a * b**3 / 36
    assert triangle.inertia[0, 1] == a**2 * b**2 / 72
    cone = DOMAINS["cone"].mass_properties()
    assert cone.inertia[2, 2] == cone.mass * Rational(3, 10) * a**2


def test_a_given_jacobian_replaces_the_derivative_of_the_position():
    plain = Domain((0, 0, 0), ((x, 0, 1),), jacobian=3)
    assert plain.mass_properties().mass == 3
    assert plain.integrate().properties.mass == pytest.approx(3)


def test_the_error_estimate_covers_a_domain_with_a_kink():
    def dense(x, y):
        return np.where(x**2 + y**2 < 0.5, 2.0, 1.0)

    found = integrate(lambda x, y: (x, y, 0 * x), [(0.0, 1.0), (0.0, 1.0)], dense)
    truth = 1 + np.pi * 0.5 / 4
    assert abs(found.properties.mass / truth - 1) < 10 * found.error
    assert found.error > 1e-8
    assert found.order == 64


def test_what_a_domain_lacks_is_named():
    with pytest.raises(ModelError, match="no value is given for a, b"):
        DOMAINS["triangle"].integrate({"h": 1})
    with pytest.raises(ModelError, match=r"the bounds are on r\."):
        cartesian([(r, 0, 1)])
    with pytest.raises(ModelError, match="4 bounds are given"):
        integrate(lambda *u: u[:3], [(0, 1)] * 4)
    with pytest.raises(ModelError, match="does not follow a complex step"):
        integrate(lambda u: (np.abs(u), 0.0, 0.0), [(0, 1)])


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_bounds_of_a_domain_may_be_given_in_any_order(order):
    bounds = ((r, 0, a * z / h), (theta, 0, 2 * pi), (z, 0, h))  # that of the books first
    cone = Domain((r * cos(theta), r * sin(theta), z), tuple(bounds[k] for k in order), b)
    found = cone.mass_properties()
    assert found.mass == pi * a**2 * h * b / 3
    assert list(found.centre) == [0, 0, 3 * h / 4]
    assert found.inertia[2, 2] == found.mass * Rational(3, 10) * a**2
    by_points = cone.integrate(VALUES).properties
    assert by_points.mass == pytest.approx(np.pi * 0.3**2 * 1.1 * 0.7 / 3, rel=1e-12)
    weight = distributed(cone, (0, 0, -b))
    assert list(weight.resultant) == [0, 0, -found.mass]
    shorter = distributed(cone, (0, 0, -b), values=VALUES)
    np.testing.assert_allclose(shorter.resultant, [0, 0, -by_points.mass], rtol=1e-12)


def test_the_order_of_cartesian_bounds_is_free_too():
    bounds = [(x, 0, a), (y, 0, a - x), (z, 0, a - x - y)]
    for order in permutations(bounds):
        assert cartesian(order).mass_properties().mass == a**3 / 6


@pytest.mark.parametrize(
    ("bounds", "problem"),
    [
        (((r, 0, r),), "the bounds of r depend on r"),
        (((r, 0, z), (z, 0, r)), "the bounds of r, z depend on r, z"),
        (((r, 0, sympy.Symbol("z")), (z, 0, 1)), '"z" stands for two different symbols'),
        (((r, 0, 1), (r, 0, 2)), "the bounds are on r, r"),
        ((), "0 bounds are given"),
    ],
)
def test_bounds_that_leave_a_parameter_in_the_integral_are_refused(bounds, problem):
    with pytest.raises(ModelError, match=re.escape(problem)):
        Domain((r, z, 0), bounds)


def test_a_force_density_of_a_namesake_of_a_parameter_is_refused():
    bar = cartesian([(x, 0, a)])
    for values in (None, VALUES):
        with pytest.raises(ModelError, match='"x" stands for two different symbols'):
            distributed(bar, (0, 0, sympy.Symbol("x")), values=values)


def test_a_bound_that_is_a_function_of_what_follows_is_refused():
    with pytest.raises(ModelError, match="a bound of parameter 1 is a function of other arguments"):
        integrate(lambda u, v: (u, v, 0), [(0, lambda v: v), (0, 1)])
