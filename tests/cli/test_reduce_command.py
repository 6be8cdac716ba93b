"""`torseur reduce`: terms dropped by a tolerance, by name, from a table; measured errors."""

import json
import re
from importlib.resources import files

import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.commands import commands

ARM = """torseur: 1
name: arm
gravity: [0, 0, -9.81]
bodies:
  upper: {mass: 3, centre: [0.25, 0, 0], inertia: [0.01, 0.06, 0.06]}
  fore: {mass: 2, centre: [0.2, 0, 0], inertia: [0.01, 0.03, 0.03]}
  hand: {mass: 0.4, centre: [0.05, 0, 0], inertia: [0.001, 0.001, 0.001]}
joints:
  A: {type: pivot, bodies: [ground, upper], axis: y, coordinate: q1}
  B: {type: pivot, bodies: [upper, fore], point: [[0.5, 0, 0], [0, 0, 0]], axis: y, coordinate: q2}
  C: {type: pivot, bodies: [fore, hand], point: [[0.4, 0, 0], [0, 0, 0]], axis: x, coordinate: q3}
"""
MOTION = ("--to", "q1=1", "--to", "q2=0.5", "--duration", "1", "--lang", "en")


@pytest.fixture
def arm(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(ARM, encoding="utf-8")
    return str(path)


def run(*line, typed=None):
    return CliRunner().invoke(commands, ["reduce", *line], input=typed)


def test_a_tolerance_drops_terms_and_the_error_is_below_it(arm):
    outcome = run(arm, *MOTION, "--tolerance", "0.02", "--json")
    document = json.loads(outcome.output)
    assert document["operations"] < document["full_operations"]
    assert document["error"] <= 0.02
    task = ts.robots.quintic({"q1": [0, 1], "q2": [0, 0.5], "q3": [0, 0]}, [0, 1])
    same = ts.robots.reduced(ts.load(arm), task, 0.02)
    assert document["operations"] == same.operations.total
    assert document["error"] == pytest.approx(same.error)


def test_terms_are_chosen_from_the_table_and_the_error_follows_each_choice(arm):
    """The weight of the hand about its own axis, then all that is smaller than a thousandth."""
    outcome = run(arm, *MOTION, "--tolerance", "0", "--interactive", typed="1 2\n99\n3\n\n")
    assert outcome.exit_code == 0, outcome.output
    assert '"99" is no number of the table' in outcome.output
    listed = [x for x in outcome.output.splitlines() if re.match(r" *\d+  q\d", x)]
    shares = [float(x.split()[-1].rstrip("%")) for x in listed]
    assert shares == sorted(shares)  # the smallest first
    assert len(re.findall(r"largest error along the task", outcome.output)) == 3
    last = outcome.output.split("terms left out: ")[-1]
    assert last.startswith("3")


def test_named_terms_a_frozen_wrist_and_no_velocity_terms(arm):
    dropped = json.loads(run(arm, *MOTION, "--tolerance", "0", "--drop", "q1: gravity",
                             "--json").output)  # fmt: skip
    assert [(x["equation"], x["term"]) for x in dropped["dropped"]] == [("q1", "gravity")]
    assert dropped["errors"]["q1"] > 0.3 and dropped["errors"]["q2"] == 0
    for option in (("--no-velocity-terms",), ("--frozen", "q3")):
        document = json.loads(run(arm, *MOTION, *option, "--json").output)
        assert document["operations"] < document["full_operations"]


def test_what_is_no_term_is_refused(arm):
    outcome = run(arm, *MOTION, "--drop", "gravity")
    assert outcome.exit_code
    assert "EQUATION: TERM" in str(outcome.exception)


def test_the_reduced_model_is_written_as_source(arm, tmp_path):
    outcome = run(arm, *MOTION, "--export", "c", "--out", str(tmp_path / "code"))
    assert outcome.exit_code == 0, outcome.output
    assert list((tmp_path / "code").glob("*.c"))


def test_the_command_works_on_an_example():
    outcome = run(str(files("torseur.examples") / "puma560.yaml"), "--to", "q1=60 deg",
                  "--duration", "1", "--lang", "en")  # fmt: skip
    assert outcome.exit_code == 0, outcome.output
    assert "instead of" in outcome.output
