"""The geometry of a mechanism as plain data, so that the file of a run can be looked at alone.

Numbers only: what the parameters were in the run. Forces and inertias are left out, except the ends
of springs and dampers, which are drawn.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import numpy as np

from torseur.algebra.expr import ZERO, Expr, expression, symbol
from torseur.algebra.graph import evaluate, substitute, tables
from torseur.algebra.printing.text import text
from torseur.joints.catalogue import JOINTS
from torseur.joints.defined import Defined
from torseur.joints.rolling import ROLLING
from torseur.language.expression import Names, parse_expression
from torseur.mechanism.description import Body, Contact, Joint, Mechanism, Point
from torseur.mechanism.forces.damper import Damper
from torseur.mechanism.forces.line import LineForce
from torseur.mechanism.forces.protocol import Attachment
from torseur.mechanism.forces.spring import Spring
from torseur.spatial.pose import Pose
from torseur.spatial.rotation import from_matrix

Array = np.ndarray
Record = dict[str, Any]
_KINDS = {kind.__name__: kind for kind in (*JOINTS, *ROLLING)}
_TIES = {kind.__name__: kind for kind in (Spring, Damper, LineForce)}


def record(mechanism: Mechanism, values: Mapping[str, Any]) -> Record | None:
    """The geometry at these parameter values; None when the pose of a joint needs a table."""
    defined = [x.kind for x in mechanism.joints.values() if isinstance(x.kind, Defined)]
    if tables([x for kind in defined for x in _pose(kind)]):
        return None

    def numbers(x: Any) -> Any:
        return np.asarray(evaluate(np.asarray(x, dtype=object), values), dtype=float).tolist()

    def link(joint: Joint | Contact) -> Record:
        frames = [[numbers(X.p), numbers(X.R.matrix)] for X in (joint.X_AF, joint.X_BM)]
        kind = joint.kind
        made = _defined(kind, values) if isinstance(kind, Defined) else _kind(kind, numbers)
        return {"bodies": [joint.first, joint.second], "frames": frames, **made}

    contacts = (x for x in mechanism.constraints.values() if isinstance(x, Contact))
    ties = (x for x in mechanism.loads.values() if isinstance(x, Spring | Damper | LineForce))
    return {
        "name": mechanism.name,
        "description": mechanism.description,
        "gravity": numbers(mechanism.gravity),
        "bodies": {name: _body(body, numbers) for name, body in mechanism.bodies.items()},
        "joints": {
            name: link(joint) | {"coordinates": joint.coordinates, "speeds": joint.speeds}
            for name, joint in mechanism.joints.items()
        },
        "contacts": {contact.name: link(contact) for contact in contacts},
        "points": {p.name: [p.body, numbers(p.position)] for p in mechanism.points.values()},
        "ties": {
            tie.name: [type(tie).__name__, [[end.body, numbers(end.point)] for end in tie.between]]
            for tie in ties
        },
    }


def _kind(kind: Any, numbers: Any) -> Record:
    """The type of a joint and its numbers; axes are whole numbers and stay so."""
    given = {field.name: getattr(kind, field.name) for field in fields(kind)}
    values = {name: x if isinstance(x, int) else numbers(x) for name, x in given.items()}
    return {"type": type(kind).__name__, "values": values}


def _pose(kind: Defined) -> list[Expr]:
    """The expressions that define a joint."""
    return [*kind.position, *(angle for _, angle in kind.turns), *kind.matrix]


def _defined(kind: Defined, values: Mapping[str, Any]) -> Record:
    """A defined joint as text, with numbers for its parameters."""
    known = {x: expression(float(values[x.name])) for x in kind.parameters}

    def written(x: Expr) -> str:
        return text(substitute(x, known))

    return {
        "type": Defined.__name__,
        "coordinates": [x.name for x in kind.coordinates],
        "position": [written(x) for x in kind.position],
        "turns": [[axis, written(angle)] for axis, angle in kind.turns],
        "matrix": [written(x) for x in kind.matrix],
    }


def _body(body: Body, numbers: Any) -> Record:
    shape = None
    if body.shape is not None:
        name, given = body.shape
        shape = [name, {k: x if isinstance(x, str) else numbers(x) for k, x in given.items()}]
    return {"mass": numbers(body.mass), "centre": numbers(body.centre), "shape": shape}


def recorded(data: Record) -> Mechanism:
    """The mechanism of a record: its geometry and masses."""
    return Mechanism(
        name=data["name"],
        description=data["description"],
        parameter_table={},
        gravity=_exact(data["gravity"]),
        bodies={
            name: Body(name, expression(x["mass"]), _exact(x["centre"]), shape=_shape(x["shape"]))
            for name, x in data["bodies"].items()
        },
        joints={
            name: Joint(
                name, *_linked(x), coordinates=tuple(x["coordinates"]), speeds=tuple(x["speeds"])
            )
            for name, x in data["joints"].items()
        },
        constraints={name: Contact(name, *_linked(x)) for name, x in data["contacts"].items()},
        points={n: Point(n, body, _exact(place)) for n, (body, place) in data["points"].items()},
        loads={
            name: _TIES[kind](name, (_end(first), _end(second)), ZERO)
            for name, (kind, (first, second)) in data["ties"].items()
        },
    )


def _linked(data: Record) -> tuple[Any, str, str, Pose, Pose]:
    F, M = (Pose(_exact(p), from_matrix(_exact(R))) for p, R in data["frames"])
    first, second = data["bodies"]
    if data["type"] == Defined.__name__:
        return _read_defined(data), first, second, F, M
    return _KINDS[data["type"]](**data["values"]), first, second, F, M


def _read_defined(data: Record) -> Defined:
    coordinates = {name: symbol(name, "coordinate") for name in data["coordinates"]}
    names = Names(coordinates, units=False)

    def read(written: str) -> Expr:
        return parse_expression(written, names)

    turns = tuple((axis, read(angle)) for axis, angle in data["turns"])
    position, matrix = (tuple(map(read, data[key])) for key in ("position", "matrix"))
    return Defined(tuple(coordinates.values()), position, turns, matrix)


def _end(data: list[Any]) -> Attachment:
    body, place = data
    return Attachment(body, _exact(place))


def _shape(data: list[Any] | None) -> tuple[str, Record] | None:
    return None if data is None else (data[0], data[1])


def _exact(values: Any) -> Array:
    array = np.asarray(values, dtype=float)
    return np.array([expression(float(x)) for x in array.ravel()], dtype=object).reshape(
        array.shape
    )
