"""The rows of a batch as motions in lanes: machine code, starts, sizes of errors, control."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, final

import numpy as np

from torseur.equations.functions.catalogue import FUNCTIONS
from torseur.equations.functions.kernel import Kernel, kernel
from torseur.equations.functions.motion import inputs_of_state
from torseur.equations.symbols.system import system
from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.control.sampler import Sampler
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.methods import Method, Radau
from torseur.machine.integrators.problem import (
    Problem,
    RowFunction,
    StateSizes,
    at_rows,
    entry_of_rows,
    is_possible,
    places,
)
from torseur.machine.runtime.bitcode import available
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint
from torseur.model.values.scales import row_scales
from torseur.simulation.batch.starts import row_starts
from torseur.simulation.batch.values import BatchValues, Reasons
from torseur.simulation.control.control import Control, law_code
from torseur.simulation.control.loop import Instants, Loop, SymbolicLaw
from torseur.simulation.formulations.joint import JointFormulation, runs_in_a_loop
from torseur.simulation.formulations.joint_start import JointStart, joint_sizes, joint_start
from torseur.simulation.formulations.protocol import problem_of
from torseur.simulation.formulations.request import Beginning
from torseur.words.sentence import say

Array = np.ndarray


def why_not(begin: JointStart) -> str:
    """Why a motion does not run in lanes; empty if it does."""
    mechanism = begin.model.mechanism
    if elements(mechanism) or mechanism.contacts:
        return say("it has contacts, stops or friction")
    if begin.rows.repeating:
        return say("its loops repeat each other, and are combined anew at every step")
    codes = begin.model.motion(begin.rows) if JointFormulation.suits(begin) else {}
    small = available() and codes and not runs_in_a_loop(mechanism) and is_possible(codes)
    return "" if small else say("it is too large for vector code, or there is no machine code")


@final
@dataclass(frozen=True)
class LaneMotion:
    """A mechanism whose rows differ in what they start from and in parameters."""

    begin: JointStart  # of the first row
    values: BatchValues

    @property
    def model(self) -> CompiledModel:
        """The mechanism at the parameters of the first row."""
        return self.begin.model

    @property
    def swept(self) -> dict[str, Any]:
        """Every parameter: a number, or one for each row."""
        return swept_parameters(self.model, self.values)

    def starts(self) -> tuple[Array, Reasons]:
        """The states that rows start from, and the rows that cannot."""
        states, is_known = row_starts(self.begin, self.values, self.swept)
        reasons: Reasons = {}
        is_known &= np.isfinite(self._rates(states, self.begin.t)).all(axis=1)
        for row in np.flatnonzero(~is_known).tolist():
            initial, parameters = self.values.of(row)
            try:
                model = compiled_at(self.model, parameters)
                states[row] = joint_start(model, Beginning(initial, self.begin.t)).y
            except (SolveError, ModelError) as error:
                reasons[row] = str(error)
        return states, reasons

    def problem(self) -> Problem:
        """The functions that lanes call."""
        codes, swept = dict(self.model.motion(self.begin.rows)), self.swept
        codes["energy"] = self.model.once(_energy)
        functions = {name: row_function(self.model, code, swept) for name, code in codes.items()}
        return problem_of(functions, self.model.mechanism, watches=True)

    def method(self, given: Method) -> Method:
        """The method as lanes call it."""
        if not isinstance(given, Radau):
            return given
        code = self.model.rate_derivative(self.begin.rows)
        derivative = None if code is None else row_function(self.model, code, self.swept)
        return replace(given, derivative=derivative)

    def sizes(self, starts: Array, t: float, duration: float) -> StateSizes:
        """Sizes that the components of the states of every row are compared with."""
        known = row_scales(self.model.mechanism, self.swept, len(starts))
        return joint_sizes(self.model, starts, self._rates(starts, t), duration, known)

    def _rates(self, states: Array, t: float) -> Array:
        """(rows, n): the rates of the states of rows."""
        code = self.model.motion(self.begin.rows)["rate"]
        rate = entry_of_rows(row_function(self.model, code, self.swept))
        constants = places(rate.constants, len(states))
        return at_rows(rate, constants, states, t, np.empty(states.shape))


def swept_parameters(model: CompiledModel, values: BatchValues) -> dict[str, Any]:
    """Every parameter of a model: a number, or one for each row; what follows follows."""
    wide = {n: x for n, x in values.parameters.items() if isinstance(x, np.ndarray)}
    return model.setting.swept(wide) if wide else dict(model.parameters)


def row_function(model: CompiledModel, code: Evaluator, swept: Mapping[str, Any]) -> RowFunction:
    """A compiled function at the parameters of every row, and at the sizes that follow."""
    numbers = model.numbers(code)[np.newaxis]
    rows = max((len(x) for x in swept.values() if np.ndim(x)), default=0)
    known = dict(swept)
    if rows and (sized := [n for n in code.parameters if model.sizes.number(n) is not None]):
        lengths = row_scales(model.mechanism, swept, rows).length
        known |= {name: model.sizes.number_at(name, lengths) for name in sized}
    wide = {k: known[n] for k, n in enumerate(code.parameters) if np.ndim(known.get(n, 0.0)) > 0}
    if wide:
        numbers = np.tile(numbers, (rows, 1))
        for k, column in wide.items():
            numbers[:, k] = column
    return RowFunction(code, numbers)


@final
@dataclass(frozen=True)
class BatchControl:
    """A loop that acts on every row at the same instants."""

    loop: Loop
    instants: Instants

    def why_not(self, model: CompiledModel) -> str:
        """Why lanes cannot ask the law; empty if they can."""
        if not isinstance(self.loop.law, SymbolicLaw):
            return say("its law is a function of Python")
        return say("its law measures reactions") if law_code(model, self.loop.law)[1] else ""

    def of(self, model: CompiledModel) -> Control:
        """The loop of one motion."""
        return Control(model, self.loop, self.instants)

    def acting(self, problem: Problem, motion: LaneMotion, rows: int) -> Problem:
        """A problem that is acted on at the instants, at the parameters of every row."""
        assert isinstance(self.loop.law, SymbolicLaw), "others are asked one by one"
        code, _ = law_code(motion.model, self.loop.law)
        law = entry_of_rows(row_function(motion.model, code, motion.swept))
        sampler = Sampler(law, self.of(motion.model).wiring, rows)
        acting = self.instants.acting
        return replace(problem, act=sampler.act, acting=acting, places=sampler.places)


def _energy(mechanism: Mechanism) -> Evaluator:
    """Kinetic and potential energy of a state, as lanes look at them."""
    return kernel_code(
        partial(_energy_kernel, mechanism), f"energies of a state {fingerprint(mechanism)}"
    )


def _energy_kernel(mechanism: Mechanism) -> Kernel:
    known = system(mechanism)
    energies = [FUNCTIONS[f"{kind}_energy"].build(known) for kind in ("kinetic", "potential")]
    outputs = np.array([np.asarray(x, dtype=object).item() for x in energies], dtype=object)
    return kernel("energies", inputs_of_state(known), outputs)
