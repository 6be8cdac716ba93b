"""`torseur chaos`: how long a run can be trusted, and whether the motion is chaotic."""

from pathlib import Path
from typing import Any

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import PAGE, PICTURE
from torseur.cli.settings import FINITE
from torseur.errors import ModelError


@click.command()
@model_arguments
@click.option("--duration", type=FINITE, required=True, metavar="S", help="Length of the run.")
@click.option("--rtol", type=FINITE, default=1e-9, show_default=True, help="Tolerance of the run.")
@click.option("--accuracy", type=FINITE, default=1e-3, show_default=True,
              help="What coordinates must be right to [rad or m].")  # fmt: skip
@click.option("--start", metavar="NAME", help="Change the start of this coordinate or speed …")
@click.option("--by", default="0.01 deg", show_default=True, help="… by this much.")
@click.option("--lyapunov", "over", type=FINITE, metavar="S",
              help="Largest Lyapunov exponent over a motion of this length.")  # fmt: skip
@click.option(
    "--section", metavar="EXPRESSION", help="Poincaré section where this rises through 0."
)
@click.option("--also", multiple=True, metavar="NAME=VALUE,…",
              help="Another start of the section, in another colour; may be repeated.")  # fmt: skip
@click.option("--of", nargs=2, metavar="X Y", help="What --plot shows of the section.")
@click.option("--plot", "picture", type=PICTURE, metavar="FILE",
              help="Figure as .png, .svg or .pdf: of the section, of the exponent, of the changed "
              "start, or of the tolerances.")  # fmt: skip
@click.option("--film", type=PAGE, metavar="FILE.html",
              help="Both motions of --start side by side.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def chaos(
    model: str,
    masses: str | None,
    gravity: str | None,
    duration: float,
    rtol: float,
    accuracy: float,
    start: str | None,
    by: str,
    over: float | None,
    section: str | None,
    also: tuple[str, ...],
    of: tuple[str, str] | None,
    picture: Path | None,
    film: Path | None,
    as_json: bool,
) -> None:
    """How many seconds of a run of MODEL can be trusted, and what a small change of its start does.

    The motion is computed at finer and finer tolerances; runs that part are wrong from there on.

    Example: `torseur chaos double_pendulum_points.yaml --duration 10 --start turn --by "0.01 deg"`

    Example: `torseur chaos double_pendulum_points.yaml --duration 20 --lyapunov 100 --json`

    Example: `torseur chaos double_pendulum_points.yaml --duration 200 --section phi
    --also phi=0.3,turn=0.1 --of turn turn. --plot section.png`
    """
    from torseur.analyse.chaos.chaos import sensitivity_to_start
    from torseur.analyse.chaos.lyapunov import lyapunov
    from torseur.analyse.chaos.poincare import poincare
    from torseur.analyse.chaos.trust import trust
    from torseur.machine.compiled import compile as compiled

    if film is not None and start is None:
        advice = "Add --start NAME."
        raise ModelError("--film", f'"{film}" shows two motions, but no start is changed.', advice)
    if section is not None and picture is not None and of is None:
        advice = "Add --of X Y, such as --of turn turn."
        raise ModelError("--plot", f'of the section "{section}", which coordinates?', advice)
    ready = compiled(load_model(model, masses, gravity))
    found: dict[str, Any] = {
        "trust": trust(ready, duration, rtol=rtol, accuracy=accuracy),
        "start": start and sensitivity_to_start(ready, start, by, duration),
        "lyapunov": over and lyapunov(ready, over),
        "section": section and poincare(ready, section, duration, starts=_starts(also)),
    }
    _show(found, picture, of, film)
    if as_json:
        say_json({name: x.document for name, x in found.items() if x})
        return
    click.echo(str(found["trust"]))
    for name in ("start", "lyapunov"):
        if found[name]:
            click.echo(f"\n{found[name]}")
    if found["section"]:
        click.echo(f"\nsection {section}: {len(found['section'])} points")
    for file in filter(None, (picture, film)):
        click.echo(f"{file}: written.")


def _starts(also: tuple[str, ...]) -> list[dict[str, float]]:
    """The start of the model, then the others."""
    from torseur.cli.settings import named_numbers

    return [{}, *(named_numbers("--also", text.split(",")) for text in also)]


def _show(
    found: dict[str, Any], picture: Path | None, of: tuple[str, str] | None, film: Path | None
) -> None:
    """The figure and the film that were asked for."""
    from torseur.report.viewer.film import film as side_by_side

    if picture is not None:
        if found["section"]:
            assert of is not None, "a section is drawn in a plane"
            found["section"].figure(*of, picture)
        else:
            (found["lyapunov"] or found["start"] or found["trust"]).figure(picture)
    if film is not None:
        both = found["start"]
        changed = f"{both.name} changed by {both.by:.4g} {both.first.names[both.name]}"
        side_by_side({"as given": both.first, changed: both.second}, film)
