"""Torseur: from the description of a mechanism to its equations, its model and its motion."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "load": "torseur.language.load",
    "derive": "torseur.formalisms.derive",
    "check": "torseur.mechanism.checks",
    "compile": "torseur.backends.compiled",
    "export": "torseur.backends.source.export",
    "assemble": "torseur.simulation.assemble",
    "simulate": "torseur.simulation.integrate",
    "load_run": "torseur.simulation.files",
    "mobility": "torseur.analyse.mobility",
    "page": "torseur.report.page",
    "drawing": "torseur.report.drawing",
    "Mechanism": "torseur.mechanism",
    "Equations": "torseur.formalisms.equations",
    "CompiledModel": "torseur.backends.compiled",
    "Run": "torseur.simulation.run",
    "Torseur": "torseur.spatial.torseur",
    "ModelError": "torseur.errors",
    "SolveError": "torseur.errors",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that `import torseur` is quick."""
    if name not in _HOMES:
        raise AttributeError(f"module 'torseur' has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
