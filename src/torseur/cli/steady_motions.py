"""`torseur steady-motions`: how a mechanism can move without changing its shape."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from torseur.cli.equilibria import say_found
from torseur.cli.model import load_model, model_arguments
from torseur.cli.outputs import PICTURE
from torseur.cli.settings import named_numbers
from torseur.cli.settings import parameters as parameters_of


@click.command("steady-motions")
@model_arguments
@click.option("--given", multiple=True, metavar="NAME=VALUE",
              help="A coordinate or a constant speed (`psi.=300`); may be repeated.")  # fmt: skip
@click.option("--turning", multiple=True, metavar="NAME",
              help="A coordinate that may turn; default: all that nothing depends on.")  # fmt: skip
@click.option("--independent", multiple=True, metavar="NAME",
              help="A coordinate whose speed is to be constant, where rolling leaves a "
              "choice.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--starts", type=int, metavar="N", help="Starting points; more look closer.")
@click.option("--reactions", is_flag=True, help="Force and couple in every joint.")
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="A figure as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def steady_motions(
    model: str,
    masses: str | None,
    gravity: str | None,
    given: tuple[str, ...],
    turning: tuple[str, ...],
    independent: tuple[str, ...],
    settings: tuple[str, ...],
    starts: int | None,
    reactions: bool,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Motions of MODEL in which cyclic coordinates turn at constant speeds and the others rest.

    A top in regular precession, a disc that rolls on a circle, a satellite on its orbit. Give as
    much as the family of motions has parameters; the message says what is missing.

    Example: `torseur steady-motions heavy_top.yaml --given "theta=30 deg" --given psi.=300`

    Example: `torseur steady-motions rolling_disc.yaml --given psi.=1 --given phi.=8`
    """
    from torseur.analyse.equilibria.steady_motions import steady_motions as found_motions

    mechanism = load_model(model, masses, gravity)
    found = found_motions(
        mechanism,
        named_numbers("--given", given),
        turning=turning,
        independent=independent,
        parameters=parameters_of(mechanism, settings),
        starts=starts,
    )
    say_found(mechanism.name, "steady_motions", found, reactions, picture, as_json)
