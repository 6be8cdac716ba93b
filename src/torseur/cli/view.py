"""`torseur view`: a self-contained page on which a mechanism or a run moves."""

from pathlib import Path

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import Output
from torseur.errors import ModelError
from torseur.output import file_name


@click.command()
@model_arguments
@click.option("-o", "--out", type=Output(".html", ".htm", direct=True), help="Default: NAME.html.")
@click.option("--model", "described", metavar="MODEL",
              help="The mechanism of a run whose file does not hold it.")  # fmt: skip
@click.option("--lang", type=click.Choice(["en", "fr"]), default="en", help="Language of the page.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def view(
    model: str,
    masses: str | None,
    gravity: str | None,
    out: Path | None,
    described: str | None,
    lang: str,
    as_json: bool,
) -> None:
    """Write one HTML file that shows MODEL, or a run saved as RUN.nc; it opens offline.

    A run plays, with its curves. A mechanism is moved by its reader; its equations follow.

    Example: `torseur view slider_crank.yaml -o page.html`, `torseur view run.nc -o run.html`
    """
    from torseur.report.viewer.view import view as written
    from torseur.simulation.run.files import load_run

    if Path(model).suffix.lower() == ".nc":
        mechanism = load_model(described, masses, gravity) if described else None
        run = load_run(model)
        out = written(run, out or Path(model).with_suffix(".html"), model=mechanism, lang=lang)
    elif described:
        advice = "Leave --model out, or give RUN.nc."
        raise ModelError("--model", f'"{model}" is not a run: it needs no model.', advice)
    else:
        mechanism = load_model(model, masses, gravity)
        out = written(mechanism, out or file_name(mechanism.name, ".html"), lang=lang)
    if as_json:
        say_json({"page": str(out)})
    else:
        click.echo(f"{out}: open it in any browser.")
