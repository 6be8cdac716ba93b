"""`torseur holding-forces`: what keeps a mechanism in a pose."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torseur.cli.frame.command import Answer, model_command, wrench_lines
from torseur.cli.frame.options import settings, several, state_at
from torseur.words.sentence import say, worded

if TYPE_CHECKING:
    from torseur.model.description import Mechanism


@model_command(
    "holding-forces",
    state_at("A coordinate of the pose; may be repeated.", required=True),
    several("--by", "by", "What pushes: a coordinate, a motor, a joint force; default: every "
            "independent coordinate."),
    settings(),
)  # fmt: skip
def holding_forces(mechanism: Mechanism, at: dict[str, float], **options: Any) -> Answer:
    """The static forces that keep MODEL in a pose, and the reactions in its joints.

    Example: `torseur holding-forces slider_crank.yaml --at alpha="40 deg" --by x`
    """
    from torseur.analyse.equilibria.holding import holding_forces as held

    found = held(mechanism, at, **options)
    document = {
        "name": mechanism.name,
        "pose": found.pose.coordinates,
        "forces": found.forces,
        "reactions": found.reactions,
    }
    lines = [
        f"{mechanism.name}{worded(': ')}{found}",
        say("reactions of the first body on the second, in ground axes:"),
        *wrench_lines(found.reactions),
    ]
    return Answer(lambda: document, "\n".join(lines))
