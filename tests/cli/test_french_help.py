"""Help, and what is wrong with a command line, are in the language of the line."""

import os
import re
import subprocess
import sys
from pathlib import Path
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from test_cli import torseur
from translations import CODE

from torseur.cli.commands import commands
from torseur.words.help import EXAMPLE, help_text
from torseur.words.language import of_line, speaking

GOLDEN = Path(__file__).parents[1] / "golden" / "help"
EVERY = {"": commands, **commands.commands}
ENGLISH = re.compile(r"\b(the|of|and|with|is|are|from|by|its|not|no|which|where)\b", re.I)


def answer(*line, **environment):
    """What a line prints, in lines wide enough for every sentence."""
    with patch.dict(os.environ, {"COLUMNS": "1000", **environment}):
        return torseur(*line)


@pytest.mark.parametrize("name", EVERY)
def test_the_help_of_a_command_is_french_throughout(name):
    said = answer(*name.split(), "--help", TORSEUR_LANG="fr")
    assert said.returncode == 0
    lines = [CODE.sub("", x) for x in said.stdout.splitlines() if "torseur " not in x]
    lines = [x.replace("rotor inertia of M1", "") for x in lines]
    assert not [x for x in lines if ENGLISH.search(x) or "default" in x.lower()]
    assert said.stdout.strip().startswith("Usage :")


@pytest.mark.parametrize("name", EVERY)
def test_no_line_of_the_help_starts_with_a_sign_that_ends_something(name):
    with patch.dict(os.environ, {"COLUMNS": "70", "TORSEUR_LANG": "fr"}):
        said = torseur(*name.split(), "--help").stdout
    assert not re.findall(r"^[│ ]*[;:?!»].*$", said, re.M)
    assert "\ue000" not in said


@pytest.mark.parametrize("name", EVERY)
def test_the_examples_of_the_help_are_the_same_in_both_languages(name):
    english = EVERY[name].help
    with speaking("fr"):
        french = help_text(english)
    shown = [re.findall(r"`(torseur [^`]*)`", " ".join(x.split())) for x in (english, french)]
    assert shown[0] == shown[1]
    assert english.count(EXAMPLE) == french.count("Exemple : ")


@pytest.mark.parametrize(
    ("line", "environment"),
    [
        (["--lang", "fr", "check", "--help"], {}),
        (["check", "--lang", "fr", "--help"], {}),
        (["check", "--help", "--lang", "fr"], {}),
        (["check", "--help", "--lang=fr"], {"LANG": "en_GB.UTF-8"}),
        (["--lang", "en", "check", "-h", "--lang", "fr"], {}),
        (["check", "--help"], {"TORSEUR_LANG": "fr"}),
        (["check", "--help"], {"LC_ALL": "fr_FR.UTF-8", "TORSEUR_LANG": ""}),
    ],
)
def test_the_language_of_the_help_is_that_of_the_line_wherever_it_is_said(line, environment):
    assert "Vérifier MODÈLE" in answer(*line, **environment).stdout


def test_the_help_is_english_again_where_nothing_asks_for_another():
    assert "Vérifier MODÈLE" in answer("check", "--help", "--lang", "fr").stdout
    for line in (["check", "--help"], ["--lang", "fr", "check", "--help", "--lang", "en"]):
        said = answer(*line).stdout
        assert "Usage: torseur check [OPTIONS] MODEL" in said
        assert "Show this message and exit." in said and "Check MODEL" in said


def test_a_language_that_does_not_exist_is_told_and_the_help_opens_all_the_same():
    wrong = answer("check", "x.yaml", TORSEUR_LANG="xx")
    assert wrong.returncode == 2 and 'language "xx" does not exist' in wrong.stderr
    assert answer("--help", TORSEUR_LANG="xx").returncode == 0
    assert "n'existe pas" in answer("check", "x.yaml", "--lang", "fr", TORSEUR_LANG="xx").stderr


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ([], "en"),
        (["--lang"], "en"),
        (["--lang", "de"], "en"),
        (["--lang=fr", "check", "--lang", "en"], "en"),
        (["check", "--lang", "en", "--lang=fr"], "fr"),
        (["check", "--", "--lang", "fr"], "en"),
        (["check", "--language", "fr"], "en"),
    ],
)
def test_the_last_language_of_a_line_counts(line, language):
    with patch.dict(os.environ, {"TORSEUR_LANG": "en"}):
        assert of_line(line) == language


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("check", "Il manque l'argument 'MODÈLE'."),
        ("tracking x.yaml", "Il manque l'option '--to'."),
        ("chec x.yaml", "La commande « chec » n'existe pas."),
        ("check --tabels . x.yaml", "L'option « --tabels » n'existe pas. Vouliez-vous dire"),
        ("check x.yaml y.yaml", "Argument de trop : y.yaml."),
        ("check x.yaml --json=1", "L'option « --json » ne prend pas de valeur."),
        ("check x.yaml --masses", "L'option « --masses » demande une valeur."),
        ("mobility --between a", "L'option « --between » demande 2 valeurs."),
        ("check x --masses heavy", "« heavy » n'est pas un des choix possibles : 'lever', 'full'."),
        ("simulate x --duration abc", "'--duration' : « abc » n'est pas un nombre."),
        ("simulate x --duration 1,5", "« 1,5 » n'est pas un nombre : écrire 1.5."),
        ("simulate x --duration inf", "« inf » n'est pas un nombre fini."),
        ("root-locus x --count 1.5", "« 1.5 » n'est pas un nombre entier."),
        ("app --port 70000", "70000 n'est pas compris entre 0 et 65535."),
        ("identify x --data .", "« . » est un dossier."),
    ],
)
def test_what_is_wrong_with_a_line_is_said_in_french(line, told):
    said = answer(*line.split(), TORSEUR_LANG="fr")
    assert said.returncode == 2
    assert told in said.stderr
    assert "Erreur : " in said.stderr
    assert not ENGLISH.search(re.sub(r"'[^']*'", "", said.stderr))


def test_a_wrong_line_shows_how_it_is_written_and_where_help_is():
    said = answer("check", "x.yaml", "y.yaml", TORSEUR_LANG="fr").stderr
    assert "Usage : torseur check [OPTIONS] MODÈLE" in said
    assert "Pour de l'aide : torseur check --help" in said


@pytest.mark.parametrize("name", ["", "check", "mobility", "root-locus"])
def test_a_page_of_the_help_reads_as_it_was_written(name):
    with patch.dict(os.environ, {"COLUMNS": "100"}):
        said = torseur(*name.split(), "--lang", "fr", "--help").stdout
    lines = "\n".join(x.rstrip() for x in said.splitlines()).strip("\n") + "\n"
    assert lines == (GOLDEN / f"{name or 'torseur'}_fr.txt").read_text(encoding="utf-8")


def test_english_help_loads_no_catalogue():
    code = (
        "import sys\nfrom torseur.cli import main\nsys.argv = ['torseur', '--help']\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "from torseur.words.catalogue import catalogue\n"
        "assert not catalogue.cache_info().currsize\n"
    )
    environment = {k: x for k, x in os.environ.items() if k not in ("TORSEUR_LANG", "LANG")}
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=environment | {"LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_a_test_runner_sees_the_same_help():
    said = CliRunner().invoke(commands, ["check", "--help", "--lang", "fr"]).stdout
    assert "Vérifier MODÈLE" in said and "Commandes" not in said


def test_a_range_that_is_none_is_told_how_a_range_is_written():
    said = answer("equilibria", "x.yaml", "--box", "theta", TORSEUR_LANG="fr")
    assert "NOM=MIN:MAX attendu, reçu « theta »" in said.stderr or "n'existe pas" in said.stderr


def test_a_command_by_itself_and_within_the_group_answers_to_the_same_options():
    for name in ("-h", "--help"):
        alone = CliRunner().invoke(commands.commands["check"], [name])
        assert alone.exit_code == 0 and "-h" in alone.stdout
        assert "-h" in CliRunner().invoke(commands, ["check", name]).stdout
