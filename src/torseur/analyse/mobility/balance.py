"""The balance of unknowns and equations of a mechanism, joint by joint and body by body.

Unknowns are the parameters of the motion, the components of the reactions and the forces that
follow laws. Equations are six for each body, the relations between the parameters where loops
close, and the laws. Both sides always come to the same total (Llibre 2009, §1.5.2); how many of the
relations are independent is the matter of `mobility`, from ranks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.analyse.at_a_state.pose import Posed, posed
from torseur.analyse.mobility.contact_modes import counted
from torseur.brief import without_rounding
from torseur.dynamics.tree.closure import SelfStressWrench, carried, transmitted
from torseur.errors import require_known
from torseur.model.called import called_body, called_type
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import between_frames, meshes
from torseur.model.contact.element import Element
from torseur.model.description import GROUND, Joint, Mechanism
from torseur.model.forces.protocol import ALONG_A_LINE, Force, Kind, expressions_of
from torseur.model.joint_graph import spanning
from torseur.model.values.named_numbers import with_short_loops
from torseur.result import Result
from torseur.simulation.start.assemble import Assembled
from torseur.spatial.in_words import listed, spanned
from torseur.words.sentence import say, worded

Array = np.ndarray


@final
class BalanceLine(Result):
    """So many unknowns or equations, and where they come from."""

    source: str  # "joint O", "body rod", "law of spring s"
    count: int
    detail: str = ""
    names: tuple[str, ...] = ()  # of the quantities, where they have names


@final
class Balance(Result):
    """Balance of the unknowns and the equations of a mechanism."""

    _repr_html_ = notebook.html

    name: str
    unknowns: tuple[BalanceLine, ...]
    equations: tuple[BalanceLine, ...]
    parameters: int  # of the motion
    relations: int  # between them, whatever the imposed motions
    bodies: dict[str, tuple[str, ...]]  # body → the joints that act on it

    @property
    def unknown_count(self) -> int:
        """The total of the unknowns."""
        return sum(line.count for line in self.unknowns)

    @property
    def equation_count(self) -> int:
        """The total of the equations."""
        return sum(line.count for line in self.equations)

    @property
    def conditions(self) -> int:
        """p: what joints and constraints ask of the six coordinates of every body."""
        return 6 * len(self.bodies) - self.parameters + self.relations

    def __str__(self) -> str:
        difference = f"{self.parameters - self.relations}".replace("-", "−")
        lines = [
            *_column(say("unknowns"), self.unknowns, self.unknown_count),
            *_column(say("equations"), self.equations, self.equation_count),
            self.say("{unknown_count} unknowns = {equation_count} equations"),
            self.say(
                "parameters less relations: {parameters} − {relations} = {difference} = m − h",
                difference=difference,
            ),
            self.say(
                "coordinates of bodies less conditions: "
                "6 N − p = 6×{bodies} − {conditions} = {difference} = m − h",
                bodies=len(self.bodies),
                difference=difference,
            ),
        ]
        return "\n".join(lines)


def balance(
    mechanism: Mechanism,
    *,
    friction: Collection[str] = (),
    modes: Mapping[str, str] | None = None,
) -> Balance:
    """The unknowns of a mechanism and the equations available.

    The parameters are the speeds of the joints that carry bodies; a joint that closes a loop gives
    relations between them. Forces that depend on the motion are unknown and have a law; given
    forces are known. `friction` names joints with Coulomb friction: each direction in which they
    slide has one more force and one more law (in space: the size and the direction of the sliding
    force, erratum E2-9). Contacts that touch at the start, or have a mode in `modes`, count in the
    same way: a normal force for the gap, and the friction of what slides with its laws.
    """
    require_known("balance", "joint", friction, mechanism.joints)
    mechanism = with_short_loops(mechanism)
    contacts = counted(mechanism, modes)
    mechanism = replace(contacts.mechanism, loads=mechanism.loads)
    result = spanning(mechanism)
    # forces between bodies that depend on the motion, each with its law
    unknowns = [force for force in mechanism.loads.values() if _is_unknown(force)]
    laws = [BalanceLine(_called(force), 1, say("its force")) for force in unknowns]
    laws += _friction(mechanism, friction)
    laws += [_rubbing(one) for one in contacts.slides]
    # what closing a loop demands of the parameters
    closing = [joint for joint in result.closing if joint.kind.nv < 6]
    relations = [
        BalanceLine(say("joint {name}", x.name), 6 - x.kind.nv, say("closes a loop"))
        for x in closing
    ]
    relations += _constraints(mechanism)
    # imposed motions: what drives them is unknown, their law is an equation
    driven = [
        BalanceLine(say("motion {name}", motion.name), motion.rows.count, say("what drives it"))
        for motion in mechanism.motions.values()
    ]
    carrying = {joint.name for joint, _ in result.carrying}
    joints = [joint for name, joint in mechanism.joints.items() if name in carrying]
    speeds = [speed for joint in joints for speed in joint.speeds]
    named = tuple(speed.removesuffix(".") for speed in speeds)
    bodies = [name for name in mechanism.bodies if name != GROUND]
    return Balance(
        mechanism.name,
        (
            BalanceLine(say("parameters"), len(speeds), ", ".join(named), named),
            *_reactions(mechanism),
            *_constraints(mechanism),
            *driven,
            *laws,
        ),
        (
            *(
                BalanceLine(say("body {name}", name), 6, say("3 of forces, 3 of moments"))
                for name in bodies
            ),
            *relations,
            *(BalanceLine(line.source, line.count, say("its law")) for line in driven),
            *(BalanceLine(say("law of {source}", law.source), law.count) for law in laws),
        ),
        len(speeds),
        sum(line.count for line in relations),
        {name: _acting(mechanism, name) for name in bodies},
    )


def _called(force: Force) -> str:
    """A force by its type and its name; of one in a joint, or of a law, the type says little."""
    if force.names[0] in ("joint", "law"):
        return say("force {name}", force.name)
    return f"{called_type(force)} {force.name}"


def _reactions(mechanism: Mechanism) -> Iterator[BalanceLine]:
    """Components of the reactions of joints."""
    for joint in mechanism.joints.values():
        pair = f"{called_type(joint.kind)}, {_pair(joint.first, joint.second)}"
        carried = _carried(joint.kind)
        detail = f"{pair}{worded(': ')}{carried}" if carried else pair
        yield BalanceLine(say("joint {name}", joint.name), 6 - joint.kind.nv, detail)


def _pair(first: str, second: str) -> str:
    return f"{called_body(first)} – {called_body(second)}"


def _constraints(mechanism: Mechanism) -> Iterator[BalanceLine]:
    """Contacts, gears and relations: as many forces as conditions."""
    for constraint in mechanism.constraints.values():
        rows = constraint.rows
        if isinstance(rows, JointRows):
            does = say("rolls") if rows.rolls else called_type(rows.kind)
            yield BalanceLine(
                say("contact {name}", rows.name),
                rows.count,
                f"{does}, {_pair(rows.first, rows.second)}",
            )
        else:
            kind = called_type(constraint)
            yield BalanceLine(say("constraint {name}", rows.name), rows.count, kind)


def _carried(kind: Any) -> str:
    """`3 forces, 2 couples`: the columns of T with and without a force, at some pose."""
    if not kind.closes:  # a joint of the user's own: its reactions have no fixed directions
        return ""
    T = np.asarray(kind.reactions_at(np.eye(3), np.eye(3)[0]), dtype=object).reshape(6, -1)
    forces = sum(any(expression(x) is not ZERO for x in column[3:]) for column in T.T)
    couples = T.shape[1] - forces
    parts = [say("1 force") if forces == 1 else say("{number} forces", forces)] if forces else []
    if couples:
        parts.append(say("1 couple") if couples == 1 else say("{number} couples", couples))
    return ", ".join(parts)


def _is_unknown(force: Force) -> bool:
    """Whether a force is an unknown with a law: along a line, or in a joint and not given."""
    kinds = {key.kind for key in force.keys}
    if kinds & set(ALONG_A_LINE):
        return True
    if Kind.JOINT not in kinds:
        return False
    values = [x for _, x in expressions_of(force)]
    given = all(x.kind in ("parameter", "time") for x in free_symbols(values))
    return not given or force.names[0] != "joint"


def _friction(mechanism: Mechanism, names: Collection[str]) -> Iterator[BalanceLine]:
    for name in names:
        kind = mechanism.joints[name].kind
        S = np.asarray(kind.motion_subspace(kind.neutral()), dtype=object).reshape(6, -1)
        sliding = sum(all(expression(x) is ZERO for x in column[:3]) for column in S.T)
        yield BalanceLine(
            say("friction in {name}", name), sliding, say("along the directions in which it slides")
        )


def _rubbing(one: Element) -> BalanceLine:
    """Friction of a contact that slides: its size, and in space its direction."""
    number = one.count - one.has_gap
    text = say("along the directions in which it slides")
    return BalanceLine(say("friction in {name}", one.name), number, text)


def _acting(mechanism: Mechanism, body: str) -> tuple[str, ...]:
    """The joints and contacts on a body."""
    parts: list[Joint | JointRows] = [*mechanism.joints.values()]
    parts += between_frames(mechanism.constraints.values())
    return tuple(part.name for part in parts if body in (part.first, part.second))


def _column(title: str, lines: tuple[BalanceLine, ...], total: int) -> list[str]:
    width = max([len(line.source) for line in lines], default=0)
    rows = [f"  {line.source:<{width}} {line.count:>4}  {line.detail}".rstrip() for line in lines]
    return [title, *rows, f"  {'':<{width}} {total:>4}"]


# --- redundancy -----------------------------------------------------------------------------------

# Reactions that are not unique: the joints that an over-constrained mechanism can stress.

_NOTHING = 1e-7  # of self-stresses of unit size


@final
class Redundancy(Result):
    """The joints whose reactions the laws of motion do not determine, and which components."""

    degree: int  # h
    components: dict[str, tuple[str, ...]]  # joint or constraint → what is not determined

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints and constraints whose reactions are not unique."""
        return tuple(self.components)

    def __bool__(self) -> bool:
        return bool(self.components)

    def __str__(self) -> str:
        if not self:
            return say("Every reaction is determined.")
        alike: dict[tuple[str, ...], list[str]] = {}
        for name, parts in self.components.items():
            alike.setdefault(parts, []).append(name)
        text = "; ".join(
            say("{parts} in {names}", ", ".join(parts), listed(names))
            for parts, names in alike.items()
        )
        return self.say(
            "the reactions are statically indeterminate (degree {degree}). Not determined: {told}. "
            "Free these directions, or write  reactions: least_norm  to accept the smallest "
            "consistent set.",
            told=text,
        )


def redundancy(mechanism: Mechanism | Assembled) -> Redundancy:
    """Undetermined reaction components of each joint, at the assembled configuration."""
    pose = posed(mechanism)
    stresses = pose.ranks.cokernel
    h = stresses.shape[1]
    closing = transmitted(pose.closures, stresses)
    wrenches = carried(pose.numbers.tree, [*closing, *_teeth(pose, stresses)], h)
    wrenches |= {part.name: part.wrench for part in closing}
    result = {name: _component_texts(pose, name, wrench) for name, wrench in wrenches.items()}
    rows = sum(closure.cut.rows for closure in pose.closures)
    for name, row in zip(pose.owners[rows:], stresses[rows:], strict=True):
        if np.abs(row).max(initial=0.0) > _NOTHING:
            result[name] = (say("its force"),)
    order = (*pose.mechanism.joints, *pose.mechanism.constraints)
    return Redundancy(h, {name: result[name] for name in order if result.get(name)})


def _teeth(pose: Posed, stresses: Array) -> list[SelfStressWrench]:
    """The forces between the teeth of gears; what pushes wheels apart follows from them."""
    number = pose.held.model.parameters
    index = {link.name: i for i, link in pose.numbers.tree} | {GROUND: -1}
    result = []
    for gear in meshes(pose.mechanism):
        X = pose.pose_of(gear.carrier)
        at, push = (np.asarray(evaluate(x, number), float) for x in (gear.point, gear.direction))
        force = np.outer(X.R.out(push), stresses[pose.owners.index(gear.name)])
        moment = np.cross(X.point(at), force, axis=0)
        wrench = np.concatenate([force, moment]).astype(float)
        result.append(SelfStressWrench(gear.name, index[gear.first], index[gear.second], wrench))
    return result


def redundant_reactions(mechanism: Mechanism | Assembled) -> tuple[str, ...]:
    """The joints and constraints whose reactions are not unique."""
    return redundancy(mechanism).joints


def _component_texts(pose: Posed, name: str, stresses: Array) -> tuple[str, ...]:
    """Forces, and couples at the joint, that can be added without changing the motion."""
    force = stresses[:3]
    couple = stresses[3:] - np.cross(pose.joint_points[name], force, axis=0)
    scales = ((1.0, say("force along"), force), (pose.size, say("couple about"), couple))
    parts = []
    for unit, what, part in scales:
        axes = spanned(without_rounding(part, _NOTHING * unit))
        parts += [say("{what} {axes}", what, listed(axes))] if axes else []
    return tuple(parts)
