"""Absolute and joint coordinates give the same accelerations, reactions and energies."""

from dataclasses import replace

import numpy as np
import pytest
import test_constraints
import test_forces
from random_mechanisms import joint, random_mechanism, random_state
from random_trees import EVERY_JOINT, random_joint, random_pose
from scipy.spatial.transform import Rotation
from two_formulations import JointSide, absolute_side, size

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.kinematics import ground_poses
from torseur.equations.actions.applied import power_without_potential
from torseur.equations.symbols.system import system
from torseur.machine.runtime.memory import side_by_side
from torseur.model.description import MovingFrame
from torseur.model.joints.library import Cylindrical, Distance, Free, Revolute
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.constraints.multipliers import direct
from torseur.spatial.pose import Pose
from torseur.topology.structure import structure

CLOSE = 1e-11  # of the largest value, for matrices whose condition is about 1e3
CLOSING = [*(kind for kind in EVERY_JOINT if kind is not Free), Distance]


def kinds(listed, at_once):
    """Joint types to be tested, those that are not tested at once by `make slow`."""
    return [
        pytest.param(
            kind, marks=() if kind.__name__ in at_once else pytest.mark.slow, id=kind.__name__
        )
        for kind in listed
    ]


QUICK_JOINTS = ("Revolute", "Screw", "Universal", "Spherical", "LineContact", "Distance")


def at_random(rng, mechanism):
    """Random coordinates and speeds of the tree; of q and −q, the one with w ≥ 0."""
    made = system(mechanism)
    values = random_state(rng, made)
    q, v = (np.array([values[name] for name in x]) for x in (made.coordinates, made.speeds))
    for _, link in made.tree:
        if link.joint.turning:
            four = q[link.q][-4:]
            four *= np.sign(four[0])
    return q, v


def assert_both_agree(mechanism, q, v, t=0.0, reactions=True):
    """The same accelerations, energies and, where they are unique, wrenches."""
    ours, theirs = absolute_side(mechanism, q, v, t), JointSide(mechanism, q, v, t)
    assert ours.gaps.max(initial=0.0) < 1e-12
    np.testing.assert_allclose(ours.q[0], q, atol=1e-12 * size(q))
    np.testing.assert_allclose(ours.v[0], v, atol=1e-12 * size(v))
    np.testing.assert_allclose(ours.a[0], theirs.a, atol=CLOSE * size(theirs.a))
    energy = ours.energy
    assert energy["kinetic"][0] == pytest.approx(theirs.kinetic, rel=1e-12)
    assert energy["potential"][0] == pytest.approx(theirs.potential, rel=1e-12, abs=1e-12)
    if reactions:
        scale = size(*(x[:6] for x in theirs.wrenches.values()))
        for name, wrench in theirs.wrenches.items():
            np.testing.assert_allclose(ours.wrenches[name][0], wrench, atol=CLOSE * scale)
    return ours, theirs


# --- trees --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", kinds(EVERY_JOINT, (*QUICK_JOINTS, "Free", "Planar")))
def test_every_joint_carries_bodies_as_in_joint_coordinates_rotors_included(kind):
    rng = np.random.default_rng(7)
    first = random_joint(rng, (kind,)), random_joint(rng, (kind,))
    mechanism = random_mechanism(rng, *first, bodies=2, motors=True)
    mechanism = replace(mechanism, gravity=9.81 * rng.normal(size=3))
    assert_both_agree(mechanism, *at_random(rng, mechanism))


FORCES = [*test_forces.STORING, *test_forces.SPENDING, *test_forces.OUTSIDE]
AT_ONCE = ("a spring", "a torsion spring", "mutual attraction", "a damper", "an expression",
           "a gyroscopic potential", "a centre", "a follower", "a fluid")  # fmt: skip


def force_marks():
    for force in FORCES:
        marks = () if force.name in AT_ONCE else pytest.mark.slow
        yield pytest.param(force, marks=marks, id=force.name)


@pytest.mark.parametrize("force", list(force_marks()))
def test_every_force_acts_as_in_joint_coordinates(force):
    rng = np.random.default_rng(3)
    mechanism = random_mechanism(rng, *(Cylindrical(1),) * 2, bodies=2, loads=(force,))
    ours, theirs = assert_both_agree(mechanism, *at_random(rng, mechanism), t=0.3)
    power = theirs.at(power_without_potential(theirs.system))
    assert ours.poses.reports[0].power == pytest.approx(float(power), rel=1e-10, abs=1e-9)


@pytest.mark.parametrize("entrainment", [True, False])
def test_a_ground_that_moves_is_felt_as_in_joint_coordinates(entrainment):
    rng, t = np.random.default_rng(5), symbol("t", "time")
    frame = MovingFrame(
        expressions([0.3 * t, 1.0, t.sin()]), expressions([t, 2.0, 0.1]), entrainment
    )
    mechanism = random_mechanism(rng, bodies=3, frame=frame)
    assert_both_agree(mechanism, *at_random(rng, mechanism), t=0.4)


# --- loops --------------------------------------------------------------------------------------


def closed(rng, tree, pairs):
    """A tree with joints of given kinds between given bodies, which close where it is."""
    q, _ = at_random(rng, tree)
    found = structure(numeric_mechanism(tree, {})).tree
    poses = {
        link.name: X @ link.X_MB
        for X, link in zip(ground_poses(found, q), found.links, strict=True)
    } | {"ground": Pose()}
    joints = dict(tree.joints)
    for k, (kind, first, second) in enumerate(pairs):
        own, X_FM = some_joint(rng, kind)
        X_AF = random_pose(rng)
        X_BM = poses[second].inverse @ poses[first] @ X_AF @ X_FM
        joints[f"C{k}"] = joint(f"C{k}", own, first, second, X_AF, X_BM)
    mechanism = replace(tree, joints=joints, gravity=9.81 * rng.normal(size=3))
    equations = ts.derive(mechanism)
    assert len(equations.coordinates) == len(q)
    v = rng.normal(size=len(equations.speeds))
    J = equations.evaluate(q=q, v=0 * v).J
    allowed = v - np.linalg.lstsq(J, J @ v, rcond=1e-10)[0]
    return mechanism, q, allowed, np.linalg.matrix_rank(J, tol=1e-9)


def some_joint(rng, kind):
    """A joint of this kind and a pose that it allows."""
    if kind is Distance:
        away = rng.normal(size=3)
        return Distance(0.8), Pose(0.8 * away / np.linalg.norm(away))
    own = random_joint(rng, (kind,))
    q = rng.normal(size=own.nq)
    if own.turning:
        q[-4:] /= np.linalg.norm(q[-4:])
    return own, own.transform(q)


def closed_by(rng, kind, *first):
    """A random tree, and a joint from its last body to the ground that closes where it is."""
    tree, last = random_mechanism(rng, *first, bodies=len(first)), f"B{len(first) - 1}"
    return closed(rng, tree, [(kind, last, "ground")])


@pytest.mark.parametrize(
    "seed", [0, 1, *(pytest.param(k, marks=pytest.mark.slow) for k in range(2, 12))]
)
def test_several_loops_move_as_in_joint_coordinates_whether_or_not_they_repeat_each_other(seed):
    rng = np.random.default_rng(seed)
    tree = random_mechanism(rng, bodies=5)
    ends = ["ground", *tree.bodies]
    pairs = [
        (CLOSING[rng.integers(len(CLOSING))], *map(str, rng.permutation(ends)[:2]))
        for _ in range(3)
    ]
    mechanism, q, v, rank = closed(rng, tree, pairs)
    ours, theirs = assert_both_agree(mechanism, q, v, reactions=False)
    assert ours.poses.model.left_out == len(theirs.lam) - rank


@pytest.mark.parametrize("kind", kinds(CLOSING, QUICK_JOINTS))
def test_every_joint_closes_a_loop_as_in_joint_coordinates(kind):
    rng = np.random.default_rng(11)
    free = Cylindrical(0), Free()  # nothing is said twice
    mechanism, q, v, rank = closed_by(rng, kind, *free)
    ours, theirs = assert_both_agree(mechanism, q, v)
    assert rank == len(theirs.lam) and ours.poses.model.left_out == 0


@pytest.mark.parametrize("kind", kinds([x for x in CLOSING if x().nv < 3], QUICK_JOINTS))
def test_redundant_rows_change_no_acceleration(kind):
    rng = np.random.default_rng(2)
    mechanism, q, v, rank = closed_by(rng, kind, Revolute(0), Cylindrical(1), Revolute(2))
    ours, theirs = assert_both_agree(mechanism, q, v, reactions=False)
    assert ours.poses.model.left_out == len(theirs.lam) - rank > 0


@pytest.mark.parametrize("kind", test_constraints.EVERY_KIND)
def test_every_other_constraint_has_the_same_multiplier_and_reaction(kind):
    mechanism, t = ts.load(test_constraints.EVERY_KIND[kind]), 0.7
    _, q, v = test_constraints.state(ts.compile(mechanism), np.random.default_rng(1), t)
    ours, theirs = assert_both_agree(mechanism, q, v, t)
    for owner in set(theirs.owners):
        rows = [k for k, name in enumerate(theirs.owners) if name == owner]
        own = [k for k, name in enumerate(ours.owners) if name == owner]
        np.testing.assert_allclose(
            ours.lambdas[0, own], theirs.lam[rows], atol=CLOSE * size(theirs.lam)
        )


# --- the symbolic form --------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(3))
def test_the_equations_in_absolute_coordinates_have_the_same_accelerations(seed):
    rng = np.random.default_rng(seed)
    mechanism = random_mechanism(rng, bodies=3, motors=True)
    mechanism = replace(mechanism, gravity=9.81 * rng.normal(size=3))
    q, v = at_random(rng, mechanism)
    ours = absolute_side(mechanism, q, v)
    equations = ts.derive(mechanism, formalism="absolute")
    assert equations.coordinates[:7] == tuple(
        f"B0_{x}" for x in ["x", "y", "z", "qw", "qx", "qy", "qz"]
    )
    bodies = np.concatenate([ours.poses.state(name)[0] for name in mechanism.bodies]).reshape(
        -1, 13
    )
    at = equations.evaluate(q=bodies[:, :7].ravel(), v=bodies[:, 7:].ravel())
    assert np.array_equal(at.M, at.M.T)
    a, lam = direct(at.M, at.Q - at.h - at.g, at.J, at.gamma)
    report = ours.poses.reports[0]
    np.testing.assert_allclose(report.accelerations.ravel(), a, atol=CLOSE * size(a))
    np.testing.assert_allclose(ours.lambdas[0], lam, atol=CLOSE * size(lam))
    assert equations.constraints.owners == ours.owners


def test_translations_are_in_the_fixed_basis_and_rotations_in_that_of_the_body():
    """Newton's law along ground axes, and Euler's I ω̇ + ω ∧ I ω = R⁻¹ M(G) along body axes."""
    rng = np.random.default_rng(7)
    half = rng.normal(size=(3, 3))
    I = 5 * np.eye(3) + half + half.T
    centre, point, force, couple = rng.normal(size=(4, 3))
    equations = ts.derive(
        {
            "gravity": [1, -2, 9],
            "bodies": {"b": {"mass": 3, "centre": centre.tolist(), "inertia": I.tolist()}},
            "joints": {"flight": {"type": "free", "bodies": ["ground", "b"]}},
            "forces": {"pull": {"type": "wrench", "body": "b", "point": point.tolist(),
                                "force": force.tolist(), "couple": couple.tolist()}},
        },
        formalism="absolute",
    )  # fmt: skip
    quaternion, (place, V, w) = rng.normal(size=4), rng.normal(size=(3, 3))
    quaternion /= np.linalg.norm(quaternion)
    R = Rotation.from_quat(quaternion, scalar_first=True).as_matrix()
    at = equations.evaluate(q=[*place, *quaternion], v=[*V, *w])
    a = np.linalg.solve(at.M, at.Q - at.h - at.g)
    np.testing.assert_allclose(a[:3], np.array([1, -2, 9]) + force / 3, rtol=1e-12)
    moment = R.T @ (couple + np.cross(R @ (point - centre), force))
    np.testing.assert_allclose(a[3:], np.linalg.solve(I, moment - np.cross(w, I @ w)), rtol=1e-10)


def test_the_multipliers_of_a_pivot_are_the_components_that_are_told():
    """Forces on the axes of the ground; couples on one axis of M and against the next (E0-32)."""
    rng = np.random.default_rng(4)
    mechanism = random_mechanism(rng, Revolute(2), Revolute(0), bodies=2)
    ours = absolute_side(mechanism, *at_random(rng, mechanism))
    wrench = ours.wrenches["J1"][0]
    R = wrench[9:].reshape(3, 3)
    couple = R.T @ wrench[3:6]
    lam = ours.lambdas[0, [k for k, owner in enumerate(ours.owners) if owner == "J1"]]
    np.testing.assert_allclose(lam[:3], wrench[:3], atol=1e-12 * size(wrench))
    np.testing.assert_allclose(lam[3:], [couple[1], -couple[2]], atol=1e-12 * size(wrench))
    told = [text for text in ours.multiplier_meanings if text.startswith('"J1"')]
    assert "force along x of the ground" in told[0] and 'of "B0" on "B1"' in told[0]
    assert "couple about z of M ∧ x of F: y of M" in told[3]
    assert "couple about y of M ∧ x of F: −z of M" in told[4]


def test_arrays_side_by_side_keep_their_content_and_start_on_cache_lines():
    rng = np.random.default_rng(0)
    arrays = {
        "numbers": rng.normal(size=(5, 7)),
        "none": np.zeros((0, 3)),
        "wholes": rng.integers(0, 9, 11),
        "more": rng.normal(size=3),
    }
    made = side_by_side(arrays)
    for name, array in arrays.items():
        np.testing.assert_array_equal(made[name], array)
        assert made[name].dtype == array.dtype and made[name].flags.c_contiguous
        assert array.size == 0 or made[name].ctypes.data % 64 == 0
