"""`torseur phase-portrait`: all the motions of a mechanism with one freedom in one picture."""

from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, answer_of, model_command
from torseur.cli.frame.options import option, plot, settings
from torseur.cli.frame.settings import span


@model_command(
    "phase-portrait",
    option(
        "--of", "The coordinate; default: the first free angle, or distance.", "NAME", default=""
    ),
    option("--span", "Limits of the coordinate.", "LOW:HIGH", read=span),
    option("--speeds", "Limits of its speed.", "LOW:HIGH", read=span),
    settings(),
    plot("The portrait"),
)
def phase_portrait(mechanism: Mechanism, of: str, **options: Any) -> Printout:
    """Draw the phase portrait of MODEL: level curves of its energy, equilibria and separatrices.

    Example: `torseur phase-portrait simple_pendulum.yaml --plot portrait.svg`
    """
    from torseur.analyse.chaos.phase import phase_portrait as portrait

    return answer_of(mechanism, portrait(mechanism, of, **options))
