"""Problem of an integrator: a derivative, projections and event functions, in machine code.

A single motion is one row; many rows differ in their starts, and in the parameters of functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, final

import numpy as np

from torseur.machine.evaluator import Evaluator
from torseur.machine.native import Calls
from torseur.machine.runtime.memory import Piece, Reaching, table

Array = np.ndarray


@final
@dataclass(frozen=True)
class Entry:
    """A compiled function of the state y and the time t, at one set of parameters.

    The function at the address takes a table of addresses: [constants, y, t, output, room].
    """

    address: int
    constants: Array
    owner: Any  # kept alive as long as the code is used
    room: int = 0  # numbers that a call works in, which the caller gives
    functions: tuple[tuple[int, str], ...] = ()  # places of addresses in the constants, with names
    record: Reaching | None = None  # memory that the constants lead to, where they are records
    tables: tuple[Array, ...] = field(default=(), compare=False)  # that the constants lead to
    values: Array | None = None  # of the parameters that the constants are made of

    def pieces(self, path: str) -> Iterator[Piece]:
        """The memory of the constants and all that it leads to."""
        if self.record is not None:
            yield from self.record.pieces(path)
        else:
            named = {k: f"{path}.{name}" for k, name in self.functions}
            yield from constant_pieces(path, self.constants, self.tables, named)

    def value(self, y: Array, t: float, size: int) -> Array:
        """The output (size,) at a state and a time."""
        state, clock, output = np.ascontiguousarray(y, dtype=float), np.array([t]), np.zeros(size)
        room = np.zeros(max(self.room, 1))
        listed = table(self.constants, state, clock, output, room)
        ctypes.CFUNCTYPE(None, ctypes.c_int64)(self.address)(listed.ctypes.data)
        return output


def constant_pieces(
    path: str, constants: Array, tables: tuple[Array, ...], functions: Mapping[int, str]
) -> Iterator[Piece]:
    """The memory of constants and of the tables that they lead to."""
    places = [x.ctypes.data for x in tables]
    leading = np.flatnonzero(np.isin(constants.ravel().view(np.int64), places)) if places else ()
    yield Piece(path, constants, addresses=tuple(leading), functions=functions)
    for k, numbers in enumerate(tables):
        yield Piece(f"{path}_table_{k}", numbers)


@final
@dataclass(frozen=True)
class RowFunction:
    """A compiled function of (y, t), at the parameters of every row, or of all."""

    evaluator: Evaluator
    values: Array  # (rows or 1, parameters of the function)


Function = Entry | RowFunction


def entry_of_rows(given: RowFunction) -> Entry:
    """A function with constants for every row, (rows, …), or for all, (1, …)."""
    code = given.evaluator
    address, constants = code.entries.addresses["single"], row_constants(given)
    return Entry(address, constants, code, code.room, tables=code.tables)


def row_constants(given: RowFunction) -> Array:
    """(rows or 1, …): the constants of a function at the parameters of every row, or of all."""
    code, values = given.evaluator, np.ascontiguousarray(given.values, dtype=float)
    constants = code.new_constants(len(values))
    tables = np.stack([places(values, len(values)), places(constants, len(values))], axis=1)
    for place in places(tables, len(values)).tolist():
        code.entries.constants(place)
    return constants


def at_rows(function: Entry, constants: Array, states: Array, t: float, into: Array) -> Array:
    """(rows, …): the output at the state of every row, with constants that stand at addresses."""
    rows, clock, room = len(states), np.array([t]), np.zeros(max(function.room, 1))
    tables = np.zeros((rows, 5), dtype=np.int64)
    tables[:, 0], tables[:, 1] = constants, places(states, rows)
    tables[:, 2], tables[:, 3] = clock.ctypes.data, places(into, rows)
    tables[:, 4] = room.ctypes.data
    call = ctypes.CFUNCTYPE(None, ctypes.c_int64)(function.address)
    for place in places(tables, rows).tolist():
        call(place)
    return into


def places(values: Array, rows: int) -> Array:
    """(rows,): the address of the numbers of each row; of the only one, if there is but one."""
    apart = values.strides[0] if len(values) > 1 else 0
    return values.ctypes.data + np.arange(rows, dtype=np.int64) * apart


@final
class Call:
    """A compiled function with a state, a time and an output of its own, to be called often."""

    def __init__(self, called: Entry, n: int, size: int) -> None:
        self._y, self._t, self._output = np.zeros(n), np.zeros(1), np.zeros(max(size, 1))
        self._room = np.zeros(max(called.room, 1))
        self._table = table(called.constants, self._y, self._t, self._output, self._room)
        self._called, self._place = called, self._table.ctypes.data
        self._function = ctypes.CFUNCTYPE(None, ctypes.c_int64)(called.address)

    def __call__(self, y: Array | float, t: float, given: float = 0.0) -> Array:
        """The output, whose last number is given before; the next call overwrites it."""
        self._y[:], self._t[0], self._output[-1] = y, t, given
        self._function(self._place)
        return self._output


def entry(evaluator: Evaluator, parameters: Array) -> Entry:
    """The machine code of an evaluator of (y, t)."""
    return entry_of(Calls(evaluator, parameters))


def entry_of(calls: Calls) -> Entry:
    """The machine code of some calls, whose parameters may change."""
    code = calls.evaluator
    address = code.entries.addresses["single"]
    return Entry(
        address,
        calls.constants,
        code,
        code.room,
        code.functions,
        tables=code.tables,
        values=calls.values,
    )


@final
@dataclass(frozen=True)
class Restraint:
    """Constraints g(q) = 0 that impulses hold; functions of (q, p, …), with G = ∂g/∂q."""

    rows: int  # of G
    free: Entry  # output (n,): ẏ without reactions
    gap: Entry  # output (rows (1 + pairs),): g, then the rows of G
    compliance: Entry  # output (rows, rows): G (∂²H/∂p²) Gᵀ


@final
@dataclass(frozen=True)
class Events:
    """Functions whose changes of sign are events."""

    functions: Function  # output g (m,)
    directions: tuple[float, ...]  # of each: −1 falling, +1 rising, 0 both, nan: never an event
    terminal: tuple[bool, ...]  # of each: whether the run ends there
    # (m,): of what must not fall below zero, its rate or −2; −1: others. Settling changes it.
    turning: Array | None = None

    def __post_init__(self) -> None:
        assert len(self.directions) == len(self.terminal), "an event lacks its direction"


@final
@dataclass(frozen=True)
class StateSizes:
    """Sizes that components of a state are compared with: (n,), or (rows, n) but for `most`."""

    usual: Array  # of what it is when nothing better is known: 1e-3 rtol of it is tolerated
    most: Array  # how much of it the relative tolerance counts: an angle of many turns is as others
    grain: Array  # what its rounding may open loops by, for each unit of it


def of_size_one(n: int) -> StateSizes:
    """The sizes of a state of which nothing is known."""
    return StateSizes(np.ones(n), np.full(n, np.inf), np.zeros(n))


@final
@dataclass(frozen=True)
class Problem:
    """ẏ = f(y, t), with loops to be kept closed and events to be found."""

    rate: Function | None  # output ẏ (n,); None where steps are leaps
    project_positions: Function | None = None  # output (n + 1,): y a Newton step later, gap² before
    project_speeds: Function | None = None  # output (n,): y with speeds that keep the loops closed
    events: Events | None = None
    sizes: StateSizes | None = None  # None: all of them are 1
    prepare: Function | None = None  # called before every step for what it remembers; output (n,)
    energy: Function | None = None  # output (2,): kinetic and potential energy
    act: Entry | None = None  # changes the state at the times `acting`; output (n,)
    acting: Array | None = None  # in order; those that are no samples do not count
    places: Array | None = None  # (rows,): addresses of the constants of `act`; None: of one row
    leap: Entry | None = None  # a whole step, as long as the last of y; output y, what happened
    elements: int = 0  # of which a leap tells that
    settle: Entry | None = None  # after that, and at events that end the run; output (n + 1,): y as
    # it goes on, then 1 if that is told; before, the last is the event, or −1 after an act

    def with_sizes(self, sizes: StateSizes) -> Problem:
        """The problem with a state that is compared with sizes."""
        return replace(self, sizes=sizes)


@final
@dataclass(frozen=True)
class MotionRows:
    """The motions to be made: where each starts, what it is compared with, what is given to it."""

    starts: Array  # (rows, n); with the inputs of the first sample
    times: Array  # (samples,)
    sizes: StateSizes
    inputs: Array = field(default_factory=lambda: np.zeros((1, 1, 0)))  # (rows or 1, samples, …)
    after: int = 0  # numbers of a state behind its inputs


def is_possible(functions: dict[str, Any]) -> bool:
    """Whether functions can be made vector code: not where they run in a loop, or in NumPy."""
    codes = (x.entries for x in functions.values())
    return all(getattr(x, "more", None) is not None for x in codes)
