"""The model of a robot in the coordinates of its motors, m = α q.

A m̈ + B(m, ṁ) + F_V ṁ + F_S − P = C_m (Llibre 2009, §3.1): A has the rotors' inertia, B holds the
velocity terms, F_V and F_S viscous and dry friction, P the weight, C_m the torques of the motors.
What else acts is −E on the left. Powers are the same: ṁᵀ C_m = q̇ᵀ Q with Q = α C_m.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, number
from torseur.algebra.core.graph import evaluate, expressions, substitute
from torseur.algebra.forms.count import Operations
from torseur.algebra.forms.listing import text_listing
from torseur.algebra.forms.program import Program, program
from torseur.equations.actions.applied import dry_drag
from torseur.equations.formalisms.derive import derived
from torseur.equations.symbols.system import System, require_rates, symbols_of, system
from torseur.errors import ModelError, without_value
from torseur.model.description import Mechanism
from torseur.model.parameters import values
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
PARTS = ("A", "B", "F_V", "F_S", "P", "E")


@final
class MotorEquations(Result):
    """A m̈ + B + F_V ṁ + F_S − P − E = C_m as expressions; F_V is diagonal."""

    system: System
    coordinates: tuple[str, ...]  # of the motors: m_ and the name of the coordinate of the joint
    ratios: Array  # α; 1 where there is no motor
    m: Array
    speeds: Array  # ṁ
    accelerations: Array  # m̈
    A: Array
    B: Array
    F_V: Array
    F_S: Array
    P: Array
    E: Array  # what the description applies besides motors: springs, loads

    def __repr__(self) -> str:
        return f'<MotorEquations of "{self.system.mechanism.name}": {", ".join(self.coordinates)}>'

    def __str__(self) -> str:
        return self.text()

    @property
    def C_m(self) -> Array:
        """The torques of the motors."""
        left = self.A @ self.accelerations + self.B + self.F_V @ self.speeds + self.F_S
        return expressions(left - self.P - self.E)

    @property
    def _program(self) -> Program:
        parts = {name: getattr(self, name) for name in PARTS}
        return program(parts, {}, self.coordinates)

    @property
    def operations(self) -> Operations:
        """The cost of all parts together."""
        return self._program.operations

    def text(self) -> str:
        """The parts as a readable listing."""
        return text_listing(self._program)

    def evaluate(
        self,
        m: Any,
        speeds: Any,
        accelerations: Any,
        parameters: Mapping[str, float] | None = None,
    ) -> Array:
        """The torques of the motors at positions, speeds and accelerations of the motors."""
        known: dict[str, Any] = dict(values(self.system.mechanism.parameter_table, parameters))
        missing = [name for name, x in known.items() if x is None]
        if missing:
            place = f'mechanism "{self.system.mechanism.name}"'
            raise without_value(place, missing, "Give them: evaluate(…, parameters={…}).")
        given = ((self.m, m), (self.speeds, speeds), (self.accelerations, accelerations))
        for names, numbers in given:
            if np.shape(numbers) != names.shape:
                problem = say("{number} numbers are expected, got {shape}.", len(names),
                              np.shape(numbers))  # fmt: skip
                raise ModelError("evaluate", problem)
            known |= {x.name: float(y) for x, y in zip(names, numbers, strict=True)}
        return np.array([float(x) for x in evaluate(self.C_m, known)])


def motor_equations(mechanism: Mechanism) -> MotorEquations:
    """The equations of an open chain in the coordinates of its motors.

    A motor coordinate is the ratio times that of the joint; a joint without a motor keeps its own.
    """
    chain = system(mechanism)
    names = chain.coordinates
    require_rates(chain, "motor_equations")
    if chain.constrained:
        problem = "it has loops: motors turn the coordinates of an open chain."
        raise ModelError(f'mechanism "{mechanism.name}"', problem)
    equations, motors = derived(chain, "newton-euler"), _motors(chain)
    alpha = np.array([number(1) if x is None else x.ratio for x in motors], dtype=object)
    motor_names = [f"m_{name}" for name in names]
    m = symbols_of(motor_names, "coordinate")
    dm = symbols_of([f"{name}." for name in motor_names], "speed")
    ddm = symbols_of([f"{name}.." for name in motor_names], "acceleration")
    there = {q: x / r for q, x, r in zip(chain.q, m, alpha, strict=True)}
    there |= {v: x / r for v, x, r in zip(chain.v, dm, alpha, strict=True)}

    def at_motors(forces: Any) -> Array:
        """Forces along coordinates of joints as torques of motors."""
        return expressions(substitute(expressions(forces), there) / alpha)

    viscous = expressions([ZERO if x is None else x.viscous_friction for x in motors])
    pairs = zip(motors, chain.v, strict=True)
    dry = expressions([ZERO if x is None else dry_drag(x, v) for x, v in pairs])
    torque = [ZERO if x is None else x.ratio * x.torque for x in motors]
    applied = mechanism.loads or mechanism.inputs or mechanism.frame is not None
    others = expressions(equations.Q + viscous * chain.v + dry - torque)
    return MotorEquations(
        chain,
        tuple(motor_names),
        alpha,
        m,
        dm,
        ddm,
        expressions(at_motors(equations.M) / alpha[:, np.newaxis]),
        at_motors(equations.h),
        np.diag(expressions(viscous / alpha**2)),
        at_motors(dry),
        at_motors(-equations.g),
        at_motors(others) if applied else expressions(np.zeros(len(names))),
    )


def _motors(system: System) -> list[Any]:
    """The motor of each coordinate, None where there is none."""
    mechanism = system.mechanism
    driven = {mechanism.joints[x.joint].coordinates: x for x in mechanism.motors.values()}
    return [driven.get((name,)) for name in system.coordinates]
