"""`torseur bifurcations`: where equilibria appear, meet and lose stability."""

from dataclasses import replace
from functools import partial
from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, answer_of, model_command
from torseur.cli.frame.options import option, plot, settings, several, state_at, swept
from torseur.cli.frame.settings import named_numbers


@model_command(
    "bifurcations",
    *swept("Name of the parameter, or of a speed of --given, that changes."),
    state_at("Coordinates near the first equilibrium."),
    several("--given", "given", "Constant speeds and coordinates of steady motions.", "NAME=VALUE",
            read=named_numbers),
    settings("Value of another parameter; may be repeated."),
    option("--of", "The coordinate that --plot shows.", "NAME", default=""),
    plot("The diagram"),
)  # fmt: skip
def bifurcations(
    mechanism: Mechanism, parameter: str, low: float, high: float, of: str, **options: Any
) -> Printout:
    """Follow the equilibria of MODEL as a parameter changes, and find their bifurcations.

    Example: `torseur bifurcations buckling_two_bars.yaml --parameter F --from 20 --to 80
    --at theta=0 --at bend=0 --plot diagram.svg`
    """
    from torseur.analyse.bifurcations.bifurcations import bifurcations as found_diagram

    diagram = found_diagram(mechanism, parameter, (low, high), **options)
    return replace(answer_of(mechanism, diagram, "\n"), figure=partial(diagram.plot, of))
