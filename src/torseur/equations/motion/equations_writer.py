"""Equations of motion written to a file, with the mechanism they belong to.

A file is one JSON document: the description of the mechanism (its YAML form), its parameters, the
expressions node after node, and the arrays and tables made of them; a table of another kind, such
as the augmented bodies themselves, is left out.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

from torseur.algebra.forms.plain_nodes import is_plain, nodes_in, plain_nodes, plain_values
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.model.parameters import Parameter
from torseur.output import writable, write_text
from torseur.version import __version__

FORMAT = 2
ARRAYS = ("M", "h", "g", "Q", "inverse_dynamics")
ROWS = ("unknowns", "gap", "J", "rate", "bias", "coordinate_rates")
_PLAIN = ("owners", "positions", "joint_gaps")


def save_equations(
    path: str | Path,
    *,
    system: System,
    formalism: str,
    hints: Mapping[int, str],
    tables: Mapping[str, Any],
    given_constraints: GivenConstraints | None,
    **arrays: Any,
) -> Path:
    """Write equations, all fields of them, as a document that `load_equations` reads back equal."""
    place = writable(path)
    parts: dict[str, Any] = {name: arrays[name] for name in ARRAYS}
    parts["tables"] = {name: x for name, x in tables.items() if is_plain(x)}
    if given_constraints is not None:
        parts["held"] = {name: getattr(given_constraints, name) for name in ROWS}
    nodes, places = plain_nodes(list(nodes_in(parts)))
    mechanism = system.mechanism
    content = {
        "torseur_equations": FORMAT,
        "version": __version__,
        "name": mechanism.name,
        "formalism": formalism,
        "coordinates": list(system.coordinates),
        "speeds": list(system.speeds),
        "accelerations": [x.name for x in system.a],
        "mechanism": _description(mechanism),
        "parameters": {name: _value(x) for name, x in mechanism.parameter_table.items()},
        "rows": None
        if given_constraints is None
        else {name: getattr(given_constraints, name) for name in _PLAIN},
        "hints": {str(places[key]): name for key, name in hints.items() if key in places},
        "nodes": nodes,
        "arrays": plain_values(parts, places),
    }
    content["digest"] = digest(content)
    return write_text(place, json.dumps(content, ensure_ascii=False))


def _description(mechanism: Mechanism) -> str | None:
    """The YAML form; None of a Lagrangian, and of what was changed since it was read."""
    try:
        return mechanism.yaml()
    except ModelError:
        return None


def _value(parameter: Parameter) -> dict[str, Any]:
    value = parameter.value
    number = value is not None and value.op == "number"
    return {
        "value": float(value.value[1]) if value is not None and number else None,
        "unit": parameter.unit,
        "meaning": parameter.meaning,
    }


def digest(content: Mapping[str, Any]) -> str:
    """Digest of everything in a file but the digest itself."""
    text = json.dumps({k: x for k, x in content.items() if k != "digest"}, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()
