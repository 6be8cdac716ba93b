"""Values and options are checked at the door, and what a run passes over is told."""

import json
import math
import os
import re
import sys

import numpy as np
import pytest

import torseur as ts
from torseur.cli.main import main
from torseur.model.checks.limits import LARGEST_FILE, LARGEST_TABLE, MOST_PARAMETERS
from torseur.report.pages.json_documents import json_text

PENDULUM = {
    "gravity": [0, "-g", 0],
    "parameters": {"m": 2, "l": "0.5 m", "g": 9.81},
    "bodies": {"arm": {"mass": "m", "centre": ["l", 0, 0], "inertia": [0, 0, 0.1]}},
    "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "q"}},
}
FILE = """gravity: [0, -9.81, 0]
parameters: {m: 2, l: 0.5 m}
bodies: {arm: {mass: m, centre: [l, 0, 0], inertia: [0, 0, 0.1]}}
joints: {O: {type: pivot, bodies: [ground, arm], axis: z, coordinate: q}}
"""


@pytest.fixture
def model(tmp_path):
    path = tmp_path / "arm.yaml"
    path.write_text(FILE, encoding="utf-8")
    return str(path)


@pytest.fixture
def command(monkeypatch, capsys):
    """The exit code, standard output and standard error of a command."""

    def done(*words):
        monkeypatch.setattr(sys, "argv", ["torseur", *map(str, words)])
        code = 0
        try:
            main()
        except SystemExit as ended:
            code = ended.code
        return code, *capsys.readouterr()

    return done


# --- values -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        ("m=-1", "mass"),
        ("m=nan", "not a finite number"),
        ("m=1e200", "too large"),
        ("m=3 m", "is a length [m]"),
        ("l=2 kg", "is a mass [kg]"),
        ("q=1e200", "too large"),
        ("q=1e13", "Angles lie between"),
        ("q=2 m", "is a length [m]"),
        ("nothing=1", "does not exist"),
    ],
)
def test_a_setting_is_refused_like_the_description(command, model, setting, words):
    code, _, told = command("simulate", model, "--duration", 0.1, "--set", setting)
    assert code == 2
    assert words in told


def test_values_have_units_in_the_shell_and_in_python(command, model):
    _, shown, _ = command("simulate", model, "--duration", 0.1, "--set", "q=60 deg", "--json")
    again = ts.simulate(ts.load(PENDULUM), 0.1, initial={"q": "60 deg"}, parameters={"m": "2000 g"})
    assert json.loads(shown)["final"]["q"] == pytest.approx(again["q"][-1], rel=1e-9)
    assert again["q"][0] == pytest.approx(math.pi / 3)


@pytest.mark.parametrize(
    "initial",
    [[1.0], {"q": "60 m"}, {"q": None}, {"q": [[1, 2], [3, 4]]}, {"q": math.inf}, {"z": 1}, "q=1"],
)
def test_a_start_that_makes_no_sense_is_told_by_name(initial):
    with pytest.raises(ts.ModelError):
        ts.simulate(ts.load(PENDULUM), 0.1, initial=initial)


def test_an_initial_angle_of_many_turns_is_allowed_and_one_without_digits_is_not():
    ts.load(PENDULUM | {"initial": {"q": "1e6 tr"}})
    for value in ("1e13", "1e151", "1e400"):
        with pytest.raises(ts.ModelError, match=r"Angles lie|Numbers lie"):
            ts.load(PENDULUM | {"initial": {"q": value}})


# --- options ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "options",
    [
        {"duration": math.inf},
        {"duration": math.nan},
        {"duration": 0.0},
        {"duration": -1.0},
        {"duration": "long"},
        {"duration": 1e-308},
        {"duration": 1e151},
        {"start": 1e-308},
        {"rate": 1e15},
        {"rate": math.inf},
        {"rtol": 0.0},
        {"rtol": 2.0},
        {"step": 0.0, "method": "rk4"},
        {"step": math.nan, "method": "rk4"},
        {"step": -1e-3, "method": "symplectic"},
        {"step": 1e-14, "method": "rk4"},
    ],
)
def test_options_that_cannot_be_computed_are_refused_first(options):
    given = {"duration": 1.0} | options
    with pytest.raises(ts.ModelError) as caught:
        ts.simulate(ts.load(PENDULUM), **given)
    assert next(iter(options)) in str(caught.value)


@pytest.mark.parametrize("option", ["--duration", "--rate", "--rtol", "--step"])
@pytest.mark.parametrize("value", ["inf", "nan", "-inf", "0"])
def test_the_shell_refuses_them_too(command, model, option, value):
    words = {"--duration": "1"} | {option: value}
    code, _, told = command("simulate", model, *(x for pair in words.items() for x in pair))
    assert code == 2
    assert option.strip("-") in told


def test_a_run_may_be_as_short_as_any_number():
    run = ts.simulate(ts.load(PENDULUM | {"initial": {"q": 1, "q.": 1e3}}), 1e-149)
    assert run["q"][-1] == 1.0
    assert run.t[-1] == 1e-149


# --- limits of joints ---------------------------------------------------------------------------


def limited(limits):
    joint = PENDULUM["joints"]["O"] | {"limits": limits}
    return ts.load(PENDULUM | {"joints": {"O": joint}})


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_run_that_passes_a_limit_says_where_when_and_by_how_much(coordinates):
    m = limited(["-90 deg", "90 deg"])
    run = ts.simulate(m, 1.0, coordinates=coordinates)
    notes = [note for note in run.notices if "limit" in note]
    assert len(notes) == 1
    assert 'joint "O": q is below its limit' in notes[0]
    limit, first, beyond, _ = map(float, re.findall(r"(-?[\d.]+(?:e-?\d+)?) (?:rad|s)\b", notes[0]))
    passed = run["q"] < -math.pi / 2
    assert limit == pytest.approx(-math.pi / 2, rel=1e-5)
    assert first == pytest.approx(run.t[np.argmax(passed)], rel=1e-3)
    assert beyond == pytest.approx(-math.pi / 2 - run["q"].min(), rel=1e-3)


def test_a_run_within_the_limits_says_nothing():
    run = ts.simulate(limited(["-181 deg", "1 deg"]), 1.0)
    assert not [note for note in run.notices if "limit" in note]


# --- JSON ---------------------------------------------------------------------------------------


def test_no_number_of_a_json_document_is_nan():
    document = {
        "a": [math.nan, 1.0, (math.inf,)],
        "b": np.array([1.0, -np.inf]),
        "c": np.float64("nan"),
    }
    assert json.loads(json_text(document)) == {
        "a": [None, 1.0, [None]],
        "b": [1.0, None],
        "c": None,
    }


# --- files --------------------------------------------------------------------------------------


def test_a_large_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "large.yaml"
    with open(path, "wb") as file:
        file.truncate(LARGEST_FILE + 1)
    with pytest.raises(ts.ModelError, match="bytes, more than"):
        ts.load(path)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and devices have no names there")
def test_pipes_and_devices_are_not_read(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    os.mkfifo(tmp_path / "pipe.csv")
    for source in (tmp_path / "pipe.yaml", str(tmp_path / "pipe.csv"), "/dev/zero"):
        with pytest.raises(ts.ModelError, match="not a regular file"):
            ts.load(source)
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    for file, words in (("pipe.csv", "not a regular file"), ("zero.csv", "outside the folder")):
        table = f"tables: {{f: {{file: {file}}}}}\n"
        (tmp_path / "m.yaml").write_text(table + FILE, encoding="utf-8")
        with pytest.raises(ts.ModelError, match=words):
            ts.load(tmp_path / "m.yaml")


def test_tables_come_from_below_the_model_unless_another_folder_is_allowed(command, tmp_path):
    (tmp_path / "models").mkdir()
    (tmp_path / "f.csv").write_text("0,0\n1,1\n", encoding="utf-8")
    path = tmp_path / "models" / "m.yaml"
    path.write_text("tables: {f: {file: ../f.csv}}\n" + FILE, encoding="utf-8")
    with pytest.raises(ts.ModelError, match="outside the folder of the model"):
        ts.load(path)
    ts.load(path, tables=tmp_path)
    assert command("check", path)[0] == 2
    assert command("check", path, "--tables", tmp_path)[0] == 0


def test_a_large_table_is_refused(tmp_path):
    with open(tmp_path / "f.csv", "wb") as file:
        file.truncate(LARGEST_TABLE + 1)
    (tmp_path / "m.yaml").write_text("tables: {f: {file: f.csv}}\n" + FILE, encoding="utf-8")
    with pytest.raises(ts.ModelError, match="bytes, more than"):
        ts.load(tmp_path / "m.yaml")


def test_too_many_parameters_are_refused_at_once():
    many = {f"p{k}": 1 for k in range(MOST_PARAMETERS + 1)}
    with pytest.raises(ts.ModelError, match="more than"):
        ts.load(PENDULUM | {"parameters": many})


@pytest.mark.parametrize("word", ["nan", "inf", "NaN", "Infinity"])
def test_what_is_not_finite_is_no_symbol_of_a_phrase(word):
    with pytest.raises(ts.ModelError, match="not a finite number"):
        ts.load(f"RX(q1), TYK({word}), RX(q2);")


def test_complex_states_are_refused_instead_of_losing_their_imaginary_part():
    """A derivative by a complex step would be zero, without a word."""
    f = ts.compile(ts.load(PENDULUM))
    for given in (np.array([0.3 + 1e-20j]), [0.3 + 1e-20j], np.full((2, 1), 1j)):
        with pytest.raises(ts.ModelError, match="argument q: expected real numbers, got complex"):
            f.gravity(given)


def test_parameters_of_a_compiled_model_are_numbers_or_texts_with_a_unit():
    f = ts.compile(ts.load(PENDULUM))
    assert f.with_parameters(l="400 mm").gravity([0.0]) == f.with_parameters(l=0.4).gravity([0.0])
    for wrong in ("abc", "3 kg", [1.0], None):
        with pytest.raises(ts.ModelError, match='parameter "l"'):
            f.with_parameters(l=wrong)
