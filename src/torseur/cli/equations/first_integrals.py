"""`torseur first-integrals`: what stays constant in every motion of a mechanism."""

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import duration


@model_command(
    "first-integrals",
    duration(required=False, help="Simulate, and show the drift of each integral."),
)
def first_integrals(mechanism: Mechanism, duration: float | None) -> Printout:
    """Find the first integrals of MODEL: energy, Painlevé's integral, momenta, with formulas and
    reasons.

    An imposed motion is listed with the force or couple and the power that it needs. With
    --duration the mechanism is simulated and the drift of each integral is shown.

    Example: `torseur first-integrals elliptic_pendulum.yaml --duration 5`
    """
    from torseur.analyse.integrals.drift import monitor
    from torseur.analyse.integrals.integrals import first_integrals as integrals
    from torseur.simulation.simulate import simulate

    result = integrals(mechanism)
    if duration is None:
        return Printout(lambda: result.document, str(result))
    drifts = monitor(simulate(mechanism, duration), result)
    drift_text = f"\n\n{drifts}" if len(drifts) else ""
    return Printout(lambda: {**result.document, "drift": drifts.document}, f"{result}{drift_text}")
