"""`torseur holding-forces`: what keeps a mechanism in a pose."""

from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, model_command, wrench_lines
from torseur.cli.frame.options import settings, several, state_at
from torseur.words.sentence import say, worded


@model_command(
    "holding-forces",
    state_at("A coordinate of the pose; may be repeated.", required=True),
    several("--by", "by", "Coordinate, motor or joint force that holds the pose; default: all "
            "independent coordinates."),
    settings(),
)  # fmt: skip
def holding_forces(mechanism: Mechanism, at: dict[str, float], **options: Any) -> Printout:
    """Compute the static forces that hold MODEL in a pose, and the reactions in its joints.

    Example: `torseur holding-forces slider_crank.yaml --at alpha="40 deg" --by x`
    """
    from torseur.analyse.equilibria.holding import holding_forces as held

    result = held(mechanism, at, **options)
    document = {
        "name": mechanism.name,
        "pose": result.pose.coordinates,
        "forces": result.forces,
        "reactions": result.reactions,
    }
    lines = [
        f"{mechanism.name}{worded(': ')}{result}",
        say("reactions of the first body on the second, in ground axes:"),
        *wrench_lines(result.reactions),
    ]
    return Printout(lambda: document, "\n".join(lines))
