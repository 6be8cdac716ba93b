"""The page on architecture shows the tree that is there, and pages name files that exist."""

import ast
import re

import pytest
from source_code import ROOT, SOURCE, parsed

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def sentence(module):
    """What a module or a package is, by the first line of its docstring."""
    return ast.get_docstring(parsed(module)).splitlines()[0]


def rooms():
    """Modules of the top, packages and their sub-packages, each with its sentence."""
    for path in SOURCE.rglob("*.py"):
        place = path.relative_to(SOURCE)
        if path.name == "__init__.py" and len(place.parts) > 1:
            yield f"{place.parent.as_posix()}/", sentence(path)
        elif len(place.parts) == 1 and not path.name.startswith("__"):
            yield path.name, sentence(path)


def shown():
    """The same as the page shows it: an indented line for each sub-package."""
    tree = re.search(r"^## The tree\n.*?```\n(.*?)```", PAGE, re.M | re.S)[1]
    package = ""
    for line in tree.splitlines():
        indent, name, words = re.fullmatch(r"( *)(\S+) +(.+)", line).groups()
        package = "" if not indent else package
        yield package + name, words
        package = package or name


def test_the_tree_on_the_page_is_the_tree_of_the_folder():
    assert sorted(shown()) == sorted(rooms())  # and nothing twice


@pytest.mark.parametrize("page", ["docs/architecture.md", "docs/theory.md", "CONTRIBUTING.md"])
def test_the_files_that_a_page_names_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`(?:src/torseur/)?([a-z_]+/[a-z_0-9/]+(?:\.py|/))(?::\w+)?`", text)
    assert named
    assert not [x for x in named if not (SOURCE / x).exists() and not (ROOT / x).exists()]
