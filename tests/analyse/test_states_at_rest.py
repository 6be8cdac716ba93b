"""First-order states at rest and in steady motion: equilibria, small motions, sensitivities."""

import numpy as np
import pytest
import scipy
import yaml

import torseur as ts

U, R, L, K, C, J = 12.0, 0.5, 0.01, 0.1, 0.003, 0.02
MOTOR = {
    "parameters": {"U": U, "R": R, "L": L, "k": K, "c": C, "s": 5},
    "bodies": {"rotor": {"mass": 1, "inertia": [1, 1, J]}},
    "joints": {
        "a": {
            "type": "pivot",
            "bodies": ["ground", "rotor"],
            "axis": "z",
            "coordinate": "theta",
        }
    },
    "states": {"i": {"rate": "(U - R*i - k*theta.)/L"}},
    "forces": {"torque": {"type": "joint", "joint": "a", "value": "k*i - c*theta."}},
}
SPRING = {"spring": {"type": "joint", "joint": "a", "value": "-s*theta"}}
SPRUNG = {**MOTOR, "forces": {**MOTOR["forces"], **SPRING}}


def test_a_motor_on_a_spring_rests_where_its_couple_is_that_of_the_spring():
    (rest,) = ts.equilibria(ts.load(SPRUNG))
    assert rest.coordinates == pytest.approx({"theta": K * U / R / 5, "i": U / R}, rel=1e-12)
    assert rest.stable
    assert "i" not in rest.speeds
    run = ts.simulate(ts.load(SPRUNG), 5.0, rate=10, initial=rest.coordinates)
    np.testing.assert_allclose(run["theta"], rest.coordinates["theta"], rtol=1e-9)


def test_small_motions_of_a_motor_have_its_current():
    linear = ts.linearise(ts.load(SPRUNG))
    assert linear.states == ("theta", "theta.", "i")
    A = [[0, 1, 0], [-5 / J, -C / J, K / J], [0, -K / L, -R / L]]
    np.testing.assert_allclose(linear.A, A, atol=1e-9)
    np.testing.assert_allclose([linear.M, linear.D, linear.K], [[[J]], [[C]], [[5]]], atol=1e-9)
    values = np.linalg.eigvals(A)
    np.testing.assert_allclose(np.sort(linear.eigenvalues), np.sort(values), rtol=1e-9)
    assert "i" in linear.modes[0].shape
    # the voltage as an input, the current and its coordinate as outputs
    system = ts.linearise(ts.load(SPRUNG), inputs=["U"]).system(["i", "theta"])
    np.testing.assert_allclose(system.B, [[0], [0], [1 / L]], atol=1e-12)
    np.testing.assert_allclose(system.C, [[0, 0, 1], [1, 0, 0]])


def test_a_motor_turns_steadily_where_friction_takes_its_couple():
    (motion,) = ts.stability.steady_motions(ts.load(MOTOR))
    speed = K * U / (K**2 + R * C)
    assert motion.speeds["theta."] == pytest.approx(speed, rel=1e-12)
    assert motion.coordinates["i"] == pytest.approx(C * speed / K, rel=1e-12)
    linear = ts.linearise(motion)
    assert linear.states == ("theta.", "i")
    np.testing.assert_allclose(linear.A, [[-C / J, K / J], [-K / L, -R / L]], atol=1e-9)


def test_a_pose_is_held_with_states_at_rest():
    held = ts.stability.holding_forces(ts.load(SPRUNG), {"theta": 0.1})
    assert held.forces == pytest.approx({"theta": 5 * 0.1 - K * U / R}, rel=1e-12)
    about = ts.linearise(ts.load(SPRUNG), {"theta": 0.1}, held=True)
    assert about.steady.held_by == pytest.approx(held.forces)


def test_a_state_without_rest_cannot_be_held():
    counting = {**MOTOR, "states": {"i": {"rate": "U"}}}
    with pytest.raises(ts.SolveError, match='the state "i" does not rest'):
        ts.stability.holding_forces(ts.load(counting), {"theta": 0.1})


def test_all_rests_of_a_state_are_found():
    """ẋ = u − u³ has three rests; the middle one is not stable."""
    model = {**SPRUNG, "states": {"i": {"rate": "i - i^3", "initial": 0.2}}}
    rests = sorted(ts.equilibria(ts.load(model)), key=lambda x: x.coordinates["i"])
    np.testing.assert_allclose([x.coordinates["i"] for x in rests], [-1, 0, 1], atol=1e-9)
    assert [bool(x.stable) for x in rests] == [True, False, True]


def test_a_hydraulic_cylinder_holds_its_load_by_pressure():
    """V/B ṗ = c (p_s − p) − A ẋ on a spring-loaded piston: p = p_s and k x = A p_s."""
    area, supply, k = 1e-3, 1e7, 1e5
    model = ts.load(
        {
            "parameters": {"A": area, "ps": supply, "k": k},
            "bodies": {"piston": {"mass": 20, "inertia": [1, 1, 1]}},
            "joints": {"x": {"type": "slider", "bodies": ["ground", "piston"], "axis": "x"}},
            "states": {"p": {"rate": "1e9/1e-3*(1e-11*(ps - p) - A*x.)", "initial": 1e5}},
            "forces": {"push": {"type": "joint", "joint": "x", "value": "A*p - k*x"}},
        }
    )
    (rest,) = ts.equilibria(model)
    assert rest.coordinates == pytest.approx({"x": area * supply / k, "p": supply}, rel=1e-9)
    oil = 1e9 / 1e-3
    A = [[0, 1, 0], [-k / 20, 0, area / 20], [0, -oil * area, -oil * 1e-11]]
    np.testing.assert_allclose(ts.linearise(rest).A, A, rtol=1e-9, atol=1e-9)


def test_small_motions_of_a_loop_with_a_state_follow_its_matrix():
    """A crank of a four-bar behind a filter of its angle: x(t) = exp(A t) x(0)."""
    form = yaml.safe_load(ts.load("four_bar").yaml())
    form["motions"] = {}
    form["states"] = {"u": {"rate": "(-5*alpha - u)/0.2"}}
    form.setdefault("forces", {})["couple"] = {"type": "joint", "joint": "A", "value": "u"}
    model = ts.load(form)
    rest = min(ts.equilibria(model), key=lambda x: abs(x.coordinates["alpha"]))
    linear = ts.linearise(rest)
    assert linear.states == ("alpha", "alpha.", "u")
    h = 1e-5
    begin = {"alpha": rest.coordinates["alpha"] + h, "alpha.": 0}
    run = ts.simulate(model, at=[0.05, 0.1], initial={**rest.coordinates, **begin}, rtol=1e-12)
    for k, t in enumerate(run.t):
        x = scipy.linalg.expm(linear.A * t) @ [h, 0, 0]
        moved = [run["alpha"][k] - rest.coordinates["alpha"], run["u"][k] - rest.coordinates["u"]]
        np.testing.assert_allclose(moved, x[[0, 2]], rtol=2e-3)


def test_sensitivities_follow_states():
    model = ts.load({**SPRUNG, "states": {"i": {**MOTOR["states"]["i"], "initial": "s/5"}}})
    of = ("R", "s", "i", "theta")
    exact = ts.sensitivity(model, 0.5, of, rate=10)
    for k, name in enumerate(of):
        where = "parameters" if name in model.parameters else "initial"
        value, h = {"R": R, "s": 5.0, "i": 1.0, "theta": 0.0}[name], 1e-5
        near = [
            ts.simulate(model, 0.5, rate=10, rtol=1e-11, **{where: {name: value + x}})
            for x in (h, -h)
        ]
        for output in ("theta", "theta.", "i"):
            slope = (near[0][output] - near[1][output]) / (2 * h)
            size = np.abs(slope).max()
            np.testing.assert_allclose(exact[output][:, k], slope, atol=1e-6 * size)
    run = exact.run
    product = exact["i"] * run["theta"][:, None] + exact["theta"] * run["i"][:, None]
    np.testing.assert_allclose(exact["i*theta"], product, atol=1e-12)
    rows = ts.sensitivity(model, 0.5, of, rate=10, parameters={"R": np.array([R, 2 * R])})
    np.testing.assert_allclose(rows["i"][0], exact["i"], rtol=1e-12)


def test_derivations_and_reports_have_the_equations_of_states(tmp_path):
    steps = {step.title: step for step in ts.tell(ts.load(MOTOR), lang="en").steps}
    (rate,) = steps["First-order states"].formulas
    assert str(rate.symbol) == "i."
    page = ts.report(ts.load(SPRUNG), tmp_path / "report.html").read_text(encoding="utf-8")
    assert "First-order states" in page
