"""Batches of motions: thousands at once beside a loop over single ones and their peers."""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from importlib.resources import files
from typing import Any

import numpy as np

from benchmarks import batch_peers
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import fastest
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel
from torseur.machine.llvm.width import lane_width, width
from torseur.simulation.simulate import simulate

SECONDS, RTOL, RATE = 10.0, 1e-9, 10.0
ROWS = 10_000
ONE_CORE, TWO_CORES, CRANKS = 3.0, 1.8, 10.0  # s, s, × a loop over `simulate`


def run(*, quick: bool) -> Part:
    """10 000 double pendulums and slider-cranks, ten seconds each."""
    rows, repeats = (500, 2) if quick else (ROWS, 3)
    rng = np.random.default_rng(0)
    pendulum, crank = (_model(name) for name in ("double_pendulum", "slider_crank"))
    swings = {name: rng.uniform(-1.5, 1.5, rows) for name in pendulum.coordinates}
    turns = {"alpha": rng.uniform(0.3, 1.3, rows // 20)}
    one = fastest(lambda: _batch(pendulum, swings, 1), repeats) * ROWS / rows
    two = _wall(lambda: _batch(pendulum, swings, 2), repeats) * ROWS / rows
    alone = ROWS * fastest(lambda: _loop(pendulum, swings), repeats) / _FEW
    cranks = fastest(lambda: _batch(crank, turns, 1), 1) / len(turns["alpha"])
    crank_alone = fastest(lambda: _loop(crank, turns), 1) / _FEW
    table: list[tuple[Cell, ...]] = [
        ("one thread", one, alone / one),
        ("two threads, wall time", two, alone / two),
        ("a loop over simulate", alone, 1.0),
        *((name, spent, alone / spent) for name, spent in _peers(pendulum, swings)),
    ]
    head = (f"{ROWS} double pendulums, {SECONDS:g} s, rtol {RTOL:g}", "[s]", "× a loop")
    cells: list[tuple[Cell, ...]] = [
        ("in lanes", 1e3 * cranks, crank_alone / cranks),
        ("a loop over simulate", 1e3 * crank_alone, 1.0),
    ]
    lacking = batch_peers.lacking()
    notes = [
        f"{lane_width()} lanes in vectors of {width()}, {RATE:g} samples a second; a loop is timed "
        f"over {_FEW} motions. Peers keep less: rollout every step, the others only the ends.",
        f"Peers agree with Torseur to {_AGREED:g} rad after a second, before they are timed.",
    ]
    if lacking:
        notes.append(f"Not installed, not compared: {', '.join(lacking)} (mjbatch: {_BESIDE}).")
    return Part(
        "batches",
        [
            Table("Motions of trees", head, table),
            Table("Motions of loops", ("slider-cranks, 10 s", "a row [ms]", "× a loop"), cells),
        ],
        [
            Bar(f"{ROWS} double pendulums on one core", one, ONE_CORE, "s"),
            Bar(f"{ROWS} double pendulums on two cores, wall time", two, TWO_CORES, "s"),
            Bar(
                "slider-cranks, a loop ÷ a batch", crank_alone / cranks, CRANKS, "×", at_least=True
            ),
        ],
        notes,
    )


_FEW = 10  # motions of a loop
_AGREED = 1e-6  # rad
_BESIDE = "it wants a MuJoCo of its own, so `make peers` does not install it"


def _model(name: str) -> CompiledModel:
    return CompiledModel(load(str(files("torseur.examples") / f"{name}.yaml")))


def _batch(model: CompiledModel, initial: dict[str, np.ndarray], threads: int) -> None:
    simulate(model, SECONDS, rate=RATE, rtol=RTOL, initial=initial, threads=threads)


def _loop(model: CompiledModel, initial: dict[str, np.ndarray]) -> None:
    for k in range(_FEW):
        own = {name: float(x[k]) for name, x in initial.items()}
        simulate(model, SECONDS, rate=RATE, rtol=RTOL, initial=own)


def _wall(call: Callable[[], Any], repeats: int) -> float:
    """The shortest wall time: threads have no processor time of their own."""
    took = []
    for _ in range(repeats):
        began = time.perf_counter()
        call()
        took.append(time.perf_counter() - began)
    return min(took)


def _peers(model: CompiledModel, swings: dict[str, np.ndarray]) -> list[tuple[str, float]]:
    """The time of every peer that is installed and agrees, brought to as many rows [s]."""
    q = np.stack([swings[name] for name in model.coordinates], axis=1)
    ours = simulate(model, 1.0, at=[0.0, 1.0], rtol=RTOL, initial=swings, threads=1).q[:, -1]
    found = []
    for peer in batch_peers.installed(model):
        rows = min(peer.rows or len(q), len(q))
        off = float(abs(peer.moved(q[:rows], 1.0) - ours[:rows]).max())
        assert off < _AGREED, f"{peer.name} is {off:.1e} rad away after a second"
        peer.moved(q[:rows], SECONDS)  # machine code is made
        spent = fastest(partial(peer.moved, q[:rows], SECONDS), 2)
        found.append((peer.name, spent * ROWS / rows))
    return found
