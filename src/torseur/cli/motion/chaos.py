"""`torseur chaos`: how long a run can be trusted, and whether the motion is chaotic."""

from functools import partial
from pathlib import Path
from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, argument, model_command
from torseur.cli.frame.options import duration, option, page, plot, settings, several
from torseur.cli.frame.settings import FINITE, named_numbers
from torseur.errors import ModelError
from torseur.words.sentence import say


def _starts(option: str, texts: tuple[str, ...]) -> list[dict[str, float]]:
    return [named_numbers(option, text.split(",")) for text in texts]


@model_command(
    "chaos",
    duration(),
    option("--rtol", "Tolerance of the run.", type=FINITE, default=1e-9, show_default=True),
    option("--accuracy", "Accuracy wanted of the coordinates [rad or m].",
           type=FINITE, default=1e-3, show_default=True),
    option("--start", "Change the start of this coordinate or speed …", "NAME"),
    option("--by", "… by this much.", default="0.01 deg", show_default=True),
    option("--lyapunov", "Largest Lyapunov exponent over a motion of this length.", "S",
           name="over", type=FINITE),
    option("--section", "Poincaré section where this rises through 0.", "EXPRESSION"),
    several("--also", "also", "Another start of the section, in another colour; may be repeated.",
            "NAME=VALUE,…", read=_starts),
    option("--of", "Curves of the section that --plot shows.", "X Y", nargs=2),
    settings(),
    plot("Figure, of the section, of the exponent, of the changed start, or of the tolerances,"),
    page("--film", "film", "Both motions of --start side by side."),
)  # fmt: skip
def chaos(
    mechanism: Mechanism,
    duration: float,
    rtol: float,
    accuracy: float,
    start: str | None,
    by: str,
    over: float | None,
    section: str | None,
    also: list[dict[str, float]] | None,
    of: tuple[str, str] | None,
    parameters: dict[str, float],
    film: Path | None,
) -> Printout:
    """Estimate how long a run of MODEL can be trusted, and the effect of a small change of its
    start.

    The motion is computed with ever tighter tolerances; where the runs separate, they are no longer
    valid.

    Example: `torseur chaos double_pendulum_points.yaml --duration 10 --start turn --by "0.01 deg"`

    Example: `torseur chaos double_pendulum_points.yaml --duration 20 --lyapunov 100 --json`

    Example: `torseur chaos double_pendulum_points.yaml --duration 200 --section phi
    --also phi=0.3,turn=0.1 --of turn turn. --plot section.png`
    """
    from torseur.analyse.chaos.lyapunov import lyapunov
    from torseur.analyse.chaos.poincare import poincare
    from torseur.analyse.chaos.trust import sensitivity_to_start, trust
    from torseur.machine.compiled import compiled_at
    from torseur.report.viewer.stage import film as side_by_side

    if film is not None and start is None:
        advice = "Add --start NAME."
        raise ModelError(
            "--film",
            say('"{film}" compares two motions, but no changed start is given.', film),
            advice,
        )
    if section is not None and argument("picture") is not None and of is None:
        advice = "Add --of X Y, such as --of turn turn."
        raise ModelError(
            "--plot",
            say('the coordinates of the section "{section}" are missing.', section),
            advice,
        )
    ready, starts = compiled_at(mechanism, parameters), [{}, *(also or ())]
    results: dict[str, Any] = {
        "trust": trust(ready, duration, rtol=rtol, accuracy=accuracy),
        "start": start and sensitivity_to_start(ready, start, by, duration),
        "lyapunov": over and lyapunov(ready, over),
        "section": section and poincare(ready, section, duration, starts=starts),
    }
    if film is not None:
        both = results["start"]
        changed = say(
            "{name} changed by {by:.4g} {unit}", both.name, both.by, both.first.names[both.name]
        )
        side_by_side({say("as given"): both.first, changed: both.second}, film)
    lines = [
        str(results["trust"]),
        *(f"\n{results[x]}" for x in ("start", "lyapunov") if results[x]),
    ]
    points = results["section"]
    if points:
        lines.append("\n" + say("section {section}: {number} points", section, len(points)))
    figure_of = results["lyapunov"] or results["start"] or results["trust"]
    return Printout(
        lambda: {name: x.document for name, x in results.items() if x},
        "\n".join(lines),
        partial(points.figure, *of) if points and of else figure_of.figure,
    )
