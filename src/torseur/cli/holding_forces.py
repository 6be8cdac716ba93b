"""`torseur holding-forces`: what keeps a mechanism in a pose."""

from __future__ import annotations

from torseur.cli.command import Answer, model_command, wrench_lines
from torseur.cli.options import settings, several
from torseur.cli.settings import state
from torseur.model.description import Mechanism


@model_command(
    "holding-forces",
    several("--at", "at", "A coordinate of the pose; may be repeated.", "NAME=VALUE",
            required=True),
    several("--by", "by", "What pushes: a coordinate, a motor, a joint force; default: every "
            "independent coordinate."),
    settings(),
)  # fmt: skip
def holding_forces(
    mechanism: Mechanism, at: tuple[str, ...], by: tuple[str, ...], parameters: dict[str, float]
) -> Answer:
    """The static forces that keep MODEL in a pose, and the reactions in its joints.

    Example: `torseur holding-forces slider_crank.yaml --at alpha="40 deg" --by x`
    """
    from torseur.analyse.equilibria.holding import holding_forces as held

    pose = state(mechanism, "--at", at)
    found = held(mechanism, pose, by=by, parameters=parameters)
    wrenches = {name: [float(x) for x in wrench] for name, wrench in found.reactions.items()}
    document = {
        "name": mechanism.name,
        "pose": found.pose.coordinates,
        "forces": found.forces,
        "reactions": wrenches,
    }
    lines = [
        f"{mechanism.name}: {found}",
        "reactions of the first body on the second, in ground axes:",
        *wrench_lines(wrenches),
    ]
    return Answer(lambda: document, "\n".join(lines))
