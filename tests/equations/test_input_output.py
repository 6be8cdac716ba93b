"""Loops solved in closed form are closed, and move as the equations with multipliers do."""

from dataclasses import replace
from functools import cache
from importlib.resources import files

import numpy as np
import pytest

import torseur as ts
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.equations.formalisms.derive import derive
from torseur.model.values.named_numbers import named_numbers, with_short_loops

LOOPS = {
    "slider_crank": "alpha",
    "four_bar": "alpha",
    "single_cylinder_engine": "phi",
    "slider_crank_multipliers": "alpha",
}
LINKAGES = LOOPS | {"whitworth": "alpha", "peaucellier": "gamma"}
CLOSE = 1e-10  # roots and arc sines of lengths of the size one


def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


@cache
def law(name):
    return ts.linkages.input_output(example(name), LINKAGES[name])


def as_cut(linkage, found):
    """The linkage in the coordinates of its law, whose loops may be cut elsewhere."""
    own = set(found.positions) <= set(linkage.coordinates)
    return linkage if own else with_short_loops(linkage)


@pytest.mark.parametrize("name", LOOPS)
def test_positions_close_the_loops_and_the_motion_is_that_of_the_equations(name):
    """I and Q are those of the reduced equations, and I′ of the law gives the rest of them."""
    found = law(name)
    made = derive(named_numbers(as_cut(example(name), found)))
    parameters = {k: v for k, v in made.system.mechanism.parameters.items() if v is not None}
    reduced = made.reduced([found.input])
    for angle in (0.3, 0.7):
        at = found.at(angle, parameters)
        q = {x: at.get(x, angle) for x in made.coordinates}
        gaps = np.asarray(evaluate(made.constraints.gap, {**parameters, **q}), dtype=float)
        assert np.abs(gaps).max() < CLOSE
        still = reduced.evaluate(q, [0.0], parameters)
        moving = reduced.evaluate(q, [2.0], parameters)
        assert still["M"][0, 0] == pytest.approx(at["I"], rel=1e-9)
        assert (still["Q"] - still["g"])[0] == pytest.approx(at["Q"], rel=1e-9, abs=1e-12)
        step = 1e-5
        after, before = (found.at(angle + k * step, parameters)["I"] for k in (1, -1))
        assert moving["h"][0] == pytest.approx((after - before) / step, rel=1e-6, abs=1e-9)


@pytest.mark.parametrize(
    ("name", "reach"),
    [
        ("four_bar", 1.5),
        ("whitworth", 1.5),
        pytest.param("peaucellier", 0.5, marks=pytest.mark.slow),
    ],
)
def test_positions_are_those_of_the_assembled_linkage_at_random_inputs(name, reach):
    """Near enough to the start that the assembly stays on its branch."""
    found, input = law(name), LINKAGES[name]
    linkage = as_cut(replace(example(name), motions={}), found)
    start = ts.assemble(linkage).coordinates[input]
    for angle in start + np.random.default_rng(3).uniform(-reach, reach, 5):
        at, placed = found.at(angle), ts.assemble(linkage, {input: angle}).coordinates
        for q in found.positions:
            off = at[q] - placed[q]
            turned = min(abs(off), abs(np.angle(np.exp(1j * off))))  # angles, up to whole turns
            assert turned < CLOSE, (q, angle)


def test_the_engine_has_the_law_of_the_course():
    """P-Ex4.1: x = a cos φ + √(b² − a² sin² φ), so that dx/dφ = −a u(φ)."""
    found = law("single_cylinder_engine")
    assert str(found.positions["x"]) == "a*cos(phi) + sqrt(b^2 - a^2*sin(phi)^2)"
    assert found.text().splitlines()[-1] == "φ: I φ̈ + I_φ φ̇²/2 = Q"


def test_the_slider_crank_has_the_law_of_the_appendix():
    """N-SC1: β = −asin(l1 sin α / l2), λ = l1 cos α + l2 cos β."""
    found = law("slider_crank_multipliers")
    assert str(found.positions["beta"]) == "-asin(l1*sin(alpha)/l2)"
    assert str(found.positions["lam"]) == "l1*cos(alpha) + l2*cos(beta)"


def test_a_governor_of_two_freedoms_has_its_sleeve_as_a_function():
    """G-TD2: λ = c sin(θ + β)."""
    found = ts.linkages.input_output(example("speed_governor_relation"), "beta")
    assert str(found.positions["lam"]) == "c*sin(beta + theta)"
    assert found.inertia is None


def test_loops_without_a_closed_form_say_why():
    with pytest.raises(ts.ModelError, match="has no closed form"):
        ts.linkages.input_output(example("five_bar"), "alpha")


SCISSORS = {
    "gravity": [0, -9.81, 0],
    "parameters": {"l": 1.2, "P": 100},
    "bodies": {"arm1": {}, "arm2": {}, "shoe": {}, "platform": {"mass": "P"}},
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "arm1"], "axis": "z",
              "point": [[0, 0, 0], ["-l/2", 0, 0]], "coordinate": "alpha"},
        "E": {"type": "pivot", "bodies": ["arm1", "arm2"], "axis": "z", "coordinate": "eps"},
        "slide": {"type": "slider", "bodies": ["ground", "shoe"], "axis": "x", "coordinate": "x"},
        "B": {"type": "pivot", "bodies": ["shoe", "arm2"], "axis": "z",
              "point": [[0, 0, 0], ["l/2", 0, 0]]},
        "C": {"type": "fixed", "bodies": ["arm2", "platform"],
              "point": [["-l/2", 0, 0], [0, 0, 0]]},
    },
    "initial": {"alpha": 0.5, "eps": -1.0},
}  # fmt: skip


def test_an_angle_that_is_a_multiple_of_the_input_is_put_in():
    """sin(α + ε) = −sin α gives ε = −2α, without the arc sine of a sine, and x = l cos α."""
    found = ts.linkages.input_output(ts.load(SCISSORS), "alpha")
    assert str(found.positions["x"]) == "l*cos(alpha)"
    assert found.text(ascii_only=True).splitlines()[-3:-1] == [
        "I = P*l^2*cos(alpha)^2",
        "Q = -P*g*l*cos(alpha)",
    ]


def test_a_governor_that_spins_has_its_sleeve_and_its_other_arm_as_functions():
    """P-Ex4.5: z = 2 a cos α; how the spindle turns has no part in it."""
    found = ts.linkages.input_output(example("ball_governor"), "alpha1")
    assert str(found.positions["z"]) == "2*a*cos(alpha1)"
    assert found.at(0.7)["alpha2"] == pytest.approx(0.7)


def test_gears_that_two_linear_conditions_tie_have_a_law():
    law = ts.linkages.input_output("planetary_reducer", "theta1")
    a, b = (law.constants[x] for x in "ab")
    found = law.at(0.7)
    assert found["theta2"] == pytest.approx(0.7 * a / (2 * (a + b)))
    assert found["spin1"] + found["theta2"] == pytest.approx(-0.7 * a / (2 * b))
    assert not {x.name for x in free_symbols(law.inertia)} & {"theta2_theta1", "spin1_theta1"}


def test_a_rate_comes_from_the_condition_that_ties_it_to_the_input_alone():
    law = ts.linkages.input_output("slider_crank", "alpha")
    assert str(law.rates["psi"]) == "l1*cos(alpha)/(l2*cos(psi))"
