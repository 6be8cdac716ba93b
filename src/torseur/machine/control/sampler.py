"""Loops of control in memory: their records, and the function that integrators call at samples."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.machine.control.control_record import LOOP
from torseur.machine.integrators.problem import Entry
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import (
    TABLE,
    Called,
    Callee,
    Columns,
    Piece,
    below,
    side_by_side,
    view,
)

Array = np.ndarray


@final
@dataclass(frozen=True)
class Wiring:
    """Connection of a law to a state: measured numbers, commands, delays."""

    size: int  # of the state as the law sees it
    measured: int  # numbers at its head that are measured
    sensed: int  # numbers that are measured besides
    first: int  # where the commanded forces stand in it
    low: Array  # (inputs,): limits of the commands
    high: Array
    whole: int  # samples that a command waits
    waits: bool  # whether it waits a part of a sample besides
    quantum: Array  # (measured + sensed,)
    noise: Array  # (rows, measured + sensed)
    memory: Array  # (numbers,): what the law remembers, at the start
    described: Array  # (inputs,): commands until the law gives any

    @property
    def counts(self) -> dict[str, int]:
        """The counts of a record."""
        return {
            "state": self.size,
            "first": self.first,
            "size": self.size,
            "inputs": len(self.low),
            "measured": self.measured,
            "sensed": self.sensed,
            "memory": len(self.memory),
            "whole": self.whole,
            "waits": int(self.waits),
            "noises": len(self.noise),
        }

    @property
    def changing(self) -> dict[str, Array]:
        """The arrays of a record that change, as they are at the start."""
        inputs = len(self.low)
        return {
            "seen": np.concatenate([np.zeros(self.size + self.sensed), self.memory]),
            "output": np.zeros(inputs + len(self.memory)),
            "pipe": np.tile(self.described, (self.whole + 1, 1)),
        }

    @property
    def settled(self) -> dict[str, Array]:
        """The arrays of a record that stay as they are."""
        return {"low": self.low, "high": self.high, "quantum": self.quantum, "noise": self.noise}


@final
class Sampler:
    """The act of one sample, of one motion or of many, each with what it remembers of its own.

    The constants of the law are those of all motions, or a row for each.
    """

    def __init__(self, law: Entry, wiring: Wiring, rows: int = 1) -> None:
        each = np.arange(rows)
        changing = {
            name: np.repeat(x[np.newaxis], rows, axis=0) for name, x in wiring.changing.items()
        }
        self._arrays = side_by_side(changing | wiring.settled)
        self._records = np.zeros(rows, dtype=LOOP.dtype)
        for name, count in wiring.counts.items():
            self._records[name] = count
        for name, array in self._arrays.items():
            self._records[name] = array.ctypes.data + each * (array.strides[0] * (name in changing))
        self._law, self._clocks, self._room = law, np.zeros(rows), np.zeros(max(law.room, 1))
        self._tables = np.zeros((rows, TABLE), dtype=np.int64)  # [constants, measured, t, output …]
        apart = law.constants.strides[0] if len(law.constants) == rows else 0
        self._tables[:, 0] = law.constants.ctypes.data + each * apart
        self._tables[:, 2] = self._clocks.ctypes.data + each * self._clocks.strides[0]
        self._tables[:, 4] = self._room.ctypes.data
        self._called = dict[str, Called]()
        self._records["law"] = law.address
        self._records["law_table"] = self._tables.ctypes.data + each * self._tables.strides[0]
        code = loop_kernel(f"{__package__}.kernels.sampling", "sample")
        self.act = Entry(code.address, self._records, (code, self), record=self)

    def pieces(self, path: str) -> Iterator[Piece]:
        """The records and all memory that they lead to."""
        yield LOOP.piece(path, self._records.view(np.int64))
        for name, array in self._arrays.items():
            yield Piece(below(path, name), array)
        tables, clocks = below(path, "law_table"), below(path, "law_clock")
        yield Columns(TABLE, (0, 2, 4), passing=(1, 3)).piece(tables, self._tables)
        yield Piece(clocks, self._clocks)
        yield Piece(below(path, "law_room"), self._room)
        yield from self._law.pieces(below(path, "law"))
        for name, called in self._called.items():
            yield from called.pieces(below(path, name))

    @property
    def functions(self) -> dict[str, Callee]:
        """The functions that a sample calls, by their fields."""
        return {"law": self._law, **{name: x.code for name, x in self._called.items()}}

    @property
    def places(self) -> Array:
        """(rows,): the address of the record of each."""
        return self._records.ctypes.data + np.arange(len(self._records)) * LOOP.dtype.itemsize

    @property
    def memory(self) -> Array:
        """The memory of the law of the first motion."""
        first = int(self._records["size"][0]) + int(self._records["sensed"][0])
        return np.asarray(self._arrays["seen"][0, first:])

    def restart(self, wiring: Wiring) -> None:
        """Forget all samples."""
        for name, array in wiring.changing.items():
            self._arrays[name][:] = array
        self._records["waiting"] = self._records["taken"] = 0

    def see(self, view: Entry, size: int, first: int) -> None:
        """Make the state that the law sees by a function of the one that is integrated.

        That one has another size, and the commanded forces stand elsewhere in it.
        """
        self._call("view", view)
        self._records["state"], self._records["first"] = size, first

    def sense(self, sensor: Entry) -> None:
        """Measure besides what a function of the state and the time gives."""
        self._call("sensor", sensor)

    def _call(self, name: str, function: Entry) -> None:
        """Let the first motion call a function, which stays in memory."""
        self._called[name] = called = Called(function)
        self._records[name] = function.address
        self._records[f"{name}_table"] = called.table.ctypes.data


Asked = Callable[[float, Array], Array]  # of the time and the measured state: commands


def asked_in_python(law: Asked, size: int, inputs: int) -> tuple[Entry, list[BaseException]]:
    """A function of Python as the law of a sampler, and what it raised.

    An exception cannot pass through machine code: commands become NaN, which ends the motion.
    """
    raised: list[BaseException] = []
    known: dict[int, tuple[Array, int, Array, Array, Array]] = {}

    def seen_at(listed: int) -> tuple[Array, int, Array, Array, Array]:
        addresses = view(listed, (TABLE,), np.int64)
        _, state, clock, output, _ = addresses.tolist()
        views = view(state, (size,)), view(clock, (1,)), view(output, (inputs,))
        known[listed] = addresses, state, *views
        return known[listed]

    def called(listed: int) -> None:
        views = known.get(listed)
        if views is None or views[0].item(1) != views[1]:  # the state alone may be elsewhere
            views = seen_at(listed)
        _, _, state, clock, output = views
        try:
            output[:] = law(clock.item(), state)
        except BaseException as error:
            raised.append(error)
            output[:] = np.nan

    callback: Any = ctypes.CFUNCTYPE(None, ctypes.c_int64)(called)
    address = ctypes.cast(callback, ctypes.c_void_p).value
    assert address is not None, "a function has an address"
    return Entry(address, np.zeros(1), callback), raised
