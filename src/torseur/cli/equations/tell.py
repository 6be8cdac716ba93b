"""`torseur tell`: the derivation of the equations, step by step."""

from collections.abc import Callable
from functools import partial

import rich_click as click

from torseur.cli.frame.command import Answer, model_command
from torseur.cli.frame.options import option
from torseur.model.description import Mechanism

FORMATS = ("text", "markdown", "latex", "html")


@model_command(
    "tell",
    option(
        "--formalism",
        "lagrange (default), newton-euler, virtual-power, kane, gibbs-appell or hamilton.",
        "F",
        default="lagrange",
    ),
    click.option("--as", "form", type=click.Choice(FORMATS), default="text", help="Output format."),
    option("--standalone", "LaTeX: a whole document, which compiles as it is.", is_flag=True),
)
def tell(mechanism: Mechanism, formalism: str, lang: str, form: str, standalone: bool) -> Answer:
    """Tell how the equations of MODEL are derived: torseurs, energies, virtual motions, equations.

    Each step names its theorem and the hypotheses that it needs, and warns of the traps that lie
    there. LaTeX output is a piece of a document that uses amsmath, or with `--standalone` a whole
    one. HTML is one page that opens without a network.

    Example: `torseur tell simple_pendulum.yaml --formalism virtual-power --lang fr`
    """
    from torseur.teach.tell import tell as told

    found = told(mechanism, formalism, lang)
    written: dict[str, Callable[[], str]] = {
        "text": found.text,
        "markdown": found.markdown,
        "latex": partial(found.latex, standalone),
        "html": found.html,
    }
    return Answer(lambda: found.document, lambda: written[form]().removesuffix("\n"))
