"""`torseur tumbling`: how a free body turns, and where dissipation leads it."""

from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, answer_of, model_command
from torseur.cli.frame.options import duration, option, plot, rate, settings_and_start


@model_command(
    "tumbling",
    duration(),
    rate(50.0),
    option("--body", "Default: the first body.", "NAME", default=""),
    settings_and_start(),
    plot("Polhodes with the path of σ"),
)
def tumbling(mechanism: Mechanism, duration: float, body: str, **options: Any) -> Printout:
    """Compute the free rotation of a body of MODEL: moments, stability of its axes, polhodes,
    drift.

    Example: `torseur tumbling free_body.yaml --duration 10 --plot polhodes.svg`

    Example: `torseur tumbling drifting_satellite.yaml --duration 150 --plot drift.png`
    """
    from torseur.analyse.rotation.tumbling import tumbling as found_rotation
    from torseur.simulation.simulate import simulate

    return answer_of(
        mechanism, found_rotation(simulate(mechanism, duration, rtol=1e-10, **options), body)
    )
