"""Every joint closes a loop as well as it carries a body: same motion, same reactions."""

from dataclasses import replace

import numpy as np
import pytest
from many_cases import on_each
from random_trees import EVERY_JOINT, random_coordinates, random_joint, random_tree, rates

from torseur.dynamics.tree.closure import closures, constraint_bias, constraint_jacobian
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.kinematics import ground_poses, velocities
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.language.load import load
from torseur.machine.integrators import motion_memory as memory
from torseur.machine.integrators.kernels import projection
from torseur.model.joints.library import Distance, Free
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.constraints import newton, numeric_constraints
from torseur.spatial import quaternion
from torseur.spatial.pose import Pose
from torseur.topology.structure import Cut, structure
from torseur.topology.tree import Tree

KINDS = [kind for kind in EVERY_JOINT if kind is not Free]


def opened_and_closed(seed, kind):
    """A chain of three bodies, and the same with its last body free and its last joint closing."""
    rng = np.random.default_rng(seed)
    whole = random_tree(rng, EVERY_JOINT, bodies=3)
    last = replace(whole.links[2], parent=1, joint=random_joint(rng, (kind,)))
    links, nq, nv = [], 0, 0
    for link in (*whole.links[:2], last):
        q, v = slice(nq, nq + link.joint.nq), slice(nv, nv + link.joint.nv)
        links.append(replace(link, q=q, v=v))
        nq, nv = nq + link.joint.nq, nv + link.joint.nv
    tree = Tree(tuple(links), nq, nv)
    start = tree.links[2].q.start, tree.links[2].v.start
    free = replace(
        links[2],
        parent=-1,
        joint=Free(),
        X_PF=Pose(),
        q=slice(start[0], start[0] + 7),
        v=slice(start[1], start[1] + 6),
    )
    cut = Cut("closing", links[2].joint, 1, 2, links[2].X_PF, Pose(), ())
    return rng, tree, Tree((*links[:2], free), start[0] + 7, start[1] + 6), cut


def carried_over(tree, opened, q, v):
    """The same state in the coordinates of the opened chain."""
    X = ground_poses(tree, q)[2]
    moving = velocities(tree, q, v)[2]
    own = tree.links[2]
    attitude = quaternion.from_matrix(np.asarray(X.R.matrix, dtype=float))
    new_q = np.array([*q[: own.q.start], *X.p, *attitude], dtype=float)
    new_v = np.array([*v[: own.v.start], *X.R.out(moving.v), *moving.w], dtype=float)
    assert len(new_q) == opened.nq
    return new_q, new_v


@on_each(kind=KINDS, seed=range(4))
def test_a_closing_joint_sees_no_gap_and_no_forbidden_speed_in_a_motion_it_allows(seed, kind):
    rng, tree, opened, cut = opened_and_closed(seed, kind)
    q, v = random_coordinates(rng, tree), rng.normal(size=tree.nv)
    q, v = carried_over(tree, opened, q, v)
    found = closures(opened, (cut,), q)
    np.testing.assert_allclose(np.asarray(found[0].gap, dtype=float), 0, atol=1e-12)
    J = constraint_jacobian(opened, found, q)
    assert J.shape == (6 - kind().nv, opened.nv)
    np.testing.assert_allclose(J @ v, 0, atol=1e-11)


@on_each(kind=KINDS, seed=range(4))
def test_the_bias_is_the_rate_of_the_forbidden_speeds(seed, kind):
    rng, tree, opened, cut = opened_and_closed(seed, kind)
    q, v = random_coordinates(rng, tree), rng.normal(size=tree.nv)
    step = 1e-5

    def state(time):
        """The motion of the carrying chain at constant speeds, in the opened coordinates."""
        moved = q + time * np.concatenate(
            [link.joint.rates(q[link.q], v[link.v]) for _, link in tree]
        )
        for _, link in tree:
            own = moved[link.q]
            if link.joint.nq > link.joint.nv:
                own[-4:] /= np.linalg.norm(own[-4:])
        return carried_over(tree, opened, moved, v)

    (q0, v0), (_, before), (_, after) = state(0.0), state(-step), state(step)
    a = (after - before) / (2 * step)
    found = closures(opened, (cut,), q0)
    J = constraint_jacobian(opened, found, q0)
    bias = constraint_bias(opened, found, q0, v0)
    size = 1 + np.abs(bias).max(initial=0)
    np.testing.assert_allclose(J @ a + bias, 0, atol=2e-7 * size * (1 + np.abs(a).max()))


@on_each(kind=KINDS, seed=range(4))
def test_a_closing_joint_gives_the_same_accelerations_and_the_same_reaction(seed, kind):
    rng, tree, opened, cut = opened_and_closed(seed, kind)
    q, v = random_coordinates(rng, tree), rng.normal(size=tree.nv)
    gravity, Q = rng.normal(size=3) * 9.81, rng.normal(size=tree.nv)
    Q[tree.links[2].v] = 0.0  # nothing is applied in the joint that will close the loop
    bias = inverse_dynamics(tree, q, v, 0 * v, gravity).Q
    a = np.linalg.solve(mass_matrix(tree, q), Q - bias)
    carried = inverse_dynamics(tree, q, v, a, gravity)

    q2, v2 = carried_over(tree, opened, q, v)
    Q2 = np.array([*Q[: tree.links[2].v.start], *np.zeros(6)])
    found = closures(opened, (cut,), q2)
    J, gamma = constraint_jacobian(opened, found, q2), constraint_bias(opened, found, q2, v2)
    M = mass_matrix(opened, q2)
    bias = inverse_dynamics(opened, q2, v2, 0 * v2, gravity).Q
    rows = len(J)
    border = np.block([[M, -J.T], [J, np.zeros((rows, rows))]])
    solved = np.linalg.solve(border, np.concatenate([Q2 - bias, -gamma]))
    size = np.linalg.cond(border) * 1e-14 * (1 + np.abs(solved).max())
    kept = tree.links[2].v.start
    np.testing.assert_allclose(solved[:kept], a[:kept], atol=size)
    wrench = found[0].T @ solved[opened.nv :]
    np.testing.assert_allclose(wrench[:3], carried.couples[2], atol=size)
    np.testing.assert_allclose(wrench[3:], carried.forces[2], atol=size)


# --- a rod, which has no coordinates to carry a body with ----------------------------------------


@on_each(seed=range(4))
def test_a_rod_forbids_the_rate_of_its_length_and_the_rate_of_that_rate(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, EVERY_JOINT, bodies=4)
    cut = Cut("rod", Distance(0.8), 1, 3, Pose(rng.normal(size=3)), Pose(rng.normal(size=3)), ())
    q, v, step = random_coordinates(rng, tree), rng.normal(size=tree.nv), 1e-5

    def at(time):
        """Length, J v and γ after a motion at constant speeds; exact to second order."""
        moved = q.copy()
        for _ in range(2):
            middle = (q + moved) / 2 if time else q
            moved = q + time * rates(tree, middle, v)
        found = closures(tree, (cut,), moved)
        J = constraint_jacobian(tree, found, moved)
        return found[0].gap[0] + 0.8, (J @ v)[0], constraint_bias(tree, found, moved, v)[0]

    (before, slower, _), (length, speed, bias), (after, faster, _) = map(at, (-step, 0.0, step))
    size = 1 + abs(bias)
    assert speed == pytest.approx((after - before) / (2 * step), abs=1e-8 * size)
    assert bias == pytest.approx((faster - slower) / (2 * step), abs=1e-8 * size**2)
    ends = [ground_poses(tree, q)[i].point(X.p) for i, X in ((1, cut.X_AF), (3, cut.X_BM))]
    assert length == pytest.approx(np.linalg.norm(np.subtract(*ends)))


def test_two_pendulums_joined_by_a_rod_swing_as_one():
    """A uniform bar and a point, side by side: (m₁ l²/3 + m₂ l²) θ̈ = −(m₁/2 + m₂) g l sin θ."""
    hinge = {"type": "pivot", "axis": "z"}
    bob = {"mass": 1.5, "centre": [0, -0.6, 0]}
    bar = {"mass": 2, "centre": [0, -0.3, 0], "inertia": [0.06, 0, 0.06]}
    tips = [[0, -0.6, 0], [0, -0.6, 0]]
    model = load(
        {
            "gravity": [0, -9.81, 0],
            "bodies": {"bar": bar, "bob": bob},
            "joints": {
                "rod": {"type": "barre", "bodies": ["bar", "bob"], "point": tips, "length": 0.4},
                "A": hinge | {"bodies": ["ground", "bar"]},
                "B": hinge | {"bodies": ["ground", "bob"], "point": [[0.4, 0, 0], [0, 0, 0]]},
            },
        }
    )
    found = structure(numeric_mechanism(model, {}))
    q, v, gravity = np.array([0.7, 0.7]), np.array([1.3, 1.3]), np.array([0, -9.81, 0])
    (rod,) = loop = closures(found.tree, found.cuts, q)
    J, gamma = constraint_jacobian(found.tree, loop, q), constraint_bias(found.tree, loop, q, v)
    assert rod.gap == pytest.approx([0], abs=1e-12)
    assert J @ v == pytest.approx([0], abs=1e-12)
    M = mass_matrix(found.tree, q)
    bias = inverse_dynamics(found.tree, q, v, 0 * v, gravity).Q
    border = np.block([[M, -J.T], [J, np.zeros((1, 1))]])
    *a, force = np.linalg.solve(border, [*-bias, *-gamma])
    swing = -(2 / 2 + 1.5) * 9.81 * 0.6 * np.sin(0.7) / ((2 / 3 + 1.5) * 0.6**2)
    assert a == pytest.approx([swing, swing])
    # the point alone would swing at −g/l sin θ: the rod gives it the difference
    alone = -9.81 / 0.6 * np.sin(0.7)
    assert force * np.cos(0.7) == pytest.approx(1.5 * 0.6 * (swing - alone))


def test_loops_are_closed_alike_by_numbers_and_in_compiled_steps():
    by_numbers = numeric_constraints.CLOSED, numeric_constraints._ROUNDINGS, newton.LOOSE
    assert by_numbers == (memory.CLOSED, projection.ROUNDINGS, projection.LOOSE)
