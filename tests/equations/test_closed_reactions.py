"""Reactions and couples in closed form are those of the motion."""

from importlib.resources import files

import numpy as np
import pytest
import yaml
from click.testing import CliRunner
from example_states import moving

import torseur as ts
from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.graph import evaluate, expressions, free_symbols
from torseur.cli.commands import commands
from torseur.equations.formalisms.derive import derive_in_modes

ISOLATED = {  # the body, the axes and the independent speeds of each example
    "compound_pendulum": ("solid", "ground", None),
    "cylinder_contact": ("cylinder", "ground", ["x"]),
    "heavy_top": ("top", "ground", None),
    "propeller": ("propeller", "aircraft", None),
    "spherical_pendulum": ("bob", "ground", None),
    "unbalanced_rotor": ("rotor", "rotor", ["P1_wz"]),
    "vertical_disc": ("disc", "disc", ["theta", "phi"]),
}
SOLVED = (
    "cartesian_pendulum",
    "cylinder_contact",
    "driven_cylinder",
    "pendulum_three_parameters",
    "slider_crank",
    "slider_crank_multipliers",
    "vertical_disc",
)


def example(name):
    return ts.load(str(files("torseur.examples") / f"{name}.yaml"))


@pytest.mark.parametrize("name", ISOLATED)
def test_unknowns_in_closed_form_are_the_reactions_of_the_motion(name):
    mechanism, run, values = moving(name)
    body, axes, independent = ISOLATED[name]
    balance = ts.formalisms.isolate(mechanism, body, axes=axes, independent=independent)
    lines = balance.solved().lines
    assert {x.equation.left.name for x in lines} == set(balance.unknowns)
    known = dict(values)
    for line in lines:
        known[line.equation.left.name] = float(evaluate(line.equation.right, values))
    size = max(1.0, *(np.abs(run.reaction(joint)).max() for joint in mechanism.joints))
    symbolic = ts.torseurs.body_torseurs(mechanism, body).joints
    along = ts.torseurs.body_torseurs(run, body).joints
    for joint, mine in symbolic.items():
        theirs = along[joint]
        for one, other in ((mine.resultant, theirs.resultant), (mine.moment, theirs.moment)):
            found = np.asarray(evaluate(expressions(one), known), dtype=float)
            np.testing.assert_allclose(found, other[1], atol=1e-7 * size)


@pytest.mark.parametrize("name", ISOLATED)
def test_a_balance_speaks_of_the_independent_speeds_alone(name):
    mechanism, _, values = moving(name)
    body, axes, independent = ISOLATED[name]
    if independent is None:
        return
    whole = ts.formalisms.isolate(mechanism, body, axes=axes)
    balance = ts.formalisms.isolate(mechanism, body, axes=axes, independent=independent)
    moved = {x.name for x in free_symbols(balance.dynamic) if x.kind in ("speed", "acceleration")}
    assert {x.rstrip(".") for x in moved} <= set(independent)
    both = [np.asarray(evaluate(x.dynamic, values), dtype=float) for x in (whole, balance)]
    np.testing.assert_allclose(*both, atol=1e-8 * max(1.0, np.abs(both[0]).max()))


@pytest.mark.parametrize("name", SOLVED)
def test_lines_of_accelerations_and_reactions_hold_in_the_motion(name):
    mechanism, run, values = moving(name)
    made = ts.derive(mechanism)
    owners, unknowns = made.constraints.owners, made.constraints.unknowns
    counted = {owner: 0 for owner in owners}
    for owner, x in zip(owners, unknowns, strict=True):
        values = values | {x.name: float(run.multiplier(owner)[1, counted[owner]])}
        counted[owner] += 1
    lines = made.solved(reactions=True)
    found = {x.name for x in unknowns} & {line.name for line in lines.lines}
    assert found
    for line in lines.lines:
        if line.equation is None:
            continue
        left, right = (
            float(evaluate(x, values)) for x in (line.equation.left, line.equation.right)
        )
        assert left == pytest.approx(right, rel=1e-7, abs=1e-7 * max(map(abs, (left, right, 1e-3))))
        others = {x.name for x in free_symbols(line.equation.right)} & {x.name for x in unknowns}
        accelerations = [x for x in free_symbols(line.equation.right) if x.kind == "acceleration"]
        assert not others and not accelerations


def test_a_cylinder_that_slides_has_the_accelerations_of_its_run():
    mechanism = example("cylinder_sliding")
    run = ts.simulate(mechanism, 0.1, rate=50)  # it slides until 0.17 s
    lines = ts.formalisms.formulas(mechanism, modes={"road": "slip"}, reactions=True)
    values = dict(mechanism.parameters) | {"g": 9.81}
    values |= dict(zip(run.model.coordinates, run.q[2], strict=True))
    values |= dict(zip(run.model.speeds, run.v[2], strict=True))
    values |= {f"{v}.": float(x) for v, x in zip(run.model.speeds, run.a[2], strict=True)}
    values["T_road"], values["N_road"] = map(float, run.reaction("road")[2, :2])
    assert [line.name for line in lines.lines] == ["x", "y", "theta", "N_road", "T_road"]
    for line in lines.lines:
        left, right = (
            float(evaluate(x, values)) for x in (line.equation.left, line.equation.right)
        )
        assert left == pytest.approx(right, rel=1e-8, abs=1e-9)
    assert values["x.."] == pytest.approx(
        -9.81 * (np.sin(np.radians(20)) + 0.3 * np.cos(np.radians(20)))
    )


def test_friction_of_what_slides_stands_in_the_lines_with_its_normal_force():
    text = ts.formalisms.formulas("cylinder_sliding", modes={"road": "slip"}).text(ascii_only=True)
    assert text.splitlines()[0] == "x: m*x.. = -f*N_road*sign(r*theta. + x.) - m*g*sin(alpha)"


def test_friction_of_what_slides_is_told_below_its_lines():
    text = str(ts.formalisms.formulas("cylinder_sliding", modes={"road": "slip"}, reactions=True))
    assert "T_road = −m g f sign(r θ̇ + ẋ) cos α" in text
    assert text.splitlines()[-1] == "T_road: tangential force ground → cylinder in road [N]"


def test_friction_along_one_direction_in_space_has_the_sign_of_the_speed():
    """The weight of a governor slides on its pusher along one line, with c sin(β + θ) β̇."""
    text = str(ts.formalisms.formulas("governor_with_friction", modes={"I": "slip"}))
    assert "= −c N_I (f sign(β̇) sin(β + θ) + cos(β + θ))" in text
    assert "where sin(β + θ) > 0" in text


def test_friction_is_the_same_in_coordinates_of_ones_own():
    given = yaml.safe_load((files("torseur.examples") / "cylinder_sliding.yaml").read_text())
    other = ts.load(given | {"coordinates": {"psi": "theta + x"}})
    values = {"m": 2.0, "r": 0.15, "alpha": 0.3, "f": 0.3, "g": 9.81, "y": 0.15, "y.": 0.0}
    values |= {"x.": 2.0, "theta.": -0.4, "psi.": 1.6}

    def factor(line):
        left, kinds = line.equation.left, ("acceleration", "input")
        (one,) = (x for x in free_symbols(left) if x.kind in kinds)
        return derivative(left, one)

    def accelerations(mechanism):
        found = ts.formalisms.formulas(mechanism, modes={"road": "slip"}, reactions=True)
        return {
            x.name: float(evaluate(x.equation.right, values) / evaluate(factor(x), values))
            for x in found.lines
        }

    own, told = accelerations(example("cylinder_sliding")), accelerations(other)
    assert told["x"] == pytest.approx(own["x"], rel=1e-12)
    assert told["psi"] == pytest.approx(own["theta"] + own["x"], rel=1e-12)
    assert told["T_road"] == pytest.approx(own["T_road"], rel=1e-12)


def test_friction_in_quasi_velocities_is_refused():
    with pytest.raises(ts.ModelError, match="is explained in all coordinates"):
        ts.formalisms.formulas(
            "cylinder_sliding",
            "kane",
            modes={"road": "slip"},
            quasi_velocities={"u1": "x. + theta.", "u2": "y.", "u3": "theta."},
        )


def test_a_mode_that_is_kept_is_no_longer_told_to_be_left_out():
    mechanism = example("cylinder_sliding")
    assert any("road" in x for x in mechanism.notices)
    assert not any("road" in x for x in ts.in_mode(mechanism, {"road": "stick"}).notices)
    kept = derive_in_modes(mechanism, "newton-euler", {"road": "slip"})
    assert not any("road" in x for x in kept.system.mechanism.notices)


def test_reactions_that_are_not_determined_are_refused_by_name():
    with pytest.raises(ts.ModelError, match=r"repeat each other \(.*C1.*\): reactions are not"):
        ts.formalisms.formulas("planetary_reducer", reactions=True)


def test_an_unknown_that_bodies_share_is_left_out_of_what_is_solved():
    lines = ts.formalisms.isolate("slider_crank", "piston").solved().lines
    assert {x.equation.left.name for x in lines} == {"N_P", "X_B"}


def test_a_balance_that_determines_no_unknown_says_so():
    with pytest.raises(ts.ModelError, match=r"determine none of 10 unknowns: .*X_A"):
        ts.formalisms.isolate("slider_crank", "rod").solved()


def test_the_command_writes_reactions_and_the_friction_of_a_mode():
    words = ["derive", "cylinder_sliding", "--mode", "road=slip", "--reactions", "--as", "text"]
    out = CliRunner().invoke(commands, words).stdout
    assert "theta: r*theta.. = -2*g*f*sign(r*theta. + x.)*cos(alpha)" in out
    assert "N_road = m*g*cos(alpha)" in out.splitlines() and "notice" not in out


def test_a_defined_joint_carries_wrenches_without_fractions_of_what_moves():
    for name in ("spherical_pendulum", "vertical_disc"):
        assert "/sin" not in str(ts.formalisms.isolate(name))


def test_components_that_do_not_turn_with_the_second_body_are_told_in_the_axes_of_the_first():
    told = {x.names: x.words for x in ts.formalisms.formulas("unbalanced_rotor").legend}
    assert str(told["R1_P2", "R2_P2"]).endswith("in the axes of ground")
    _, run, _ = moving("unbalanced_rotor")
    fixed = run.multiplier("P2")[1]
    np.testing.assert_allclose(fixed, run.reaction("P2")[1, :2], rtol=1e-9)
