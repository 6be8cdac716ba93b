"""Torseur: from event to event, and by time stepping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from benchmarks.slopes import CORNERS, HALF, INERTIA, MASS, RADIUS, Slid, Slope, Way
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.simulation.simulate import simulate


def ways() -> list[Way]:
    """At the default tolerance, and at a usual step."""
    return [
        Way("Torseur, from event to event, rtol 1e-9", _ready),
        Way("Torseur, time stepping, 1 ms", _stepped),
    ]


def described(slope: Slope) -> dict[str, Any]:
    """The box in the YAML form."""
    ball = {"bodies": ["ground", "box"], "shape": "sphere", "radius": RADIUS, "normal": "z"}
    return {
        "name": "box",
        "gravity": slope.gravity,
        "bodies": {"box": {"mass": MASS, "inertia": [INERTIA] * 3}},
        "joints": {"free": {"type": "free", "bodies": ["ground", "box"]}},
        "contacts": {
            f"corner {k}": {**ball, "point": list(corner), "friction": slope.friction}
            for k, corner in enumerate(CORNERS)
        },
        "reactions": "least_norm",
        "initial": {"free_z": HALF},
    }


def piled(slope: Slope) -> dict[str, Any]:
    """The same box on its own corners, as a pile of one."""
    size = [2 * HALF] * 3
    return described(slope) | {
        "bodies": {"box": {"mass": MASS, "shape": {"box": {"size": size}}}},
        "contacts": {"floor": {"among": "all", "normal": "z", "friction": slope.friction}},
    }


def _stepped(slope: Slope) -> Callable[[], Slid]:
    model = compile(load(piled(slope)))

    def go() -> Slid:
        rate = (slope.samples - 1) / slope.seconds
        found = simulate(model, slope.seconds, rate=rate, method="moreau", step=1e-3)
        return Slid(found["free_x"], found["free_z"] - HALF)

    return go


def _ready(slope: Slope) -> Callable[[], Slid]:
    model = compile(load(described(slope)))

    def go() -> Slid:
        rate = (slope.samples - 1) / slope.seconds
        found = simulate(model, slope.seconds, rate=rate, rtol=1e-9)
        return Slid(found["free_x"], found["free_z"] - HALF)

    return go
