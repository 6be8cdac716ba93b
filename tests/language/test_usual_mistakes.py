"""Mistakes that students and engineers make: the message names the one that was made."""

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.app.answers import checked, motion
from torseur.cli.app.edits import Desk, Edit
from torseur.cli.commands import commands
from torseur.errors import ModelError, suggestion
from torseur.language.yaml.form import yaml_mechanism
from torseur.words.language import speaking

MODEL = """name: pendulum
gravity: [0, -g, 0]
parameters: {m: 2 kg, l: 0.6 m, g: 9.81}
bodies:
  bâtonnet: {mass: m, centre: [0, -l/2, 0], inertia: [m*l^2/12, 0, m*l^2/12]}
joints:
  A: {type: pivot, bodies: [ground, bâtonnet], axis: z, coordinate: theta}
initial: {theta: 30 deg}
"""
SPRING = (
    "forces: {f: {type: spring, between: [[ground, [1, 0, 0]], [bâtonnet, [0, 0, 0]]], k: 40}}\n"
)

MISTAKES = {  # what is written, what for, what the message says and does not say
    "a decimal comma": ("0.6 m", "'0,6 m'", "Decimals are written with a point", ""),
    "a decimal comma in braces": ("0.6 m", "0,6 m", "comma meant as a decimal point", ""),
    "a decimal comma in a vector": ("-l/2, 0]", "-0,3, 0]", "comma meant as a decimal point", ""),
    "the size of gravity": ("[0, -g, 0]", "9.81", "0] if y points up, [0, 0, -9.81]", ""),
    "gravity by its sign": ("[0, -g, 0]", "-9.81", "[0, 0, -9.81] if z points up", "--9.81"),
    "gravity by its letter": ("[0, -g, 0]", "g", "[0, -g, 0] if y points up", "[0, 0, g]"),
    "gravity by an axis": ("[0, -g, 0]", "-y", "down: [0, -9.81, 0] if y points up.", "-y,"),
    "gravity that is a letter without value": (", g: 9.81", "", 'Add "g" to the parameters', ""),
    "a product without a star": ("-l/2", "-0.5l", 'multiplication before "l" is missing', "lb"),
    "a product with a space": ("-l/2", "-2 l", 'multiplication before "l" is missing', "lb"),
    "a product with a cross": ("-l/2", "-2xl", 'star before "l"', "xl\" does"),
    "an axis of two components": ("axis: z", "axis: [1, 1]", "add the third component", '"1" does'),
    "a plane by its axis": (
        "type: pivot, bodies: [ground, bâtonnet], axis: z, coordinate: theta",
        "type: planar, bodies: [ground, bâtonnet], axis: z, coordinates: [x, y, theta]",
        'Did you mean "normal"?', "",
    ),
    "bodies with dashes": ("  bâtonnet: {", "  - {name: b, ", "a colon in place", "no body is"),
    "twice pi": ("-l/2", "2pi", 'multiplication before "pi" is missing', ""),
    "a product of letters": ("[m*l^2", "[ml^2", 'To multiply, write "m*l".', 'mean "m"'),
    "a product with a dot": ("[m*l^2", "[m.l^2", "Products are written with a star", ""),
    "a factor that is a unit": ("mass: m,", "mass: 2m,", 'by the name "m", write a star', ""),
    "a capital": ("-l/2", "-L/2", 'Did you mean "l"?', "A unit follows"),
    "capitals in a section": ("joints:", "Joints:", 'Did you mean "joints"?', "points\"?"),
    "an accent that is left out": ("[ground, bâtonnet", "[ground, Batonnet", 'mean "bâtonnet"', ""),
    "a comma that is left out": ("[ground, bât", "[ground bât", 'between "ground" and "bât', ""),
    "commas left out of a vector": ("[0, -l/2, 0]", "[0 -l/2 0]", 'between "0" and "-l/2"', ""),
    "semicolons": ("[0, -l/2, 0]", "[0; -l/2; 0]", 'between "0" and "-l/2"', ""),
    "parentheses": ("[0, -l/2, 0]", "(0, -l/2, 0)", "Write lists in brackets", "[0, 0, (0]"),
    "no brackets": ("[0, -l/2, 0]", "0 -l/2 0", "with commas: [0, -l/2, 0]", ""),
    "bodies without brackets": ("[ground, bâtonnet]", "ground, bâtonnet", "[ground, bâtonnet]", ""),
    "bodies with a hyphen": ("[ground, bâtonnet]", "ground-bâtonnet", "[ground, bâtonnet]", ""),
    "the ground by another name": ("[ground,", "[world,", 'does not move is called "ground"', ""),
    "a colon that is left out": ("gravity: [", "gravity [", "colon missing in line 2", ""),
    "a colon without a space": ("mass: m,", "mass:m,", 'after the colon: "mass: m"', ""),
    "a first colon without a space": ("name: p", "name:p", "space missing after the colon of", ""),
    "an equals sign": ("{m: 2 kg", "{m = 2 kg", 'Write a colon: "m: 2 kg"', ""),
    "a tab": ("  A: {", "\tA: {", "Line 7 begins with a tab", ""),
    "a part that is not indented": ("  A: {", "A: {", 'if it belongs to "joints"', ""),
    "a brace that stays open": ("theta}\n", "theta\n", "brace of line 7 not closed", ""),
    "dashes": ("  A: {type", "  - {type", "a name and a colon in place of its dash", ""),
    "a capital in a unit": ("2 kg", "2 Kg", 'Did you mean "kg"?', ""),
    "millimetres in capitals": ("0.6 m", "600 MM", 'Did you mean "mm"?', ""),
    "a unit in words": ("0.6 m", "0.6 mètres", 'Did you mean "m"?', ""),
    "degrees in words": ("30 deg", "30 degrés", 'Did you mean "deg"?', ""),
    "units without a dot": ("g: 9.81", "g: 9.81, c: 4 Nm", 'Did you mean "N.m"?', ""),
    "an inertia without dots": ("[m*l^2/12,", "[0.1 kgm2,", 'Did you mean "kg.m^2"?', ""),
    "seconds": ("{theta: 30 deg}", "{theta.: 3 rad/sec}", 'For the unit write "s"', ""),
    "a power without its sign": ("9.81}", "9.81 m/s2}", 'power of a unit write "s^2"', ""),
    "a thousand with a space": ("2 kg", "1 000 kg", "Write digits without separators", "star"),
    "a root sign": ("-l/2", "-√2*l", "For a root write sqrt(…)", ""),
    "a half": ("-l/2", "-½*l", 'Write "1/2"', ""),
    "a function without parentheses": ("-l/2", "-l*sin m", "in parentheses: sin(…)", "star"),
    "the largest of one": ("-l/2", "max(l)", "compares two values at one instant", ""),
    "a coordinate in a constant": ("-l/2", "-l*sin(theta)", "is a coordinate, but this value", ""),
    "a speed with a d": ("{theta: 30", "{dtheta: 30", 'speed of "theta" is written "theta."', ""),
    "a speed in words": ("{theta: 30", "{theta_dot: 30", 'is written "theta."', ""),
    "a speed with a prime": ("{theta: 30", "{theta': 30", 'is written "theta."', ""),
    "one moment of inertia": ("[m*l^2/12, 0, m*l^2/12]", "m*l^2", "[0, 0, m*l^2], for", ""),
    "one limit": ("theta}\n", "theta, limits: 90 deg}\n", "[-90 deg, 90 deg], for instance", ""),
    "a type in the plural": ("type: pivot", "type: pivots", 'Did you mean "pivot"?', ""),
    "a joint to itself": ("[ground, bât", "[bâtonnet, bât", "to itself", ""),
    "a key by its letter": ("initial:", f"{SPRING}initial:", 'Did you mean "stiffness"?', ""),
    "a weight": ("initial:", "forces: {p: {type: poids}}\ninitial:", "Weights follow from", ""),
    "a force": ("initial:", "forces: {p: {type: force}}\ninitial:", 'of type "wrench"', "frein"),
}  # fmt: skip


def message(text):
    with pytest.raises(ModelError) as caught:
        yaml_mechanism(text, "m.yaml")
    return caught.value


@pytest.mark.parametrize("name", MISTAKES)
def test_the_message_names_the_mistake(name):
    right, wrong, said, unsaid = MISTAKES[name]
    assert MODEL.count(right) == 1, "each mistake is one change"
    told = str(message(MODEL.replace(right, wrong)))
    assert said in told
    assert not unsaid or unsaid not in told


@pytest.mark.parametrize("name", MISTAKES)
def test_what_is_said_in_french_is_french(name):
    right, wrong, *_ = MISTAKES[name]
    error = message(MODEL.replace(right, wrong))
    english, french = error.said("en").splitlines(), error.said("fr").splitlines()
    assert len(english) == len(french)
    same = {a for a, b in zip(english, french, strict=True) if a == b}
    shown = {x for x in same if x.startswith("    ")}  # the line of the user, and its caret
    assert same == shown


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("30 deg", "90"), ("30 deg", "-45"), ("theta}", "theta, limits: [-90, 90]}")],
)
def test_an_angle_that_is_a_number_of_degrees_is_told(right, wrong):
    found = yaml_mechanism(MODEL.replace(right, wrong), "m.yaml")
    assert [x for x in ts.check(found).notices if "deg meant?" in x]
    with speaking("fr"):
        assert "liaison « A » : theta vaut" in str(ts.check(found))


def test_degrees_are_told_in_motions_in_batches_on_the_command_line_and_in_the_app(tmp_path):
    model = tmp_path / "m.yaml"
    text = MODEL.replace("30 deg", "90").replace("m*l^2/12, 0,", "m*l^2/12, m*l^2/12,")
    model.write_text(text, encoding="utf-8")
    told = "theta is 90 rad, 14.3 turns; is 90 deg meant?"
    for command in (["check"], ["derive"], ["simulate", "--duration", "0.1"]):
        answer = CliRunner().invoke(commands, [command[0], str(model), *command[1:]])
        assert told in answer.output, command
    desk, edit = Desk(), Edit(text, duration=0.1)
    assert told in checked(desk, edit)["html"]
    assert any(told in line for line in motion(desk, edit)["lines"])


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
@pytest.mark.parametrize(
    ("start", "told"), [(60, ["60 deg"]), ("60 deg", []), (np.array([0.1, 45.0]), ["45 deg"])]
)
def test_degrees_given_in_python_are_told_by_the_run(coordinates, start, told):
    model = yaml_mechanism(MODEL.replace("0, m*l^2/12]", "m*l^2/12, m*l^2/12]"), "m.yaml")
    run = ts.simulate(model, 0.1, initial={"theta": start}, coordinates=coordinates)
    found = [x for x in run.notices if "deg meant?" in x]
    assert [x in y for x, y in zip(told, found, strict=True)] == [True] * len(told)


def test_angles_in_radians_are_not_taken_for_degrees():
    for start in ("0.5236", "6.2832", "-3.1416", "pi/2 rad", "90 deg", "7.5"):
        found = yaml_mechanism(MODEL.replace("30 deg", start), "m.yaml")
        assert not [x for x in ts.check(found).notices if "meant" in x]


@pytest.mark.parametrize(
    ("given", "known", "meant"),
    [
        ("L", ["m", "l"], "l"),
        ("Joints", ["points", "joints"], "joints"),
        ("batonnet", ["ground", "bâtonnet"], "bâtonnet"),
        ("newton_euler", ["lagrange", "newton-euler"], "newton-euler"),
        ("slider crank", ["slider_crank"], "slider_crank"),
    ],
)
def test_a_name_that_differs_by_capitals_accents_or_hyphens_is_the_one_that_is_meant(
    given, known, meant
):
    assert suggestion(given, known) == (f'Did you mean "{meant}"?',)


def test_the_place_of_a_part_is_said_in_the_language_of_the_sentence():
    text = MODEL.replace("2 kg", "2 m").replace("mass: m,", "mass: 2 kg,")
    error = message(text)
    assert 'body "bâtonnet"' in error.said("en")
    assert "solide « bâtonnet »" in error.said("fr") and "body" not in error.said("fr")


def test_speeds_by_other_names_are_told_in_python_too():
    model = yaml_mechanism(MODEL, "m.yaml")
    with pytest.raises(ModelError, match=r'The speed of "theta" is written "theta\.'):
        ts.simulate(model, 1, initial={"theta_dot": 1})
    with speaking("fr"), pytest.raises(ModelError, match=r"s'écrit « theta\. »"):
        ts.simulate(model, 1, initial={"dtheta": 1})


@pytest.mark.parametrize(
    ("line", "meant"),
    [
        (["simulate", "double_pendulum", "--parameters", "l1=1"], "--set"),
        (["simulate", "double_pendulum", "-d", "1"], "--duration"),
        (["export", "double_pendulum", "--language", "c"], "--to"),
    ],
)
def test_an_option_of_other_programs_is_the_one_that_is_meant(line, meant):
    answer = CliRunner().invoke(commands, line)
    assert answer.exit_code == 2
    assert f"Did you mean '{meant}'?" in answer.output


def test_a_dict_is_expected_where_a_model_stands():
    with pytest.raises(ModelError, match="the path of a file or a dict"):
        ts.load(3)


def test_speeds_by_other_names_are_told_on_a_command_line_too():
    for lang, told in (("en", 'The speed of "theta1" is written "theta1."'), ("fr", "« theta1. »")):
        line = ["simulate", "double_pendulum", "--duration", "1", "--set", "theta1_dot=1"]
        answer = CliRunner().invoke(commands, [*line, "--lang", lang])
        assert told in answer.exception.said(lang)
