"""Source of a module: its text, and those of all modules that it imports.

What is called through a protocol stands beside it and counts too: no module imports each force.
"""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

ROOT = Path(__file__).parents[3]  # the folder that holds the package torseur
_FROM = re.compile(r"^\s*from (torseur[\w.]*) import (\([^)]*\)|[^#\n]*)", re.MULTILINE)
_IMPORT = re.compile(r"^\s*import (torseur[\w.]*)", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as \w+)?")
_PROTOCOL = "protocol.py"
# A released package has one fingerprint for all its files, beside the bitcode of its kernels.
RELEASED = Path(__file__).parents[1] / "bitcode" / "released"


def released() -> str | None:
    """The fingerprint of a released package; None in a checkout, whose files may change."""
    return RELEASED.read_text(encoding="ascii") if RELEASED.is_file() else None


def record(modules: tuple[str, ...]) -> bytes:
    """A fingerprint of the texts that modules are made of, and the state of their files."""
    states: dict[Path, tuple[int, int]] = {}
    texts: list[tuple[str, str]] = []
    waiting = [path for module in modules for path in _files(module)]
    named = set(modules)
    while waiting:
        path = waiting.pop()
        if path not in states:
            states[path] = _state(path)  # before it is read: a later change is seen
            text = path.read_text(encoding="utf-8")
            texts.append((_name(path), text))
            new = imported(text) - named
            named |= new
            waiting += [file for name in new for file in _files(name)]
            waiting += path.parent.glob("*.py") if path.name == _PROTOCOL else ()
    digest = hashlib.sha256(repr(sorted(texts)).encode()).hexdigest()
    files = [(_name(path), *state) for path, state in states.items()]
    return json.dumps({"digest": digest, "files": files}).encode()


def recalled(content: bytes) -> str | None:
    """The fingerprint that was recorded; None if a file changed since."""
    entries = json.loads(content)
    try:
        same = all(_state(ROOT / name) == (*state,) for name, *state in entries["files"])
    except OSError:
        return None
    return entries["digest"] if same else None


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def _state(path: Path) -> tuple[int, int]:
    """State of a file, which changes when it is written."""
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def imported(text: str) -> set[str]:
    """The modules of Torseur that a text imports, wherever in it, and names of what is in them."""
    names = set(_IMPORT.findall(text))
    for module, listed in _FROM.findall(text):
        names |= {module, *(f"{module}.{name}" for name in _NAME.findall(listed))}
    return names


def _files(module: str) -> list[Path]:
    """The file of a module; none for a name that is no module."""
    path = ROOT.joinpath(*module.split("."))
    return [x for x in (path.with_suffix(".py"), path / "__init__.py") if x.is_file()]
