"""The memory of lanes: what all threads share, and the record and vectors of each."""

from __future__ import annotations

import ctypes
from typing import Any, final

import numpy as np

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.memory import CLOSED, SMALL
from torseur.machine.integrators.methods import Dop853, FixedStep
from torseur.machine.lanes.problem import LaneAct, LaneFunction, LaneOutcome, LaneProblem, Rows
from torseur.machine.lanes.record import FUNCTIONS, LANES, room
from torseur.machine.llvm.width import lane_width
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import table
from torseur.machine.runtime.run_record import SCANNED

Array = np.ndarray
_EVENTS = 1024  # rows of the table of a thread, which is emptied at each pause
_HOMES = {"dop853": "adaptive", "rk4": "fixed", "euler": "fixed"}


@final
class Shared:
    """Arrays over all rows, which every thread reads and writes its own rows of."""

    def __init__(self, rows: Rows, method: Dop853 | FixedStep, inputs: int) -> None:
        count, n = rows.starts.shape
        samples, usual = len(rows.times), np.atleast_2d(rows.sizes.usual)
        settings = method.settings()
        atol = settings["atol"]
        own = SMALL * settings.get("rtol", 0.0) * usual if atol is None else atol
        self.method, self.settings = method, settings
        self.n, self.count, self.samples, self.inputs = n, count, samples, inputs
        self.arrays: dict[str, Array] = {
            "counter": np.zeros(1, dtype=np.int64),
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
        self.strides = {
            "size_stride": n if len(usual) > 1 else 0,
            "given_stride": samples * inputs if len(rows.inputs) > 1 else 0,
        }

    @property
    def taken(self) -> int:
        """How many rows were begun."""
        return int(np.minimum(self.arrays["counter"][0], self.count))

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
        self._run = np.zeros((), dtype=LANES)
        self._arrays: dict[str, Array] = {}
        self._owners: list[Any] = [problem, shared]
        self.events: list[Array] = []
        m, lanes = len(problem.directions), lane_width()
        capacity = max(_EVENTS, 2 * SCANNED * m * lanes) if m else 0
        for name, shape in room(shared.n, m, lanes, capacity).items():
            self._hold(name, np.zeros(shape))
        self._arrays["row"][:] = -1.0
        self._arrays["most"][:] = shared.most[:, np.newaxis]
        self._arrays["y"][:] = shared.arrays["starts"][0][:, np.newaxis]
        self._hold("direction", np.array(problem.directions, dtype=float))
        self._hold("terminal", np.array(problem.terminal, dtype=float))
        for name, array in shared.arrays.items():
            self._run[name] = array.ctypes.data
        self._write_numbers(shared, m, capacity)
        for name in FUNCTIONS:
            if name in problem.functions:
                self._hold_function(name, problem.functions[name], lanes)
        if problem.act is not None:
            self._hold_act(problem.act)
        kernel = shared.method.kernel
        made = loop_kernel(f"{__package__}.kernels.{_HOMES[kernel]}", kernel)
        self._owners.append(made)
        self._advance = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(made.address)

    def _write_numbers(self, shared: Shared, m: int, capacity: int) -> None:
        times, settings = shared.arrays["times"], shared.settings
        numbers = {
            "n": shared.n, "m": m, "rows": shared.count, "samples": shared.samples,
            "inputs": shared.inputs, "capacity": capacity, "end": times[-1], "closed": CLOSED,
            "rtol": settings.get("rtol", 1.0), "max_step": settings.get("max_step", np.inf),
            "patience": settings.get("patience", 0), "step": settings.get("h", 0.0),
        }  # fmt: skip
        for name, value in (numbers | shared.strides).items():
            self._run[name] = value

    def _hold(self, name: str, array: Array) -> None:
        self._arrays[name] = np.ascontiguousarray(array)
        self._run[name] = self._arrays[name].ctypes.data

    def _hold_function(self, name: str, given: LaneFunction, lanes: int) -> None:
        """The entry of a function, its table, and what makes its constants for a row."""
        code, entries = given.evaluator, given.evaluator.entries
        engine, address = entries.lanes(lanes)
        count = max(code.constants, 1)
        constants, one = np.zeros((count, lanes)), np.zeros(count)
        values = np.ascontiguousarray(given.values, dtype=float)
        listed, making = table(constants, one, one, one), table(values, one)
        entries.constants(making.ctypes.data)  # those of the first row stand in all lanes
        constants[:] = one[:, np.newaxis]
        self._owners += [engine, constants, one, values, listed, making, code]
        parts = {
            "": address,
            "_table": listed.ctypes.data,
            "_make": entries.addresses["constants"],
            "_make_table": making.ctypes.data,
            "_count": code.constants,
            "_values": values.ctypes.data,
            "_stride": values.shape[1] if given.swept else 0,
        }
        for part, value in parts.items():
            self._run[name + part] = value

    def _hold_act(self, act: LaneAct) -> None:
        """The function that acts on rows, its table and its records."""
        parts = (self._arrays[name] for name in ("alone", "alone", "act_clock", "acted"))
        self._run["act"] = act.address
        self._hold("act_table", table(*parts))  # the first is the record of the row
        self._hold("loops", act.places)
        self._hold("acting", act.acting.astype(float))

    def advance(self, budget: int) -> Code:
        """Some more steps; the events found are taken out of the table."""
        self._run["budget"] = budget
        code = Code(self._advance(self._run.ctypes.data))
        count = int(self._run["recorded"])
        if count:
            self.events.append(self._arrays["records"][:count].copy())
            self._run["recorded"] = 0
        return code
