"""`torseur graph`: the joint graph of a mechanism."""

from pathlib import Path

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.cli.outputs import Output
from torseur.output import write_text


@click.command()
@model_arguments
@click.option("-o", "--out", type=Output(".svg", ".tex", direct=True), default="graph.svg",
              show_default=True, help="graph.svg, or graph.tex for TikZ.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def graph(model: str, masses: str | None, gravity: str | None, out: Path, as_json: bool) -> None:
    """Draw the joint graph of MODEL: bodies, joints, freedoms; joints that close loops dashed.

    Example: `torseur graph slider_crank.yaml -o graph.svg`
    """
    from torseur.report.drawing.joint_graph import edges, graph_svg, graph_tikz

    mechanism = load_model(model, masses, gravity)
    write_text(out, (graph_tikz if out.suffix.lower() == ".tex" else graph_svg)(mechanism))
    closing = [edge.name for edge in edges(mechanism) if edge.closing]
    if as_json:
        say_json({"name": mechanism.name, "file": str(out), "closing": closing})
    else:
        loops = f"; loops closed by {', '.join(closing)}" if closing else ""
        click.echo(f"{out}: written{loops}.")
