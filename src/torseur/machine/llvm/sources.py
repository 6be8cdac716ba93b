"""What the code of a module is made of: its text, and those of all modules that it imports."""

from __future__ import annotations

import hashlib
import re
from functools import cache
from pathlib import Path

_ROOT = Path(__file__).parents[3]  # the folder that holds the package torseur
_FROM = re.compile(r"^\s*from (torseur[\w.]*) import (\([^)]*\)|[^#\n]*)", re.MULTILINE)
_IMPORT = re.compile(r"^\s*import (torseur[\w.]*)", re.MULTILINE)
_NAME = re.compile(r"(\w+)(?: as \w+)?")


@cache
def digest(*modules: str) -> bytes:
    """A fingerprint of the texts that these modules are made of."""
    found: dict[Path, str] = {}
    waiting = [path for module in modules for path in _files(module)]
    while waiting:
        path = waiting.pop()
        if path not in found:
            found[path] = path.read_text(encoding="utf-8")
            waiting += imported(found[path])
    texts = sorted((path.relative_to(_ROOT).as_posix(), text) for path, text in found.items())
    return hashlib.sha256(repr(texts).encode()).digest()


def imported(text: str) -> list[Path]:
    """The files of the modules of Torseur that a text imports, wherever in it."""
    names = list(_IMPORT.findall(text))
    for module, listed in _FROM.findall(text):
        names += [module, *(f"{module}.{name}" for name in _NAME.findall(listed))]
    return [path for name in names for path in _files(name)]


def _files(module: str) -> list[Path]:
    """The file of a module; none for a name that is no module."""
    path = _ROOT.joinpath(*module.split("."))
    return [x for x in (path.with_suffix(".py"), path / "__init__.py") if x.is_file()]
