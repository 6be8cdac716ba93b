"""The source of Torseur as syntax trees, each read once for all tests that look at it."""

import ast
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "torseur"
MODULES = sorted(SOURCE.rglob("*.py"))


@cache
def parsed(module):
    return ast.parse(module.read_text(encoding="utf-8"))


@cache
def walked(module):
    """All its nodes by their kind."""
    found = {}
    for node in ast.walk(parsed(module)):
        found.setdefault(type(node), []).append(node)
    return found


def nodes(module, *kinds):
    return [node for kind in kinds for node in walked(module).get(kind, ())]
