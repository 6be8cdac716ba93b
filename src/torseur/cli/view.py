"""`torseur view`: a self-contained page that shows a mechanism and its equations."""

from pathlib import Path

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json


@click.command()
@model_arguments
@click.option("-o", "--out", type=click.Path(path_type=Path), help="Default: NAME.html.")
@click.option("--lang", type=click.Choice(["en", "fr"]), default="en", help="Language of the page.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def view(
    model: str,
    masses: str | None,
    gravity: str | None,
    out: Path | None,
    lang: str,
    as_json: bool,
) -> None:
    """Write one HTML file with the drawing and the equations of MODEL; it opens offline.

    Example: `torseur view "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever -o arm.html`
    """
    from torseur.report.page import page

    mechanism = load_model(model, masses, gravity)
    out = out or Path(f"{mechanism.name}.html")
    out.write_text(page(mechanism, lang=lang), encoding="utf-8")
    if as_json:
        say_json({"page": str(out)})
    else:
        click.echo(f"{out}: open it in any browser.")
