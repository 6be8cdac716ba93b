"""`torseur tracking`: how well laws follow a motion when their model is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torseur.cli.frame.command import Answer, answer_of, model_command
from torseur.cli.frame.options import duration, option, plot, settings, several, state_at
from torseur.cli.frame.settings import FINITE, WHOLE, state

if TYPE_CHECKING:
    from torseur.model.description import Mechanism


@model_command(
    "tracking",
    state_at("A coordinate at the start; default: the initial one."),
    several("--to", "goals", "A coordinate at the end; others stay.", "NAME=VALUE", required=True),
    duration(help="Length of the motion; it is then held half as long."),
    option("--frequency", "Of the servos [rad/s].", "W", type=FINITE, default=10.0),
    option("--error", "By which share the model of the laws is wrong.", "E", type=FINITE,
           default=0.1),
    option("--seed", "Which parameters are too large, which too small.", "N", type=WHOLE,
           default=0),
    option("--sample", "How often laws measure [s].", "S", type=FINITE, default=1e-3),
    settings(),
    plot("The errors"),
)  # fmt: skip
def tracking(
    mechanism: Mechanism,
    at: dict[str, float] | None,
    goals: tuple[str, ...],
    duration: float,
    **options: Any,
) -> Answer:
    """PD, gravity, predicted forces and computed torque along a motion of MODEL, side by side.

    The terms of the forces are told too: weight, inertia, coupling, speeds.

    Example: `torseur tracking robot_1980.yaml --to "q1=60 deg" --to "q3=50 deg" --duration 1`
    """
    from torseur.controllers.known_model import known_model
    from torseur.controllers.reference import reaching
    from torseur.controllers.tracking import tracking as tracked

    start = {**known_model(mechanism, options["parameters"]).initial_pose, **(at or {})}
    goal = {**start, **state(mechanism, "--to", goals)}
    wanted = reaching(start, {x: goal[x] for x in start}, duration)
    return answer_of(mechanism, tracked(mechanism, wanted, 1.5 * duration, **options), "\n")
