"""Laws of mass geometry on random clouds of particles, for numbers and for expressions."""

import numpy as np
import pytest
import sympy

from torseur.algebra import Expr, symbols
from torseur.errors import ModelError
from torseur.mass import (
    MassProperties,
    composed,
    faults,
    from_pseudo_inertia,
    huygens,
    inertia_tensor,
    particles,
)

SEEDS = range(8)
ORIGIN = np.zeros(3)
COMPARED = {"rtol": 1e-12, "atol": 1e-12}


def cloud(seed, count=7):
    rng = np.random.default_rng(seed)
    return rng.uniform(0.1, 3.0, count), rng.normal(size=(count, 3))


def summed_inertia(masses, positions, point=ORIGIN):
    """The definition: Σ m (r² 1 − r rᵀ)."""
    r = positions - point
    return sum(m * (v @ v * np.eye(3) - np.outer(v, v)) for m, v in zip(masses, r, strict=True))


def rotation(seed):
    q, _ = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def same(a, b, **tolerance):
    tolerance = tolerance or COMPARED
    np.testing.assert_allclose(a.mass, b.mass, **tolerance)
    np.testing.assert_allclose(a.centre, b.centre, **tolerance)
    np.testing.assert_allclose(a.inertia, b.inertia, **tolerance)


@pytest.mark.parametrize("seed", SEEDS)
def test_centre_and_inertia_of_a_cloud_follow_their_definitions(seed):
    masses, positions = cloud(seed)
    body = particles(masses, positions)
    assert body.mass == pytest.approx(masses.sum())
    np.testing.assert_allclose(body.centre, masses @ positions / masses.sum(), **COMPARED)
    np.testing.assert_allclose(
        body.inertia, summed_inertia(masses, positions, body.centre), **COMPARED
    )


@pytest.mark.parametrize("seed", SEEDS)
def test_huygens_gives_the_inertia_at_any_point(seed):
    masses, positions = cloud(seed)
    point = np.random.default_rng(seed + 100).normal(size=3)
    expected = summed_inertia(masses, positions, point)
    np.testing.assert_allclose(particles(masses, positions).inertia_at(point), expected, **COMPARED)


@pytest.mark.parametrize("seed", SEEDS)
def test_transport_between_two_points_that_are_not_the_centre_goes_both_ways(seed):
    masses, positions = cloud(seed)
    body = particles(masses, positions)
    A, B = np.random.default_rng(seed + 200).normal(size=(2, 3))
    I_A, I_B = summed_inertia(masses, positions, A), summed_inertia(masses, positions, B)
    np.testing.assert_allclose(huygens(I_A, body.mass, body.centre, A, B), I_B, **COMPARED)
    np.testing.assert_allclose(huygens(I_B, body.mass, body.centre, B, A), I_A, **COMPARED)


def test_the_printed_transport_formula_is_wrong_by_the_sign_of_its_cross_terms():
    """Erratum E4-2: the formula as printed misses the definition by far."""
    masses, positions = cloud(0)
    body = particles(masses, positions)
    A, B = np.array([0.3, -1.0, 0.5]), np.array([1.0, 0.4, -0.2])
    BA, AG = A - B, body.centre - A
    cross = np.outer(AG, BA) + np.outer(BA, AG)
    I_A = summed_inertia(masses, positions, A)
    bracket = (BA @ BA + 2 * BA @ AG) * np.eye(3) - np.outer(BA, BA) + cross
    printed = I_A + body.mass * bracket
    assert np.abs(printed - summed_inertia(masses, positions, B)).max() > 1.0


@pytest.mark.parametrize("seed", SEEDS)
def test_two_bodies_together_are_the_union_of_their_clouds(seed):
    (m1, r1), (m2, r2) = cloud(seed), cloud(seed + 50, count=4)
    union = particles(np.concatenate([m1, m2]), np.concatenate([r1, r2]))
    first, second = particles(m1, r1), particles(m2, r2)
    same(first + second, union)
    same(union - second, first)
    same(composed([first, second]), union)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_change_of_axes_keeps_the_invariants_and_agrees_with_moved_particles(seed):
    masses, positions = cloud(seed)
    R, p = rotation(seed), np.array([0.2, -0.5, 1.1])
    body = particles(masses, positions)
    same(body.in_frame(R, p), particles(masses, positions @ R.T + p))
    turned = body.in_axes(R)
    for invariant in (np.trace, np.linalg.det, lambda I: np.trace(I @ I)):
        assert invariant(turned.inertia) == pytest.approx(invariant(body.inertia), rel=1e-12)
    same(turned.in_axes(R.T), body)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_polar_moment_is_the_sum_of_the_moments_about_an_axis_and_its_plane(seed):
    masses, positions = cloud(seed)
    body = particles(masses, positions)
    A, u = np.random.default_rng(seed + 300).normal(size=(2, 3))
    j, P, I_A = body.moment_about_point(A), body.products_at(A), body.inertia_at(A)
    np.testing.assert_allclose(P + I_A, j * np.eye(3), **COMPARED)
    assert body.moment_about_axis(A, u) + body.moment_about_plane(A, u) == pytest.approx(j)
    distances = np.linalg.norm(np.cross(positions - A, u / np.linalg.norm(u)), axis=1)
    assert body.moment_about_axis(A, u) == pytest.approx(masses @ distances**2)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_pseudo_inertia_is_the_sum_of_products_of_homogeneous_positions(seed):
    masses, positions = cloud(seed)
    body = particles(masses, positions)
    d = np.column_stack([positions, np.ones(len(masses))])
    np.testing.assert_allclose(body.pseudo_inertia(), d.T @ np.diag(masses) @ d, **COMPARED)
    same(from_pseudo_inertia(body.pseudo_inertia()), body)


@pytest.mark.parametrize("seed", SEEDS)
def test_no_cloud_breaks_the_triangle_inequality(seed):
    for count in (1, 2, 3, 7):
        masses, positions = cloud(seed, count)
        body = particles(masses, positions)
        assert faults(body) == ()
        low, middle, high = np.linalg.eigvalsh(body.inertia)
        assert high <= (low + middle) * (1 + 1e-12) + 1e-12


def test_the_letters_of_french_courses_have_positive_products():
    masses, positions = cloud(3)
    body = particles(masses, positions)
    x, y, z = positions.T
    letters = body.french_form(ORIGIN)
    found = [letters.A, letters.B, letters.C, letters.D, letters.E, letters.F]
    integrands = [y * y + z * z, z * z + x * x, x * x + y * y, y * z, x * z, x * y]
    np.testing.assert_allclose(found, [masses @ f for f in integrands], **COMPARED)
    np.testing.assert_allclose(letters.inertia, body.inertia_at(ORIGIN), **COMPARED)


def test_the_density_multiplies_mass_and_inertia_but_not_the_centre():
    body = particles(*cloud(1))
    denser = body.scaled(7.8)
    np.testing.assert_allclose(denser.inertia, 7.8 * body.inertia, **COMPARED)
    np.testing.assert_array_equal(denser.centre, body.centre)
    assert denser.mass == pytest.approx(7.8 * body.mass)


def test_mass_properties_cannot_be_changed():
    body = particles(*cloud(1))
    with pytest.raises(ValueError, match="read-only"):
        body.inertia[0, 0] = 1.0


def test_what_is_left_without_mass_keeps_its_inertia():
    spinning = MassProperties(0, ORIGIN, np.diag([0.0, 0.0, 0.02]))
    np.testing.assert_allclose((spinning + spinning).inertia, np.diag([0, 0, 0.04]))
    body = particles(*cloud(2))
    nothing = body - body
    assert nothing.mass == 0
    np.testing.assert_allclose(nothing.inertia, np.zeros((3, 3)), atol=1e-12)


def test_a_part_subtracted_elsewhere_has_no_centre_and_says_so():
    block = MassProperties(2.0, ORIGIN, np.eye(3))
    with pytest.raises(ModelError, match="the total mass is 0 but the first moment"):
        block - block.in_frame(np.eye(3), [1.0, 0, 0])


def test_inertia_components_are_counted():
    np.testing.assert_array_equal(inertia_tensor([1, 2, 3]), np.diag([1, 2, 3]))
    np.testing.assert_array_equal(inertia_tensor([1, 2, 3, 4, 5, 6])[0], [1, 4, 5])
    with pytest.raises(ModelError, match="4 components are given"):
        inertia_tensor([1, 2, 3, 4])


@pytest.mark.parametrize("matrix", [np.diag([1.0, 1.0, 2.0]), np.ones((3, 3))])
def test_a_change_of_axes_that_is_none_is_refused(matrix):
    with pytest.raises(ModelError, match="is not orthogonal"):
        particles(*cloud(1)).in_axes(matrix)


def test_an_axis_needs_a_direction():
    with pytest.raises(ModelError, match="is zero"):
        particles(*cloud(1)).moment_about_axis(ORIGIN, [0, 0, 0])


def test_the_same_code_composes_expressions_exactly():
    m, a = symbols("m a")
    two = particles([m, m], [[a, 0, 0], [-a, 0, 0]])
    assert all(isinstance(x, Expr) or x == 0 for x in two.inertia.flat)
    assert two.mass == 2 * m
    assert list(two.centre) == [0, 0, 0]
    assert two.inertia[1, 1] == 2 * m * a**2
    assert two.inertia[0, 0] == 0
    assert two.moment_about_axis([0, a, 0], [0, 0, 1]) == 4 * m * a**2


def test_expressions_of_another_library_pass_through_as_well():
    m, a, b = sympy.symbols("m a b", positive=True)
    body = particles([m, 2 * m], [[a, 0, 0], [0, b, 0]])
    assert sympy.expand(body.inertia_at([0, 0, 0])[2, 2] - m * a**2 - 2 * m * b**2) == 0
    assert sympy.expand(body.inertia_at([0, 0, 0])[0, 1]) == 0
    back = from_pseudo_inertia(body.pseudo_inertia())
    difference = sympy.Matrix(back.inertia - body.inertia)
    assert difference.expand() == sympy.zeros(3)
