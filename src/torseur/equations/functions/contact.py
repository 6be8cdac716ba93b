"""Functions of a state for the contact engine: M, forces, rows, gaps and loads in numbers.

Every element of the system holds (`model/contact/closed_contacts.py`), so that its constraints
are those of the mechanism and the rows of the elements. Which of these act is decided by numbers.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, substitute
from torseur.algebra.forms.identities import zeros
from torseur.dynamics.tree.inverse_dynamics import inverse_dynamics
from torseur.equations.actions.applied import actions_of, power_without_potential
from torseur.equations.actions.reactions import in_joint_axes, joint_wrenches, wrench_names
from torseur.equations.constraints.constraint_rows import (
    Constraints,
    constraints_of,
    coordinate_rates,
)
from torseur.equations.functions.catalogue import multiplier_names
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel, kernel, smoothed
from torseur.equations.functions.motion import MotionKernels, inputs_of_state
from torseur.equations.functions.sharing import sharing
from torseur.equations.symbols.system import System, symbols_of, system
from torseur.equations.symbols.system_places import places_of
from torseur.model.contact.element import Element, ExpressionLoad, JointWrenchLoad, NormalOf, PushOf
from torseur.model.contact.of_forces import REACTION, reactions_in
from torseur.model.contact.reactions import Exerted, Normals, Reaction, reaction
from torseur.model.freed import bound, is_freed

Array = np.ndarray
Parts = dict[str, tuple[int, ...]]  # the parts of the output, in order, with their shapes


@final
@dataclass(frozen=True)
class ContactState:
    """The parts of a state that decide how elements act."""

    system: System
    parts: tuple[Element, ...]

    @cached_property
    def constraints(self) -> Constraints:
        """Every row: those of the mechanism itself and those of the elements."""
        return constraints_of(self.system)

    @cached_property
    def rows(self) -> tuple[tuple[int, ...], ...]:
        """The rows of each element."""
        owners = self.constraints.owners
        return tuple(
            tuple(k for row in one.rows for k, owner in enumerate(owners) if owner == row.name)
            for one in self.parts
        )

    @cached_property
    def own_rows(self) -> tuple[int, ...]:
        """The rows that the mechanism itself holds."""
        element_rows = {k for rows in self.rows for k in rows}
        return tuple(k for k in range(len(self.constraints.owners)) if k not in element_rows)

    @cached_property
    def spring_rows(self) -> tuple[int, ...]:
        """Row of the spring that presses each element; −1: none."""
        by_name = {
            one.name: rows[0]
            for one, rows in zip(self.parts, self.rows, strict=True)
            if one.spring is not None
        }
        pressed = (one.load.element if isinstance(one.load, PushOf) else "" for one in self.parts)
        return tuple(by_name.get(name, -1) for name in pressed)

    @cached_property
    def idle(self) -> tuple[int, ...]:
        """Rows that no motion of the joints can change: those across a plane mechanism."""
        if not is_freed(self.system.mechanism):
            return tuple(_vanishing(self.constraints))
        joints = constraints_of(system(bound(self.system.mechanism)))
        across, places = list(_by_owner(joints.owners)), list(_by_owner(self.constraints.owners))
        idle = {across[k] for k in _vanishing(joints)}
        return tuple(k for k, row in enumerate(places) if row in idle)

    @cached_property
    def loads(self) -> tuple[JointWrenchLoad, ...]:
        """Loads of joints, in the order of the elements that need them."""
        return tuple(one.load for one in self.parts if isinstance(one.load, JointWrenchLoad))

    @cached_property
    def shapes(self) -> Parts:
        """The parts of the output."""
        return self.shapes_with(0)

    def shapes_with(self, more: int) -> Parts:
        """Parts of the output, with room for rows that others write."""
        nq, nv, m = len(self.system.q), len(self.system.v), len(self.constraints.owners) + more
        k = sum(len(load.components) for load in (*self.loads, *self.carried)) + len(self.named)
        return {
            "rates": (nq,),
            "M": (nv, nv),
            "S": (nv,),
            "J": (m, nv),
            "gamma": (m,),
            "b": (m,),
            "gap": (m,),
            "load": (k,),
            "load_a": (k, nv),
            "load_z": (k, m),
            "power": (1,),
            "changes": (len(self.system.signals),),  # rates of first-order states
        }

    def places(self, names: Collection[str] = (), more: int = 0) -> list[int]:
        """Where the numbers of a kernel of some parts are in all parts; without names, of all.

        Most of M and J is zero where bodies are free: what is always zero is in no output. There
        may be room for more rows, which others write.
        """
        known = {"M": self.inertia, "J": self.constraints.J}
        result, start, wide = list[int](), 0, self.shapes_with(more)
        for name, shape in self.shapes.items():
            size = int(np.prod(wide[name]))
            entries = known[name].ravel() if name in known else None
            if not names or name in names:
                whole = np.arange(start, start + size).reshape(wide[name])
                places = whole[tuple(slice(x) for x in shape)].ravel().tolist()
                count = len(places)
                nonzero = (k for k in range(count) if entries is None or entries[k] is not ZERO)
                result += [places[k] for k in nonzero]
            start += size
        return result

    # --- joints that repeat each other ---------------------------------------------------------

    @property
    def shared(self) -> tuple[int, ...]:
        """Rows of closing joints that move nothing, and share loads which friction or laws feel."""
        return self._sharing[0]

    @cached_property
    def carried(self) -> tuple[JointWrenchLoad, ...]:
        """The whole wrenches of the joints that these load: force, then couple."""
        return tuple(JointWrenchLoad(name, np.eye(6, dtype=int)) for name in self._sharing[1])

    @cached_property
    def _sharing(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """Rows that share loads, and the joints that they load."""
        if not self.loads and not self.named:
            return (), ()
        if not is_freed(self.system.mechanism):
            return sharing(self.system, self._closing_idle, self._felt_loads)
        joints = ContactState(system(bound(self.system.mechanism)), self.parts)
        there, places = (list(_by_owner(x.constraints.owners)) for x in (joints, self))
        rows = {there[k] for k in joints.shared}
        return tuple(k for k, row in enumerate(places) if row in rows), joints._sharing[1]

    @property
    def _closing_idle(self) -> list[int]:
        """The idle rows of closing joints."""
        joints, owners = self.system.mechanism.joints, self.constraints.owners
        return [k for k in self.idle if k in self.own_rows and owners[k] in joints]

    def _felt_loads(self, z: Array) -> list[Any]:
        """The loads of friction and the reactions that laws name, by accelerations and z."""
        return [x for load in (*self.loads, *self._reactions) for x in self._components(load, z)]

    @property
    def _reactions(self) -> list[Reaction]:
        """Reactions that laws name."""
        return [reaction(self.system.mechanism, name, self.parts) for name in self.named]

    # --- what reactions are named in ----------------------------------------------------------

    @cached_property
    def laws(self) -> tuple[tuple[int, Expr], ...]:
        """Laws by expressions: the force of a row or, under −1, a load of friction."""
        forces = [
            (row, value)
            for one, rows in zip(self.parts, self.rows, strict=True)
            for row, value in zip(rows, self._forces(one), strict=False)
        ]
        listed = [*forces, *((-1, value) for value in self._given_loads.values())]
        values = expressions([value for _, value in listed])
        opened = smoothed(self.constraints.opened(values)) if listed else values
        return tuple((row, value) for (row, _), value in zip(listed, opened, strict=True))

    @cached_property
    def _given_loads(self) -> dict[str, Expr]:
        """The loads of friction that expressions give, by element."""
        pushes = {one.name: self._push(one) for one in self.parts if one.spring is not None}
        values = {}
        for one in self.parts:
            if isinstance(one.load, ExpressionLoad):
                values[one.name] = one.load.value
            elif isinstance(one.load, PushOf) and one.friction is not None:
                values[one.name] = pushes[one.load.element]
        return values

    def _push(self, one: Element) -> Expr:
        """Force of the spring of an element."""
        assert one.spring is not None, "it is one"
        row = self.rows[self.parts.index(one)][0]
        depth = -self.constraints.gap[list(self.constraints.positions).index(row)]
        rate = -(self.constraints.J[row] @ self.system.v + self.constraints.rate[row])
        return one.spring.push(expression(depth), expression(rate))

    def _forces(self, one: Element) -> list[Expr]:
        """Forces of the first rows of elements: a spring, or a force that names reactions."""
        if one.spring is not None:
            return [self._push(one)]
        if one.law is None:
            return []
        values = np.array(one.law.values, dtype=object)
        if one.law.turned_into:
            R = places_of(self.system).rotation(one.law.turned_into)
            values = np.concatenate([R.into(values[:3]), R.into(values[3:])])
        return list(values)

    @cached_property
    def given_loads(self) -> dict[str, int]:
        """The places among the laws of the loads that expressions give, by element."""
        places = [k for k, (row, _) in enumerate(self.laws) if row < 0]
        return dict(zip(self._given_loads, places, strict=True))

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The reactions that laws name."""
        return reactions_in(expressions([value for _, value in self.laws])) if self.laws else ()

    def laws_kernel(self) -> Kernel:
        """Values of the laws at (q, v, reactions) and t, then their derivatives by reactions."""
        y = (*self.system.coordinates, *self.system.speeds, *self.named)
        values = expressions([value for _, value in self.laws])
        slopes = jacobian(values, symbols_of(self.named, REACTION))
        output = np.concatenate([values, expressions(slopes).ravel()])
        return kernel("contact_laws", (("y", y), ("t", (TIME.name,))), output)

    def kernel(self, names: Collection[str] = ()) -> Kernel:
        """Entries of some parts (all without names) that are not always zero."""
        title = "_".join(["contact", *(names or ("state",))])
        return kernel(title, inputs_of_state(self.system), self._values[self.places(names)])

    @cached_property
    def _values(self) -> Array:
        """All parts, one after the other."""
        system, constraints = self.system, self.constraints
        motion = self._motion
        M, _, sigma = motion.mass
        still = np.zeros(len(system.v))
        bias = inverse_dynamics(system.tree, system.q, system.v, still, system.gravity).Q
        rows = list(self.own_rows)
        S = expressions(motion.applied - bias)
        if rows:
            S = S - constraints.J[rows].T @ (sigma * constraints.bias[rows])
        gap = np.full(len(constraints.owners), ZERO, dtype=object)
        gap[list(constraints.positions)] = constraints.gap
        load, load_a, load_z = self._loads
        power = smoothed(power_without_potential(system))
        parts = [coordinate_rates(system), M, S, constraints.J, constraints.bias, constraints.rate]
        parts += [gap, load, load_a, load_z, np.array([power], dtype=object), motion.signal_rates]
        return np.concatenate([expressions(x).ravel() for x in parts])

    @cached_property
    def with_loads(self) -> list[tuple[list[int], list[int]]]:
        """Rows of each element with those of its load, and the speeds its load depends on."""
        first = {one.name: rows[0] for one, rows in zip(self.parts, self.rows, strict=True)}
        place, listed = 0, []
        for one, rows in zip(self.parts, self.rows, strict=True):
            speeds: list[int] = []
            others = [first[one.load.element]] if isinstance(one.load, NormalOf) else []
            if isinstance(one.load, JointWrenchLoad) and len(set(self._by_inertia)) > 1:
                start, place = place, place + len(one.load.components)
                speeds, others = (_occurring(by[start:place]) for by in self._loads[1:])
            listed.append(([*rows, *others], speeds))
        return listed

    @cached_property
    def _motion(self) -> MotionKernels:
        """With the rows of the mechanism itself, which make a singular mass matrix regular."""
        rows = self.own_rows
        positions = tuple(k for k in rows if k in self.constraints.positions)
        return MotionKernels(self.system, Rows(rows, len(rows), positions, 0))

    @cached_property
    def inertia(self) -> Array:
        """The mass matrix, made regular by the rows of the mechanism itself."""
        return expressions(self._motion.mass[0])

    @cached_property
    def _by_inertia(self) -> list[int]:
        """The part of each speed, those that inertia joins being one."""
        M, n = self.inertia, len(self.system.v)
        return _joined(n, ([j for j in range(n) if M[i, j] is not ZERO] for i in range(n)))

    @cached_property
    def moved_speeds(self) -> list[list[int]]:
        """The speeds that each row moves."""
        return [[i for i, x in enumerate(row) if x is not ZERO] for row in self.constraints.J]

    def _effort(self, joint: str) -> Any:
        """Force of motors and forces along the coordinate of a joint."""
        applied = actions_of(self.system)
        places = [link.v.start for _, link in self.system.tree if link.joint_name == joint]
        carrying = (rows.get(k, ZERO) for _, rows in applied.parts.values() for k in places)
        closing = (x for freedom, x in applied.in_closing_joints() if freedom.joint == joint)
        return smoothed(expression(sum((*carrying, *closing), ZERO)))

    @cached_property
    def _loads(self) -> tuple[Array, Array, Array]:
        """The components of the loads: constant, by accelerations and by multipliers."""
        system, m = self.system, len(self.constraints.owners)
        z = symbols_of(multiplier_names(m), "input")
        if not self.loads and not self.named:
            return np.zeros(0), np.zeros((0, len(system.a))), np.zeros((0, m))
        listed = (*self.loads, *self.carried, *self._reactions)
        rows = [x for load in listed for x in self._components(load, z)]
        total = expressions(rows)
        nothing = dict.fromkeys([*system.a, *z], ZERO)
        return substitute(total, nothing), jacobian(total, system.a), jacobian(total, z)

    def _components(self, load: Reaction, z: Array) -> list[Any]:
        """A load by accelerations and multipliers."""
        match load:
            case Normals(names):
                pairs = zip(self.parts, self.rows, strict=True)
                return [sum((z[rows[0]] for one, rows in pairs if one.name in names), ZERO)]
            case Exerted(name):
                return [z[self.constraints.owners.index(name)]]
        wrenches = dict(zip(wrench_names(self.system), joint_wrenches(self.system, z), strict=True))
        pressing = load.components @ in_joint_axes(wrenches[load.joint])
        if load.driven is not None:
            pressing = pressing - load.driven * self._effort(load.joint)
        return list(pressing)


def _occurring(rows: Array) -> list[int]:
    """The columns in which something is not zero."""
    return [k for k, column in enumerate(rows.T) if any(x is not ZERO for x in column)]


def _vanishing(constraints: Constraints) -> Iterator[int]:
    """The rows of J v + b that are always zero."""
    rows = np.column_stack([constraints.J, constraints.rate])
    vanishing = {ZERO.key, *(x.key for x in zeros(rows))}
    return (k for k, row in enumerate(rows) if all(x.key in vanishing for x in row))


def _by_owner(owners: Iterable[str]) -> Iterator[tuple[str, int]]:
    """Rows by their owners, and which they are of their owner's."""
    counts: dict[str, int] = {}
    for owner in owners:
        counts[owner] = counts.get(owner, -1) + 1
        yield owner, counts[owner]


def _joined(count: int, sets: Iterable[Collection[int]]) -> list[int]:
    """The least of the numbers that each of 0, 1, … is joined to by sets of them."""
    least = list(range(count))
    for one in sets:
        same = {least[i] for i in one}
        if len(same) > 1:
            least = [min(same) if x in same else x for x in least]
    return least
