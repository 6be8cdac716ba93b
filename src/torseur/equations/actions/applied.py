"""Applied actions of a system: generalised forces, wrenches on bodies, stored energy, powers."""

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import gradient, time_derivative
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.dynamics.tree.closure import Closure
from torseur.dynamics.tree.inverse_dynamics import Wrench, inverse_dynamics
from torseur.equations.actions.inertia_forces import (
    CORIOLIS,
    ENTRAINMENT,
    entrainment_potential,
    inertia_forces,
)
from torseur.equations.constraints.constraint_rows import (
    constraints_of,
    coordinate_rates,
)
from torseur.equations.symbols.system import System
from torseur.equations.symbols.system_places import places_of
from torseur.errors import ModelError
from torseur.model.description import GROUND, Motor
from torseur.model.forces.protocol import Effect, Freedom
from torseur.once import once
from torseur.words.sentence import say

Array = np.ndarray
FRAME, WEIGHT = "frame", "weight"
Part = tuple[dict[int, Wrench], dict[int, Any]]  # wrenches by body, generalised forces by row


def applied_forces(system: System, *, by_gradients: bool = False) -> Array:
    """Q: motors less friction, and every force, through the Jacobians of what it acts on."""
    applied = _along_gradients(system) if by_gradients else actions_of(system)
    return applied.generalised(combined(applied.parts.values()))


def generalised_parts(system: System, *, by_gradients: bool = False) -> dict[str, Array]:
    """Q of each force and motor and of weight, each under a name that says what it is."""
    applied = _along_gradients(system) if by_gradients else actions_of(system)
    still, motors = np.zeros(system.tree.nv), system.mechanism.motors
    weight = inverse_dynamics(system.tree, system.q, still, still, system.gravity)
    by_name = {WEIGHT: expressions(-weight.Q)}
    for name, part in applied.parts.items():
        kind = "motor" if name.removeprefix("motors.") in motors else "force"
        by_name[f'{kind} "{name}"'] = expressions(applied.generalised(part))
    return by_name


def external_wrenches(system: System) -> dict[int, Wrench]:
    """The applied wrench of each loaded body, at the origin and in the axes of its frame."""
    applied = actions_of(system)
    wrenches, _ = applied.total
    return {i: (applied.opened(F), applied.opened(N)) for i, (F, N) in wrenches.items()}


def stored_energy(system: System) -> Any:
    """The potential energy of springs and other forces that have one."""
    applied = actions_of(system)
    total = sum((effect.potential for effect in applied.effects.values()), applied.entrained)
    return applied.opened(expression(total))


def powers(system: System) -> dict[str, Expr]:
    """The power that each motor and each force brings, by name; "frame" for inertia forces.

    A force and a motor of the same name carry the names of their sections.
    """
    applied, watts = actions_of(system), {}
    for name, (wrenches, rows) in applied.parts.items():
        power = sum((value * system.v[row] for row, value in rows.items()), ZERO)
        for i, (force, couple) in wrenches.items():
            moving = applied.places.velocities[i]
            power = power + force @ moving.v + couple @ moving.w
        watts[name] = applied.opened(expression(power))
    return watts


def power_without_potential(system: System, *, by_gradients: bool = False) -> Expr:
    """Power that changes T + V: Q · v plus the rate of the stored energy, with explicit time."""
    along = dict(zip(system.q, coordinate_rates(system), strict=True))
    stored = time_derivative(expression(stored_energy(system)), along, TIME)
    Q = applied_forces(system, by_gradients=by_gradients)
    return expression(expression(Q @ system.v) + stored)


# --- one force after the other ------------------------------------------------------------------


@final
class Applied:
    """Actions of each motor, each force and the motion of the ground on a system.

    Forces in closing joints act as wrenches on two bodies, or along the gradients of the
    coordinates that the pose tells. Both are the same where the joints close; where they are open,
    those along gradients alone keep the potential that a force of the coordinate has.
    """

    def __init__(self, system: System, *, by_gradients: bool = False) -> None:
        self._system = system
        self._by_gradients = by_gradients
        self._frame = system.mechanism.frame
        self.places = places_of(system)

    def opened(self, outputs: Any) -> Any:
        """Expressions with the coordinates and speeds of closing joints in terms of the tree's."""
        if not self._system.cuts:
            return outputs
        return constraints_of(self._system).opened(
            expressions(outputs) if np.ndim(outputs) else outputs
        )

    @cached_property
    def effects(self) -> dict[str, Effect]:
        """Effects of forces, by name."""
        loads = self._system.mechanism.loads
        return {name: load.effect(self.places) for name, load in loads.items()}

    @cached_property
    def entrained(self) -> Any:
        """The potential energy of the entrainment by the ground."""
        frame = self._frame
        return ZERO if frame is None else entrainment_potential(self._system, frame, self.places)

    @cached_property
    def parts(self) -> dict[str, Part]:
        """The wrenches and generalised forces of each, by name."""
        return self._parts(in_closing=True)

    @cached_property
    def outside_closing_joints(self) -> dict[str, Part]:
        """Parts without the actions in closing joints, which those joints transmit."""
        return self._parts(in_closing=False)

    def told_apart(self, parts: dict[str, Part]) -> dict[str, Part]:
        """Parts with the inertia forces of the ground in two, of entrainment and of Coriolis."""
        frame = self._frame
        if frame is None:
            return parts
        kinds = {
            f"{FRAME}: {kind}": inertia_forces(self._system, frame, self.places, {kind})
            for kind in (ENTRAINMENT, CORIOLIS)
        }
        return {name: part for name, part in parts.items() if name != FRAME} | kinds

    def _parts(self, in_closing: bool) -> dict[str, Part]:
        parts: dict[str, Part] = {}
        motors, loads, frame = self._system.mechanism.motors, self.effects, self._frame
        left_out = set() if frame is None else {FRAME}
        for name, motor in motors.items():
            alone = name not in loads and name not in left_out
            parts[name if alone else f"motors.{name}"] = self._motor_part(motor, in_closing)
        for name, effect in loads.items():
            alone = name not in motors and name not in left_out
            parts[name if alone else f"forces.{name}"] = self._load_part(effect, in_closing)
        for speed, signal in self._forces_given:
            parts[signal.name] = self._command_part(speed, signal, in_closing)
        if frame is not None:
            parts[FRAME] = inertia_forces(self._system, frame, self.places)
        return parts

    def among_joints(self, name: str) -> str:
        """The name of a part beside weight and joints: with its section if one of them has it."""
        mechanism = self._system.mechanism
        if name != WEIGHT and name not in {*mechanism.joints, *mechanism.constraints}:
            return name
        return f"{'motors' if name in mechanism.motors else 'forces'}.{name}"

    @property
    def _forces_given(self) -> list[tuple[str, Expr]]:
        """Forces that laws give, with the speeds along which they act."""
        mechanism = self._system.mechanism
        commands = zip(mechanism.commanded, self._system.signals, strict=False)
        return [(name, x) for name, x in commands if name in mechanism.every_speed]

    def _command_part(self, speed: str, signal: Any, in_closing: bool) -> Part:
        """A force that is given while it moves, along a speed of a joint."""
        if speed in self._system.speeds:
            return {}, {self._system.speeds.index(speed): signal}
        return self._through(self._freedom_of(speed), signal) if in_closing else ({}, {})

    def _freedom_of(self, speed: str) -> Freedom:
        """The freedom of a closing joint that has a speed."""
        joints = self._system.mechanism.joints.values()
        joint = next(joint for joint in joints if speed in joint.speeds)
        k, v = joint.speeds.index(speed), symbol(speed, "speed")
        return Freedom(joint.name, k, symbol(joint.coordinates[k], "coordinate"), v)

    @property
    def total(self) -> tuple[dict[int, Wrench], Array]:
        """All wrenches by body, and what is applied along the coordinates besides."""
        wrenches, rows = combined(self.parts.values())
        return wrenches, self._along(rows)

    def _along(self, rows: dict[int, Any]) -> Array:
        """Generalised forces by row as an array."""
        Q = np.zeros(self._system.tree.nv, dtype=object)
        for row, value in rows.items():
            Q[row] = value
        return Q

    def generalised(self, part: Part) -> Array:
        """Q of a part, its wrenches through the Jacobians of the bodies they act on."""
        wrenches, rows = part
        tree, q, Q = self._system.tree, self._system.q, self._along(rows)
        if wrenches:
            still, weightless = np.zeros(tree.nv), np.zeros(3)
            Q = Q - inverse_dynamics(tree, q, still, still, weightless, wrenches).Q
        return np.asarray(self.opened(Q))

    def _motor_part(self, motor: Motor, in_closing: bool) -> Part:
        row = self._rows.get(motor.joint)
        if row is not None:
            return {}, {row: drive(motor, self._system.v[row])}
        if motor.rotor_inertia:
            raise _in_a_closing_joint(motor.place or motor.name, motor.joint)
        return self._through(*self._drives(motor)) if in_closing else ({}, {})

    def _drives(self, motor: Motor) -> tuple[Freedom, Any]:
        """Forces of motors along the coordinates of their joints."""
        named = self._system.mechanism.joints[motor.joint].coordinates[0]
        freedom = self.places.freedom(motor.joint, named, "")
        return freedom, drive(motor, freedom.v)

    @cached_property
    def _rows(self) -> dict[str, int]:
        """The first row of Q of each joint that carries a body."""
        return {link.joint_name: link.v.start for _, link in self._system.tree}

    def _load_part(self, effect: Effect, in_closing: bool) -> Part:
        parts: list[Part] = [
            ({self.places.index[action.at.body]: self.places.wrench(action)}, {})
            for action in effect.actions
            if action.at.body != GROUND
        ]
        for freedom, value in effect.joint_forces:
            row = self._rows.get(freedom.joint)
            if row is not None:
                parts.append(({}, {row + freedom.index: value}))
            elif in_closing:
                parts.append(self._through(freedom, value))
        return combined(parts)

    def in_closing_joints(self) -> Iterator[tuple[Freedom, Any]]:
        """The generalised forces of motors and loads on the coordinates of closing joints."""
        motors = self._system.mechanism.motors.values()
        yield from (self._drives(x) for x in motors if x.joint not in self._rows)
        for effect in self.effects.values():
            for freedom, value in effect.joint_forces:
                if freedom.joint not in self._rows:
                    yield freedom, value
        for speed, signal in self._forces_given:
            if speed not in self._system.speeds:
                yield self._freedom_of(speed), signal

    @property
    def ends(self) -> dict[str, tuple[str, ...]]:
        """Bodies that each part acts on, the ground among them.

        What acts on a body from nowhere, such as a given load, has the ground for its other end.
        """
        mechanism = self._system.mechanism
        joints = {name: (one.first, one.second) for name, one in mechanism.joints.items()}
        of_speed = {speed: one.name for one in mechanism.joints.values() for speed in one.speeds}
        commanded = {signal.name: speed for speed, signal in self._forces_given}
        acted_on: dict[str, tuple[str, ...]] = {}
        for name in self.parts:
            plain = name.removeprefix("motors.").removeprefix("forces.")
            ends: tuple[str, ...]
            if name in commanded:
                ends = joints[of_speed[commanded[name]]]
            elif name == FRAME:
                ends = (GROUND,)
            elif plain in mechanism.motors and not name.startswith("forces."):
                ends = joints[mechanism.motors[plain].joint]
            else:
                effect = self.effects[plain]
                bodies = [action.at.body for action in effect.actions]
                alone = (GROUND,) if len(bodies) == 1 else ()
                through = (x for freedom, _ in effect.joint_forces for x in joints[freedom.joint])
                ends = (*bodies, *alone, *through)
            acted_on[name] = tuple(dict.fromkeys(ends))
        return acted_on

    def _through(self, freedom: Freedom, value: Any) -> Part:
        """A force along one speed of a closing joint."""
        closure = next(
            c for c in constraints_of(self._system).closures if c.cut.name == freedom.joint
        )
        read = closure.readable if self._by_gradients else ()
        if freedom.index >= len(read):
            return self._in_a_closing_joint(closure, freedom, value), {}
        along = dict(
            zip(self._system.q, constraints_of(self._system).coordinate_rates, strict=True)
        )
        rate = time_derivative(expression(read[freedom.index]), along)
        slope = gradient(rate, self._system.v)
        return {}, {row: x * value for row, x in enumerate(slope) if x is not ZERO}

    def _in_a_closing_joint(
        self, closure: Closure, freedom: Freedom, value: Any
    ) -> dict[int, Wrench]:
        """The wrench that works on one speed of a closing joint only, on both its bodies."""
        wrench = closure.along(freedom.index) * value
        X = closure.X_WM
        couple, force = X.R.out(wrench[:3]), X.R.out(wrench[3:])
        return {
            i: self.places.felt(i, X.p, sign * force, sign * couple)
            for i, sign in ((closure.cut.B, 1), (closure.cut.A, -1))
            if i >= 0
        }


@once
def actions_of(system: System) -> Applied:
    """The actions on a system; all who read them share their parts."""
    return Applied(system)


@once
def _along_gradients(system: System) -> Applied:
    """The actions on a system, those in closing joints along gradients."""
    return Applied(system, by_gradients=True)


def combined(parts: Iterable[Part]) -> Part:
    """The wrenches on each body and the forces in each row, added up."""
    wrenches: dict[int, Wrench] = {}
    rows: dict[int, Any] = {}
    for name, forces in parts:
        for i, (force, couple) in name.items():
            before = wrenches.get(i, (np.zeros(3), np.zeros(3)))
            wrenches[i] = before[0] + force, before[1] + couple
        for row, value in forces.items():
            rows[row] = rows.get(row, ZERO) + value
    return wrenches, rows


def frozen_gradient(part: Part, motions: Iterable[tuple[Array, Array]], variables: Array) -> Array:
    """∂P/∂variables of P = Σ F · v + C · ω; `motions` holds v and ω of each body, or their rates.

    F and C are frozen: what is linear in speeds would otherwise count twice (Llibre 2009, §2.3).
    """
    wrenches, rows = part
    power, components = ZERO, {}
    for i, pair in enumerate(motions):
        if i not in wrenches:
            continue
        for label, value, rate in zip("FC", wrenches[i], pair, strict=True):
            for axis, x, along in zip("xyz", value, rate, strict=True):
                frozen = symbol(f"{label}{axis} on {i}", "input")
                components[frozen] = x
                power = power + frozen * along
    forces = substitute(gradient(expression(power), variables), components)
    for row, value in rows.items():
        forces[row] = forces[row] + value
    return expressions(forces)


def _in_a_closing_joint(place: str, joint: str) -> ModelError:
    problem = say(
        'it drives joint "{joint}", and every joint of that loop has a motor or a force.', joint
    )
    advice = "Leave one joint of the loop without, so that the loop can be cut there."
    return ModelError(place, problem, advice)


def drive(motor: Motor, speed: Expr) -> Expr:
    """α C_m − (α² ξ_e + ξ_s) q̇ − (α Q_e + Q_s) sign q̇ (Llibre 2009, (3.4); erratum E0-18)."""
    return motor.ratio * motor.torque - motor.viscous_friction * speed - dry_drag(motor, speed)


def dry_drag(motor: Motor, speed: Expr) -> Expr:
    """(α Q_e + Q_s) sign q̇: what the dry friction of a motor takes at its joint."""
    forward, backward = motor.dry_friction
    direction = speed.sign()
    return (forward + backward) / 2 * direction + (forward - backward) / 2 * abs(direction)
