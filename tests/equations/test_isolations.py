"""Which bodies to isolate: few equations, which the reactions and the motion obey."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import model, values_at
from random_systems import KINDS, random_system
from test_formalisms_subsystems import COMPONENTS

import torseur as ts
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.cli.commands import commands
from torseur.equations.constraints.unknowns import multiplier_letters, unknown_of
from torseur.equations.expressions.sampling import with_size

TREES = ["double_pendulum", "elliptic_pendulum", "puma560", "stanford_arm", "gyroscope"]


def in_motion(name):
    """A mechanism, the values of its symbols at an instant, and what its joints bear then."""
    made = model(name)
    sliding = {f"q{k}.": 2.0 for k in range(1, 7)} if name == "puma560" else {}  # no motor sticks
    run = ts.simulate(made, 0.05, rate=100.0, initial=sliding)
    k = 3
    values, mechanism = values_at(run, k), run.model.mechanism
    borne = {}
    for joint in mechanism.joints:
        wrench = run.reaction(joint, frame="joint")[k]
        borne |= {f"{letter}_{joint}": wrench[n] for letter, n in COMPONENTS.items()}
    letters = multiplier_letters(mechanism)
    for name in mechanism.constraints:
        borne[unknown_of(name, letters).name] = run.multiplier(name)[k, 0]
    return mechanism, values, borne


def solved(equations, values):
    """The unknowns of a system, each as it follows from the equations alone."""
    names = sorted({n for x in equations for n in x.unknowns})
    zero = dict.fromkeys(names, 0.0)
    free = np.array([float(evaluate(x.equation, values | zero)) for x in equations])
    A = np.array([[float(evaluate(x.equation, values | zero | {n: 1.0})) for n in names]
                  for x in equations]) - free[:, None]  # fmt: skip
    found = np.linalg.lstsq(A, -free, rcond=None)[0]
    return dict(zip(names, found, strict=True)), A @ found + free


@pytest.mark.parametrize("name", TREES)
def test_a_tree_moves_by_one_equation_a_coordinate_without_unknowns(name):
    """The bodies beyond a joint, along its axis: nothing else is met (the "optimised" choice)."""
    mechanism, values, _ = in_motion(name)
    found = ts.formalisms.isolations(mechanism)
    assert len(found.systems) == len(mechanism.every_coordinate)
    for (one,) in found.systems:
        assert one.unknowns == ()
        left, size = with_size(one.equation, values)
        assert left == pytest.approx(0, abs=1e-8 * size)


@pytest.mark.parametrize("name", ["slider_crank", "four_bar", "ball_governor", "motorcycle"])
def test_systems_of_a_loop_leave_one_relation_that_the_motion_obeys(name):
    mechanism, values, _ = in_motion(name)
    found = ts.formalisms.isolations(mechanism)
    assert found.systems
    for equations in found.systems:
        unknowns, left = solved(equations, values)
        assert len(equations) > len(unknowns)  # so that something is left to obey
        size = max(with_size(x.equation, values | unknowns)[1] for x in equations)
        np.testing.assert_allclose(left, 0, atol=1e-8 * size)


@pytest.mark.parametrize(
    ("name", "unknowns", "most"),
    [
        ("slider_crank", ["X_B", "Y_B", "Y_P", "X_O", "Y_O", "Y_A", "N_P"], 3),
        ("four_bar", ["X_D", "Y_D", "X_A", "Y_B"], 3),
        ("double_pendulum", ["X_O", "Y_O", "Z_O", "X_A", "Y_A", "L_A", "M_O"], 1),
        ("puma560", ["X_J1", "M_J4", "L_J6"], 1),
        ("motorcycle", ["X_A", "Y_B"], 3),
    ],
)
def test_few_equations_give_the_reaction_of_the_motion(name, unknowns, most):
    mechanism, values, borne = in_motion(name)
    size = max(abs(x) for x in borne.values())
    for unknown in unknowns:
        (equations,) = ts.formalisms.isolations(mechanism, unknown).systems
        assert len(equations) <= most
        found, _ = solved(equations, values)
        assert found[unknown] == pytest.approx(borne[unknown], rel=1e-7, abs=1e-8 * size)


@pytest.mark.sampled(1, kind=lambda seed: seed % len(KINDS))
@pytest.mark.parametrize("seed", range(6))
def test_unknowns_of_random_mechanisms_follow_from_the_equations_of_all_bodies(seed):
    """At any speeds and accelerations: the system and the six equations of each body agree."""
    rng = np.random.default_rng(seed)
    made = random_system(rng, KINDS[seed % len(KINDS)])
    bodies = [ts.formalisms.isolate(made, body) for body in made.bodies]
    names = sorted({n for x in bodies for n in x.unknowns})
    for unknown in rng.permutation(names)[:4]:
        try:
            (equations,) = ts.formalisms.isolations(made, str(unknown)).systems
        except ts.ModelError as error:
            assert "over-constrained" in str(error)
            continue
        # what the six equations of every body make of the mix that the system is
        spoken = [x for y in (*bodies,) for x in y.equations] + [x.equation for x in equations]
        values = {x.name: rng.uniform(0.3, 1.2) for x in free_symbols(spoken)}
        for joint in made.joints.values():
            four = [n for n in values if n.startswith(f"{joint.name}_q") and n[-1] in "wxyz"]
            if len(four) == 4:
                unit = rng.normal(size=4)
                values |= dict(zip(sorted(four), unit / np.linalg.norm(unit), strict=True))
        zero = dict.fromkeys(names, 0.0)

        def matrix(listed, values=values, zero=zero):
            free = np.array([float(evaluate(x, values | zero)) for x in listed])
            columns = [
                [float(evaluate(x, values | zero | {n: 1.0})) for x in listed] for n in names
            ]
            return np.array(columns).T - free[:, None], free

        A, b = matrix([x for y in bodies for x in y.equations])
        C, d = matrix([x.equation for x in equations])
        weights = np.linalg.lstsq(np.c_[A, b].T, np.c_[C, d].T, rcond=None)[0]
        np.testing.assert_allclose(np.c_[A, b].T @ weights, np.c_[C, d].T, atol=1e-8)
        target = np.eye(len(names))[names.index(unknown)]
        mix = np.linalg.lstsq(C.T, target, rcond=None)[0]
        np.testing.assert_allclose(C.T @ mix, target, atol=1e-6)


def test_a_reaction_that_dynamics_does_not_tell_is_refused_by_name():
    with pytest.raises(ts.ModelError, match="Z_A does not follow from the equations"):
        ts.formalisms.isolations(model("four_bar").mechanism, "Z_A")
    with pytest.raises(ts.ModelError, match='joint unknown "Y_Z" does not exist'):
        ts.formalisms.isolations(model("four_bar").mechanism, "Y_Z")


def test_what_is_driven_has_no_equation_of_motion_and_says_so():
    found = ts.formalisms.isolations(model("whitworth").mechanism)
    assert found.systems == ()
    assert "Nothing is free to move" in str(found)


@pytest.mark.parametrize("call", [ts.derive, ts.formalisms.isolate, ts.formalisms.isolations])
def test_contacts_that_equations_are_without_are_told(call):
    assert "(low, high) act only in simulations" in str(call("box_on_slope"))
    along = ts.formalisms.virtual_power("box_on_slope", {"x": 1})
    assert "(low, high) act only in simulations" in str(along)


def test_isolations_from_a_shell():
    run = CliRunner().invoke(commands, ["isolations", "slider_crank", "--of", "X_B"])
    assert "{piston}, resultant along x: m3*x.. = X_B - Fr" in run.stdout
    run = CliRunner().invoke(commands, ["isolations", "slider_crank", "--json"])
    (system,) = json.loads(run.stdout)["systems"]
    assert len(system) == 3
    run = CliRunner().invoke(commands, ["isolations", "double_pendulum", "--lang", "fr"])
    assert "mouvement 2 : une équation, sans inconnue" in run.stdout
    run = CliRunner().invoke(commands, ["derive", "simple_pendulum", "--reactions"])
    assert "torseur isolations MODEL --of X_A" in run.stdout
