"""A large mechanism compiles to loops over its bodies, called like any other compiled model."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from counting import work
from test_loops import assert_close

from torseur.dynamics.recursions import row_places as at
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.errors import ModelError, SolveError
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.machine.tree.evaluator import KERNELS, LARGE, source, suits
from torseur.model.values.numeric import numeric_mechanism
from torseur.topology.structure import structure

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


def test_work_and_memory_grow_with_the_number_of_bodies():
    sizes = (50, 100, 150)
    mechanisms = [chain(bodies) for bodies in sizes]
    counted = [work(source(m).arrays, {"l": 0.3}) for m in mechanisms]
    assert counted[2] - counted[1] == pytest.approx(counted[1] - counted[0], rel=0.02)
    numbers = [source(m).arrays({"l": 0.3}).bodies.size for m in mechanisms]
    assert numbers == [(bodies + 1) * at.MODEL_WIDTH for bodies in sizes]


def test_a_large_mechanism_runs_in_loops_and_a_small_one_does_not():
    assert all(suits(chain(BODIES), name) for name in KERNELS)
    assert not any(suits(chain(5), name) for name in KERNELS)
    assert not suits(chain(BODIES), "regressor")


def test_a_compiled_model_gives_the_float_recursion_and_other_parameters_other_numbers():
    f, rng = model(), np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, BODIES))
    for length in (0.3, 0.7):
        numbers = numeric_mechanism(chain(BODIES), {"l": length})
        Q = inverse_dynamics(structure(numbers).tree, q, v, a, numbers.gravity).Q
        assert_close(f.with_parameters(l=length).inverse_dynamics(q, v, a), Q)
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


def test_numba_is_imported_only_to_compile_a_loop_and_scipy_only_to_compute_with_it():
    code = (
        "import sys, torseur.machine.compiled, torseur as ts; print('numba' in sys.modules)\n"
        "ts.simulate(ts.__path__[0] + '/examples/double_pendulum.yaml', 0.01)\n"
        "print('scipy.linalg' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
