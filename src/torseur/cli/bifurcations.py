"""`torseur bifurcations`: where equilibria appear, meet and lose stability."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PICTURE
from torseur.cli.settings import FINITE, named_numbers, state
from torseur.cli.settings import parameters as parameters_of

if TYPE_CHECKING:
    from torseur.analyse.bifurcations.diagram import Diagram


@click.command()
@model_arguments
@click.option("--parameter", required=True, metavar="NAME",
              help="What changes: a parameter, or a speed of --given.")  # fmt: skip
@click.option("--from", "low", type=FINITE, required=True, metavar="VALUE", help="Where it starts.")
@click.option("--to", "high", type=FINITE, required=True, metavar="VALUE", help="Where it ends.")
@click.option("--at", multiple=True, metavar="NAME=VALUE",
              help="Coordinates near the first equilibrium.")  # fmt: skip
@click.option("--given", multiple=True, metavar="NAME=VALUE",
              help="Constant speeds and coordinates of steady motions.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of another parameter; may be repeated.")  # fmt: skip
@click.option("--of", default="", metavar="NAME", help="The coordinate that --plot shows.")
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="The diagram as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def bifurcations(
    model: str,
    masses: str | None,
    gravity: str | None,
    parameter: str,
    low: float,
    high: float,
    at: tuple[str, ...],
    given: tuple[str, ...],
    settings: tuple[str, ...],
    of: str,
    picture: Path | None,
    as_json: bool,
) -> None:
    """Branches of equilibria of MODEL as a parameter changes, and their bifurcations.

    Example: `torseur bifurcations buckling_two_bars.yaml --parameter F --from 20 --to 80
    --at theta=0 --at bend=0 --plot diagram.svg`
    """
    from torseur.analyse.bifurcations.bifurcations import bifurcations as found_diagram

    mechanism = load_model(model, masses, gravity)
    found = found_diagram(
        mechanism,
        parameter,
        (low, high),
        at=state(mechanism, "--at", at) or None,
        given=named_numbers("--given", given) or None,
        parameters=parameters_of(mechanism, settings),
    )
    if picture is not None:
        found.plot(of, picture)
    if as_json:
        say_json(_document(mechanism.name, found))
        return
    click.echo(f"{mechanism.name}\n{found}")
    if picture is not None:
        click.echo(f"{picture}: written.")


def _document(name: str, found: Diagram) -> dict[str, Any]:
    tangent = found.branches[0].points[0].here.tangent
    return {
        "name": name,
        "parameter": found.parameter,
        "branches": [
            {
                "values": branch.values.tolist(),
                "stable": branch.stable.tolist(),
                **{key: branch[key].tolist() for key in (*tangent.coordinates, *tangent.speeds)},
            }
            for branch in found.branches
        ],
        "bifurcations": [
            {
                "kind": x.kind,
                "criticality": x.criticality,
                "value": x.value,
                "frequency": x.frequency,
                "coordinates": x.at.coordinates,
            }
            for x in found
        ],
    }
