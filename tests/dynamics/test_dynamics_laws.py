"""Laws of mechanics that every tree obeys, and the agreement of independent routes.

Two exact routes differ by rounding only: 1e-12 relative to the size of the terms. Where a
derivative is taken by central differences of step 1e-6, the bound is 1e-6.
"""

from dataclasses import replace

import numpy as np
import pytest
from many_cases import on_each
from random_trees import (
    EVERY_JOINT,
    SLIDING_AND_TURNING,
    WITHOUT_QUATERNIONS,
    random_coordinates,
    random_tree,
    rates,
)

from torseur.dynamics.tree import augmented_bodies, base_parameters, kinematics, mampey, quantities
from torseur.dynamics.tree import inverse_dynamics as newton_euler
from torseur.equations.formalisms import uicker
from torseur.model.joints.reversed import Reversed
from torseur.topology.tree import elementary

SEEDS = range(20)
NO_GRAVITY = np.zeros(3)


def state(seed, kinds=EVERY_JOINT, **options):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, kinds, **options)
    q, (v, a) = random_coordinates(rng, tree), rng.normal(size=(2, tree.nv))
    return tree, q, v, a, rng.normal(size=3) * 9.81


def assert_close(first, second, tolerance=1e-12):
    first, second = np.asarray(first, dtype=float), np.asarray(second, dtype=float)
    size = 1 + np.abs(first).max(initial=0)
    np.testing.assert_allclose(first, second, rtol=0, atol=tolerance * size)


def rate_of_kinetic_energy(tree, q, v, a, step=1e-6):
    q_dot = rates(tree, q, v)
    after = quantities.kinetic_energy(tree, q + step * q_dot, v + step * a)
    before = quantities.kinetic_energy(tree, q - step * q_dot, v - step * a)
    return (after - before) / (2 * step)


def inverse(tree, q, v, a, gravity):
    return newton_euler.inverse_dynamics(tree, q, v, a, gravity).Q


@on_each(seed=SEEDS, rotors=[None, "reflected", "oblique"])
def test_inverse_dynamics_is_mass_matrix_times_accelerations_plus_bias(seed, rotors):
    tree, q, v, a, gravity = state(seed, rotors=rotors)
    M = quantities.mass_matrix(tree, q)
    assert_close(inverse(tree, q, v, a, gravity), M @ a + inverse(tree, q, v, 0 * a, gravity))


@on_each(seed=SEEDS, rotors=[None, "reflected", "oblique"])
def test_kinetic_energy_is_half_the_square_of_the_speeds_in_the_mass_matrix(seed, rotors):
    tree, q, v, _, _ = state(seed, rotors=rotors)
    M = quantities.mass_matrix(tree, q)
    assert_close(quantities.kinetic_energy(tree, q, v), v @ M @ v / 2)
    assert_close(M, M.T)
    if rotors != "oblique":
        assert np.linalg.eigvalsh(M).min(initial=1.0) > 0


@on_each(seed=SEEDS, rotors=[None, "oblique"])
def test_power_of_the_drives_is_the_rate_of_kinetic_energy(seed, rotors):
    tree, q, v, a, _ = state(seed, rotors=rotors)
    power = inverse(tree, q, v, a, NO_GRAVITY) @ v
    assert power == pytest.approx(rate_of_kinetic_energy(tree, q, v, a), rel=1e-6, abs=1e-5)


@on_each(seed=SEEDS)
def test_power_against_gravity_is_the_rate_of_potential_energy(seed):
    tree, q, v, _, gravity = state(seed)
    step = 1e-6
    q_dot = rates(tree, q, v)
    after = quantities.potential_energy(tree, q + step * q_dot, gravity)
    before = quantities.potential_energy(tree, q - step * q_dot, gravity)
    power = inverse(tree, q, 0 * v, 0 * v, gravity) @ v
    assert power == pytest.approx((after - before) / (2 * step), rel=1e-6, abs=1e-5)


@on_each(seed=SEEDS, rotors=[None, "reflected"])
def test_articulated_bodies_undo_inverse_dynamics(seed, rotors):
    tree, q, v, a, gravity = state(seed, rotors=rotors)
    M = quantities.mass_matrix(tree, q)
    Q = inverse(tree, q, v, a, gravity)
    found = quantities.forward_dynamics(tree, q, v, Q, gravity)
    condition = np.linalg.cond(M) if tree.nv else 1.0
    assert_close(found, a, tolerance=1e-14 * max(condition, 100.0))


@on_each(seed=SEEDS, rotors=[None, "oblique"])
def test_inertia_regrouped_towards_the_ground_gives_the_same_equations(seed, rotors):
    tree, q, v, a, gravity = state(seed, rotors=rotors)
    base = base_parameters.regrouped(tree)
    assert_close(inverse(base, q, v, a, gravity), inverse(tree, q, v, a, gravity))
    assert_close(quantities.mass_matrix(base, q), quantities.mass_matrix(tree, q))


@on_each(seed=SEEDS, rotors=[None, "oblique"])
def test_mampey_and_augmented_bodies_give_the_composite_mass_matrix(seed, rotors):
    tree, q, _, _, gravity = state(seed, SLIDING_AND_TURNING, rotors=rotors)
    M = quantities.mass_matrix(tree, q)
    assert_close(mampey.mass_matrix(tree, q), M)
    report = augmented_bodies.coefficients(tree, q, gravity)
    assert_close(report.A, M)
    still = np.zeros(tree.nv)
    assert_close(-report.Q, inverse(tree, q, still, still, gravity))


@on_each(seed=SEEDS)
def test_traces_of_homogeneous_matrices_give_the_newton_euler_forces(seed):
    tree, q, v, a, gravity = state(seed, WITHOUT_QUATERNIONS)
    traces = uicker.coefficients(elementary(tree, "uicker", screws=True), q, gravity)
    velocity_terms = np.einsum("ikp,k,p", traces.D, v, v)
    assert_close(traces.A @ a + velocity_terms + traces.g, inverse(tree, q, v, a, gravity))


@on_each(seed=SEEDS)
def test_a_joint_with_several_freedoms_is_a_chain_through_massless_bodies(seed):
    tree, q, v, a, gravity = state(seed, WITHOUT_QUATERNIONS)
    split = elementary(tree, "uicker", screws=True)
    assert_close(inverse(split, q, v, a, gravity), inverse(tree, q, v, a, gravity))


@on_each(seed=SEEDS)
def test_a_joint_crossed_backwards_keeps_the_power_balance(seed):
    tree, q, v, a, _ = state(seed)
    turned = replace(
        tree, links=tuple(replace(link, joint=Reversed(link.joint)) for _, link in tree)
    )
    power = inverse(turned, q, v, a, NO_GRAVITY) @ v
    assert power == pytest.approx(rate_of_kinetic_energy(turned, q, v, a), rel=1e-6, abs=1e-5)


@on_each(seed=SEEDS)
def test_the_wrench_at_the_ground_is_the_rate_of_total_momentum_less_the_weight(seed):
    tree, q, v, a, gravity = state(seed)
    found = newton_euler.inverse_dynamics(tree, q, v, a, gravity)
    placed = kinematics.ground_poses(tree, q)
    roots = [i for i, link in tree if link.parent < 0]
    force = sum((placed[i].R.out(found.forces[i]) for i in roots), np.zeros(3))

    def momentum(q, v):
        total = np.zeros(3)
        here, moving = kinematics.ground_poses(tree, q), kinematics.velocities(tree, q, v)
        for i, link in tree:
            own = link.inertia.m * moving[i].v + np.cross(moving[i].w, link.inertia.h)
            total = total + here[i].R.out(own)
        return total

    step = 1e-6
    q_dot = rates(tree, q, v)
    rate = momentum(q + step * q_dot, v + step * a) - momentum(q - step * q_dot, v - step * a)
    weight = sum(link.inertia.m for _, link in tree) * gravity
    np.testing.assert_allclose(force, rate / (2 * step) - weight, rtol=1e-5, atol=1e-4)


@on_each(seed=SEEDS)
def test_an_external_wrench_works_through_the_jacobian_of_its_point(seed):
    tree, q, v, a, gravity = state(seed)
    rng = np.random.default_rng(seed)
    body = int(rng.integers(len(tree)))
    point, force, couple = rng.normal(size=(3, 3))
    pushed = {body: (force, couple + np.cross(point, force))}
    alone = inverse(tree, q, v, a, gravity)
    helped = newton_euler.inverse_dynamics(tree, q, v, a, gravity, pushed).Q
    R = kinematics.ground_poses(tree, q)[body].R
    J_w, J_v = kinematics.jacobian(tree, q, body, point)
    assert_close(alone - helped, J_v.T @ R.out(force) + J_w.T @ R.out(couple))


@on_each(seed=SEEDS)
def test_reactions_do_no_work_in_the_free_motions_of_a_joint(seed):
    tree, q, _, _, _ = state(seed)
    for _, link in tree:
        for joint in (link.joint, Reversed(link.joint)):
            S = joint.motion_subspace(q[link.q])
            T = joint.reaction_subspace(q[link.q])
            assert_close(T.T @ S, np.zeros((T.shape[1], S.shape[1])))
            assert np.linalg.matrix_rank(T) == 6 - joint.nv


@on_each(seed=SEEDS)
def test_the_bias_of_a_joint_is_the_rate_of_its_free_motions(seed):
    tree, q, v, _, _ = state(seed)
    step = 1e-6
    q_dot = rates(tree, q, v)
    for _, link in tree:
        after = link.joint.motion_subspace((q + step * q_dot)[link.q])
        before = link.joint.motion_subspace((q - step * q_dot)[link.q])
        rate = (after - before) / (2 * step) @ v[link.v]
        bias = link.joint.bias(q[link.q], v[link.v])
        np.testing.assert_allclose(rate, bias, rtol=1e-6, atol=1e-7)


def test_pendulum_needs_m_g_l_sin_q_to_stand_still():
    from torseur.model.joints.library import Revolute
    from torseur.spatial.inertia import inertia
    from torseur.spatial.pose import Pose
    from torseur.topology.tree import Link, Tree

    m, length, angle = 2.0, 0.5, 0.7
    bob = inertia(m, np.array([0.0, 0.0, -length]), np.zeros((3, 3)))
    link = Link("bob", -1, Revolute(1), Pose(), bob, slice(0, 1), slice(0, 1))
    still = np.zeros(1)
    hold = inverse(Tree((link,), 1, 1), np.array([angle]), still, still, np.array([0, 0, -9.81]))
    assert hold[0] == pytest.approx(m * 9.81 * length * np.sin(angle))
