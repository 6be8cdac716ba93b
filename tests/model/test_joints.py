"""What every joint lets move, carries and measures: the same laws for all, in both directions."""

from itertools import permutations

import numpy as np
import pytest
from many_cases import on_each

from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import evaluate
from torseur.model.joints.catalogue import JOINTS
from torseur.model.joints.defined import Defined
from torseur.model.joints.library import (
    AnnularContact,
    Cylindrical,
    Distance,
    Fixed,
    Free,
    LineContact,
    ParallelAxes,
    Planar,
    PointContact,
    Prismatic,
    Revolute,
    Screw,
    Spherical,
    Universal,
)
from torseur.model.joints.protocol import JointType
from torseur.model.joints.reversed import Reversed
from torseur.spatial.rotation import rodrigues

ONE_AXIS = (Revolute, Prismatic, Cylindrical, Planar, AnnularContact, PointContact, ParallelAxes)
PLACING = (
    Fixed(),
    Spherical(),
    Free(),
    Screw(2, 0.7),
    Screw(0, -0.3),
    Screw(1, 0.0),
    *(kind(axis) for kind in ONE_AXIS for axis in range(3)),
    *(kind(i, j) for kind in (Universal, LineContact) for i, j in permutations(range(3), 2)),
)
CARRYING = (*PLACING, *map(Reversed, PLACING))
CLOSING = (*CARRYING, Distance(0.6), Reversed(Distance(1.3)))
x, y, z = np.eye(3)
O = np.zeros(3)


def named(joint):
    if isinstance(joint, Reversed):
        return f"{named(joint.kind)} backwards"
    return f"{type(joint).__name__}{tuple(vars(joint).values())}"


every_carrying = on_each(joint=CARRYING)
every_closing = on_each(joint=CLOSING)


def some_coordinates(joint, rng):
    q = rng.normal(size=joint.nq)
    if joint.turning:
        q[-4:] /= np.linalg.norm(q[-4:])
    return q


def some_pose(joint, rng):
    """The matrix and the position of a pose that the joint allows."""
    if joint.carries:
        X = joint.transform(some_coordinates(joint, rng))
        return np.asarray(X.R.matrix, dtype=float), np.asarray(X.p, dtype=float)
    p = rng.normal(size=3)
    length = getattr(joint, "kind", joint).length
    return some_rotation(rng), length * p / np.linalg.norm(p)


def some_rotation(rng):
    w = rng.normal(size=3)
    return rodrigues(w / np.linalg.norm(w), np.linalg.norm(w))


def moved(R, p, motion, time):
    """The pose after a motion (ω; v), constant in the axes of M; exact to second order."""
    w, v = motion[:3] * time, motion[3:] * time
    angle = np.linalg.norm(w)
    return R @ rodrigues(w / angle, angle), p + R @ (v + np.cross(w, v) / 2)


def test_the_catalogue_holds_every_joint_tried_here():
    tried = {type(joint) for joint in (*PLACING, Distance())}
    assert {*tried, Defined} == set(JOINTS)


# --- free motions -------------------------------------------------------------------------------


@every_carrying
def test_the_free_motions_are_the_rates_of_the_pose(joint):
    rng, step = np.random.default_rng(1), 1e-6
    q, v = some_coordinates(joint, rng), rng.normal(size=joint.nv)
    change = step * joint.rates(q, v)
    before, now, after = (joint.transform(q + k * change) for k in (-1, 0, 1))
    R = now.R.matrix
    spin = R.T @ (after.R.matrix - before.R.matrix) / (2 * step)
    w = [spin[2, 1], spin[0, 2], spin[1, 0]]
    found = joint.motion_subspace(q) @ v
    assert found == pytest.approx(
        np.array([*w, *(R.T @ (after.p - before.p) / (2 * step))]), abs=1e-8
    )


@every_carrying
def test_the_bias_is_the_rate_of_the_free_motions_at_constant_speeds(joint):
    rng, step = np.random.default_rng(2), 1e-6
    q, v = some_coordinates(joint, rng), rng.normal(size=joint.nv)
    change = step * joint.rates(q, v)
    rate = (joint.motion_subspace(q + change) - joint.motion_subspace(q - change)) / (2 * step)
    assert joint.bias(q, v) == pytest.approx(rate @ v, abs=1e-8)


@every_carrying
def test_speeds_and_rates_of_coordinates_give_each_other_back(joint):
    rng = np.random.default_rng(3)
    q, v = some_coordinates(joint, rng), rng.normal(size=joint.nv)
    assert joint.speeds(q, joint.rates(q, v)) == pytest.approx(v)


@every_carrying
def test_the_coordinates_are_read_back_from_the_pose(joint):
    q = some_coordinates(joint, np.random.default_rng(4))
    X = joint.transform(q)
    found = joint.read(np.asarray(X.R.matrix), np.asarray(X.p, dtype=float))
    if joint.turning:  # a quaternion and its opposite are one attitude
        found[-4:] *= np.sign(found[-4:] @ q[-4:])
    assert found == pytest.approx(q)


@every_carrying
def test_the_frames_coincide_at_the_neutral_coordinates(joint):
    X = joint.transform(joint.neutral())
    assert X.R.matrix == pytest.approx(np.eye(3))
    assert X.p == pytest.approx(O)


@every_carrying
def test_every_coordinate_and_every_speed_has_a_unit(joint):
    assert len(joint.coordinate_units) == joint.nq
    assert len(joint.speed_units) == joint.nv
    assert joint.turning == (joint.nq > joint.nv) == (joint.coordinate_units[-4:] == ("1",) * 4)


# --- reactions ----------------------------------------------------------------------------------


@every_carrying
def test_reactions_do_no_work_in_the_free_motions(joint):
    q = some_coordinates(joint, np.random.default_rng(5))
    S, T = joint.motion_subspace(q), joint.reaction_subspace(q)
    assert np.abs(T.T @ S).max(initial=0) < 1e-12
    assert np.linalg.matrix_rank(np.hstack([S, T])) == 6


@every_carrying
def test_the_reactions_of_a_pose_are_those_of_its_coordinates(joint):
    q = some_coordinates(joint, np.random.default_rng(6))
    X = joint.transform(q)
    assert joint.reactions_at(X.R.matrix, X.p) == pytest.approx(
        joint.reaction_subspace(q), abs=1e-12
    )


FORCES = {"x": (O, x), "y": (O, y), "z": (O, z)}
COUPLES = {"x": (x, O), "y": (y, O), "z": (z, O)}


PERFECT = [
    (Revolute(2), "xyz", "xy"),
    (Prismatic(2), "xy", "xyz"),
    (Cylindrical(2), "xy", "xy"),
    (Spherical(), "xyz", ""),
    (Planar(2), "z", "xy"),
    (PointContact(2), "z", ""),
    (Universal(0, 1), "xyz", "z"),
    (LineContact(2, 0), "z", "y"),
    (AnnularContact(2), "xy", ""),
    (ParallelAxes(2), "", "xy"),
    (Fixed(), "xyz", "xyz"),
    (Free(), "", ""),
]


@pytest.mark.parametrize(
    ("joint", "forces", "couples"), PERFECT, ids=[named(joint) for joint, _, _ in PERFECT]
)
def test_the_wrenches_of_the_perfect_joints(joint, forces, couples):
    """Axis or normal along z: what can be transmitted (course of mechanics, §4.1.4 to §4.1.9)."""
    rows = [FORCES[axis] for axis in forces] + [COUPLES[axis] for axis in couples]
    expected = np.array([[*couple, *force] for couple, force in rows]).reshape(-1, 6).T
    T = joint.reaction_subspace(joint.neutral())
    assert T.shape == expected.shape
    both = np.hstack([T, expected])
    assert np.linalg.matrix_rank(both) == T.shape[1]  # they span the same wrenches


def test_a_contact_along_a_line_carries_every_normal_force_that_meets_the_line():
    joint, q = LineContact(1, 2), np.array([0.3, -0.8, 0.5, 1.1])
    X = joint.transform(q)
    normal = X.R.into(y)
    for along in (-0.7, 0.0, 2.0):
        wrench = np.array([*np.cross(along * z, normal), *normal])
        T = joint.reaction_subspace(q)
        assert T @ np.linalg.pinv(T) @ wrench == pytest.approx(wrench)


# --- the gap ------------------------------------------------------------------------------------


@every_closing
def test_there_is_no_gap_at_a_pose_that_the_joint_allows(joint):
    rng = np.random.default_rng(7)
    for _ in range(5):
        assert joint.gap(*some_pose(joint, rng)) == pytest.approx(np.zeros(6 - joint.nv), abs=1e-12)


@every_closing
def test_the_rate_of_the_gap_is_the_motion_that_the_reactions_would_work_in(joint):
    rng, step = np.random.default_rng(8), 1e-5
    for _ in range(3):
        R, p = some_pose(joint, rng)
        motion = rng.normal(size=6)
        ends = [joint.gap(*moved(R, p, motion, sign * step)) for sign in (-1, 1)]
        rate = (ends[1] - ends[0]) / (2 * step)
        size = (1 + np.abs(p).max()) * (1 + np.abs(motion).max()) ** 3
        assert rate == pytest.approx(
            joint.reactions_at(R, p).T @ motion, abs=step**2 * 20 * size + 1e-9
        )


TILTING = [
    (Fixed(), x),
    (Prismatic(2), z),
    (Revolute(2), x),
    (Cylindrical(0), y),
    (Planar(1), z),
    (ParallelAxes(0), z),
    (Screw(2, 0.7), x),
]


@pytest.mark.parametrize(("joint", "axis"), TILTING, ids=[named(joint) for joint, _ in TILTING])
def test_a_tilt_opens_a_gap_that_grows_until_half_a_turn(joint, axis):
    sizes = [
        np.linalg.norm(joint.gap(rodrigues(axis, tilt), O)) for tilt in np.linspace(0, 3.1, 32)
    ]
    assert sizes[0] == pytest.approx(0)
    assert np.all(np.diff(sizes) > 0)


def test_the_gap_of_a_screw_is_known_within_a_pitch():
    joint, pitch = Screw(2, 0.1), 0.2 * np.pi
    for turns in (0, 3, -7):
        R, p = joint.transform([2 * np.pi * turns + 0.4]).R.matrix, (0.1 * 0.4 + turns * pitch) * z
        assert joint.gap(R, p) == pytest.approx(np.zeros(5), abs=1e-12)
        for ahead in (0.45 * pitch, -0.45 * pitch):
            assert joint.gap(R, p + ahead * z)[-1] == pytest.approx(ahead)


# --- expressions --------------------------------------------------------------------------------


@every_closing
def test_reactions_and_gaps_are_the_same_on_expressions(joint):
    rng = np.random.default_rng(9)
    R, p = some_rotation(rng), rng.normal(size=3)
    names = [f"r{k}" for k in range(12)]
    given = np.array([symbol(name, "coordinate") for name in names], dtype=object)
    values = dict(zip(names, [*R.ravel(), *p], strict=True))
    for answer in (joint.reactions_at, joint.gap):
        on_symbols = answer(given[:9].reshape(3, 3), given[9:])
        found = evaluate(on_symbols, values) if on_symbols.size else on_symbols
        assert found == pytest.approx(answer(R, p), abs=1e-12)


@every_carrying
def test_free_motions_are_the_same_on_expressions(joint):
    rng = np.random.default_rng(10)
    q, v = some_coordinates(joint, rng), rng.normal(size=joint.nv)
    names = [f"q{k}" for k in range(joint.nq)], [f"v{k}" for k in range(joint.nv)]
    symbols = [np.array([symbol(name) for name in part], dtype=object) for part in names]
    values = dict(zip(names[0] + names[1], [*q, *v], strict=True))

    def number(e):
        return float(evaluate(e, values)) if isinstance(e, Expr) else float(e)

    for on_symbols, expected in (
        (joint.motion_subspace(symbols[0]), joint.motion_subspace(q)),
        (joint.bias(*symbols), joint.bias(q, v)),
        (joint.rates(*symbols), joint.rates(q, v)),
    ):
        found = np.array([number(e) for e in np.ravel(on_symbols)]).reshape(expected.shape)
        assert found == pytest.approx(expected, abs=1e-12)


# --- joints that do only one thing --------------------------------------------------------------


def test_a_rod_only_closes_loops_and_pushes_along_itself():
    rod = Distance(0.5)
    assert (rod.carries, rod.closes, rod.nq) == (False, True, 0)
    R = rodrigues(z, 0.3)
    assert rod.gap(R, np.array([0.0, 0.7, 0.0])) == pytest.approx([0.2])
    couple, force = np.split(rod.reactions_at(R, np.array([0.0, 0.7, 0.0]))[:, 0], 2)
    assert couple == pytest.approx(O)
    assert R @ force == pytest.approx(y)
    with pytest.raises(AssertionError, match="only closes loops"):
        rod.transform(np.zeros(0))


def test_a_defined_joint_only_carries_bodies():
    joint = Defined((symbol("a", "coordinate"),), turns=((2, symbol("a", "coordinate")),))
    assert (joint.carries, joint.closes) == (True, False)
    with pytest.raises(AssertionError, match="only carries bodies"):
        joint.gap(np.eye(3), O)


def test_the_old_name_of_reactions_at_works_with_a_hint():
    """For a version: called on a joint of Torseur, and defined by a joint from outside."""
    with pytest.warns(DeprecationWarning, match="held is now called reactions_at"):
        found = Revolute().held(np.eye(3), np.zeros(3))
    assert np.array_equal(found, Revolute().reactions_at(np.eye(3), np.zeros(3)))
    with pytest.warns(DeprecationWarning, match="held is now called reactions_at"):

        class Glued(JointType):
            def held(self, R, p):
                return np.eye(6)

    assert np.array_equal(Glued().reactions_at(np.eye(3), np.zeros(3)), np.eye(6))
