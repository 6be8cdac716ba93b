"""Every formalism gives the same equations, on expressions as on floats."""

import numpy as np
import pytest
from random_trees import (
    EVERY_JOINT,
    SLIDING_AND_TURNING,
    WITHOUT_QUATERNIONS,
    random_coordinates,
    random_tree,
)

from torseur.algebra.core.expr import Expr, symbol
from torseur.algebra.core.graph import evaluate
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.equations.formalisms import augmented_bodies, lagrange, newton_euler, uicker
from torseur.equations.symbols.system import System
from torseur.model.description import Joint, Mechanism


def mechanism_of(tree):
    """A description that only names the coordinates of a tree."""
    joints = {}
    for i, link in tree:
        q = tuple(f"q{k}" for k in range(link.q.start, link.q.stop))
        v = tuple(f"v{k}." for k in range(link.v.start, link.v.stop))
        joints[str(i)] = Joint(str(i), link.joint, "ground", str(i), coordinates=q, speeds=v)
    gravity = np.array([symbol(name) for name in ("gx", "gy", "gz")])
    return Mechanism("random", {}, {}, joints, gravity)


def system_of(tree):
    mechanism = mechanism_of(tree)
    return System(
        mechanism,
        tree,
        np.array([symbol(name, "coordinate") for name in mechanism.coordinates], dtype=object),
        np.array([symbol(name, "speed") for name in mechanism.speeds], dtype=object),
        np.array([symbol(f"{n}.", "acceleration") for n in mechanism.speeds], dtype=object),
    )


def check_equal(derive, seed, kinds, rotors=None):
    rng = np.random.default_rng(seed)
    tree = random_tree(rng, kinds, bodies=int(rng.integers(1, 5)), rotors=rotors)
    system = system_of(tree)
    equations = derive(system)
    q, (v, a) = random_coordinates(rng, tree), rng.normal(size=(2, tree.nv))
    gravity = rng.normal(size=3) * 9.81
    values = {"gx": gravity[0], "gy": gravity[1], "gz": gravity[2]}
    for symbols, numbers in ((system.q, q), (system.v, v), (system.a, a)):
        values |= {x.name: number for x, number in zip(symbols, numbers, strict=True)}
    expected = {
        "M": mass_matrix(tree, q),
        "h": inverse_dynamics(tree, q, v, 0 * a, np.zeros(3)).Q,
        "g": inverse_dynamics(tree, q, 0 * v, 0 * a, gravity).Q,
        "inverse_dynamics": inverse_dynamics(tree, q, v, a, gravity).Q,
    }
    size = 1 + np.abs(expected["inverse_dynamics"]).max(initial=0) + np.abs(q).max(initial=0)
    for name, reference in expected.items():
        found = np.asarray(evaluate(equations.output(name), values), dtype=float)
        np.testing.assert_allclose(found, reference, rtol=0, atol=1e-12 * size, err_msg=name)


@pytest.mark.parametrize("rotors", [None, "oblique"])
@pytest.mark.parametrize("seed", range(12))
def test_newton_euler_on_expressions_is_newton_euler_on_floats(seed, rotors):
    check_equal(newton_euler.derive, seed, EVERY_JOINT, rotors)


@pytest.mark.sampled(6, kind=lambda seed, rotors: rotors)
@pytest.mark.parametrize("rotors", [None, "oblique"])
@pytest.mark.parametrize("seed", range(12))
def test_lagrange_from_the_energies_agrees_for_every_joint(seed, rotors):
    check_equal(lagrange.derive, seed, EVERY_JOINT, rotors)


@pytest.mark.parametrize("rotors", [None, "oblique"])
@pytest.mark.parametrize("seed", range(12))
def test_augmented_bodies_agree_for_sliding_and_turning_joints(seed, rotors):
    check_equal(augmented_bodies.derive, seed, SLIDING_AND_TURNING, rotors)


@pytest.mark.parametrize("seed", range(6))
def test_traces_of_4_by_4_matrices_agree(seed):
    check_equal(uicker.derive, seed, WITHOUT_QUATERNIONS, "reflected")


def test_velocity_coefficients_have_their_structural_zeros():
    rng = np.random.default_rng(0)
    tree = random_tree(rng, SLIDING_AND_TURNING, bodies=3)
    chain = [link for _, link in tree]
    equations = augmented_bodies.derive(system_of(tree))
    C, B = equations.tables["C"], equations.tables["B"]
    assert len(chain) == 3
    assert all(C[i, i] == 0 for i in range(3))
    assert all(isinstance(x, Expr) for x in B.ravel())
