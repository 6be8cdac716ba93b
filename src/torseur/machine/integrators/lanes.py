"""Lanes in memory: arrays over all rows, which threads share, and the record of each thread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import final

import numpy as np

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.methods import Method, Radau, Symplectic
from torseur.machine.integrators.outcome import RowsOutcome
from torseur.machine.integrators.problem import (
    Entry,
    Events,
    Function,
    MotionRows,
    Problem,
    RowFunction,
    constant_pieces,
)
from torseur.machine.integrators.run_record import (
    COMPLEX_MATRICES,
    FUNCTIONS,
    LANE,
    MATRICES,
    OF_EVENTS,
    OF_IMPULSES,
    OF_STATE,
    ROOM,
    RUN,
    SCANNED,
)
from torseur.machine.runtime.loop_kernel import KernelMotion, LoopKernel, loop_kernel
from torseur.machine.runtime.memory import Piece, Record, Shape, room, table

Array = np.ndarray

CLOSED = 1e-12  # the norm of a gap: that of a loop that is closed
SMALL = 1e-3  # of the relative tolerance: what is tolerated of a component that is zero
CODES = tuple(Code)  # by their numbers
_EVENTS = 256  # rows of the table that is emptied at each pause, for each lane
# The modules of kernels that do not bear their names.
_HOMES = {"rk4": "fixed", "euler": "fixed", "impel": "impulses"}
_RECORDED = RUN.words["recorded"]
_OF_PROBLEMS = ("act", "settle", "leap")  # functions of one row at a time
_OF_METHODS = ("rtol", "max_step", "step", "patience", "order", "pairs", "restraints")


def _kernel(name: str, lanes: int) -> LoopKernel:
    """A kernel of integrators, which stays in memory."""
    return loop_kernel(f"{__package__}.kernels.{_HOMES.get(name, name)}", name, lanes)


@final
class Shared:
    """Arrays over all rows, which every thread reads and writes its own rows of."""

    def __init__(self, rows: MotionRows, problem: Problem, closed: float = CLOSED) -> None:
        (count, n), inputs = rows.starts.shape, rows.inputs.shape[-1]
        usual = np.atleast_2d(rows.sizes.usual)
        self.most = np.asarray(rows.sizes.most, dtype=float)
        self.arrays: dict[str, Array] = {
            "counter": np.zeros(1, dtype=np.int64),
            "times": np.array(rows.times, dtype=float),
            "starts": np.ascontiguousarray(rows.starts, dtype=float),
            "row_usual": np.array(usual, order="C"),
            "row_atol": np.zeros(usual.shape),
            "row_grain": np.zeros(usual.shape) + rows.sizes.grain,
            "given": np.ascontiguousarray(rows.inputs, dtype=float),
            "states": np.zeros((count, len(rows.times), n)),
            "codes": np.zeros(count, dtype=np.int64),
            "ended": np.zeros(count),
            "last": np.zeros((count, n)),
            "steps": np.zeros((count, 3), dtype=np.int64),
            "balance": np.zeros((count, 3)),
        }
        self.numbers = {
            "n": n, "rows": count, "samples": len(rows.times), "inputs": inputs,
            "after": rows.after,
            "end": rows.times[-1], "closed": closed,
            "size_stride": n if len(usual) > 1 else 0,
            "given_stride": len(rows.times) * inputs if len(rows.inputs) > 1 else 0,
        }  # fmt: skip
        self.acting = rows.times if problem.act is None and inputs else problem.acting
        if self.acting is not None:
            self.numbers["acts"] = 1
            self.hold_acting(len(rows.times))

    @property
    def begun(self) -> int:
        """The number of rows that were begun."""
        return int(np.minimum(self.arrays["counter"][0], len(self.arrays["codes"])))

    def hold_acting(self, count: int) -> None:
        """Set when the state is acted on, and how far steps may go until then."""
        times, arrays = self.arrays["times"][:count], self.arrays
        assert self.acting is not None, "nothing acts"
        acts = np.isin(times, self.acting)
        limits = np.where(acts, times, times[-1])
        for name in ("acting", "limits"):
            arrays.setdefault(name, np.zeros(len(arrays["times"])))
        arrays["acting"][:count] = acts
        arrays["limits"][:count] = np.minimum.accumulate(limits[::-1])[::-1]

    def outcome(self, events: list[Array]) -> RowsOutcome:
        """The outcome of all rows."""
        arrays, n = self.arrays, self.numbers["n"]
        states, filled = arrays["states"], arrays["steps"][:, 2]
        for row in np.flatnonzero(filled < states.shape[1]):
            states[row, filled[row] :] = np.nan
        table = np.concatenate([np.zeros((0, 3 + n)), *events])
        order = np.lexsort((table[:, 1], table[:, 0]))
        named = ("states", "codes", "ended", "last", "balance")
        return RowsOutcome(**{name: arrays[name] for name in named}, events=table[order])


@final
@dataclass(frozen=True)
class _Making:
    """Memory in which the constants of a row are computed."""

    table: Array  # [values of parameters, constants]
    constants: Array
    values: Array  # (rows or 1, parameters)
    tables: tuple[Array, ...]

    def pieces(self, path: str) -> Iterator[Piece]:
        """All of it."""
        yield Piece(f"{path}_making", self.table, addresses=(0, 1))
        yield from constant_pieces(f"{path}_constants", self.constants, self.tables, {})
        yield Piece(f"{path}_values", self.values)


@final
class Lanes:
    """The lanes of one thread, and the steps that change them."""

    def __init__(self, problem: Problem, shared: Shared, method: Method, width: int) -> None:
        self.run = run = Record(RUN)
        self._width, self._shared = width, shared
        self._making: dict[str, tuple[int, ...]] = {}  # recipes for constants of rows
        run.owners += [problem, shared]
        m = problem.elements if problem.events is None else len(problem.events.directions)
        capacity = max(_EVENTS, 2 * SCANNED * m) * width if m else 0
        run.write(**shared.numbers, m=m, capacity=capacity)
        run.keep(**shared.arrays)
        run.keep_alike(LANE, np.zeros((len(LANE), width)))
        run.keep_alike(OF_STATE, np.zeros((len(OF_STATE), shared.numbers["n"], width)))
        run.keep_alike(OF_EVENTS, np.zeros((len(OF_EVENTS), m, width)))
        self._make_room(ROOM)
        arrays = run.arrays
        arrays["row"][:] = -1.0
        arrays["most"][:] = shared.most[:, np.newaxis]
        arrays["y"][:] = shared.arrays["starts"][0][:, np.newaxis]
        self._hold_functions(problem)
        self.adopt(method)

    def adopt(self, method: Method) -> None:
        """From here on the steps are those of this method."""
        run, settings = self.run, method.settings()
        run.owners.append(method)
        self._settings = settings
        self.set_tolerances()
        run.write(h_done=0.0, jacobian_age=0, together=0)  # of others
        run.arrays["strained"][:] = run.arrays["relaxed"][:] = 0.0
        run.write(**{name: settings[name] for name in _OF_METHODS if name in settings})
        if isinstance(method, Radau):
            self._hold_function("rate_derivative", method.derivative)
            self._make_room(MATRICES)
            self._make_room(COMPLEX_MATRICES, complex)
        if isinstance(method, Symplectic) and method.restraint is not None:
            self._call("free", method.restraint.free)
            self._call("restraint", method.restraint.gap)
            self._call("compliance", method.restraint.compliance)
            self._make_room(OF_IMPULSES)
            run.write(impel=_kernel("impel", 1).address)
        self.motion = KernelMotion(run, _kernel(method.kernel, self._width))

    def set_tolerances(self) -> None:
        """The absolute tolerances of all rows, by what their states are compared with."""
        arrays, atol = self._shared.arrays, self._settings["atol"]
        tolerances = SMALL * self._settings["rtol"] * arrays["row_usual"] if atol is None else atol
        arrays["row_atol"][:] = tolerances
        if self._width == 1:  # the motion may be under way
            self.run.arrays["atol"][:, 0] = arrays["row_atol"][0]

    def _call(self, name: str, given: Entry | None) -> None:
        if given is not None:
            self.run.call(name, given)

    def _hold_functions(self, problem: Problem) -> None:
        given: dict[str, Function | None] = {n: getattr(problem, n) for n in FUNCTIONS}
        if problem.events is not None:
            given["events"] = problem.events.functions
            self._hold_events(problem.events)
        for name, function in given.items():
            self._hold_function(name, function)
        for name in _OF_PROBLEMS:
            self._call(name, getattr(problem, name))
        if problem.act is not None:
            places = problem.places
            loops = np.array([problem.act.constants.ctypes.data]) if places is None else places
            self.run.hold(loops=loops.astype(np.int64))

    def _hold_function(self, name: str, given: Function | None) -> None:
        """Call a function, at the parameters of all rows or with constants of each."""
        if not isinstance(given, RowFunction):
            self._call(name, given)
            return
        self._making[name] = self._made_by_row(name, given)
        self.run.write(functions=len(self._making))
        self.run.hold(making=np.array(list(self._making.values()), dtype=np.int64))

    def _made_by_row(self, name: str, given: RowFunction) -> tuple[int, ...]:
        """Recipe for the constants of a function for a row, as a row of `making`.

        The entry of one lane is that of one state: the numbers stand in the same places.
        """
        code, entries, width = given.evaluator, given.evaluator.entries, self._width
        engine, address = entries.lanes(width) if width > 1 else (code, entries.addresses["single"])
        one = code.new_constants()
        constants = np.zeros((len(one), width))
        values = np.ascontiguousarray(given.values, dtype=float)
        making = table(values, one)
        entries.constants(making.ctypes.data)  # those of the first row stand in all lanes
        constants[:] = one[:, np.newaxis]
        self.run.call(name, Entry(address, constants, (engine, code), tables=code.tables))
        self.run.further.append((name, _Making(making, one, values, code.tables)))
        stride = values.shape[1] if len(values) > 1 else 0
        parts = entries.addresses["constants"], making.ctypes.data, code.constants
        return *parts, values.ctypes.data, stride, constants.ctypes.data

    def _hold_events(self, events: Events) -> None:
        m = len(events.directions)
        self.run.hold(direction=np.array(events.directions, dtype=float))
        self.run.hold(terminal=np.array(events.terminal, dtype=float))
        self.run.keep(turning=np.full(m, -1.0) if events.turning is None else events.turning)

    def _make_room(self, shapes: Mapping[str, Shape], kind: type = float) -> None:
        counts = {x: self.run[x] for x in ("n", "m", "capacity", "restraints", "pairs")}
        n, restrained = counts["n"], counts["restraints"] * (1 + counts["pairs"])
        counts |= {"n + 1": n + 1, "n + 3": n + 3, "3 n": 3 * n, "restrained": restrained}
        self.run.keep(**room(shapes, {**counts, "W": self._width}, kind))

    def advance(self, budget: int) -> tuple[Code, Array | None]:
        """Some more steps: PAUSED, or DONE where no row is left; the events found, if there are."""
        words = self.run.words
        code: Code = CODES[self.motion.advance(budget)]
        count = words.item(_RECORDED)
        if not count:
            return code, None
        words[_RECORDED] = 0
        return code, self.run.arrays["records"][:count].copy()
