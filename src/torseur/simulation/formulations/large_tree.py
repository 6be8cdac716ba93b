"""The motion of a large tree in the coordinates of joints, by loops over its bodies.

The state y is (q, v, work of the forces without potential).
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property, partial
from typing import final

import numpy as np

from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import KERNELS, MotionKernels, needed
from torseur.machine.evaluator import kernel_code
from torseur.machine.integrators.drive import available, integrate
from torseur.machine.integrators.methods import Dop853, Method
from torseur.machine.integrators.problem import Entry, Problem, entry
from torseur.machine.tree.evaluator import suits
from torseur.machine.tree.tree_rate import tree_rate
from torseur.model.description import Mechanism
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.protocol import Moved, integrated, problem_of
from torseur.simulation.formulations.request import Request
from torseur.simulation.formulations.trouble import Halt, trouble
from torseur.simulation.run.ending import FAILURES

Array = np.ndarray


@final
class LargeTree:
    """By forward dynamics in a loop; forces, events and quaternions are straight-line code."""

    def __init__(self, begin: JointStart, stepping: Method | None = None) -> None:
        self.begin, self.start, self.notices = begin, begin.y, begin.notices
        self.samples = begin.samples
        method = stepping or Dop853()
        self.stepping = replace(method, patience=0) if isinstance(method, Dop853) else method

    @staticmethod
    def suits(mechanism: Mechanism) -> bool:
        """Whether a mechanism is a tree that is better run by loops."""
        return suits(mechanism, "forward_dynamics") and available()

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """The kernels by name."""
        model = self.begin.model
        motion, made = MotionKernels(model.system, FREE), {"rate": tree_rate(model)}
        for name in needed(model.system, FREE):
            if name not in made:
                code = kernel_code(partial(KERNELS[name], motion), "")
                made[name] = entry(code, model.numbers(code))
        return made

    def problem(self, watches: bool = False) -> Problem:
        """What an integrator calls."""
        return problem_of(self.entries, self.begin.model.mechanism, watches)

    def rate(self, t: float, y: Array) -> Array:
        """ẏ."""
        return self.entries["rate"].value(y, t, len(y))

    def kept(self, t: float, y: Array) -> Array:
        """The state with quaternions of unit norm."""
        if "project_positions" not in self.entries:
            return y
        return self.entries["project_positions"].value(y, t, len(y) + 1)[:-1]

    def moved(self, state: Array, asked: Request) -> Moved:
        """By an integrator that calls the kernels by their addresses."""
        sizes = self.begin.sizes(self, state, asked.times)
        problem = self.problem(asked.watches).with_sizes(sizes)
        found = integrate(problem, state, asked.times, self.stepping, progress=asked.progress)
        if found.code in FAILURES:
            raise trouble(Halt(self.begin, self, found.time, found.state), FAILURES[found.code])
        return integrated(found, asked.times, list(self.begin.model.mechanism.events))
