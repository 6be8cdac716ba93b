"""`torseur spectrum`: the frequencies in a signal of a run."""

from typing import Any

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.options import duration, load_model, option, plot, rate, settings, several
from torseur.cli.frame.settings import named_numbers, parameters
from torseur.errors import ModelError
from torseur.words.sentence import say, worded


@run_command(
    "spectrum",
    option("--of", "`alpha`, `alpha.`, `A.force.x`, `P3.acceleration.z`, …", "NAME", required=True),
    duration(required=False, help="Of the run, unless MODEL is one."),
    rate(1000.0),
    several("--known", "known", "A frequency to name peaks after, such as `ω=209.4`.",
            "NAME=RAD/S", read=named_numbers),
    settings(),
    plot("The spectrum"),
)  # fmt: skip
def spectrum(model: str, of: str, known: dict[str, float] | None, **options: Any) -> Printout:
    """Compute the spectrum of a signal of a run; MODEL is a mechanism, or a saved run (.nc).

    Example: `torseur spectrum propeller.yaml --of yaw.couple.x --duration 1 --known ω=209.44
    --set A=10 --set more=0 --plot spectrum.svg`
    """
    import numpy as np

    from torseur.analyse.chaos.spectrum import spectrum as found_spectrum
    from torseur.simulation.run.files import load_run
    from torseur.simulation.run.quantities import quantity

    run: Any = load_run(model) if model.endswith(".nc") else _simulated(model, **options)
    curves = quantity(run, of)
    if len(curves) != 1:
        names = ", ".join(curve.name for curve in curves)
        problem = say('"{of}" is {number} signals: {names}.', of, len(curves), names)
        raise ModelError("--of", problem, "Name one of them.")
    signal = curves[0]
    values = np.asarray(signal.values)
    result = found_spectrum(np.asarray(run.t), values, unit=signal.unit, known=known)
    document = {"signal": signal.name} | result.document
    return Printout(lambda: document, f"{signal.name}{worded(': ')}{result}", result.figure)


def _simulated(
    model: str,
    masses: str | None,
    gravity: str | None,
    duration: float | None,
    rate: float,
    settings: tuple[str, ...],
) -> Any:
    """A run of a mechanism."""
    from torseur.simulation.simulate import simulate

    if duration is None:
        raise ModelError(
            "spectrum",
            say('the duration of the run of "{model}" is missing.', model),
            "Add --duration S.",
        )
    mechanism = load_model(model, masses, gravity)
    return simulate(mechanism, duration, rate=rate, parameters=parameters(mechanism, settings))
