"""`torseur graph`: the joint graph of a mechanism."""

from pathlib import Path

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.options import out
from torseur.output import file_name
from torseur.words.sentence import say


@model_command(
    "graph",
    out(".svg", ".tex", ".tikz", help="Default: NAME-graph.svg; .tex and .tikz are for LaTeX."),
)
def graph(mechanism: Mechanism, out: Path | None, lang: str) -> Printout:
    """Draw the joint graph of MODEL: joints with freedoms, axes and points; joints that close a
    loop are dashed.

    Example: `torseur graph slider_crank.yaml -o graph.svg`

    Example: `torseur graph stewart_platform.yaml --lang fr -o graph.tex`
    """
    from torseur.report.drawing.graph_drawing import edges
    from torseur.report.drawing.graph_drawing import graph as drawn

    path = out or file_name(mechanism.name, "-graph.svg")
    drawn(mechanism, path, lang=lang)
    closing = [edge.name for edge in edges(mechanism) if edge.closing]
    loops = say("; loops closed by {names}", ", ".join(closing)) if closing else ""
    document = {"name": mechanism.name, "file": str(path), "closing": closing}
    return Printout(lambda: document, say("{file}: written{loops}.", path, loops), tells_files=True)
