"""Packages that a page loads when a computation first needs them, such as SciPy."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any, final

from torseur.errors import SolveError
from torseur.words.sentence import say

OPTIONAL = ("scipy", "sympy", "matplotlib", "PIL")  # modules that Torseur imports and may not need


@final
class PackageWanted(BaseException):
    """The end of a computation that needs a package first; nothing of ours catches it."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@final
class LatePackage(ModuleType):
    """A package before it is there, and a way to it for who imported it too early."""

    def __init__(self, name: str, *, comes: bool) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)
        self._comes = comes

    def __getattr__(self, attribute: str) -> Any:
        """An attribute of the package; without the package, the computation ends."""
        package = sys.modules.get(self.__name__)
        if package is not None and package is not self:
            return getattr(package, attribute)
        if attribute.startswith("__") and attribute != "__path__":
            raise AttributeError(attribute)
        if self._comes:
            raise PackageWanted(self.__name__)
        problem = say(
            "this needs the package {name}, which this page does not have.", self.__name__
        )
        raise SolveError(
            "playground", problem, "Install Torseur on your computer: pip install torseur."
        )


def expect(comes: list[str]) -> None:
    """Stand in for packages that are not there; those named can come."""
    for name in (*OPTIONAL, *comes):
        if name not in sys.modules:
            sys.modules[name] = LatePackage(name, comes=name in comes)


def arrived(name: str) -> None:
    """Use a package that has come."""
    del sys.modules[name]
    import_module(name)
