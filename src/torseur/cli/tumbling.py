"""`torseur tumbling`: how a free body turns, and where dissipation leads it."""

from __future__ import annotations

from pathlib import Path

from torseur.cli.command import Answer, model_command
from torseur.cli.options import duration, option, plot, rate, settings_and_start
from torseur.model.description import Mechanism


@model_command(
    "tumbling",
    duration(),
    rate(50.0),
    option("--body", "Default: the first body.", "NAME", default=""),
    settings_and_start(),
    plot("Polhodes with the path of σ"),
)
def tumbling(
    mechanism: Mechanism,
    duration: float,
    rate: float,
    body: str,
    parameters: dict[str, float],
    initial: dict[str, float],
    picture: Path | None,
) -> Answer:
    """The free rotation of a body of MODEL: moments, stability of its axes, polhodes, drift.

    Example: `torseur tumbling free_body.yaml --duration 10 --plot polhodes.svg`

    Example: `torseur tumbling drifting_satellite.yaml --duration 150 --plot drift.png`
    """
    from torseur.analyse.rotation.tumbling import tumbling as found_rotation
    from torseur.machine.compiled import compile as compiled
    from torseur.simulation.simulate import simulate

    ready = compiled(mechanism).with_parameters(**parameters)
    found = found_rotation(simulate(ready, duration, rate=rate, initial=initial, rtol=1e-10), body)
    if picture is not None:
        found.figure(picture)
    lines = [f"{mechanism.name}: {found}"]
    if len(found.flips):
        first, *_, last = (*found.flips, found.flips[-1])
        often = f"rotation about the middle axis changes sense {len(found.flips)} time(s)"
        lines.append(f"{often}, first at t = {first:.5g} s, last at t = {last:.5g} s")
    document = {"name": mechanism.name}
    return Answer(lambda: document | found.document, "\n".join(lines), (picture,))
