"""Equations of motion written to a file and read again, with the mechanism they belong to.

A file is one JSON document: the description of the mechanism (its YAML form), its parameters, the
expressions node after node, and the arrays and tables made of them; a table of another kind, such
as the augmented bodies themselves, is left out. Nothing is derived when it is read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.forms.plain_nodes import (
    is_plain,
    nodes_in,
    nodes_of,
    plain_nodes,
    plain_values,
    values_of,
)
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System, symbols_of, system
from torseur.errors import ModelError
from torseur.language.saved import described
from torseur.language.yaml.form import yaml_mechanism
from torseur.model.description import Mechanism
from torseur.model.parameters import Parameter
from torseur.output import reason, writable, write_text
from torseur.topology.tree import Tree
from torseur.version import __version__
from torseur.words.sentence import say

FORMAT = 1
_ARRAYS = ("M", "h", "g", "Q", "inverse_dynamics")
_ROWS = ("gap", "J", "rate", "bias", "coordinate_rates")
_WRONG = (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError)


def save_equations(equations: Equations, path: str | Path) -> Path:
    """Write equations as a JSON document, which `load_equations` reads back equal."""
    place = writable(path)
    content = _content(equations)
    content["digest"] = _digest(content)
    return write_text(place, json.dumps(content, ensure_ascii=False))


def _content(equations: Equations) -> dict[str, Any]:
    own, held = equations.system, equations.held
    parts: dict[str, Any] = {name: equations.output(name) for name in _ARRAYS}
    parts["tables"] = {name: x for name, x in equations.tables.items() if is_plain(x)}
    if held is not None:
        parts["held"] = {name: getattr(held, name) for name in _ROWS}
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


def _digest(content: Mapping[str, Any]) -> str:
    text = json.dumps({k: x for k, x in content.items() if k != "digest"}, sort_keys=True)
    return blake2b(text.encode(), digest_size=16).hexdigest()


# --- read again -----------------------------------------------------------------------------------


def load_equations(path: str | Path) -> Equations:
    """The equations of a file written by `Equations.save`: M, h, g, Q, J, γ and their tables."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        known = content["torseur_equations"] == FORMAT
        whole = content["digest"] == _digest(content)
    except OSError as error:
        problem = say("it cannot be read: {reason}.", reason(error))
        raise ModelError(str(path), problem) from None
    except _WRONG:
        raise _no_equations(path) from None
    if not known or not whole:
        problem = "it is damaged, or another version wrote it: its content does not match."
        raise ModelError(str(path), problem, "Use a copy, or derive the equations again.")
    try:
        return _equations(content)
    except _WRONG:
        raise _no_equations(path) from None


def _no_equations(path: str | Path) -> ModelError:
    problem = "it is not a file of equations."
    return ModelError(str(path), problem, 'Such files are written by eq.save("file.json").')


def _equations(content: Mapping[str, Any]) -> Equations:
    nodes = nodes_of(content["nodes"])
    parts = values_of(content["arrays"], nodes)
    own = _system(content)
    held = None
    if content["rows"] is not None:
        rows = content["rows"]
        held = GivenConstraints(
            owners=tuple(rows["owners"]),
            positions=tuple(rows["positions"]),
            joint_gaps=rows["joint_gaps"],
            **{name: parts["held"][name] for name in _ROWS},
        )
    return Equations(
        own,
        content["formalism"],
        **{name: parts[name] for name in _ARRAYS},
        hints={nodes[int(k)].key: name for k, name in content["hints"].items()},
        tables=parts["tables"],
        held=held,
    )


def _system(content: Mapping[str, Any]) -> System:
    """That of the mechanism, in the variables of the equations."""
    mechanism = _mechanism(content)
    names = tuple(tuple(content[key]) for key in ("coordinates", "speeds", "accelerations"))
    if mechanism.bodies:
        whole = system(mechanism)
        if (whole.coordinates, whole.speeds) == names[:2]:
            return whole
    kinds = ("coordinate", "speed", "acceleration")
    q, v, a = (symbols_of(own, kind) for own, kind in zip(names, kinds, strict=True))
    return System(mechanism, Tree((), 0, 0), q, v, a)


def _mechanism(content: Mapping[str, Any]) -> Mechanism:
    text = content["mechanism"]
    if text is not None:
        return described(yaml_mechanism(text, ""), text)
    table = {
        name: Parameter(
            name,
            None if one["value"] is None else expression(one["value"]),
            one["unit"],
            one["meaning"],
        )
        for name, one in content["parameters"].items()
    }
    return Mechanism(content["name"], table, {}, {}, np.zeros(3))
