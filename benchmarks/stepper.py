"""A robot of the size of a UR5 that Python moves step by step, by `Stepper` and gymnasium."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks.outcome import Bar
from benchmarks.timing import fastest
from torseur.language.load import load
from torseur.machine.compiled import CompiledModel, compile
from torseur.robotics.environment import environment
from torseur.robotics.vector_environment import environments
from torseur.simulation.simulate import simulate
from torseur.simulation.stepper import Stepper

SAMPLE, STEPS, RTOL, BEYOND = 1e-3, 1000, 1e-6, 10.0  # s, –, –, µs
LONGEST, COPIES, OF_A_COPY = 20.0, 256, 2.0  # µs, –, µs
LINKS = (  # axis, place on the link before [m], mass [kg], centre [m]
    ("z", [0.0, 0.0, 0.0892], 3.7, [0.0, 0.0, 0.0]),
    ("y", [0.0, 0.1359, 0.0], 8.393, [0.0, 0.0, 0.28]),
    ("y", [0.0, -0.1197, 0.425], 2.275, [0.0, 0.0, 0.25]),
    ("y", [0.0, 0.0, 0.3923], 1.219, [0.0, 0.0, 0.0]),
    ("z", [0.0, 0.093, 0.0], 1.219, [0.0, 0.0, 0.0]),
    ("y", [0.0, 0.0, 0.0947], 0.1879, [0.0, 0.0, 0.0]),
)


def described() -> dict[str, Any]:
    """Six revolute joints; inertias are those of balls of 8 cm."""
    bodies, joints, carrier = {}, {}, "ground"
    for k, (axis, place, mass, centre) in enumerate(LINKS, 1):
        bodies[f"link{k}"] = {"mass": mass, "centre": centre, "inertia": [0.4 * mass * 0.08**2] * 3}
        joints[f"J{k}"] = {
            "type": "revolute",
            "bodies": [carrier, f"link{k}"],
            "axis": axis,
            "point": [place, [0, 0, 0]],
            "coordinate": f"q{k}",
        }
        carrier = f"link{k}"
    initial = {"q2": -0.6, "q3": 1.1, "q4": -0.5}
    return {"gravity": [0, 0, -9.81], "bodies": bodies, "joints": joints, "initial": initial}


def bars(repeats: int) -> list[Bar]:
    """Time of a step beyond that of the same samples in one run."""
    model = compile(load(described()))
    dynamics = _sampled(model, repeats)
    stepper, forces = Stepper(model, SAMPLE, rtol=RTOL), np.zeros(len(LINKS))

    def steps() -> None:
        stepper.reset()
        for _ in range(STEPS):
            stepper.step(forces)

    found = [
        _bar(
            "a step of Stepper", fastest(steps, repeats) - fastest(stepper.reset, repeats), dynamics
        )
    ]
    if find_spec("gymnasium"):
        world = environment(
            model, lambda t, q, v, forces: 0.0, sample=SAMPLE, rtol=RTOL, saturation=(-1e3, 1e3)
        )

        def episode() -> None:
            world.reset()
            for _ in range(STEPS):
                world.step(forces)

        spent = fastest(episode, repeats) - fastest(world.reset, repeats)
        found.append(_bar("a step of an environment of gymnasium", spent, dynamics))
        found += [_of_stops(repeats), _of_copies(repeats)]
    return found


def _of_stops(repeats: int) -> Bar:
    """An environment whose contacts are events, its dynamics included."""
    world = environment(
        compile(load("pendulum_between_stops")), lambda t, q, v, forces: 0.0, sample=0.01,
        saturation=(-1e3, 1e3),
    )  # fmt: skip

    def episode() -> None:
        world.reset()
        for _ in range(STEPS):
            world.step(np.zeros(1))

    spent = fastest(episode, repeats) - fastest(world.reset, repeats)
    return Bar("a step of an environment with stops", 1e6 * spent / STEPS, LONGEST, "µs")


def _of_copies(repeats: int) -> Bar:
    """Many environments in lanes, their dynamics included."""
    worlds = environments(
        compile(load("cart_pole")), lambda t, q, v, forces: q[:, 0], COPIES, saturation=(-1e3, 1e3)
    )
    worlds.reset(seed=1)
    commands = np.zeros(worlds.action_space.shape)

    def steps() -> None:
        for _ in range(100):
            worlds.step(commands)

    spent = 1e6 * fastest(steps, repeats) / (100 * COPIES)
    return Bar(f"a step of {COPIES} environments, each", spent, OF_A_COPY, "µs")


def _bar(name: str, spent: float, dynamics: float) -> Bar:
    return Bar(f"UR5: {name}, beyond its dynamics", 1e6 * (spent - dynamics) / STEPS, BEYOND, "µs")


def _sampled(model: CompiledModel, repeats: int) -> float:
    """Time of as many samples of a law that commands nothing [s]: two runs, one shorter."""
    law = {f"q{k}": 0.0 for k in range(1, len(LINKS) + 1)}

    def moved(samples: int) -> float:
        asked: dict[str, Any] = {"control": law, "sample": SAMPLE, "rate": 10, "rtol": RTOL}
        simulate(model, samples * SAMPLE, **asked)
        return fastest(lambda: simulate(model, samples * SAMPLE, **asked), repeats)

    return moved(2 * STEPS) - moved(STEPS)
