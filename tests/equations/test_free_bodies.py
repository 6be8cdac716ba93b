"""Every body isolated: what passes through its joints, its weight and its loads make it move.

One rule for `reaction`, in both kinds of coordinates, and one for the power of drives.
"""

from functools import cache

import numpy as np
import pytest
from closing_mechanisms import LOADED
from example_states import SMOOTH, model
from numpy.testing import assert_allclose

import torseur as ts
from torseur.algebra.core.graph import evaluate, expressions
from torseur.equations.actions.efforts import Efforts
from torseur.equations.constraints.unknowns import component_names, multiplier_letters, unknown_of
from torseur.model.constraints.relation import BodyMotion

SLOW = {"delta_robot", "stewart_platform", "puma560"}
COMPONENTS = dict(zip("XYZLMN", range(6), strict=True))
every_case = pytest.mark.parametrize(
    "name",
    [pytest.param(x, marks=pytest.mark.slow) if x in SLOW else x for x in (*SMOOTH, *LOADED)],
)
both = pytest.mark.parametrize("coordinates", ["joint", "absolute"])


@cache
def made(name):
    return model(name) if name in SMOOTH else ts.compile(ts.load(LOADED[name]))


@cache
def run_of(name, coordinates):
    at = [0.0, 0.013, 0.05, 0.11]
    return ts.simulate(made(name), 0.11, at=at, rtol=1e-10, coordinates=coordinates)


def largest(run):
    mechanism = run.model.mechanism
    names = [
        *mechanism.joints,
        *(x for x in mechanism.motions.values() if isinstance(x, BodyMotion)),
    ]
    sizes = [np.abs(run.reaction(getattr(x, "name", x))).max() for x in names]
    return max(1e-3, *sizes)


@pytest.mark.sampled(30)
@both
@every_case
def test_what_acts_on_a_body_is_its_dynamic_torseur(name, coordinates):
    run = run_of(name, coordinates)
    for body in run.model.mechanism.bodies:
        found = ts.torseurs.body_torseurs(run, body)
        acting, needed, size = found.action, found.dynamic, largest(run)
        assert_allclose(acting.resultant, needed.resultant, atol=1e-10 * size, err_msg=body)
        assert_allclose(acting.moment, needed.moment, atol=1e-10 * size, err_msg=body)


@pytest.mark.sampled(30)
@both
@every_case
def test_the_power_of_drives_is_the_rate_of_energy_and_what_is_dissipated(name, coordinates):
    """(M a + h + g)·v = dT/dt + dV/dt of gravity = powers of forces and motors + of drives."""
    run = run_of(name, coordinates)
    f, q, v, a = run.model, run.q, run.v, run.a
    M, h, g = f.timed("mass_matrix")(q, 0), f.timed("bias")(q, v, 0), f.timed("gravity")(q, 0)
    inertia = np.einsum("kij,kj->ki", M.reshape(len(q), *[v.shape[1]] * 2), a)
    gained = ((inertia + h + g) * v).sum(axis=1)
    forces = list(run.power.values())
    drives = [ts.observe.drive_power(run, motion) for motion in f.mechanism.motions]
    tied = [-run.multiplier("tied")[:, 0] * -0.4] if name == "relation" else []  # A. + … = 0.4
    parts = (inertia * v, h * v, g * v, run.energy["kinetic"])
    size = max(1e-6, *(np.abs(x).max() for x in (*parts, *forces, *drives)))
    assert_allclose(sum((*forces, *drives, *tied), np.zeros(len(q))), gained, atol=1e-9 * size)


@both
def test_what_moves_a_body_is_a_wrench_in_ground_axes(coordinates):
    """A table moved without turning and without gravity needs m γ(G) at its centre."""
    moved = ts.load({
        "bodies": {"table": {"mass": 2, "centre": [0.1, 0, 0], "inertia": [1, 1, 1]}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "table"]}},
        "motions": {"shake": {"body": "table", "position": ["0.5*t^2", "sin(t)", "-t^2"],
                              "rotation": [{"z": "1.2"}]}},
    })  # fmt: skip
    run = ts.simulate(moved, 1.0, rate=5.0, coordinates=coordinates)
    found = run.drive("shake")
    assert found.shape == (len(run.t), 6)
    force = 2 * np.stack([np.ones(6), -np.sin(run.t), -2 * np.ones(6)], axis=1)
    lever = 0.1 * np.array([np.cos(1.2), np.sin(1.2), 0])
    assert_allclose(found[:, :3], force, atol=1e-9)
    assert_allclose(found[:, 3:], np.cross(lever, force), atol=1e-9)
    assert_allclose(found, run.reaction("shake"))
    velocity = np.stack([run.t, np.cos(run.t), -2 * run.t], axis=1)
    assert_allclose(ts.observe.drive_power(run, "shake"), (force * velocity).sum(axis=1), atol=1e-9)


@pytest.mark.parametrize("name", [x for x in LOADED if x != "wiper" and "moved" not in x])
def test_an_isolated_body_has_the_same_unknowns_in_a_closing_joint_as_elsewhere(name):
    """The symbolic balance with the reactions, the drives and the multipliers of a run."""
    run = run_of(name, "joint")
    made_of, k = run.model.mechanism, 2
    values = {**run.model.parameters, "t": run.t[k]}
    for names, numbers in ((run.model.coordinates, run.q), (run.model.speeds, run.v)):
        values |= dict(zip(names, numbers[k], strict=True))
    values |= {f"{n}.": x for n, x in zip(run.model.speeds, run.a[k], strict=True)}
    owners = (*made_of.motions, *made_of.constraints)
    letters = multiplier_letters(made_of)
    values |= {unknown_of(n, letters).name: run.multiplier(n)[k, 0] for n in owners}
    for joint in made_of.joints:
        wrench = run.reaction(joint, frame="joint")[k]
        values |= {f"{letter}_{joint}": wrench[n] for letter, n in COMPONENTS.items()}
    held = Efforts(run.model.system).held
    assert {n for c in held.closures for n in component_names(c.cut.name, expressions(c.T))} <= set(
        values
    )
    for body in made_of.bodies:
        left = [float(evaluate(x, values)) for x in ts.formalisms.isolate(made_of, body).equations]
        assert_allclose(left, 0, atol=1e-9 * largest(run), err_msg=body)


@pytest.mark.parametrize("welded", [False, True])
@both
def test_a_pose_alone_drives_all_that_moves(coordinates, welded):
    """Turned about z by 2 t and lifted; a second body may be welded to it, 0.3 m below."""
    bodies = {"table": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}}
    joints = {"F": {"type": "free", "bodies": ["ground", "table"]}}
    if welded:
        bodies["bob"] = {"mass": 0.5, "inertia": [0.01, 0.01, 0.01]}
        joints["B"] = {"type": "free", "bodies": ["ground", "bob"]}
        below = [[0, 0, -0.3], [0, 0, 0]]
        joints["W"] = {"type": "fixed", "bodies": ["table", "bob"], "point": below}
    law = {"body": "table", "position": [0, 0, "1 + t^2"], "rotation": [{"z": "2*t"}]}
    start = {"B_z": 0.7} if welded else {}
    moved = {"bodies": bodies, "joints": joints, "motions": {"shake": law}, "initial": start}
    run = ts.simulate(moved, 0.5, rate=20, coordinates=coordinates)
    last = "B" if welded else "F"
    assert_allclose(run[f"{last}_qz"], np.sin(run.t), atol=1e-9)
    assert_allclose(run[f"{last}_z"], 1 + run.t**2 - 0.3 * welded, atol=1e-9)
    assert_allclose(run.drive("shake")[:, 2], 2 * (1.5 if welded else 1.0), atol=1e-7)
