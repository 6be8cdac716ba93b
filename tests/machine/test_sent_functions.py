"""Functions of compiled models, and steppers, in other processes do what they do here."""

import copy
import inspect
import multiprocessing
import pickle

import numpy as np
import pytest

import torseur as ts
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.placed import PLACED


def functions(model):
    """The functions that a model has, by name."""
    found = {}
    for name in (*FUNCTIONS, *PLACED):
        try:
            found[name] = getattr(model, name)
        except (AttributeError, ts.ModelError):
            continue
    return found


def sent(value):
    return pickle.loads(pickle.dumps(value))


@pytest.mark.parametrize("name", ["double_pendulum", "slider_crank"])
def test_every_function_of_a_model_can_be_pickled_and_copied(name):
    """Of a tree and of a loop."""
    model = ts.compile(ts.load(name))
    found = functions(model)
    assert {"gravity", "mass_matrix", "forward_dynamics", "inverse_dynamics", "pose"} <= set(found)
    for function, here in found.items():
        for there in (sent(here), copy.copy(here), copy.deepcopy(here)):
            assert callable(there), function
            assert there.__name__ == here.__name__
            assert there.__doc__ == here.__doc__


def test_a_sent_function_has_the_parameters_of_its_model():
    model = ts.compile(ts.load("double_pendulum")).with_parameters(l1=0.7)
    q, v, Q = np.array([0.3, -0.4]), np.array([1.0, 2.0]), np.array([0.1, 0.2])
    body = next(iter(model.mechanism.bodies))
    np.testing.assert_array_equal(sent(model.gravity)(q), model.gravity(q))
    forward = model.forward_dynamics
    np.testing.assert_array_equal(sent(forward)(q, v, Q), forward(q, v, Q))
    np.testing.assert_array_equal(sent(model.pose)(body, q), model.pose(body, q))
    placed = model.function(f"pose:{body}")
    np.testing.assert_array_equal(sent(placed)(q), model.pose(body, q))
    assert inspect.signature(sent(model.pose)) == inspect.signature(model.pose)


def test_a_sent_function_of_a_loop_gives_the_same_accelerations():
    model = ts.compile(ts.load("slider_crank"))
    start = ts.assemble(model)
    Q = np.zeros(len(model.speeds))
    here = model.forward_dynamics(start.q, start.v, Q)
    np.testing.assert_allclose(sent(model.forward_dynamics)(start.q, start.v, Q), here, rtol=1e-12)
    name = model.coordinates[0]
    forces = [
        f(start.q, start.v, here, actuators=[name])
        for f in (model.inverse_dynamics, sent(model.inverse_dynamics))
    ]
    np.testing.assert_allclose(*forces, atol=1e-9)


def test_a_pool_of_new_processes_maps_a_function():
    """Started afresh, as on Windows and macOS: nothing is shared but what is sent."""
    gravity = ts.compile(ts.load("double_pendulum")).gravity
    states = [np.array([0.1 * k, -0.2 * k]) for k in range(4)]
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        found = pool.map(gravity, states)
    np.testing.assert_array_equal(found, [gravity(q) for q in states])


@pytest.mark.parametrize(("name", "steps"), [("double_pendulum", 5), ("bouncing_ball", 80)])
def test_a_sent_stepper_goes_on_as_the_one_that_stays(name, steps):
    here = ts.Stepper(name, 0.01)
    for _ in range(steps):
        here.step()
    for there in (sent(here), copy.deepcopy(here)):
        assert there.t == here.t
        np.testing.assert_array_equal(there.y, here.y)
    for _ in range(steps):
        here.step()
        there.step()
    np.testing.assert_allclose(there.q, here.q, atol=1e-9)
    there.reset()
    np.testing.assert_array_equal(there.q, ts.Stepper(name, 0.01).q)
    assert there.t == 0.0
