"""The graph of joints: which joints carry bodies, which close loops."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from heapq import heapify, heappop, heappush
from typing import Any, Protocol, final

from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.graph import free_symbols
from torseur.errors import ModelError
from torseur.model.constraints.protocol import ExpressionRow
from torseur.model.constraints.selection import Constrained, restraints
from torseur.model.forces.protocol import GROUND, Force, expressions_of, joints_of
from torseur.model.joints.catalogue import called
from torseur.model.joints.protocol import Joint
from torseur.words.sentence import say


@final
@dataclass(frozen=True)
class Spanning:
    """A spanning tree of the joint graph, each joint after the one that carries its first body."""

    carrying: tuple[tuple[Joint, bool], ...]  # joint, and whether it is crossed backwards
    closing: tuple[Joint, ...]  # the joints left over: one for each independent loop


class Jointed(Constrained, Protocol):
    """Part of a mechanism that the graph of its joints depends on."""

    @property
    def joints(self) -> Mapping[str, Joint]: ...
    @property
    def motors(self) -> Mapping[str, Any]: ...
    @property
    def chosen(self) -> Mapping[str, Any]: ...
    @property
    def loads(self) -> Mapping[str, Force]: ...
    @property
    def events(self) -> Mapping[str, Any]: ...
    @property
    def states(self) -> Mapping[str, Any]: ...
    @property
    def inputs(self) -> tuple[str, ...]: ...
    @property
    def initial(self) -> Mapping[str, Any]: ...
    @property
    def carried_by(self) -> tuple[str, ...]: ...


def spanning(mechanism: Jointed, *, short: bool = False) -> Spanning:
    """Joints taken as soon as one of their bodies is reached, in the order of the description.

    Those that cannot close a loop come first, then those in which something acts or whose
    coordinates are used, so that a loop is closed by a joint that is not needed. A joint that
    cannot carry a body closes a loop. Joints in `carried_by` carry bodies where it is given.

    `short` takes, among these, first the joints whose coordinates have a name or an initial value,
    then those by which a body is reached from the ground through the fewest angles, then the fewest
    joints, crossed forwards, by name: whatever their order is in the description, sliders carry
    bodies, pivots close loops, and these are closed by short formulas.
    """
    needed = set(mechanism.carried_by) or _joints_in_use(mechanism)
    named = _named_joints(mechanism) if short else needed

    def order(joint: Joint) -> tuple[bool, bool, bool]:
        return joint.kind.closes, joint.name not in needed, joint.name not in named

    carriers = [joint for joint in mechanism.joints.values() if joint.kind.carries]
    joints = sorted(carriers, key=order)
    touching = _touching(joints)
    far = {GROUND: (0, 0)}  # angles and joints from the ground

    def entry(k: int, body: str) -> tuple[Any, ...]:
        """Sort key of a joint that is ready; `body` is the one that is reached."""
        if not short:
            return (k,)
        before = order(joints[k])
        after = (joints[k].first != body, joints[k].name, k)
        return *before, *_farther(far[body], joints[k]), *after

    reached, queued = {GROUND}, set(touching[GROUND])
    ready = [entry(k, GROUND) for k in queued]
    heapify(ready)
    carrying, closing = [], []
    while ready:
        joint = joints[heappop(ready)[-1]]
        if joint.first in reached and joint.second in reached:
            if not joint.kind.closes:
                raise _cannot_close(joint)
            closing.append(joint)
            continue
        backwards = joint.first not in reached
        carrier, body = (joint.first, joint.second)[:: -1 if backwards else 1]
        carrying.append((joint, backwards))
        reached.add(body)
        far[body] = _farther(far[carrier], joint)
        for k in touching[body]:
            if k not in queued:
                queued.add(k)
                heappush(ready, entry(k, body))
    left = [joint for k, joint in enumerate(joints) if k not in queued]
    links = [joint for joint in mechanism.joints.values() if not joint.kind.carries]
    hanging = [joint for joint in links if not {joint.first, joint.second} <= reached]
    if left or hanging:
        raise _not_linked([*left, *hanging])
    return Spanning(tuple(carrying), (*closing, *links))


def _touching(joints: list[Joint]) -> dict[str, list[int]]:
    """The joints of each body."""
    touching: dict[str, list[int]] = defaultdict(list)
    for k, joint in enumerate(joints):
        for body in {joint.first, joint.second}:
            touching[body].append(k)
    return touching


def _farther(place: tuple[int, int], joint: Joint) -> tuple[int, int]:
    """Angles and joints from the ground beyond a joint; a joint without freedoms has as many."""
    units = joint.kind.coordinate_units
    return place[0] + sum(unit != "m" for unit in units), place[1] + 1


def _joints_in_use(mechanism: Jointed) -> set[str]:
    """The joints in which something acts, or whose coordinates are in an expression."""
    named = {motor.joint for motor in mechanism.motors.values()}
    formulas: list[Expr] = []
    for load in mechanism.loads.values():
        named |= set(joints_of(load))
        formulas += [expression(value) for _, value in expressions_of(load)]
    formulas += [event.zero for event in mechanism.events.values()]
    formulas += [state.rate for state in mechanism.states.values()]
    formulas += [one.value for one in mechanism.chosen.values()]
    rows = (constraint.rows for constraint in restraints(mechanism))
    formulas += [row.zero for row in rows if isinstance(row, ExpressionRow)]
    names = {x.name for x in free_symbols(formulas)} | set(mechanism.inputs)
    for joint in mechanism.joints.values():
        if names & {*joint.coordinates, *joint.speeds}:
            named.add(joint.name)
    return named


def _named_joints(mechanism: Jointed) -> set[str]:
    """The joints whose coordinates have a name of their own, or an initial value."""
    return {
        joint.name
        for joint in mechanism.joints.values()
        if mechanism.initial.keys() & {*joint.coordinates, *joint.speeds}
        or any(q != joint.name and not q.startswith(f"{joint.name}_") for q in joint.coordinates)
    }


def _cannot_close(joint: Joint) -> ModelError:
    return ModelError(
        joint.place or f'joint "{joint.name}"',
        say(
            '{called} cannot close the loop between "{first}" and "{second}".',
            called(joint.kind),
            joint.first,
            joint.second,
        ),
        "Its pose is known from its coordinates only. Use one such joint a loop at most.",
    )


def _not_linked(joints: list[Joint]) -> ModelError:
    bodies = sorted({name for joint in joints for name in (joint.first, joint.second)})
    return ModelError(
        joints[0].place or f'joint "{joints[0].name}"',
        say("no joint links {bodies} to the ground.", ", ".join(bodies)),
        'Add a joint to "ground" (for instance of type free).',
    )
