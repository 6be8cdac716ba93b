"""`torseur tumbling`: how a free body turns, and where dissipation leads it."""

from __future__ import annotations

from pathlib import Path

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PICTURE
from torseur.cli.settings import FINITE, parameters_and_start


@click.command()
@model_arguments
@click.option("--duration", type=FINITE, required=True, metavar="S", help="Length of the run.")
@click.option("--rate", type=FINITE, default=50.0, metavar="HZ", help="Samples a second.")
@click.option("--body", default="", metavar="NAME", help="Default: the first body.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter, a coordinate or a speed; may be repeated.")  # fmt: skip
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="Polhodes with the path of σ as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def tumbling(
    model: str,
    masses: str | None,
    gravity: str | None,
    duration: float,
    rate: float,
    body: str,
    settings: tuple[str, ...],
    picture: Path | None,
    as_json: bool,
) -> None:
    """The free rotation of a body of MODEL: moments, stability of its axes, polhodes, drift.

    Example: `torseur tumbling free_body.yaml --duration 10 --plot polhodes.svg`

    Example: `torseur tumbling drifting_satellite.yaml --duration 150 --plot drift.png`
    """
    from torseur.analyse.rotation.tumbling import tumbling as found_rotation
    from torseur.machine.compiled import compile as compiled
    from torseur.simulation.simulate import simulate

    mechanism = load_model(model, masses, gravity)
    fixed, start = parameters_and_start(mechanism, settings)
    ready = compiled(mechanism).with_parameters(**fixed)
    run = simulate(ready, duration, rate=rate, initial=start, rtol=1e-10)
    found = found_rotation(run, body)
    if picture is not None:
        found.figure(picture)
    if as_json:
        say_json({"name": mechanism.name} | found.document)
        return
    click.echo(f"{mechanism.name}: {found}")
    if len(found.flips):
        first, *_, last = (*found.flips, found.flips[-1])
        often = f"rotation about the middle axis changes sense {len(found.flips)} time(s)"
        click.echo(f"{often}, first at t = {first:.5g} s, last at t = {last:.5g} s")
    if picture is not None:
        click.echo(f"{picture}: written.")
