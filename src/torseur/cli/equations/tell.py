"""`torseur tell`: the derivation of the equations, step by step."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import rich_click as click

from torseur.cli.frame.command import Answer, model_command
from torseur.cli.frame.encoding import in_a_terminal
from torseur.cli.frame.options import option, several

if TYPE_CHECKING:
    from torseur.model.description import Mechanism

FORMATS = ("unicode", "text", "markdown", "latex", "html")


@model_command(
    "tell",
    option(
        "--formalism",
        "lagrange (default), newton-euler, virtual-power, kane, gibbs-appell, hamilton or mampey.",
        "F",
        default="lagrange",
    ),
    several("--isolate", "bodies", "A body of a set that is isolated; once for each.", "BODY"),
    click.option(
        "--as",
        "form",
        type=click.Choice(FORMATS),
        help="Output format. Default: unicode in a terminal that has it, text otherwise.",
    ),
    option("--standalone", "LaTeX: a whole document, which compiles as it is.", is_flag=True),
)
def tell(
    mechanism: Mechanism,
    formalism: str,
    bodies: tuple[str, ...],
    lang: str,
    form: str | None,
    standalone: bool,
) -> Answer:
    """Tell how the equations of MODEL are derived: torseurs, energies, virtual motions, equations.

    Each step names its theorem and the hypotheses that it needs, and warns of the traps that lie
    there. LaTeX output is a piece of a document that uses amsmath, or with `--standalone` a whole
    one. HTML is one page that opens without a network.

    Several bodies are isolated together with `--isolate`: their centre of mass, Koenig's frame, the
    fundamental principle, and the powers from outside and inside.

    Example: `torseur tell slider_crank.yaml --isolate crank --isolate rod`

    Example: `torseur tell simple_pendulum.yaml --formalism virtual-power --lang fr`
    """
    from torseur.teach.tell import tell as told

    found = told(mechanism, formalism, lang, bodies)
    written: dict[str, Callable[[], str]] = {
        "unicode": partial(found.text, ascii_only=False),
        "text": found.text,
        "markdown": found.markdown,
        "latex": partial(found.latex, standalone),
        "html": found.html,
    }
    chosen = form or ("unicode" if in_a_terminal() else "text")
    return Answer(lambda: found.document, lambda: written[chosen]().removesuffix("\n"))
