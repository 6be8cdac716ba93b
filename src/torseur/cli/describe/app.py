"""`torseur app`: a local page on which a description is written, moved and saved."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import rich_click as click

from torseur.cli.frame.command import Printout, command
from torseur.cli.frame.options import MODEL, load_model, option, tables_folder
from torseur.cli.frame.settings import Whole
from torseur.words.sentence import say


@command(
    "app",
    click.argument("model", required=False),
    *MODEL[1:],
    click.option("--browser/--no-browser", default=True, help="Open the page in the browser."),
    option("--port", "Local port; default: a free one.", "N",
           type=Whole(65535), default=0),
)  # fmt: skip
def app(
    model: str | None,
    masses: str | None,
    gravity: str | None,
    browser: bool,
    port: int,
    lang: str,
) -> Printout:
    """Open a local page in the browser, edit MODEL there and watch the results update.

    MODEL may be an exercise of your own: its questions are then answered on the page. The button
    Exercises lists those of the folder and of the collection. MODEL may also be a link that the
    button Share of the page has made.

    Errors show at their lines as you type; sliders change parameters and the initial state; motion,
    equations, mobility, scheme and joint graph follow. Without MODEL, choose an example or start
    from an empty text. Only this computer can open the page; Ctrl-C ends it.

    Example: `torseur app slider_crank.yaml`

    Example: `torseur app --no-browser`
    """
    from torseur.cli.app.edits import Desk
    from torseur.cli.app.jobs import Jobs
    from torseur.cli.app.server import Server
    from torseur.cli.app.site import AppSite
    from torseur.report.editor.editor_page import scripts
    from torseur.teach.exercises.exercise_reading import is_exercise

    folder = Path(model).parent if model is not None and _is_yaml(model) else Path()
    desk = Desk(folder, lang, tables_folder())
    exercise = model is not None and _is_yaml(model) and is_exercise(Path(model))
    site = AppSite(desk, _opening(None if exercise else model, masses, gravity), Jobs(desk))
    server = Server(site.page, site.answer, port, scripts())
    address = server.address + (f"exercise/{Path(str(model)).name}" if exercise else "")
    text = say("The app is at {address}; press Ctrl-C to stop it.", address)
    return Printout(
        lambda: {"address": address},
        [text],
        afterwards=lambda: serve(server, site.jobs, browser, address),
    )


def serve(server: Any, jobs: Any, browser: bool, address: str = "") -> None:
    """Answer until an interruption; the port is free then, and no process is left."""
    from contextlib import closing
    from threading import Thread
    from webbrowser import open_new_tab

    with server, closing(jobs):
        jobs.start()
        if browser:  # one in the terminal returns when it is left
            Thread(target=open_new_tab, args=(address or server.address,), daemon=True).start()
        server.serve_forever()


def _is_yaml(model: str) -> bool:
    from torseur.language.load import YAML

    return "\n" not in model and model.lower().endswith(YAML)


def _opening(
    model: str | None, masses: str | None, gravity: str | None
) -> Callable[[], dict[str, Any]]:
    """Function that gives the first content of the page; a YAML file is read at each opening."""
    from torseur.cli.app.shared_links import is_link
    from torseur.cli.app.shared_links import opened as opened_link
    from torseur.language.load import read_model

    if model is not None and is_link(model):
        shared = opened_link(model)
        return lambda: shared
    if model is None or not _is_yaml(model) or masses is not None or gravity is not None:
        start = _start(model, masses, gravity)
        return lambda: start
    path = Path(model)
    read_model(path)  # one that is missing is told at once

    def opened() -> dict[str, Any]:
        text = read_model(path)
        return {"file": path.name, "text": text, "masses": "", "known": text}

    return opened


def _start(model: str | None, masses: str | None, gravity: str | None) -> dict[str, Any]:
    """A phrase as it is; the YAML form of what is described otherwise; nothing without a model."""
    from torseur.language.load import is_phrase
    from torseur.output import file_name

    if model is None:
        return {"file": "", "text": None, "masses": "", "known": None}
    mechanism = load_model(model, masses, gravity)
    plain = bool(mechanism.phrase) and is_phrase(model) and gravity is None
    return {
        "file": str(file_name(mechanism.name, ".yaml")),
        "text": model if plain else mechanism.yaml(),
        "masses": (masses or "") if plain else "",
        "known": None,
    }
