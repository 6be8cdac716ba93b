"""`torseur blocks`: the block diagram of the resolution of a mechanism."""

from pathlib import Path

from torseur.cli.frame.command import Mechanism, Printout, model_command, written
from torseur.cli.frame.options import out
from torseur.output import file_name


@model_command("blocks", out(".svg", help="Default: NAME-blocks.svg."))
def blocks(mechanism: Mechanism, out: Path | None, lang: str) -> Printout:
    """Draw how the equations of MODEL are solved: forces, mass matrix, integrators, feedback.

    Example: `torseur blocks slider_crank.yaml -o blocks.svg`
    """
    from torseur.report.drawing.block_diagram import blocks as drawn

    path = out or file_name(mechanism.name, "-blocks.svg")
    drawn(mechanism, path, lang)
    return Printout(lambda: {"blocks": str(path)}, written(path), tells_files=True)
