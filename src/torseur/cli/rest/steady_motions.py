"""`torseur steady-motions`: how a mechanism can move without changing its shape."""

from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import REACTIONS, STARTS, plot, settings, several
from torseur.cli.frame.settings import named_numbers
from torseur.cli.rest.equilibria import answer


@model_command(
    "steady-motions",
    several("--given", "given", "A coordinate or a constant speed (`psi.=300`); may be repeated.",
            "NAME=VALUE", read=named_numbers),
    several("--turning", "turning", "Coordinate that may turn; default: all cyclic ones."),
    several("--independent", "independent", "A coordinate whose speed is to be constant, where "
            "rolling leaves a choice."),
    settings(),
    STARTS,
    REACTIONS,
    plot("A figure"),
)  # fmt: skip
def steady_motions(mechanism: Mechanism, reactions: bool, **options: Any) -> Printout:
    """Find motions of MODEL in which cyclic coordinates turn at constant speeds and the others
    rest.

    Examples: a top in regular precession, a disc that rolls on a circle, a satellite on its orbit.
    Give as many values as the family of motions has parameters; a message says what is missing.

    Example: `torseur steady-motions heavy_top.yaml --given "theta=30 deg" --given psi.=300`

    Example: `torseur steady-motions rolling_disc.yaml --given psi.=1 --given phi.=8`
    """
    from torseur.analyse.equilibria.steady_motions import steady_motions as found_motions

    return answer(mechanism.name, "steady_motions", found_motions(mechanism, **options), reactions)
