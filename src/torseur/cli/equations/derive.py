"""`torseur derive`: the equations of motion of a mechanism."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.command import Answer, model_command, noticed
from torseur.cli.frame.encoding import speaks_unicode
from torseur.cli.frame.options import option, several
from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.equations.motion.equations import Equations

FORMATS = ("unicode", "text", "latex", "sympy", "json")


@model_command(
    "derive",
    option("--formalism", "newton-euler, lagrange, kane, virtual-power, gibbs-appell, hamilton, "
           "augmented-bodies or uicker. Default: augmented-bodies for a robot of revolute and "
           "prismatic joints described by a phrase, newton-euler otherwise.", "F", default="auto"),
    option("--compare", "Derive by all and prove them equal.", name="comparing", is_flag=True),
    several("--quasi", "quasi", "Kane: a quasi-velocity, once for each speed.", "U=EXPR"),
    several("--eliminate", "eliminate", "Lagrange: a constraint or imposed motion whose coordinate "
            "is put in, or which one is.", "NAME[=Q]"),
    option("--input", "Loops in closed form: every coordinate as a function of this one.", "Q",
           name="law_of"),
    option("--program", "The program of named intermediates, with its cost, instead of the "
           "equations.", is_flag=True),
    click.option("--as", "form", type=click.Choice(FORMATS),
                 help="Output format. Default: unicode in a terminal that has it, text otherwise."),
    option("--standalone", "LaTeX: a whole document, which compiles as it is.", is_flag=True),
    option("--of", "Only these outputs, such as M,h,g,Q.", "NAMES", name="wanted"),
)  # fmt: skip
def derive(
    mechanism: Mechanism,
    formalism: str,
    comparing: bool,
    quasi: tuple[str, ...],
    eliminate: tuple[str, ...],
    form: str | None,
    wanted: str | None,
    law_of: str | None,
    program: bool,
    standalone: bool,
    lang: str,
) -> Answer:
    """Derive the equations of motion M a + h + g = Q of MODEL.

    They are written as in a book, one line for each coordinate, then what loops ask; entries of
    matrices with --of, the program that computes them with --program.

    Example: `torseur derive cart_pendulum.yaml`
    Example: `torseur derive "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """
    from torseur.equations.compare.compare import compare
    from torseur.equations.formalisms.derive import derive as derived
    from torseur.equations.motion.diagnosis import inertia_notices
    from torseur.model.values.named_numbers import named_numbers
    from torseur.model.values.short_loops import with_short_loops
    from torseur.named_words import report_words
    from torseur.report.documents.latex import standalone as latex_document
    from torseur.report.pages.documents import equations_document

    if comparing:
        found = compare(mechanism)
        code = 0 if found.agree else 1
        return Answer(lambda: found.document, lambda: str(found), code=code, data=form == "json")
    if law_of is not None:
        from torseur.analyse.mobility.input_output import input_output

        law = input_output(mechanism, law_of)
        plain = form != "unicode" and not (form is None and _in_a_terminal())
        return Answer(lambda: law.document, lambda: law.text(ascii_only=plain), data=form == "json")
    options = _options(quasi, eliminate)
    form = form or ("unicode" if _in_a_terminal() else "text")
    chosen = _formalism(mechanism, formalism, options)
    equations = derived(mechanism, chosen, **options)
    outputs = tuple(name.strip() for name in wanted.split(",")) if wanted else None
    for name in outputs or ():
        equations.output(name)

    def read(described: Mechanism) -> Equations:
        """The equations with letters for gravity and for masses given as numbers."""
        named = named_numbers(described)
        return equations if named is mechanism else derived(named, chosen, **options)

    # a motion without inertia is told by the joints it is in, which quasi-velocities have none of
    notices = (*mechanism.notices, *(() if quasi else inertia_notices(equations)))
    told = tuple(noticed(notices))

    def document() -> Any:
        return equations_document(equations, outputs, notices) | read(mechanism).formulas().document

    def text() -> str:
        written = bare()
        if form != "latex" or not standalone:
            return written
        return latex_document(
            written, mechanism.name, report_words(lang)["Equations of motion"], lang
        )

    def bare() -> str:
        if program or form == "sympy" or (outputs is None and chosen == "augmented-bodies"):
            return _program(equations, form, outputs, lang)
        kept = options or outputs is not None
        return _read(read(mechanism if kept else with_short_loops(mechanism)), form, outputs)

    if form in ("text", "unicode"):
        return Answer(document, lambda: "\n".join((text(), *told)))
    return Answer(document, text, aside=told, data=form == "json")


def _in_a_terminal() -> bool:
    """Whether somebody reads it who sees every letter."""
    return speaks_unicode() and sys.stdout.isatty()


def _options(quasi: tuple[str, ...], eliminate: tuple[str, ...]) -> dict[str, Any]:
    """What a formalism takes besides the mechanism."""
    pairs = (given.partition("=") for given in eliminate)
    chosen = {name.strip(): coordinate.strip() for name, _, coordinate in pairs}
    options: dict[str, Any] = {"eliminate": chosen} if chosen else {}
    for given in quasi:
        name, equals, text = given.partition("=")
        if not equals:
            raise ModelError(
                "--quasi", say('"{given}" is not U=EXPR.', given), 'Such as "u1=q1. + q2.".'
            )
        options.setdefault("quasi_velocities", {})[name.strip()] = text
    return options


def _formalism(mechanism: Mechanism, formalism: str, options: dict[str, Any]) -> str:
    """The formalism asked for, or the one that reads best."""
    from torseur.model.joints.freedoms import Slide, Turn, only

    if formalism != "auto":
        return formalism
    if options:
        return "kane" if "quasi_velocities" in options else "lagrange"
    freedoms = (only(joint.kind.freedoms) for joint in mechanism.joints.values())
    simple = all(isinstance(x, Slide | Turn) for x in freedoms)
    return "augmented-bodies" if simple and mechanism.phrase else "newton-euler"


def _read(equations: Equations, form: str, outputs: tuple[str, ...] | None) -> str:
    """The equations as a book writes them, or entries of their matrices."""
    written = equations.formulas()
    entries = {name: equations.output(name) for name in outputs or ()}
    if form == "latex":
        return written.latex(entries)
    return written.text(entries, ascii_only=form != "unicode")


def _program(equations: Equations, form: str, outputs: tuple[str, ...] | None, lang: str) -> str:
    """The program of the equations in one of the printed forms."""
    if form == "latex":
        return equations.latex(outputs) if outputs else equations.latex()
    if form == "sympy":
        matrices = equations.to_sympy()
        chosen = outputs or tuple(matrices)
        missing = [name for name in chosen if name not in matrices]
        if missing:
            problem = say("SymPy output has no {missing}.", missing[0])
            raise ModelError("--of", problem, say("Possible: {choices}.", ", ".join(matrices)))
        return "\n".join(f"{name} = {matrices[name]}" for name in chosen)
    if outputs is None and equations.formalism == "augmented-bodies":
        from torseur.report.pages.listing_1980 import listing

        return listing(equations, lang=lang)
    return equations.text(outputs) if outputs else equations.text()
