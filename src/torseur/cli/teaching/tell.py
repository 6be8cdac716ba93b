"""`torseur tell`: the derivation of the equations, step by step."""

from collections.abc import Callable
from functools import partial

import rich_click as click

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.encoding import in_a_terminal
from torseur.cli.frame.options import option, several
from torseur.cli.frame.settings import named_texts

FORMATS = ("unicode", "text", "markdown", "latex", "html")


@model_command(
    "tell",
    option(
        "--formalism",
        "lagrange (default), newton-euler, virtual-power, kane, gibbs-appell, hamilton or mampey.",
        "F",
        default="lagrange",
    ),
    several("--isolate", "bodies", "Body of the isolated set; once for each.", "BODY"),
    several(
        "--mode", "contact_modes", "A contact that keeps a mode: open, stick or slip.", "NAME=MODE"
    ),
    click.option(
        "--as",
        "form",
        type=click.Choice(FORMATS),
        help="Output format. Default: unicode in a terminal that supports it, text otherwise.",
    ),
    option("--standalone", "LaTeX: a complete document that compiles.", is_flag=True),
)
def tell(
    mechanism: Mechanism,
    formalism: str,
    bodies: tuple[str, ...],
    contact_modes: tuple[str, ...],
    lang: str,
    form: str | None,
    standalone: bool,
) -> Printout:
    """Explain how the equations of MODEL are derived: torseurs, energies, virtual motions,
    equations.

    Each step names its theorem and the hypotheses it needs, and warns of common mistakes. LaTeX
    output is a fragment that uses amsmath, or with `--standalone` a complete document. HTML is one
    page that opens offline.

    `--isolate` isolates several bodies together: their centre of mass, Koenig's frame, the
    fundamental principle, and the external and internal powers.

    Example: `torseur tell slider_crank.yaml --isolate crank --isolate rod`

    Example: `torseur tell simple_pendulum.yaml --formalism virtual-power --lang fr`
    """
    from torseur.teach.tell import tell as told

    modes = named_texts("--mode", contact_modes) or None
    derivation = told(mechanism, formalism, lang, bodies, modes)
    written: dict[str, Callable[[], str]] = {
        "unicode": partial(derivation.text, ascii_only=False),
        "text": derivation.text,
        "markdown": derivation.markdown,
        "latex": partial(derivation.latex, standalone),
        "html": derivation.html,
    }
    chosen = form or ("unicode" if in_a_terminal() else "text")
    return Printout(lambda: derivation.document, lambda: written[chosen]().removesuffix("\n"))
