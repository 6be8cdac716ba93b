"""The postures of a mechanism that one coordinate drives, with their exact derivatives.

A posture z closes the loops at an angle θ of the driver: F(z, x, θ) = 0, where x are the design
variables. F has the gaps of the loops and q_driver − θ; where rates are needed, z has speeds and
accelerations too and F their constraints J v = 0 and J a + γ = 0, with a steady driver. By the
theorem of implicit functions

    ∂z/∂x = −F_z⁺ F_x        ∂z/∂θ = −F_z⁺ F_θ        dy = y_z dz + y_x dx + y_θ dθ

for any output y(z, x). All of F, F_z, F_x, F_θ, y and its derivatives are one compiled function,
differentiated on the graph. F_z⁺ is the pseudo-inverse: rows of loops may repeat each other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian, time_derivative
from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.analyse.at_a_state.tangent import parameter_definitions
from torseur.analyse.sensitivity.sensitivity import Observables
from torseur.equations.actions.reactions import wrench_names
from torseur.equations.constraints.constraint_rows import coordinate_rates
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import MotionKernels
from torseur.errors import ModelError, unknown
from torseur.machine.compiled import CompiledModel
from torseur.machine.evaluator import kernel_code
from torseur.machine.native import compiled_function, of_few
from torseur.model.parameters import order
from torseur.model.values.fingerprint import fingerprint
from torseur.spatial.vectors import cross
from torseur.words.sentence import say

Array = np.ndarray
_STEPS = 15  # of Newton's method
_QUADRATIC = 1e-8  # a step after which the next is below rounding [rad, or part of the size]
_OPEN = 1e-9  # of the size: a gap that is left
_FAR = 0.3  # what the prediction may be wrong by before the way is halved [rad, part of the size]
_HALVINGS = 6
_RANK = 1e-11
_THETA, _OMEGA = (symbol(f"driver {name}", "input") for name in ("angle", "speed"))
_AXES = ("x", "y", "z")


@final
@dataclass(frozen=True)
class Postured:
    """Closed postures at angles of the driver, and what is read there."""

    x: Array  # (variables)
    angles: Array  # (stations) [rad, or m]
    z: Array  # (stations, unknowns)
    dz: Array  # (stations, unknowns, variables + 1): by x, then by the angle
    y: Array  # (stations, outputs)
    dy: Array  # (stations, outputs, variables + 1)
    rank: int  # the least of F_z

    def at(self, stations: Any) -> Postured:
        """Some of them."""
        parts = (self.angles, self.z, self.dz, self.y, self.dy)
        angles, z, dz, y, dy = (part[stations] for part in parts)
        return Postured(self.x, angles, z, dz, y, dy, self.rank)


@final
class Postures:
    """Postures of a driven mechanism at values of its design variables; compiled once."""

    def __init__(
        self, model: CompiledModel, driver: str, design: Sequence[str], outputs: Sequence[str]
    ) -> None:
        self.model, self.driver = model, driver
        self.design, self.outputs = tuple(design), tuple(outputs)
        self._made = Outputs(model, driver)

    @cached_property
    def expressions(self) -> Array:
        """The outputs."""
        return expressions([self._made[name] for name in self.outputs])

    @cached_property
    def moves(self) -> bool:
        """Whether speeds and accelerations are among the unknowns."""
        return moving(list(self.expressions), self.model)

    @cached_property
    def unknowns(self) -> list[Expr]:
        """z."""
        system = self.model.system
        return [*system.q, *system.v, *system.a] if self.moves else [*system.q]

    @cached_property
    def column(self) -> int:
        """Where the driver stands among the coordinates."""
        return self.model.coordinates.index(self.driver)

    @cached_property
    def scale(self) -> Array:
        """Reference values of the coordinates."""
        return self.model.sizes.coordinates

    @property
    def _equations(self) -> list[Expr]:
        """F."""
        system, constraints = self.model.system, self.model.constraints
        if len(constraints.positions) < len(constraints.owners):
            problem = say(
                '"{name}" has speeds that follow from no position.', constraints.owners[-1]
            )
            raise ModelError("synthesis", problem, "Leave out what rolls or slides on a path.")
        rows = [*constraints.gap, system.q[self.column] - _THETA]
        rows += [sum(x * x for x in system.q[part]) - 1 for part in system.tree.quaternions]
        if self.moves:
            driven = self.model.speeds.index(f"{self.driver}.")
            rows += [*(constraints.J @ system.v + constraints.rate), system.v[driven] - _OMEGA]
            rows += [*(constraints.J @ system.a + constraints.bias), system.a[driven]]
        return [expression(x) for x in rows]

    def _kernel(self) -> Kernel:
        inputs = {name: symbol(f"design {name}", "input") for name in self.design}
        known = defined_by(self.model, inputs)
        both = substitute(expressions([*self._equations, *self.expressions]), known)
        if TIME in free_symbols(both):
            problem = "its constraints or outputs depend on time."
            raise ModelError(
                "synthesis", problem, "Leave imposed motions out: the driver moves it."
            )
        slopes = jacobian(both, [*self.unknowns, *inputs.values(), _THETA])
        names = [x.name for x in self.unknowns]
        listed = [("z", names), ("x", [x.name for x in inputs.values()])]
        listed.append(("s", [_THETA.name, _OMEGA.name]))
        return kernel("postures", listed, np.concatenate([both[:, np.newaxis], slopes], axis=1))

    @cached_property
    def _code(self) -> Any:
        defined = parameter_definitions(self.model)
        identity = f"postures {self.driver} {self.design} {self.outputs} {defined}"
        result = kernel_code(self._kernel, f"{identity} {fingerprint(self.model.mechanism)}")
        return compiled_function(result, self.model.numbers(result)), result.shape[0]

    def _table(self, z: Array, x: Array, angles: Array, speed: float) -> tuple[Array, ...]:
        """F, F_z, (F_x, F_θ), y, y_z, (y_x, y_θ) at every station."""
        function, rows = self._code
        driven = np.column_stack([angles, np.full(len(angles), speed)])
        result = of_few(function, [z, np.broadcast_to(x, (len(angles), len(x))), driven])
        cut, n = rows - len(self.outputs), 1 + len(self.unknowns)
        F, y = result[:, :cut], result[:, cut:]
        return F[:, :, 0], F[:, :, 1:n], F[:, :, n:], y[:, :, 0], y[:, :, 1:n], y[:, :, n:]

    def closed(self, z: Array, x: Array, angles: Array, speed: float = 1.0) -> Postured | None:
        """The postures nearest to a guess, by Newton's method; None if loops stay open."""
        nq, size = len(self.model.coordinates), 0.0
        for _ in range(_STEPS):
            F, F_z, F_x, y, y_z, y_x = self._table(z, x, angles, speed)
            if not (np.isfinite(F).all() and np.isfinite(F_z).all()):
                return None
            u, s, wt = np.linalg.svd(F_z, full_matrices=False)
            nonzero = s > _RANK * s[:, :1]
            inverse = (
                wt.swapaxes(1, 2) * np.where(nonzero, 1 / np.where(nonzero, s, 1), 0)[:, None]
            ) @ (u.swapaxes(1, 2))
            step = -(inverse @ F[:, :, np.newaxis])[:, :, 0]
            if 0.0 < size < _QUADRATIC and not (np.abs(step) > _QUADRATIC * (1 + np.abs(z))).any():
                dz = -inverse @ F_x
                dy = y_z @ dz + y_x
                is_open = np.abs(F).max() > _OPEN * max(1.0, self.scale.max(), np.abs(z).max())
                rank = int(nonzero.sum(axis=1).min())
                fine = not is_open and bool(np.isfinite(y).all() and np.isfinite(dy).all())
                return Postured(x, angles, z, dz, y, dy, rank) if fine else None
            size = max(float(np.abs(step[:, :nq] / self.scale).max()), 1e-300)
            if size > 10.0:
                return None
            z = z + step
        return None

    def continuation(
        self,
        start: Postured,
        x: Array,
        angles: Array,
        speed: float = 1.0,
        halvings: int = _HALVINGS,
    ) -> Postured | None:
        """The postures at other values and angles, reached without a change of assembly.

        They are predicted to first order and closed; where the prediction is far from what closes,
        half of the way is made first.
        """
        change = np.concatenate(
            [np.broadcast_to(x - start.x, (len(angles), len(x))), (angles - start.angles)[:, None]],
            1,
        )
        guess = start.z + (start.dz @ change[:, :, np.newaxis])[:, :, 0]
        result, nq = self.closed(guess, x, angles, speed), len(self.scale)
        if result is not None and np.abs((result.z - guess)[:, :nq] / self.scale).max() < _FAR:
            return result
        if halvings == 0:
            return None
        middle = self.continuation(
            start, (start.x + x) / 2, (start.angles + angles) / 2, speed, halvings - 1
        )
        return None if middle is None else self.continuation(middle, x, angles, speed, halvings - 1)


def defined_by(model: CompiledModel, inputs: dict[str, Expr]) -> dict[Expr, Any]:
    """Substitutes of the design variables, and of the parameters defined from them."""
    table = model.mechanism.parameter_table
    known: dict[Expr, Any] = {symbol(name): x for name, x in inputs.items()}
    for name in order(table):
        definition = table[name].value
        if name in inputs or name in model.given or definition is None:
            continue
        if any(x in known for x in free_symbols([definition])):
            known[symbol(name)] = substitute(definition, known)
    return known


# --- outputs -------------------------------------------------------------------------------------
#
# The shaking force is −dP/dt and the shaking moment −dL/dt, with P and L the momentum of all bodies
# and its moment. The drive follows from the power: drive · speed = d(T + V)/dt − power of the rest.


@final
class Outputs:
    """Outputs of a mechanism that one coordinate drives, as expressions of q, v, a, by name.

    alpha  alpha.  alpha..     a coordinate, its speed, its acceleration
    P.x  P.velocity.y          a component of a named point, of its velocity
    shaking.force.x            force of the moving masses on the ground, weight left out
    shaking.moment.z           its moment about the origin of the ground
    drive                      the force or torque along the driver that the motion needs
    slowness                   1/|dq/d(driver)|: zero where the driver cannot move the rest
    l1*sin(alpha) + …          any expression of coordinates, speeds and parameters
    """

    def __init__(self, model: CompiledModel, driver: str) -> None:
        self._model, self._system = model, model.system
        if f"{driver}." not in model.speeds:
            known = [name.removesuffix(".") for name in model.speeds]
            raise unknown("synthesis", "coordinate", driver, known)
        self._driver = model.speeds.index(f"{driver}.")
        self._plain = Observables(model, MotionKernels(model.system, Rows((), 0)))

    def __getitem__(self, name: str) -> Expr:
        system, (head, *rest) = self._system, name.split(".")
        if head == "shaking" and len(rest) == 2 and rest[1] in _AXES:
            return expression(self._shaking(name, rest[0])[_AXES.index(rest[1])])
        if name == "drive":
            return self._drive
        if name == "slowness":
            return self._slowness
        if name.endswith("..") and name.removesuffix(".") in self._model.speeds:
            return expression(system.a[self._model.speeds.index(name.removesuffix("."))])
        if head in wrench_names(system) and rest and rest[0] in ("force", "couple"):
            problem = say('"{name}" is a reaction: it is not known from the motion alone.', name)
            raise ModelError("synthesis", problem, "Ask for drive or for shaking.force.x.")
        if name.endswith(".") and name in self._model.speeds:
            return expression(system.v[self._model.speeds.index(name)])
        return self._plain[name]

    def _rate(self, output: Any) -> Any:
        """The time derivative along the motion."""
        system = self._system
        rates = dict(zip(system.q, expressions(coordinate_rates(system)), strict=True))
        rates |= dict(zip(system.v, system.a, strict=True))
        return time_derivative(expressions(output), rates, TIME)

    def _shaking(self, name: str, kind: str) -> Array:
        momentum = np.asarray(FUNCTIONS["centroidal_momentum"].build(self._system), dtype=object)
        if kind == "force":
            return np.asarray(-self._rate(momentum[3:]))
        if kind == "moment":
            G = np.asarray(FUNCTIONS["centre_of_mass"].build(self._system), dtype=object)
            return np.asarray(-self._rate(momentum[:3] + cross(G, momentum[3:])))
        problem = say('"{name}" is neither a force nor a moment.', name)
        raise ModelError("synthesis", problem, "shaking.force.x or shaking.moment.z.")

    @property
    def _drive(self) -> Expr:
        system = self._system
        names = ("kinetic_energy", "potential_energy", "power")
        kinetic, potential, power = (FUNCTIONS[n].build(system).item() for n in names)
        power = substitute(expression(power), dict.fromkeys(system.signals, 0))
        rate = expression(self._rate([expression(kinetic) + potential])[0])
        return expression((rate - power) / system.v[self._driver])

    @property
    def _slowness(self) -> Expr:
        """Rates by the driver, lengths in units of the size of the mechanism."""
        v, scale = self._system.v, self._model.sizes.displacements.tolist()
        ratios = [x / (v[self._driver] * s) for x, s in zip(v, scale, strict=True)]
        return expression(sum(x * x for x in ratios) ** -0.5)


def moving(outputs: Any, model: CompiledModel) -> bool:
    """Whether outputs depend on speeds or accelerations."""
    rates = {*model.system.v, *model.system.a}
    return any(x in rates for x in free_symbols(outputs))
