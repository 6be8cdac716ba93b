"""Chosen sub-systems: the unknowns at their border are the reactions of the motion."""

from functools import cache
from pathlib import Path

import numpy as np
import pytest
from random_systems import KINDS, random_system
from test_constraints import reducer

import torseur as ts
from torseur.algebra.core.graph import evaluate, expressions, free_symbols
from torseur.equations.actions.efforts import Efforts
from torseur.equations.constraints.unknowns import component_names, multiplier_letters, unknown_of
from torseur.equations.symbols.system import system
from torseur.simulation.constraints.multipliers import accelerations

MODELS = Path(__file__).parents[1] / "models"
COMPONENTS = dict(zip("XYZLMN", range(6), strict=True))


@cache
def crank_in_motion():
    """A state of the slider-crank with its accelerations, and the wrench in every joint."""
    made = ts.load(MODELS / "slider_crank.yaml")
    run = ts.simulate(made, 0.05, rate=100.0, initial={"alpha": 0.7, "alpha.": 2.0})
    k = 3
    values = dict(made.parameters, t=run.t[k])
    values |= dict(zip(run.model.coordinates, run.q[k], strict=True))
    values |= dict(zip(run.model.speeds, run.v[k], strict=True))
    values |= {f"{n}.": x for n, x in zip(run.model.speeds, run.a[k], strict=True)}
    wrenches = {joint: run.reaction(joint, frame="joint")[k] for joint in made.joints}
    return made, values, wrenches


def left_over(balance, values, wrenches):
    """The six equations with the reactions of the motion put in."""
    known = dict(values)
    for name in balance.unknowns:
        letter, joint = name.split("_", 1)
        known[name] = wrenches[joint][COMPONENTS[letter]]
    return np.array([float(evaluate(x, known)) for x in balance.equations])


@pytest.mark.parametrize(
    "bodies", [["crank"], ["rod"], ["piston"], ["crank", "rod"], ["rod", "piston"], []]
)
def test_the_balance_of_any_sub_system_closes_with_the_reactions_of_the_motion(bodies):
    made, values, wrenches = crank_in_motion()
    found = ts.formalisms.isolate(made, bodies or (), axes="rod" if len(bodies) == 2 else "ground")
    size = max(np.abs(w).max() for w in wrenches.values())
    np.testing.assert_allclose(left_over(found, values, wrenches), 0, atol=1e-9 * size)
    names = {name.split("_", 1)[1] for name in found.unknowns}
    inside = set(bodies or made.bodies)
    border = {j.name for j in made.joints.values() if (j.first in inside) != (j.second in inside)}
    assert names == border
    assert found.matrix().shape == (6, len(found.unknowns))
    assert str(found).startswith("{")


@pytest.mark.parametrize("body", ["sun", "arm", "planet0"])
def test_the_forces_of_teeth_balance_the_wheels_of_a_planetary_gear(body):
    made = ts.load(reducer(1))
    run = ts.simulate(made, 0.1, rate=20.0)
    k = 1
    values = dict(made.parameters, t=run.t[k])
    for names, numbers in ((run.model.coordinates, run.q), (run.model.speeds, run.v)):
        values |= dict(zip(names, numbers[k], strict=True))
    values |= {f"{n}.": x for n, x in zip(run.model.speeds, run.a[k], strict=True)}
    letters = multiplier_letters(made)
    values |= {unknown_of(n, letters).name: run.multiplier(n)[k, 0] for n in made.constraints}
    wrenches = {joint: run.reaction(joint, frame="joint")[k] for joint in made.joints}
    for joint, wrench in wrenches.items():
        values |= {f"{letter}_{joint}": wrench[n] for letter, n in COMPONENTS.items()}
    left = [float(evaluate(x, values)) for x in ts.formalisms.isolate(made, body).equations]
    np.testing.assert_allclose(left, 0, atol=1e-9)


def test_action_is_minus_reaction_between_two_sub_systems():
    made, values, _ = crank_in_motion()
    pin = next(j.name for j in made.joints.values() if {j.first, j.second} == {"crank", "rod"})
    first, second = (
        ts.formalisms.isolate(made, x, at=("ground", [0, 0, 0])) for x in ("crank", "rod")
    )
    for name in (n for n in first.unknowns if n.endswith(f"_{pin}")):
        a, b = (x.matrix()[:, x.unknowns.index(name)] for x in (first, second))
        total = [float(evaluate(x, values)) for x in a + b]
        np.testing.assert_allclose(total, 0, atol=1e-14)


@pytest.mark.parametrize("seed", [0, 1, 2, 3])
def test_virtual_power_coordinate_by_coordinate_is_newton_and_euler_row_by_row(seed):
    """With rotors, loops, rolling and imposed motions; reactions of loops keep their names."""
    rng = np.random.default_rng(seed)
    made = random_system(rng, KINDS[seed % len(KINDS)])
    own, equations = system(made), ts.derive(made)
    k = int(rng.integers(len(own.v)))
    found = ts.formalisms.virtual_power(made, {own.speeds[k]: 1})
    spoken = [found.equation, *equations.J[:, k], *equations.Q, *equations.inverse_dynamics]
    values = {x.name: rng.uniform(0.3, 1.2) for x in free_symbols(spoken)}
    for _, link in own.tree:
        if link.joint.turning:
            names = [x.name for x in own.q[link.q][-4:]]
            four = rng.normal(size=4)
            values |= dict(zip(names, four / np.linalg.norm(four), strict=True))
    row = equations.inverse_dynamics[k] - equations.Q[k]
    free = float(evaluate(row, values))
    reactions = float(evaluate(found.joints, values))
    assert float(evaluate(found.equation, values)) == pytest.approx(
        free - reactions, rel=1e-10, abs=1e-10
    )
    works = [float(evaluate(x, values)) for x in equations.J[:, k]]
    assert found.compatible == (not np.abs(works).max(initial=0) > 1e-12)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: ts.formalisms.isolate(m, "nobody"), 'body "nobody" does not exist'),
        (lambda m: ts.formalisms.isolate(m, at="Z"), 'point "Z" does not exist'),
        (lambda m: ts.formalisms.isolate(m, at=("Z", [0, 0, 0])), 'body "Z" does not exist'),
        (lambda m: ts.formalisms.virtual_power(m), "0 virtual motions are given"),
        (lambda m: ts.formalisms.virtual_power(m, {"zeta": 1}), 'coordinate "zeta" does not exist'),
        (lambda m: ts.formalisms.virtual_power(m, bodies={"Z": {}}), 'body "Z" does not exist'),
        (
            lambda m: ts.formalisms.virtual_power(m, rigid={"speed": 1}),
            'entry "speed" does not exist',
        ),
    ],
)
def test_names_that_do_not_exist_are_refused(call, message):
    with pytest.raises(ts.ModelError, match=message):
        call(ts.load(MODELS / "slider_crank.yaml"))


def unknowns_of(own, values, rows, lam):
    """The value of every unknown of a joint: T λ is the part of its wrench that does not work."""
    known = {}
    for (_, link), row in zip(own.tree, rows, strict=False):
        kind = getattr(link.joint, "kind", link.joint)
        T = expressions(kind.reaction_subspace(own.q[link.q]))
        R = row[9:].reshape(3, 3)
        wrench = np.concatenate([R.T @ row[3:6], R.T @ row[:3]])
        found = np.linalg.pinv(np.asarray(evaluate(T, values), dtype=float)) @ wrench
        known |= dict(zip(component_names(link.joint_name, T), found, strict=True))
    names = [x.name for x in Efforts(own).multipliers]
    return known | dict(zip(names, lam, strict=True))


SLOWER = [pytest.param(seed, marks=pytest.mark.slow) for seed in (4, 8, 9)]


@pytest.mark.parametrize("seed", [1, 12, *SLOWER])
def test_the_balance_of_each_body_of_a_random_mechanism_closes(seed):
    """Rotors with oblique axes, loads, screws, joints crossed backwards and loops included."""
    rng = np.random.default_rng(seed)
    made = random_system(rng, KINDS[seed % len(KINDS)])
    own, model = system(made), ts.compile(made)
    q, v = rng.uniform(0.3, 1.2, len(own.q)), rng.uniform(-1, 1, len(own.v))
    for _, link in own.tree:
        if link.joint.turning:
            q[link.q.stop - 4 : link.q.stop] /= np.linalg.norm(q[link.q.stop - 4 : link.q.stop])
    at = ts.derive(made).evaluate(q, v)
    a, lam = accelerations(at.M, at.Q - at.h - at.g, at.J, at.gamma)
    rows = model.joint_wrenches(q, v, a, *([lam] if len(lam) else []))
    values = dict(zip((*own.coordinates, *own.speeds), (*q, *v), strict=True)) | {"t": 0.0}
    values |= {f"{name}.": x for name, x in zip(own.speeds, a, strict=True)}
    values |= unknowns_of(own, values, rows, lam)
    for body in made.bodies:
        left = [float(evaluate(x, values)) for x in ts.formalisms.isolate(made, body).equations]
        np.testing.assert_allclose(left, 0, atol=1e-9 * max(np.abs(rows[:, :6]).max(), 1.0))
