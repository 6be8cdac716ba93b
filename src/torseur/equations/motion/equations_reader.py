"""Equations of motion read from files, as `equations_writer` writes them; nothing is derived."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.forms.plain_nodes import nodes_of, values_of
from torseur.equations.constraints.conditions import GivenConstraints
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.equations_writer import ARRAYS, FORMAT, ROWS, digest
from torseur.equations.symbols.system import System, symbols_of, system
from torseur.errors import ModelError
from torseur.language.saved import described
from torseur.language.yaml.form import yaml_mechanism
from torseur.model.description import Mechanism
from torseur.model.parameters import Parameter
from torseur.output import reason
from torseur.topology.tree import Tree
from torseur.words.sentence import say

_WRONG = (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError)


def load_equations(path: str | Path) -> Equations:
    """The equations of a file written by `Equations.save`: M, h, g, Q, J, γ and their tables."""
    try:
        content = json.loads(Path(path).read_text(encoding="utf-8"))
        known = content["torseur_equations"] == FORMAT
        whole = content["digest"] == digest(content)
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
    system = _system(content)
    constraints = None
    if content["rows"] is not None:
        rows = content["rows"]
        constraints = GivenConstraints(
            owners=tuple(rows["owners"]),
            positions=tuple(rows["positions"]),
            joint_gaps=rows["joint_gaps"],
            **{name: parts["held"][name] for name in ROWS},
        )
    return Equations(
        system,
        content["formalism"],
        **{name: parts[name] for name in ARRAYS},
        hints={nodes[int(k)].key: name for k, name in content["hints"].items()},
        tables=parts["tables"],
        given_constraints=constraints,
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
    q, v, a = (symbols_of(listed, kind) for listed, kind in zip(names, kinds, strict=True))
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
