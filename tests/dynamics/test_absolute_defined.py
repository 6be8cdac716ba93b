"""Joints that their users define, in absolute coordinates: directions, rows, motions."""

import numpy as np
import pytest
from test_absolute import assert_both_agree, at_random
from test_joint_defined import SAME
from test_two_formulations import assert_same, loads, multipliers, reactions, size
from two_formulations import both

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, expressions
from torseur.dynamics.absolute.defined import directions

TENSOR = [0.2, 0.3, 0.4, 0.01, 0.02, -0.03]
SPACE = {  # a bead on a helix that widens, turned by its way; then a bar on it, and a plate on that
    "gravity": [1, -9.81, 2],
    "parameters": {"k": 0.6, "pitch": 0.1},
    "bodies": {
        "bead": {"mass": 1, "centre": [0.2, 0, 0.1], "inertia": TENSOR},
        "bar": {"mass": 2, "centre": [0, 0.1, 0.3], "inertia": TENSOR},
        "plate": {"mass": 0.5, "centre": [0.1, 0, 0], "inertia": TENSOR},
    },
    "joints": {
        "wire": {
            "type": "defined",
            "bodies": ["ground", "bead"],
            "point": [[0.1, 0.2, 0.3], [0.3, 0, 0.1]],
            "coordinates": ["s"],
            "position": ["(1 + k*s)*cos(s)", "(1 + k*s)*sin(s)", "pitch*s"],
            "rotation": [{"z": "s"}, {"x": "s^2/4"}],
        },
        "B": {"type": "cardan", "axes": ["x", "y"], "bodies": ["bead", "bar"],
              "point": [["k", 0, 0], [0, 0, 0]], "coordinates": ["u", "w"]},
        "slide": {
            "type": "defined",  # which is crossed backwards
            "bodies": ["plate", "bar"],
            "coordinates": ["x", "phi"],
            "position": ["x", "x^2", "pitch*phi"],
            "rotation": [{"y": "phi"}],
        },
    },
    "initial": {"s": 0.4, "u": 0.3, "w": -0.2, "x": 0.2, "phi": 0.5, "s.": 0.7, "phi.": 1.1},
}  # fmt: skip
MORE = {
    "a tree": {},
    "loads": {
        "forces": {
            "on s": {"type": "joint", "joint": "wire", "coordinate": "s", "value": "2 - s - s."},
            "on phi": {"type": "joint", "joint": "slide", "coordinate": "phi", "value": "-3*phi."},
            "pull": {"type": "spring", "between": [["ground", [0, 0, 1]], ["plate", [0, 0, 0.2]]],
                     "stiffness": 4, "length": 0.5},
        },
    },
    "a motor": {"motors": {"M": {"joint": "wire", "torque": 1.5, "ratio": 20,
                                 "rotor_inertia": 1e-3, "axis": [0, 0, 1]}}},
    "a law": {"motions": {"drive": {"coordinate": "phi", "law": "phi0 + phi1*t + sin(t)^2"}},
              "parameters": SPACE["parameters"] | {"phi0": 0.5, "phi1": 1.1}},
    "a relation": {"constraints": {"tie": {"type": "relation", "zero": "s. - 0.4*phi. - 1*x*u."}}},
    "a moving ground": {"frame": {"rotation": [0, 0, "0.3*t"]}},
}  # fmt: skip


@pytest.mark.parametrize("more", MORE)
def test_defined_joints_move_as_in_joint_coordinates(more):
    joint, absolute = both(SPACE | MORE[more], 0.5, rate=20, rtol=1e-12)
    assert absolute.closure_error < 1e-11
    assert_same({n: joint[n] for n in joint.names}, {n: absolute[n] for n in joint.names})
    assert_same({"a": joint.a}, {"a": absolute.a})
    for part in (slice(3), slice(3, 6)):
        assert_same(reactions(joint, part), reactions(absolute, part), loads(joint))
    assert_same(multipliers(joint), multipliers(absolute), loads(joint))


@pytest.mark.parametrize(("known", "defined"), SAME.values(), ids=SAME)
def test_a_joint_given_by_its_pose_is_held_where_the_joint_it_describes_is(known, defined):
    q = np.random.default_rng(4).normal(size=known.nq)
    P, T = (np.array(x, dtype=float).T for x in directions(known.motion_subspace(q), range(6)))
    assert P.T @ known.motion_subspace(q) == pytest.approx(np.eye(known.nv), abs=1e-12)
    assert pytest.approx(np.eye(6 - known.nv), abs=1e-12) == T.T @ T
    assert size(T.T @ defined.motion_subspace(q)) < 1e-12
    both = np.hstack([T, known.reaction_subspace(q)])
    assert np.linalg.matrix_rank(both, tol=1e-9) == 6 - known.nv


@pytest.mark.parametrize("seed", range(5))
def test_directions_are_found_wherever_motions_point_and_the_same_on_expressions(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 6))
    S = rng.normal(size=(6, n)) * rng.choice([-1.0, 0.0, 1.0], size=(6, 1))
    S[rng.permutation(6)[:n], range(n)] += 2.0
    moving = [k for k in range(6) if S[k].any()]
    P, T = (np.array(x, dtype=float).T for x in directions(S, moving))
    np.testing.assert_allclose(P.T @ S, np.eye(n), atol=1e-12)
    np.testing.assert_allclose(T.T @ np.hstack([S, T])[:, n:], np.eye(6 - n), atol=1e-12)
    np.testing.assert_allclose(T.T @ S, 0.0, atol=1e-12)
    names = [[symbol(f"S{i}{k}", "input") for k in range(n)] for i in range(6)]
    values = {f"S{i}{k}": S[i, k] for i in range(6) for k in range(n)}
    on_symbols = directions(names, moving)
    for columns, numbers in zip(on_symbols, (P, T), strict=True):
        found = np.asarray(evaluate(expressions(columns), values), dtype=float)
        np.testing.assert_allclose(found.reshape(-1, 6).T, numbers, atol=1e-12)


def test_a_defined_joint_passes_where_its_first_component_of_motion_changes_sign():
    """A reflection that leaves on one side only would divide by nothing there."""
    bead = {
        "gravity": [0, -9.81, 0],
        "bodies": {"bead": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"wire": {"type": "defined", "bodies": ["ground", "bead"], "coordinates": ["s"],
                            "position": ["cos(s)", "sin(s)", 0]}},
        "initial": {"s": -0.3},
    }  # fmt: skip
    pendulum = {
        "gravity": [0, -9.81, 0],
        "bodies": {"bob": {"mass": 1, "centre": [1, 0, 0], "inertia": [0, 0, 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z"}},
        "initial": {"O": -0.3},
    }
    run = ts.simulate(ts.load(bead), 6.0, rate=50, rtol=1e-12, coordinates="absolute")
    other = ts.simulate(ts.load(pendulum), 6.0, rate=50, rtol=1e-12)
    np.testing.assert_allclose(run["s"], other["O"], atol=1e-8)
    assert np.ptp(run["s"]) > 2.0 and run.energy_drift < 1e-9


def test_a_state_at_random_is_the_same_in_both_formulations():
    mechanism, rng = ts.load(SPACE | MORE["loads"]), np.random.default_rng(8)
    assert_both_agree(mechanism, *at_random(rng, mechanism))
