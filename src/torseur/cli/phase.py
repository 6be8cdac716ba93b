"""`torseur phase-portrait`: all the motions of a mechanism with one freedom in one picture."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PICTURE
from torseur.cli.settings import parameters as parameters_of
from torseur.cli.settings import span


@click.command()
@model_arguments
@click.option(
    "--of", default="", metavar="NAME", help="The coordinate; default: the first free one."
)
@click.option("--span", "limits", default="", metavar="LOW:HIGH", help="Limits of the coordinate.")
@click.option("--speeds", default="", metavar="LOW:HIGH", help="Limits of its speed.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="The portrait as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def phase(
    model: str,
    masses: str | None,
    gravity: str | None,
    of: str,
    limits: str,
    speeds: str,
    settings: tuple[str, ...],
    picture: Path | None,
    as_json: bool,
) -> None:
    """The phase portrait of MODEL: level curves of its energy, equilibria and separatrices.

    Example: `torseur phase-portrait simple_pendulum.yaml --plot portrait.svg`
    """
    from torseur.analyse.chaos.phase import phase_portrait

    mechanism = load_model(model, masses, gravity)
    found = phase_portrait(
        mechanism,
        of,
        span=span("--span", limits) if limits else None,
        speeds=span("--speeds", speeds) if speeds else None,
        parameters=parameters_of(mechanism, settings),
    )
    if picture is not None:
        found.figure(picture)
    if as_json:
        say_json({"name": mechanism.name} | found.document)
        return
    what = "energy is not kept" if found.energy is None else "energy is kept"
    click.echo(f"{mechanism.name}: {found.coordinate} from {found.q[0]:.4g} to {found.q[-1]:.4g}, "
               f"{what}")  # fmt: skip
    for x in found.rests:
        place = x.coordinates[found.coordinate]
        click.echo(f"equilibrium {found.coordinate} = {place:.6g}: {x.stable.word}")
    for height in found.separatrix:
        click.echo(f"separatrix: {height:.6g} J above rest in the middle of the span")
    if picture is not None:
        click.echo(f"{picture}: written.")
