"""Compiled functions of mechanisms with loops: motion, forces of actuators, and what is refused."""

import pickle
from importlib.resources import files

import numpy as np
import pytest
from random_loops import random_loops
from test_export_c import GCC, built

import torseur as ts
from torseur.errors import ModelError
from torseur.export.export import sources

# two cranks on one shaft line carry a point by two rods: a five-bar linkage with two freedoms
FIVE_BAR = {
    "gravity": [0, -9.81, 0],
    "parameters": {"a": 0.3, "b": 0.5, "d": 0.4},
    "bodies": {
        name: {"mass": 1, "centre": [f"{length}/2", 0, 0], "inertia": [0, 0, 0.01]}
        for name, length in (("left", "a"), ("right", "a"), ("rod1", "b"), ("rod2", "b"))
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "left"], "axis": "z", "coordinate": "alpha"},
        "E": {"type": "pivot", "bodies": ["ground", "right"], "axis": "z", "coordinate": "beta",
              "point": [["d", 0, 0], [0, 0, 0]]},
        "B": {"type": "pivot", "bodies": ["left", "rod1"], "axis": "z", "coordinate": "gamma",
              "point": [["a", 0, 0], [0, 0, 0]]},
        "D": {"type": "pivot", "bodies": ["right", "rod2"], "axis": "z", "coordinate": "delta",
              "point": [["a", 0, 0], [0, 0, 0]]},
        "C": {"type": "pivot", "bodies": ["rod1", "rod2"], "axis": "z", "coordinate": "epsilon",
              "point": [["b", 0, 0], ["b", 0, 0]]},
    },
    "inputs": ["alpha", "beta"],
    "initial": {"alpha": 2.2, "beta": 0.9, "gamma": -1.5, "delta": 1.5},
}  # fmt: skip


def example(name):
    return ts.load(files("torseur.examples") / f"{name}.yaml")


@pytest.fixture(scope="module")
def five_bar():
    return ts.load(FIVE_BAR)


@pytest.fixture(scope="module")
def swing(five_bar):
    """A motion of it, and its model."""
    return ts.simulate(five_bar, 0.3, rate=40), ts.compile(five_bar)


@pytest.mark.parametrize("name", ["slider_crank", "four_bar", "stewart_platform", "jansen_leg"])
def test_forward_dynamics_of_a_loop_are_the_accelerations_of_its_motion(name):
    mechanism = example(name)
    run, f = ts.simulate(mechanism, 0.2, rate=20), ts.compile(mechanism)
    a = f.forward_dynamics(run.q, run.v, np.zeros_like(run.v), run.t)
    np.testing.assert_allclose(a, run.a, atol=1e-10 * (1 + np.abs(run.a).max()))


def test_a_batch_is_the_same_row_by_row_and_in_threads(swing):
    run, f = swing
    Q = np.random.default_rng(0).normal(size=run.v.shape)
    whole = f.forward_dynamics(run.q, run.v, Q)
    one = [f.forward_dynamics(*row) for row in zip(run.q, run.v, Q, strict=True)]
    np.testing.assert_allclose(whole, one, rtol=1e-12, atol=1e-12)
    many = [np.tile(x, (60, 1)) for x in (run.q, run.v, Q)]
    threaded = f.forward_dynamics(*many, threads=2)
    np.testing.assert_allclose(threaded, np.tile(whole, (60, 1)), rtol=1e-10, atol=1e-10)


def test_a_batch_without_states_has_no_results(swing):
    run, f = swing
    n, none = len(run.v[0]), run.q[:0]
    assert f.forward_dynamics(none, run.v[0], run.v[0]).shape == (0, n)
    assert f.inverse_dynamics(none, run.v[0], run.a[0]).shape == (0, 2)
    assert f.forward_dynamics_derivatives(none, run.v[0], run.v[0]).shape == (0, n, 3 * n)


def test_arguments_of_a_loop_are_judged_as_those_of_a_tree(swing):
    run, f = swing
    q, v = run.q, run.v
    with pytest.raises(ModelError, match=r"different lengths: shapes \(13, 4\), \(12, 4\)"):
        f.forward_dynamics(q, v[1:], v)
    with pytest.raises(ModelError, match=r"different lengths: .* \(2, 1\)"):
        f.forward_dynamics(q, v, v, [0.0, 1.0])
    with pytest.raises(ModelError, match=r"argument v: expected shape \(4,\) .* got \(3,\)"):
        f.forward_dynamics(q[0], v[0, 1:], v[0])
    with pytest.raises(ModelError, match="argument Q: expected shape"):
        f.forward_dynamics(q[0], v[0], ["much"] * 4)
    with pytest.raises(ModelError, match="argument a: expected shape"):
        f.inverse_dynamics(q[0], v[0], v[0, 1:])


def test_inverse_dynamics_give_back_the_forces_of_actuators(swing):
    run, f = swing
    forces = np.random.default_rng(1).normal(size=(len(run.t), 2))
    Q = np.zeros_like(run.v)
    Q[:, [f.speeds.index("alpha."), f.speeds.index("beta.")]] = forces
    a = f.forward_dynamics(run.q, run.v, Q)
    np.testing.assert_allclose(f.inverse_dynamics(run.q, run.v, a), forces, atol=1e-9)
    named = f.inverse_dynamics(run.q[3], run.v[3], a[3], actuators=["beta", "alpha"])
    np.testing.assert_allclose(named, forces[3, ::-1], atol=1e-9)


def test_redundant_actuators_share_by_the_least_forces_that_give_the_same_motion(swing):
    run, f = swing
    names = ("alpha.", "beta.", "gamma.")
    forces = np.array([1.0, -2.0, 0.5])
    Q = np.zeros(len(f.speeds))
    Q[[f.speeds.index(name) for name in names]] = forces
    a = f.forward_dynamics(run.q[5], run.v[5], Q)
    least = f.inverse_dynamics(run.q[5], run.v[5], a, actuators=names)
    assert np.linalg.norm(least) < np.linalg.norm(forces) - 1e-3
    Q[[f.speeds.index(name) for name in names]] = least
    np.testing.assert_allclose(f.forward_dynamics(run.q[5], run.v[5], Q), a, atol=1e-9)


def test_over_constrained_spatial_loops_are_solved_wherever_rows_repeat_each_other():
    """Bennett's linkage: six rows, of which three say all there is, now some and now others."""
    described, second = random_loops(0)
    assert "motions" not in described
    mechanism = ts.load(described)
    run, f = ts.simulate(mechanism, second, rate=20 / second), ts.compile(mechanism)
    a = f.forward_dynamics(run.q, run.v, np.zeros_like(run.v), run.t)
    np.testing.assert_allclose(a, run.a, atol=1e-7 * (1 + np.abs(run.a).max()))


def test_derivatives_are_those_of_differences_and_follow_a_motion(swing):
    run, f = swing
    n, rng, h = len(f.speeds), np.random.default_rng(2), 1e-6
    q, v, Q = run.q[4], run.v[4], rng.normal(size=n)
    D = f.forward_dynamics_derivatives(q, v, Q)
    for k in range(n):
        step = h * np.eye(n)[k]
        for part, (dv, dQ) in ((n, (step, 0)), (2 * n, (0, step))):
            plus, minus = (f.forward_dynamics(q, v + s * dv, Q + s * dQ) for s in (1, -1))
            np.testing.assert_allclose(
                D[:, part + k], (plus - minus) / (2 * h), atol=1e-6 * (1 + np.abs(D).max())
            )
    # ä along a motion without forces: ∂a/∂q q̇ + ∂a/∂v a
    times = run.t[4] + 1e-4 * np.arange(-1, 2)
    a = run.at(times).a
    D = f.forward_dynamics_derivatives(q, v, np.zeros(n))
    expected = D[:, :n] @ v + D[:, n : 2 * n] @ a[1]
    np.testing.assert_allclose((a[2] - a[0]) / 2e-4, expected, atol=1e-4 * np.abs(expected).max())


def test_a_freedom_that_nothing_drives_is_named(swing):
    run, f = swing
    with pytest.raises(ModelError, match=r"1 of its 2 freedoms are not driven: \w+ moves while"):
        f.inverse_dynamics(run.q[0], run.v[0], run.a[0], actuators=["alpha"])


def test_loops_that_are_open_and_accelerations_that_open_them_are_refused(swing):
    run, f = swing
    with pytest.raises(ModelError, match=r"the loops are open by .* of their size"):
        f.forward_dynamics(run.q[0] + 0.1, run.v[0], run.v[0])
    with pytest.raises(ModelError, match="the accelerations would open the loops"):
        f.inverse_dynamics(run.q[0], run.v[0], run.a[0] + 1.0)
    with pytest.raises(ModelError, match=r"expected shape \(4,\)"):
        f.forward_dynamics(run.q[0][:2], run.v[0], run.v[0])


def test_without_names_actuators_are_asked_for():
    with pytest.raises(ModelError, match="its driven coordinates are not given"):
        f = ts.compile(example("four_bar"))
        f.inverse_dynamics(*[np.zeros(len(f.speeds))] * 3)


@pytest.mark.parametrize("name", ["alpha", "alpha.", "O", "motor"])
def test_an_actuator_is_named_by_its_coordinate_its_joint_or_the_force_in_it(name):
    crank = example("slider_crank")
    start, f = ts.assemble(crank, {"alpha": 0.7, "alpha.": 2.0}), ts.compile(crank)
    a = f.forward_dynamics(start.q, start.v, [0.25, 0, 0])
    pushed = f.inverse_dynamics(start.q, start.v, a, actuators=[name])
    assert pushed == pytest.approx([0.25], abs=1e-12)


def test_an_actuator_that_does_not_exist_is_told_with_all_that_do():
    crank = example("slider_crank")
    start, f = ts.assemble(crank, {"alpha": 0.7}), ts.compile(crank)
    with pytest.raises(ModelError) as told:
        f.inverse_dynamics(start.q, start.v, start.v, actuators=["moter"])
    assert str(told.value).splitlines() == [
        'inverse_dynamics: actuator "moter" does not exist.',
        "  Known actuators: alpha, beta, load, motor, x.",
        '  Did you mean "motor"?',
    ]


# --- in other languages ---------------------------------------------------------------------------


def test_numpy_code_of_a_loop_gives_the_same_numbers(five_bar, swing, tmp_path, monkeypatch):
    run, f = swing
    functions = ["forward_dynamics", "inverse_dynamics"]
    ts.export(five_bar, "numpy", functions, tmp_path, at=run.q[0], name="five")
    monkeypatch.syspath_prepend(str(tmp_path))
    import five

    q, v, a = run.q[7], run.v[7], run.a[7]
    Q = np.arange(1.0, 5.0)
    values = [value for value in five_bar.parameters.values()]
    ours = f.forward_dynamics(q, v, Q)
    theirs = five.forward_dynamics(five.forward_dynamics_constants(values), q, v, Q)
    np.testing.assert_allclose(theirs, ours, rtol=1e-10)
    forces = five.inverse_dynamics(five.inverse_dynamics_constants(values), q, v, a)
    np.testing.assert_allclose(forces, f.inverse_dynamics(q, v, a), atol=1e-9)


@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
def test_c_code_of_a_loop_gives_the_same_numbers(five_bar, swing, tmp_path):
    run, f = swing
    functions = ["forward_dynamics", "inverse_dynamics"]
    library = built(sources(five_bar, "c", functions, at=run.q[0]), tmp_path)
    p = np.array(list(five_bar.parameters.values()))
    state, Q = (run.q[6], run.v[6]), np.array([1.0, -2.0, 0.5, 0.3])
    found = library("forward_dynamics", p, (*state, Q), 4)
    np.testing.assert_allclose(found, f.forward_dynamics(*state, Q), rtol=1e-10)
    found = library("inverse_dynamics", p, (*state, run.a[6]), 2)
    np.testing.assert_allclose(found, [0, 0], atol=1e-9)  # nothing drove that motion


@pytest.mark.slow
@pytest.mark.skipif(GCC is None, reason="gcc is not on the PATH")
def test_c_code_of_a_stewart_platform_gives_the_accelerations_of_its_motion(tmp_path):
    mechanism = example("stewart_platform")
    run, f = ts.simulate(mechanism, 0.1, rate=20), ts.compile(mechanism)
    library = built(sources(mechanism, "c", ["forward_dynamics"], at=run.q[0]), tmp_path)
    p = np.array(list(mechanism.parameters.values()), dtype=float)
    inputs = run.q[1], run.v[1], np.zeros(len(f.speeds)), run.t[1:2]
    found = library("forward_dynamics", p, inputs, len(f.speeds))
    np.testing.assert_allclose(found, run.a[1], atol=1e-8 * np.abs(run.a).max())


def test_code_of_open_loops_is_not_written(five_bar):
    with pytest.raises(ModelError, match=r"the loops are open by .*\n.*ts\.assemble"):
        sources(five_bar, "c", ["forward_dynamics"], at=np.zeros(4))


# --- one state, judged in machine code -----------------------------------------------------------


@pytest.mark.parametrize("name", ["slider_crank", "four_bar"])
def test_a_state_called_alone_has_the_numbers_of_its_row_in_a_batch(name):
    mechanism = example(name)
    run, f = ts.simulate(mechanism, 0.2, rate=20), ts.compile(mechanism)
    Q = np.zeros_like(run.v)
    together = f.forward_dynamics(run.q, run.v, Q)
    alone = [f.forward_dynamics(*state) for state in zip(run.q, run.v, Q, strict=True)]
    np.testing.assert_array_equal(alone, together)


def test_states_are_refused_or_solved_otherwise_once_the_machine_code_is_there(swing):
    run, f = swing
    q, v, Q = run.q[3], run.v[3], np.zeros(4)
    right = f.forward_dynamics(q, v, Q)
    with pytest.raises(ModelError, match="the loops are open by"):
        f.forward_dynamics(q + 0.1, v, Q)
    with pytest.raises(ModelError, match="would open the loops"):
        f.inverse_dynamics(q, v, right + 1.0)
    with pytest.raises(ModelError, match="expected shape"):
        f.forward_dynamics(q, v, np.zeros(5))
    np.testing.assert_array_equal(f.forward_dynamics(list(q), v, Q), right)
    np.testing.assert_allclose(f.inverse_dynamics(q, v, right), 0.0, atol=1e-9)


def test_a_slider_crank_at_its_dead_point_is_solved_by_other_rows_than_elsewhere():
    """Crank and rod in line, at rest: gravity and inertia of the crank alone, as by hand."""
    f = ts.compile(example("slider_crank"))
    elsewhere = ts.assemble(f.mechanism, {"alpha": 1.0})
    f.forward_dynamics(elsewhere.q, np.zeros(3), np.zeros(3))
    dead = ts.assemble(f.mechanism, {"alpha": 0.0})
    a = f.forward_dynamics(dead.q, np.zeros(3), np.zeros(3))
    fresh = ts.compile(f.mechanism).forward_dynamics(dead.q, np.zeros(3), np.zeros(3))
    np.testing.assert_allclose(a, fresh, atol=1e-9 * (1 + np.abs(fresh).max()))
    assert a[2] == pytest.approx(0.0, abs=1e-9)  # the slider reverses: x̂ is stationary there


def test_values_of_parameters_by_rows_are_those_of_models_at_these_values(swing):
    run, f = swing
    state = run.q[5], run.v[5], np.zeros(4)
    masses = np.array([0.5, 1.0, 3.0])
    heavy = {**FIVE_BAR, "parameters": {**FIVE_BAR["parameters"], "m": 1.0}}
    heavy["bodies"] = {**heavy["bodies"], "left": {**heavy["bodies"]["left"], "mass": "m"}}
    model = ts.compile(ts.load(heavy))
    by_rows = model.forward_dynamics(*state, parameters={"m": masses})
    for m, row in zip(masses, by_rows, strict=True):
        np.testing.assert_array_equal(row, model.with_parameters(m=m).forward_dynamics(*state))
    np.testing.assert_allclose(by_rows[1], f.forward_dynamics(*state), rtol=1e-12)
    with pytest.raises(
        ModelError, match=r'parameter "mass" does not exist.\n  Known .*: a, b, d, m'
    ):
        model.forward_dynamics(*state, parameters={"mass": masses})


def planar_platform():
    """A platform on three legs of two bars each, in a plane."""
    bodies = {"platform": {"mass": 2, "inertia": [0, 0, 0.02]}}
    joints = {}
    for k, turned in enumerate((90, 210, 330)):
        at = [f"{r}*{f}({turned} deg)" for r in ("R", "r") for f in ("cos", "sin")]
        bodies |= {
            f"{bar}{k}": {"mass": 0.5, "centre": ["l/2", 0, 0], "inertia": [0, 0, 0.005]}
            for bar in ("arm", "rod")
        }
        z = {"type": "pivot", "axis": "z"}
        ground, hand = [*at[:2], 0], [*at[2:], 0]
        joints[f"A{k}"] = {**z, "bodies": ["ground", f"arm{k}"], "point": [ground, [0, 0, 0]]}
        joints[f"B{k}"] = {**z, "bodies": [f"arm{k}", f"rod{k}"], "point": [["l", 0, 0], [0, 0, 0]]}
        joints[f"C{k}"] = {**z, "bodies": [f"rod{k}", "platform"], "point": [["l", 0, 0], hand]}
    return ts.load({
        "gravity": [0, -9.81, 0],
        "parameters": {"R": 0.8, "r": 0.2, "l": 0.4},
        "bodies": bodies,
        "joints": joints,
    })  # fmt: skip


@pytest.mark.parametrize("turned", [0.0, 0.5])
@pytest.mark.parametrize("bent", [1.0, 0.1, 1e-3, 1e-6, 0.0])
def test_a_stretched_leg_of_a_platform_changes_nothing(bent, turned):
    """Accelerations solve M a + h + g = Jᵀ λ and J a + γ = 0, also where a leg is singular."""
    mechanism = planar_platform()
    f = ts.compile(mechanism)
    f.forward_dynamics(*state_of(mechanism, f, 1.0, 0.5))  # the order of elimination is chosen
    q, v, Q = state_of(mechanism, f, bent, turned)
    a, J = f.forward_dynamics(q, v, Q), f.constraint_jacobian(q)
    n, rows = len(v), len(J)
    border = np.block([[f.mass_matrix(q), -J.T], [J, np.zeros((rows, rows))]])
    right = [*(Q - f.bias(q, v) - f.gravity(q)), *-f.constraint_bias(q, v)]
    expected = np.linalg.lstsq(border, right, rcond=1e-12)[0][:n]
    np.testing.assert_allclose(a, expected, rtol=0, atol=1e-11 * (1 + np.abs(expected).max()))


def state_of(mechanism, f, bent, turned):
    """A closed pose at rest whose leg 1 is bent by an angle, and forces."""
    q = ts.assemble(mechanism, {"B1": bent, "A1": 0.5}).q
    return q, np.zeros(len(f.speeds)), np.linspace(-1, 1, len(f.speeds))


def test_a_driven_mechanism_is_called_at_a_time_or_without():
    mechanism = example("jansen_leg")
    run, f = ts.simulate(mechanism, 0.2, rate=20), ts.compile(mechanism)
    for q, v, a, t in zip(run.q, run.v, run.a, run.t, strict=True):
        given = q, v, np.zeros(len(v))
        np.testing.assert_allclose(f.forward_dynamics(*given, float(t)), a, atol=1e-8)
        np.testing.assert_array_equal(
            f.forward_dynamics(*given, float(t)), f.forward_dynamics(*given, np.float64(t))
        )
    with pytest.raises(ModelError, match="open"):
        f.forward_dynamics(*given)  # at the time 0 the drive is elsewhere


@pytest.mark.parametrize("name", ["four_bar", "slider_crank"])
def test_a_function_of_a_loop_gives_the_same_however_often_and_in_whatever_way_it_is_called(name):
    """After its first call it is machine code that leaves other arguments to the careful call."""
    mechanism = example(name)
    run, f = ts.simulate(mechanism, 0.2, rate=20), ts.compile(mechanism)
    q, v, Q = run.q[1], run.v[1], np.ones_like(run.v[1])
    before = f.forward_dynamics
    a = before(q, v, Q)
    after = f.forward_dynamics
    rows = [np.tile(x, (3, 1)) for x in (q, v, Q)]
    parameter, value = next((k, x) for k, x in f.parameters.items() if x)
    for call in (before, after, pickle.loads(pickle.dumps(after))):
        assert call.__name__ == "forward_dynamics"
        np.testing.assert_array_equal(call(q, v, Q), a)
        np.testing.assert_allclose(call(list(q), v, Q, 0.0), a, rtol=1e-12)
        np.testing.assert_allclose(call(q, v, x=Q, t=0.0), a, rtol=1e-12)
        np.testing.assert_allclose(call(*rows, threads=2), np.tile(a, (3, 1)), rtol=1e-12)
        swept = call(q, v, Q, parameters={parameter: [value, value]})
        np.testing.assert_allclose(swept, np.tile(a, (2, 1)), rtol=1e-12)
    with pytest.raises(ModelError, match="open"):
        after(q + 0.1, v, Q)
