"""The command line as people and programs meet it: output, exit codes, errors, help."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ARM = "RY(q1), TYK(L1), RX(q2), TYK(L2);"
COMMANDS = [
    "derive",
    "check",
    "graph",
    "mobility",
    "equilibria",
    "linearise",
    "bifurcations",
    "chaos",
    "balance-rotor",
    "tell",
    "check-answer",
    "integrals",
    "simulate",
    "view",
    "export",
    "examples",
    "demo",
]


def torseur(*arguments, cwd=None):
    code = "from torseur.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True,
        text=True,
        cwd=cwd,
        check=False,
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_help_teaches_by_an_example(command):
    answer = torseur(command, "--help")
    assert answer.returncode == 0
    assert f"torseur {command}" in answer.stdout
    assert "Example" in answer.stdout


def test_derive_prints_the_tables_of_the_report():
    answer = torseur("derive", ARM, "--masses", "lever")
    assert answer.returncode == 0
    assert answer.stderr == ""
    assert "VY2 = D2*M2" in answer.stdout
    assert "Q2 = -G*VY2*S2" in answer.stdout
    assert "A11 = JZ2*S2^2" in answer.stdout


@pytest.mark.parametrize("formalism", ["newton-euler", "lagrange", "augmented-bodies", "uicker"])
def test_json_is_one_document_and_nothing_else(formalism):
    answer = torseur("derive", ARM, "--masses", "lever", "--formalism", formalism, "--json")
    document = json.loads(answer.stdout)
    assert answer.returncode == 0
    assert document["formalism"] == formalism
    assert document["coordinates"] == ["q1", "q2"]
    assert len(document["outputs"]["M"]) == 2
    assert document["operations"]["total"] > 0
    assert document["parameters"]["L1"] is None


@pytest.mark.parametrize(
    ("form", "expected"), [("latex", r"\begin{align"), ("sympy", "M = Matrix")]
)
def test_other_formats(form, expected):
    answer = torseur("derive", ARM, "--masses", "lever", "--as", form)
    assert answer.returncode == 0
    assert expected in answer.stdout


def test_only_what_is_asked_for_is_printed():
    answer = torseur("derive", ARM, "--masses", "lever", "--of", "g", "--formalism", "lagrange")
    assert "g2 = " in answer.stdout
    assert "M11" not in answer.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["derive", "RY(q1), TYK(L1"], 'phrase:1:12: the parenthesis "(" is not closed.'),
        (["derive", "missing.yaml"], 'the file "missing.yaml" does not exist'),
        (["derive", ARM, "--formalism", "kahne"], 'formalism "kahne" does not exist'),
        (["derive", ARM, "--gravity", "1,2"], "expected three components"),
        (["derive", ARM, "--of", "MM"], 'output "MM" does not exist'),
        (["examples", "pumma"], 'example "pumma" does not exist'),
    ],
)
def test_a_wrong_input_is_told_on_standard_error_with_exit_code_2(arguments, message):
    answer = torseur(*arguments)
    assert answer.returncode == 2
    assert answer.stdout == ""
    assert message in answer.stderr
    assert "Traceback" not in answer.stderr


def test_check_names_the_coordinate_without_inertia():
    answer = torseur("check", "RY(q1), TYK(L1), RY(q2), TYK(L2);", "--masses", "lever", "--json")
    document = json.loads(answer.stdout)
    assert document["degrees_of_freedom"] == 2
    assert any("singular mass matrix" in notice for notice in document["notices"])


def test_view_and_demo_write_pages(tmp_path):
    page = tmp_path / "arm.html"
    assert (
        torseur("view", ARM, "--masses", "lever", "-o", str(page), "--lang", "fr").returncode == 0
    )
    assert "<math" in page.read_text(encoding="utf-8")
    demo = tmp_path / "deep" / "robot.html"
    answer = torseur("demo", "-o", str(demo))
    assert answer.returncode == 0
    assert "A12 = A13 - L2*VZ6*C2*S5" in answer.stdout
    assert demo.exists()


def test_examples_are_listed_shown_and_copied(tmp_path):
    listed = json.loads(torseur("examples", "--json").stdout)
    assert {"puma560", "stanford_arm", "double_pendulum"} <= set(listed)
    assert all(listed.values()), "every example has a description"
    copy = tmp_path / "puma.yaml"
    assert torseur("examples", "puma560", "-o", str(copy)).returncode == 0
    answer = torseur("check", str(copy))
    assert answer.returncode == 0
    assert "6 bodies" in answer.stdout


def test_every_example_is_derived():
    for path in sorted((Path(__file__).parents[1] / "src/torseur/examples").glob("*.yaml")):
        import torseur as ts

        equations = ts.derive(ts.load(path))
        assert len(equations.M) == len(equations.speeds) > 0, path.name
