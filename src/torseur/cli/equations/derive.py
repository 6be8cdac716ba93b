"""`torseur derive`: the equations of motion of a mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, final

import rich_click as click

from torseur.cli.frame.command import Printout, model_command
from torseur.cli.frame.encoding import in_a_terminal
from torseur.cli.frame.options import option, several
from torseur.cli.frame.settings import named_texts
from torseur.errors import ModelError
from torseur.notices import noticed
from torseur.words.sentence import say

if TYPE_CHECKING:
    from torseur.equations.motion.equations import Equations
    from torseur.equations.motion.formulas import Formulas
    from torseur.model.description import Mechanism

FORMATS = ("unicode", "text", "latex", "sympy", "json")


_CARRIED = say(
    "These equations contain no reactions: no joint closes a loop. `torseur isolations MODEL "
    "--of X_A` finds the equations that give a reaction."
)


@model_command(
    "derive",
    option("--formalism", "newton-euler, lagrange, kane, virtual-power, gibbs-appell, hamilton, "
           "augmented-bodies, uicker or absolute. Default: augmented-bodies for a robot of "
           "revolute and prismatic joints described by a phrase, newton-euler otherwise.", "F",
           default="auto"),
    option("--compare", "Derive by all formalisms and check that the results are equal.",
           name="comparing",
           is_flag=True),
    several("--quasi", "quasi", "Kane: a quasi-velocity, once for each speed.", "U=EXPR"),
    several("--eliminate", "eliminate", "Lagrange: a constraint or imposed motion whose "
            "coordinate is eliminated; =Q names the coordinate.", "NAME[=Q]"),
    option("--input", "Loops in closed form: every coordinate as a function of this one.", "Q",
           name="law_of"),
    option("--solved", "Solve for one acceleration in each line, the others substituted.",
           is_flag=True),
    option("--reactions", "Solve for one acceleration or one reaction in each line.",
           is_flag=True),
    several("--mode", "contact_modes", "A contact fixed in a mode: open, stick or slip.",
            "NAME=MODE"),
    option("--program", "The program of named intermediates, with its cost, instead of the "
           "equations.", is_flag=True),
    click.option("--as", "form", type=click.Choice(FORMATS),
                 help="Output format. Default: unicode in a terminal that supports it, text "
                 "otherwise."),
    option("--standalone", "LaTeX: a complete document that compiles.", is_flag=True),
    option("--of", "Only these outputs, such as M,h,g,Q.", "NAMES", name="output_names"),
)  # fmt: skip
def derive(
    mechanism: Mechanism,
    formalism: str,
    comparing: bool,
    quasi: tuple[str, ...],
    eliminate: tuple[str, ...],
    form: str | None,
    output_names: str | None,
    law_of: str | None,
    solved: bool,
    reactions: bool,
    contact_modes: tuple[str, ...],
    program: bool,
    standalone: bool,
    lang: str,
) -> Printout:
    """Derive the equations of motion M a + h + g = Q of MODEL.

    They are written as in a textbook: one line for each coordinate, then the loop equations. --of
    gives entries of matrices, --solved one acceleration in each line, --reactions the reactions
    too, --program the program that computes them.

    Example: `torseur derive cart_pendulum.yaml`

    Example: `torseur derive "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """
    form = form or ("unicode" if in_a_terminal() else "text")
    if comparing:
        return _comparison(mechanism, form)
    if law_of is not None:
        return _law(mechanism, law_of, form)
    outputs = tuple(name.strip() for name in output_names.split(",")) if output_names else None
    lines = _WantedLines(
        solved or reactions, reactions, named_texts("--mode", contact_modes) or None
    )
    request = _Request(mechanism, formalism, _options(quasi, eliminate), outputs, form, lang, lines)
    for name in outputs or ():
        request.equations.output(name)
    notices = tuple(noticed(request.notices))

    def text() -> str:
        written = request.program() if program or request.is_a_program else request.formulas()
        if form != "latex" or not standalone:
            return written
        return _document(mechanism, written, lang)

    if form in ("text", "unicode"):
        return Printout(request.document, lambda: "\n".join((text(), *notices)))
    return Printout(request.document, text, aside=notices, data=form == "json")


def _comparison(mechanism: Mechanism, form: str) -> Printout:
    """All formalisms, proved equal."""
    from torseur.equations.formalisms.compare import compare

    comparison = compare(mechanism)
    code = 0 if comparison.agree else 1
    return Printout(
        lambda: comparison.document, lambda: str(comparison), code=code, data=form == "json"
    )


def _law(mechanism: Mechanism, coordinate: str, form: str) -> Printout:
    """Loops in closed form."""
    from torseur.analyse.mobility.input_output import input_output

    law = input_output(mechanism, coordinate)
    text = partial(law.text, ascii_only=form != "unicode")
    return Printout(lambda: law.document, text, data=form == "json")


def _document(mechanism: Mechanism, written: str, lang: str) -> str:
    """A whole document of LaTeX."""
    from torseur.named_words import report_words
    from torseur.report.documents.latex import standalone

    return standalone(written, mechanism.name, report_words(lang)["Equations of motion"], lang)


@final
@dataclass(frozen=True)
class _WantedLines:
    """Which lines are written: solved, for reactions too, and with contacts in which modes."""

    solved: bool
    reactions: bool
    modes: dict[str, str] | None


@final
@dataclass(frozen=True)
class _Request:
    """The equations of a mechanism by a formalism, and the ways in which they are written."""

    mechanism: Mechanism
    formalism: str
    options: dict[str, Any]
    outputs: tuple[str, ...] | None
    form: str
    lang: str
    lines: _WantedLines

    @cached_property
    def chosen(self) -> str:
        """The formalism asked for, or the one that reads best."""
        from torseur.model.joints.freedoms import Slide, Turn, only

        if self.formalism != "auto":
            return self.formalism
        if self.options:
            return "kane" if "quasi_velocities" in self.options else "lagrange"
        freedoms = (only(joint.kind.freedoms) for joint in self.mechanism.joints.values())
        simple = all(isinstance(x, Slide | Turn) for x in freedoms)
        return "augmented-bodies" if simple and self.mechanism.phrase else "newton-euler"

    @cached_property
    def equations(self) -> Equations:
        """Equations in the terms of the description."""
        return self._derived(self.mechanism)

    def _derived(self, mechanism: Mechanism) -> Equations:
        from torseur.equations.formalisms.derive import derive_in_modes

        return derive_in_modes(mechanism, self.chosen, self.lines.modes, **self.options)

    def _read(self, described: Mechanism) -> Equations:
        """The equations with letters for gravity and for masses given as numbers."""
        from torseur.model.values.named_numbers import named_numbers

        named = named_numbers(described)
        return self.equations if named is self.mechanism else self._derived(named)

    @cached_property
    def notices(self) -> tuple[str, ...]:
        """Notices of the description and of motions without inertia.

        The latter name joints, so quasi-velocities have none.
        """
        from torseur.equations.motion.diagnosis import inertia_notices

        quasi = "quasi_velocities" in self.options
        described = self.equations.system.mechanism if self.lines.modes else self.mechanism
        inert = () if quasi else inertia_notices(self.equations)
        carried = self.lines.reactions and not self.equations.J.size
        return *described.notices, *inert, *((_CARRIED,) if carried else ())

    def document(self) -> Any:
        """The answer as data."""
        from torseur.report.pages.json_documents import equations_document

        entries = equations_document(self.equations, self.outputs, self.notices)
        return entries | self._lines(self._read(self.mechanism)).document

    def _lines(self, equations: Equations) -> Formulas:
        if not self.lines.solved:
            return equations.formulas()
        return equations.solved(reactions=self.lines.reactions)

    @property
    def is_a_program(self) -> bool:
        """Whether the requested output can only be written as a program."""
        condensed = self.outputs is None and self.chosen == "augmented-bodies"
        return self.form == "sympy" or condensed

    def program(self) -> str:
        """The program of named intermediates, in one of the printed forms."""
        equations, outputs = self.equations, self.outputs
        if self.form == "latex":
            return equations.latex(outputs) if outputs else equations.latex()
        if self.form == "sympy":
            return self._sympy()
        if outputs is None and equations.formalism == "augmented-bodies":
            from torseur.report.pages.listing_1980 import listing

            return listing(equations, lang=self.lang)
        return equations.text(outputs) if outputs else equations.text()

    def _sympy(self) -> str:
        """The matrices, each as SymPy writes it."""
        matrices = self.equations.to_sympy()
        chosen = self.outputs or tuple(matrices)
        missing = [name for name in chosen if name not in matrices]
        if missing:
            problem = say("SymPy output has no {missing}.", missing[0])
            raise ModelError("--of", problem, say("Possible: {choices}.", ", ".join(matrices)))
        return "\n".join(f"{name} = {matrices[name]}" for name in chosen)

    def formulas(self) -> str:
        """The equations as a book writes them, or entries of their matrices."""
        from torseur.model.values.named_numbers import with_short_loops

        as_described = self.options or self.outputs is not None or self.lines.modes
        equations = self._read(self.mechanism if as_described else with_short_loops(self.mechanism))
        written = self._lines(equations)
        entries = {name: equations.output(name) for name in self.outputs or ()}
        if self.chosen == "hamilton" and not entries and not self.lines.solved:
            entries = equations.tables["hamiltonian"].lines
        if self.form == "latex":
            return written.latex(entries)
        return written.text(entries, ascii_only=self.form != "unicode")


def _options(quasi: tuple[str, ...], eliminate: tuple[str, ...]) -> dict[str, Any]:
    """Options of a formalism."""
    pairs = (given.partition("=") for given in eliminate)
    chosen = {name.strip(): coordinate.strip() for name, _, coordinate in pairs}
    options: dict[str, Any] = {"eliminate": chosen} if chosen else {}
    for given in quasi:
        name, equals, text = given.partition("=")
        if not equals:
            raise ModelError(
                "--quasi",
                say('"{given}" is not U=EXPR.', given),
                'For instance: --quasi "u1=q1. + q2.".',
            )
        options.setdefault("quasi_velocities", {})[name.strip()] = text
    return options
