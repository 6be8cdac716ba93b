"""Every command answers in French, and nothing of what it says stays English."""

import json
import os
import re
from importlib.resources import files
from pathlib import Path
from string import Formatter
from unittest.mock import patch

import numpy as np
import pytest
from click.testing import CliRunner
from translations import texts

import torseur as ts
from torseur.cli.commands import commands
from torseur.output import write_table
from torseur.words.language import asked_for

LINES = {
    "app": "simple_pendulum.yaml --no-browser",
    "balance-rotor": "run.csv --trial 20g@0 --trial 20g@90deg --radius 80mm",
    "bearing-life": "slider_crank.yaml --joint O --rating 14kN --duration 0.2",
    "blocks": "simple_pendulum.yaml",
    "bifurcations": "buckling_two_bars.yaml --parameter F --from 20 --to 60 --at theta=0",
    "chaos": "simple_pendulum.yaml --duration 1 --start phi --lyapunov 2",
    "check": "slider_crank.yaml",
    "check-answer": "simple_pendulum.yaml phi..+g*sin(phi)=0 --of phi",
    "demo": "-o page.html",
    "derive": "simple_pendulum.yaml --compare",
    "draw": "slider_crank.yaml",
    "efficiency": "screw_jack.yaml --input bar --output weight --set C=30 --duration 0.1",
    "equilibria": "simple_pendulum.yaml --reactions",
    "examples": "simple_pendulum -o copy.yaml",
    "excite": "simple_pendulum.yaml --period 4 --searches 1",
    "exercise": "compound_pendulum --hint",
    "export": "simple_pendulum.yaml --to numpy",
    "first-integrals": "simple_pendulum.yaml --duration 0.1",
    "flywheel": "whitworth.yaml --drive drive --fluctuation 0.02 --duration 1",
    "grade": "answers.csv --exercise swing.yaml",
    "graph": "slider_crank.yaml",
    "gyroscopic-couple": "--inertia 25,25,35 --spin 200",
    "holding-forces": "simple_pendulum.yaml --at phi=0.5",
    "identify": "simple_pendulum.yaml",
    "inertia": "slider_crank.yaml",
    "inverse": "simple_pendulum.yaml --motion task.csv --motors motors.yaml --reactions",
    "isolations": "slider_crank.yaml --of Y_P",
    "isolation": "cart_pendulum.yaml --input x --frequencies 1:100",
    "linearise": "simple_pendulum.yaml --transfer phi:phi --response phi:phi",
    "mobility": "slider_crank.yaml --between ground rod --along alpha",
    "phase-portrait": "simple_pendulum.yaml",
    "reduce": "robot_1980.yaml --to q1=0.5 --duration 0.5",
    "report": "simple_pendulum.yaml -o report.html",
    "root-locus": "cart_pendulum.yaml --parameter b --from 0 --to 5 --count 2",
    "rotor": "unbalanced_rotor.yaml --body rotor --bearing P1 --bearing P2 --planes 0:0.3",
    "sensitivity": "simple_pendulum.yaml --duration 0.1 --by a",
    "simulate": "simple_pendulum.yaml --duration 0.1",
    "spectrum": "simple_pendulum.yaml --of phi --duration 1",
    "steady-motions": "simple_pendulum.yaml",
    "summary": "simple_pendulum.yaml --duration 0.1",
    "sweep": "tolerances.yaml",
    "synthesise": "study.yaml",
    "tell": "simple_pendulum.yaml",
    "tracking": "robot_1980.yaml --to q1=0.5 --duration 0.1",
    "tumbling": "free_body.yaml --duration 0.2",
    "view": "simple_pendulum.yaml",
}
SLOW = ("demo", "bifurcations", "chaos", "excite", "tracking", "root-locus", "balance-rotor")
ENGLISH = re.compile(
    r"(?<![-\w])(the|of|and|with|is|are|from|by|its|not|no|to|body|joint|written)\b"
)
NAMES = re.compile(r"`[^`]*`|\S+\.(yaml|py|html|svg|csv)\b|\b\w+ of \w+\b(?= =|,|$)")


def pieces(template):
    """The fixed pieces of a template that are long enough to be recognised."""
    fixed = (x for x, *_ in Formatter().parse(template))
    return [x.strip() for x in fixed if len(x.strip()) > 9 and " " in x.strip()]


def recognised():
    for english, french in texts("fr").items():
        yield from (x for x in pieces(english) if x not in french)


PIECES = sorted(set(recognised()))


def commanded():
    for name, line in LINES.items():
        marks = [pytest.mark.slow] if name in SLOW else []
        yield pytest.param(name, line, id=name, marks=marks)


def prepared(folder):
    for example in files("torseur.examples").iterdir():
        if any(example.name in line for line in (*LINES.values(), "four_bar.yaml")):
            (folder / example.name).write_text(example.read_text(encoding="utf-8"), "utf-8")
    own = Path(__file__).parents[1] / "teach" / "own" / "swing.yaml"
    (folder / own.name).write_text(own.read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "answers.csv").write_text("student;1;3\nAda;m*l*theta.^2/2;1,98\n", "utf-8")
    ts.robots.quintic({"phi": [0, 0.5]}, [0, 1]).save(folder / "task.csv")
    (folder / "motors.yaml").write_text("phi: {peak_torque: 20}\n", encoding="utf-8")
    varied = {"model": "simple_pendulum.yaml", "vary": {"a": "1 ± 0.1"}, "samples": 9}
    outputs = {"outputs": {"y": "2*a"}}
    (folder / "tolerances.yaml").write_text(json.dumps(varied | outputs), encoding="utf-8")
    law = {"output": "delta", "inputs": [0.6, 1.1], "wanted": [1.5, 1.58]}
    sought = {"mechanism": "four_bar.yaml", "driver": "alpha", "targets": [{"law": law}]}
    bounds = {"variables": {"l2": ["0.1", "1.0"], "l3": ["0.1", "1.0"]}, "starts": 0}
    (folder / "study.yaml").write_text(json.dumps(sought | bounds), encoding="utf-8")
    t = np.arange(0, 1, 1e-3)
    heads = ["t", "bare_1", "bare_2", "trial1_1", "trial1_2", "trial2_1", "trial2_2"]
    shares = ((2, 0.3), (1, 1.0), (3, 0.5), (1.5, 1.2), (2.2, 0.9), (2.5, 0.1))
    signals = [size * np.cos(100 * t - turn) for size, turn in shares]
    write_table(folder / "run.csv", heads, np.column_stack([t, *signals]))


def test_every_command_is_tried():
    assert set(LINES) == set(commands.commands)


@pytest.mark.parametrize(("name", "line"), list(commanded()))
def test_a_command_answers_in_french(name, line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("torseur.cli.describe.app.serve", lambda server, *_: server.server_close())
    prepared(tmp_path)
    arguments = [name, *line.split(), "--lang", "fr"]
    answer = CliRunner().invoke(commands, arguments, standalone_mode=False)
    assert answer.exception is None or isinstance(answer.exception, SystemExit), answer.exception
    assert answer.stdout.strip()
    said = answer.stdout
    there = [x for x in PIECES if x in said]
    assert not [x for x in there if re.search(rf"(?<!\w){re.escape(x)}(?!\w)", said)]
    assert not [x for x in said.splitlines() if ENGLISH.search(NAMES.sub("", x))]


def test_every_example_of_the_list_is_described_in_french():
    names = {x.name[:-5] for x in files("torseur.examples").iterdir() if x.name.endswith(".yaml")}
    assert len(texts("fr", "example")) == len(names)
    listed = CliRunner().invoke(commands, ["examples", "--lang", "fr"]).stdout.splitlines()
    assert not [x for x in listed if ENGLISH.search(x.partition(" ")[2])]


def test_every_command_has_the_option():
    for command in commands.commands.values():
        assert "--lang" in [x for p in command.params for x in p.opts]


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({}, "en"),
        ({"LANG": "fr_BE.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LC_MESSAGES": "fr", "LANG": "de_DE.UTF-8"}, "fr"),
        ({"TORSEUR_LANG": "en", "LANG": "fr_FR"}, "en"),
        ({"TORSEUR_LANG": "fr"}, "fr"),
        ({"LANG": "fry_NL"}, "en"),
    ],
)
def test_the_environment_chooses_the_language(environment, language):
    assert asked_for(environment) == language


def test_the_option_counts_before_the_environment_and_either_place_will_do():
    line = ["gyroscopic-couple", "--inertia", "1,1,1", "--spin", "1"]
    with patch.dict(os.environ, {"TORSEUR_LANG": "fr"}):
        assert "couple sur le solide" in CliRunner().invoke(commands, line).stdout
        assert "couple on the body" in CliRunner().invoke(commands, [*line, "--lang=en"]).stdout
    assert "couple sur le solide" in CliRunner().invoke(commands, ["--lang=fr", *line]).stdout
    with patch.dict(os.environ, {"TORSEUR_LANG": "xx"}):
        answer = CliRunner().invoke(commands, line)
    assert isinstance(answer.exception, ts.ModelError)
    assert "TORSEUR_LANG" in str(answer.exception)


def test_a_document_keeps_its_english_keys():
    line = ["gyroscopic-couple", "--inertia", "1,1,1", "--spin", "1", "--json", "--lang", "fr"]
    assert '"couple"' in CliRunner().invoke(commands, line).stdout


def test_results_errors_and_figures_speak_french_within_the_context():
    pendulum = ts.load(str(files("torseur.examples") / "simple_pendulum.yaml"))
    found = ts.mobility(pendulum)
    with ts.speaking("fr"):
        assert str(found).startswith("mobilité m = 1")
        drawn = ts.chaos.spectrum(np.arange(64) / 8, np.sin(np.arange(64.0))).figure()
        assert drawn.axes[0].get_xlabel() == "fréquence [Hz]"
        with pytest.raises(ts.ModelError, match="n'existe pas"):
            ts.tell(pendulum, "bernoulli")
    assert str(found).startswith("mobility m = 1")
    with pytest.raises(ts.ModelError, match='language "de" does not exist'):
        ts.speaking("de")


def test_results_errors_and_figures_speak_what_the_environment_asks_for():
    """In notebooks nothing else can: what they show is made after the cell, in no context."""
    pendulum = ts.load(str(files("torseur.examples") / "simple_pendulum.yaml"))
    found = ts.mobility(pendulum)
    with patch.dict(os.environ, {"TORSEUR_LANG": "fr"}):
        assert str(found).startswith("mobilité m = 1")
        assert "mobilité" in found._repr_html_()
        assert "par les équations de Lagrange" in ts.tell(pendulum).text()
        with pytest.raises(ts.ModelError, match="n'existe pas"):
            ts.tell(pendulum, "bernoulli")
        with ts.speaking("en"):
            assert str(found).startswith("mobility m = 1")
    assert str(found).startswith("mobility m = 1")


def test_what_an_analysis_cannot_follow_is_said_in_french():
    described = {
        "gravity": [0, -9.81, 0],
        "bodies": {"ball": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"fall": {"type": "slider", "bodies": ["ground", "ball"], "axis": "y"}},
        "contacts": {"floor": {"bodies": ["ground", "ball"], "shape": "sphere", "radius": 0.1,
                               "normal": "y"}},
    }  # fmt: skip
    with ts.speaking("fr"), pytest.raises(ts.ModelError, match="une analyse en un état ne peut"):
        ts.linearise(described, at={"fall": 1.0})


def test_where_something_is_wrong_is_said_in_french_but_for_addresses():
    """Kinds of parts are words; files, lines, entries and arguments are where to look."""
    raised = [
        (ts.ModelError('mechanism "arm"', "x"), "mécanisme « arm » : x"),
        (ts.ModelError('a.yaml:3:1: joint "A"', "x"), "a.yaml:3:1: liaison « A » : x"),
        (ts.ModelError('m.a: solide "a": boule', "x"), "m.a: solide « a »: boule : x"),
        (ts.SolveError("phase portrait", "x"), "portrait de phase : x"),
        (ts.ModelError("body", "x"), "body: x"),
        (ts.SolveError("t = 2 s", "x"), "t = 2 s: x"),
    ]  # fmt: skip
    for error, french in raised:
        assert error.said("fr") == french
        assert error.said("en") == f"{error.place}: x"


@pytest.mark.parametrize("to", ("c", "fortran", "matlab", "julia", "numpy", "jax", "mathematica"))
def test_source_code_is_commented_in_french(to, tmp_path):
    model = ts.load(str(files("torseur.examples") / "cart_pendulum.yaml"))
    with ts.speaking("fr"):
        written = ts.export(model, to, ["mass_matrix", "forward_dynamics"], tmp_path)
    marks = {"c": "//", "fortran": "!", "matlab": "%", "mathematica": "(*"}
    for text in (x.read_text(encoding="utf-8") for x in written):
        said = [x for x in text.splitlines() if x.lstrip().startswith(marks.get(to, "#"))]
        assert any("Écrit par Torseur" in x for x in said)
        assert not [x for x in said if ENGLISH.search(x)]


def test_a_rigid_structure_is_told_in_french_to_its_last_word(tmp_path):
    (tmp_path / "truss.yaml").write_text(
        "bodies: {a: {mass: 1}, b: {mass: 1}}\n"
        "joints:\n"
        "  A: {type: pivot, bodies: [ground, a], axis: z, coordinate: u}\n"
        "  B: {type: pivot, bodies: [a, b], axis: z, point: [[1, 0, 0], [0, 0, 0]]}\n"
        "  C: {type: pivot, bodies: [ground, b], axis: z, point: [[1, 0, 0], [0, 1, 0]]}\n"
        "initial: {u: 0.5}\n"
    )
    said = []
    for command in ("check", "equilibria"):
        done = CliRunner().invoke(commands, [command, str(tmp_path / "truss.yaml"), "--lang", "fr"])
        said.append(done.output)
    assert "et le bâti forment une structure rigide" in said[0]
    assert "(donné : 0.5)" in said[0]
    assert "Rien n'est libre de bouger" in said[1]
    assert "given" not in "".join(said) and "free" not in "".join(said)


def test_what_was_assumed_of_a_phrase_is_said_in_french():
    phrase = "RY(q1), TYK(L1), RX(q2), TYK(L2);"
    done = CliRunner().invoke(commands, ["check", phrase, "--masses", "lever", "--lang", "fr"])
    assert "supposé : La pesanteur est G suivant l'axe Y du bâti" in done.output


def test_what_is_expected_in_a_text_is_said_in_french():
    with ts.speaking("fr"), pytest.raises(ts.ModelError) as refused:
        ts.load("RY(2*)")
    assert "Attendu : un nombre, un nom ou" in str(refused.value)


def test_a_solid_that_is_not_known_is_told_as_a_solid():
    done = CliRunner().invoke(commands, ["inertia", "cube(size=2)", "--density", "2"])
    assert 'shape "cube" does not exist' in str(done.exception)
