"""`torseur tracking`: how well laws follow a motion when their model is wrong."""

from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, answer_of, model_command
from torseur.cli.frame.options import duration, option, plot, settings, several, state_at
from torseur.cli.frame.settings import FINITE, WHOLE, state


@model_command(
    "tracking",
    state_at("A coordinate at the start; default: the initial one."),
    several("--to", "goals", "A coordinate at the end; others stay.", "NAME=VALUE", required=True),
    duration(help="Length of the motion; it is then held half as long."),
    option("--frequency", "Frequency of the servos [rad/s].", "W", type=FINITE, default=10.0),
    option("--error", "Relative error of the model that the laws use.", "E", type=FINITE,
           default=0.1),
    option("--seed", "Seed that decides which parameters are too large and which too small.", "N",
           type=WHOLE,
           default=0),
    option("--sample", "Sampling period of the laws [s].", "S", type=FINITE, default=1e-3),
    settings(),
    plot("The errors"),
)  # fmt: skip
def tracking(
    mechanism: Mechanism,
    at: dict[str, float] | None,
    goals: tuple[str, ...],
    duration: float,
    **options: Any,
) -> Printout:
    """Compare PD, gravity compensation, predicted forces and computed torque along a motion of
    MODEL.

    The terms of the forces are listed too: weight, inertia, coupling, speeds.

    Example: `torseur tracking robot_1980.yaml --to "q1=60 deg" --to "q3=50 deg" --duration 1`
    """
    from torseur.controllers.controller import known_model
    from torseur.controllers.reference import reaching
    from torseur.controllers.tracking import tracking as tracked

    start = {**known_model(mechanism, options["parameters"]).initial_pose, **(at or {})}
    goal = {**start, **state(mechanism, "--to", goals)}
    reference = reaching(start, {x: goal[x] for x in start}, duration)
    return answer_of(mechanism, tracked(mechanism, reference, 1.5 * duration, **options), "\n")
