"""Contacts: bodies that touch or not, slide or stick, and rebound."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar, final

from torseur.algebra.core.expr import ONE, ZERO, Expr
from torseur.errors import ModelError
from torseur.model.chosen import rate_of
from torseur.model.constraints.contact_shapes import SHAPES, require_positive
from torseur.model.constraints.contact_surfaces import SURFACES, counts, pieces
from torseur.model.constraints.pile import Pile
from torseur.model.constraints.protocol import (
    Constraint,
    ConstraintInput,
    Declaration,
    ExpressionRow,
    Rows,
    Unilateral,
)
from torseur.model.constraints.relation import combination
from torseur.model.constraints.rolling_contact import OF_ANGLE, OF_PLACE, FrameContact, curve
from torseur.model.forces.protocol import SHARED, Key, Kind
from torseur.model.joints.friction import NO_REBOUND, Compliance, Friction, Patch, Restitution
from torseur.model.joints.mesh_points import MeshPoint
from torseur.model.joints.rolling import ContactType
from torseur.model.joints.surfaces import TautLine
from torseur.spatial.pose import Pose
from torseur.words.sentence import say

RESTITUTION = Key("restitution", Kind.RESTITUTION)
SPRING = (
    Key("stiffness", Kind.CONSTANT),
    Key("dissipation", Kind.CONSTANT),
    Key("exponent", Kind.CONSTANT, unit="1"),
)
BETWEEN_BODIES = (  # of which the units are known, where the exponent is not another
    Key("stiffness", Kind.CONSTANT, unit="N/m", when=lambda given: "exponent" not in given),
    replace(SPRING[0], when=lambda given: "exponent" in given),
    replace(SPRING[1], unit="s/m"),
    SPRING[2],
)
LAWS = (Key("friction", Kind.FRICTION), RESTITUTION)
_ENDS = "[[ground, [0, 0, 1]], [ball, [0, 0, 0]]]"


@final
@dataclass(frozen=True)
class Contact(FrameContact):
    """A shape of the second body, on or above a surface of the first: a ball and a plane, say.

    `rolling` and `pivoting` have lengths for coefficients: couples up to these times the normal
    force resist rolling and pivoting (Llibre 2009, §1.5.1; laws of Coulomb and Morin).
    """

    friction: Friction | None = None
    restitution: Restitution = NO_REBOUND
    spring: Compliance | None = None
    rolling: Friction | None = None  # [m], [N m s/rad]
    pivoting: Friction | None = None
    patch: Patch | None = None
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
        Key(
            "surface_points",
            Kind.POINTS,
            "[[0, 0, 0], [0.1, 0, 0], [0, 0.1, 0], [0, 0, 0.1]]",
            when=counts("surface_points", "surface_file"),
        ),
        Key("surface_file", Kind.MESH, when=counts("surface_file", "surface_points")),
        Key("surface_scale", Kind.CONSTANT, when=counts("surface_scale", "surface_points")),
        curve("surface_outline", "0.5", OF_ANGLE, counts("surface_outline")),
        curve("height", "0.1*sin(x/0.2)", OF_PLACE, counts("height")),
        *LAWS,
        *BETWEEN_BODIES,
        Key("rolling", Kind.RESISTANCE),
        Key("pivoting", Kind.RESISTANCE),
        Key("patch", Kind.PATCH),
    )
    words: ClassVar = "{}: a contact that only pushes."

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Contact | ContactSet:
        first, second = given["bodies"]
        laws = ("friction", "restitution", "rolling", "pivoting", "patch")
        fields = {entry: given[entry] for entry in laws if entry in given}
        fields |= {"spring": _spring(given), "place": given.place}
        if "patch" in given:
            _require_dry(fields.get("friction"), given.place)
        parts_found = pieces(given)
        names = [name] if len(parts_found) == 1 else numbered(name, len(parts_found))
        parts = tuple(
            cls(one, _with_slot(kind, one), first, second, X_AF, X_BM, **fields)
            for one, (kind, X_AF, X_BM) in zip(names, parts_found, strict=True)
        )
        return parts[0] if len(parts) == 1 else ContactSet(name, parts, given.place)

    @property
    def holding(self) -> Unilateral:
        return Unilateral(self.friction, self.restitution, self.spring)


@final
@dataclass(frozen=True)
class GapContact(Constraint):
    """An expression that stays positive or zero; where it is zero, something slides at `slip`."""

    name: str
    gap: Expr
    slip: Expr | None = None
    friction: Friction | None = None
    restitution: Restitution = NO_REBOUND
    spring: Compliance | None = None
    place: str = ""

    names = ("gap", "jeu")
    keys = (Key("gap", Kind.VARYING, "y - r"), Key("slip", Kind.VARYING), *LAWS, *SPRING)
    words: ClassVar = Contact.words

    @property
    def meanings(self) -> tuple[str, ...]:
        return (gap_meaning(),)

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> GapContact:
        springs = {key.name for key in SPRING}
        fields = {entry: x for entry, x in given.entries.items() if entry not in springs}
        return cls(name=name, **fields, spring=_spring(given), place=given.place)

    @property
    def holding(self) -> Unilateral:
        return Unilateral(self.friction, self.restitution, self.spring)

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
    words: ClassVar = "{}: contacts that only push."

    @property
    def holding(self) -> Unilateral:
        return self.parts[0].holding

    @property
    def rows(self) -> Rows:
        """Rows of the first part: all have the same bodies or coordinates."""
        return self.parts[0].rows

    @property
    def meanings(self) -> tuple[str, ...]:
        return self.parts[0].meanings


def gap_meaning() -> str:
    """Meaning of the multiplier of a gap, in words."""
    return say("generalised force of the contact: the partial derivatives of the gap times this")


def numbered(name: str, count: int) -> list[str]:
    """Names of the parts of a set."""
    return [f"{name}.{k + 1}" for k in range(count)]


def _with_slot(kind: ContactType, name: str) -> ContactType:
    """The point of two meshes that a contact is has its name; others need none."""
    return replace(kind, slot=name) if isinstance(kind, MeshPoint) else kind


def _spring(given: ConstraintInput) -> Compliance | None:
    """The spring that a contact is, if it has a stiffness."""
    if "stiffness" not in given:
        for entry in ("dissipation", "exponent"):
            if entry in given:
                problem = say('"{entry}" needs a stiffness.', entry)
                raise ModelError(given.place, problem, "Give a stiffness, such as 1e5 N/m.")
        return None
    if "restitution" in given:
        problem = say("a contact with a stiffness takes no restitution: it has no shocks.")
        advice = "Give a dissipation d: a rebound keeps about 1 - 2/3 d v of the speed v."
        raise ModelError(given.place, problem, advice)
    return Compliance(
        given["stiffness"], given.get("dissipation", ZERO), given.get("exponent", ONE)
    )


def _require_dry(friction: Friction | None, place: str) -> None:
    """A patch has the law of dry friction, of one coefficient at any speed."""
    if friction is None:
        problem = say("the patch has no friction.")
        raise ModelError(place, problem, "Give a coefficient: friction: 0.3.")
    if friction.viscous is not ZERO or friction.stribeck is not ZERO:
        problem = say("the friction of a patch is dry: it has no viscous and no Stribeck term.")
        raise ModelError(place, problem, "Leave out viscous and stribeck.")


# --- other ways to write them -------------------------------------------------------------------


def _between(side: int, name: str, given: ConstraintInput) -> Contact:
    """A length between two points."""
    require_positive(given, "length")
    kind = TautLine(given["length"], side)
    first, second = given[kind.names[0]]
    return Contact(
        name,
        kind,
        *(first.body, second.body),
        *(Pose(first.point), Pose(second.point)),
        restitution=given.get("restitution", NO_REBOUND),
        place=given.place,
    )


@final
class Rope(Declaration):
    """Two points at most a length apart."""

    names = TautLine.called[-1]
    keys = (
        Key("rope", Kind.ENDS, _ENDS),
        Key("length", Kind.CONSTANT, "0.5", unit="m"),
        RESTITUTION,
    )

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Contact:
        return _between(-1, name, given)


@final
class Strut(Declaration):
    """Two points at least a length apart."""

    names = TautLine.called[1]
    keys = (Key("strut", Kind.ENDS, _ENDS), *Rope.keys[1:])

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> Contact:
        return _between(1, name, given)


@final
class Backlash(Declaration):
    """−play/2 ≤ Σ c_k q_k ≤ play/2: a gear, say, whose teeth are thinner than their gaps."""

    names = ("backlash", "jeu d'engrènement")
    keys = (
        Key("coefficients", Kind.FACTORS, "{phi1: 2, phi2: -1}", unit=SHARED),
        Key("play", Kind.CONSTANT, "0.01", unit=SHARED),
        RESTITUTION,
        *SPRING,
    )

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> ContactSet:
        require_positive(given, "play")
        sum_of_coordinates = combination(given["coefficients"])
        gaps = (given["play"] / 2 + sum_of_coordinates, given["play"] / 2 - sum_of_coordinates)
        laws = given.get("restitution", NO_REBOUND), _spring(given)
        parts = tuple(
            GapContact(one, gap, None, None, *laws, given.place)
            for one, gap in zip(numbered(name, 2), gaps, strict=True)
        )
        return ContactSet(name, parts, given.place)


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
        Key("drum", Kind.VARYING, unit="m"),  # length paid out to the strand
        RESTITUTION,
    )

    @classmethod
    def described(cls, name: str, given: ConstraintInput) -> GapContact:
        law = replace(given["friction"], wrap=given["angle"])
        if law.stribeck is not ZERO:
            problem = say("the friction of a rope on a drum has no Stribeck term.")
            raise ModelError(given.place, problem, "Leave out stribeck.")
        gap = given["length"] - given["strand"] - given["other"]
        slid = given["strand"] - given.get("drum", ZERO)
        restitution = given.get("restitution", NO_REBOUND)
        return GapContact(name, gap, rate_of(slid), law, restitution, place=given.place)


CONTACTS: list[type[Declaration]] = [Contact, GapContact, Rope, Strut, Backlash, Wrap, Pile]
