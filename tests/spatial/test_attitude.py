"""Attitudes by products of rotations: their norm, and the orders of the updates."""

from itertools import product

import numpy as np
import pytest
import sympy
from scipy.spatial.transform import Rotation

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.spatial import quaternion
from torseur.spatial.attitude_steps import (
    corrected,
    exponential,
    munthe_kaas,
    trapezoidal,
    turned,
)
from torseur.spatial.rotation import rodrigues

U, W = np.array([0.6, 0.0, 0.8]), np.array([0.0, 1.0, 0.0])


def exact(t):
    """A body that turns about U by sin t + t, then about its own W by t²."""
    return quaternion.product(quaternion.from_axis(U, np.sin(t) + t), quaternion.from_axis(W, t**2))


def spin(t):
    """ω in body axes: that of U seen from the body, and W."""
    return rodrigues(W, t**2).T @ U * (np.cos(t) + 1) + 2 * t * W


def integral(t, h):
    """∫ω over a step, by Gauss and Legendre with eight points."""
    nodes, weights = np.polynomial.legendre.leggauss(8)
    return h / 2 * sum(w * spin(t + h / 2 * (1 + x)) for x, w in zip(nodes, weights, strict=True))


def error(steps, increments, *, edward=False):
    """Of the attitude at t = 1, as an angle."""
    h, q, before = 1.0 / steps, exact(0.0), None
    for k in range(steps):
        delta = increments(k * h, h)
        known = delta if before is None else before
        q = turned(q, corrected(known, delta) if edward else delta)
        before = delta
    return angle(q, exact(1.0)), q


def angle(q, other):
    return 2 * np.linalg.norm(quaternion.product(quaternion.conjugate(q), other)[1:])


def order(increments, *, edward=False, steps=(80, 160)):
    """The order measured by halving the step."""
    first, second = (error(n, increments, edward=edward)[0] for n in steps)
    return np.log2(first / second), second


def by_trapezes(t, h):
    return trapezoidal(spin(t), spin(t + h), h)


def test_the_exponential_is_a_rotation_by_the_length_of_its_vector():
    for delta in (0.7 * U, 1e-9 * W, np.zeros(3)):
        size = np.linalg.norm(delta)
        axis = delta / size if size else W
        expected = quaternion.from_axis(axis, size)
        np.testing.assert_allclose(exponential(delta), expected, atol=1e-16)


def test_trapezoidal_increments_have_order_two():
    measured, _ = order(by_trapezes)
    assert measured == pytest.approx(2, abs=0.05)


def test_with_trapezoidal_increments_edwards_correction_stays_at_order_two():
    """Erratum E0-27."""
    measured, _ = order(by_trapezes, edward=True)
    assert measured == pytest.approx(2, abs=0.1)


def test_with_exact_increments_edwards_correction_gains_an_order():
    plain, large = order(integral)
    better, small = order(integral, edward=True)
    assert plain == pytest.approx(2, abs=0.1)
    assert better > 2.8 and small < large / 50


def test_the_method_on_the_group_has_order_four_and_keeps_the_norm():
    """A heavy asymmetric top, against the same method with a much smaller step."""
    inertia = np.array([1.0, 2.0, 2.5])

    def rate(t, q, w):
        down = quaternion.matrix(q).T @ np.array([0.0, 0.0, -3.0])
        return (np.cross(inertia * w, w) + np.cross([0.0, 0.0, 0.4], down)) / inertia

    def reached(steps):
        q, w, h = exact(0.3), np.array([1.0, -2.0, 3.0]), 1.0 / steps
        for k in range(steps):
            q, w = munthe_kaas(rate, k * h, q, w, h)
        assert abs(np.linalg.norm(q) - 1) < 1e-14
        return q

    best = reached(400)
    first, second = (angle(reached(n), best) for n in (25, 50))
    assert np.log2(first / second) == pytest.approx(4, abs=0.15)


def test_the_norm_is_kept_over_many_steps():
    _, q = error(2000, by_trapezes)
    assert abs(np.linalg.norm(q) - 1) < 1e-13


# --- what is given from outside -------------------------------------------------------------------


def test_the_length_of_an_axis_or_of_a_quaternion_turns_nothing():
    turned = ts.attitude.rodrigues([0, 0, 2], 0.3)
    for axis in ("z", 2):
        np.testing.assert_allclose(ts.attitude.elementary(axis, 0.3), turned, atol=1e-15)
    np.testing.assert_allclose(turned, ts.attitude.rodrigues([0, 0, 1], 0.3), atol=1e-15)
    doubled = ts.attitude.quaternion.matrix([2, 0, 0, 2])
    np.testing.assert_allclose(doubled, ts.attitude.rodrigues([0, 0, 1], np.pi / 2), atol=1e-15)
    attitude = ts.attitude.quaternion.from_axis([0, 3, 0], 0.4)
    assert attitude @ attitude == pytest.approx(1.0, abs=1e-15)


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        (lambda: ts.attitude.euler.matrix("zab", [1, 2, 3]), '"zab" is no sequence of axes'),
        (lambda: ts.attitude.euler.matrix("zx", [1, 2, 3]), '"zx" has 2 angles, not 3'),
        (lambda: ts.attitude.euler.angles("zzx", np.eye(3)), "twice in a row"),
        (lambda: ts.attitude.euler.angles("xyz", 2 * np.eye(3)), "orthonormal basis by 3"),
        (lambda: ts.attitude.euler.angles("zxz", np.diag([1, 1, -1.0])), "it mirrors"),
        (lambda: ts.attitude.quaternion.from_matrix(np.eye(2)), "not \\(3, 3\\)"),
        (lambda: ts.attitude.quaternion.matrix([0, 0, 0, 0]), "no quaternion"),
        (lambda: ts.attitude.rodrigues([0, 0, 0], 0.3), "has no direction"),
        (lambda: ts.attitude.elementary("u", 0.3), "u is no axis"),
        (lambda: ts.attitude.elementary(3, 0.3), "3 is no axis"),
        (lambda: ts.attitude.rodrigues([1, 2], 0.3), r"3 components .* shape \(2,\)"),
        (lambda: ts.attitude.rodrigues([0, np.inf, 0], 0.3), "has no direction"),
        (lambda: ts.attitude.rodrigues([0, 0, 1], "a + b"), '"a \\+ b" is no name of an angle'),
        (lambda: ts.attitude.elementary("z", [1]), r"the angle \[1\] is no number \(list\)"),
        (lambda: ts.attitude.euler.matrix("zxz", 0.3), '"zxz" has 3 angles, not 1'),
        (lambda: ts.attitude.skew([1, 2]), r"3 components .* shape \(2,\)"),
        (lambda: ts.attitude.axial_vector(np.eye(2)), r"shape \(2, 2\), not \(3, 3\)"),
        (lambda: ts.attitude.quaternion.product([1, 0, 0], [1, 0, 0, 0]), "4 components"),
        (lambda: ts.attitude.quaternion.rate([1, 0, 0, 0], [1, 0]), "3 components"),
    ],
)
def test_what_is_no_attitude_is_refused_by_name(asked, told):
    with pytest.raises(ts.ModelError, match=told):
        asked()


@pytest.mark.parametrize("size", [1e-200, 1.0, 1e200])
def test_an_axis_of_any_length_has_its_direction(size):
    found = ts.attitude.rodrigues(size * np.array([1.0, -2.0, 2.0]), 0.7)
    np.testing.assert_allclose(found, ts.attitude.rodrigues([1, -2, 2], 0.7), atol=1e-15)


@pytest.mark.parametrize("seed", range(5))
def test_matrices_angles_and_quaternions_are_those_of_scipy(seed):
    rng = np.random.default_rng(seed)
    for sequence in map("".join, product("xyz", repeat=3)):
        if sequence[0] == sequence[1] or sequence[1] == sequence[2]:
            continue
        angles = rng.uniform(0.1, 1.4, 3)
        known = Rotation.from_euler(sequence.upper(), angles)  # capitals: axes that move
        R = ts.attitude.euler.matrix(sequence, angles)
        np.testing.assert_allclose(R, known.as_matrix(), atol=1e-14)
        np.testing.assert_allclose(ts.attitude.euler.angles(sequence, R), angles, atol=1e-13)
    first, second = Rotation.random(2, random_state=seed)
    q, r = (np.roll(x.as_quat(), 1) for x in (first, second))  # SciPy's are (x, y, z, w)
    np.testing.assert_allclose(ts.attitude.quaternion.matrix(q), first.as_matrix(), atol=1e-14)
    both = np.roll((first * second).as_quat(), 1)
    found = ts.attitude.quaternion.product(q, r)
    np.testing.assert_allclose(found * np.sign(found @ both), both, atol=1e-14)
    back = ts.attitude.quaternion.from_matrix(first.as_matrix())
    np.testing.assert_allclose(back * np.sign(back @ q), q, atol=1e-14)


def test_angles_by_their_names_give_the_formulas_of_the_course():
    """Plaut (2007), (1.40) and (1.51) to (1.53): Ω in body, mixed and fixed axes."""
    names = ["psi", "theta", "phi"]

    def formulas(found):
        return [[str(x) for x in row] for row in found]

    matrix = formulas(ts.attitude.euler.matrix("zxz", names))
    assert matrix[2] == ["sin(phi)*sin(theta)", "cos(phi)*sin(theta)", "cos(theta)"]
    assert formulas(ts.attitude.euler.body_rates("zxz", names)) == [
        ["sin(phi)*sin(theta)", "cos(phi)", "0"],
        ["cos(phi)*sin(theta)", "-sin(phi)", "0"],
        ["cos(theta)", "0", "1"],
    ]
    mixed = ts.attitude.euler.body_rates("zxz", ["psi", "theta", 0])  # before the spin
    assert formulas(mixed) == [
        ["0", "1", "0"],
        ["sin(theta)", "0", "0"],
        ["cos(theta)", "0", "1"],
    ]
    assert formulas(ts.attitude.euler.ground_rates("zxz", names)) == [
        ["0", "cos(psi)", "sin(psi)*sin(theta)"],
        ["0", "sin(psi)", "-cos(psi)*sin(theta)"],
        ["1", "0", "cos(theta)"],
    ]
    assert str(ts.attitude.rodrigues([0, 0, 1], "a")[1, 0]) == "sin(a)"


@pytest.mark.parametrize(
    ("kind", "arguments", "problem"),
    [
        ("cylindrical", [(1, 2)], r"coordinates has 2 numbers, not 3"),
        ("spherical", [(1, 2, 3), (1, 2)], r"rates has 2 numbers, not 3"),
        ("polar", [(1, 2, 3)], r"coordinates has 3 numbers, not 2"),
    ],
)
def test_local_bases_say_how_many_numbers_they_take(kind, arguments, problem):
    with pytest.raises(ts.ModelError, match=problem):
        getattr(ts.attitude, kind)(*arguments)


def test_local_bases_take_symbols_of_sympy_names_and_numbers_alike():
    """V = d(OM)/dt and γ = dV/dt, differentiated by SymPy, on the local basis."""
    t = sympy.Symbol("t")
    names = ("r", "theta", "phi")
    r, theta, phi = (sympy.Function(name)(t) for name in names)
    place = r * sympy.Matrix(
        [sympy.sin(theta) * sympy.cos(phi), sympy.sin(theta) * sympy.sin(phi), sympy.cos(theta)]
    )
    expected = place.diff(t), place.diff(t, 2)
    found = ts.attitude.spherical(
        names, [f"{x}." for x in names], [sympy.Symbol(f"a_{x}") for x in names]
    )
    rng = np.random.default_rng(4)
    numbers = rng.uniform(0.3, 1.2, 9)
    q, v, a = numbers[:3], numbers[3:6], numbers[6:]
    values = {
        **dict(zip(names, q, strict=True)),
        **{f"{x}.": y for x, y in zip(names, v, strict=True)},
        **{f"a_{x}": y for x, y in zip(names, a, strict=True)},
    }
    functions = (r, theta, phi)
    by_time = [
        *((x.diff(t, 2), y) for x, y in zip(functions, a, strict=True)),
        *((x.diff(t), y) for x, y in zip(functions, v, strict=True)),
        *zip(functions, q, strict=True),
    ]
    for vector, truth in zip(
        (found.fixed_velocity, found.fixed_acceleration), expected, strict=True
    ):
        numeric = [float(evaluate(x, values)) for x in vector]
        np.testing.assert_allclose(numeric, [float(x.subs(by_time)) for x in truth], rtol=1e-12)
    plain = ts.attitude.spherical(q, v, a)
    np.testing.assert_allclose(plain.fixed_velocity, [float(x.subs(by_time)) for x in expected[0]])


def test_what_is_no_coordinate_is_told():
    with pytest.raises(ts.ModelError, match="neither a number nor a symbol"):
        ts.attitude.spherical(["r t", "theta", "phi"])
