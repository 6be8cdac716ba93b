"""Shapes, planes, laws and neighbours of a mechanism at given parameters, as tables of numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.machine.collision import places as at
from torseur.model.checks.robot_files import is_robot_file
from torseur.model.constraints.pile import Pile
from torseur.model.description import GROUND, Body, Mechanism
from torseur.model.values.numbers import place_of
from torseur.spatial.height_fields import HeightField
from torseur.spatial.hulls import Hull, hull, is_flat
from torseur.words.sentence import say

Array = np.ndarray
Values = Mapping[str, Any]
MOST_PILES = 48  # of a mechanism: sets of them are whole numbers that doubles hold
_TURNED = slice(at.TURNED, at.TURNED + 9)
_LAWFUL = -1.0  # friction of a shape that has none of its own
_FREE = 6  # speeds of a joint that holds nothing
_SHAPES = ("sphere", "shell", "hollow_sphere", "capsule", "box", "cylinder", "hull")


@final
@dataclass(frozen=True)
class Form:
    """A shape in its own frame."""

    kind: int
    sizes: tuple[float, float, float]  # see `places.SIZE`
    reach: float  # to its farthest point [m]
    least: float  # its smallest half width [m]
    hull: Hull | None = None  # about the frame of the shape
    field: HeightField | None = None  # the frame of the shape is in the middle of its box


@final
@dataclass(frozen=True)
class CollisionTables:
    """All that a search for contacts knows; the smallest half width of any shape [m]."""

    shape: Array  # (shapes, SHAPE_WIDTH)
    plane: Array  # (planes, PLANE_WIDTH)
    law: Array  # (piles, LAW_WIDTH): of pairs, then of planes
    vertex: Array  # (vertices, 3)
    facet: Array  # (facets, FACET_WIDTH)
    facet_corner: Array  # (corners, 3)
    height: Array  # of all height fields, one after the other
    neighbour_first: Array  # (bodies + 2,)
    neighbour: Array
    least: float

    @property
    def movable(self) -> Array:
        """The shapes that may meet others."""
        return np.flatnonzero(self.shape[:, at.PAIRS] > 0)

    def reaches(self, bodies: int) -> Array:
        """(bodies + 1,): from the centre of each body to its farthest point."""
        reaches = np.zeros(bodies + 1)
        for row in self.shape:
            far = float(np.linalg.norm(row[at.OFFSET : at.OFFSET + 3])) + row[at.REACH]
            reaches[int(row[at.OWNER])] = max(reaches[int(row[at.OWNER])], far)
        return reaches


def piles_of(mechanism: Mechanism) -> list[Pile]:
    """The contacts among bodies of a mechanism."""
    return [one for one in mechanism.contacts.values() if isinstance(one, Pile)]


def collision_tables(numbers: Mechanism, piles: Sequence[Pile], values: Values) -> CollisionTables:
    """The tables of a mechanism whose bodies are numbers already."""
    pairs = [pile for pile in piles if pile.normal is None]
    planes = [pile for pile in piles if pile.normal is not None]
    if len(piles) > MOST_PILES:
        raise ModelError(
            "contacts", say("there are {count} piles, more than {most}.", len(piles), MOST_PILES)
        )
    sets = {name: [0.0, 0.0] for name in numbers.bodies}
    for column, group in enumerate((pairs, planes)):
        for k, pile in enumerate(group):
            for name in members(numbers, pile):
                sets[name][column] += 2**k
    rows, hulls, fields, least = [], _HullTables(), _FieldTable(), np.inf
    for owner, (name, both) in enumerate(sets.items(), 1):
        forms = _forms(numbers.bodies[name], values) if any(both) else ()
        for number, (form, offset, turned, friction) in enumerate(forms):
            row = np.zeros(at.SHAPE_WIDTH)
            least = min(least, form.least)
            row[at.KIND], row[at.REACH], row[at.OWNER] = form.kind, form.reach, owner
            row[at.SIZE : at.SIZE + 3] = form.sizes
            if form.hull is not None:
                hulls.add(form.hull, row)
            if form.field is not None:
                fields.add(form.field, row)
            row[at.FRICTION_OF] = friction
            row[at.PAIRS], row[at.PLANES], row[at.NUMBER] = *both, number
            row[at.OFFSET : at.OFFSET + 3], row[_TURNED] = offset, turned.ravel()
            row[at.IS_CENTRED] = not offset.any() and bool((turned == np.eye(3)).all())
            rows.append(row)
    laws = [_law(pile, values) for pile in (*pairs, *planes)]
    heights = [_plane(pile, len(pairs) + k, values) for k, pile in enumerate(planes)]
    return CollisionTables(
        np.array(rows).reshape(-1, at.SHAPE_WIDTH),
        np.array(heights).reshape(-1, at.PLANE_WIDTH),
        np.array(laws).reshape(-1, at.LAW_WIDTH),
        *hulls.arrays,
        fields.heights,
        *_neighbours(numbers, piles),
        float(least),
    )


def members(mechanism: Mechanism, pile: Pile) -> tuple[str, ...]:
    """The bodies of a pile: those that are named, or all that have a shape."""
    bodies = mechanism.bodies.items()
    shaped = tuple(name for name, body in bodies if body.shape is not None or body.collision)
    if not (pile.among or shaped):
        raise ModelError(
            place_of(pile, "contact"),
            say('no body of "{mechanism}" has a shape.', mechanism.name),
            'Collision shapes touch if they are read: ts.load(path, collisions="all").'
            if is_robot_file(mechanism.source)
            else "Example: bodies: {ball: {mass: 1, shape: {sphere: {radius: 0.1}}}}",
        )
    return pile.among or shaped


def can_touch(body: Body) -> bool:
    """Whether a body has shapes, all of which can touch others."""
    if body.collision:
        return True
    return body.shape is not None and body.shape[0] in _SHAPES


def _neighbours(numbers: Mechanism, piles: Sequence[Pile]) -> tuple[Array, Array]:
    """Bodies that never meet each body, and where they begin; the ground is left out.

    A joint holds them to it, or a pile leaves the pair out.
    """
    joints = (joint for joint in numbers.joints.values() if joint.kind.nv < _FREE)
    pairs = [(joint.first, joint.second) for joint in joints]
    pairs += [pair for pile in piles for pair in pile.without]
    index = {name: 1 + k for k, name in enumerate(numbers.bodies)}
    beside: list[list[int]] = [[] for _ in range(len(index) + 1)]
    for pair in pairs:
        if GROUND not in pair:
            one, other = (index[name] for name in pair)
            beside[one].append(other)
            beside[other].append(one)
    first = np.cumsum([0, *map(len, beside)], dtype=np.int64)
    return first, np.array([x for bodies in beside for x in bodies], dtype=np.int64)


# --- shapes --------------------------------------------------------------------------------------


def _forms(body: Body, values: Values) -> Iterator[tuple[Form, Array, Array, float]]:
    """The shapes of a body that touch: origin from the centre of mass, axes, friction."""
    if not body.collision:
        yield _form(body, body.shape, values), np.zeros(3), np.eye(3), _LAWFUL
        return
    if len(body.collision) > at.SHAPES:
        problem = say(
            '"{body}" has {count} shapes, more than {most}.',
            body.name,
            len(body.collision),
            int(at.SHAPES),
        )
        raise ModelError(place_of(body, "body"), problem, "Leave some out, or take a hull.")
    centre = np.array([_number(x, values) for x in body.centre])
    for part in body.collision:
        X = part.pose.numeric(lambda x: _number(x, values))
        offset, turned = np.asarray(X.p, dtype=float), np.asarray(X.R.matrix, dtype=float)
        friction = _LAWFUL if part.friction is None else _number(part.friction, values)
        field = part.height_field
        if field is not None:
            low, high = field.levels
            middle = np.array([0.0, 0.0, (low + high) / 2])
            yield _field(field), offset + turned @ middle - centre, turned, friction
        elif part.shape is not None and part.shape[0] == "hull":
            points = np.asarray(evaluate(part.shape[1]["points"], values), dtype=float)
            middle = (points.min(axis=0) + points.max(axis=0)) / 2
            middle_offset = offset + turned @ middle - centre
            yield _hull(body, points - middle), middle_offset, turned, friction
        else:
            yield _form(body, part.shape, values), offset - centre, turned, friction


def _number(x: Any, values: Values) -> float:
    return float(evaluate(expression(x), values))


def _form(body: Body, shape: Any, values: Values) -> Form:
    """A shape at parameter values that is no hull."""
    if shape is None or shape[0] not in _SHAPES:
        named = say("none") if shape is None else shape[0]
        raise ModelError(
            place_of(body, "body"),
            say('the shape of "{body}" is {named}, which cannot touch others.', body.name, named),
            say("Shapes that touch: {shapes}.", ", ".join(_SHAPES)),
        )
    name, given = shape

    def number(key: str) -> float:
        return _number(given[key], values)

    if name == "box":
        x, y, z = (_number(side, values) / 2 for side in given["size"])
        return Form(at.BOX, (x, y, z), float(np.hypot(np.hypot(x, y), z)), min(x, y, z))
    if name in ("capsule", "cylinder"):
        radius, half = number("radius"), number("length") / 2
        sizes = radius, half, float("xyz".index(given.get("axis", "z")))
        if name == "capsule":
            return Form(at.CAPSULE, sizes, radius + half, radius)
        return Form(at.CYLINDER, sizes, float(np.hypot(radius, half)), min(radius, half))
    radius = number("outer_radius" if name == "hollow_sphere" else "radius")
    return Form(at.SPHERE, (radius, 0.0, 0.0), radius, radius)


def _hull(body: Body, points: Array) -> Form:
    """The hull of points, and half the least of its widths along its axes."""
    if is_flat(points):
        raise ModelError(
            place_of(body, "body"),
            say('a hull of "{body}" is flat, which cannot touch others.', body.name),
            "Give points that do not lie in one plane, or a box.",
        )
    reach, least = np.linalg.norm(points, axis=1).max(), np.ptp(points, axis=0).min() / 2
    return Form(at.HULL, (0.0, 0.0, 0.0), float(reach), float(least), hull(points))


def _field(field: HeightField) -> Form:
    """A height field; the smallest half width is that of its cells."""
    (low, high), (x, y) = field.levels, field.size
    reach = float(np.hypot(np.hypot(x, y), high - low)) / 2
    return Form(at.HEIGHT_FIELD, (0.0, 0.0, 0.0), reach, min(field.steps) / 2, field=field)


@final
class _FieldTable:
    """Heights of all height fields, one after the other, from the middles of their boxes."""

    def __init__(self) -> None:
        self.heights = np.zeros(0)

    def add(self, field: HeightField, row: Array) -> None:
        """Add a field; its row of the table of shapes says where it stands."""
        (rows, columns), (low, high) = field.heights.shape, field.levels
        row[at.FIRST_HEIGHT], row[at.COLUMNS], row[at.ROWS] = len(self.heights), columns, rows
        row[at.STEPS : at.STEPS + 2] = field.steps
        row[at.HALF_HEIGHT], row[at.LEVEL] = (high - low) / 2, field.least_cosine
        self.heights = np.concatenate([self.heights, field.heights.ravel() - (low + high) / 2])


@final
class _HullTables:
    """Vertices and facets of all hulls, one after the other.

    After the vertices of a hull stand half the lengths of the box around it.
    """

    def __init__(self) -> None:
        self.vertex, self.facet = np.zeros((0, 3)), np.zeros((0, at.FACET_WIDTH))
        self.corner = np.zeros((0, 3))

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        return self.vertex, self.facet, self.corner

    def add(self, convex: Hull, row: Array) -> None:
        """Add a hull; its row of the table of shapes says where it stands."""
        row[at.SIZE : at.SIZE + 2] = len(self.vertex), len(convex.corners)
        row[at.FACETS : at.FACETS + 2] = len(self.facet), len(convex.normals)
        counts = [len(face) for face in convex.faces]
        firsts = len(self.corner) + np.cumsum([0, *counts[:-1]])
        facets = np.column_stack([convex.normals, firsts, counts])
        half = np.abs(convex.corners).max(axis=0, keepdims=True)
        self.vertex = np.concatenate([self.vertex, convex.corners, half])
        self.facet = np.concatenate([self.facet, facets])
        self.corner = np.concatenate([self.corner, *convex.faces])


# --- planes and laws -----------------------------------------------------------------------------


def _plane(pile: Pile, law: int, values: Values) -> list[float]:
    normal, through = (
        np.array([float(evaluate(x, values)) for x in given])
        for given in (pile.normal, pile.through)
        if given is not None
    )
    size = float(np.linalg.norm(normal))
    if not size > 0:
        raise ModelError(
            place_of(pile, "contact"),
            say("its normal {normal} has no direction.", normal.tolist()),
            "Example: normal: z",
        )
    unit = normal / size
    return [*unit, float(unit @ through), float(law)]


def _law(pile: Pile, values: Values) -> tuple[float, float, float]:
    """The coefficients of friction and restitution, and the rule for those of two shapes."""
    given, rule = pile.friction, float(at.RULES.index(pile.combine or "none"))
    if given is None:
        return 0.0, float(evaluate(pile.restitution, values)), rule
    parts = (given.static, given.kinetic, given.viscous, given.stribeck)
    static, kinetic, *other = (float(evaluate(x, values)) for x in parts)
    if static != kinetic or any(other):
        raise ModelError(
            place_of(pile, "contact"),
            say(
                "its friction is {static:g} at rest and {kinetic:g} in motion, or depends on "
                "speed; a pile has one coefficient.",
                static,
                kinetic,
            ),
            say("Give one: friction: {kinetic:g}.", kinetic),
        )
    return kinetic, float(evaluate(pile.restitution, values)), rule
