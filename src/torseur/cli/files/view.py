"""`torseur view`: a self-contained page on which a mechanism or a run moves."""

from pathlib import Path
from typing import Any

import rich_click as click

from torseur.cli.frame.command import Printout, run_command
from torseur.cli.frame.options import load_model, option, out
from torseur.errors import ModelError
from torseur.output import file_name
from torseur.words.sentence import say


@run_command(
    "view",
    click.argument("others", nargs=-1, metavar="[RUN.nc]..."),
    out(".html", ".htm", ".gif", ".mp4",
        help="A page, or a film (.mp4 needs ffmpeg or the extra `video`). Default: "
        "NAME-view.html."),
    option("--model", "Mechanism of a run, if its file does not contain it.", "MODEL",
           name="described"),
)  # fmt: skip
def view(
    model: str,
    others: tuple[str, ...],
    out: Path | None,
    described: str | None,
    lang: str,
    **given: Any,
) -> Printout:
    """Write one HTML file that shows MODEL, or a run saved as RUN.nc; it opens offline.

    A run is animated, with its curves; several are animated side by side. A mechanism can be moved
    by hand; its equations follow.

    Example: `torseur view slider_crank.yaml -o page.html`, `torseur view run.nc -o film.gif`

    Example: `torseur view before.nc after.nc -o both.html`
    """
    from torseur.report.viewer.view import view as written
    from torseur.simulation.run.files import load_run

    files = (model, *others)
    are_runs = [Path(name).suffix.lower() == ".nc" for name in files]
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
        page = written(mechanism, out or file_name(mechanism.name, "-view.html"), lang=lang)
    text = say("{page}: open it in any browser.", page)
    if page.suffix.lower() in (".gif", ".mp4"):
        text = say("{page}: written.", page)
    return Printout(lambda: {"page": str(page)}, [text], tells_files=True)
