"""The files of YAML that come with the package: examples, exercises."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable

EXAMPLES = "torseur.examples"


@cache
def packaged_files(folder: str) -> dict[str, Traversable]:
    """Those of a folder by name, in alphabetical order."""
    entries = sorted(files(folder).iterdir(), key=lambda entry: entry.name)
    return {x.name.removesuffix(".yaml"): x for x in entries if x.name.endswith(".yaml")}
