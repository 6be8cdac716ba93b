"""A joint of type `defined`: the pose of its second body as expressions of named coordinates."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from torseur.algebra.core.expr import symbol
from torseur.algebra.core.graph import free_symbols
from torseur.language.text.expression import Names
from torseur.language.yaml.coordinates import given_names
from torseur.language.yaml.directions import CLOSE, TURNS, read_rotation
from torseur.language.yaml.fields import Fields, vector
from torseur.language.yaml.source import Item
from torseur.model.forces.protocol import no_vector
from torseur.model.joints.defined import Defined
from torseur.model.values.numbers import Values
from torseur.spatial.rotation import IDENTITY, Rotation, Turn
from torseur.words.sentence import say

MOST = 6  # the freedoms of a body


def read_defined(fields: Fields, names: Names, value: Values) -> Defined:
    """The joint; after a fault, one without coordinates."""
    before = len(fields.faults.found)
    given = given_names(fields)
    if given is None:
        fields.required("coordinates", "[x, phi]")
        return Defined(())
    item, found = given
    coordinates = tuple(symbol(name, "coordinate") for name in found)
    known = names.also(dict(zip(found, coordinates, strict=True)))
    curve = replace(known, implied=True)  # [x, x^2, 0]: a parabola in metres
    position = fields.read("position", no_vector(), vector, curve, "m", "position")
    rotation = fields.read("rotation", IDENTITY, read_rotation, known, value)
    if len(fields.faults.found) > before:
        return Defined(())
    made = Defined(coordinates, tuple(position), *_parts(rotation))
    fields.faults.attempt(None, _check_moving, made, item)
    if made.matrix:
        fields.faults.attempt(None, _check_rotation, made, fields.item("rotation"), value)
    return made if len(fields.faults.found) == before else Defined(())


def _parts(R: Rotation) -> tuple[Any, Any]:
    """The turns of a rotation, or its matrix row by row."""
    turns = tuple((f.axis, f.angle) for f in R.factors if isinstance(f, Turn))
    return turns, () if turns or not R.factors else tuple(R.matrix.flat)


def _check_moving(joint: Defined, item: Item) -> None:
    """There are at most six coordinates, and every one moves the body."""
    if not 0 < joint.nq <= MOST:
        problem = say(
            "a joint has from 1 to {most} coordinates, but {nq} are given.", MOST, joint.nq
        )
        raise item.fault(problem, "Leave some out." if joint.nq else "Or use a fixed joint.")
    pose = [*joint.position, *(angle for _, angle in joint.turns), *joint.matrix]
    used = free_symbols(pose)
    idle = [x.name for x in joint.coordinates if x not in used]
    if idle:
        problem = say('the pose does not depend on "{idle}".', idle[0])
        raise item.fault(problem, "Use it in position or rotation, or leave it out.")


def _check_rotation(joint: Defined, item: Item, value: Values) -> None:
    """The matrix is a rotation at coordinates chosen without any symmetry."""
    values = [(x, value(x)) for x in joint.parameters]
    if any(known is None for _, known in values):
        return
    numbers = Defined(joint.coordinates, joint.position, matrix=joint.matrix, values=tuple(values))
    q = np.array([0.31, 0.47, 0.23, 0.59, 0.41, 0.17])[: joint.nq]
    with np.errstate(all="ignore"):
        R = numbers.transform(q).R.matrix
    error = max(np.abs(R @ R.T - np.eye(3)).max(), abs(np.linalg.det(R) - 1))
    if error > CLOSE:  # not a number: the coordinates chosen here are out of its domain
        at = ", ".join(
            f"{x.name} = {number:g}" for x, number in zip(joint.coordinates, q, strict=True)
        )
        problem = say("the matrix is not a rotation: at {at} it is off by {error:.2g}.", at, error)
        raise item.fault(problem, say("Correct it, or give turns: rotation: {turns}", TURNS))
