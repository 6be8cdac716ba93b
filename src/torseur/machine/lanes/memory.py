"""The memory of lanes: what all threads share, and the record and vectors of each."""

from __future__ import annotations

import ctypes
from typing import final

import numpy as np

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.layout import SCANNED
from torseur.machine.integrators.memory import CLOSED, SMALL
from torseur.machine.integrators.methods import Dop853, FixedStep
from torseur.machine.lanes.problem import LaneFunction, LaneOutcome, LaneProblem, Rows
from torseur.machine.lanes.record import FUNCTIONS, LANES, ROOM
from torseur.machine.llvm.width import lane_width
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import Record, room, table

Array = np.ndarray
_EVENTS = 1024  # rows of the table of a thread, which is emptied at each pause
_HOMES = {"dop853": "adaptive", "rk4": "fixed", "euler": "fixed"}


@final
class Shared:
    """Arrays over all rows, which every thread reads and writes its own rows of."""

    def __init__(self, rows: Rows, method: Dop853 | FixedStep) -> None:
        (count, n), inputs = rows.starts.shape, rows.inputs.shape[-1]
        samples, usual = len(rows.times), np.atleast_2d(rows.sizes.usual)
        settings = method.settings()
        atol = settings["atol"]
        own = SMALL * settings.get("rtol", 0.0) * usual if atol is None else atol
        self.method, self.settings = method, settings
        self.n, self.count, self.samples, self.inputs = n, count, samples, inputs
        self.arrays: dict[str, Array] = {
            "times": np.ascontiguousarray(rows.times, dtype=float),
            "starts": np.ascontiguousarray(rows.starts, dtype=float),
            "row_usual": np.ascontiguousarray(usual),
            "row_atol": np.array(np.broadcast_to(own, usual.shape), order="C", dtype=float),
            "row_grain": np.array(np.broadcast_to(rows.sizes.grain, usual.shape), order="C"),
            "given": np.ascontiguousarray(rows.inputs, dtype=float),
            "states": np.empty((count, samples, n)),
            "codes": np.zeros(count, dtype=np.int64),
            "ended": np.zeros(count),
            "last": np.zeros((count, n)),
            "steps": np.zeros((count, 2), dtype=np.int64),
            "balance": np.zeros((count, 3)),
        }
        self.most = np.asarray(rows.sizes.most, dtype=float)
        self.counter = np.zeros(1, dtype=np.int64)
        self.strides = {
            "size_stride": n if len(usual) > 1 else 0,
            "given_stride": samples * inputs if len(rows.inputs) > 1 else 0,
        }

    @property
    def taken(self) -> int:
        """How many rows were begun."""
        return int(np.minimum(self.counter[0], self.count))

    def outcome(self, events: list[Array]) -> LaneOutcome:
        """What became of all rows."""
        found = np.concatenate([np.zeros((0, 3 + self.n)), *events])
        order = np.lexsort((found[:, 1], found[:, 0]))
        named = ("states", "codes", "ended", "last", "steps", "balance")
        return LaneOutcome(**{name: self.arrays[name] for name in named}, events=found[order])


@final
class Lanes:
    """The lanes of one thread, and the steps that change them."""

    def __init__(self, problem: LaneProblem, shared: Shared) -> None:
        self._run = run = Record(LANES)
        run.owners += [problem, shared]
        self.events: list[Array] = []
        n, m, lanes = shared.n, len(problem.directions), lane_width()
        capacity = max(_EVENTS, 2 * SCANNED * m * lanes) if m else 0
        counts = {"n": n, "m": m, "capacity": capacity, "W": lanes, "n + 1": n + 1, "n + 3": n + 3}
        run.keep(**room(ROOM, counts), **shared.arrays)
        run.arrays["row"][:] = -1.0
        run.arrays["most"][:] = shared.most[:, np.newaxis]
        run.arrays["y"][:] = shared.arrays["starts"][0][:, np.newaxis]
        run.hold(direction=np.array(problem.directions, dtype=float))
        run.hold(terminal=np.array(problem.terminal, dtype=float))
        self._write_numbers(shared, m, capacity)
        functions = [name for name in FUNCTIONS if name in problem.functions]
        making = [self._hold_function(name, problem.functions[name], lanes) for name in functions]
        run.write(functions=len(making))
        run.hold(making=np.array(making, dtype=np.int64))
        if problem.act is not None:
            run.call("act", problem.act.address, run.arrays["alone"])
            run.hold(loops=problem.act.places, acting=problem.act.acting.astype(float))
        kernel = shared.method.kernel
        made = loop_kernel(f"{__package__}.kernels.{_HOMES[kernel]}", kernel)
        run.owners.append(made)
        self._advance = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(made.address)

    def _write_numbers(self, shared: Shared, m: int, capacity: int) -> None:
        settings = shared.settings
        self._run.write(
            n=shared.n, m=m, rows=shared.count, samples=shared.samples, inputs=shared.inputs,
            capacity=capacity, end=shared.arrays["times"][-1], closed=CLOSED,
            rtol=settings.get("rtol", 1.0), max_step=settings.get("max_step", np.inf),
            patience=settings.get("patience", 0), step=settings.get("h", 0.0),
            counter=shared.counter.ctypes.data, **shared.strides,
        )  # fmt: skip

    def _hold_function(self, name: str, given: LaneFunction, lanes: int) -> tuple[int, ...]:
        """What makes the constants of a function for a row, as a row of `making`."""
        code, entries = given.evaluator, given.evaluator.entries
        engine, address = entries.lanes(lanes)
        count = max(code.constants, 1)
        constants, one = np.zeros((count, lanes)), np.zeros(count)
        values = np.ascontiguousarray(given.values, dtype=float)
        making = table(values, one)
        entries.constants(making.ctypes.data)  # those of the first row stand in all lanes
        constants[:] = one[:, np.newaxis]
        self._run.call(name, address, constants)
        self._run.owners += [engine, one, values, making, code]
        stride = values.shape[1] if len(values) > 1 else 0
        parts = entries.addresses["constants"], making.ctypes.data, code.constants
        return *parts, values.ctypes.data, stride, constants.ctypes.data

    def advance(self, budget: int) -> Code:
        """Some more steps; the events found are taken out of the table."""
        self._run.write(budget=budget)
        code = Code(self._advance(self._run.address))
        if count := self._run["recorded"]:
            self.events.append(self._run.arrays["records"][:count].copy())
            self._run.write(recorded=0)
        return code
