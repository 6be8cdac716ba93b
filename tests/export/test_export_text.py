"""The text of generated code: names, lines, comments, order, and what is refused."""

import os
import re
import subprocess
import sys

import pytest
from export_cases import EVERY, arm, cases, nasty

from torseur import ModelError
from torseur.equations.formalisms.derive import derive
from torseur.equations.functions.catalogue import FUNCTIONS, kernel_of
from torseur.equations.symbols.system import system
from torseur.export.export import LANGUAGES, sources
from torseur.export.names import Identifiers, spelled
from torseur.language.load import load
from torseur.tools.exporting import export

PHRASE = "RY(q1), TYK(L1), RX(q2), TYK(L2);"
ROBOT_1980 = (
    "RY(q1MIN,q1MAX), TYK(L1), RX(q2MIN,q2MAX), TYK(L2), RX(q3MIN,q3MAX), TZK(L3), "
    "RX(q4MIN,q4MAX), TZK(0), RY(q5MIN,q5MAX), TZK(0), RZ(q6MIN,q6MAX), TZK(L6);"
)


@pytest.mark.parametrize(
    ("name", "identifier"),
    [
        ("q2", "q2"),
        ("alpha.", "alpha_d"),
        ("alpha..", "alpha_dd"),
        ("Q[alpha.]", "Q_alpha"),
        ("I_{xx}", "I_xx"),
        ("α", "alpha"),
        ("λ", "lambda"),
        ("Ω2", "Omega2"),
        ("é", "e"),
        ("θ̇", "theta"),
        ("crank arm", "crank_arm"),
        ("2b", "x2b"),
        ("_", "x"),
        ("ж", "u436"),
        ("m'", "m"),
    ],
)
def test_a_name_is_spelled_in_letters_and_digits(name, identifier):
    assert spelled(name) == identifier


def test_identifiers_are_neither_reserved_nor_taken():
    names = Identifiers(["for", "M_1"], case_sensitive=False)
    taken = [names.take(x) for x in ("for", "FOR", "m_1", "a", "A", "é", "e")]
    assert taken == ["for_", "FOR_2", "m_1_", "a", "A_2", "e", "e_2"]


def test_the_names_that_changed_are_given_in_the_comment():
    text = nasty().texts("fortran", ["inverse_dynamics"])["do_.f90"]
    for name, identifier in (("end", "end_"), ("I_{xx}", "I_xx_2"), ("é", "e"), ("for.", "for_d")):
        assert f"{name} (here {identifier})" in text


@pytest.mark.parametrize("to", LANGUAGES)
def test_every_file_says_what_it_computes(to):
    mechanism = load("TX(x), RZ(theta), TYK(l);", masses="lever")
    for text in sources(mechanism, to, ["inverse_dynamics"], name="crane").values():
        top = text.split("\n\n")[0]
        for word in ("crane", "inverse_dynamics", "Torseur", "theta", "[rad]", "[N, N.m]", "[kg]",
                     "no value", "mass of body 2", "per parameter set:", "per state:",
                     "multiplications"):  # fmt: skip
            assert word in top, word
        mark = re.match(r"\S+", top)[0]
        assert all(line.startswith(mark) for line in top.splitlines())


@cases()
@pytest.mark.parametrize("to", LANGUAGES)
def test_lines_are_at_most_a_hundred_columns_and_nothing_needs_torseur(to, case):
    for text in case().texts(to, ["inverse_dynamics", "forward_dynamics"]).values():
        assert max(len(line) for line in text.splitlines()) <= 100
        assert text.endswith("\n") and not re.search(r"[ \t]\n", text)
        assert not re.search(r"(import|from|using|#include).*torseur", text, re.I)


def test_words_of_the_user_cannot_leave_a_comment():
    bad = 'ends */ here \\\n#include "x" ??/\r\n!$omp\u2028"""'
    mechanism = load(
        {
            "torseur": 1,
            "name": bad,
            "description": bad,
            "parameters": {"m": {"value": 1, "unit": "kg", "meaning": bad}},
            "bodies": {"b": {"mass": "m"}},
            "joints": {"j": {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x"}},
        }
    )
    for to in LANGUAGES:
        for text in sources(mechanism, to, ["inverse_dynamics"], name="safe").values():
            assert not re.search(r"^\s*(#include \"x|!\$omp)", text, re.M)
            assert "\\\n" not in text and "??/" not in text


def test_the_1980_robot_reads_like_the_report():
    text = sources(load(ROBOT_1980, masses="lever"), "c", ["inverse_dynamics"])["phrase.c"]
    for line in ("const double C23 = cos(k1);", "const double w3x = q2_d + q3_d;"):
        assert line in text
    assert "MIN" not in text


def test_limits_are_not_among_the_parameters_and_the_order_does_not_depend_on_functions():
    mechanism = load(ROBOT_1980, masses="lever")
    found = {
        name: re.findall(r"^//   p\[\d+\] .*", sources(mechanism, "c", [name])["phrase.h"], re.M)
        for name in ("inverse_dynamics", "gravity", "mass_matrix")
    }
    assert found["gravity"] == found["inverse_dynamics"] == found["mass_matrix"]
    assert (
        len(found["gravity"]) == 20
    )  # three levers, gravity, four numbers for each of four bodies


def test_the_text_does_not_depend_on_what_was_derived_before():
    mechanism = arm().mechanism
    first = {to: sources(mechanism, to, EVERY[:3]) for to in ("c", "julia")}
    kept = [derive(mechanism, "lagrange"), derive(mechanism)]
    kept += [kernel_of(f, system(mechanism)) for f in reversed(FUNCTIONS.values())]
    assert {to: sources(mechanism, to, EVERY[:3]) for to in ("c", "julia")} == first


@pytest.mark.slow
def test_the_text_is_the_same_in_every_process():
    code = (
        "from torseur.language.load import load\n"
        "from torseur.export.export import sources\n"
        f"m = load({PHRASE!r}, masses='full')\n"
        "print(sources(m, 'c', ['forward_dynamics', 'regressor'])['phrase.c'])"
    )
    found = set()
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        command = [sys.executable, "-c", code]
        done = subprocess.run(command, env=environment, capture_output=True, check=True)
        found.add(done.stdout)
    assert len(found) == 1


def test_files_are_written_where_asked(tmp_path):
    mechanism = load(PHRASE, masses="lever")
    files = export(mechanism, "c", ["gravity"], tmp_path / "new" / "folder", name="arm")
    assert [file.name for file in files] == ["arm.h", "arm.c"]
    assert all(file.read_text(encoding="utf-8") for file in files)


@pytest.mark.parametrize(
    ("to", "functions", "options", "words"),
    [
        ("fortan", ["gravity"], {}, ['language "fortan"', 'Did you mean "fortran"?']),
        ("c", ["gravty"], {}, ['function "gravty"', 'Did you mean "gravity"?']),
        ("c", [], {}, ["no function", "Possible: inverse_dynamics"]),
        ("c", ["gravity"], {"real": "half"}, ['"half"', "double, float"]),
        ("julia", ["gravity"], {"real": "float"}, ['option "real"', "none"]),
    ],
)
def test_what_cannot_be_exported_is_named(to, functions, options, words):
    with pytest.raises(ModelError) as caught:
        sources(load(PHRASE, masses="lever"), to, functions, **options)
    for word in words:
        assert word in str(caught.value)


def test_accelerations_without_inertia_are_refused():
    with pytest.raises(ModelError, match=r"coordinate q1.*carries no inertia"):
        sources(load(PHRASE), "c", ["forward_dynamics"])


def test_a_file_in_the_way_is_reported(tmp_path):
    (tmp_path / "here").write_text("")
    with pytest.raises(ModelError, match="it cannot be written"):
        export(load(PHRASE, masses="lever"), "c", ["gravity"], tmp_path / "here")


def test_the_command_writes_files_and_says_which(tmp_path):
    import json

    from click.testing import CliRunner

    from torseur.cli.equations.export import export as command

    arguments = [PHRASE, "--masses", "lever", "--to", "c", "--functions", "gravity, bias"]
    arguments += ["-o", str(tmp_path), "--real", "float", "--json"]
    done = CliRunner().invoke(command, arguments)
    assert done.exit_code == 0, done.output
    document = json.loads(done.output)
    assert document["functions"] == ["gravity", "bias"]
    assert document["files"] == [str(tmp_path / "phrase.h"), str(tmp_path / "phrase.c")]
    assert "float" in (tmp_path / "phrase.h").read_text()
    assert "Example" in CliRunner().invoke(command, ["--help"]).output
