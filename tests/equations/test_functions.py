"""What is applied on top: forward and inverse dynamics count every force of the description once.

M a + bias + gravity = applied + Q, for every tree; where constraints act, the functions that would
speak of the cut tree are refused.
"""

from dataclasses import replace

import numpy as np
import pytest
from example_states import EXAMPLES, SMOOTH, mechanism, model, run
from random_mechanisms import random_mechanism, random_state
from random_systems import TIME, loads
from random_trees import SLIDING_AND_TURNING, random_joint
from test_loops_model import BODIES, chain

import torseur as ts
from torseur.algebra.core.expr import expression, symbol
from torseur.algebra.core.graph import evaluate
from torseur.equations.functions.catalogue import FUNCTIONS, kernel_of
from torseur.equations.functions.closed_system import BUILDS
from torseur.equations.functions.regressor import columns
from torseur.equations.symbols.system import system
from torseur.export.export import sources
from torseur.model.contact.of_forces import by_reactions
from torseur.model.description import Motor, MovingFrame
from torseur.model.forces.joint import JointLoad, TorsionDamper

FREE = [name for name in EXAMPLES if not system(mechanism(name)).constrained]
RESTRAINED = [name for name in EXAMPLES if name not in FREE]
# Where forces depend on reactions, what is applied is known with the motion only.
TREES = [name for name in FREE if not any(map(by_reactions, mechanism(name).loads.values()))]
OF_FREE_TREES = [
    name for name, function in FUNCTIONS.items() if function.free and name not in BUILDS
]
NOW = 0.3  # [s]


def state(made, seed=0):
    """q, v and a of a system near the start."""
    rng = np.random.default_rng(seed)
    values = random_state(rng, made)
    q = np.array([values[name] for name in made.coordinates])
    return 0.3 * q + 0.2, *rng.normal(size=(2, len(made.speeds)))


def interpreted(made):
    """The functions of a system without machine code, called with t last as `timed` ones are."""

    def timed(name):
        of = kernel_of(FUNCTIONS[name], made)

        def call(*arrays):
            given = dict(zip("qvx", arrays[:-1], strict=False)) | {"t": [arrays[-1]]}
            given |= {"a": given.get("x"), "Q": given.get("x")}
            known = dict(made.mechanism.parameters)
            for key, names in of.inputs:
                known |= dict(zip(names, given[key], strict=True))
            return np.array(evaluate(list(of.outputs), known), dtype=float).reshape(of.shape)

        return call

    return timed


def close(found, expected, size, tolerance=1e-11):
    np.testing.assert_allclose(found, expected, rtol=0, atol=tolerance * size)


def pushed_tree(seed):
    """Two bodies with motors, friction, two forces, a law of time; now and then a moving base."""
    rng = np.random.default_rng(seed)
    first = [random_joint(rng, SLIDING_AND_TURNING) for _ in range(2)]
    frame = MovingFrame(rng.normal(size=3), rng.normal(size=3)) if seed % 2 else None
    made = random_mechanism(rng, *first, bodies=2, loads=loads(rng), frame=frame, motors=True)
    motors = {
        name: replace(motor, axis=motor.axis if seed % 3 else None, torque=(2 * TIME).sin(),
                      viscous_motor=expression(0.3), viscous_output=expression(0.7),
                      dry_motor=(expression(0.2), expression(0.1 * (seed % 2) + 0.1)))
        for name, motor in made.motors.items()
    }  # fmt: skip
    q0, v0 = symbol("J0_0", "coordinate"), symbol("J0_0.", "speed")
    law = JointLoad("law", "J0", q0.sin() * v0 - (3 * TIME).cos())
    return replace(made, motors=motors, loads={**made.loads, "law": law},
                   gravity=rng.normal(size=3))  # fmt: skip


def assert_every_force_counts_once(timed, parameters, q, v, a):
    M = timed("mass_matrix")(q, NOW)
    terms = [M @ a, timed("bias")(q, v, NOW), timed("gravity")(q, NOW)]
    applied = timed("applied")(q, v, NOW)
    Q = timed("inverse_dynamics")(q, v, a, NOW)
    size = sum(np.abs(part).max() for part in (*terms, applied)) + 1e-300
    close(Q, sum(terms) - applied, size)
    close(timed("tree_inverse_dynamics")(q, v, a, NOW), sum(terms), size)
    close(timed("regressor")(q, v, a, NOW) @ parameters, Q, size)
    close(M @ timed("forward_dynamics")(q, v, Q, NOW), M @ a, size, 1e-9)


@pytest.mark.parametrize("name", TREES)
def test_every_force_of_an_example_counts_once(name):
    f = model(name)
    inertial = f.regressor_parameters[: len(f.inertial_names)]
    np.testing.assert_array_equal(inertial, f.inertial_parameters)
    assert f.regressor_names[: len(inertial)] == f.inertial_names
    assert len(set(f.regressor_names)) == len(f.regressor_parameters)
    timed = interpreted(f.system)
    assert_every_force_counts_once(timed, f.regressor_parameters, *state(f.system))


@pytest.mark.parametrize("seed", range(12))
def test_every_force_on_a_random_tree_counts_once(seed):
    made = system(pushed_tree(seed))
    parameters = [float(evaluate(column.value, {})) for column in columns(made)]
    assert_every_force_counts_once(interpreted(made), parameters, *state(made, seed))


@pytest.mark.parametrize("seed", range(3))
def test_the_partial_derivatives_are_those_of_the_functions_with_their_forces(seed):
    made, step = system(pushed_tree(seed)), 1e-6
    q, v, a = state(made, seed)
    for name, x in (("inverse_dynamics", a), ("forward_dynamics", 3 * a)):
        call, n = interpreted(made)(name), len(q)
        partial = interpreted(made)(f"{name}_derivatives")(q, v, x, NOW)
        moves = [step * e for e in np.eye(2 * n)]
        ends = [[call(q + s * d[:n], v + s * d[n:], x, NOW) for d in moves] for s in (1, -1)]
        expected = (np.array(ends[0]) - np.array(ends[1])).T / (2 * step)
        size = np.abs(expected).max()
        close(partial[:, : 2 * len(q)], expected, size, 1e-7)


def test_a_displaced_cart_is_pulled_back_by_its_spring():
    cart = {
        "bodies": {"cart": {"mass": 2}},
        "joints": {"A": {"type": "slider", "bodies": ["ground", "cart"], "axis": "x",
                         "coordinate": "x"}},
        "forces": {"spring": {"type": "joint", "joint": "A", "value": "-80*x"}},
    }  # fmt: skip
    f = ts.compile(ts.load(cart))
    assert f.forward_dynamics([0.1], [0.0], [0.0]) == pytest.approx([-4.0])
    assert f.forward_dynamics([0.1], [0.0], [8.0]) == pytest.approx([0.0], abs=1e-12)
    assert f.inverse_dynamics([0.1], [0.0], [0.0]) == pytest.approx([8.0])
    many = f.forward_dynamics(np.linspace(0, 1, 9)[:, None], np.zeros((9, 1)), np.zeros((9, 1)))
    np.testing.assert_allclose(many[:, 0], -40 * np.linspace(0, 1, 9), atol=1e-12)


@pytest.mark.sampled(10)
@pytest.mark.parametrize("name", [x for x in TREES if x in SMOOTH and x != "puma560"])
def test_forward_dynamics_gives_the_accelerations_of_a_run(name):
    """Runs smooth dry friction, which the Puma has."""
    found, f = run(name, duration=0.1), model(name)
    timed, still = f.timed("forward_dynamics"), np.zeros(len(f.speeds))
    a = [timed(q, v, still, t) for q, v, t in zip(found.q, found.v, found.t, strict=True)]
    np.testing.assert_allclose(a, found.a, rtol=1e-9, atol=1e-9 * np.abs(found.a).max())


def test_the_columns_of_the_regressor_bear_names():
    oil = {"type": "torsion damper", "joint": "A", "damping": 0.2}
    law = {"type": "joint", "joint": "A", "value": "sin(th) - 2"}
    coil = {"type": "torsion spring", "joint": "A", "stiffness": "k", "angle": 0.4}
    arm = {
        "parameters": {"k": 3.0},
        "bodies": {"arm": {"mass": 2, "inertia": [1, 1, 1]}},
        "joints": {"A": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z",
                         "coordinate": "th"}},
        "motors": {"M": {"joint": "A", "ratio": 5, "rotor_inertia": 0.01,
                         "viscous": {"motor": 0.02}, "dry": {"motor": 0.3}}},
        "forces": {"oil": oil, "coil": coil, "law": law},
    }  # fmt: skip
    f = ts.compile(ts.load(arm))
    named = dict(zip(f.regressor_names[10:], f.regressor_parameters[10:], strict=True))
    assert named == pytest.approx(
        {"rotor inertia of M": 0.01, "viscous friction of M": 0.5, "dry friction of M": 1.5,
         "damping of oil": 0.2, "stiffness of coil": 3.0, "law": 1.0}
    )  # fmt: skip
    row = f.regressor([0.7], [0.5], [2.0])[0, 10:]
    assert row == pytest.approx([50.0, 0.5, 1.0, 0.5, 0.3, 2 - np.sin(0.7)])
    assert f.with_parameters(k=4.0).regressor_parameters[14] == 4.0


# --- constraints --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", RESTRAINED)
def test_what_would_be_that_of_the_cut_tree_is_refused(name):
    f = model(name)
    owner = f.constraints.owners[0]
    for function in OF_FREE_TREES:
        with pytest.raises(ts.ModelError) as caught:
            f.function(function)
        for word in (function, f'would ignore "{owner}"', "ts.simulate", "constraint_jacobian"):
            assert word in str(caught.value)
    for part in ("mass_matrix", "bias", "gravity", "applied", "constraint_jacobian"):
        assert kernel_of(FUNCTIONS[part], f.system).outputs


@pytest.mark.parametrize("to", ["c", "matlab", "numpy"])
def test_the_cut_tree_is_not_exported_as_the_mechanism(to):
    for function in OF_FREE_TREES:
        with pytest.raises(ts.ModelError, match=r"ts\.simulate"):
            sources(mechanism("four_bar"), to, [function])
    text = "".join(sources(mechanism("four_bar"), to).values())
    assert "constraint_jacobian" in text
    assert "inverse_dynamics" not in text


# --- many bodies --------------------------------------------------------------------------------


def pushed_chain(timed):
    """A chain that runs in loops, with a motor and forces, one of a parameter of its own."""
    made = chain(BODIES)
    names = list(made.joints)
    push = TIME.sin() if timed else expression(0.7)
    motor = Motor("M", names[3], expression(5), expression(0.01), viscous_motor=expression(0.2))
    given = (JointLoad("push", names[0], push), TorsionDamper("oil", names[-1], symbol("b")))
    table = made.parameter_table | {"b": replace(made.parameter_table["l"], name="b")}
    return replace(made, motors={"M": motor}, loads={x.name: x for x in given},
                   parameter_table=table)  # fmt: skip


@pytest.mark.parametrize("timed", [False, True])
def test_loops_over_bodies_count_the_forces_too(timed):
    f = ts.compile(pushed_chain(timed)).with_parameters(l=0.3, b=0.4)
    q, v, a = np.random.default_rng(1).normal(size=(3, 5, BODIES))
    t = [np.full((5, 1), NOW)] if timed else []
    Q = f.inverse_dynamics(q, v, a, *t)
    expected = f.tree_inverse_dynamics(q, v, a) - f.applied(q, v, *t)
    size = np.abs(expected).max()
    close(Q, expected, size, 1e-14)
    assert np.abs(f.applied(q, v, *t)[:, [0, 3, -1]]).min() > 1e-3, "the forces act"
    acted = f.tree_forward_dynamics(q, v, Q + f.applied(q, v, *t))
    found = f.forward_dynamics(q, v, Q, *t)
    np.testing.assert_allclose(found, acted, rtol=1e-9, atol=1e-9 * np.abs(acted).max())
    one = f.forward_dynamics(q[2], v[2], Q[2], *(x[2] for x in t))
    np.testing.assert_array_equal(one, found[2])
    np.testing.assert_array_equal(f.forward_dynamics(q, v, Q, *t, threads=2), found)


def test_loops_over_bodies_sweep_the_parameters_of_forces():
    f = ts.compile(pushed_chain(False)).with_parameters(l=0.3, b=0.4)
    q, v, a = np.random.default_rng(1).normal(size=(3, BODIES))
    swept = f.inverse_dynamics(q, v, a, parameters={"b": [0.4, 0.9]})
    np.testing.assert_array_equal(swept[0], f.inverse_dynamics(q, v, a))
    np.testing.assert_array_equal(swept[1], f.with_parameters(b=0.9).inverse_dynamics(q, v, a))
