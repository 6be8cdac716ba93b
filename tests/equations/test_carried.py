"""The wrench of a joint that its user defines: what it carries follows from how it moves."""

import numpy as np
import pytest
from example_states import moving

import torseur as ts
from torseur.algebra.core.graph import evaluate, expressions
from torseur.equations.actions.efforts import carried
from torseur.equations.symbols.system import system

DEFINED = (
    "cartesian_pendulum",
    "cylinder_holonomic",
    "half_disc",
    "heavy_top",
    "spherical_pendulum",
    "vertical_disc",
)


@pytest.mark.parametrize("name", DEFINED)
def test_a_defined_joint_carries_as_many_wrenches_as_it_takes_freedoms_and_none_works(name):
    mechanism, _, values = moving(name)
    own = system(mechanism)
    for _, link in own.tree:
        S = expressions(link.joint.motion_subspace(own.q[link.q]))
        T = carried(S, name)
        assert T.shape == (6, 6 - link.joint.nv)
        numbers = (np.asarray(evaluate(x, values), dtype=float) for x in (S, T))
        S, T = (x.reshape(6, -1) for x in numbers)
        np.testing.assert_allclose(S.T @ T, 0, atol=1e-12)
        assert np.linalg.matrix_rank(T) == T.shape[1]


@pytest.mark.parametrize("name", DEFINED)
def test_the_balance_of_a_body_on_a_defined_joint_closes_and_gives_the_wrench_of_the_motion(name):
    mechanism, run, values = moving(name)
    body = next(iter(mechanism.bodies))
    balance = ts.formalisms.isolate(mechanism, body)
    unknowns = dict.fromkeys(balance.unknowns, 0.0)
    rows = np.array([float(evaluate(x, values | unknowns)) for x in balance.equations])
    columns = [
        [float(evaluate(x, values | unknowns | {u: 1.0})) for x in balance.equations] - rows
        for u in unknowns
    ]
    A = np.array(columns).reshape(-1, 6).T
    solved = np.linalg.lstsq(A, -rows, rcond=None)[0]
    size = max(np.abs(rows).max(), 1.0)
    np.testing.assert_allclose(A @ solved + rows, 0, atol=1e-9 * size)
    # the wrench of each joint is the one that the run has
    known = values | dict(zip(unknowns, solved, strict=True))
    symbolic = ts.torseurs.body_torseurs(mechanism, body).joints
    along = ts.torseurs.body_torseurs(run, body).joints
    for joint in symbolic.keys() & along.keys() if np.linalg.matrix_rank(A) == A.shape[1] else ():
        for mine, theirs in (
            (symbolic[joint].resultant, along[joint].resultant),
            (symbolic[joint].moment, along[joint].moment),
        ):
            found = np.asarray(evaluate(expressions(mine), known), dtype=float)
            np.testing.assert_allclose(found, theirs[1], atol=1e-8 * size)


def test_coordinates_that_repeat_others_are_refused():
    twice = ts.load(
        {
            "torseur": 1,
            "name": "twice",
            "bodies": {"bead": {"mass": 1, "inertia": [1, 1, 1]}},
            "joints": {
                "A": {
                    "type": "defined",
                    "bodies": ["ground", "bead"],
                    "coordinates": ["x", "y"],
                    "position": ["x + y", 0, 0],
                }
            },
        }
    )
    with pytest.raises(ts.ModelError, match="2 coordinates do not move it in as many ways"):
        ts.formalisms.isolate(twice, "bead")
