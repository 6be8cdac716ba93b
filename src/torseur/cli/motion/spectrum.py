"""`torseur spectrum`: the frequencies in a signal of a run."""

from typing import Any

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.given_run import RUN, given_run
from torseur.cli.frame.options import option, plot, several
from torseur.cli.frame.settings import named_numbers
from torseur.errors import ModelError
from torseur.words.sentence import say, worded


@run_command(
    "spectrum",
    option("--of", "`alpha`, `alpha.`, `A.force.x`, `P3.acceleration.z`, …", "NAME", required=True),
    *RUN,
    several("--known", "known", "A frequency to name peaks after, such as `ω=209.4`.",
            "NAME=RAD/S", read=named_numbers),
    plot("The spectrum"),
)  # fmt: skip
def spectrum(model: str, of: str, known: dict[str, float] | None, **options: Any) -> Printout:
    """Compute the spectrum of a signal of a run; MODEL is a mechanism, or a saved run (.nc).

    Example: `torseur spectrum propeller.yaml --of yaw.couple.x --duration 1 --known ω=209.44
    --set A=10 --set more=0 --plot spectrum.svg`
    """
    import numpy as np

    from torseur.analyse.chaos.spectrum import spectrum as found_spectrum
    from torseur.simulation.run.quantities import quantity

    run = given_run(model, **options)
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
