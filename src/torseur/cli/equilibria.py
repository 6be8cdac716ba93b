"""`torseur equilibria`: where a mechanism can rest."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.settings import named_numbers, named_ranges

if TYPE_CHECKING:
    from torseur.analyse.steady import Steady


@click.command()
@model_arguments
@click.option("--box", multiple=True, metavar="NAME=LOW:HIGH", help="Limits of a coordinate.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--starts", type=int, metavar="N", help="Starting points; more look closer.")
@click.option("--at-time", "t", type=float, metavar="S", help="Take loads as they are then.")
@click.option("--plot", "picture", type=click.Path(path_type=Path), metavar="FILE",
              help="A figure as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def equilibria(
    model: str,
    masses: str | None,
    gravity: str | None,
    box: tuple[str, ...],
    settings: tuple[str, ...],
    starts: int | None,
    t: float | None,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Where MODEL can rest: coordinates, energy, stability and reactions.

    Imposed motions at constant speed go on: equilibria are then relative to what turns.

    Example: `torseur equilibria double_pendulum.yaml`

    Example: `torseur equilibria ball_governor.yaml --set Omega=12 --box z=0.1:0.4`
    """
    from torseur.analyse.equilibria import equilibria as found_equilibria

    mechanism = load_model(model, masses, gravity)
    found = found_equilibria(
        mechanism,
        box=named_ranges("--box", box),
        parameters=named_numbers("--set", settings),
        starts=starts,
        t=t,
    )
    if picture is not None:
        found.plot(picture)
    if as_json:
        listed = [_document(x) for x in found]
        say_json({"name": mechanism.name, "equilibria": listed, "notices": list(found.notices)})
        return
    click.echo(f"{mechanism.name}: {len(found)} equilibria")
    click.echo(str(found))
    if picture is not None:
        click.echo(f"{picture}: written.")


def _document(x: Steady) -> dict[str, Any]:
    return {
        "coordinates": x.coordinates,
        "speeds": x.speeds,
        "energy": x.energy,
        "effective_energy": x.effective_energy,
        "family": x.family,
        "stable": bool(x.stable),
        "verdict": str(x.stable),
        "reactions": {name: [float(c) for c in wrench] for name, wrench in x.reactions.items()},
    }
