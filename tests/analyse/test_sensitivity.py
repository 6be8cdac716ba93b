"""Derivatives of motions: finite differences, closed forms and the equations they obey."""

import json
from math import factorial

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import FOLDER, model, parameters

import torseur as ts
from torseur.cli.motion.sensitivity import sensitivity

USUAL = ("l1", "m3")
PARAMETERS = ("l1", "l2", "I1", "m2", "m3", "Cm", "Fr")
HALF = 7  # points on each side: differences of the 14th order
CENTRAL = {
    k: (-1) ** (k + 1) * factorial(HALF) ** 2 / (k * factorial(HALF - k) * factorial(HALF + k))
    for k in range(1, HALF + 1)
}


def slope(output, h):
    """The derivative at 0 of a function of one number."""
    return sum(c * (output(k * h) - output(-k * h)) for k, c in CENTRAL.items()) / h


@pytest.mark.parametrize(
    "name",
    [x if x in USUAL else pytest.param(x, marks=pytest.mark.slow) for x in PARAMETERS],
)
def test_a_slider_crank_is_followed_for_ten_seconds_to_a_ten_millionth(name):
    """436 turns of the crank; differences of the 14th order, 0.03 to 0.07 rad of the crank apart.

    The mean of five of them: each has the rounding of its own motions, about 1e-7.
    """
    crank = model("slider_crank")
    found = ts.sensitivity(crank, 10.0, (name,), rate=2, rtol=1e-13)
    steps = np.linspace(0.03, 0.07, 5) / np.abs(found["alpha"]).max()

    def outputs(change):
        other = crank.with_parameters(**{name: crank.parameters[name] + change})
        run = ts.simulate(other, 10.0, rate=2, rtol=1e-13, coordinates="joint")
        return np.stack([run["alpha"], run["alpha."], run["x"]])

    wanted = np.mean([slope(outputs, h) for h in steps], axis=0)
    exact = np.stack([found.of(output, name) for output in ("alpha", "alpha.", "x")])
    size = np.abs(exact).max(axis=1, keepdims=True)
    assert (np.abs(exact - wanted) / size).max() < 1e-7


def test_a_pendulum_forgets_nothing_of_its_start():
    """Small swings: θ = θ0 cos ω t, so that ∂θ/∂θ0, ∂θ/∂θ̇0 and ∂θ/∂g are known."""
    start, length, g = 1e-5, 0.6, 9.81
    made = ts.load({
        "gravity": [0, "-g", 0],
        "parameters": {"g": g, "l": length},
        "bodies": {"bob": {"mass": 1, "centre": [0, "-l", 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "bob"], "axis": "z",
                         "coordinate": "theta"}},
        "initial": {"theta": start},
    })  # fmt: skip
    found = ts.sensitivity(made, 3.0, ("theta", "theta.", "g"), rate=20)
    omega, t = np.sqrt(g / length), found.run.t
    # the next terms are of relative order θ0²
    np.testing.assert_allclose(found.of("theta", "theta"), np.cos(omega * t), atol=1e-8)
    np.testing.assert_allclose(found.of("theta", "theta."), np.sin(omega * t) / omega, atol=1e-8)
    wanted = -start * np.sin(omega * t) * t / (2 * np.sqrt(g * length))
    np.testing.assert_allclose(found.of("theta", "g"), wanted, atol=1e-8 * start)


def test_derivatives_of_anything_that_is_read_from_a_motion():
    engine = model("single_cylinder_engine")
    outputs = ["x", "phi.", "A.x", "B.velocity.x", "energy.kinetic", "rod.force.x", "mp*x.^2/2",
               "phi.."]  # fmt: skip
    found = ts.sensitivity(engine, 0.2, ("b", "mp", "phi."), rate=50, rtol=1e-12)
    run = found.run
    assert run.closure_error < 1e-10

    def read(other, more=None):
        run = ts.simulate(other, 0.2, rate=50, rtol=1e-12, initial=more, coordinates="joint")
        acceleration = run.a[:, run.model.speeds.index("phi.")]
        return np.stack([
            run["x"], run["phi."], run.point("A")[:, 0], run.point("B", 1)[:, 0],
            run.energy["kinetic"], run.reaction("rod")[:, 0],
            other.parameters["mp"] * run["x."] ** 2 / 2, acceleration,
        ])  # fmt: skip

    start = {"phi": np.radians(30), "phi.": 25.0}
    cases = {
        "b": lambda d: read(engine.with_parameters(b=engine.parameters["b"] + d)),
        "mp": lambda d: read(engine.with_parameters(mp=engine.parameters["mp"] + d)),
        "phi.": lambda d: read(engine, start | {"phi.": 25.0 + d}),
    }
    for name, case in cases.items():
        wanted = slope(case, 1e-3 if name == "b" else 1e-2)
        exact = np.stack([found.of(output, name) for output in outputs])
        size = np.abs(wanted).max(axis=1, keepdims=True) + 1e-9
        np.testing.assert_allclose(exact / size, wanted / size, atol=1e-6)


def test_derivatives_stay_on_the_constraints():
    """The closure of the loop has no derivative: J ∂q/∂p + ∂gap/∂p = 0 all along."""
    p = parameters("slider_crank_multipliers")
    found = ts.sensitivity(model("slider_crank_multipliers"), 1.0, ("l1", "l2"), rate=20)
    run = found.run
    alpha, beta = run["alpha"], run["beta"]
    for k, (own, rod) in enumerate(((np.cos(alpha), 0), (0, np.cos(beta)))):
        d = {name: found[name][:, k] for name in ("alpha", "beta", "lam")}
        gap = d["lam"] + p.l1 * np.sin(alpha) * d["alpha"] + p.l2 * np.sin(beta) * d["beta"]
        np.testing.assert_allclose(gap - own - rod, 0, atol=1e-8 * np.abs(d["alpha"]).max())


def test_parameters_defined_from_others_follow_them():
    made = {
        "parameters": {"m": 2.0, "F": "3*m"},
        "bodies": {"b": {"mass": "m"}},
        "joints": {"J": {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x",
                         "coordinate": "x"}},
        "forces": {"f": {"type": "joint", "joint": "J", "value": "F"}},
    }  # fmt: skip
    found = ts.sensitivity(ts.load(made), 1.0, ("m", "F"), rate=4)
    np.testing.assert_allclose(found.of("x", "m"), 0, atol=1e-12)  # a = F/m = 3 whatever m is
    np.testing.assert_allclose(found.of("x", "F"), found.run.t**2 / 2 / 2.0, atol=1e-12)


def test_what_cannot_be_varied_is_named():
    with pytest.raises(ts.ModelError, match='"psi" does not exist'):
        ts.sensitivity(model("slider_crank"), 0.1, ("psi",))
    with pytest.raises(ts.ModelError, match='"x" cannot be chosen freely'):
        ts.sensitivity(model("slider_crank"), 0.1, ("x",))
    with pytest.raises(ts.ModelError, match="over-constrained"):
        ts.sensitivity(model("slider_crank"), 0.1, ("Cm",))["A.force.z"]


def test_reactions_that_over_constraint_leaves_determined_have_derivatives():
    crank, step = model("slider_crank"), 1e-4
    found = ts.sensitivity(crank, 0.05, ("Cm",), rate=100).of("A.force.x", "Cm")
    value = crank.parameters["Cm"]
    ends = [
        ts.simulate(crank, 0.05, rate=100, parameters={"Cm": value + sign * step}, rtol=1e-12)
        for sign in (1, -1)
    ]
    slope = (ends[0].reaction("A")[:, 0] - ends[1].reaction("A")[:, 0]) / (2 * step)
    assert np.abs(found - slope).max() < 1e-6 * np.abs(slope).max()


def test_the_load_of_a_crank_that_turns_at_a_given_speed_has_derivatives():
    """At the outer dead point the pin carries (m₂ (l₁ + l₁²/(2 l₂)) + m₃ (l₁ + l₁²/l₂)) ω²."""
    pin, slide = {"type": "revolute", "axis": "z"}, {"type": "prismatic", "axis": "x"}
    rod = {"mass": "m2", "centre": ["l2/2", 0, 0], "inertia": [0, 0, "m2*l2^2/12"]}
    found = ts.sensitivity({
        "parameters": {"l1": 0.1, "l2": 0.3, "m2": 0.8, "m3": 0.5},
        "bodies": {"crank": {"mass": 1, "inertia": [0, 0, 0.02]}, "rod": rod,
                   "piston": {"mass": "m3"}},
        "joints": {
            "O": {**pin, "bodies": ["ground", "crank"], "coordinate": "alpha"},
            "A": {**pin, "bodies": ["crank", "rod"], "point": [["l1", 0, 0], [0, 0, 0]]},
            "B": {"type": "sphere-cylinder", "axis": "z", "bodies": ["rod", "piston"],
                  "point": [["l2", 0, 0], [0, 0, 0]]},
            "P": {**slide, "bodies": ["ground", "piston"], "coordinate": "x"},
        },
        "motions": {"motor": {"coordinate": "alpha", "law": "100*t"}},
        "initial": {"x": "l1 + l2"},
    }, 0.01, ("l1", "m2", "m3"))  # fmt: skip
    wanted = [-(0.8 * (1 + 1 / 3) + 0.5 * (1 + 2 / 3)), -(0.1 + 1 / 60), -(0.1 + 1 / 30)]
    np.testing.assert_allclose(found["A.force.x"][0] / 100**2, wanted, rtol=1e-9)


def test_derivatives_from_a_shell(tmp_path):
    file = str(FOLDER / "single_cylinder_engine.yaml")
    table, picture = tmp_path / "d.csv", tmp_path / "d.svg"
    arguments = [file, "--duration", "0.1", "--rate", "50", "--by", "b", "--by", "phi.", "--of",
                 "x", "--of", "mp*x.^2/2"]  # fmt: skip
    answer = CliRunner().invoke(sensitivity, [*arguments, "-o", str(table), "--plot", str(picture)])
    assert "∂x/∂b = " in answer.stdout
    assert picture.exists()
    found = ts.sensitivity(model("single_cylinder_engine"), 0.1, ("b", "phi."), rate=50)
    rows = np.loadtxt(table, delimiter=",", skiprows=1)
    np.testing.assert_allclose(rows[:, 1:3], found["x"], rtol=1e-9, atol=1e-12)
    document = json.loads(CliRunner().invoke(sensitivity, [*arguments, "--json"]).stdout)
    np.testing.assert_allclose(document["derivatives"]["mp*x.^2/2"], found["mp*x.^2/2"], rtol=1e-9,
                               atol=1e-12)  # fmt: skip


@pytest.mark.parametrize("duration", [1e150, float("inf"), -1.0])
def test_a_duration_that_no_run_can_have_is_refused(duration):
    with pytest.raises(ts.ModelError, match=r"samples|duration"):
        ts.sensitivity(model("double_pendulum"), ["m1"], duration)
