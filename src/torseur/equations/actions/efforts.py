"""The balance of each body: what its motion needs, what is applied to it, what its joints give.

Everything is a torseur in ground axes. The wrench of a joint is that of its first body on its
second, at the origin and along the axes of its frame M: an unknown for each component that the
joint can carry, named X, Y, Z (forces) and L, M, N (couples), and what motors, loads, rotors, laws
and relations put along its freedoms. Joints that close loops are no exception.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Any, final

import numpy as np

from torseur.algebra.core.coefficients import factors
from torseur.algebra.core.expr import CONSTANT, PARAMETER, ZERO, Expr, Scalar, expression, symbol
from torseur.algebra.core.graph import (
    evaluate,
    expressions,
    flat,
    free_symbols,
    reachable,
    substitute,
)
from torseur.algebra.forms.normal_form import common_denominator, product
from torseur.algebra.forms.readable import readable
from torseur.dynamics.tree.closure import Closure, relative_motions
from torseur.dynamics.tree.inverse_dynamics import rate_of_momentum, spin
from torseur.dynamics.tree.kinematics import Motion, accelerations
from torseur.equations.actions.applied import Part, actions_of, combined
from torseur.equations.actions.ropes import of_tension
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.constraints.unknowns import (
    closing_names,
    component_names,
    multiplier_letters,
    unknown_of,
)
from torseur.equations.expressions.linear import determinant, solve, solve_any
from torseur.equations.expressions.tidy import collected
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.model.constraints.protocol import MeshRow
from torseur.model.constraints.selection import meshes, ropes
from torseur.model.description import GROUND
from torseur.spatial.pose import Pose
from torseur.spatial.torseur import Torseur
from torseur.spatial.vectors import cross
from torseur.topology.tree import Link
from torseur.words.sentence import say

Array = np.ndarray
NO_WRENCH = np.zeros(6)
_SMALL = 1e-9  # of a determinant at values of about one, for which it is zero everywhere


@final
@dataclass(frozen=True)
class Transmitted:
    """Action transmitted by a joint, a contact or gear teeth, of its first body on the second."""

    name: str
    first: int  # index of the body in the tree; −1 for the ground
    second: int
    reaction: Torseur  # on the second body, in ground axes: linear in the unknowns
    driven: Torseur  # what motors, loads in the joint and rotors give besides
    frame: Pose  # its own frame in the ground
    wrench: tuple[Array, Array]  # force and couple of both together, at and along that frame

    def on(self, bodies: set[int]) -> int:
        """+1 if it acts on a set of bodies from outside, −1 if from inside, 0 if it stays in."""
        return int(self.second in bodies) - int(self.first in bodies)


@final
class Efforts:
    """The torseurs of a system, as expressions of its coordinates, speeds and accelerations."""

    def __init__(self, system: System, laws: Mapping[Expr, Expr] | None = None) -> None:
        self.system = system
        self._laws = dict(laws or {})  # of unknowns that follow from others
        self._tree = system.tree
        self._applied = actions_of(system)
        self.places = self._applied.places
        self.held = constraints_of(system)

    @cached_property
    def motions(self) -> list[Motion]:
        """Motions of all bodies in their computing frames, gravity left out."""
        system = self.system
        return accelerations(self._tree, system.q, system.v, system.a, np.zeros(3))

    @cached_property
    def _spins(self) -> dict[int, tuple[Any, Array, int]]:
        """For the row of each rotor: the torque on its joint, the couple on its carrier."""
        spins = {}
        for _, link in self._tree:
            if link.rotor is not None:
                row, p = link.v.start, link.parent
                carrier = self.motions[p] if p >= 0 else None
                speed, acceleration = self.system.v[row], self.system.a[row]
                torque, couple = spin(link.rotor, carrier, speed, acceleration)
                spins[row] = torque[0], couple, p
        return spins

    def dynamic(self, i: int) -> Torseur:
        """The rate of momentum of body i, with the spin of the rotors it carries."""
        force, couple = rate_of_momentum(self._tree.links[i].inertia, self.motions[i])
        return self._out(i, force, couple + self.spin_of_rotors(i))

    def spin_of_rotors(self, i: int) -> Array:
        """The couple that the spin of the rotors on body i needs, in its computing frame."""
        couples = [couple for _, couple, carrier in self._spins.values() if carrier == i]
        return sum(couples, np.zeros(3))

    def weight(self, i: int) -> Torseur:
        """Weight of body i."""
        body, X = self._tree.links[i].inertia, self.places.poses[i]
        field = np.asarray(self.system.gravity, dtype=object)
        return Torseur(body.m * field, cross(X.R.out(body.h), field), X.p)

    def given(self, i: int) -> Torseur:
        """The loads on body i that do not pass through joints."""
        return self._out(i, *self.loads(i))

    def loads(self, i: int) -> tuple[Array, Array]:
        """Loads of a body as force and couple, at and along its computing frame."""
        return self._given_parts[0].get(i, (np.zeros(3), np.zeros(3)))

    @cached_property
    def by_source(self) -> dict[str, dict[int, tuple[Array, Array]]]:
        """The loads of each force and of the motion of the ground by body, by name."""
        parts = self._applied.told_apart(self._applied.outside_closing_joints)
        named = self._applied.among_joints
        by_name = {named(name): wrenches for name, (wrenches, _) in parts.items()}
        by_name |= {name: wrenches for name, (wrenches, _) in self._ropes.items()}
        return {name: self._in_tree_symbols(wrenches) for name, wrenches in by_name.items()}

    @cached_property
    def _ropes(self) -> dict[str, Part]:
        """Wrenches of ropes that do not stretch, by name, with their unknown tensions."""
        letters = multiplier_letters(self.system.mechanism)
        return {
            x.name: of_tension(self.places, x, unknown_of(x.name, letters))
            for x in ropes(self.system.mechanism)
        }

    def _in_tree_symbols(self, wrenches: dict[int, Any]) -> dict[int, tuple[Array, Array]]:
        opened = self._applied.opened
        return {
            i: (opened(expressions(F)), opened(expressions(C))) for i, (F, C) in wrenches.items()
        }

    @cached_property
    def _given_parts(self) -> tuple[dict[int, tuple[Array, Array]], dict[int, Any]]:
        opened = self._applied.opened
        parts = self._applied.outside_closing_joints.values()
        wrenches, rows = combined([*parts, *self._ropes.values()])
        return (self._in_tree_symbols(wrenches), {row: opened(x) for row, x in rows.items()})

    def from_source(self, name: str, i: int) -> Torseur:
        """Action of one force, or of the motion of the ground, on body i."""
        return self._out(i, *self.by_source[name].get(i, (np.zeros(3), np.zeros(3))))

    def _out(self, i: int, force: Array, couple: Array) -> Torseur:
        X = self.places.poses[i]
        return Torseur(X.R.out(force), X.R.out(couple), X.p)

    def spun(self, virtual: Array) -> Any:
        """The virtual power that the spin of rotors needs in their joints."""
        return sum((torque * virtual[row] for row, (torque, _, _) in self._spins.items()), ZERO)

    def driven(self, virtual: Array) -> Any:
        """The virtual power of motors and of loads in joints."""
        total = sum((x * virtual[row] for row, x in self._given_parts[1].items()), ZERO)
        moving = relative_motions(self._tree, self.held.closures, self.system.q, virtual)
        for closure, t in zip(self.held.closures, moving, strict=True):
            for k, value in self._in_closing.get(closure.cut.name, ()):
                total = total + closure.speeds(t)[k] * value
        return total

    @cached_property
    def _in_closing(self) -> dict[str, list[tuple[int, Expr]]]:
        """The loads in each closing joint: the speed of the joint they work on, and their value."""
        by_joint: dict[str, list[tuple[int, Expr]]] = {}
        for freedom, value in self._applied.in_closing_joints():
            opened = self._applied.opened(expression(value))
            by_joint.setdefault(freedom.joint, []).append((freedom.index, opened))
        return by_joint

    # --- joints ---------------------------------------------------------------------------------

    @cached_property
    def transmitted(self) -> list[Transmitted]:
        """Through every joint, contact and gear."""
        carrying = [self._carrying(i, link) for i, link in self._tree]
        closing = [self._closing(closure) for closure in self.held.closures]
        gears = meshes(self.system.mechanism)
        return [*carrying, *closing, *(self._teeth(x) for x in gears)]

    def _carrying(self, i: int, link: Link) -> Transmitted:
        """A joint of the tree; crossed backwards, it has its frame M on the parent."""
        kind, q = link.joint, self.system.q[link.q]
        bodies, X = (link.parent, i), self.places.poses[i]
        if kind.backwards:
            parent = self.places.poses[link.parent] if link.parent >= 0 else Pose()
            kind, bodies, X = kind.forward, bodies[::-1], parent @ link.X_PF
        S = kind.motion_subspace(q)
        T = kind.reaction_subspace(q) if kind.closes else carried(S, f'joint "{link.joint_name}"')
        driven, needed = (
            along_freedoms(S, [rows.get(row, ZERO) for row in range(link.v.start, link.v.stop)])
            for rows in (self._drive_efforts, self._restraint_efforts)
        )
        return self._through(link.joint_name, bodies, X, T, needed, driven)

    def _closing(self, closure: Closure) -> Transmitted:
        """A joint that closes a loop, a contact, an imposed motion of a body."""
        cut, needed, driven = closure.cut, NO_WRENCH, NO_WRENCH
        for row, k, factor in self.held.on_closing(cut):
            unknown = self.held.opened(factor) * self.held.unknowns[row]
            needed = needed + closure.along(k) * unknown
        for k, value in self._in_closing.get(cut.name, ()):
            driven = driven + closure.along(k) * value
        return self._through(cut.name, (cut.A, cut.B), closure.X_WM, closure.T, needed, driven)

    @cached_property
    def _drive_efforts(self) -> dict[int, Any]:
        """By row: what motors and loads give in the joint, less what its rotor takes."""
        torques = {row: -torque for row, (torque, _, _) in self._spins.items()}
        return combined([({}, self._given_parts[1]), ({}, torques)])[1]

    @cached_property
    def _restraint_efforts(self) -> dict[int, Any]:
        """By row: what relations and imposed motions give, each with its own unknown."""
        mechanism = self.system.mechanism
        names = [x.name for x in meshes(mechanism)]
        names += [x.name for x in ropes(mechanism)]
        first = sum(cut.rows for cut in self.system.cuts)
        total: dict[int, Any] = {}
        owned = zip(self.held.owners[first:], self.held.unknowns[first:], strict=True)
        for (name, unknown), along in zip(owned, self.held.on_carrying, strict=True):
            for row, factor in enumerate(along if name not in names else ()):
                if factor is not ZERO:
                    more = self.held.opened(factor) * unknown
                    total[row] = total.get(row, ZERO) + more
        return total

    @cached_property
    def multipliers(self) -> list[Expr]:
        """The unknown of each row of J: a component of a reaction, or a multiplier."""
        return list(self.held.unknowns)

    def in_unknowns(self, outputs: Any) -> Array:
        """Expressions of reactions, written by their unknowns; the push of teeth apart as it is."""
        nodes = expressions(outputs)
        unknowns = [x for x in free_symbols(nodes) if x.kind == "input"]
        sizes = [x for x in reachable(flat(nodes)) if x.op == "abs"]
        if set(free_symbols(sizes)) & set(unknowns):
            return nodes
        return expressions([collected(x, unknowns) for x in flat(nodes)]).reshape(nodes.shape)

    def _through(
        self,
        name: str,
        bodies: tuple[int, int],
        X: Pose,
        T: Array,
        needed: Array = NO_WRENCH,
        driven: Array = NO_WRENCH,
    ) -> Transmitted:
        T = expressions(T)
        cut = next((cut for cut in self.system.cuts if cut.name == name), None)
        names = component_names(name, T) if cut is None else closing_names(cut, T)
        unknowns = np.array([symbol(x, "input") for x in names], dtype=object)
        carried_by_it = expressions((T @ unknowns if names else NO_WRENCH) + needed)
        wrenches = (substitute(carried_by_it, self._laws) if self._laws else carried_by_it, driven)
        reaction, given = (Torseur(X.R.out(x[3:]), X.R.out(x[:3]), X.p) for x in wrenches)
        both = expressions(wrenches[0] + wrenches[1])
        return Transmitted(name, *bodies, reaction, given, X, (both[3:], both[:3]))

    def _teeth(self, gear: MeshRow) -> Transmitted:
        index = {**self.places.index, GROUND: -1}
        X = self.places.frame(gear.carrier)
        size = unknown_of(gear.name, multiplier_letters(self.system.mechanism))
        force = expressions(gear.direction * size + gear.apart * abs(size))
        at, still = X.point(gear.point), np.zeros(3)
        bodies = index[gear.first], index[gear.second]
        torseurs = Torseur(X.R.out(force), still, at), Torseur(still, still, at)
        return Transmitted(
            gear.name, *bodies, *torseurs, Pose(at, X.R), (force, expressions(still))
        )


def along_freedoms(S: Array, forces: list[Any]) -> Array:
    """The wrench in the span of S that has the given generalised forces."""
    if all(x is ZERO for x in forces):
        return NO_WRENCH
    return np.asarray(S @ solve(expressions(S.T @ S), expressions(forces)))


# --- the wrenches that a joint carries, from its free motions alone -------------------------------


def carried(S: Array, place: str) -> Array:
    """T (6, 6 − n): couples then forces, a column for each component that is not dependent.

    A wrench that does not work in any free motion has Sᵀ T = 0. A component in which nothing moves
    is carried as it is. Of the others, as many as there are freedoms are taken for dependent; each
    that is left is carried together with what the dependent ones must be for no power to pass,
    times what moves and stands below: no column is infinite where a component of it vanishes.
    """
    S = expressions(S)
    moving = [k for k, row in enumerate(S) if any(x is not ZERO for x in row)]
    dependent = _dependent(S, moving, place)
    columns = []
    for k in range(6):
        if k in dependent:
            continue
        column = expressions(np.zeros(6))
        column[k] = expression(1)
        if k in moving and dependent:
            column[dependent] = solve_any(S[dependent].T, -S[k])
            column = _without_fractions(column)
        columns.append(column)
    return expressions(np.array(columns, dtype=object).reshape(-1, 6).T)


def _without_fractions(column: Array) -> Array:
    """A multiple of a column in which nothing that moves stands below."""
    read = expressions(readable(column))
    below: dict[Expr, Scalar] = {}
    for x in read:
        for power, factor in factors(common_denominator(x), {}):
            if factor.stage > PARAMETER:
                below[factor] = max(below.get(factor, 0), power)
    return expressions(readable(read * product(tuple(below.items())))) if below else column


def _dependent(S: Array, moving: list[int], place: str) -> list[int]:
    """The components that follow from the others: their determinant is a number where one is."""
    n = S.shape[1]
    choices = {rows: readable(determinant(S[list(rows)])) for rows in combinations(moving, n)}
    sizes = {rows: _size(x) for rows, x in choices.items()}
    regular = [rows for rows in choices if sizes[rows] > _SMALL]
    if not regular:
        problem = say("its {number} coordinates do not move it in as many ways.", n)
        raise ModelError(place, problem, "Leave out the coordinates that repeat others.")
    # a number first, which vanishes nowhere; then the largest
    best = max(regular, key=lambda rows: (choices[rows].stage == CONSTANT, sizes[rows]))
    return list(best)


def _size(x: Any) -> float:
    """The least size of an expression at three states at random, its symbols of about one."""
    node: Expr = expression(x)
    rng, names = np.random.default_rng(0), [y.name for y in free_symbols(node)]
    states = (dict(zip(names, rng.uniform(0.5, 1.5, len(names)), strict=True)) for _ in range(3))
    return min(abs(float(evaluate(node, state))) for state in states)
