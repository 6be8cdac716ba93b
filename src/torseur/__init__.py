"""Torseur: from the description of a mechanism to its equations, its model and its motion."""

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any
from warnings import warn

from torseur.public_names import NAMESPACES, NAMESPACES_CALLED, former_homes, public_homes
from torseur.version import __version__ as __version__


class _PublicModule(ModuleType):
    """A module whose public names are imported on first use, so that `import torseur` is quick.

    Functions pass `torseur.door`, which checks their arguments.
    """

    def __init__(self, namespace: str) -> None:
        super().__init__(f"torseur.{namespace}", NAMESPACES[namespace])
        self.__spec__ = ModuleSpec(self.__name__, None)
        self._homes = public_homes(namespace)
        self.__all__ = sorted(self._homes)

    def __getattr__(self, name: str) -> Any:
        if name not in self._homes:
            return self._former(name)
        home, there = self._homes[name]
        value = import_module("torseur.door").entrance(home, there, self.__name__, name)
        setattr(self, name, value)
        return value

    def _former(self, name: str) -> Any:
        """The value of a name that moved after 0.1.0, with a warning; an error for other names."""
        if self.__name__ == "torseur" and name in (moved := former_homes()):
            home, there = moved[name]
            warn(f"torseur.{name} is now {home}.{there}.", DeprecationWarning, stacklevel=3)
            return getattr(import_module(home), there)
        problem = f"module {self.__name__!r} has no attribute {name!r}{_hint(name)}"
        raise AttributeError(problem, name=name, obj=self)

    def __dir__(self) -> list[str]:
        return sorted(self.__all__)

    def __call__(self, *given: Any, **options: Any) -> Any:
        """A namespace that was a function up to 0.1.0 calls that function, with a hint."""
        if (name := self.__name__.removeprefix("torseur.")) not in NAMESPACES_CALLED:
            calls = ", ".join(f"{self.__name__}.{x}" for x in self.__all__)
            raise TypeError(f"{self.__name__} is a namespace. It has {calls}.")
        called = NAMESPACES_CALLED[name]
        hint = f"{self.__name__} is now a namespace: call {self.__name__}.{called}."
        warn(hint, DeprecationWarning, stacklevel=2)
        return getattr(self, called)(*given, **options)


class _Package(_PublicModule):
    """The package itself: a room of the same name does not take the place of a function."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not isinstance(value, ModuleType) or name not in self._homes:
            super().__setattr__(name, value)


def _hint(name: str) -> str:
    """The places that have a name."""
    spaces = [space for space in ("", *NAMESPACES) if name in public_homes(space)]
    places = " or ".join(f"torseur.{space}.{name}".replace("..", ".") for space in spaces)
    return f": it is {places}" if places else ""


_homes = public_homes()
__all__ = ["__version__", *NAMESPACES, *_homes]
sys.modules[__name__].__class__ = _Package
for _name in NAMESPACES:
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = _PublicModule(_name)
