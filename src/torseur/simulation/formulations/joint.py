"""The motion of a mechanism in the coordinates of joints, by machine code.

The state y is (q, v, work of the forces without potential, forces given from outside). Its rate is
straight-line code, and in large trees a loop over the bodies.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from typing import final

import numpy as np

from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import MotionKernels
from torseur.errors import SolveError
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.methods import Dop853, Method, Radau
from torseur.machine.integrators.motion_memory import MotionMemory
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
from torseur.simulation.formulations.joint_start import JointStart, Mover
from torseur.simulation.formulations.numeric import scipy_motion
from torseur.simulation.formulations.protocol import (
    FAILURES,
    MotionStates,
    interruption_notice,
    motion_of,
    problem_of,
    run_memory,
)
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.sensing import sense
from torseur.simulation.formulations.stiffness import Choice, implicit
from torseur.simulation.formulations.trouble import Halt, trouble

Array = np.ndarray
MOST_ROWS = 60  # a dense factorisation in straight-line code stays below what LLVM digests
Sample = tuple[Array, Array]  # a state and its rate
# Nodes and weights of Gauss and Legendre on [0, 1], and of the end: the work to order 6.
_NODES = np.array([0.5 - np.sqrt(0.15), 0.5, 0.5 + np.sqrt(0.15), 1.0])
_WEIGHTS = np.array([5.0, 8.0, 5.0, 0.0]) / 18
_FAR = 0.2  # the most that a coordinate moves between two solutions [rad, or part of the size]
_AGREED = 3e-9  # of the work of a step, by Gauss and by Simpson
_SHORTEST = 2.0**-8  # of the step in which no coordinate moves far
# Nothing but rounding: a displacement [rad, or part of the size], and a work beside the kinetic
# energy of the largest mass at the largest speed.
_ROUNDING, _NOTHING = 1e-12, 1e-15


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

    def move(self, state: Array, request: Request) -> MotionStates:
        """The motion by an integrator that calls the kernels by their addresses."""
        if not available():
            return scipy_motion(self, state, request)
        method, choice = self._method(float(request.times[0]))
        memory = self._memory(state, request, method)
        outcome = run_memory(
            memory, request, self._failed, self.control, judge=choice, attend=self.attend
        )
        notices = [] if choice is None else choice.notices
        return motion_of(outcome, request.times, list(self.begin.model.mechanism.events), notices)

    def ready(self, request: Request) -> MotionMemory:
        """The memory of the motion before its first step, by the method that it begins with."""
        return self._memory(self.start, request, self._method(float(request.times[0]))[0])

    def _memory(self, state: Array, request: Request, method: Method) -> MotionMemory:
        sizes = self.begin.sizes(self, state, request.times)
        problem = self.problem(request.watches).with_sizes(sizes)
        return MotionMemory(problem, state, request.times, method)

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


# --- imposed motions ------------------------------------------------------------------------------


@final
class Driven:
    """By the constraints alone; the work by quadrature."""

    def __init__(self, moving: Mover) -> None:
        begin = moving.begin
        self.begin, self.start, self.notices = begin, begin.y, begin.notices
        self.samples, self.stepping = begin.samples, moving.stepping
        self.moving = moving

    def move(self, state: Array, request: Request) -> MotionStates:
        """The states at the times asked for, and notices."""
        first = float(request.times[0])
        states, notices = [self.moving.project(first, state)], []
        rate = self.moving.rate(first, states[0])
        longest = np.inf  # step that is tried
        try:
            for before, after in pairwise(request.times):
                (y, rate), longest = self._over((states[-1], rate), before, after, longest)
                states.append(y)
                if request.progress is not None:
                    request.progress(after)
        except KeyboardInterrupt:
            notices.append(interruption_notice(request.times[len(states) - 1]))
        return MotionStates(
            request.times[: len(states)], np.array(states), notices, is_whole=not notices
        )

    def _over(self, now: Sample, t: float, after: float, longest: float) -> tuple[Sample, float]:
        """From one sample to the next, no coordinate moving far in a step; the step to try next."""
        sizes = self.begin.model.sizes
        nq, inertia = len(sizes.coordinates), sizes.scales.mass * sizes.scales.length**2
        while t < after:
            rates = np.abs(now[1])
            fastest = (rates[:nq] / sizes.coordinates).max(initial=0.0)
            pushed = (rates[nq:-1] / sizes.displacements).max(initial=0.0)
            far = min(_FAR / max(fastest, 1e-300), (_FAR / max(pushed, 1e-300)) ** 0.5)
            whole = min(after - t, far)
            shortest = _SHORTEST * whole
            tried = min(whole, max(longest, shortest))
            stands = fastest * tried + pushed * tried**2 < _ROUNDING
            nothing = np.inf if stands else _NOTHING * inertia * fastest**2
            now, step = self._carried(now, t, tried, shortest, nothing)
            longest = step if step < tried else max(longest, 2 * step)
            t = after if step >= after - t else t + step
        return now, longest

    def _carried(
        self, now: Sample, t: float, step: float, shortest: float, nothing: float
    ) -> tuple[Sample, float]:
        """Sample a step later, and the step: halved until two quadratures of the work agree.

        They need not agree on a work less than `nothing`, nor in the shortest of the steps.
        """
        while True:
            y, then, rates = now[0], t, [now[1]]
            for node in _NODES:
                at = t + node * step
                y, then = self.moving.project(at, y + (at - then) * rates[-1]), at
                rates.append(self.moving.rate(at, y))
            powers = [x[-1] for x in rates]
            work = step * (_WEIGHTS @ powers[1:])
            simpson = step * (powers[0] + 4 * powers[2] + powers[-1]) / 6
            agreed = abs(work - simpson) <= max(_AGREED * step * np.abs(powers).max(), nothing)
            if agreed or step <= shortest:
                return (np.append(y[:-1], now[0][-1] + work), rates[-1]), step
            step = max(step / 2, shortest)
