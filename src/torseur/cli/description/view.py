"""`torseur view`: a self-contained page on which a mechanism or a run moves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torseur.cli.frame.command import Answer, run_command
from torseur.cli.frame.models import load_model
from torseur.cli.frame.options import LANG, option, out
from torseur.errors import ModelError
from torseur.output import file_name
from torseur.words.sentence import say


@run_command(
    "view",
    out(".html", ".htm", help="Default: NAME.html."),
    option("--model", "The mechanism of a run whose file does not hold it.", "MODEL",
           name="described"),
    LANG,
)  # fmt: skip
def view(model: str, out: Path | None, described: str | None, lang: str, **given: Any) -> Answer:
    """Write one HTML file that shows MODEL, or a run saved as RUN.nc; it opens offline.

    A run plays, with its curves. A mechanism is moved by its reader; its equations follow.

    Example: `torseur view slider_crank.yaml -o page.html`, `torseur view run.nc -o run.html`
    """
    from torseur.report.viewer.view import view as written
    from torseur.simulation.run.files import load_run

    if Path(model).suffix.lower() == ".nc":
        mechanism = load_model(described, **given) if described else None
        run = load_run(model)
        page = written(run, out or Path(model).with_suffix(".html"), model=mechanism, lang=lang)
    elif described:
        advice = "Leave --model out, or give RUN.nc."
        raise ModelError(
            "--model", say('"{model}" is not a run: it needs no model.', model), advice
        )
    else:
        mechanism = load_model(model, **given)
        page = written(mechanism, out or file_name(mechanism.name, ".html"), lang=lang)
    text = f"{page}: open it in any browser."
    return Answer(lambda: {"page": str(page)}, text, tells_files=True)
