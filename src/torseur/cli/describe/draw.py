"""`torseur draw`: the normalised kinematic scheme of a mechanism."""

from pathlib import Path

import rich_click as click

from torseur.cli.frame.command import Mechanism, Printout, model_command, written
from torseur.cli.frame.options import option, out, settings, state_at
from torseur.output import file_name
from torseur.report.schemes.views import VIEWS


@model_command(
    "draw",
    out(".svg", ".tex", ".tikz", help="Default: NAME-scheme.svg; .tex and .tikz are for LaTeX."),
    option("--view", "Viewpoint.", type=click.Choice(VIEWS), default="auto",
           show_default=True),
    click.option("--names/--no-names", default=True, help="Names of joints and bodies."),
    state_at("Coordinate of the pose; default: a pose that reads well."),
    settings(),
)  # fmt: skip
def draw(
    mechanism: Mechanism,
    out: Path | None,
    view: str,
    names: bool,
    at: dict[str, float] | None,
    parameters: dict[str, float],
) -> Printout:
    """Draw the kinematic scheme of MODEL with the symbols of ISO 3952, in its plane or in space.

    Bodies fixed to each other form one class and share a colour.

    Example: `torseur draw slider_crank.yaml -o scheme.svg`

    Example: `torseur draw cardan_shaft.yaml --view perspective --no-names -o exam.tex`
    """
    from torseur.report.schemes.scheme import scheme

    path = out or file_name(mechanism.name, "-scheme.svg")
    scheme(mechanism, path, at, parameters, view=view, names=names)
    return Printout(lambda: {"scheme": str(path)}, written(path), tells_files=True)
