"""The motion of a mechanism in the coordinates of joints, by machine code.

The state y is (q, v, work of the forces without potential, forces given from outside). Its rate is
straight-line code, and in large trees a loop over the bodies.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import final

import numpy as np

from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import MotionKernels
from torseur.errors import SolveError
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Entry, Problem, entry_of
from torseur.machine.native import python_function
from torseur.machine.runtime.bitcode import available
from torseur.machine.tree.evaluator import LARGE, suits
from torseur.machine.tree.tree_rate import tree_rate
from torseur.model.description import Mechanism
from torseur.simulation.constraints.newton import kept_by_kernels
from torseur.simulation.constraints.row_combinations import RowCombinations
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.numeric import stepped
from torseur.simulation.formulations.protocol import (
    FAILURES,
    Moved,
    carried,
    integrated,
    problem_of,
)
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.sensing import sense
from torseur.simulation.formulations.stiffness import Choice, implicit
from torseur.simulation.formulations.trouble import Halt, trouble

Array = np.ndarray
MOST_ROWS = 60  # a dense factorisation in straight-line code stays below what LLVM digests


@final
class JointFormulation:
    """By the kernels an integrator calls, with the multipliers eliminated."""

    def __init__(
        self,
        begin: JointStart,
        stepping: Method | None = None,
        control: Control | None = None,
    ) -> None:
        self.begin, self.start, self.notices = begin, begin.y, begin.notices
        self.samples = begin.samples
        self.control = control
        if control is not None:
            sense(control, begin, begin.samples, len(begin.y))
            self.start = control.acted(begin.y, begin.t)
        self.stepping = stepping or Dop853()
        self._combinations = RowCombinations(begin.constraints, begin.rows)
        self.attend = self._combinations.attend  # before every step, if anything must be
        self._loop = tree_rate(begin.model) if runs_in_a_loop(begin.model.mechanism) else None
        codes = self._codes()
        self._calls = {name: self._combinations.calls(code) for name, code in codes.items()}
        self._call = {name: python_function(calls) for name, calls in self._calls.items()}

    @staticmethod
    def suits(begin: JointStart) -> bool:
        """Whether code is not too long."""
        small = len(begin.model.speeds) <= LARGE and len(begin.rows.selected) <= MOST_ROWS
        return small or runs_in_a_loop(begin.model.mechanism)

    def _codes(self) -> dict[str, Evaluator]:
        """The straight-line code by name; beside a loop, only what is short."""
        model = self.begin.model
        if self._loop is None:
            return model.motion(self.begin.rows)
        kernels = MotionKernels(model.system, FREE).needed
        return {n: kernel_code(kernel, "") for n, kernel in kernels.items() if n != "rate"}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The kernels by name."""
        kernels = {name: entry_of(calls) for name, calls in self._calls.items()}
        return kernels if self._loop is None else {**kernels, "rate": self._loop}

    @cached_property
    def derivative(self) -> Entry | None:
        """∂ẏ/∂y; None where it is better taken by differences."""
        if self._loop is not None:
            return None
        code = self.begin.model.rate_derivative(self.begin.rows)
        return None if code is None else entry_of(self._combinations.calls(code))

    def problem(self, watches: bool = False) -> Problem:
        """Problem for an integrator; control acts and events count only if it `watches`."""
        equations = problem_of(self.entries, self.begin.model.mechanism, watches)
        if self.control is None or not watches:
            return equations
        return replace(equations, act=self.control.act, acting=self.control.instants.acting)

    def rate(self, t: float, y: Array) -> Array:
        """ẏ."""
        if self._loop is not None:
            return self._loop.value(y, t, len(y))
        self._combinations.follow(t, y)
        return np.asarray(self._call["rate"](y, np.array([t])))

    def project(self, t: float, y: Array) -> Array:
        """The state with its constraints held and its quaternions of unit norm."""
        self._combinations.follow(t, y)
        begin, nq = self.begin, len(self.begin.model.coordinates)
        sizes = np.append(begin.model.sizes.coordinates, np.ones(len(y) - nq))
        return kept_by_kernels(
            self._call,
            t,
            y,
            lambda x, factor: begin.constraints.closed_within(x[:nq], factor),
            lambda result: begin.cannot_be_held(t, result.q),
            sizes,
        )

    def move(self, state: Array, request: Request) -> Moved:
        """The motion by an integrator that calls the kernels by their addresses."""
        if not available():
            return stepped(self, state, request)
        method, choice = self._method(float(request.times[0]))
        sizes = self.begin.sizes(self, state, request.times)
        problem = self.problem(request.watches).with_sizes(sizes)
        outcome = carried(
            problem, state, request, method, self._failed, self.control,
            judge=choice, attend=self.attend,
        )  # fmt: skip
        notices = [] if choice is None else choice.notices
        return integrated(outcome, request.times, list(self.begin.model.mechanism.events), notices)

    def _failed(self, outcome: Outcome) -> SolveError:
        """The error of a motion that could not go on."""
        return trouble(Halt(self, outcome.time, outcome.state), FAILURES[outcome.code])

    def method(self) -> Method:
        """The method for a few steps, which stays the same on the way."""
        chosen, _ = self._method(0.0)
        return replace(chosen, patience=0) if isinstance(chosen, Dop853) else chosen

    def _method(self, t: float) -> tuple[Method, Choice | None]:
        """The method, and the choice that may change it on the way."""
        method = self.stepping
        if isinstance(method, Radau):
            return implicit(self, method), None
        if isinstance(method, Dop853) and self._loop is not None:
            return replace(method, patience=0), None
        if isinstance(method, Dop853) and method.patience:
            return method, Choice(self, method, t)
        return method, None


def runs_in_a_loop(mechanism: Mechanism) -> bool:
    """Whether a mechanism is a large tree, better run by a loop over its bodies."""
    return suits(mechanism, "forward_dynamics") and available()
