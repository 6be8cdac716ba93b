"""One call of forward dynamics where loops close, beside that of the tree without them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import Effort, Job, race
from torseur.language.load import load
from torseur.machine.compiled import compile
from torseur.model.description import Mechanism
from torseur.simulation.simulate import simulate

NAMES = (
    *("slider_crank", "four_bar", "speed_governor"),
    *("jansen_leg", "delta_robot", "stewart_platform"),
)
MOST = 2.0  # times the call of the tree


def run(*, quick: bool) -> Part:
    """Mechanisms at their start, as they are and with their drives left out."""
    rows: list[tuple[Cell, ...]] = []
    bars = []
    for name in NAMES:
        mechanism = load(name)
        motion = simulate(mechanism, 0.05, rate=20)
        for label, one in variants(name, mechanism):
            f = compile(one)
            given = {"q": motion.q[0], "v": motion.v[0], "Q": np.zeros(len(motion.v[0]))}
            for call in (f.forward_dynamics, f.tree_forward_dynamics):
                call(*given.values())  # rows are chosen, code is made: then it is called directly
            calls = {"loop": f.forward_dynamics, "tree": f.tree_forward_dynamics}
            jobs = {key: Job("f(q, v, Q)", {"f": call, **given}) for key, call in calls.items()}
            times = race(jobs, Effort(0.02, 2) if quick else Effort())
            ratio = times["loop"] / times["tree"]
            rows.append((label, 1e6 * times["loop"], 1e6 * times["tree"], ratio))
            bars.append(Bar(f"{label}: call with loops ÷ call of the tree", ratio, MOST, "×"))
    head = ("", "with loops [µs]", "tree [µs]", "ratio")
    return Part("loops", [Table("forward dynamics, one call from Python", head, rows)], bars)


def variants(name: str, mechanism: Mechanism) -> list[tuple[str, Mechanism]]:
    """A mechanism, and it without the motions that drive it."""
    label = name.replace("_", " ")
    if not mechanism.motions:
        return [(label, mechanism)]
    return [(f"{label}, driven", mechanism), (f"{label}, free", replace(mechanism, motions={}))]
