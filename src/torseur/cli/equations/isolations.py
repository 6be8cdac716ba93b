"""`torseur isolations`: which bodies to isolate, and which equations to write."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torseur.cli.frame.command import Answer, answer_of, model_command
from torseur.cli.frame.options import option

if TYPE_CHECKING:
    from torseur.model.description import Mechanism


@model_command(
    "isolations",
    option(
        "--of", "The unknown of a joint that is wanted; default: the motion.", "NAME", default=""
    ),
)
def isolations(mechanism: Mechanism, of: str) -> Answer:
    """Which bodies of MODEL to isolate, and which equations to write, to have few unknowns.

    With --of, those that give an unknown of a joint: Y_A is the force along y in joint A, N_A the
    couple about z. Without it, the equations of motion: those in which no joint has an unknown, or
    the smallest systems from which the unknowns can be eliminated.

    Example: `torseur isolations slider_crank --of Y_P`
    """
    from torseur.equations.formalisms.isolations import isolations as found

    return answer_of(mechanism, found(mechanism, of), "\n")
