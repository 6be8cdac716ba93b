"""Torseur: from the description of a mechanism to its equations, its model and its motion."""

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from torseur.version import __version__ as __version__

# The stub is the table of the public names: name → module, name there. Editors read it too.
_STUB = Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8")
_LINE = re.compile(r"^from (\S+) import (\w+) as (\w+)$", re.MULTILINE)
_HOMES = {name: (home, there) for home, there, name in _LINE.findall(_STUB)}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that `import torseur` is quick.

    What functions are given passes the door first: `torseur.door`.
    """
    if name not in _HOMES:
        raise AttributeError(f"module 'torseur' has no attribute {name!r}{_elsewhere(name)}")
    home, there = _HOMES[name]
    if home == __name__:  # a namespace
        return import_module(f"torseur.{name}")
    value = import_module("torseur.door").entrance(import_module(home), there, "torseur", name)
    globals()[name] = value
    return value


def _elsewhere(name: str) -> str:
    """In which namespace a name is that is not here."""
    for space in (name for name, (home, _) in _HOMES.items() if home == __name__):
        home = find_spec(f"torseur.{space}")
        assert home is not None and home.origin is not None, f"{space} is a module"
        text = Path(home.origin).read_text(encoding="utf-8")
        if any(public == name for _, _, public in _LINE.findall(text)):
            return f": it is torseur.{space}.{name}"
    return ""


def __dir__() -> list[str]:
    return sorted(__all__)


class _Package(ModuleType):
    """A package of the same name, once imported, does not take the place of a public function."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) or _HOMES.get(name, (__name__,))[0] == __name__:
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
