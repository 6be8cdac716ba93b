"""What is read of a driven mechanism, by name: places, coordinates, rates, shaking forces.

    alpha  alpha.  alpha..          a coordinate, its speed, its acceleration
    P.x  P.velocity.y               a component of a named point, of its velocity
    shaking.force.x                 of what the moving masses exert on the ground, weight left out
    shaking.moment.z                the same, its moment about the origin of the ground
    drive                           the force or torque along the driver that the motion needs
    slowness                        1/|dq/d(driver)|: zero where the driver cannot move the rest
    l1*sin(alpha) + …               any expression of coordinates, speeds and parameters

The shaking force is −dP/dt and the shaking moment −dL/dt, with P and L the momentum of all bodies
and its moment. The drive follows from the power: drive · speed = d(T + V)/dt − power of the rest.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import time_derivative
from torseur.algebra.core.expr import TIME, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.analyse.sensitivity.sensitivity import Observables
from torseur.equations.actions.reactions import wrench_names
from torseur.equations.constraints.rows import coordinate_rates
from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.held_rows import Rows
from torseur.equations.functions.motion import MotionKernels
from torseur.errors import ModelError, unknown
from torseur.machine.compiled import CompiledModel
from torseur.model.values.scales import speed_units
from torseur.spatial.vectors import cross
from torseur.words.sentence import say

Array = np.ndarray
_AXES = ("x", "y", "z")


@final
class Outputs:
    """Outputs of a mechanism that one coordinate drives, as expressions of q, v, a."""

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
        v, size = self._system.v, self._model.sizes.scales.length
        units = speed_units(self._model.mechanism)
        scale = [size if units[name] == "m/s" else 1.0 for name in self._model.speeds]
        ratios = [x / (v[self._driver] * s) for x, s in zip(v, scale, strict=True)]
        return expression(sum(x * x for x in ratios) ** -0.5)


def moving(outputs: Any, model: CompiledModel) -> bool:
    """Whether outputs depend on speeds or accelerations."""
    rates = {*model.system.v, *model.system.a}
    return any(x in rates for x in free_symbols(outputs))
