"""A text that two mechanisms share exactly when they give the same functions."""

from dataclasses import fields, is_dataclass
from functools import cache, lru_cache
from inspect import getsource
from typing import Any
from uuid import uuid4

import numpy as np

from torseur.algebra.core.expr import Expr
from torseur.algebra.core.graph import free_symbols, tables
from torseur.algebra.printing.text import exact_text
from torseur.model.description import Mechanism
from torseur.model.joints.protocol import JointType

# What does not change the functions: where things were written, what they mean, their values.
_IGNORED = {"place", "meaning", "unit", "description", "source", "phrase", "notices", "initial",
            "parameter_table", "points", "limits", "effort", "velocity", "clip", "shape", "meshes",
            "parts", "visuals", "collision", "name", "events", "frames", "form",
            "reactions", "sensors", "actuators", "uncommanded"}  # fmt: skip


def fingerprint(mechanism: Mechanism) -> str:
    """Bodies, joints, motors, loads and gravity, with every expression as text.

    A text names the tables that it looks up; their content is added. Relations between speeds are
    integrated from the initial values, which then count too. Events do not change the functions,
    but a loop is not closed by a joint whose coordinates they watch. Values do not count, but for
    zeros: a body without inertia has other functions.
    """
    start = written(dict(mechanism.initial)) if mechanism.constraints else ""
    watched = free_symbols([event.zero for event in mechanism.events.values()])
    names = " ".join(sorted(x.name for x in watched))
    return f"{written(mechanism)}{start}{names} {' '.join(zero_parameters(mechanism))}"


def zero_parameters(mechanism: Mechanism) -> list[str]:
    """The parameters whose value is zero."""
    return sorted(name for name, value in mechanism.parameters.items() if value == 0)


def written(value: Any) -> str:
    """Fingerprint text: the fields that affect results."""
    if isinstance(value, Expr):
        return _formula(value)
    if isinstance(value, np.ndarray):
        return f"[{','.join(written(x) for x in value.ravel())}]"
    if isinstance(value, dict):
        return "{" + ",".join(f"{k}:{written(x)}" for k, x in value.items()) + "}"
    if isinstance(value, tuple | list):
        return f"({','.join(written(x) for x in value)})"
    if is_dataclass(value) and not isinstance(value, type):
        parts = [getattr(value, f.name) for f in fields(value) if f.name not in _IGNORED]
        if isinstance(value, JointType):  # a class may be made by a function
            parts.append(value.freedoms)
        return f"{type(value).__name__}{_foreign(type(value))}<{','.join(map(written, parts))}>"
    return repr(value)


@lru_cache(maxsize=4096)
def _formula(x: Expr) -> str:
    """An expression and its tables: the same few stand all over a description."""
    return " ".join([exact_text(x), *(table.digest for table in tables(x))])


@cache
def _foreign(kind: type) -> str:
    """The text of a class that is not one of Torseur's: functions are made by its methods too."""
    if kind.__module__.startswith("torseur."):
        return ""
    try:
        return getsource(kind)
    except (OSError, TypeError):  # it was typed in: no other process has the same
        return uuid4().hex
