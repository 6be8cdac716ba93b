"""Loops over arrays of bodies give what the float recursions give, for any tree."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from random_trees import (
    IN_LOOPS,
    SLIDING_AND_TURNING,
    joint_behind,
    random_coordinates,
    random_rotor,
    random_tree,
)
from test_formalisms import system_of

from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.dynamics.tree.quantities import (
    forward_dynamics,
    kinetic_energy,
    mass_matrix,
    potential_energy,
)
from torseur.equations.functions.catalogue import FUNCTIONS, kernel_of
from torseur.errors import ModelError
from torseur.machine.evaluator import kernel_code
from torseur.machine.native import compiled_function
from torseur.machine.tree.arrays import depth_first, tree_arrays
from torseur.machine.tree.evaluator import LoopFunctions, Source
from torseur.model.joints.freedoms import Helix, Slide, Turn
from torseur.model.joints.library import Prismatic, Revolute, Screw, Spherical
from torseur.model.joints.reversed import Reversed
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose

WEIGHTLESS, EARTH = np.zeros(3), np.array([0.3, -9.7, 1.1])
ROTORS = [None, "reflected", "oblique"]


def loops_of(tree, gravity=EARTH):
    """The kernels of a tree of numbers, as functions of arrays."""
    q = tuple(f"q{k}" for k in range(tree.nq))
    v = tuple(f"v{k}" for k in range(tree.nv))
    loops = LoopFunctions(
        Source(len(tree), q, v, (), lambda values: tree_arrays(tree, gravity)), None
    )
    return lambda name: compiled_function(loops.evaluator(name), np.zeros(0))


def crossed_backwards(rng, tree):
    """The tree with about half of its joints crossed from their second body to their first."""
    links = (
        replace(link, joint=Reversed(link.joint)) if rng.random() < 0.5 else link
        for link in tree.links
    )
    return replace(tree, links=tuple(links))


def some_tree(seed, bodies=12, rotors=None):
    rng = np.random.default_rng(seed)
    tree = crossed_backwards(rng, random_tree(rng, IN_LOOPS, bodies=bodies, rotors=rotors))
    return tree, random_state(rng, tree)


def random_state(rng, tree):
    return random_coordinates(rng, tree), *rng.normal(size=(2, tree.nv))


def long_chain(rng, bodies, kinds=IN_LOOPS):
    tree = random_tree(rng, kinds, bodies=bodies)
    return replace(tree, links=tuple(replace(x, parent=i - 1) for i, x in enumerate(tree.links)))


def assert_close(found, expected, size=None):
    """Equal to 1e-12 of the largest term."""
    scale = np.abs(expected).max(initial=1e-300) if size is None else size
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * scale)


# --- the same numbers as the float recursions ---------------------------------------------------


@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(6))
def test_inverse_dynamics_is_the_float_recursion_for_every_joint_in_both_directions(seed, rotors):
    tree, (q, v, a) = some_tree(seed, rotors=rotors)
    found = loops_of(tree)("inverse_dynamics")(q, v, a)
    assert_close(found, inverse_dynamics(tree, q, v, a, EARTH).Q)


@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(6))
def test_forward_dynamics_undoes_inverse_dynamics(seed, rotors):
    tree, (q, v, a) = some_tree(seed + 100, rotors=rotors)
    function, M = loops_of(tree), mass_matrix(tree, q)
    Q = inverse_dynamics(tree, q, v, a, EARTH).Q
    found = function("forward_dynamics")(q, v, Q)
    size = np.abs(M).max() * np.abs(a).max() + np.abs(Q).max()
    assert_close(M @ found, M @ a, size)
    assert_close(function("inverse_dynamics")(q, v, found), Q, size)
    if rotors != "oblique":
        assert_close(M @ forward_dynamics(tree, q, v, Q, EARTH), M @ found, size)


@pytest.mark.slow
@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(6))
def test_every_other_kernel_is_its_float_recursion(seed, rotors):
    tree, (q, v, a) = some_tree(seed + 200, rotors=rotors)
    function, still = loops_of(tree), np.zeros(tree.nv)
    Q, M = inverse_dynamics(tree, q, v, a, EARTH).Q, mass_matrix(tree, q)
    size = np.abs(Q).max()
    assert_close(function("mass_matrix")(q), M)
    assert_close(function("bias")(q, v), inverse_dynamics(tree, q, v, still, WEIGHTLESS).Q, size)
    assert_close(function("gravity")(q), inverse_dynamics(tree, q, still, still, EARTH).Q, size)
    assert_close(function("kinetic_energy")(q, v), kinetic_energy(tree, q, v))
    weights = sum(link.inertia.m for _, link in tree) * 10.0
    assert_close(function("potential_energy")(q), potential_energy(tree, q, EARTH), weights)


@pytest.mark.parametrize("angle", [0.0, np.pi / 2, np.pi])
@pytest.mark.parametrize("seed", range(3))
def test_aligned_axes_and_right_angles_are_ordinary_configurations(seed, angle):
    tree, (q, v, a) = some_tree(seed + 300)
    straight = tuple(replace(link, X_PF=Pose(link.X_PF.p)) for link in tree.links)
    tree = replace(tree, links=straight)
    for _, link in tree:
        q[link.q] = joint_behind(link.joint).neutral() + angle * (link.joint.nq < 4)
    Q = inverse_dynamics(tree, q, v, a, EARTH).Q
    assert_close(loops_of(tree)("inverse_dynamics")(q, v, a), Q)
    M = mass_matrix(tree, q)
    found = loops_of(tree)("forward_dynamics")(q, v, Q)
    assert_close(M @ found, M @ a, np.abs(M).max() * np.abs(a).max() + np.abs(Q).max())


@pytest.mark.parametrize(
    "name", ["inverse_dynamics", pytest.param("mass_matrix", marks=pytest.mark.slow)]
)
def test_loops_and_straight_line_code_agree_on_twenty_bodies(name):
    rng = np.random.default_rng(7)
    tree = random_tree(rng, SLIDING_AND_TURNING, bodies=20)
    state = random_state(rng, tree)[: len(FUNCTIONS[name].arguments)]
    made = kernel_code(kernel_of(FUNCTIONS[name], system_of(tree)), "")
    values = dict(zip(("gx", "gy", "gz"), EARTH, strict=True))
    straight = compiled_function(made, np.array([values[p] for p in made.parameters]))
    assert_close(loops_of(tree)(name)(*state), straight(*state))


# --- large trees --------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["chain", "tree"])
def test_a_thousand_bodies(shape):
    rng = np.random.default_rng(11)
    tree = long_chain(rng, 1000) if shape == "chain" else random_tree(rng, IN_LOOPS, bodies=1000)
    q, v, a = random_state(rng, tree)
    v = v / 100  # of a chain, so that a thousand speeds do not add up to centrifugal forces alone
    Q = inverse_dynamics(tree, q, v, a, EARTH).Q
    function = loops_of(tree)
    inverse = function("inverse_dynamics")
    assert_close(inverse(q, v, a), Q)
    assert_close(inverse(q, v, function("forward_dynamics")(q, v, Q)), Q)


@pytest.mark.slow
def test_ten_thousand_bodies_obey_their_equations_and_keep_their_work_linear():
    rng = np.random.default_rng(13)
    tree = long_chain(rng, 10_000, SLIDING_AND_TURNING)
    q, v, Q = random_state(rng, tree)
    v = v / 1000
    function = loops_of(tree)
    inverse = function("inverse_dynamics")
    a = function("forward_dynamics")(q, v, Q)
    size = np.abs(inverse(q, v, np.zeros(tree.nv))).max()
    np.testing.assert_allclose(inverse(q, v, a), Q, rtol=0, atol=1e-10 * size)


@pytest.mark.parametrize("seed", range(5))
def test_a_body_is_followed_by_everything_it_carries(seed):
    tree, _ = some_tree(seed, bodies=30)
    order = depth_first(tree)
    assert sorted(order) == list(range(30))
    parents = tree_arrays(tree, EARTH).parents
    for row in range(1, 31):
        carried = [row]
        for other in range(row + 1, 31):
            if parents[other - 1] in carried:
                carried.append(other)
        assert carried == list(range(row, row + len(carried)))


def test_a_rotor_needs_a_joint_of_one_freedom():
    rng = np.random.default_rng(5)
    tree = random_tree(rng, (Spherical,), bodies=1)
    link = replace(tree.links[0], rotor=random_rotor(rng, False), inertia=Inertia(1.0))
    with pytest.raises(ModelError, match="3 degrees of freedom, not one"):
        tree_arrays(replace(tree, links=(link,)), EARTH)


# --- any joint made of elementary freedoms ------------------------------------------------------


@dataclass(frozen=True)
class Unheard:
    """Of freedoms that no joint of the catalogue has; loops ask for nothing else."""

    freedoms: tuple
    backwards: bool = False

    @property
    def forward(self):
        return self

    @property
    def nv(self):
        return len(self.freedoms)


def one_joint(freedom):
    if isinstance(freedom, Helix):
        return Screw(freedom.axis, freedom.lead)
    return (Prismatic if isinstance(freedom, Slide) else Revolute)(freedom.axis)


@pytest.mark.parametrize("backwards", [False, True])
def test_a_joint_never_heard_of_is_the_chain_of_its_freedoms(backwards):
    rng = np.random.default_rng(17)
    freedoms = (Slide(1), Turn(0), Helix(2, 0.3), Turn(1), Helix(0, -0.7))
    joint, n = Unheard(freedoms, backwards), len(freedoms)
    tree = random_tree(rng, SLIDING_AND_TURNING, bodies=1)
    body = replace(tree.links[0], q=slice(0, n), v=slice(0, n))
    order = list(enumerate(freedoms))
    links = []
    for k, freedom in reversed(order) if backwards else order:
        kind = Reversed(one_joint(freedom)) if backwards else one_joint(freedom)
        places = {"q": slice(k, k + 1), "v": slice(k, k + 1), "parent": len(links) - 1}
        pose = Pose() if links else body.X_PF
        weight = body.inertia if len(links) == n - 1 else Inertia()
        links.append(replace(body, joint=kind, X_PF=pose, inertia=weight, **places))
    chain = replace(tree, links=tuple(links), nq=n, nv=n)
    one = replace(tree, links=(replace(body, joint=joint),), nq=n, nv=n)
    q, v, a = rng.normal(size=(3, n))
    assert_close(
        loops_of(one)("inverse_dynamics")(q, v, a), loops_of(chain)("inverse_dynamics")(q, v, a)
    )
    assert_close(loops_of(one)("mass_matrix")(q), mass_matrix(chain, q))
