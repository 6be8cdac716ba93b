"""Integration of domains: closed forms, quadrature, and that the two agree."""

import numpy as np
import pytest
import sympy
from sympy import Rational, cos, pi, sin

from torseur.errors import ModelError
from torseur.mass import Domain, cartesian, integrate

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
