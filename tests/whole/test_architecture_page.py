"""The list of rooms is that of the folder, and pages name files that exist."""

import re

import pytest
from rooms import PAGE, listed, rewritten, rooms
from source_code import ROOT, SOURCE

DECISIONS = sorted((ROOT / "docs" / "decisions").glob("0*.md"))
NAMING = ["docs/architecture.md", "docs/theory.md", "CONTRIBUTING.md"]


def test_the_list_of_rooms_is_the_tree_of_the_folder():
    text = PAGE.read_text(encoding="utf-8")
    assert sorted(listed(text)) == sorted(rooms())  # and nothing twice
    assert rewritten(text) == text


def test_every_decision_is_in_the_index_with_its_title_and_its_date():
    index = (ROOT / "docs" / "decisions" / "index.md").read_text(encoding="utf-8")
    assert DECISIONS
    for path in DECISIONS:
        number, title, date = re.match(
            r"# (\d+)\. (.+)\n\nDate: (\d{4}-\d\d-\d\d)\n", path.read_text(encoding="utf-8")
        ).groups()
        assert f"| [{number}]({path.name}) | {title} | {date} |" in index
        assert path.name.startswith(f"{int(number):04d}-")


@pytest.mark.parametrize("page", [*NAMING, *(x.relative_to(ROOT).as_posix() for x in DECISIONS)])
def test_the_files_that_a_page_names_are_there(page):
    text = (ROOT / page).read_text(encoding="utf-8")
    named = re.findall(r"`(?:src/torseur/)?([a-z_]+/[a-z_0-9/]+(?:\.py|/))(?::\w+)?`", text)
    assert named or page not in NAMING
    assert not [x for x in named if not (SOURCE / x).exists() and not (ROOT / x).exists()]
