"""The code in the documentation runs as it stands."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
WRITTEN = sorted((ROOT / "docs").rglob("*.md"))
HOW_TO = [path.name for path in WRITTEN if path.name.startswith("howto-")]
PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *WRITTEN)
    if "```python" in path.read_text(encoding="utf-8")
]


def blocks(page):
    """The Python of a page, each block with what a block of text after it says that it prints."""
    block = r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?"
    return re.findall(block, (ROOT / page).read_text(encoding="utf-8"), re.S)


@pytest.mark.parametrize("page", PAGES)
def test_the_python_of_a_page_runs_from_top_to_bottom(page, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    found = blocks(page)
    assert found, f"{page} shows no Python"
    names: dict[str, object] = {}
    for number, (code, printed) in enumerate(found):
        exec(compile(code, f"{page}, block {number + 1}", "exec"), names)
        told = capsys.readouterr().out
        assert not printed or told == printed


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


def test_the_gallery_shows_every_example_once():
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    groups = re.findall(r"```\{mechanisms\}\n(.*?)```", page, re.S)
    shown = [line.split(":")[0] for group in groups for line in group.splitlines()]
    examples = (ROOT / "src" / "torseur" / "examples").glob("*.yaml")
    assert sorted(shown) == sorted(path.stem for path in examples)


def test_every_page_named_in_the_readme_exists():
    links = re.findall(r"\]\(([^)#:]+)\)", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]
