"""The coverage page tells the truth: every feature has its row, every place and test exists."""

import ast
import re
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "torseur"
TESTS = ROOT / "tests"
NOT_YET = "not yet"

FEATURES = dict(
    A=25, B=20, C=19, D=19, E=13, F=16, G=19, H=10, I=19, J=10, K=7, L=11, M=7, N=11, O=12, P=13
)
IDS = [f"{section}{n:02d}" for section, last in FEATURES.items() for n in range(1, last + 1)]
PAGE = (ROOT / "docs" / "coverage.md").read_text(encoding="utf-8")
ROWS = [
    [cell.strip() for cell in line.strip().strip("|").split("|")]
    for line in PAGE.splitlines()
    if re.match(r"\|\s*[A-P]\d+\s*\|", line)
]


def entries(cell):
    """What a cell names: one or several, separated by commas, in backquotes or not."""
    return [] if cell == NOT_YET else [part.strip().strip("`") for part in cell.split(",")]


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
    """`algebra/rules.py` or `algebra/rules.py:function`, relative to src/torseur."""
    path, _, name = entry.partition(":")
    file = SOURCE / path
    return file.is_file() and (not name or name in definitions(file))


def is_a_test(entry):
    """`test_file.py::test_name`, relative to tests."""
    path, _, name = entry.partition("::")
    file = TESTS / path
    return file.is_file() and name.startswith("test_") and name in definitions(file)


def test_there_are_231_features():
    assert len(IDS) == 231


def test_every_feature_has_exactly_one_row():
    assert Counter(row[0] for row in ROWS) == Counter(IDS)


def test_every_row_has_a_feature_a_place_and_a_test():
    assert [row for row in ROWS if len(row) != 4 or not all(row)] == []


def test_every_place_exists():
    assert [(row[0], e) for row in ROWS for e in entries(row[2]) if not is_a_place(e)] == []


def test_every_test_exists():
    assert [(row[0], e) for row in ROWS for e in entries(row[3]) if not is_a_test(e)] == []
