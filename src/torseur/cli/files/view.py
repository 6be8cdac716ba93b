"""`torseur view`: a self-contained page on which a mechanism or a run moves."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.options import load_model, option, out, settings_and_start, several
from torseur.cli.frame.settings import FINITE, named_texts, parameters_and_start
from torseur.errors import ModelError
from torseur.output import file_name
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.model.description import Mechanism

_OF_LIVE = ("duration", "rate", "method", "step", "sample")


@run_command(
    "view",
    click.argument("others", nargs=-1, metavar="[RUN.nc]..."),
    out(".html", ".htm", ".gif", ".mp4",
        help="A page, or a film (.mp4 needs ffmpeg or the extra `video`). Default: "
        "NAME-view.html."),
    option("--model", "Mechanism of a run, if its file does not contain it.", "MODEL",
           name="described"),
    click.option("--live", is_flag=True, help="A page that simulates MODEL in the browser."),
    option("--duration", "Length of its run; default: 10.", "S", type=FINITE),
    option("--rate", "Samples a second of its run.", "HZ", type=FINITE),
    option("--method", "Method of its run, as of `simulate`.", "NAME"),
    option("--step", "Step of rk4, euler and moreau.", "S", type=FINITE),
    several("--control", "laws", "Sampled control law, as of `simulate`; may be repeated.",
            "NAME=EXPRESSION"),
    option("--sample", "Sample time of the law.", "S", type=FINITE),
    settings_and_start(),
)  # fmt: skip
def view(
    model: str,
    others: tuple[str, ...],
    out: Path | None,
    described: str | None,
    live: bool,
    laws: tuple[str, ...],
    start_settings: tuple[str, ...],
    lang: str,
    **given: Any,
) -> Printout:
    """Write one HTML file that shows MODEL, or a run saved as RUN.nc; it opens offline.

    A run is animated, with its curves; several are animated side by side. A mechanism can be moved
    by hand; its equations follow. With --live, the page simulates: you set parameters and the
    start, pull bodies with the mouse, and save the run.

    Example: `torseur view slider_crank.yaml -o page.html`, `torseur view run.nc -o film.gif`

    Example: `torseur view double_pendulum.yaml --live --set theta1=2`

    Example: `torseur view before.nc after.nc -o both.html`
    """
    from torseur.report.viewer.view import view as written
    from torseur.simulation.run.files import load_run

    motion = {name: x for name in _OF_LIVE if (x := given.pop(name)) is not None}
    if not live and (motion or laws or start_settings):
        named = next(iter(motion), "control" if laws else "set")
        problem = say("--{option} is an option of a motion, and the page has none.", named)
        raise ModelError("view", problem, "Add --live, or simulate first: torseur simulate MODEL.")
    files = (model, *others)
    are_runs = [Path(name).suffix.lower() == ".nc" for name in files]
    if live and any(are_runs):
        advice = "Give its description: torseur view MODEL --live."
        raise ModelError("--live", say('"{name}" is a run, not a mechanism.', model), advice)
    if all(are_runs):
        mechanism = load_model(described, **given) if described else None
        runs = [load_run(name) for name in files]
        subject = runs if others else runs[0]
        path = out or file_name(Path(model).stem, "-view.html")
        page = written(subject, path, model=mechanism, lang=lang)
    elif others:
        wrong = files[are_runs.index(False)]
        advice = "Give runs, for instance: torseur view before.nc after.nc."
        raise ModelError("view", say('"{wrong}" is not a run.', wrong), advice)
    elif described:
        advice = "Leave --model out, or give RUN.nc."
        raise ModelError(
            "--model", say('"{model}" is not a run: it needs no model.', model), advice
        )
    else:
        mechanism = load_model(model, **given)
        path = out or file_name(mechanism.name, "-live.html" if live else "-view.html")
        options = _options(mechanism, motion, laws, start_settings) if live else {}
        page = written(mechanism, path, lang=lang, live=live, **options)
    text = say("{page}: open it in any browser.", page)
    if page.suffix.lower() in (".gif", ".mp4"):
        text = say("{page}: written.", page)
    return Printout(lambda: {"page": str(page)}, [text], tells_files=True)


def _options(
    mechanism: Mechanism, motion: dict[str, Any], laws: tuple[str, ...], texts: tuple[str, ...]
) -> dict[str, Any]:
    """Options of a motion on a page."""
    parameters, initial = parameters_and_start(mechanism, texts)
    control = named_texts("--control", laws) or None
    return {**motion, "control": control, "parameters": parameters, "initial": initial}
