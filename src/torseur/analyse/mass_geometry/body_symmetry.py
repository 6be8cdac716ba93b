"""The symmetries of a body from those of the shapes it is made of and from where they stand."""

from __future__ import annotations

from collections.abc import Iterator

from torseur.model.description import Body, Shape
from torseur.model.mass.solids import SOLIDS
from torseur.model.mass.symmetry import Plane, Revolution, Symmetry
from torseur.model.values.numbers import Values

AXES = "xyz"
ALL: tuple[Revolution | Plane, ...] = (*map(Revolution, AXES), *map(Plane, AXES))


def symmetries(body: Body, value: Values) -> tuple[Symmetry, ...]:
    """The axes of revolution and the planes, through the origin, that every shape has.

    A part that is turned is taken to have none. A plane that contains an
    axis of revolution says nothing more and is left out.
    """
    pieces = list(_pieces(body, value))
    if not pieces or any(part.shape is None for part in body.parts):
        return ()
    shared = [x for x in ALL if all(_has(shape, at, x) for shape, at in pieces)]
    about = {x.axis for x in shared if isinstance(x, Revolution)}
    return tuple(x for x in shared if isinstance(x, Revolution) or not about - {x.normal})


def _pieces(body: Body, value: Values) -> Iterator[tuple[Shape, list[bool]]]:
    """Each shape and which coordinates of its own origin are zero; none where it is turned."""
    if body.shape is not None:
        name, given = body.shape
        own = SOLIDS[name].mass_properties(given, mass=1).centre
        yield body.shape, [value(x) == 0 for x in body.centre - own]
    for part in body.parts:
        if part.shape is not None:
            turned = part.pose.R.factors != ()
            yield part.shape, [value(x) == 0 and not turned for x in part.pose.p]


def _has(shape: Shape, zero: list[bool], wanted: Revolution | Plane) -> bool:
    """Whether a shape at a place has a symmetry about the origin."""
    name, given = shape
    solid = SOLIDS[name]
    own = solid.symmetries_about(given.get(solid.directed_by or "", "z"))
    around = {x.axis for x in own if isinstance(x, Revolution)}
    if isinstance(wanted, Revolution):
        across = [zero[k] for k, axis in enumerate(AXES) if axis != wanted.axis]
        return wanted.axis in around and all(across)
    n = wanted.normal
    return (Plane(n) in own or bool(around - {n})) and zero[AXES.index(n)]
