"""One motion by both of Torseur's engines: how the error of time stepping falls with the step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np

from torseur.language.load import load
from torseur.simulation.simulate import simulate

Array = np.ndarray
RADIUS, FRICTION, GRAVITY = 0.1, 0.3, 9.81
STEPS = tuple(1 / n for n in (250, 500, 1000, 2000, 4000, 8000))
_RATE = 50.0  # samples that are compared, each second


@final
@dataclass(frozen=True)
class Throw:
    """A ball that is thrown: how it starts, what it keeps of its speed at a rebound."""

    name: str
    initial: dict[str, float]
    restitution: float
    seconds: float

    def described(self, floor: dict[str, Any]) -> dict[str, Any]:
        """The ball above a floor that one engine or the other knows."""
        laws = {"normal": "z", "friction": FRICTION, "restitution": self.restitution}
        return {
            "name": "ball",
            "gravity": [0, 0, -GRAVITY],
            "bodies": {"ball": {"mass": 1.0, "shape": {"sphere": {"radius": RADIUS}}}},
            "joints": {"J": {"type": "free", "bodies": ["ground", "ball"]}},
            "contacts": {"floor": floor | laws},
            "initial": self.initial,
        }

    def exact(self) -> Array:
        """Where the centre is, from event to event (samples, 3) [m]."""
        floor = {"bodies": ["ground", "ball"], "shape": "ball", "radius": RADIUS}
        return self._moved(floor, rtol=1e-12)

    def stepped(self, step: float) -> Array:
        """The same by steps of Moreau and Jean."""
        return self._moved({"among": "all"}, method="moreau", step=step)

    def _moved(self, floor: dict[str, Any], **options: Any) -> Array:
        run = simulate(load(self.described(floor)), self.seconds, rate=_RATE, **options)
        return np.column_stack([run[f"J_{axis}"] for axis in "xyz"])


THROWS = (
    Throw("slides", {"J_z": RADIUS, "J_x.": 2.0, "J_y.": 0.5}, 0.0, 0.5),
    Throw("slides, then rolls", {"J_z": RADIUS, "J_x.": 2.0, "J_wy": 5.0}, 0.0, 1.0),
    Throw("falls and rebounds", {"J_z": 0.6, "J_x.": 1.0, "J_wy": 20.0}, 0.5, 0.7),
)


def errors(throw: Throw, steps: tuple[float, ...] = STEPS) -> list[float]:
    """The largest error of position of each step [m]."""
    exact = throw.exact()
    return [float(np.abs(throw.stepped(step) - exact).max()) for step in steps]
