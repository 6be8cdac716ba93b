"""Answers in letters where contacts grip or slide, and where loops repeat each other."""

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate

SLOPE = {
    "torseur": 1,
    "parameters": {"m": 2.0, "f": 0.6, "alpha": 0.3, "k": 50.0, "g": 9.81},
    "gravity": ["-g*sin(alpha)", "-g*cos(alpha)", 0],
    "bodies": {"slide": {"mass": 0}, "block": {"mass": "m"}},
    "joints": {
        "along": {"type": "prismatic", "bodies": ["ground", "slide"], "axis": "x"},
        "across": {"type": "prismatic", "bodies": ["slide", "block"], "axis": "y"},
    },
    "contacts": {
        "c": {"bodies": ["ground", "block"], "point": [0, 0, 0], "normal": "y", "friction": "f"}
    },
    "forces": {"spring": {"type": "joint", "joint": "along", "value": "-k*along"}},
}


@pytest.mark.parametrize("name", ["brake_squeal", "coulomb_oscillator", "governor_with_friction"])
def test_contacts_without_a_mode_are_refused_as_numbers_refuse_them(name):
    with pytest.raises(ts.ModelError, match="may open, stick or slide"):
        ts.equilibria(name, letters=True)
    if name == "coulomb_oscillator":  # only a joint rubs: numbers say where it rests
        assert ts.equilibria(name).ranges
    else:
        with pytest.raises(ts.ModelError, match="may open, stick or slide"):
            ts.equilibria(name)
    with pytest.raises(ts.ModelError, match="Choose its mode"):
        ts.stability.at_state(name)


def test_a_brake_flutters_above_the_coefficient_at_which_two_pulsations_meet():
    """The critical coefficient of friction is that of the eigenvalues, at random parameters."""
    values = ts.stability.critical("brake_squeal", "mu", modes={"rub": "slip"})
    (meets,) = values.formulas
    rng = np.random.default_rng(1902)
    table = ts.load("brake_squeal").parameters
    for _ in range(5):
        drawn = {k: x * 2 ** rng.uniform(-0.2, 0.2) for k, x in table.items()}
        critical = float(evaluate(meets, drawn))
        rates = [
            ts.linearise(
                "brake_squeal", modes={"rub": "slip"}, parameters=drawn | {"mu": critical * x}
            ).eigenvalues.real.max()
            for x in (0.98, 1.02)
        ]
        assert abs(rates[0]) < 1e-6 < 0.05 < rates[1]


def test_a_block_grips_within_the_band_of_its_friction():
    """|k x + m g sin α| < f m g cos α."""
    (rests,) = ts.equilibria(ts.load(SLOPE), letters=True, modes={"c": "stick"})
    rng = np.random.default_rng(3)
    inside = 0
    for _ in range(40):
        m, f, alpha, k, g = rng.uniform(0.2, 1.4, 5)
        x = rng.uniform(-2, 2)
        values = {"m": m, "f": f, "alpha": alpha, "k": k, "g": g, "along": x}
        grips = abs(k * x + m * g * np.sin(alpha)) < f * m * g * np.cos(alpha)
        assert all(c.holds(values) for c in rests.exists) == grips
        inside += grips
    assert 5 < inside < 35
    assert rests.checked


def test_dry_friction_of_a_joint_holds_a_spring_up_to_its_size():
    (rests,) = ts.equilibria("coulomb_oscillator", letters=True, modes={"rail: friction": "stick"})
    assert [x.text() for x in rests.exists] == ["F > k*x0"]
    with pytest.raises(ts.SolveError, match="direction of sliding"):
        ts.equilibria("coulomb_oscillator", letters=True, modes={"rail: friction": "slip"})


def test_loops_that_repeat_each_other_leave_the_freedom_of_the_gear_train():
    """Plaut, problem 4.1: θ₂ = a θ₁/(2 (a + b)), at rest if Γ₁ = a Γ₂/(2 (a + b))."""
    result = ts.equilibria("planetary_reducer", letters=True)
    (rests,) = result
    values = {"a": 0.3, "b": 0.17, "G2": 5.0, "theta1": 0.8}
    (load,) = rests.required
    assert float(evaluate(load.right, values)) == pytest.approx(0.3 * 5 / (2 * 0.47))
    carrier = next(x.right for x in result.eliminated if x.name == "theta2")
    assert float(evaluate(carrier, values)) == pytest.approx(0.3 * 0.8 / (2 * 0.47))
    (inertia,) = ts.linearise("planetary_reducer", letters=True).M.flat
    known = {"a": 0.3, "b": 0.17, "rho": 7000.0, "h": 0.02}
    exact = np.pi / 8 * 7000 * 0.02 * 0.09 * (4 * 0.09 + 9 * 0.17**2)
    assert float(evaluate(inertia, known)) == pytest.approx(exact)


def test_long_formulas_of_the_governor_end_in_reasonable_work():
    """Guérin, TD 2, θ = π/2: M b (a + b cos β) ω² = k c (c cos β − λ0), with a preload."""
    result = ts.equilibria(
        "speed_governor", letters=True, turning=["alpha"], given={"theta": "pi/2"}
    )
    opened = next(x for x in result if "cos(beta)" in x.formulas)
    values = {"M": 0.6, "a": 0.04, "b": 0.1, "k": 2600.0, "c": 0.05, "lam0": 0.02, "alpha.": 7.0}
    cosine = float(evaluate(opened.formula("cos(beta)"), values))
    lift = 0.6 * 0.1 * (0.04 + 0.1 * cosine) * 49
    assert lift == pytest.approx(2600 * 0.05 * (0.05 * cosine - 0.02))
    assert opened.checked


def test_governor_of_two_arms_has_its_closed_position():
    closed = [x for x in ts.equilibria("ball_governor", letters=True) if x.is_at({"alpha1": 0})]
    assert [x.text() for x in closed[0].stable] == ["Omega^2 < g*(a*ms + l*m)/(l^2*m)"]
