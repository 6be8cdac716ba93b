"""Changes of a description: another type of joint, other symmetries of a body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate
from torseur.algebra.printing.text import exact_text
from torseur.errors import ModelError, unknown
from torseur.language.load import load
from torseur.model.description import Body, Mechanism
from torseur.model.joints.catalogue import joint_class
from torseur.model.joints.protocol import Joint
from torseur.model.mass.properties import COMPONENTS
from torseur.model.mass.symmetry import Symmetry, deduce
from torseur.teach.exercises.exercise_entries import merged
from torseur.words.sentence import say

_NAMED = ("coordinate", "coordinates")
_OTHER = 0.05  # of the smallest moment: a product of inertia that any body may have
LETTERS = {"xy": "F", "xz": "E", "yz": "D"}  # products of inertia as the French form calls them

Document = Mapping[str, Any]


def with_joint(document: Document, joint: str, kind: str) -> dict[str, Any]:
    """The description with another type of joint; coordinates that stay keep their names.

    Motors of the joint are left out unless it has one freedom.
    """
    joints = document.get("joints", {})
    if joint not in joints:
        raise unknown("what if", "joint", joint, joints)
    before = load(document).joints[joint]
    changes: dict[str, Any] = {"type": kind} | dict.fromkeys(_NAMED)
    changes |= _directions(joints[joint], kind)
    plain = merged(document, {"joints": {joint: changes}, "initial": None})
    after = _loose(plain, joint).joints[joint]
    if after.kind.nv != 1:
        plain = _without(plain, "motors", joint)
    names = _names(before, after)
    named = {"coordinates": names} if len(names) == after.kind.nq == after.kind.nv else {}
    changed = merged(plain, {"joints": {joint: named}}) if named else plain
    return _still_acting(changed, document, joint, names if named else list(after.coordinates))


def _directions(entry: Mapping[str, Any], kind: str) -> dict[str, Any]:
    """The direction of the joint under the key that the new type has for it."""
    keys = {key.name for key in joint_class(kind, "what if").keys}
    given = entry.get("axis") or entry.get("normal")
    removed: dict[str, Any] = {key: None for key in ("axis", "normal", "axes") if key not in keys}
    direction = next((key for key in ("axis", "normal") if key in keys), None)
    return removed | ({direction: given} if direction and given is not None else {})


def _loose(document: dict[str, Any], joint: str) -> Mechanism:
    """The mechanism without what acts in the joint, which may not know its coordinates yet."""
    return load(_without(_without(document, "forces", joint), "motors", joint))


def _without(document: dict[str, Any], kind: str, joint: str) -> dict[str, Any]:
    """The description without the forces or motors of a joint."""
    inside = {name: None for name, x in document.get(kind, {}).items() if x.get("joint") == joint}
    return merged(document, {kind: inside}) if inside else document


def _names(before: Joint, after: Joint) -> list[str]:
    """The names that coordinates keep, by their units; the new ones have those of the catalogue."""
    free = list(zip(before.coordinates, before.kind.coordinate_units, strict=True))
    names = []
    for name, unit in zip(after.coordinates, after.kind.coordinate_units, strict=True):
        same = next((x for x in free if x[1] == unit), None)
        if same is not None:
            free.remove(same)
        names.append(name if same is None else same[0])
    return names


def _still_acting(
    document: dict[str, Any], before: Document, joint: str, names: Sequence[str]
) -> dict[str, Any]:
    """Forces in the joint act along the coordinate that they had; the start is where it was."""
    old = load(before).joints[joint].coordinates
    acting = {
        name: {"coordinate": old[0]}
        for name, x in document.get("forces", {}).items()
        if x.get("joint") == joint and len(names) > 1 and old and old[0] in names
    }
    if acting:
        document = merged(document, {"forces": acting})
    known = load(document)
    states = {*known.every_coordinate, *(x for j in known.joints.values() for x in j.speeds)}
    start = {key: x for key, x in before.get("initial", {}).items() if key in states}
    return merged(document, {"initial": start}) if start else document


def with_symmetries(
    document: Document, body: str, symmetries: Sequence[Symmetry]
) -> dict[str, Any]:
    """The description with other symmetries of a body: products that they allow are not zero."""
    mechanism = load(document)
    if body not in mechanism.bodies:
        raise unknown("what if", "body", body, mechanism.bodies)
    described = mechanism.bodies[body]
    known = deduce(symmetries)
    moments = [exact_text(expression(described.inertia[k, k])) for k in range(3)]
    for group in known.moments:
        first = "xyz".index(group[0][0])
        for equal in group:
            moments["xyz".index(equal[0])] = moments[first]
    products, parameters = _products(mechanism, described, known.products)
    centre = [
        "0" if axis in known.centre else exact_text(expression(x))
        for axis, x in zip("xyz", described.centre, strict=True)
    ]
    entry = {"mass": exact_text(described.mass), "centre": centre, "inertia": [*moments, *products]}
    plainly = merged(document, {"bodies": {body: None}})
    return merged(plainly, {"bodies": {body: entry}, "parameters": parameters})


def _products(
    mechanism: Mechanism, body: Body, zero: Sequence[str]
) -> tuple[list[str], dict[str, Any]]:
    """The products xy, xz, yz of the tensor, and the parameters of those that symmetries allow."""
    sizes = [evaluate(expression(body.inertia[k, k]), mechanism.parameters) for k in range(3)]
    if not min(sizes) > 0:
        problem = say('body "{name}" has a moment of inertia of zero.', body.name)
        raise ModelError(
            "what if", problem, "Give it three moments: the symmetry of a line cannot be changed."
        )
    entries: list[str] = []
    parameters: dict[str, Any] = {}
    for pair, letter in LETTERS.items():
        name = f"{letter}_{body.name}"
        given = expression(body.inertia[COMPONENTS[pair]])
        if pair in zero:
            entries.append("0")
        elif exact_text(given) != "0":
            entries.append(exact_text(given))
        else:
            entries.append(f"-{name}")
            parameters[name] = {"value": repr(_OTHER * float(min(sizes))), "unit": "kg.m^2"}
    return entries, parameters
