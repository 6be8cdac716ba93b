"""`torseur flywheel`: the inertia that limits the fluctuation of a speed, or that of a run."""

from typing import Any

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.given_run import RUN, given_run
from torseur.cli.frame.options import option, plot
from torseur.cli.frame.settings import FINITE, quantity
from torseur.errors import ModelError


@run_command(
    "flywheel",
    option("--drive", "Imposed motion at a constant speed that the flywheel replaces.", "NAME"),
    option("--fluctuation", "Wanted (ω_max − ω_min)/ω_mean, such as `0.02`.", "E", type=FINITE),
    option("--of", "Measure the fluctuation of this angle in the run instead.", "NAME"),
    option("--cycle", "Angle of a cycle, such as `720 deg`; default: one turn.", "ANGLE",
           read=quantity("rad")),
    *RUN,
    plot("Couple and speed over a cycle"),
)  # fmt: skip
def flywheel(
    model: str,
    drive: str | None,
    fluctuation: float | None,
    of: str | None,
    cycle: float | None,
    **options: Any,
) -> Printout:
    """Compute the flywheel that limits the fluctuation of a speed over a cycle, from a run in which
    a motion is imposed at constant speed.

    With --of, measure the coefficient of fluctuation of an angle in a run instead.

    Example: `torseur flywheel whitworth.yaml --drive drive --fluctuation 0.02 --duration 1`

    Example: `torseur flywheel single_cylinder_engine.yaml --of phi --duration 2`
    """
    from torseur.analyse.sizing.flywheel import TURN
    from torseur.analyse.sizing.flywheel import fluctuation as measured
    from torseur.analyse.sizing.flywheel import flywheel as sized

    if (of is None) == (drive is None or fluctuation is None):
        problem = "either --of, or --drive and --fluctuation are needed."
        raise ModelError("flywheel", problem, "For instance: --drive crank --fluctuation 0.02.")
    run, angle = given_run(model, **options), cycle or TURN
    if of is not None:
        speed = measured(run, of, angle)
        return Printout(lambda: speed.document, str(speed))
    assert drive is not None and fluctuation is not None, "checked above"
    result = sized(run, drive, fluctuation, angle)
    return Printout(lambda: result.document, str(result), result.figure)
