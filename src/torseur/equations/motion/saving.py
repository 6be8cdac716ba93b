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
from typing import Any, Protocol

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


class Written(Protocol):
    """Equations, of which only this is asked."""

    @property
    def system(self) -> System: ...
    @property
    def formalism(self) -> str: ...
    @property
    def hints(self) -> Mapping[int, str]: ...
    @property
    def tables(self) -> Mapping[str, Any]: ...
    @property
    def held(self) -> GivenConstraints | None: ...
    def output(self, name: str) -> Any:
        """One output by name."""


def save_equations(equations: Written, path: str | Path) -> Path:
    """Write equations as a JSON document, which `load_equations` reads back equal."""
    place = writable(path)
    content = _content(equations)
    content["digest"] = digest(content)
    return write_text(place, json.dumps(content, ensure_ascii=False))


def _content(equations: Written) -> dict[str, Any]:
    own, held = equations.system, equations.held
    parts: dict[str, Any] = {name: equations.output(name) for name in ARRAYS}
    parts["tables"] = {name: x for name, x in equations.tables.items() if is_plain(x)}
    if held is not None:
        parts["held"] = {name: getattr(held, name) for name in ROWS}
    nodes, places = plain_nodes(list(nodes_in(parts)))
    hints = {str(places[key]): name for key, name in equations.hints.items() if key in places}
    mechanism = own.mechanism
    return {
        "torseur_equations": FORMAT,
        "version": __version__,
        "name": mechanism.name,
        "formalism": equations.formalism,
        "coordinates": list(own.coordinates),
        "speeds": list(own.speeds),
        "accelerations": [x.name for x in own.a],
        "mechanism": _description(mechanism),
        "parameters": {name: _value(x) for name, x in mechanism.parameter_table.items()},
        "rows": None if held is None else _rows(held),
        "hints": hints,
        "nodes": nodes,
        "arrays": plain_values(parts, places),
    }


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


def _rows(held: GivenConstraints) -> dict[str, Any]:
    return {
        "owners": list(held.owners),
        "positions": list(held.positions),
        "joint_gaps": held.joint_gaps,
    }


def digest(content: Mapping[str, Any]) -> str:
    """Of everything in a file but the digest itself."""
    text = json.dumps({k: x for k, x in content.items() if k != "digest"}, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()
