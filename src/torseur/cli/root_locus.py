"""`torseur root-locus`: eigenvalues of small motions as a parameter changes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PICTURE
from torseur.cli.settings import FINITE, state
from torseur.cli.settings import parameters as parameters_of
from torseur.errors import ModelError


@click.command("root-locus")
@model_arguments
@click.option("--parameter", required=True, metavar="NAME", help="What changes.")
@click.option("--from", "low", type=FINITE, required=True, metavar="VALUE", help="Where it starts.")
@click.option("--to", "high", type=FINITE, required=True, metavar="VALUE", help="Where it ends.")
@click.option("--count", type=int, default=41, show_default=True, help="Values in between.")
@click.option("--at", multiple=True, metavar="NAME=VALUE",
              help="A coordinate of the first equilibrium; default: the nearest one.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of another parameter; may be repeated.")  # fmt: skip
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="The eigenvalues in the complex plane as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def root_locus(
    model: str,
    masses: str | None,
    gravity: str | None,
    parameter: str,
    low: float,
    high: float,
    count: int,
    at: tuple[str, ...],
    settings: tuple[str, ...],
    picture: Path | None,
    as_json: bool,
) -> None:
    """The eigenvalues about an equilibrium of MODEL that is followed as a parameter changes.

    Example: `torseur root-locus cart_pendulum.yaml --parameter b --from 0 --to 5 --plot locus.svg`
    """
    from torseur.analyse.vibrations.root_locus import root_locus as followed

    if count < 2:
        raise ModelError("--count", f"{count} values make no locus.", "Take two or more.")
    mechanism = load_model(model, masses, gravity)
    found = followed(
        mechanism,
        parameter,
        np.linspace(low, high, count),
        at=state(mechanism, "--at", at) or None,
        parameters=parameters_of(mechanism, settings),
    )
    if picture is not None:
        found.plot(picture)
    stable = found.stable
    if as_json:
        values = [[[float(x.real), float(x.imag)] for x in row] for row in found.eigenvalues]
        say_json(
            {
                "name": mechanism.name,
                "parameter": parameter,
                "values": found.values.tolist(),
                "eigenvalues": values,
                "stable": stable.tolist(),
            }
        )
        return
    click.echo(f"{mechanism.name}: eigenvalues [1/s], each in its column")
    for value, row, good in zip(found.values, found.eigenvalues, stable, strict=True):
        listed = "  ".join(f"{x.real:9.4g}{x.imag:+.4g}i" for x in row)
        click.echo(f"{parameter} = {value:<10.6g} {'' if good else 'not '}stable  {listed}")
    if picture is not None:
        click.echo(f"{picture}: written.")
