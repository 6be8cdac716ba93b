"""Loops over arrays of bodies give what the float recursions give, for any tree."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from counting import work
from random_trees import (
    EVERY_JOINT,
    SLIDING_AND_TURNING,
    joint_behind,
    random_coordinates,
    random_rotor,
    random_tree,
)
from test_formalisms import system_of

from torseur.backends.compiled import compile
from torseur.backends.evaluator import _compiled
from torseur.backends.functions import FUNCTIONS, kernel_of
from torseur.backends.loops import places as at
from torseur.backends.loops.arrays import depth_first, tree_arrays
from torseur.backends.loops.evaluator import KERNELS, LARGE, Loops, Source, source, suits
from torseur.backends.native import compiled_function
from torseur.dynamics.articulated_body import forward_dynamics
from torseur.dynamics.composite_body import mass_matrix
from torseur.dynamics.energy import kinetic_energy, potential_energy
from torseur.dynamics.newton_euler import inverse_dynamics
from torseur.errors import ModelError, SolveError
from torseur.joints.reversed import Reversed
from torseur.joints.spherical import Spherical
from torseur.language.load import load
from torseur.mechanism.numeric import numeric_mechanism
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.topology.spanning import spanning_tree

WEIGHTLESS, EARTH = np.zeros(3), np.array([0.3, -9.7, 1.1])
ROTORS = [None, "reflected", "oblique"]


def loops_of(tree, gravity=EARTH):
    """The kernels of a tree of numbers, as functions of arrays."""
    q = tuple(f"q{k}" for k in range(tree.nq))
    v = tuple(f"v{k}" for k in range(tree.nv))
    loops = Loops(Source(len(tree), q, v, (), lambda values: tree_arrays(tree, gravity)), None)
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
    tree = crossed_backwards(rng, random_tree(rng, EVERY_JOINT, bodies=bodies, rotors=rotors))
    return tree, random_state(rng, tree)


def random_state(rng, tree):
    return random_coordinates(rng, tree), *rng.normal(size=(2, tree.nv))


def long_chain(rng, bodies, kinds=EVERY_JOINT):
    tree = random_tree(rng, kinds, bodies=bodies)
    return replace(tree, links=tuple(replace(x, parent=i - 1) for i, x in enumerate(tree.links)))


def close(found, expected, size=None):
    """Equal to 1e-12 of the largest term."""
    scale = np.abs(expected).max(initial=1e-300) if size is None else size
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12 * scale)


# --- the same numbers as the float recursions ---------------------------------------------------


@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(6))
def test_inverse_dynamics_is_the_float_recursion_for_every_joint_in_both_directions(seed, rotors):
    tree, (q, v, a) = some_tree(seed, rotors=rotors)
    found = loops_of(tree)("inverse_dynamics")(q, v, a)
    close(found, inverse_dynamics(tree, q, v, a, EARTH).Q)


@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(6))
def test_forward_dynamics_undoes_inverse_dynamics(seed, rotors):
    tree, (q, v, a) = some_tree(seed + 100, rotors=rotors)
    function, M = loops_of(tree), mass_matrix(tree, q)
    Q = inverse_dynamics(tree, q, v, a, EARTH).Q
    found = function("forward_dynamics")(q, v, Q)
    size = np.abs(M).max() * np.abs(a).max() + np.abs(Q).max()
    close(M @ found, M @ a, size)
    close(function("inverse_dynamics")(q, v, found), Q, size)
    if rotors != "oblique":
        close(M @ forward_dynamics(tree, q, v, Q, EARTH), M @ found, size)


@pytest.mark.slow
@pytest.mark.parametrize("rotors", ROTORS)
@pytest.mark.parametrize("seed", range(6))
def test_every_other_kernel_is_its_float_recursion(seed, rotors):
    tree, (q, v, a) = some_tree(seed + 200, rotors=rotors)
    function, still = loops_of(tree), np.zeros(tree.nv)
    Q, M = inverse_dynamics(tree, q, v, a, EARTH).Q, mass_matrix(tree, q)
    size = np.abs(Q).max()
    close(function("mass_matrix")(q), M)
    close(function("bias")(q, v), inverse_dynamics(tree, q, v, still, WEIGHTLESS).Q, size)
    close(function("gravity")(q), inverse_dynamics(tree, q, still, still, EARTH).Q, size)
    close(function("kinetic_energy")(q, v), kinetic_energy(tree, q, v))
    weights = sum(link.inertia.m for _, link in tree) * 10.0
    close(function("potential_energy")(q), potential_energy(tree, q, EARTH), weights)


@pytest.mark.parametrize("angle", [0.0, np.pi / 2, np.pi])
@pytest.mark.parametrize("seed", range(3))
def test_aligned_axes_and_right_angles_are_ordinary_configurations(seed, angle):
    tree, (q, v, a) = some_tree(seed + 300)
    straight = tuple(replace(link, X_PF=Pose(link.X_PF.p)) for link in tree.links)
    tree = replace(tree, links=straight)
    for _, link in tree:
        q[link.q] = joint_behind(link.joint).neutral() + angle * (link.joint.nq < 4)
    Q = inverse_dynamics(tree, q, v, a, EARTH).Q
    close(loops_of(tree)("inverse_dynamics")(q, v, a), Q)
    M = mass_matrix(tree, q)
    found = loops_of(tree)("forward_dynamics")(q, v, Q)
    close(M @ found, M @ a, np.abs(M).max() * np.abs(a).max() + np.abs(Q).max())


@pytest.mark.parametrize(
    "name", ["inverse_dynamics", pytest.param("mass_matrix", marks=pytest.mark.slow)]
)
def test_loops_and_straight_line_code_agree_on_twenty_bodies(name):
    rng = np.random.default_rng(7)
    tree = random_tree(rng, SLIDING_AND_TURNING, bodies=20)
    state = random_state(rng, tree)[: len(FUNCTIONS[name].arguments)]
    made = _compiled(kernel_of(FUNCTIONS[name], system_of(tree)), "")
    values = dict(zip(("gx", "gy", "gz"), EARTH, strict=True))
    straight = compiled_function(made, np.array([values[p] for p in made.parameters]))
    close(loops_of(tree)(name)(*state), straight(*state))


# --- large trees --------------------------------------------------------------------------------


@pytest.mark.parametrize("shape", ["chain", "tree"])
def test_a_thousand_bodies(shape):
    rng = np.random.default_rng(11)
    tree = long_chain(rng, 1000) if shape == "chain" else random_tree(rng, EVERY_JOINT, bodies=1000)
    q, v, a = random_state(rng, tree)
    v = v / 100  # of a chain, so that a thousand speeds do not add up to centrifugal forces alone
    Q = inverse_dynamics(tree, q, v, a, EARTH).Q
    function = loops_of(tree)
    inverse = function("inverse_dynamics")
    close(inverse(q, v, a), Q)
    close(inverse(q, v, function("forward_dynamics")(q, v, Q)), Q)


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


def test_work_and_memory_grow_with_the_number_of_bodies():
    sizes = (50, 100, 150)
    mechanisms = [chain(bodies) for bodies in sizes]
    counted = [work(source(m).arrays, {"l": 0.3}) for m in mechanisms]
    assert counted[2] - counted[1] == pytest.approx(counted[1] - counted[0], rel=0.02)
    numbers = [source(m).arrays({"l": 0.3}).bodies.size for m in mechanisms]
    assert numbers == [(bodies + 1) * at.MODEL_WIDTH for bodies in sizes]


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


# --- as functions of a compiled model -----------------------------------------------------------

BODIES = LARGE + 12


def chain(bodies):
    """A chain at right angles whose lengths are one parameter; it hangs from a slider."""
    joints = (f"R{'XZY'[k % 3]}(q{k}), TYK(l)" for k in range(1, bodies))
    mechanism = load(f"TX(q0), TYK(l), {', '.join(joints)};", masses="full", gravity=(0, -9.81, 0))
    rng = np.random.default_rng(bodies)
    bodies = {
        name: replace(
            body,
            mass=rng.uniform(1.0, 2.0),
            centre=0.1 * rng.normal(size=3),
            inertia=np.diag(rng.uniform(0.1, 0.15, 3)),
        )
        for name, body in mechanism.bodies.items()
    }
    used = {"l": mechanism.parameter_table["l"]}
    return replace(mechanism, bodies=bodies, parameter_table=used)


def model():
    return compile(chain(BODIES)).with_parameters(l=0.3)


def test_a_large_mechanism_runs_in_loops_and_a_small_one_does_not():
    assert all(suits(chain(BODIES), name) for name in KERNELS)
    assert not any(suits(chain(5), name) for name in KERNELS)
    assert not suits(chain(BODIES), "regressor")


def test_a_compiled_model_gives_the_float_recursion_and_other_parameters_other_numbers():
    f, rng = model(), np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, BODIES))
    for length in (0.3, 0.7):
        numbers = numeric_mechanism(chain(BODIES), {"l": length})
        Q = inverse_dynamics(spanning_tree(numbers), q, v, a, numbers.gravity).Q
        close(f.with_parameters(l=length).inverse_dynamics(q, v, a), Q)
    other = f.with_parameters(l=0.7)
    assert other._evaluators["inverse_dynamics"] is f._evaluators["inverse_dynamics"]
    swept = f.inverse_dynamics(q, v, a, parameters={"l": [0.3, 0.7]})
    np.testing.assert_array_equal(swept[0], f.inverse_dynamics(q, v, a))
    np.testing.assert_array_equal(swept[1], other.inverse_dynamics(q, v, a))


def test_a_batch_is_every_row_on_its_own():
    f, rng = model(), np.random.default_rng(2)
    q, v, a = rng.normal(size=(3, 7, BODIES))
    together = f.inverse_dynamics(q, v, a)
    for k in range(7):
        np.testing.assert_array_equal(together[k], f.inverse_dynamics(q[k], v[k], a[k]))
    np.testing.assert_array_equal(together, f.inverse_dynamics(q, v, a, threads=3))
    np.testing.assert_array_equal(f.inverse_dynamics(q[0], v, a)[0], together[0])


@pytest.mark.slow
def test_matrices_and_energies_come_in_batches_too():
    f, rng = model(), np.random.default_rng(3)
    q, v = rng.normal(size=(2, 4, BODIES))
    M, T, V = f.mass_matrix(q), f.kinetic_energy(q, v), f.potential_energy(q)
    assert (M.shape, T.shape, V.shape) == ((4, BODIES, BODIES), (4,), (4,))
    np.testing.assert_allclose(T, np.einsum("ki,kij,kj->k", v, M, v) / 2, rtol=1e-12)
    assert isinstance(f.kinetic_energy(q[0], v[0]), float)
    assert f.potential_energy(q[1]) == V[1]


def test_a_wrong_shape_is_met_with_the_expected_order():
    with pytest.raises(ModelError, match=rf"(?s)expected shape \({BODIES},\).*got \(3,\).*q0, q1"):
        model().inverse_dynamics(np.zeros(3), np.zeros(BODIES), np.zeros(BODIES))
    with pytest.raises(ModelError, match=r"expected \(q, v, a\), got 1"):
        model().inverse_dynamics(np.zeros(BODIES))


def test_a_parameter_without_value_is_named():
    with pytest.raises(ModelError, match="have no value: l"):
        compile(chain(BODIES)).function("inverse_dynamics")


def test_a_tip_without_inertia_is_named():
    mechanism = chain(BODIES)
    *_, tip = mechanism.bodies
    empty = replace(mechanism.bodies[tip], mass=0.0, inertia=np.zeros((3, 3)))
    light = replace(mechanism, bodies={**mechanism.bodies, tip: empty})
    with pytest.raises(SolveError, match=f"(?s){list(mechanism.joints)[-1]}.*no inertia"):
        compile(light).with_parameters(l=0.3).function("forward_dynamics")


def test_a_rotor_needs_a_joint_of_one_freedom():
    rng = np.random.default_rng(5)
    tree = random_tree(rng, (Spherical,), bodies=1)
    link = replace(tree.links[0], rotor=random_rotor(rng, False), inertia=Inertia(1.0))
    with pytest.raises(ModelError, match="3 degrees of freedom, not one"):
        tree_arrays(replace(tree, links=(link,)), EARTH)


def test_numba_is_imported_only_to_compile_a_loop():
    code = "import sys, torseur.backends.compiled; print('numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
