"""Contacts: bodies that touch or not, slide or stick, and rebound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, final

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import free_symbols
from torseur.errors import ModelError
from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import (
    Constraint,
    Declaration,
    ExpressionRow,
    Rows,
    Unilateral,
)
from torseur.model.constraints.rolling import OF_ANGLE, OF_PLACE, FrameContact, curve
from torseur.model.constraints.shapes import SHAPES, Given, require_positive
from torseur.model.constraints.surfaces import SURFACES, counts, pieces
from torseur.model.forces.protocol import SHARED, Key, Kind
from torseur.model.joints.frames import Values
from torseur.model.joints.friction import Friction
from torseur.model.joints.surfaces import LineContact, RopeLine, StrutLine
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

RESTITUTION = Key("restitution", Kind.CONSTANT)
LAWS = (Key("friction", Kind.FRICTION), RESTITUTION)
_ENDS = "[[ground, [0, 0, 1]], [ball, [0, 0, 0]]]"


@final
@dataclass(frozen=True)
class Contact(FrameContact):
    """A shape of the second body, on or above a surface of the first: a ball and a plane, say.

    `rolling` and `pivoting` are lengths: couples up to these times the normal force resist rolling
    and pivoting (Llibre 2009, §1.5.1; laws of Coulomb and Morin).
    """

    friction: Friction | None = None
    restitution: Expr = ZERO
    rolling: Expr = ZERO  # [m]
    pivoting: Expr = ZERO  # [m]
    place: str = ""

    names = ("contact",)
    keys = (
        Key("bodies", Kind.PAIR, "[ground, ball]"),
        Key("shape", Kind.WORD, options=SHAPES, called="contact shape"),
        Key("on", Kind.WORD, options=SURFACES, called="contact surface"),
        Key("radius", Kind.CONSTANT, "0.1", unit="m", when=counts("radius")),
        Key("radii", Kind.THREE_CONSTANTS, "[0.3, 0.2, 0.1]", unit="m", when=counts("radii")),
        Key("size", Kind.THREE_CONSTANTS, "[0.3, 0.2, 0.1]", unit="m", when=counts("size")),
        Key("length", Kind.CONSTANT, "0.5", unit="m", when=counts("length")),
        Key("points", Kind.POINTS, "[[0, 0, 0], [0.1, 0, 0]]", when=counts("points", "file")),
        Key("file", Kind.MESH, when=counts("file", "points")),
        Key("scale", Kind.CONSTANT, when=counts("scale", "points")),
        curve("outline", "0.1", OF_ANGLE, counts("outline")),
        Key("axis", Kind.DIRECTION, "y", when=counts("axis")),
        Key("point", Kind.POINT),
        Key("through", Kind.POINT),
        Key("normal", Kind.DIRECTION, when=counts("normal")),
        Key("along", Kind.DIRECTION, when=counts("along")),
        Key("width", Kind.CONSTANT, "0.1", unit="m", when=counts("width")),
        Key("surface_radius", Kind.CONSTANT, "0.5", unit="m", when=counts("surface_radius")),
        Key("surface_axis", Kind.DIRECTION, "z", when=counts("surface_axis")),
        Key("surface_length", Kind.CONSTANT, "0.5", unit="m", when=counts("surface_length")),
        Key(
            "surface_size",
            Kind.THREE_CONSTANTS,
            "[0.3, 0.2, 0.1]",
            unit="m",
            when=counts("surface_size"),
        ),
        curve("surface_outline", "0.5", OF_ANGLE, counts("surface_outline")),
        curve("height", "0.1*sin(x/0.2)", OF_PLACE, counts("height")),
        *LAWS,
        Key("rolling", Kind.CONSTANT, unit="m"),
        Key("pivoting", Kind.CONSTANT, unit="m"),
    )
    words: ClassVar = {
        "en": "{}: a contact that only pushes.",
        "fr": "{} : un contact unilatéral.",
    }

    @classmethod
    def described(
        cls, name: str, given: dict[str, Any], value: Values, place: str
    ) -> Contact | ContactSet:
        first, second = given["bodies"]
        laws = ("friction", "restitution", "rolling", "pivoting")
        own = {entry: given[entry] for entry in laws if entry in given}
        found = pieces(given, value, place)
        names = [name] if len(found) == 1 else numbered(name, len(found))
        parts = tuple(
            cls(one, kind, first, second, X_AF, X_BM, place=place, **own)
            for one, (kind, X_AF, X_BM) in zip(names, found, strict=True)
        )
        return parts[0] if len(parts) == 1 else ContactSet(name, parts, place)

    @property
    def holding(self) -> Unilateral:
        return Unilateral(self.friction, self.restitution)


@final
@dataclass(frozen=True)
class GapContact(Constraint):
    """An expression that stays positive or zero; where it is zero, something slides at `slip`."""

    name: str
    gap: Expr
    slip: Expr | None = None
    friction: Friction | None = None
    restitution: Expr = ZERO
    place: str = ""

    names = ("gap", "jeu")
    keys = (Key("gap", Kind.VARYING, "y - r"), Key("slip", Kind.VARYING), *LAWS)
    words: ClassVar = Contact.words
    meanings = ("generalised force of the contact: the partial derivatives of the gap times this",)

    @property
    def holding(self) -> Unilateral:
        return Unilateral(self.friction, self.restitution)

    @property
    def rows(self) -> ExpressionRow:
        return ExpressionRow(self.name, self.gap)

    @property
    def all_rows(self) -> tuple[Rows, ...]:
        if self.slip is None:
            return (self.rows,)
        return self.rows, ExpressionRow(f"{self.name}: slip", self.slip)


@final
@dataclass(frozen=True)
class ContactSet(Constraint):
    """Contacts that are described together, such as those of the corners of a box."""

    name: str
    parts: tuple[Contact, ...] | tuple[GapContact, ...]
    place: str = ""

    names = ("contacts",)
    keys = ()
    words: ClassVar = {
        "en": "{}: contacts that only push.",
        "fr": "{} : des contacts unilatéraux.",
    }

    @property
    def holding(self) -> Unilateral:
        return self.parts[0].holding

    @property
    def rows(self) -> Rows:
        """Those of the first: all are between the same bodies or of the same coordinates."""
        return self.parts[0].rows

    @property
    def meanings(self) -> tuple[str, ...]:
        return self.parts[0].meanings


def numbered(name: str, count: int) -> list[str]:
    """What the parts of a set are called."""
    return [f"{name}.{k + 1}" for k in range(count)]


# --- other ways to write them -------------------------------------------------------------------


def _between(kind: type[LineContact], name: str, given: Given) -> Contact:
    """A length between two points."""
    require_positive(given, "length")
    first, second = given[kind.names[0]]
    return Contact(
        name,
        kind(given["length"]),
        *(first.body, second.body),
        *(Pose(first.point), Pose(second.point)),
        restitution=given.entries.get("restitution", ZERO),
        place=given.place,
    )


@final
class Rope(Declaration):
    """Two points at most a length apart."""

    names = RopeLine.names
    keys = (
        Key("rope", Kind.ENDS, _ENDS),
        Key("length", Kind.CONSTANT, "0.5", unit="m"),
        RESTITUTION,
    )

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> Contact:
        return _between(RopeLine, name, Given(given, value, place))


@final
class Strut(Declaration):
    """Two points at least a length apart."""

    names = StrutLine.names
    keys = (Key("strut", Kind.ENDS, _ENDS), *Rope.keys[1:])

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> Contact:
        return _between(StrutLine, name, Given(given, value, place))


@final
class Backlash(Declaration):
    """−play/2 ≤ Σ c_k q_k ≤ play/2: a gear, say, whose teeth are thinner than their gaps."""

    names = ("backlash", "jeu d'engrènement")
    keys = (
        Key("coefficients", Kind.FACTORS, "{phi1: 2, phi2: -1}", unit=SHARED),
        Key("play", Kind.CONSTANT, "0.01", unit=SHARED),
        RESTITUTION,
    )

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> ContactSet:
        require_positive(Given(given, value, place), "play")
        moved: Expr = ZERO
        for coordinate, factor in given["coefficients"]:
            moved = moved + factor * symbol(coordinate, "coordinate")
        gaps = (given["play"] / 2 + moved, given["play"] / 2 - moved)
        restitution = given.get("restitution", ZERO)
        parts = tuple(
            GapContact(one, gap, restitution=restitution, place=place)
            for one, gap in zip(numbered(name, 2), gaps, strict=True)
        )
        return ContactSet(name, parts, place)


@final
class Wrap(Declaration):
    """A rope of a length about a drum, of which two strands hang out; it may slip on the drum.

    The normal force is the tension of the other strand. Where the rope is about to slip, or slips,
    the tensions are as e^(μα) to 1 (Euler, Eytelwein).
    """

    names = ("wrap", "enroulement")
    keys = (
        Key("strand", Kind.VARYING, "x1", unit="m"),
        Key("other", Kind.VARYING, "x2", unit="m"),
        Key("length", Kind.CONSTANT, "2 m", unit="m"),
        Key("angle", Kind.CONSTANT, "180 deg", unit="rad"),
        Key("friction", Kind.FRICTION, "0.3"),
        Key("drum", Kind.VARYING, unit="m"),  # what it pays out to the strand
        RESTITUTION,
    )

    @classmethod
    def described(cls, name: str, given: dict[str, Any], value: Values, place: str) -> GapContact:
        law = replace(given["friction"], wrap=given["angle"])
        if law.stribeck is not ZERO:
            problem = say("the friction of a rope about a drum does not fall with its speed here.")
            raise ModelError(place, problem, "Leave out stribeck.")
        gap = given["length"] - given["strand"] - given["other"]
        slid = given["strand"] - given.get("drum", ZERO)
        restitution = given.get("restitution", ZERO)
        return GapContact(name, gap, _rate(slid), law, restitution, place)


def _rate(x: Expr) -> Expr:
    """dx/dt of an expression of coordinates whose rates are speeds."""
    moving = [q for q in free_symbols(x) if q.kind == "coordinate"]
    slopes = jacobian([x], moving)[0]
    speeds = (symbol(f"{q.name}.", "speed") for q in moving)
    rates = (slope * v for slope, v in zip(slopes, speeds, strict=True))
    return expression(sum(rates, ZERO))


CONTACTS: list[type[Declaration]] = [Contact, GapContact, Rope, Strut, Backlash, Wrap, Pile]
