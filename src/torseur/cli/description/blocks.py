"""`torseur blocks`: the block diagram of the resolution of a mechanism."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from torseur.cli.frame.command import Answer, model_command, written
from torseur.cli.frame.options import out

if TYPE_CHECKING:
    from torseur.model.description import Mechanism


@model_command("blocks", out(".svg", help="blocks.svg.", default="blocks.svg", show_default=True))
def blocks(mechanism: Mechanism, out: Path, lang: str) -> Answer:
    """Draw how the equations of MODEL are solved: forces, mass matrix, integrators, feedback.

    Example: `torseur blocks slider_crank.yaml -o blocks.svg`
    """
    from torseur.report.drawing.blocks import blocks as drawn

    drawn(mechanism, out, lang)
    return Answer(lambda: {"blocks": str(out)}, written(out), tells_files=True)
