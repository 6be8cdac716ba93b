"""Derivatives of inverse and forward dynamics: the recursion, on the graph, and in loops.

Central differences of step 1e-6 are right to 1e-7 of the largest entry; everything else is the same
mathematics by another way, to 1e-11.
"""

import numpy as np
import pytest
from random_mechanisms import random_mechanism
from random_mechanisms import random_state as named_state
from random_trees import WITHOUT_QUATERNIONS, random_coordinates, random_tree, rates
from test_functions import NOW, interpreted, pushed_tree, state
from test_loops import EARTH, ROTORS, loops_of, some_tree

import torseur as ts
from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import (
    forward_dynamics_derivatives,
    inverse_dynamics_derivatives,
    mass_matrix,
)
from torseur.equations.functions.catalogue import FUNCTIONS, along_speeds, kernel_of, slopes_of
from torseur.equations.symbols.system import system
from torseur.errors import SolveError
from torseur.machine.machine_code import Evaluators
from torseur.machine.native import compiled_function
from torseur.machine.tree.evaluator import LoopFunctions, source, suits
from torseur.model.joints.library import Free, Spherical, Universal
from torseur.model.joints.reversed import Reversed

NAMES = ("inverse_dynamics", "forward_dynamics")


def close(found, expected, bound=1e-11):
    """Equal to a share of the largest entry."""
    size = np.abs(expected).max(initial=1e-300)
    np.testing.assert_allclose(found, expected, rtol=0, atol=bound * size)


def links(bodies):
    """The phrase of a chain of rods at right angles."""
    joints = (f"R{'ZX'[k % 2]}(q{k}), TYK(0.3)" for k in range(bodies))
    return ts.load(", ".join(joints) + ";", masses="full", gravity=(0, 0, -9.81))


def weighed(mechanism):
    """The compiled model of a chain of links of about a kilogramme."""
    inertias = {"M": 1.1, "X": 0.02, "Y": 0.15, "Z": -0.03, "IXX": 0.02, "IYY": 0.01, "IZZ": 0.03}
    parameters = {
        key: next((x for name, x in inertias.items() if key.rstrip("0123456789") == name), 0.001)
        for key in mechanism.parameters
    }
    return ts.compile(mechanism).with_parameters(**parameters)


# --- the recursion on numbers -------------------------------------------------------------------


@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(3))
def test_the_recursion_gives_the_slopes_of_inverse_dynamics_in_both_directions(seed, rotors):
    tree, (q, v, a) = some_tree(seed, bodies=6, rotors=rotors)
    step, expected = 1e-6, []
    for by_motion in (True, False):
        for e in step * np.eye(tree.nv):
            dq, dv = (rates(tree, q, e), 0.0) if by_motion else (0.0, e)
            ends = [inverse_dynamics(tree, q + s * dq, v + s * dv, a, EARTH).Q for s in (1, -1)]
            expected.append((ends[0] - ends[1]) / (2 * step))
    found = inverse_dynamics_derivatives(tree, q, v, a, EARTH)
    close(found, np.array(expected).T, 1e-7)


@pytest.mark.parametrize("seed", range(3))
def test_the_slopes_by_forces_are_the_inverse_mass_matrix_and_carry_the_others_over(seed):
    tree, (q, v, Q) = some_tree(seed + 10, bodies=6, rotors="oblique")
    M, n = mass_matrix(tree, q), tree.nv
    found = forward_dynamics_derivatives(tree, q, v, Q, EARTH).astype(float)
    inverse = found[:, 2 * n :]
    close(M @ inverse, np.eye(n), 1e-10)
    close(inverse, inverse.T, 1e-10)
    a = np.linalg.solve(M, Q - inverse_dynamics(tree, q, v, np.zeros(n), EARTH).Q)
    slopes = inverse_dynamics_derivatives(tree, q, v, a, EARTH).astype(float)
    close(found[:, : 2 * n], -np.linalg.solve(M, slopes), 1e-10)


@pytest.mark.parametrize("seed", range(3))
def test_at_rest_the_slopes_are_the_second_derivatives_of_the_potential_energy(seed):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, WITHOUT_QUATERNIONS, bodies=6)
    still = np.zeros(tree.nv)
    found = inverse_dynamics_derivatives(tree, random_coordinates(rng, tree), still, still, EARTH)
    by_q, by_v = found[:, : tree.nv], found[:, tree.nv :]
    close(by_q, by_q.T)
    assert not by_v.any()


# --- on expressions -----------------------------------------------------------------------------


@pytest.mark.parametrize("first", [Free(), Reversed(Spherical()), Universal(0, 2), None])
def test_the_recursion_on_expressions_is_the_derivative_of_the_graph(first):
    rng = np.random.default_rng(3)
    made = system(random_mechanism(rng, *([first] if first else []), bodies=3, motors=True))
    tree = regrouped(made.tree)
    Q = inverse_dynamics(tree, made.q, made.v, made.a, made.gravity).Q
    values = named_state(rng, made)
    values |= dict(zip([x.name for x in made.a], rng.normal(size=tree.nv), strict=True))
    found = inverse_dynamics_derivatives(tree, made.q, made.v, made.a, made.gravity)
    expected = along_speeds(made, slopes_of(made, Q))
    close(*(np.asarray(evaluate(x, values), dtype=float) for x in (found, expected)))


# --- loops --------------------------------------------------------------------------------------


@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(3))
def test_loops_over_bodies_give_what_the_recursion_on_numbers_gives(seed, rotors):
    tree, (q, v, x) = some_tree(seed + 20, bodies=7, rotors=rotors)
    loop = loops_of(tree)
    for name, expected in zip(
        NAMES, (inverse_dynamics_derivatives, forward_dynamics_derivatives), strict=True
    ):
        found = loop(f"{name}_tangent_derivatives")(q, v, x)
        close(found, expected(tree, q, v, x, EARTH).astype(float), 1e-10)


def test_loops_begin_with_the_slopes_of_what_the_description_applies(seed=1):
    mechanism = pushed_tree(seed)
    made = system(mechanism)
    given = dict(zip("qvaQ", (*state(made, seed), 3 * state(made, seed)[2]), strict=True))
    loops = LoopFunctions(source(mechanism), lambda: made, Evaluators(mechanism).__getitem__)
    for name in NAMES:
        evaluator = loops.evaluator(f"{name}_derivatives")
        inputs = [given.get(letter, np.array([NOW])) for letter, _ in evaluator.inputs]
        found = compiled_function(evaluator, np.zeros(0))(*inputs)
        last = given["a" if name == "inverse_dynamics" else "Q"]
        close(found, interpreted(made)(f"{name}_derivatives")(given["q"], given["v"], last, NOW))


def test_a_large_tree_runs_in_loops_and_agrees_with_its_expressions():
    mechanism = links(26)
    assert all(suits(mechanism, f"{name}_derivatives") for name in NAMES)
    assert not suits(links(7), "inverse_dynamics_derivatives")
    f, (q, v, a) = weighed(mechanism), np.random.default_rng(0).normal(size=(3, 26))
    name = "inverse_dynamics_derivatives"
    straight = kernel_of(FUNCTIONS[name], system(mechanism))
    values = dict(f.parameters)
    values |= {
        key: x
        for (_, names), given in zip(straight.inputs, (q, v, a), strict=True)
        for key, x in zip(names, given, strict=True)
    }
    expected = np.array(evaluate(np.array(straight.outputs), values), dtype=float)
    close(f.inverse_dynamics_derivatives(q, v, a), expected.reshape(26, 52))
    Q = f.inverse_dynamics(q, v, a)
    slopes = f.forward_dynamics_derivatives(np.stack([q, q]), np.stack([v, v]), np.stack([Q, Q]))
    M = f.mass_matrix(q)
    np.testing.assert_array_equal(slopes[0], slopes[1])
    close(M @ slopes[0][:, :52], -f.inverse_dynamics_derivatives(q, v, a), 1e-9)


def test_a_joint_without_inertia_is_named_before_a_loop_divides_by_nothing():
    f = weighed(links(14))
    still = np.zeros(14)
    nothing = {name: 0.0 for name in f.parameters if name.rstrip("0123456789") != "G"}
    with pytest.raises(SolveError, match="no inertia resists its motion"):
        f.with_parameters(**nothing).forward_dynamics_derivatives(still, still, still)
