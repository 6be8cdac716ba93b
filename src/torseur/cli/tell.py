"""`torseur tell`: the derivation of the equations, step by step."""

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json

FORMATS = ("text", "markdown", "latex")


@click.command()
@model_arguments
@click.option(
    "--formalism",
    default="lagrange",
    metavar="F",
    help="lagrange (default), newton-euler, virtual-power, kane, gibbs-appell or hamilton.",
)
@click.option("--lang", default="en", metavar="en|fr", help="Language; default: en.")
@click.option("--as", "form", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("--json", "as_json", is_flag=True, help="One JSON document on standard output.")
def tell(
    model: str,
    masses: str | None,
    gravity: str | None,
    formalism: str,
    lang: str,
    form: str,
    as_json: bool,
) -> None:
    """Tell how the equations of MODEL are derived: torseurs, energies, virtual motions, equations.

    Each step names its theorem and the hypotheses that it needs, and warns of the traps that lie
    there. LaTeX output is a piece of a document that uses amsmath.

    Example: `torseur tell simple_pendulum.yaml --formalism virtual-power --lang fr`
    """
    from torseur.teach.tell import tell as told

    found = told(load_model(model, masses, gravity), formalism, lang)
    if as_json:
        say_json(found.document)
        return
    written = {"text": found.text, "markdown": found.markdown, "latex": found.latex}
    click.echo(written[form](), nl=False)
