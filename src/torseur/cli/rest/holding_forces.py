"""`torseur holding-forces`: what keeps a mechanism in a pose."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, model_command, wrench_lines
from torseur.cli.frame.in_letters import LETTERS
from torseur.cli.frame.options import settings, several, state_at
from torseur.errors import ModelError
from torseur.words.sentence import say, worded


@model_command(
    "holding-forces",
    state_at("A coordinate of the pose; may be repeated."),
    several("--by", "by", "Coordinate, motor or joint force that holds the pose; default: all "
            "independent coordinates."),
    settings(),
    LETTERS,
)  # fmt: skip
def holding_forces(
    mechanism: Mechanism, at: dict[str, float] | None, letters: bool, **options: Any
) -> Printout:
    """Compute the static forces that hold MODEL in a pose, and the reactions in its joints.

    Example: `torseur holding-forces slider_crank.yaml --at alpha="40 deg" --by x`

    Example: `torseur holding-forces double_pendulum.yaml --letters`
    """
    from torseur.analyse.equilibria.holding import holding_forces as held

    if letters:
        return _formulas(mechanism, at, held, **options)
    if not at:
        raise ModelError("--at", say("the pose is missing."), say("Give one, or --letters."))
    result = held(mechanism, at, **options)
    document = {
        "name": mechanism.name,
        "pose": result.pose.coordinates,
        "forces": result.forces,
        "bands": {name: band.document for name, band in result.bands.items()},
        "reactions": result.reactions,
    }
    lines = [
        f"{mechanism.name}{worded(': ')}{result}",
        say("reactions of the first body on the second, in ground axes:"),
        *wrench_lines(result.reactions),
    ]
    return Printout(lambda: document, "\n".join(lines))


def _formulas(
    mechanism: Mechanism,
    at: dict[str, float] | None,
    search: Callable[..., Any],
    *,
    by: tuple[str, ...],
    parameters: dict[str, float] | None,
) -> Printout:
    """Holding forces as formulas of the pose; coordinates that are not given stay letters."""
    if parameters:
        raise ModelError("--set", say("it is for numbers."), say("Leave out --letters."))
    result = search(mechanism, at, by=by, letters=True)
    return Printout(
        lambda: {"name": mechanism.name, **result.document},
        lambda: f"{mechanism.name}{worded(': ')}{result}",
    )
