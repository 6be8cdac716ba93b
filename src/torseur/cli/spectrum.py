"""`torseur spectrum`: the frequencies in a signal of a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from torseur.cli.command import Answer, load_model, run_command
from torseur.cli.options import duration, option, plot, rate, settings, several
from torseur.cli.settings import named_numbers, parameters
from torseur.errors import ModelError
from torseur.words.sentence import say


@run_command(
    "spectrum",
    option("--of", "`alpha`, `alpha.`, `A.force.x`, `P3.acceleration.z`, …", "NAME", required=True),
    duration(required=False, help="Of the run, unless MODEL is one."),
    rate(1000.0),
    several("--known", "known", "A frequency to name peaks after, such as `ω=209.4`.",
            "NAME=RAD/S"),
    settings(),
    plot("The spectrum"),
)  # fmt: skip
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
) -> Answer:
    """The spectrum of a signal of a run; MODEL is a mechanism, or a saved run (.nc).

    Example: `torseur spectrum propeller.yaml --of yaw.couple.x --duration 1 --known ω=209.44
    --set A=10 --set more=0 --plot spectrum.svg`
    """
    from torseur.analyse.chaos.spectrum import spectrum as found_spectrum
    from torseur.machine.compiled import compile as compiled
    from torseur.simulation.run.files import load_run
    from torseur.simulation.run.quantities import quantity
    from torseur.simulation.simulate import simulate

    run: Any
    if model.endswith(".nc"):
        run = load_run(model)
    elif duration is None:
        raise ModelError(
            "spectrum", say('how long a run of "{model}"?', model), "Add --duration S."
        )
    else:
        mechanism = load_model(model, masses, gravity)
        ready = compiled(mechanism).with_parameters(**parameters(mechanism, settings))
        run = simulate(ready, duration, rate=rate)
    curves = quantity(run, of)
    if len(curves) != 1:
        names = ", ".join(curve.name for curve in curves)
        raise ModelError(
            "--of",
            say('"{of}" is {number} signals: {names}.', of, len(curves), names),
            "Name one of them.",
        )
    signal = curves[0]
    named = named_numbers("--known", known)
    found = found_spectrum(
        np.asarray(run.t), np.asarray(signal.values), unit=signal.unit, known=named
    )
    if picture is not None:
        found.figure(picture)
    document = {"signal": signal.name}
    return Answer(lambda: document | found.document, f"{signal.name}: {found}", (picture,))
