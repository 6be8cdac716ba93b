"""A mechanism as plain data and back, so that the file of a run holds what moved.

Values of known classes become objects that name their class; every expression is a number in a
list of nodes, each made of earlier ones, so that nothing is written twice. Only the classes listed
here are ever made from data.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import PI, Expr, node, number, symbol
from torseur.algebra.core.functions import FUNCTIONS
from torseur.algebra.core.tabulated import Table, Tabulated
from torseur.algebra.forms.dimensions import Dimension
from torseur.language.saved import YamlForm
from torseur.model import description
from torseur.model.constraints.catalogue import CONSTRAINTS, MOTIONS
from torseur.model.description import Mechanism
from torseur.model.forces.catalogue import FORCES
from torseur.model.forces.protocol import Attachment
from torseur.model.joints.catalogue import JOINTS
from torseur.model.joints.reversed import Reversed
from torseur.model.joints.rolling import ROLLING
from torseur.model.moving_frame import MovingFrame
from torseur.spatial import rotation
from torseur.spatial.pose import Pose

Record = dict[str, Any]
_DESCRIBED = [x for x in vars(description).values() if isinstance(x, type) and is_dataclass(x)]
_SPATIAL = (Pose, rotation.Rotation, rotation.Turn, rotation.Fixed)
_OTHERS = (Reversed, Attachment, Dimension, MovingFrame, Table, Tabulated, YamlForm)
_OURS: tuple[type, ...] = (*_DESCRIBED, *ROLLING, *FORCES, *_SPATIAL, *_OTHERS)
_OPERATIONS = ("add", "mul", *FUNCTIONS)


def _classes() -> dict[str, type]:
    """The classes by name, with the joints and constraints that the catalogues hold now."""
    known: list[type] = [*_OURS, *JOINTS, *CONSTRAINTS, *MOTIONS]
    return {f"{x.__module__.removeprefix('torseur.')}.{x.__name__}": x for x in known}


def record(mechanism: Mechanism) -> Record | None:
    """The whole description; None if it contains something of a class that is not ours."""
    writer = _Writer()
    try:
        written = writer.written(mechanism)
    except (KeyError, TypeError):
        return None
    return {"nodes": writer.nodes, "mechanism": written}


def recorded(data: Record) -> Mechanism:
    """The mechanism of a record."""
    reader = _Reader(data["nodes"])
    mechanism = reader.read(data["mechanism"])
    if not isinstance(mechanism, Mechanism):
        raise ValueError(f"a {type(mechanism).__name__} is no mechanism")
    return mechanism


@final
class _Writer:
    """Values as plain data; `nodes` grows with the expressions they contain."""

    def __init__(self) -> None:
        self.nodes: list[list[Any]] = []
        self._places: dict[int, int] = {}
        self._names = {x: name for name, x in _classes().items()}

    def written(self, value: Any) -> Any:
        """A value as what JSON can hold."""
        if isinstance(value, np.generic):
            value = value.item()
        if value is None or isinstance(value, bool | int | float | str):
            return value
        if isinstance(value, Expr):
            return {"node": self._place(value)}
        if isinstance(value, np.ndarray):
            kind = "numbers" if value.dtype != object else "array"
            return {kind: [self.written(x) for x in value.ravel().tolist()], "shape": value.shape}
        if isinstance(value, Fraction):
            return {"fraction": str(value)}
        if isinstance(value, tuple | list):
            return {"list": [self.written(x) for x in value]}
        if isinstance(value, Mapping):
            return {"map": [[self.written(k), self.written(x)] for k, x in value.items()]}
        content = {f.name: self.written(getattr(value, f.name)) for f in fields(value) if f.init}
        return {"class": self._names[type(value)], "fields": content}

    def _place(self, root: Expr) -> int:
        """The number of an expression, after those of what it is made of."""
        pending = [root]
        while pending:
            x = pending[-1]
            missing = [a for a in x.args if a.key not in self._places]
            if x.key in self._places or not missing:
                pending.pop()
                if x.key not in self._places:
                    self._places[x.key] = len(self.nodes)
                    self.nodes.append(self._node(x))
            else:
                pending.extend(missing)
        return self._places[root.key]

    def _node(self, x: Expr) -> list[Any]:
        args = [self._places[a.key] for a in x.args]
        if x.op == "number":
            return ["number", self.written(x.value[1])]
        if x.op == "symbol":
            return ["symbol", x.name, x.kind]
        if x.op in ("pow", "table"):
            return [x.op, self.written(x.value), *args]
        return [x.op, *args]


@final
class _Reader:
    """Plain data as the values they were; anything unexpected raises a ValueError or the like."""

    def __init__(self, nodes: list[list[Any]]) -> None:
        self._nodes: list[Expr] = []
        self._classes = _classes()
        for op, *content in nodes:
            self._nodes.append(self._node(op, content))

    def read(self, data: Any) -> Any:
        """The value of what `_Writer.written` gave."""
        if not isinstance(data, dict):
            return data
        if "node" in data:
            return self._nodes[data["node"]]
        if "fraction" in data:
            return Fraction(data["fraction"])
        if "list" in data:
            return tuple(self.read(x) for x in data["list"])
        if "map" in data:
            return {self.read(k): self.read(x) for k, x in data["map"]}
        if "numbers" in data:
            return np.array(data["numbers"], dtype=float).reshape(data["shape"])
        if "array" in data:
            values = np.empty(len(data["array"]), dtype=object)
            values[:] = [self.read(x) for x in data["array"]]
            return values.reshape(data["shape"])
        content = {name: self.read(x) for name, x in data["fields"].items()}
        return self._classes[data["class"]](**content)

    def _node(self, op: str, content: list[Any]) -> Expr:
        if op == "number":
            return number(self.read(content[0]))
        if op == "symbol":
            name, kind = content
            return symbol(str(name), kind)
        if op == "constant":
            return PI
        value = self.read(content.pop(0)) if op in ("pow", "table") else None
        args = tuple(self._nodes[k] for k in content)
        if op == "table":
            assert isinstance(value, Tabulated), "a table looks up its argument"
            return value(*args)
        if op != "pow" and op not in _OPERATIONS:
            raise ValueError(f'operation "{op}" is not known')
        return node(op, args, value, max(a.stage for a in args))
