"""Contacts: what sticks, what slides, what bounces, and what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import contact_events, machine, quadruped, robot_shapes
from benchmarks.contact_order import STEPS, THROWS, errors
from benchmarks.contact_plot import plot
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.slopes import Slope, Way
from benchmarks.slopes.with_torseur import described
from benchmarks.timing import fastest
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.simulation.simulate import simulate

STICKS = Slope(np.deg2rad(10.0), 0.5, 10.0)
SLIDES = Slope(np.deg2rad(30.0), 0.3, 2.0)
HOUR = Slope(np.deg2rad(10.0), 0.5, 3600.0)
WHEELS, SECONDS = 10, 10.0
_PEERS = {"with_mujoco": "mujoco", "with_drake": "pydrake"}


def run(*, quick: bool) -> Part:
    """A box that sticks and one that slides, by every engine; then wheels, and an hour at rest."""
    repeats = 1 if quick else 3
    rows = [_row(way, repeats) for way in _ways()]
    wheels, rest = _wheels(repeats), _rest(repeats)
    legged, bars = quadruped.figures(quick=quick)
    if find_spec("mujoco"):  # which reads the file
        bars += robot_shapes.figures(quick=quick)
    events, costs = contact_events.figures(quick=quick)
    steps = STEPS[:4] if quick else STEPS
    found = {throw.name: errors(throw, steps) for throw in THROWS}
    orders: list[tuple[Cell, ...]] = [(name, *own) for name, own in found.items()]
    paths = plot(rows, steps, found, machine.processor())
    head = ("engine", "creep [m/s]", "sunk [m]", "ms a second", "error of a", "sunk [m]")
    ours = rows[0]
    return Part(
        "contact",
        [
            Table(
                "A box of 1 kg that sticks at 10° (μ = 0.5), and one that slides at 30° (0.3)",
                head,
                rows,
            ),
            Table(
                "Time stepping beside events: a ball, largest error of position [m] by the step",
                ("ball", *(f"{1e3 * step:g} ms" for step in steps)),
                orders,
            ),
            legged,
            events,
        ],
        [
            Bar("creep of what sticks", abs(_figure(ours[1])), 0.0, "m/s"),
            Bar("box that sticks, depth", _figure(ours[2]), 1e-9, "m"),
            Bar("box that slides, error of its acceleration", _figure(ours[4]), 1e-9),
            Bar(
                "ten wheels that bounce, slide and roll", wheels, 200, "× real time", at_least=True
            ),
            Bar("an hour at rest on four corners", rest, 2.0, "s"),
            *bars,
            *costs,
        ],
        [
            "Creep: mean speed after the first second of ten. Every box stands on balls of 5 mm at "
            "its corners, and starts where they just touch. Processor time, best of repeats.",
            "Time stepping has its box on its own corners. Its ball is compared with the one that "
            "goes from event to event at rtol 1e-12.",
            *(f"Figure: {path}" for path in paths),
            f"{WHEELS} wheels in a plane, thrown onto a floor with restitution 0.5 and friction "
            f"0.3; {SECONDS:g} s at rtol 1e-9, a whole call of simulate.",
        ],
    )


def _ways() -> Iterator[Way]:
    found = ["with_torseur", *(x for x, package in _PEERS.items() if find_spec(package))]
    for name in found:
        yield from import_module(f"benchmarks.slopes.{name}").ways()


def _row(way: Way, repeats: int) -> tuple[Cell, ...]:
    sticks, slides = way.ready(STICKS), way.ready(SLIDES)
    at_rest, sliding = sticks(), slides()
    cost = 1e3 * fastest(sticks, repeats) / STICKS.seconds
    creep, error = at_rest.creep(STICKS), sliding.error(SLIDES)
    return way.name, creep, at_rest.sunk, cost, error, sliding.sunk


def _figure(cell: Cell) -> float:
    assert isinstance(cell, float), "a measured figure is a number"
    return cell


def _rest(repeats: int) -> float:
    """The time of an hour of a box that sticks [s]."""
    model = compile(load(described(HOUR)))
    return fastest(lambda: simulate(model, HOUR.seconds, rate=0.1), repeats)


def _wheels(repeats: int) -> float:
    """How many seconds of wheels are moved in a second."""
    model = compile(load(_thrown(WHEELS)))
    simulate(model, SECONDS, rate=100.0, rtol=1e-9)
    taken = fastest(lambda: simulate(model, SECONDS, rate=100.0, rtol=1e-9), repeats)
    return SECONDS / taken


def _thrown(count: int) -> dict[str, Any]:
    """Wheels of 0.2 m in a plane, thrown from different heights at different speeds."""
    names = [f"w{k}" for k in range(count)]
    touch = {"shape": "sphere", "radius": 0.2, "normal": "y", "friction": 0.3, "restitution": 0.5}
    initial = {}
    for k, name in enumerate(names):
        speeds = {f"{name}_x.": 1.0 + 0.1 * k, f"{name}_angle.": 5.0 - k}
        initial |= {f"{name}_y": 0.3 + 0.1 * k, **speeds}
    return {
        "name": "wheels",
        "gravity": [0, -9.81, 0],
        "bodies": {name: {"mass": 1.0, "inertia": [0.02, 0.02, 0.02]} for name in names},
        "joints": {
            name: {"type": "planar", "bodies": ["ground", name], "normal": "z"} for name in names
        },
        "contacts": {
            f"c{k}": {"bodies": ["ground", name], **touch} for k, name in enumerate(names)
        },
        "initial": initial,
    }
