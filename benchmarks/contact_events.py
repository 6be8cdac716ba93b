"""What an event of contacts costs, and a row of a batch that touches."""

from __future__ import annotations

import ctypes
from time import process_time
from typing import Any
from unittest.mock import patch

import numpy as np

from benchmarks import quadruped
from benchmarks.outcome import Bar, Cell, Table
from benchmarks.timing import fastest
from torseur.controllers.joint_laws import pd
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel, compile
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.machine.integrators.problem import Entry
from torseur.machine.runtime.memory import addresses, view
from torseur.simulation.simulate import simulate

EVENT, ROW, STANDS, EXACTLY = 50.0, 0.3, 80.0, 150.0  # µs, ms, ms, ms
ROWS, LOOSE, FINE = 200, 1e-6, 1e-9


def figures(*, quick: bool) -> tuple[Table, list[Bar]]:
    """Events of a ball, of a pendulum between stops and of a trot; rows; a robot by events."""
    repeats = 1 if quick else 5
    ball, legged = compile(load("bouncing_ball")), compile(load(quadruped.described()))
    stops = compile(load("pendulum_between_stops"))
    trot = {"control": quadruped.trot(legged), "sample": quadruped.STEP, "rtol": LOOSE}
    scenes: list[tuple[str, float, int]] = [
        ("a ball that bounces", *_event(ball, 8.0)),
        ("a pendulum between stops", *_event(stops, 10.0)),
        ("a quadruped that trots", *_event(legged, 1.0, **trot)),
    ]
    heights = {"y": np.linspace(0.5, 1.5, ROWS)}
    row = fastest(lambda: simulate(ball, 1.0, rate=100.0, initial=heights), repeats) / ROWS
    stands = {rtol: _stands(legged, rtol, repeats) for rtol in (LOOSE, FINE)}
    rows: list[tuple[Cell, ...]] = [(name, spent, count) for name, spent, count in scenes]
    return Table("Events settled by machine code", ("events of", "µs", "events"), rows), [
        *(Bar(f"an event of {name}", spent, EVENT, "µs") for name, spent, _ in scenes),
        Bar("a row of a batch: a ball that bounces for 1 s", 1e3 * row, ROW, "ms"),
        Bar(f"quadruped stands 1 s by events, rtol {LOOSE:g}", stands[LOOSE], STANDS, "ms"),
        Bar(f"quadruped stands 1 s by events, rtol {FINE:g}", stands[FINE], EXACTLY, "ms"),
    ]


def _event(model: CompiledModel, seconds: float, **given: Any) -> tuple[float, int]:
    """Processor time of an event in the mean [µs], and how many there are."""
    spent, plain = list[float](), ContactModel.entry

    def entry(self: ContactModel, task: int) -> Entry:
        found = plain(self, task)
        return _timed(found, self.size, spent) if task == at.SETTLE else found

    simulate(model, seconds, rate=20.0, **given)
    with patch.object(ContactModel, "entry", entry):
        simulate(model, seconds, rate=20.0, **given)
    return 1e6 * float(np.mean(spent)), len(spent)


def _timed(task: Entry, size: int, spent: list[float]) -> Entry:
    """A task whose calls at events of the integrator are timed; it calls through Python."""
    kind = ctypes.CFUNCTYPE(None, ctypes.c_int64)
    plain = kind(task.address)

    def call(place: int) -> None:
        event = view(addresses(place, 4)[3] + 8 * size, (1,))[0]
        began = process_time()
        plain(place)
        if event >= 0:
            spent.append(process_time() - began)

    made = kind(call)
    address = ctypes.cast(made, ctypes.c_void_p).value
    assert address is not None, "a function has an address"
    return Entry(address, task.constants, (task, made))


def _stands(model: CompiledModel, rtol: float, repeats: int) -> float:
    """Processor time of a second of standing under a law in machine code [ms]."""
    gains = (dict.fromkeys(quadruped.JOINTS, x) for x in (quadruped.STIFF, quadruped.DAMPED))
    law = pd(model.mechanism, quadruped.GOAL, *gains)
    asked: dict[str, Any] = {"control": law, "sample": quadruped.STEP, "rate": 50.0, "rtol": rtol}
    return 1e3 * fastest(lambda: simulate(model, 1.0, **asked), repeats)
