"""Torseur."""

from __future__ import annotations

import numpy as np

from benchmarks.compiled_loop import table_loop
from benchmarks.engines import FUNCTIONS, OF_POSITIONS, OF_THE_TOOL, Call, Engine, Rows
from benchmarks.robots import Robot
from torseur.machine.compiled import CompiledModel, compile

Array = np.ndarray


def engine(robot: Robot, wanted: tuple[str, ...] = FUNCTIONS) -> Engine:
    """The compiled model, its parameters kept as symbols."""
    model = compile(robot.mechanism).with_parameters(**robot.values)
    calls, batches, threads = {}, {}, {}
    for name in wanted:
        function = model.function(name)
        only_q = name in OF_POSITIONS
        calls[name] = Call("y = f(q)" if only_q else "y = f(q, v, x)", {"f": function})
        if name in OF_THE_TOOL:  # as it is written: by the name of the place
            calls[name] = Call(f'y = f.{name.partition(":")[0]}("tool", q)', {"f": model})
        batches[name] = _batch(function, 1, only_q=only_q)
        threads[name] = _batch(function, 2, only_q=only_q)
    loops = {name: _loop(model, name) for name in wanted}
    return Engine("Torseur", calls, {"batch": batches, "two threads": threads}, loops)


def loops_without_zeros(robot: Robot, wanted: tuple[str, ...]) -> Engine:
    """The same in a compiled loop, the parameters that are zero known to be so, as CasADi does."""
    model = compile(robot.with_zeros).with_parameters(**robot.values)
    return Engine("zeros left out", {}, loops={name: _loop(model, name) for name in wanted})


def loops_of_fixed_values(robot: Robot, wanted: tuple[str, ...]) -> Engine:
    """The same in a compiled loop, the values of all parameters in the code."""
    model = compile(robot.mechanism, parameters=robot.values, fixed=True)
    return Engine("values fixed", {}, loops={name: _loop(model, name) for name in wanted})


def _batch(function, threads: int, *, only_q: bool) -> Rows:
    def rows(Q: Array, V: Array, X: Array) -> Array:
        return function(Q, threads=threads) if only_q else function(Q, V, X, threads=threads)

    return rows


def _loop(model: CompiledModel, name: str) -> Rows:
    """The entry for one state, called for each row by a compiled loop."""
    model.function(name)
    evaluator = model._evaluators[name]
    parameters = np.array([model.parameters[key] for key in evaluator.parameters], dtype=float)
    constants = np.zeros(max(evaluator.constants, 1))
    both = np.array([parameters.ctypes.data, constants.ctypes.data], dtype=np.int64)
    evaluator.entries.constants(both.ctypes.data)
    run = table_loop(evaluator.entries.addresses["single"])

    def rows(Q: Array, V: Array, X: Array) -> Array:
        given = [{"q": Q, "v": V, "a": X, "Q": X}[letter] for letter, _ in evaluator.inputs]
        out = np.empty((len(Q), *evaluator.shape))
        run(len(Q), [constants], [*given, out])
        return out

    return rows
