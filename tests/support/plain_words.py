"""Check of names and docstrings for the rules of plain words that a program can see.

Run by `make lint` over the rooms listed in `CLEAN`; with paths, over these. Each violation is one
line `file:line: rule: text`, and the exit code is 1 if there is one.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

SOURCE = Path(__file__).parents[2] / "src" / "torseur"

# rooms without a violation, which stay so
CLEAN = (
    "algebra",
    "analyse",
    "cli",
    "controllers",
    "design",
    "dynamics",
    "equations",
    "export",
    "language",
    "machine",
    "model",
    "notebook.py",
    "report",
    "robotics/identification",
    *(f"simulation/{x}" for x in ("batch", "constraints", "contact", "control", "formulations")),
    *(f"simulation/{x}" for x in ("observe", "start", "rollout.py", "simulate.py", "stepper.py")),
    "spatial",
    "study",
    "teach",
    "topology",
)

# public arguments and attributes, which stay as users write them
PUBLIC = {
    ("analyse/vibrations/linearise.py", "held"),
    ("design/synthesise.py", "kept"),
    ("design/synthesis_problem.py", "said"),
    ("teach/exercises/exercise_entries.py", "said"),
}

OPENING = re.compile(
    r"(What|Who|Whom|Whose|Whoever|Of|The same|There (is|are)|Nothing|Those|How|Nobody|Somebody"
    r"|None|As|It is|In which|By which)\b"
)
AGENTS = re.compile(r"\b([Ss]omebody|[Nn]obody|is (told|said|asked)|are (told|said|asked))\b")

# participles and pronouns that name nothing when they stand alone
NAMELESS = {
    *("found", "made", "told", "kept", "held", "moved", "shown", "wanted", "asked", "taken"),
    *("said", "meant", "brought", "picked", "gathered", "seen", "own", "here", "every"),
}

# classes of two meanings, which still wait for a second name
TWICE = {"MovingFrame", "Path", "Touching"}

Violation = tuple[Path, int, str, str]


def violations(path: Path) -> Iterator[Violation]:
    """Violations of one file."""
    tree = ast.parse(path.read_text())
    fields = set(_fields(tree))
    public = {name for file, name in PUBLIC if path == SOURCE / file}
    yield from _docstring(path, tree, 1)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _docstring(path, node, node.lineno)
        for name, line in _names(node):
            if name.lstrip("_") in NAMELESS - public and (name, line) not in fields:
                yield path, line, "a name that says nothing", name


def _docstring(path: Path, node: ast.AST, line: int) -> Iterator[Violation]:
    """Violations of the docstring of a module, a class or a function."""
    text = ast.get_docstring(node)  # type: ignore[arg-type]
    if not text:
        return
    first = text.splitlines()[0]
    if OPENING.match(first):
        yield path, line, "docstring starts with no noun or verb", first
    if first.startswith("Whether ") and not _is_boolean(node):
        yield path, line, 'docstring starts with "Whether" but the result is no bool', first
    if match := AGENTS.search(text):
        yield path, line, "an agent without a name", match.group()


def _is_boolean(node: ast.AST) -> bool:
    """Whether a function returns a bool, as far as its annotation says; kernels have none."""
    returns = getattr(node, "returns", None)
    return returns is None or "bool" in ast.unparse(returns)


def _names(node: ast.AST) -> Iterator[tuple[str, int]]:
    """Names that a node gives to functions, classes, arguments and variables."""
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
            yield node.name, node.lineno
        case ast.arg():
            yield node.arg, node.lineno
        case ast.Name(ctx=ast.Store()):
            yield node.id, node.lineno


def _fields(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Fields of classes: results are read by them, as attributes and in JSON, so they stay."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            for field in node.body:
                if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name):
                    yield field.target.id, field.lineno


def repeated(paths: list[Path]) -> Iterator[Violation]:
    """Names of classes that two files define: one name has one meaning."""
    places = defaultdict(list)
    for path in paths:
        for node in ast.parse(path.read_text()).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                places[node.name].append((path, node.lineno))
    for name, defined in places.items():
        for path, line in defined[1:] if name not in TWICE else ():
            first = defined[0][0].relative_to(SOURCE)
            yield path, line, f"class also defined in {first}", name


def files(places: list[Path]) -> list[Path]:
    """Python files of folders and files, in order."""
    return sorted(
        file for place in places for file in (place.rglob("*.py") if place.is_dir() else [place])
    )


def main(arguments: list[str]) -> int:
    """Print violations; return the exit code."""
    places = [Path(x).resolve() for x in arguments] or [SOURCE / room for room in CLEAN]
    chosen = files(places)
    lines = [x for file in chosen for x in violations(file)]
    lines += [x for x in repeated(files([SOURCE])) if x[0] in chosen]
    for path, line, rule, text in lines:
        print(f"{path.relative_to(SOURCE.parents[1])}:{line}: {rule}: {text}")
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
