"""Every formalism, by its own route, gives the same equations; where it cannot, it says why."""

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from random_systems import KINDS, random_system

import torseur as ts
from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.cli.equations.derive import derive as command
from torseur.equations.formalisms.compare import EQUAL, differences, largest_difference, sampled
from torseur.equations.motion.parametrisation import eliminated, in_variables, quasi_velocities
from torseur.equations.symbols.system import system
from torseur.model.constraints.relation import CoordinateMotion

EXAMPLES = sorted(x.name for x in files("torseur.examples").iterdir() if x.suffix == ".yaml")
EVERYWHERE = {"newton-euler", "lagrange", "kane", "virtual-power", "gibbs-appell"}
CRANK = str(Path(__file__).parents[1] / "models" / "slider_crank.yaml")


def check_agreement(made):
    found = ts.formalisms.compare(made)
    assert found.agree, str(found)
    applied = [row for row in found.rows if row.applies]
    assert {row.formalism for row in applied} >= EVERYWHERE | {"absolute"}
    assert all(row.difference is not None for row in applied)
    assert all(row.applies or row.reason for row in found.rows)


@pytest.mark.sampled(4, kind=lambda seed: seed % len(KINDS))
@pytest.mark.parametrize("seed", range(50))
def test_formalisms_agree_on_trees_loops_rolling_and_imposed_motions(seed):
    """Fifty mechanisms of two or three bodies, with loads, motors and rotors."""
    check_agreement(random_system(np.random.default_rng(seed), KINDS[seed % len(KINDS)]))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@given(seed=st.integers(50, 10**6))
def test_no_mechanism_is_found_on_which_formalisms_differ(kind, seed):
    check_agreement(random_system(np.random.default_rng(seed), kind))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_formalisms_agree_on_every_example(name):
    found = ts.formalisms.compare(ts.load(files("torseur.examples") / name))
    assert found.agree, str(found)


def test_formalisms_agree_where_a_law_is_put_in_before_a_ball_turns():
    """The variables that are left stand elsewhere than in the tree: quaternions are unit ones."""
    ball = {"type": "spherical", "bodies": ["cart", "bob"], "point": [[0, 0, 0], [0, 0.3, 0]]}
    rail = {"type": "prismatic", "bodies": ["ground", "cart"], "axis": "x", "coordinate": "x"}
    made = {
        "bodies": {"cart": {"mass": 2}, "bob": {"mass": 1, "inertia": [0.3, 0.2, 0.4]}},
        "joints": {"rail": rail, "ball": ball},
        "motions": {"drive": {"coordinate": "x", "law": "sin(3*t)"}},
    }
    found = ts.formalisms.compare(ts.load(made), ["newton-euler", "lagrange"])
    assert "lagrange, laws put in" in [row.formalism for row in found.rows]
    assert found.agree, str(found)


def bead(law):
    """A particle on a wire z = law(x) that turns with the coordinate phi."""
    return ts.load(
        {
            "parameters": {"m": 0.3, "a": 1.5, "w": 4.0},
            "gravity": [0, 0, -9.81],
            "bodies": {"wire": {"mass": 1, "inertia": [1, 1, 1]}, "bead": {"mass": "m"}},
            "joints": {
                "axis": {
                    "type": "pivot", "bodies": ["ground", "wire"], "axis": "z",
                    "coordinate": "phi",
                },
                "curve": {
                    "type": "defined", "bodies": ["wire", "bead"], "coordinates": ["x"],
                    "position": ["x", 0, law],
                },
            },
        }
    )  # fmt: skip


def test_particles_on_curves_go_through_every_formalism_that_takes_defined_joints():
    found = ts.formalisms.compare(bead("a*x^2"))
    assert found.agree, str(found)
    applied = {row.formalism for row in found.rows if row.applies}
    assert applied >= EVERYWHERE | {"hamilton"}


# --- what is shown when two differ ---------------------------------------------------------------


def test_a_wrong_term_is_named_with_both_formulas():
    """The classical slip of E2-7: a Coriolis term without its factor two."""
    arm = ts.load(
        {
            "parameters": {"m": 1, "a": 0.2},
            "bodies": {"arm": {"mass": 1, "inertia": [1, 1, 1]}, "slide": {"mass": "m"}},
            "joints": {
                "turn": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z"},
                "rail": {"type": "prismatic", "bodies": ["arm", "slide"], "axis": "x"},
            },
        }
    )
    right = ts.derive(arm, "lagrange")
    wrong = replace(right, formalism="by hand", h=np.array([right.h[0] / 2, right.h[1]]))
    assert largest_difference(right, right) == 0
    assert largest_difference(right, wrong) > 0.1
    (found,) = differences(right, wrong, sampled([right, wrong], 1))
    assert found.output == "h[turn.]" and found.term == "turn. rail."
    assert found.values[0] == pytest.approx(2 * found.values[1])
    assert "by hand" in str(found) and "lagrange" in str(found)


def test_the_command_shows_all_formalisms_and_their_cost():
    result = CliRunner().invoke(command, [CRANK, "--compare"])
    assert result.exit_code == 0
    for name in (*EVERYWHERE, "hamilton", "augmented-bodies", "uicker"):
        assert name in result.output
    assert "agree to 1e-12" in result.output


def test_the_command_takes_quasi_velocities_and_eliminations():
    phrase = ["RZ(q1), TYK(L1), RZ(q2), TYK(L2);", "--masses", "lever"]
    result = CliRunner().invoke(command, [*phrase, "--quasi", "u1=q1.", "--quasi", "u2=q1.+q2."])
    assert result.exit_code == 0 and "u2" in result.output
    rolling = str(files("torseur.examples") / "cylinder_multiplier.yaml")
    for name, left in (("theta", "x"), ("x", "theta")):
        made = CliRunner().invoke(command, [rolling, "--eliminate", f"rolling={name}", "--json"])
        assert json.loads(made.output)["coordinates"] == [left]
    governor = str(files("torseur.examples") / "turning_arm.yaml")
    result = CliRunner().invoke(command, [governor, "--eliminate", "drive", "--of", "T2,T1,T0,H"])
    assert "T0 = " in result.output and "T1 = 0" in result.output
    result = CliRunner().invoke(command, [*phrase, "--quasi", "u1"])
    assert isinstance(result.exception, ts.ModelError) and "U=EXPR" in str(result.exception)


# --- what does not apply -------------------------------------------------------------------------


def reason(made, formalism):
    (row,) = ts.formalisms.compare(made, [formalism]).rows
    assert not row.applies
    return row.reason


def test_hamilton_says_what_rolling_lacks():
    made = random_system(np.random.default_rng(2), "rolling")
    found = reason(made, "hamilton")
    assert "speeds" in found and ("contact" in found or "rates" in found)


def test_hamilton_says_that_quaternions_have_no_momenta():
    ball = ts.load(
        {
            "bodies": {"ball": {"mass": 1, "inertia": [1, 2, 3]}},
            "joints": {"O": {"type": "spherical", "bodies": ["ground", "ball"]}},
        }
    )
    assert "3 speeds are not the rates of its 4 coordinates" in reason(ball, "hamilton")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"quasi_velocities": {"u1": "alpha."}}, "1 given, but the mechanism has 3 speeds"),
        (
            {"quasi_velocities": {"u1": "alpha.^2", "u2": "beta.", "u3": "x."}},
            'not linear in the speed "alpha."',
        ),
        (
            {"quasi_velocities": {"u1": "alpha.", "u2": "alpha.", "u3": "x."}},
            "are not independent",
        ),
        ({"quasi_velocities": {"u1": "gamma.", "u2": "beta.", "u3": "x."}}, '"gamma."'),
        ({"eliminate": ["A"]}, "option"),
    ],
)
def test_choices_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ts.ModelError, match=message.replace(".", r"\.")):
        ts.derive(ts.load(CRANK), "kane", **options)


def test_loops_and_speeds_cannot_be_put_into_the_energy():
    with pytest.raises(ts.ModelError, match="closes a loop"):
        closing = ts.derive(ts.load(CRANK)).constraints.owners[0]
        ts.derive(ts.load(CRANK), "lagrange", eliminate=[closing])


# --- other variables -----------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [0, 1, 3])
def test_kane_in_quasi_velocities_is_the_projection_of_newton_and_euler(seed):
    rng = np.random.default_rng(seed)
    made = random_system(rng, KINDS[seed % len(KINDS)])
    own = system(made)
    Y = rng.normal(size=(len(own.v), len(own.v))) + 3 * np.eye(len(own.v))
    t = symbol("t", "time")
    given = {f"u{k}": row @ own.v + t * rng.normal() for k, row in enumerate(Y)}
    kane = ts.derive(made, "kane", quasi_velocities=given)
    projected = in_variables(ts.derive(made), quasi_velocities(own, given))
    assert kane.speeds == tuple(given)
    assert largest_difference(projected, kane) < EQUAL


@pytest.mark.parametrize("seed", range(3, 16, 4))
def test_constraints_in_other_variables_have_the_rates_they_say(seed):
    """J v + b is the rate of the gap, J a + γ the rate of J v + b, on finite differences."""
    made = random_system(np.random.default_rng(seed), "imposed")
    laws = [name for name, x in made.motions.items() if isinstance(x, CoordinateMotion)]
    chosen = eliminated(system(made), laws)
    held = chosen.constraints
    if held is None or not len(held.gap):
        pytest.skip("nothing is left to hold")
    rng = np.random.default_rng(seed)
    spoken = free_symbols([*held.gap, *held.J.ravel(), *held.bias, *chosen.rates])
    values = {x.name: rng.uniform(0.3, 1.2) for x in spoken} | {"t": 0.4}
    values |= {x.name: rng.uniform(0.3, 1.2) for x in (*chosen.q, *chosen.u)}
    rows = list(held.positions)

    def at(outputs, shift, speed_shift=0.0):
        rates = np.asarray(evaluate(chosen.rates, values), dtype=float)
        moved = dict(values, t=values["t"] + shift)
        for x, rate in zip(chosen.q, rates, strict=True):
            moved[x.name] = values[x.name] + shift * rate
        return np.asarray(evaluate(outputs, moved), dtype=float)

    e = 1e-5
    speed = held.J @ chosen.u + held.rate
    rate = (at(held.gap, e) - at(held.gap, -e)) / (2 * e)
    np.testing.assert_allclose(at(speed[rows], 0.0), rate, atol=1e-8)
    rate = (at(speed, e) - at(speed, -e)) / (2 * e)
    np.testing.assert_allclose(at(held.bias, 0.0), rate, atol=1e-8)
