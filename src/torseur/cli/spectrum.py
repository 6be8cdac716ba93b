"""`torseur spectrum`: the frequencies in a signal of a run."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PICTURE
from torseur.cli.settings import FINITE, named_numbers
from torseur.cli.settings import parameters as parameters_of
from torseur.errors import ModelError

if TYPE_CHECKING:
    from torseur.simulation.run.files import SavedRun
    from torseur.simulation.run.run import Run


@click.command()
@model_arguments
@click.option("--of", required=True, metavar="NAME",
              help="`alpha`, `alpha.`, `A.force.x`, `P3.acceleration.z`, …")  # fmt: skip
@click.option("--duration", type=FINITE, metavar="S", help="Of the run, unless MODEL is one.")
@click.option("--rate", type=FINITE, default=1000.0, metavar="HZ", help="Samples a second.")
@click.option("--known", multiple=True, metavar="NAME=RAD/S",
              help="A frequency to name peaks after, such as `ω=209.4`.")  # fmt: skip
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE",
              help="Value of a parameter; may be repeated.")  # fmt: skip
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="The spectrum as .png, .svg or .pdf.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def spectrum(
    model: str,
    masses: str | None,
    gravity: str | None,
    of: str,
    duration: float | None,
    rate: float,
    known: tuple[str, ...],
    settings: tuple[str, ...],
    picture: Path | None,
    as_json: bool,
) -> None:
    """The spectrum of a signal of a run; MODEL is a mechanism, or a saved run (.nc).

    Example: `torseur spectrum propeller.yaml --of yaw.couple.x --duration 1 --known ω=209.44
    --set A=10 --set more=0 --plot spectrum.svg`
    """
    from torseur.analyse.chaos.spectrum import spectrum as found_spectrum
    from torseur.simulation.run.quantities import quantity

    run: Run | SavedRun
    if model.endswith(".nc"):
        from torseur.simulation.run.files import load_run

        run = load_run(model)
    else:
        from torseur.machine.compiled import compile as compiled
        from torseur.simulation.simulate import simulate

        if duration is None:
            advice = "Add --duration S."
            raise ModelError("spectrum", f'how long a run of "{model}"?', advice)
        mechanism = load_model(model, masses, gravity)
        made = compiled(mechanism).with_parameters(**parameters_of(mechanism, settings))
        run = simulate(made, duration, rate=rate)
    curves = quantity(run, of)
    if len(curves) != 1:
        names = ", ".join(curve.name for curve in curves)
        raise ModelError("--of", f'"{of}" is {len(curves)} signals: {names}.', "Name one of them.")
    signal = curves[0]
    found = found_spectrum(
        np.asarray(run.t),
        np.asarray(signal.values),
        unit=signal.unit,
        known=named_numbers("--known", known),
    )
    if picture is not None:
        found.figure(picture)
    if as_json:
        say_json({"signal": signal.name} | found.document)
        return
    click.echo(f"{signal.name}: {found}")
    if picture is not None:
        click.echo(f"{picture}: written.")
