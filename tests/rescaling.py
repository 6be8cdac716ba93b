"""The examples made larger, heavier and slower: every number by the powers of its dimension."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

import torseur as ts
from torseur.algebra.forms.dimensions import dimension
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units, speed_units

EXAMPLES = Path(ts.__file__).parent / "examples"


def rescaled(name: str, length: float, mass: float, time: float) -> Mechanism:
    """An example with lengths, masses and times multiplied; all sizes have the same equations."""
    document = yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"))
    found = ts.load(EXAMPLES / f"{name}.yaml")

    def by(value: Any, unit: str) -> Any:
        known = dimension(unit) if unit else None
        if known is None or not isinstance(value, int | float):
            return value
        kg, m, s = (float(x) for x in known.powers[:3])
        return value * mass**kg * length**m * time**s

    for parameter in document.get("parameters", {}).values():
        if isinstance(parameter, dict):
            parameter["value"] = by(parameter["value"], parameter.get("unit", ""))
    for k, x in enumerate(document.get("gravity", [])):
        if isinstance(x, int | float) and x:  # a parameter, like all other numbers
            document.setdefault("parameters", {})[f"gravity{k}"] = by(x, "m/s^2")
            document["gravity"][k] = f"gravity{k}"
    units = coordinate_units(found) | speed_units(found)
    initial = document.get("initial", {})
    document["initial"] = {name: by(x, units[name]) for name, x in initial.items()}
    return ts.load(document)
