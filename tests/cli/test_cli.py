"""The command line as people and programs meet it: output, exit codes, errors, help."""

import json
import re
import shlex
import signal
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from importlib.resources import files
from io import StringIO
from pathlib import Path
from unittest.mock import patch

import numpy as np
import pytest
import rich_click as click
from click.testing import CliRunner

import torseur as ts
from torseur.cli import main
from torseur.cli.commands import GROUPS, commands
from torseur.cli.frame.outputs import Output
from torseur.equations.formalisms.derive import FORMALISMS
from torseur.errors import ModelError
from torseur.output import write_table
from torseur.words.help import helped
from torseur.words.language import speaking

ARM = "RY(q1), TYK(L1), RX(q2), TYK(L2);"
COMMANDS = sorted(commands.commands)
SLOW = ("ball_governor", "rolling_disc", "demo", "--response", "bifurcations", "spectrum", "chaos",
        "root-locus", "phase-portrait", "heavy_top", "equilibria", "film", "tumbling")  # fmt: skip


def test_the_help_of_every_command_is_there_before_any_number_is_needed():
    """Commands say what they do at once: numerical packages are imported when one computes."""
    code = "import sys; from torseur.cli.commands import commands; list(commands.commands.values())"
    found = [sys.executable, "-c", f"{code}; sys.exit('numpy' in sys.modules)"]
    assert subprocess.run(found, check=False).returncode == 0


def examples_of(name):
    """The command lines that the help of a command shows."""
    text = " ".join((commands.commands[name].help or "").split())
    return re.findall(r"`(torseur [^`]*)`", text)


def every_example():
    for name in COMMANDS:
        for line in examples_of(name):
            slow = any(part in line for part in SLOW)
            yield pytest.param(line, marks=[pytest.mark.slow] if slow else [], id=line[8:48])


def outputs():
    """Every option of every command that names a file to write."""
    for name, command in commands.commands.items():
        for parameter in command.params:
            if isinstance(parameter.type, Output):
                yield name, parameter.opts[-1], parameter.type


def process(*arguments):
    """The command in a process of its own."""
    code = "from torseur.cli import main; main()"
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def torseur(*arguments):
    """The same here, from its first line to its exit: starting Python takes longer than most."""
    stdout, stderr, handler = StringIO(), StringIO(), signal.getsignal(signal.SIGINT)
    with (
        patch.object(sys, "argv", ["torseur", *arguments]),
        redirect_stdout(stdout),
        redirect_stderr(stderr),
        pytest.raises(SystemExit) as left,
    ):
        main()
    signal.signal(signal.SIGINT, handler)
    return subprocess.CompletedProcess(
        arguments, left.value.code, stdout.getvalue(), stderr.getvalue()
    )


@pytest.mark.parametrize("name", COMMANDS)
def test_help_teaches_by_an_example(name):
    answer = CliRunner().invoke(commands, [name, "--help"])
    assert answer.exit_code == 0
    assert f"torseur {name}" in " ".join(answer.stdout.split())
    assert examples_of(name)
    assert all(line.startswith(f"torseur {name} ") for line in examples_of(name))


VERBS = re.compile(
    "Ask|Check|Choose|Compare|Compute|Derive|Draw|Estimate|Explain|Find|Follow|Linearise|List|Mark|Open"
    "|Run|Simulate|Write"
)


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_of_a_command_starts_with_a_verb(name):
    assert VERBS.fullmatch(commands.commands[name].help.split()[0])


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_help_lists_each_command_once_in_the_group_it_belongs_to(lang):
    lines = torseur("--lang", lang, "--help").stdout.splitlines()
    with speaking(lang):
        titles = [helped(x) for x in GROUPS.values()]
    headings = [re.match(r"╭─ (.*?) ─", x) for x in lines]
    shown = {x[1]: [] for x in headings if x}
    assert [*shown][1:] == titles  # after the options
    for line in lines:
        if line.startswith("╭─"):
            title = re.match(r"╭─ (.*?) ─", line)[1]
        elif listed := re.match(r"│ ([a-z-]+)  ", line):
            shown[title].append(listed[1])
    assert [shown[x] for x in titles] == [*commands.table.groups.values()]
    assert sorted(name for x in titles for name in shown[x]) == sorted(COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_can_answer_in_json(name):
    assert "--json" in [option for p in commands.commands[name].params for option in p.opts]


@pytest.mark.parametrize("line", list(every_example()))
def test_the_examples_of_the_help_work_and_answer_one_json_document(line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("torseur.cli.describe.app.serve", lambda server, *_: server.server_close())
    _, *arguments = shlex.split(line)
    if "run.csv" in arguments:
        _write_signals(tmp_path / "run.csv")
    if "tolerances.yaml" in arguments:
        model, study = files("torseur.examples") / "simple_pendulum.yaml", "tolerances.yaml"
        varied = {"model": str(model), "vary": {"a": "1 ± 0.1"}, "samples": 9}
        Path(study).write_text(json.dumps(varied | {"outputs": {"y": "2*a"}}), encoding="utf-8")
    if "study.yaml" in arguments:
        four_bar = files("torseur.examples") / "four_bar.yaml"
        Path("four_bar.yaml").write_text(four_bar.read_text(encoding="utf-8"), encoding="utf-8")
        law = {"output": "delta", "inputs": [0.6, 1.1], "wanted": [1.5, 1.58]}
        sought = {"mechanism": "four_bar.yaml", "driver": "alpha", "targets": [{"law": law}]}
        bounds = {"variables": {"l2": ["0.1", "1.0"], "l3": ["0.1", "1.0"]}, "starts": 0}
        Path("study.yaml").write_text(json.dumps(sought | bounds), encoding="utf-8")
    if "mine.yaml" in arguments:
        own = Path(__file__).parents[1] / "teach" / "own" / "swing.yaml"
        Path("mine.yaml").write_text(own.read_text(encoding="utf-8"), encoding="utf-8")
        Path("answers.csv").write_text("student;1;3\nAda;m*l*theta.^2/2;1,98\n", "utf-8")
    if "log.csv" in arguments:
        _write_log(tmp_path / "log.csv", arguments[1])
    if "task.csv" in arguments:
        turns = {f"q{k}": [0, 0.5] for k in range(1, 7)}
        ts.robots.quintic(turns, [0, 1]).save("task.csv")
        Path("motors.yaml").write_text("q1: {peak_torque: 2}\n", encoding="utf-8")
    for argument in arguments:
        example = files("torseur.examples") / argument
        if (
            argument.endswith(".yaml")
            and arguments[0] not in ("examples", "synthesise")
            and not Path(argument).exists()
        ):
            Path(argument).write_text(example.read_text(encoding="utf-8"), encoding="utf-8")
        elif argument.endswith(".nc") and arguments[0] in ("view", "report"):
            ts.simulate(_falling(), 0.1).save(argument)
    answer = CliRunner().invoke(commands, [*arguments, "--json"], standalone_mode=False)
    assert answer.exception is None, answer.output
    json.loads(answer.stdout)


@pytest.mark.parametrize(("name", "option", "kind"), list(outputs()))
def test_a_file_that_cannot_be_written_is_told_before_anything_is_read(name, option, kind):
    ending = kind.endings[0] if kind.endings else ".yaml"
    required = [["1"] * p.nargs if isinstance(p, click.Argument) else [p.opts[-1], "1"]
                for p in commands.commands[name].params if p.required]  # fmt: skip
    arguments = [x for given in required for x in given]
    answer = CliRunner().invoke(commands, [name, option, f"/dev/null/x{ending}", *arguments])
    assert isinstance(answer.exception, ModelError)
    assert "/dev/null" in str(answer.exception)
    assert "it cannot be written" in str(answer.exception)


@pytest.mark.parametrize("name", [x for x in COMMANDS if x not in ("examples", "exercise", "demo")])
def test_a_missing_model_is_exit_code_2_and_one_message(name):
    required = [["missing.yaml"] if isinstance(p, click.Argument) else [p.opts[-1], "1"]
                for p in commands.commands[name].params
                if p.required or p.name == "model"]  # fmt: skip
    arguments = [x for given in required for x in given]
    answer = CliRunner().invoke(commands, [name, *arguments])
    wrong = isinstance(answer.exception, ModelError) or answer.exit_code == 2
    assert wrong, (name, answer.exception)


def _write_log(path, name):
    """Forces at random states of an example, as if they had been measured."""
    f, rng = ts.compile(ts.load(files("torseur.examples") / name)), np.random.default_rng(0)
    q, v, a = rng.uniform(-1, 1, (3, 60, len(f.speeds)))
    Q = f.inverse_dynamics(q, v, a) + 1e-3 * rng.normal(size=v.shape)
    ts.robots.Log(np.arange(60) * 0.01, q, Q, v, a).save(f, path)


def _write_signals(path):
    """Two gauges in three runs of a rotor that turns at 100 rad/s."""
    t = np.linspace(0.0, 1.0, 2001)
    phasors = {"bare": (1, 2j), "trial1": (1.5, 2.2j), "trial2": (1 + 0.3j, 2.9j)}
    columns = {f"{run}_{k}": (x * np.exp(100j * t)).real
               for run, both in phasors.items() for k, x in enumerate(both, 1)}  # fmt: skip
    write_table(path, ["t [s]", *columns], np.column_stack([t, *columns.values()]))


def _falling():
    joint = {"type": "prismatic", "bodies": ["ground", "b"], "axis": "z"}
    return ts.load({"bodies": {"b": {"mass": 1}}, "gravity": [0, 0, -9.81], "joints": {"A": joint}})


def test_derive_prints_the_tables_of_the_report():
    answer = process("derive", ARM, "--masses", "lever")
    assert answer.returncode == 0
    assert answer.stderr == ""
    assert answer.stdout == torseur("derive", ARM, "--masses", "lever").stdout
    assert "VY2 = D2*M2" in answer.stdout
    assert "Q2 = -G*VY2*S2" in answer.stdout
    assert "A11 = JZ2*S2^2" in answer.stdout


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_the_help_of_derive_lists_every_formalism(lang):
    told = " ".join(torseur("--lang", lang, "derive", "--help").stdout.replace("│", " ").split())
    named = re.sub(r"(?<=\w)- ", "-", told)
    assert [x for x in FORMALISMS if x not in named] == []


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


def test_a_wrong_input_is_told_alike_in_a_process_of_its_own():
    answer, here = (start("derive", "RY(q1), TYK(L1") for start in (process, torseur))
    assert (answer.returncode, answer.stdout, answer.stderr) == (2, "", here.stderr)


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


def test_files_that_commands_name_themselves_are_different_and_nobody_elses(tmp_path, monkeypatch):
    """`torseur report crane.nc -o crane.html; torseur view crane.nc` leaves two pages."""
    monkeypatch.chdir(tmp_path)
    model = (files("torseur.examples") / "simple_pendulum.yaml").read_text(encoding="utf-8")
    Path("crane.yaml").write_text(model.replace("simple-pendulum", "crane"), encoding="utf-8")
    ts.simulate(ts.load("crane.yaml"), 0.1).save("crane.nc")
    for ending in ("html", "svg"):
        Path(f"crane.{ending}").write_text("mine", encoding="utf-8")
    before, lines = set(Path().iterdir()), []
    for name, option, _ in outputs():
        told = next(x.help for x in commands.commands[name].params if option in x.opts)
        if "Default: NAME" in told:
            subject = "crane.nc" if name in ("view", "report") else "crane.yaml"
            lines.append(CliRunner().invoke(commands, [name, subject], standalone_mode=False))
    assert [x.exception for x in lines] == [None] * 5
    new = {x.name for x in set(Path().iterdir()) - before}
    pages = {"crane-view.html", "crane-report.html"}
    assert new == pages | {"crane-scheme.svg", "crane-graph.svg", "crane-blocks.svg"}
    assert {Path(f"crane.{x}").read_text(encoding="utf-8") for x in ("html", "svg")} == {"mine"}


def test_examples_are_listed_shown_and_copied(tmp_path):
    listed = json.loads(torseur("examples", "--json").stdout)
    assert {"puma560", "stanford_arm", "double_pendulum"} <= set(listed)
    assert all(listed.values()), "every example has a description"
    copy = tmp_path / "puma.yaml"
    assert torseur("examples", "puma560", "-o", str(copy)).returncode == 0
    answer = torseur("check", str(copy))
    assert answer.returncode == 0
    assert "6 bodies" in answer.stdout


def test_hamilton_writes_his_function_and_the_canonical_equations():
    lines = torseur("derive", "spherical_pendulum", "--formalism", "hamilton").stdout.splitlines()
    assert lines[0].startswith("H = (p_phi^2/sin(theta)^2 + p_theta^2)/(2*m*a^2)")
    assert [x.split(" = ")[0] for x in lines[1:]] == ["theta.", "p_theta.", "phi.", "p_phi."]
    looped = torseur("derive", "slider_crank", "--formalism", "hamilton").stdout
    assert "p_alpha.: longer than a page" in looped  # what is too long is told by its name


def test_an_example_is_taken_by_its_name_and_said_to_be_one_aside(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    answer = torseur("mobility", "slider_crank", "--json")
    assert json.loads(answer.stdout)["mobility"] == 1
    assert "torseur examples slider_crank -o slider_crank.yaml" in answer.stderr
    assert torseur("examples", "slider_crank", "-o", "slider_crank.yaml").returncode == 0
    assert torseur("mobility", "slider_crank.yaml", "--json").stdout == answer.stdout
    refused = torseur("mobility", "slider_crank")  # the copy may have been changed
    assert refused.returncode == 2
    assert 'Did you mean "slider_crank.yaml"?' in refused.stderr


def test_every_example_is_derived():
    for path in sorted((Path(__file__).parents[2] / "src/torseur/examples").glob("*.yaml")):
        equations = ts.derive(ts.load(path))
        assert len(equations.M) == len(equations.speeds) > 0, path.name


@pytest.mark.parametrize(
    "arguments",
    [
        ("--lang", "fr", "check", "missing.yaml"),
        ("--lang", "fr", "simulate", ARM),
        ("tell", "missing.yaml", "--lang", "fr"),
    ],
)
def test_errors_are_said_in_the_language_asked_for(arguments):
    french = torseur(*arguments)
    english = torseur(*("en" if x == "fr" else x for x in arguments))
    assert french.returncode == english.returncode == 2
    assert french.stderr != english.stderr
    place = english.stderr.split(":")[0]
    assert french.stderr.startswith(place)


def test_what_is_told_is_in_the_language_of_the_whole_command():
    before = torseur("--lang", "fr", "tell", ARM, "--masses", "lever")
    after = torseur("tell", ARM, "--masses", "lever", "--lang", "fr")
    assert before.returncode == 0
    assert before.stdout == after.stdout


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("rocking_block", "contacts at the end: left open, right stick"),
        ("screw_jack", "contacts at the end: thread: friction stick"),
    ],
)
def test_a_simulation_tells_where_its_contacts_are_at_the_end(name, end):
    path = str(files("torseur.examples") / f"{name}.yaml")
    told = torseur("simulate", path, "--duration", "2")
    assert told.returncode == 0, told.stderr
    assert end in told.stdout
    assert re.search(
        r"\d+ events, \d+ of them shocks; friction and shocks dissipated \S+ J", told.stdout
    )
    assert "first integrals" not in told.stdout
    data = json.loads(torseur("simulate", path, "--duration", "2", "--json").stdout)
    assert ", ".join(f"{key} {state}" for key, state in data["contacts"].items()) in end


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["gyroscopic-couple", "--inertia", "1,1,2", "--spin", "3 m/s"], "an angular speed"),
        (["gyroscopic-couple", "--inertia", "1,1,2 kg", "--spin", "3"], "a moment of inertia"),
        (["gyroscopic-couple", "--inertia", "1,1,2", "--spin", "3", "--angle", "4 m"], "an angle"),
        (["inertia", "sphere(radius=1 cm)", "--density", "1e3", "--at", "1 kg,0,0"], "a length"),
        (["rotor", "unbalanced_rotor", "--body", "rotor", "--bearing", "P1", "--bearing", "P2",
          "--speed", "2 kg"], "an angular speed"),
    ],
)  # fmt: skip
def test_a_unit_of_an_option_that_does_not_fit_is_refused(arguments, expected):
    answer = torseur(*arguments)
    assert answer.returncode == 2
    assert expected in answer.stderr
    speeds = ["--spin", "60 tr/mn", "--turning", "0,30 tr/mn,0"]
    turned = torseur("gyroscopic-couple", "--inertia", "1,1,2", *speeds, "--json")
    assert json.loads(turned.stdout)["couple"] == pytest.approx([2 * 2 * np.pi * np.pi, 0, 0])


@pytest.mark.parametrize(
    "line",
    [
        ["check-answer", "simple_pendulum", "-m*g*a*cos(phi)", "--of", "V"],
        ["check-answer", "--of", "V", "simple_pendulum", "-a*m*g*cos(phi)"],
        ["check-answer", "simple_pendulum", "--of", "V", "--", "-m*g*a*cos(phi)"],
        ["inertia", "-sphere(radius=1 cm) + sphere(radius=2 cm)", "--density", "1e3"],
        ["inertia", "simple_pendulum", "--axis", "-1,0,0", "--at", "-0.1,0,0"],
    ],
)
def test_a_formula_may_begin_with_a_minus_sign(line):
    answer = torseur(*line)
    assert answer.returncode == 0, answer.stderr


def test_a_letter_after_a_minus_sign_is_a_formula_where_one_is_expected_and_an_option_elsewhere():
    wrong = torseur("check-answer", "simple_pendulum", "-a", "--of", "V")
    assert wrong.returncode == 1 and "differs from V" in wrong.stdout
    for line in (["derive", "-v", "simple_pendulum"], ["check-answer", "-v", "simple_pendulum"]):
        assert "No such option" in torseur(*line).stderr
    assert "requires an argument" in torseur("derive", "simple_pendulum", "--lang").stderr
    assert torseur("check-answer", "-h").stdout.strip().startswith("Usage")
