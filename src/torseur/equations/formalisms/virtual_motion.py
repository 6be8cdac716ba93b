"""The principle of virtual power in one chosen virtual motion: one scalar equation.

The power of the quantities of acceleration equals that of all the efforts. A motion that the joints
allow hides their reactions; one that they do not shows those that work in it; one that moves all
bodies as a single solid hides everything inside.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.printing.reading_order import Ranks
from torseur.dynamics.tree.kinematics import velocities
from torseur.equations.actions.efforts import Efforts, Transmitted
from torseur.equations.expressions.tidy import book_text, collected
from torseur.equations.formalisms.isolated import At, reference
from torseur.equations.symbols.system import system
from torseur.equations.symbols.texts import read, read_all
from torseur.errors import ModelError, require_known, unknown
from torseur.model.contact.smooth import notice_of_left_out
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import name_ranks
from torseur.notices import noticed
from torseur.spatial.torseur import Torseur
from torseur.words.sentence import say

Array = np.ndarray
Given = Torseur | Mapping[str, Any]
_PLACE = "virtual_power"


@final
@dataclass(frozen=True)
class VirtualPower:
    """P*_a = P*_e + P*_joints in one virtual motion."""

    _repr_html_ = notebook.preformatted

    inertia: Expr  # P*_a, of the quantities of acceleration
    given: Expr  # P*_e, of weight, loads and motors
    joints: Expr  # of the reactions that work, linear in their unknowns
    ranks: Ranks = field(default_factory=dict)  # the order of symbols in print
    notices: tuple[str, ...] = ()

    @property
    def equation(self) -> Expr:
        """Expression that is zero."""
        return self.inertia - self.given - self.joints

    @property
    def unknowns(self) -> dict[str, Expr]:
        """The reactions that work, each with the factor it is multiplied by."""
        symbols = [x for x in free_symbols(self.joints) if x.kind == "input"]
        return {x.name: derivative(self.joints, x) for x in symbols}

    @property
    def compatible(self) -> bool:
        """Whether no reaction works."""
        return not self.unknowns

    def __str__(self) -> str:
        both = (self.inertia, self.given + self.joints)
        equation = " = ".join(book_text(x, self.ranks) for x in both)
        return "\n".join([equation, *noticed(self.notices)])


def virtual_power(
    mechanism: Mechanism,
    coordinates: Mapping[str, Any] | None = None,
    *,
    bodies: Mapping[str, Given] | None = None,
    rigid: Given | None = None,
) -> VirtualPower:
    """The principle of virtual power in a virtual motion of one of three kinds.

    `coordinates` gives virtual rates by name, others being zero: the joints of the tree allow the
    motion, loops and imposed motions may not. `bodies` gives a twist to each body it names, the
    others standing still. `rigid` gives one twist to all bodies. A twist is a Torseur in ground
    axes, or {"rotation": …, "velocity": …, "at": …}, the velocity being that of the point `at`: a
    named point, (body, position), or the centre of mass of the body.
    """
    given = [x is not None for x in (coordinates, bodies, rigid)]
    if sum(given) != 1:
        advice = "Give one: rates of coordinates, twists of bodies, or a rigid motion."
        raise ModelError(_PLACE, say("{sum} virtual motions are given.", sum(given)), advice)
    efforts = Efforts(system(mechanism))
    if coordinates is not None:
        return _along_coordinates(efforts, coordinates)
    index, frozen = efforts.places.index, _Frozen()
    if rigid is not None:
        whole = frozen.twist(_twist(efforts, rigid, tuple(mechanism.bodies)))
        return frozen.thawed(_of_bodies(efforts, dict.fromkeys(index.values(), whole)))
    assert bodies is not None, "one of the three motions is given"
    require_known(_PLACE, "body", bodies, index)
    twists = {index[n]: frozen.twist(_twist(efforts, x, (n,))) for n, x in bodies.items()}
    return frozen.thawed(_of_bodies(efforts, twists))


@final
class _Frozen:
    """Virtual rates that depend on the motion, held as symbols while powers are written."""

    def __init__(self) -> None:
        self._known: dict[Expr, Expr] = {}

    def rates(self, values: Array) -> Array:
        nodes = expressions(values)
        for k, x in enumerate(nodes):
            if any(y.kind in ("speed", "acceleration") for y in free_symbols(x)):
                nodes[k] = symbol(f"virtual {len(self._known)}")
                self._known[nodes[k]] = x
        return nodes

    def twist(self, given: Torseur) -> Torseur:
        return Torseur(self.rates(given.resultant), self.rates(given.moment), given.point)

    def thawed(self, power: VirtualPower) -> VirtualPower:
        powers = (power.inertia, power.given, power.joints)
        inertia, given, joints = (substitute(x, self._known) for x in powers)
        return replace(power, inertia=inertia, given=given, joints=joints)


def _twist(efforts: Efforts, given: Given, bodies: Sequence[str]) -> Torseur:
    if isinstance(given, Torseur):
        return given
    require_known(_PLACE, "entry", given, ("rotation", "velocity", "at"))
    mechanism = efforts.system.mechanism
    rotation, velocity = (
        read_all(mechanism, given.get(key, (0, 0, 0)), f"{_PLACE}: {key}")
        for key in ("rotation", "velocity")
    )
    at: At | None = given.get("at")
    return Torseur(rotation, velocity, efforts.places.position(reference(mechanism, at, bodies)))


def _of_bodies(efforts: Efforts, twists: Mapping[int, Torseur]) -> VirtualPower:
    """Every joint between bodies that do not move as one works."""
    inertia, given, joints = ZERO, ZERO, ZERO
    for i, twist in twists.items():
        inertia = inertia + twist.comoment(efforts.dynamic(i))
        given = given + twist.comoment(efforts.weight(i)) + twist.comoment(efforts.given(i))
    for x in efforts.transmitted:
        for relative in _relative(x, twists):
            given = given + relative.comoment(x.driven)
            joints = joints + relative.comoment(x.reaction)
    return _powers_by_monomials(efforts, inertia, given, joints)


def _powers_by_monomials(efforts: Efforts, inertia: Any, given: Any, joints: Any) -> VirtualPower:
    """Each power by its monomials; that of the given efforts as it is, whatever their laws."""
    known = efforts.system
    return VirtualPower(
        collected(expression(inertia), tuple(known.a), tuple(known.v)),
        expression(given),
        efforts.in_unknowns([joints])[0],
        name_ranks(known.mechanism),
        notice_of_left_out(known.mechanism),
    )


def _relative(x: Transmitted, twists: Mapping[int, Torseur]) -> list[Torseur]:
    """The twists that the wrench on the second body works in; none if both bodies share theirs."""
    first, second = twists.get(x.first), twists.get(x.second)
    if first is second:
        return []
    return [*([second] if second is not None else []), *([-first] if first is not None else [])]


def _along_coordinates(efforts: Efforts, rates: Mapping[str, Any]) -> VirtualPower:
    """The joints of the tree do not work; closing joints, relations and imposed motions may."""
    known = efforts.system
    names = {name.removesuffix("."): k for k, name in enumerate(known.speeds)}
    virtual = expressions(np.zeros(len(known.v)))
    for name, value in rates.items():
        if name.removesuffix(".") not in names:
            raise unknown(_PLACE, "coordinate", name, names)
        virtual[names[name.removesuffix(".")]] = read(known.mechanism, value, f'rate of "{name}"')
    frozen = _Frozen()
    virtual = frozen.rates(virtual)
    poses = efforts.places.poses
    inertia, given = efforts.spun(virtual), efforts.driven(virtual)
    for i, moving in enumerate(velocities(known.tree, known.q, virtual)):
        twist = Torseur(poses[i].R.out(moving.w), poses[i].R.out(moving.v), poses[i].p)
        inertia = inertia + twist.comoment(efforts.dynamic(i))
        given = given + twist.comoment(efforts.weight(i)) + twist.comoment(efforts.given(i))
    working = efforts.held.J @ virtual
    joints = sum((x * y for x, y in zip(working, efforts.multipliers, strict=True)), ZERO)
    return frozen.thawed(_powers_by_monomials(efforts, inertia, given, joints))
