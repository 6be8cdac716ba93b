"""The coverage page tells the truth: each feature has its row; places, tests and doors exist."""

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

from click import Context

import torseur as ts
from torseur.cli.commands import commands
from torseur.equations.formalisms.derive import FORMALISMS

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "torseur"
TESTS = ROOT / "tests"

FEATURES = dict(
    A=25, B=20, C=19, D=19, E=13, F=16, G=19, H=10, I=19, J=10, K=7, L=11, M=7, N=11, O=12, P=13
)
IDS = [f"{section}{n:02d}" for section, last in FEATURES.items() for n in range(1, last + 1)]
PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
FORMAT = (ROOT / "docs" / "format.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\|\s*[A-P]\d+\s*\|", line)
]


def entries(cell):
    """What a cell names: one or several, separated by commas, in backquotes or not."""
    return [part.strip().strip("`") for part in cell.split(",")]


@cache
def definitions(path):
    """Names of the functions and classes of a file; those of a class as `Class.method`."""

    def inside(node, prefix=""):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                yield prefix + child.name
            if isinstance(child, ast.ClassDef):
                yield from inside(child, f"{prefix}{child.name}.")

    return set(inside(ast.parse(path.read_text(encoding="utf-8"))))


def is_a_place(entry):
    """`algebra/core/rules.py` or `algebra/core/rules.py:function`, relative to src/torseur."""
    path, _, name = entry.partition(":")
    file = SOURCE / path
    return file.is_file() and (not name or name in definitions(file))


def is_a_test(entry):
    """`test_file.py::test_name`, relative to tests."""
    path, _, name = entry.partition("::")
    file = TESTS / path
    return file.is_file() and name.startswith("test_") and name in definitions(file)


def is_public(entry):
    """`ts.name`, `ts.namespace.name` or `ts.Class.name`."""
    first, *rest = entry.removeprefix("ts.").split(".")
    if first not in ts.__all__:
        return False
    value = getattr(ts, first)
    for name in rest:
        if name not in dir(value) and name not in fields_of(value):
            return False
        value = getattr(value, name, None)
    return True


def fields_of(value):
    return getattr(value, "__dataclass_fields__", {})


def is_a_command(entry):
    """`torseur command`, with options that it has and formalisms that exist."""
    _, name, *rest = entry.split()
    command = commands.get_command(Context(commands), name)
    options = {option for x in getattr(command, "params", ()) for option in x.opts}
    known = {*options, *FORMALISMS}
    return command is not None and all(word in known for word in rest)


def is_an_entry(entry):
    """`key:` or `type: value` of a description, as the page on the format shows or lists it."""
    key, colon, value = entry.partition(":")
    shown = re.search(rf"`{re.escape(key)}`|\b{re.escape(key)}:", FORMAT)
    kind = re.escape(value.strip())
    listed = re.search(rf"`{kind}`|\btype: {kind}\b|^\| {kind}\b", FORMAT, re.M)
    return bool(colon and shown and (listed or not value))


def doors(cell):
    """What a user reaches a feature by, in backquotes."""
    return re.findall(r"`([^`]+)`", cell)


def is_a_door(entry):
    kinds = {"ts.": is_public, "torseur ": is_a_command}
    start = next((x for x in kinds if entry.startswith(x)), None)
    return kinds[start](entry) if start else is_an_entry(entry)


# --- where it is shown ----------------------------------------------------------------------------


@cache
def sections(page):
    """The text below each heading of a page, by the name that links give the heading."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    parts = re.split(r"^(#{1,3} .+)$", text, flags=re.M)
    told = zip(parts[1::2], parts[2::2], strict=True)
    return {anchor(head.lstrip("# ")): head + below for head, below in told}


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def shows(section, door):
    """Whether a section names a door: a function, a member as `.name`, a command, an entry."""
    if door.startswith("ts."):
        parts = door.split(".")
        member = next((k for k, x in enumerate(parts) if x[0].isupper()), len(parts)) + 1
        called = "." + parts[member] if member < len(parts) else door
        if door == "ts.Run":
            called = "run["
        return re.search(rf"{re.escape(called)}(?!\w)", section)
    if door.startswith("torseur "):
        _, name, *options = door.split()
        return re.search(".*".join((rf"torseur {name}\b", *map(re.escape, options))), section)
    key, _, value = (x.strip() for x in door.partition(":"))
    if value:
        kind = re.escape(value)
        return re.search(rf'type"?: "?{kind}\b|^\| {kind}\b|`{kind}`', section, re.M)
    return re.search(rf'^#+ .*\b{key}\b|\b{key}"?:|`{key}`', section, re.M)


def test_every_feature_is_shown_in_a_section_that_names_a_door_to_it():
    wrong = []
    for row in ROWS:
        (link,) = re.findall(r"\]\(([^)]+)\)", row[3])
        page, _, place = link.partition("#")
        section = sections(page).get(place, "")
        if not any(shows(section, door) for door in doors(row[2])):
            wrong.append((row[0], link))
    assert wrong == []


def test_there_are_231_features():
    assert len(IDS) == 231


def test_every_feature_has_exactly_one_row():
    assert Counter(row[0] for row in ROWS) == Counter(IDS)


def test_every_row_has_a_feature_a_place_a_test_a_door_and_a_page():
    assert [row for row in ROWS if len(row) != 6 or not all(row)] == []


def test_every_place_exists():
    assert [(row[0], e) for row in ROWS for e in entries(row[5]) if not is_a_place(e)] == []


def test_every_test_exists():
    assert [(row[0], e) for row in ROWS for e in entries(row[4]) if not is_a_test(e)] == []


def test_every_door_exists():
    assert [(row[0], e) for row in ROWS for e in doors(row[2]) if not is_a_door(e)] == []


def test_a_feature_is_reached_by_doors_alone():
    listed = re.compile(r"`[^`]+`(, `[^`]+`)*")
    assert [row[0] for row in ROWS if not listed.fullmatch(row[2])] == []


def test_what_does_not_exist_is_no_door():
    commands = ("nothing", "derive --nothing", "derive --formalism nothing")
    wrong = ("ts.nothing", "ts.Run.nothing", "nothing:", "type: nothing", "limits")
    assert not [x for x in (*wrong, *(f"torseur {x}" for x in commands)) if is_a_door(x)]
