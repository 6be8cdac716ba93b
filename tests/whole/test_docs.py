"""The code in the documentation runs as it stands."""

import os
import re
import shlex
from importlib.resources import files
from pathlib import Path
from types import ModuleType
from unittest.mock import patch

import pytest
from click.testing import CliRunner
from same_text import same_text

import torseur as ts
from torseur.cli.commands import commands
from torseur.equations.formalisms.derive import FORMALISMS
from torseur.model.forces.catalogue import FORCES
from torseur.model.joints.catalogue import JOINTS
from torseur.words.entries import entry_words

ROOT = Path(__file__).parents[2]
WRITTEN = sorted((ROOT / "docs").rglob("*.md"))
PRINTS = re.compile(r"^\s*print\(", re.M)
HOW_TO = [path.name for path in WRITTEN if path.name.startswith("howto-")]
IN_ORDER = ROOT / "docs" / "fr" / "pratique.md"  # its files, commands and Python follow each other
NEEDS_MUJOCO = ROOT / "docs" / "from-mujoco.md"  # MuJoCo compiles the file that the page loads
NOTEBOOKS = ("notebooks", "carnets")  # run as notebooks: test_notebooks.py
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *WRITTEN)
    if path not in (IN_ORDER, NEEDS_MUJOCO)
    and path.parent.name not in NOTEBOOKS
    and "```python" in path.read_text(encoding="utf-8")
]


def blocks(page):
    """The Python of a page, each block with what a block of text after it says that it prints."""
    block = r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?"
    return re.findall(block, (ROOT / page).read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("path", [ROOT / "README.md", *WRITTEN], ids=lambda path: path.name)
def test_every_block_of_a_page_is_closed_before_the_next_begins(path):
    opened = ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        fence, says = re.match(r"\s*(`{3,})?(.*)", line).groups()
        if fence and opened:
            assert not says, f"{path.name}, line {number}: a block is open"
        if fence:
            opened = "" if opened else fence
    assert not opened, f"{path.name}: the last block is open"


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TORSEUR_LANG", "fr" if "/fr/" in page else "en")
    found = blocks(page)
    assert found, f"{page} shows no Python"
    names: dict[str, object] = {}
    for number, (code, printed) in enumerate(found):
        exec(compile(code, f"{page}, block {number + 1}", "exec"), names)
        told = capsys.readouterr().out
        assert not printed or same_text(told, printed), told


@pytest.mark.parametrize("name", HOW_TO)
def test_every_section_that_computes_shows_what_comes_out(name):
    text = (ROOT / "docs" / name).read_text(encoding="utf-8")
    sections = re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", text, re.M | re.S)
    assert [title for title, told in sections if "```py" in told and "```text" not in told] == []


@pytest.mark.parametrize("name", HOW_TO)
def test_what_a_block_prints_is_shown_below_it(name):
    shown = blocks(f"docs/{name}")
    assert [code for code, printed in shown if PRINTS.search(code) and not printed] == []


WITH_MORE = re.findall(  # each needs a package that may not be installed, and nothing before it
    r"```py\n(.*?)```\n\n```text\n(.*?)```",
    (ROOT / "docs" / "control.md").read_text(encoding="utf-8"),
    re.S,
)


@pytest.mark.parametrize(
    "package, number", [pytest.param("casadi", 0, marks=pytest.mark.slow), ("gymnasium", 1)]
)
def test_python_that_needs_another_package_runs_by_itself(
    package, number, tmp_path, monkeypatch, capsys
):
    pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    code, printed = WITH_MORE[number]
    exec(compile(code, f"docs/control.md, with {package}", "exec"), {})
    assert capsys.readouterr().out == printed


@pytest.mark.parametrize("package", ["mujoco", "pinocchio"])
def test_a_page_for_users_of_another_program_runs_with_both(package, tmp_path, monkeypatch, capsys):
    pytest.importorskip(package)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TORSEUR_LANG", "en")
    page = (ROOT / "docs" / f"from-{package}.md").read_text(encoding="utf-8")
    names: dict[str, object] = {}
    for code, printed in re.findall(
        r"```(?:py|python)\n(.*?)```(?:\n\n```text\n(.*?)```)?", page, re.S
    ):
        exec(compile(code, f"from-{package}.md", "exec"), names)
        told = capsys.readouterr().out
        assert not printed or same_text(told, printed), told


def test_every_section_of_the_pages_is_named_on_the_page_of_contents():
    contents = (ROOT / "docs" / "howto.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\]\((howto-\w+\.md#[\w-]+)\)", contents))
    there = {f"{name}#{anchor(title)}" for name in HOW_TO for title in titles(name)}
    assert named == there


def titles(name):
    return re.findall(r"^## (.+)$", (ROOT / "docs" / name).read_text(encoding="utf-8"), re.M)


def anchor(title):
    """The name of a heading in a link, as GitHub and MyST make it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def test_the_page_of_names_has_every_public_name_and_no_other():
    page = (ROOT / "docs" / "names.md").read_text(encoding="utf-8")
    groups = {name: getattr(ts, name) for name in ts.__all__}
    public = {f"ts.{name}.{x}" for name, group in groups.items() for x in group_names(group)}
    public |= {f"ts.{name}" for name in groups if not name.startswith("_")}
    named = set(re.findall(r"`(ts\.[\w.]+)`", page))
    assert public - named == set()
    assert named - public == set()


def test_every_group_of_names_has_its_page_of_signatures():
    groups = [x for x in ts.__all__ if isinstance(getattr(ts, x), ModuleType)]
    pages = {x.stem: x.read_text(encoding="utf-8") for x in (ROOT / "docs/reference").glob("*.md")}
    assert sorted(pages) == sorted(["core", *groups])
    assert [x for x in groups if f"```{{signatures}} {x}\n" not in pages[x]] == []


def group_names(value):
    return value.__all__ if isinstance(value, ModuleType) else ()


def test_the_gallery_shows_every_example_once():
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    groups = re.findall(r"```\{mechanisms\}\n(.*?)```", page, re.S)
    shown = [line.split(":")[0] for group in groups for line in group.splitlines()]
    examples = (ROOT / "src" / "torseur" / "examples").glob("*.yaml")
    assert sorted(shown) == sorted(path.stem for path in examples)


def test_what_pages_count_is_counted_right():
    words = "nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
    numbers = dict(enumerate([*words.split(), "twenty", "twenty-one", "twenty-two"], 9))
    pages = "README.md", "docs/howto-teach.md"
    readme, told = ((ROOT / x).read_text(encoding="utf-8").lower() for x in pages)
    assert f"{numbers[len(JOINTS)]} joints" in readme
    assert re.search(rf"{numbers[len(FORCES)]}\s+forces", readme)
    assert f"{numbers[len(FORMALISMS)]} formalisms" in readme
    assert f"{len(ts.exercises.names())} exercises" in told


def test_every_page_named_in_the_readme_exists():
    links = re.findall(r"\]\(([^)#:]+)[^):]*\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


# --- pages in French ------------------------------------------------------------------------------

GUIDE = (ROOT / "docs/fr/guide.md").read_text(encoding="utf-8")
TASKS = {
    name: text
    for name, text in re.findall(r"^### (\d+\. .+?)\n(.*?)(?=^##|\Z)", GUIDE, re.M | re.S)
}
LONG = (
    "4.",
    "6.",
    "15.",
    "16.",
    "17.",
    "22.",
    "24.",
    "27.",
    "28.",
    "1.",
    "10.",
)  # they draw or compile
SHELL = r"```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?"


def commanded(text, lang="fr"):
    """Every command of a text, in a language, against the output that is shown of it."""
    for lines, printed in re.findall(SHELL, text, re.S):
        told = ""
        for line in lines.splitlines():
            with patch.dict(os.environ, {"TORSEUR_LANG": lang}):
                answer = CliRunner().invoke(commands, shlex.split(line)[1:], standalone_mode=False)
            assert answer.exception is None or isinstance(answer.exception, SystemExit)
            told += answer.stdout
        assert not printed or same_text(told, printed)


def tasks():
    for name in TASKS:
        marks = [pytest.mark.slow] if name.split()[0] in LONG else []
        yield pytest.param(name, id=name.split()[0], marks=marks)


@pytest.mark.parametrize("name", list(tasks()))
def test_a_task_of_the_french_guide_is_done_as_it_is_told(name, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    for example in re.findall(r"\w+\.yaml", TASKS[name]):
        text = (files("torseur.examples") / example).read_text(encoding="utf-8")
        Path(example).write_text(text, encoding="utf-8")
    commanded(TASKS[name])
    for code, printed in re.findall(
        r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", TASKS[name], re.S
    ):
        exec(compile(code, name, "exec"), {})
        assert not printed or same_text(capsys.readouterr().out, printed)


def test_there_are_thirty_tasks_each_one_command_or_five_lines():
    assert len(TASKS) == 30
    for text in TASKS.values():
        (code,) = re.findall(r"```(?:sh|python)\n(.*?)```", text, re.S)
        lines = [x for x in code.splitlines() if not x.startswith(("import", "from"))]
        assert len(lines) <= 5
        assert "```sh" not in text or len(lines) == 1


@pytest.mark.parametrize("lang, page", [("fr", "fr/debut.md"), ("en", "start.md")])
def test_the_commands_of_the_start_work_on_its_file(lang, page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    start = (ROOT / "docs" / page).read_text(encoding="utf-8")
    name, text = re.search(r"`(\w+\.yaml)` ?:\n\n```yaml\n(.*?)```", start, re.S).groups()
    Path(name).write_text(text, encoding="utf-8")
    for section in start.split("\n## ")[1:]:  # all others: `make install-check`
        if name in section:
            commanded(section, lang)


SECTIONS = dict(
    re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", IN_ORDER.read_text(encoding="utf-8"), re.M | re.S)
)
PIECES = re.compile(
    r"(?:`(?P<file>[\w.]+)` :\n\n)?```(?P<kind>yaml|sh|python)\n(?P<text>.*?)```"
    r"(?:\n\n```text\n(?P<printed>.*?)```)?",
    re.S,
)
SLOW_SECTIONS = (
    "Décrire des contacts, des butées et du frottement",
    "Lire, étudier et écrire un robot",
    "Étudier l'influence des tolérances",
    "Écrire un rapport, une page, un film",
)  # they draw or compile


def sections():
    for name, text in SECTIONS.items():
        if PIECES.search(text):
            marks = [pytest.mark.slow] if name in SLOW_SECTIONS else []
            yield pytest.param(text, id=name, marks=marks)


@pytest.mark.parametrize("text", list(sections()))
def test_a_section_of_the_french_how_to_is_done_from_top_to_bottom(
    text, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TORSEUR_LANG", "fr")
    for example in re.findall(r"`torseur examples (\w+) -o", text):
        shown = (files("torseur.examples") / f"{example}.yaml").read_text(encoding="utf-8")
        Path(f"{example}.yaml").write_text(shown, encoding="utf-8")
    names: dict[str, object] = {}
    for piece in PIECES.finditer(text):
        kind, code, printed = piece["kind"], piece["text"], piece["printed"]
        if kind == "yaml":
            Path(piece["file"]).write_text(code, encoding="utf-8")
        elif kind == "sh":
            lines = [shlex.split(x)[1:] for x in code.splitlines()]
            answers = [CliRunner().invoke(commands, x, standalone_mode=False) for x in lines]
            assert {type(x.exception) for x in answers} <= {type(None), SystemExit}
            assert not printed or same_text("".join(x.stdout for x in answers), printed)
        else:
            exec(compile(code, "pratique.md", "exec"), names)
            told = capsys.readouterr().out
            assert not printed or same_text(told, printed)


def test_the_french_page_of_the_format_has_every_word_and_a_model_that_loads(tmp_path):
    page = (ROOT / "docs" / "fr" / "format.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `([^`]+)` \| (.+?) \|", page, re.M))
    (model,) = re.findall(r"```yaml\n(.*?)```", page, re.S)
    path = tmp_path / "modele.yaml"
    path.write_text(model, encoding="utf-8")
    assert ts.mobility(ts.load(path)).degree == 1
    assert rows == {
        key: ", ".join(f"`{x}`" for x in words) for key, words in entry_words("fr").items()
    }
