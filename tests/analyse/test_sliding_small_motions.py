"""Small motions of what goes on sliding: friction that follows the reaction and the speed."""

from math import cos, exp, radians, sin, sqrt

import numpy as np
import pytest
from example_states import model, parameters

import torseur as ts

G = 9.81
STRIBECK = {"static": "mu_s", "kinetic": "mu_k", "stribeck": "v_s", "viscous": "c"}


def belt(friction=STRIBECK, **given):
    """A block that a spring holds on a belt."""
    numbers = {"V": 0.3, "k": 100.0, "mu_s": 0.5, "mu_k": 0.3, "v_s": 0.2, "c": 2.0, "m": 2.0}
    units = {"V": "m/s", "k": "N/m", "v_s": "m/s", "c": "N.s/m", "m": "kg"}
    table = {
        name: {"value": x} | ({"unit": units[name]} if name in units else {})
        for name, x in (numbers | given).items()
    }
    return ts.load(
        {
            "name": "belt",
            "gravity": [0, 0, -G],
            "parameters": table,
            "bodies": {"belt": {"mass": 1}, "carrier": {"mass": 0}, "block": {"mass": "m"}},
            "joints": {
                "drive": {"type": "prismatic", "bodies": ["ground", "belt"], "axis": "x",
                          "coordinate": "s"},
                "along": {"type": "prismatic", "bodies": ["ground", "carrier"], "axis": "x",
                          "coordinate": "x"},
                "lift": {"type": "prismatic", "bodies": ["carrier", "block"], "axis": "z",
                         "coordinate": "z"},
            },
            "contacts": {"rub": {"bodies": ["belt", "block"], "normal": "z", "friction": friction}},
            "motions": {"run": {"coordinate": "s", "law": "V*t"}},
            "forces": {"spring": {"type": "joint", "joint": "along", "value": "-k*x"}},
        }
    )  # fmt: skip


@pytest.mark.parametrize("V", [0.05, 0.3, 1.0, -0.3])
def test_a_block_on_a_belt_is_damped_by_the_slope_of_the_law_of_friction(V):
    """m ẍ + F'(V) ẋ + k x = 0: unstable where friction falls faster than oil resists."""
    found = ts.linearise(belt(V=V), modes={"rub": "slip"})
    fall, speed = 0.2 * exp(-((V / 0.2) ** 2)), abs(V)
    slope = 2.0 * G * fall * (-2 * speed / 0.2**2) + 2.0
    force = (2.0 * G * (0.3 + fall) + 2.0 * speed) * np.sign(V)
    assert found.steady.coordinates["x"] == pytest.approx(force / 100.0, rel=1e-12)
    assert found.D[0, 0] == pytest.approx(slope, rel=1e-12)
    wanted = np.roots([2.0, slope, 100.0])
    assert np.sort_complex(found.eigenvalues) == pytest.approx(np.sort_complex(wanted), rel=1e-9)
    assert (found.stable.word == "unstable") == (slope < 0)


def test_the_block_that_is_disturbed_moves_as_its_small_motions_say():
    """e^{σ t} cos ω t of a run, as long as it is small."""
    there = ts.linearise(belt(), modes={"rub": "slip"})
    rest, size = there.steady.coordinates["x"], 1e-7
    run = ts.simulate(belt(), 2.0, initial={"x": rest + size}, rtol=1e-12)
    assert set(run.contact("rub").state) == {"slip"}
    values, vectors = np.linalg.eig(there.A)
    share = np.linalg.solve(vectors, [size, 0.0])
    wanted = (vectors[0] * share * np.exp(np.outer(run.t, values))).sum(axis=1).real
    assert run["x"] - rest == pytest.approx(wanted, abs=2e-4 * np.abs(wanted).max())


def flutter(p, mu):
    """λ² of pad and shoe: M = [m + m_s, 0; 0, m], K = [k11, k12 − μ k3; k12, k22 + k3]."""
    K = np.array([[p.k11, p.k12 - mu * p.k3], [p.k12, p.k22 + p.k3]])
    return -np.linalg.eigvals(K / np.array([[p.m + p.ms], [p.m]]))


def critical(p):
    """Both values of λ² are the same: of those of K/M the discriminant is zero."""
    apart = p.k11 / (p.m + p.ms) - (p.k22 + p.k3) / p.m
    return (p.k12**2 + (p.m + p.ms) * p.m * apart**2 / 4) / (p.k12 * p.k3)


@pytest.mark.parametrize("mu", [0.1, 0.3, 0.4, 0.8])
def test_the_brake_has_the_eigenvalues_of_the_minimal_model(mu):
    p = parameters("brake_squeal")
    found = ts.linearise(model("brake_squeal"), modes={"rub": "slip"}, parameters={"mu": mu})
    wanted = np.poly([*flutter(p, mu), *flutter(p, mu)]).real
    assert np.poly(found.eigenvalues**2).real == pytest.approx(wanted, rel=1e-9)


def test_the_brake_flutters_above_the_critical_coefficient():
    p = parameters("brake_squeal")
    assert critical(p) == pytest.approx(0.337785478547855, rel=1e-12)
    for share in (1 - 1e-6, 1 + 1e-6):
        given = {"mu": share * critical(p)}
        found = ts.linearise(model("brake_squeal"), modes={"rub": "slip"}, parameters=given)
        growth = found.eigenvalues.real.max()
        assert (growth > 1e-4) == (share > 1) and (growth > 1e-9) == (share > 1)
        assert (found.stable.word == "unstable") == (share > 1)


def test_without_friction_sliding_is_what_in_mode_gives():
    made = belt(friction=0)
    through, kept = ts.linearise(made, modes={"rub": "slip"}), ts.in_mode(made, {"rub": "slip"})
    assert through.eigenvalues == pytest.approx(ts.linearise(kept).eigenvalues, rel=1e-12)
    assert through.frequencies == pytest.approx([sqrt(50.0)])


def bead(friction=0.3):
    """A bead on a hilly line: what presses it depends on its place and on its speed."""
    return ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"carrier": {"mass": 0}, "bead": {"mass": 0.5}},
            "joints": {
                "along": {"type": "prismatic", "bodies": ["ground", "carrier"], "axis": "x",
                          "coordinate": "x"},
                "lift": {"type": "prismatic", "bodies": ["carrier", "bead"], "axis": "z",
                         "coordinate": "z"},
            },
            "contacts": {"line": {"bodies": ["ground", "bead"], "on": "profile",
                                  "height": "0.1 m*cos(x/(0.5 m))", "friction": friction}},
        }
    )  # fmt: skip


def test_derivatives_of_a_bead_on_a_curve_are_those_of_the_engine_of_contacts():
    """∂ẍ/∂x and ∂ẍ/∂ẋ beside differences of accelerations of runs."""
    friction = {"static": 0.4, "kinetic": 0.3, "stribeck": "0.5 m/s", "viscous": "0.2 N.s/m"}
    made, place, speed, h = bead(friction), 0.9, 0.7, 1e-4

    def acceleration(x, u):
        z, slope = 0.1 * cos(x / 0.5), -0.2 * sin(x / 0.5)
        start = {"x": x, "z": z, "x.": u, "z.": slope * u}
        return ts.simulate(made, 1e-3, initial=start, rate=1000)["x.."][0]

    def slope(f):
        return (8 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12 * h)

    at = {"x": place, "z": 0.1 * cos(place / 0.5), "x.": speed}
    found = ts.linearise(made, at, modes={"line": "slip"}, independent=["x"])
    by_place = slope(lambda d: acceleration(place + d, speed))
    by_speed = slope(lambda d: acceleration(place, speed + d))
    assert found.states == ("x", "x.")
    assert found.A[1] == pytest.approx([by_place, by_speed], rel=1e-7)
    assert found.stable.word == "undecided"


def test_a_block_goes_down_a_slope_at_the_speed_at_which_oil_balances_it():
    """v = m g (sin α − μ cos α)/c is steady, and disturbances die as exp(−c t/m)."""
    alpha, mu, c, m = radians(30), 0.3, 4.0, 2.0
    made = ts.load(
        {
            "gravity": [G * sin(alpha), 0, -G * cos(alpha)],
            "bodies": {"carrier": {"mass": 0}, "block": {"mass": m}},
            "joints": {
                "along": {"type": "prismatic", "bodies": ["ground", "carrier"], "axis": "x",
                          "coordinate": "x"},
                "lift": {"type": "prismatic", "bodies": ["carrier", "block"], "axis": "z",
                         "coordinate": "z"},
            },
            "contacts": {"slope": {"bodies": ["ground", "block"], "normal": "z",
                                   "friction": {"coefficient": mu, "viscous": f"{c} N.s/m"}}},
        }
    )  # fmt: skip
    speed = m * G * (sin(alpha) - mu * cos(alpha)) / c
    found = ts.linearise(made, {"x.": speed}, modes={"slope": "slip"})
    assert found.steady.is_steady
    assert found.eigenvalues == pytest.approx([-c / m], rel=1e-12)


def test_constant_friction_of_a_joint_that_turns_is_in_the_small_motions():
    """A rotor that a couple turns steadily: −c/J, of its oil alone."""
    law = {"coefficient": 0.5, "constant": "0.2 N.m", "viscous": "0.3 N.m.s/rad"}
    made = ts.load(
        {
            "gravity": [0, 0, -G],
            "bodies": {"rotor": {"mass": 1, "inertia": [1, 1, 2]}},
            "joints": {"O": {"type": "revolute", "bodies": ["ground", "rotor"], "axis": "z",
                             "coordinate": "phi", "friction": law}},
            "forces": {"drive": {"type": "joint", "joint": "O", "value": "1.0 N.m"}},
        }
    )  # fmt: skip
    found = ts.linearise(made, {"phi.": (1.0 - 0.5 * 0.2) / 0.3}, modes={"O: friction": "slip"})
    assert found.steady.is_steady
    assert found.eigenvalues == pytest.approx([-0.3 / 2], rel=1e-9)


def test_what_cannot_slide_on_is_said():
    with pytest.raises(ts.SolveError, match=r"not all of what is to slide has a speed: rub"):
        ts.linearise(belt(V=0.0), modes={"rub": "slip"})
    with pytest.raises(ts.SolveError, match=r'"line" would be pulled by .* N: it lifts'):
        ts.linearise(bead(), {"x": 0.0, "z": 0.1, "x.": 9.0}, modes={"line": "slip"})
    with pytest.raises(ts.ModelError, match='contact "road"'):
        ts.linearise(belt(), modes={"road": "slip"})
    with pytest.raises(ts.ModelError, match="contact modes do not apply to a held pose"):
        ts.linearise(belt(), {"x": 0.0}, modes={"rub": "slip"}, held=True)
    with pytest.raises(ts.ModelError, match="slides with friction") as refused:
        ts.in_mode(belt(), {"rub": "slip"})
    told = str(refused.value)
    assert "formulas(mechanism, modes={'rub': 'slip'})" in told
    assert "ts.linearise(mechanism, modes=" in told


def test_sliding_by_the_load_of_a_joint_names_other_calls():
    with pytest.raises(ts.ModelError, match="which depends on reactions") as refused:
        ts.in_mode(ts.load("stopping_block"), {"rail: friction": "slip"})
    assert "formulas" not in str(refused.value)  # it could not either
    assert "friction: {constant: 0.1}" in str(refused.value)


def test_friction_of_a_constant_size_goes_on_in_a_fixed_mode():
    """x + F/k = 13 cos t + 6 sin t until the block stops, at tan t = 6/13."""
    described = ts.load("coulomb_oscillator")
    sliding = ts.in_mode(described, {"rail: friction": "slip"})
    run = ts.simulate(sliding, 0.4, rtol=1e-11)
    assert run["x"][-1] == pytest.approx(13 * np.cos(0.4) + 6 * np.sin(0.4) - 1, rel=1e-9)
    lines = (ts.formalisms.formulas(described, modes={"rail: friction": "slip"}), sliding)
    assert str(lines[0]) == str(ts.formalisms.formulas(lines[1]))
    at = {"x": 1.0, "x.": 2.0}
    through = ts.linearise(described, at, modes={"rail: friction": "slip"})
    assert ts.linearise(sliding, at).eigenvalues == pytest.approx(through.eigenvalues)


def test_dry_and_viscous_friction_of_a_journal_go_on_together_in_a_fixed_mode():
    described = {
        "bodies": {"wheel": {"mass": 1, "inertia": [0.1, 0.1, 0.2]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "wheel"], "axis": "z",
                         "coordinate": "theta",
                         "friction": {"constant": 0.3, "viscous": 0.5}}},
        "initial": {"theta.": 4},
    }  # fmt: skip
    wheel = ts.in_mode(ts.load(described), {"O: friction": "slip"})
    run = ts.simulate(wheel, 0.3, rtol=1e-11)  # I ω̇ = −c − b ω
    expected = (4 + 0.3 / 0.5) * np.exp(-0.5 * 0.3 / 0.2) - 0.3 / 0.5
    assert run["theta."][-1] == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("name", "element", "told"),
    [
        ("stopping_block", "rail: friction", 'rubs by the load of the joint "rail"'),
        ("capstan", "rope", "is a rope about a drum"),
        ("shoe_brake", "brake", "depends on reactions, which a fixed mode does not give"),
    ],
)
def test_friction_of_which_small_motions_are_not_known_is_refused_by_name(name, element, told):
    with pytest.raises(ts.ModelError, match=told):
        ts.linearise(model(name), modes={element: "slip"})


def test_reactions_of_a_state_that_slides_are_refused_and_normal_forces_are_given():
    found = ts.linearise(belt(), modes={"rub": "slip"})
    assert found.steady.multipliers["rub"] == pytest.approx([2.0 * G])
    assert any(notice.startswith('"rub" slides, pressed by') for notice in found.notices)
    with pytest.raises(ts.SolveError, match="unknown while rub slide"):
        _ = found.steady.reactions
