"""Joints given by their pose: the same as the joints they describe, and published motions."""

import numpy as np
import pytest

from torseur.algebra.core.expr import ZERO, symbol
from torseur.algebra.core.graph import evaluate
from torseur.equations.formalisms.derive import derive
from torseur.errors import ModelError
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.model.joints.defined import Defined
from torseur.model.joints.library import (
    Cylindrical,
    LineContact,
    Planar,
    Revolute,
    Screw,
    Universal,
)
from torseur.model.joints.reversed import Reversed

a, b, c, d = (symbol(name, "coordinate") for name in "abcd")
lead = symbol("lead")
MATRIX = (a.cos(), -a.sin(), ZERO, a.sin(), a.cos(), ZERO, ZERO, ZERO, ZERO + 1)
SAME = {
    "revolute": (Revolute(1), Defined((a,), turns=((1, a),))),
    "a matrix": (Revolute(2), Defined((a,), matrix=MATRIX)),
    "universal": (Universal(0, 2), Defined((a, b), turns=((0, a), (2, b)))),
    "cylindrical": (Cylindrical(2), Defined((a, b), (ZERO, ZERO, a), ((2, b),))),
    "planar": (Planar(0), Defined((a, b, c), (ZERO, a, b), ((0, c),))),
    "line contact": (LineContact(1, 0), Defined((a, b, c, d), (b, ZERO, a), ((1, c), (0, d)))),
    "screw": (Screw(2, 0.3), Defined((a,), (ZERO, ZERO, lead * a), ((2, a),), (), ((lead, 0.3),))),
}
same = pytest.mark.parametrize(("known", "defined"), SAME.values(), ids=SAME)


@same
def test_a_joint_given_by_its_pose_moves_as_the_joint_it_describes(known, defined):
    rng = np.random.default_rng(0)
    for one, other in ((known, defined), (Reversed(known), Reversed(defined))):
        q, v = rng.normal(size=(2, known.nv))
        assert other.transform(q).homogeneous == pytest.approx(one.transform(q).homogeneous)
        assert other.motion_subspace(q) == pytest.approx(one.motion_subspace(q))
        assert other.bias(q, v) == pytest.approx(one.bias(q, v))
        both = np.hstack([one.reaction_subspace(q), other.reaction_subspace(q)])
        assert np.linalg.matrix_rank(both) == 6 - known.nv
        assert (other.nq, other.nv) == (one.nq, one.nv)
        assert other.coordinate_units == one.coordinate_units
        assert other.speed_units == one.speed_units


@same
def test_a_joint_given_by_its_pose_is_the_same_on_expressions(known, defined):
    q, v = np.random.default_rng(1).normal(size=(2, known.nv))
    names = "abcd"[: known.nv]
    speeds = np.array([symbol(f"{name}.", "speed") for name in names])
    on_symbols = Defined(defined.coordinates, defined.position, defined.turns, defined.matrix)
    values = dict(zip(names, q, strict=True)) | {"lead": 0.3}
    values |= {f"{name}.": rate for name, rate in zip(names, v, strict=True)}
    given = np.array(defined.coordinates)
    found = evaluate(on_symbols.motion_subspace(given), values)
    assert found == pytest.approx(known.motion_subspace(q))
    assert evaluate(on_symbols.bias(given, speeds), values) == pytest.approx(known.bias(q, v))


def cross_and_bar(joint):
    """A body on a joint of two freedoms, another on a pivot after it."""
    tensor = [0.2, 0.3, 0.4, 0.01, 0.02, -0.03]
    return {
        "gravity": [1, -9.81, 2],
        "parameters": {"k": 0.6},
        "bodies": {
            "cross": {"mass": 1, "centre": [0.2, 0, 0.1], "inertia": tensor},
            "bar": {"mass": 2, "centre": [0, 0.1, 0.3], "inertia": tensor},
        },
        "joints": {
            "A": {"bodies": ["ground", "cross"], "coordinates": ["u", "w"], **joint},
            "B": {
                "type": "pivot",
                "bodies": ["cross", "bar"],
                "point": [["k", 0, 0], [0, 0, 0]],
                "axis": "z",
            },
        },
    }


@pytest.mark.parametrize("formalism", ["newton-euler", "lagrange"])
@pytest.mark.parametrize(
    ("known", "given"),
    [
        (
            {"type": "cardan", "axes": ["x", "y"]},
            {"type": "defined", "rotation": [{"x": "u"}, {"y": "w"}]},
        ),
        (
            {"type": "pivot glissant", "axis": "x", "point": [["k", 0, 0], [0, 0, 0]]},
            {"type": "définie", "position": ["u + k", 0, 0], "rotation": [{"x": "w"}]},
        ),
    ],
    ids=["cardan", "pivot glissant"],
)
def test_a_mechanism_with_a_defined_joint_has_the_same_equations(known, given, formalism):
    models = [load(cross_and_bar(joint)) for joint in (known, given)]
    rng = np.random.default_rng(2)
    q, v, acc = rng.normal(size=(3, 3))
    values = {"k": 0.6, **dict(zip(models[0].coordinates, q, strict=True))}
    values |= dict(zip(models[0].speeds, v, strict=True))
    found = []
    for model in models:
        equations = derive(model, formalism)
        found.append([evaluate(part, values) for part in (equations.M, equations.h, equations.g)])
    for one, other in zip(*found, strict=True):
        assert other == pytest.approx(one, rel=1e-12, abs=1e-12)
    one, other = (compile(model).inverse_dynamics(q, v, acc) for model in models)
    assert other == pytest.approx(one)


HALF_DISC = {
    "parameters": {"m": 1.3, "r": 0.4, "g": 9.81, "e": "4*r/(3*pi)"},
    "gravity": ["-g", 0, 0],
    "bodies": {
        "disc": {
            "mass": "m",
            "centre": ["-e", 0, 0],
            "inertia": ["m*r^2/4", "m*(r^2/4 - e^2)", "m*(r^2/2 - e^2)"],
        }
    },
    "joints": {
        "roll": {
            "type": "defined",
            "bodies": ["ground", "disc"],
            "coordinate": "phi",
            "position": ["r", "r*phi", 0],
            "rotation": [{"z": "phi"}],
        }
    },
}


def test_a_half_disc_rolls_as_published():
    """(3/2 m a² − 2 m a b cos φ) φ̈ + m a b sin φ φ̇² + m g b sin φ = 0, with b = 4a/(3π)."""
    f, m, r, g = compile(load(HALF_DISC)), 1.3, 0.4, 9.81
    e = 4 * r / (3 * np.pi)
    for phi, rate in ((0.3, 1.1), (-1.2, 0.4)):
        M = 1.5 * m * r**2 - 2 * m * r * e * np.cos(phi)
        assert f.mass_matrix([phi]) == pytest.approx(np.array([[M]]))
        torque = m * r * e * np.sin(phi) * rate**2 + m * g * e * np.sin(phi)
        assert f.forward_dynamics([phi], [rate], [0.0]) == pytest.approx(np.array([-torque / M]))


def test_a_half_disc_rocks_at_its_published_frequency():
    f, step = compile(load(HALF_DISC)), 1e-5
    ends = [f.forward_dynamics([phi], [0.0], [0.0]) for phi in (-step, step)]
    assert (ends[0] - ends[1]) / (2 * step) == pytest.approx(
        [8 * 9.81 / ((9 * np.pi - 16) * 0.4)], rel=1e-8
    )


SPHERICAL = {
    "parameters": {"l": 0.7, "m": 2},
    "gravity": [0, 0, 9.81],
    "bodies": {"bob": {"mass": "m"}},
    "joints": {
        "O": {
            "type": "defined",
            "bodies": ["ground", "bob"],
            "coordinates": ["theta", "phi"],
            "position": ["l*sin(theta)*cos(phi)", "l*sin(theta)*sin(phi)", "l*cos(theta)"],
        }
    },
    "initial": {"theta": "30 deg"},
}


def test_a_pendulum_in_two_angles_has_its_published_equations():
    """T = ½ m a² (θ̇² + sin²θ φ̇²); θ̈ = sin θ cos θ φ̇² − (g/a) sin θ; p_φ is constant."""
    model = load(SPHERICAL)
    assert model.notices == ()
    assert model.joints["O"].kind.coordinate_units == ("rad", "rad")
    f = compile(model)
    theta, phi, dtheta, dphi = 0.8, 0.3, 0.5, -1.7
    s, k = np.sin(theta), np.cos(theta)
    expected = np.diag([1, s**2]) * 2 * 0.7**2
    assert f.mass_matrix([theta, phi]) == pytest.approx(expected, abs=1e-12)
    found = f.forward_dynamics([theta, phi], [dtheta, dphi], [0.0, 0.0])
    assert found == pytest.approx(
        np.array([s * k * dphi**2 - 9.81 / 0.7 * s, -2 * k / s * dtheta * dphi])
    )


def test_where_coordinates_lose_a_freedom_at_the_start_it_is_told():
    model = load(SPHERICAL | {"initial": {}})
    (notice,) = model.notices
    assert notice == (
        'model.joints.O: joint "O": at its initial coordinates (theta = 0, phi = 0) it has 1 of '
        "its 2 freedoms; start elsewhere, or choose other coordinates."
    )


def test_the_unit_of_a_coordinate_is_seen_from_how_it_is_used():
    r = symbol("r")
    assert Defined((a, b), (a, b.cos(), ZERO)).coordinate_units == ("m", "rad")
    assert Defined((a,), turns=((2, a / r),)).coordinate_units == ("m",)
    assert Defined((a,), turns=((2, 2 * a),)).coordinate_units == ("rad",)


def test_a_cam_lifts_its_follower_by_its_law():
    """Harmonic lift: the acceleration of the follower is that of its law."""
    model = load(
        {
            "gravity": [0, 0, 0],
            "parameters": {"lift": 0.02},
            "bodies": {"follower": {"mass": 0.5}},
            "joints": {
                "cam": {
                    "type": "defined",
                    "bodies": ["ground", "follower"],
                    "coordinates": ["angle"],
                    "position": [0, "lift/2*(1 - cos(angle))", 0],
                }
            },
        }
    )
    f, angle, rate = compile(model), 0.9, 12.0
    law = 0.01 * np.sin(angle)
    torque = 0.5 * law * 0.01 * np.cos(angle) * rate**2  # m y' (y' α̈ + y'' α̇²) with α̈ = 0
    assert f.inverse_dynamics([angle], [rate], [0.0]) == pytest.approx([torque])


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({}, 'the entry "coordinates" is missing'),
        ({"coordinates": ["x", "y"], "position": ["x", 0, 0]}, 'does not depend on "y"'),
        ({"coordinates": ["x"], "position": ["x + w", 0, 0]}, '"w" does not exist'),
        ({"coordinates": ["x"], "position": ["x", 0]}, "3 values are expected, not 2"),
        ({"coordinates": ["x"], "rotation": [{"t": "x"}]}, 'axis "t" does not exist'),
        (
            {"coordinates": ["x"], "rotation": [["x", 0, 0], [0, 1, 0], [0, 0, 1]]},
            "the matrix is not a rotation: at x = 0.31 it is off by 0.9",
        ),
        ({"coordinates": list("abcefgh")}, "from 1 to 6 coordinates, but 7 are given"),
        ({"coordinates": ["x"], "position": ["x.", 0, 0]}, "speed"),
    ],
    ids=str,
)
def test_a_pose_that_cannot_be_is_refused(entries, problem):
    joint = {"type": "defined", "bodies": ["ground", "b"], **entries}
    with pytest.raises(ModelError, match=problem):
        load({"bodies": {"b": {"mass": 1}}, "joints": {"J": joint}})
