"""A run on a command line: that of a file, or one of a mechanism that is simulated first."""

from __future__ import annotations

from typing import Any

from torseur.cli.frame.command import running_context
from torseur.cli.frame.options import duration, load_model, rate, settings
from torseur.cli.frame.settings import parameters
from torseur.errors import ModelError
from torseur.words.sentence import say

RUN = (
    duration(required=False, help="Length of the run, unless MODEL is one."),
    rate(1000.0),
    settings(),
)


def given_run(
    model: str,
    masses: str | None,
    gravity: str | None,
    duration: float | None,
    rate: float,
    settings: tuple[str, ...],
) -> Any:
    """The run of a file (.nc), or of a mechanism that is simulated for a duration [s]."""
    from torseur.simulation.run.files import load_run
    from torseur.simulation.simulate import simulate

    if model.endswith(".nc"):
        return load_run(model)
    if duration is None:
        command = running_context().info_name
        problem = say('the duration of the run of "{model}" is missing.', model)
        raise ModelError(str(command), problem, "Add --duration S.")
    mechanism = load_model(model, masses, gravity)
    return simulate(mechanism, duration, rate=rate, parameters=parameters(mechanism, settings))
