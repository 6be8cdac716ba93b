"""Rotations, quaternions, Euler angles, poses and torseurs: identities on random input."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from random_trees import random_inertia, random_pose

from torseur.algebra.core.expr import PI, symbol, symbols
from torseur.algebra.core.graph import evaluate
from torseur.errors import SolveError
from torseur.spatial import euler, quaternion
from torseur.spatial.rotation import elementary, rodrigues, smallest, turn
from torseur.spatial.torseur import Torseur, power, total, twist, wrench
from torseur.spatial.vectors import axial, axial_vector, cross, skew

SEEDS = range(10)
SEQUENCES = ["zxz", "zyz", "xyx", "xzx", "yxy", "yzy", "xyz", "zyx", "yxz", "zxy", "xzy", "yzx"]
ANGLE = st.floats(-3.0, 3.0)


def unit(rng):
    u = rng.normal(size=3)
    return u / np.linalg.norm(u)


@pytest.mark.parametrize("seed", SEEDS)
def test_tensors_of_order_two_change_basis_and_their_skew_part_is_a_vector(seed):
    rng = np.random.default_rng(seed)
    a, b, R = rng.normal(size=3), rng.normal(size=3), rodrigues(unit(rng), 1.1)
    np.testing.assert_allclose(skew(a) @ b, cross(a, b), atol=1e-15)
    np.testing.assert_allclose(axial_vector(skew(a)), a, atol=1e-15)
    np.testing.assert_allclose(axial_vector(np.outer(a, b)), cross(b, a) / 2, atol=1e-15)
    A = rng.normal(size=(3, 3))
    np.testing.assert_allclose(axial_vector(A.T), -axial_vector(A), atol=1e-15)
    np.testing.assert_allclose(R.T @ np.outer(a, b) @ R, np.outer(R.T @ a, R.T @ b), atol=1e-14)
    np.testing.assert_allclose(axial_vector(R.T @ A @ R), R.T @ axial_vector(A), atol=1e-14)


@given(ANGLE)
def test_elementary_rotations_are_rodrigues_rotations_about_the_axes(angle):
    for axis in range(3):
        expected = rodrigues(np.eye(3)[axis], angle)
        np.testing.assert_allclose(elementary(axis, angle), expected, atol=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_rotation_matrix_is_orthogonal_and_keeps_its_axis(seed):
    rng = np.random.default_rng(seed)
    u, R = unit(rng), rodrigues(unit(np.random.default_rng(seed)), 1.3)
    np.testing.assert_allclose(R @ R.T, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(R @ u, u, atol=1e-14)
    assert np.linalg.det(R) == pytest.approx(1.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_applying_the_factors_is_applying_the_matrix(seed):
    rng = np.random.default_rng(seed)
    X, v = random_pose(rng), rng.normal(size=3)
    body = random_inertia(rng)
    np.testing.assert_allclose(X.R.out(v), X.R.matrix @ v, atol=1e-14)
    np.testing.assert_allclose(X.R.into(v), X.R.matrix.T @ v, atol=1e-14)
    turned = X.R.tensor_out(body.K)
    np.testing.assert_allclose(turned, X.R.matrix @ body.K @ X.R.matrix.T, atol=1e-13)


def test_turns_about_one_axis_add_up():
    q1, q2, q3 = symbols("q1 q2 q3", "coordinate")
    R = turn("x", q1) @ turn("x", q2) @ turn("x", q3)
    assert len(R.factors) == 1
    assert R.factors[0].angle is q1 + q2 + q3
    assert (turn("y", q1) @ turn("y", -q1)).factors == ()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_smallest_rotation_brings_one_direction_onto_another(seed):
    rng = np.random.default_rng(seed)
    a, b = unit(rng), unit(rng)
    R = smallest(a, b)
    np.testing.assert_allclose(R @ a, b, atol=1e-13)
    np.testing.assert_allclose(R @ np.cross(a, b), np.cross(a, b), atol=1e-13)


@pytest.mark.parametrize("sequence", SEQUENCES)
@given(angles=st.tuples(ANGLE, st.floats(0.05, 1.5), ANGLE))
def test_euler_angles_are_found_again(sequence, angles):
    np.testing.assert_allclose(
        euler.angles(sequence, euler.matrix(sequence, angles)), angles, atol=1e-12
    )


@pytest.mark.parametrize("sequence", SEQUENCES)
@pytest.mark.parametrize("seed", range(3))
def test_angle_rates_give_the_angular_velocity_in_body_and_in_fixed_axes(sequence, seed):
    rng = np.random.default_rng(seed)
    angles, rates = rng.normal(size=(2, 3))
    step = 1e-6
    R = euler.matrix(sequence, angles)
    R_dot = (
        euler.matrix(sequence, angles + step * rates)
        - euler.matrix(sequence, angles - step * rates)
    ) / (2 * step)
    body = axial(R.T @ R_dot) / 2
    np.testing.assert_allclose(euler.body_rates(sequence, angles) @ rates, body, atol=1e-8)
    ground = euler.ground_rates(sequence, angles) @ rates
    np.testing.assert_allclose(ground, axial(R_dot @ R.T) / 2, atol=1e-8)


@pytest.mark.parametrize(("sequence", "second"), [("zxz", 0.0), ("zxz", np.pi), ("xyz", np.pi / 2)])
def test_the_singular_position_of_euler_angles_is_named(sequence, second):
    with pytest.raises(SolveError, match=f"Euler angles {sequence}.*turn about one axis"):
        euler.angles(sequence, euler.matrix(sequence, [0.3, second, 0.4]))


@pytest.mark.parametrize("seed", SEEDS)
def test_quaternions_multiply_as_rotations_do(seed):
    rng = np.random.default_rng(seed)
    a, b = (q / np.linalg.norm(q) for q in rng.normal(size=(2, 4)))
    product = quaternion.matrix(quaternion.product(a, b))
    np.testing.assert_allclose(product, quaternion.matrix(a) @ quaternion.matrix(b), atol=1e-14)
    found = quaternion.from_matrix(quaternion.matrix(a))
    np.testing.assert_allclose(found, a * np.sign(a[0]), atol=1e-14)


@pytest.mark.parametrize("axis", range(3))
def test_a_half_turn_has_a_quaternion(axis):
    found = quaternion.from_matrix(elementary(axis, np.pi))
    np.testing.assert_allclose(np.abs(found), np.abs(quaternion.from_axis(np.eye(3)[axis], np.pi)))


@pytest.mark.parametrize("seed", SEEDS)
def test_the_rate_of_a_quaternion_turns_its_matrix_at_the_angular_velocity(seed):
    rng = np.random.default_rng(seed)
    q, w = rng.normal(size=4), rng.normal(size=3)
    q /= np.linalg.norm(q)
    q_dot, step = quaternion.rate(q, w), 1e-6
    R_dot = (quaternion.matrix(q + step * q_dot) - quaternion.matrix(q - step * q_dot)) / (2 * step)
    np.testing.assert_allclose(R_dot, quaternion.matrix(q) @ skew(w), atol=1e-8)
    np.testing.assert_allclose(quaternion.angular_velocity(q, q_dot), w, atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_letters_cancel_in_poses(seed):
    rng = np.random.default_rng(seed)
    X_AB, X_BC, p = random_pose(rng), random_pose(rng), rng.normal(size=3)
    np.testing.assert_allclose((X_AB @ X_BC).point(p), X_AB.point(X_BC.point(p)), atol=1e-13)
    np.testing.assert_allclose((X_AB @ X_AB.inverse).homogeneous, np.eye(4), atol=1e-13)


@pytest.mark.parametrize("seed", SEEDS)
def test_an_inertia_seen_from_elsewhere_keeps_the_kinetic_energy(seed):
    rng = np.random.default_rng(seed)
    body, X = random_inertia(rng), random_pose(rng)
    w, v = rng.normal(size=(2, 3))  # at the origin and in the axes of A

    def energy(inertia, w, v):
        return inertia.m * v @ v + 2 * v @ cross(w, inertia.h) + w @ inertia.tensor @ w

    moved = body.seen_from(X)
    in_B = X.R.into(w), X.R.into(v + cross(w, X.p))
    assert energy(moved, w, v) == pytest.approx(energy(body, *in_B), rel=1e-12)


# --- torseurs -----------------------------------------------------------------------------------


def random_torseur(rng):
    return Torseur(*rng.normal(size=(3, 3)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_torseur_carried_around_comes_back(seed):
    rng = np.random.default_rng(seed)
    t, B = random_torseur(rng), rng.normal(size=3)
    np.testing.assert_allclose(t.at(B).at(t.point).moment, t.moment, atol=1e-13)
    assert t.at(B).scalar_invariant == pytest.approx(t.scalar_invariant, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_comoment_is_the_same_at_every_point(seed):
    rng = np.random.default_rng(seed)
    a, b, B = random_torseur(rng), random_torseur(rng), rng.normal(size=3)
    assert a.comoment(b) == pytest.approx(b.comoment(a), rel=1e-10, abs=1e-12)
    assert a.at(B).comoment(b) == pytest.approx(a.comoment(b), rel=1e-10, abs=1e-12)
    assert (a + b - b).comoment(b) == pytest.approx(a.comoment(b), rel=1e-10, abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_on_the_central_axis_the_moment_is_parallel_to_the_resultant(seed):
    t = random_torseur(np.random.default_rng(seed))
    foot, direction, pitch = t.central_axis
    np.testing.assert_allclose(t.at(foot).moment, pitch * t.resultant, atol=1e-12)
    np.testing.assert_allclose(cross(direction, t.resultant), 0, atol=1e-12)


def test_power_is_force_times_velocity_plus_couple_times_rotation():
    motion = twist(np.array([0, 0, 2.0]), np.array([1.0, 0, 0]), np.zeros(3))
    action = wrench(np.array([3.0, 0, 0]), np.array([0, 0, 5.0]), np.zeros(3))
    assert power(motion, action) == pytest.approx(13.0)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_power_of_forces_on_a_rigid_body_is_that_of_their_torseur_at_any_point(seed):
    """Σ f · v(M) over the points where forces act, for a torseur reduced anywhere."""
    rng = np.random.default_rng(seed)
    points, forces = rng.normal(size=(2, 6, 3))
    omega, velocity, A, B, C = rng.normal(size=(5, 3))
    motion = twist(omega, velocity, A)
    expected = sum(
        f @ (velocity + np.cross(omega, p - A)) for f, p in zip(forces, points, strict=True)
    )
    acting = [wrench(f, np.zeros(3), p) for f, p in zip(forces, points, strict=True)]
    for there in (A, B, C):
        reduced = total(acting, there)
        v = motion.at(there).moment
        assert reduced.resultant @ v + reduced.moment @ omega == pytest.approx(expected)
        assert power(motion, reduced) == pytest.approx(expected)
        assert (2 * motion / 2).comoment(reduced.at(B)) == pytest.approx(expected)


def test_a_couple_has_no_central_axis_and_torseurs_have_kinds():
    zero, x, z = np.zeros(3), np.eye(3)[0], np.eye(3)[2]
    with pytest.raises(SolveError, match="a couple has no central axis"):
        _ = Torseur(zero, x, zero).central_axis
    assert Torseur(zero, zero, zero).kind == "null"
    assert Torseur(zero, x, zero).kind == "couple"
    assert Torseur(x, z, zero).kind == "slider"
    assert Torseur(x, x + z, zero).kind == "general"


def test_torseurs_and_rotations_work_on_expressions():
    psi = symbol("psi", "coordinate")
    R = euler.matrix("zxz", [psi, PI / 2, 0 * psi])
    assert R[2, 1] == 1
    moved = Torseur(R[0], R[1], R[2]).at(np.zeros(3))
    number = np.asarray(evaluate(moved.moment, {"psi": 0.4}), dtype=float)
    numeric = euler.matrix("zxz", [0.4, np.pi / 2, 0.0])
    expected = Torseur(numeric[0], numeric[1], numeric[2]).at(np.zeros(3)).moment
    np.testing.assert_allclose(number, expected, atol=1e-15)
