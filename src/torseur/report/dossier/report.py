"""The report of a mechanism or of a run: one file that opens without a network, or is printed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import final

from torseur.analyse.equilibria.equilibria import equilibria
from torseur.analyse.integrals.integrals import first_integrals
from torseur.analyse.mobility.balance import balance
from torseur.analyse.mobility.mobility import mobility
from torseur.errors import ModelError, SolveError, unknown
from torseur.language.packaged import described
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import named_numbers, with_short_loops
from torseur.named_words import counted, dossier_words, report_words
from torseur.output import writable, write_bytes, write_text
from torseur.report.documents import html, latex, typst
from torseur.report.documents.page_parts import (
    Heading,
    Items,
    Paragraph,
    Part,
    Parts,
    PartsDocument,
)
from torseur.report.dossier import description_section as description
from torseur.report.dossier import motion_section as motion
from torseur.report.dossier.derivation import (
    derivation_section,
    equations_section,
    integrals_parts,
)
from torseur.report.dossier.description_section import balance_sheet, mobility_sheet
from torseur.report.dossier.motion_section import equilibria_parts
from torseur.report.pages import content
from torseur.simulation.run.files import SavedRun
from torseur.simulation.run.run import Run
from torseur.teach.tell import FORMALISMS
from torseur.version import __version__
from torseur.words.language import chosen, speaking
from torseur.words.sentence import said, say

ENDINGS = (".html", ".htm", ".tex", ".pdf")
FEW = 12  # speeds of a mechanism whose equations are read by people
_FEW_AT_REST = 5  # speeds up to which a search for all equilibria is a matter of seconds
Progress = Callable[[float], None]

# the sources of the methods by which a report is computed
_LLIBRE = "M. Llibre, Modélisation de la dynamique des systèmes matériels multi-corps, 2009"
_PLAUT = "E. Plaut, Mécanique générale et analytique, ENSEM, 2007"
_BY_FORMALISM = {
    "lagrange": "J.-L. Lagrange, Mécanique analytique, 1788",
    "hamilton": "W. R. Hamilton, On a general method in dynamics, Phil. Trans. R. Soc., 1834",
    "kane": "T. R. Kane, D. A. Levinson, Dynamics: theory and applications, McGraw-Hill, 1985",
    "gibbs-appell": "P. Appell, Traité de mécanique rationnelle, tome II, Gauthier-Villars, 1896",
}


def report(
    subject: Run | SavedRun | Mechanism,
    path: str | os.PathLike[str],
    *,
    formalism: str | None = None,
    lang: str | None = None,
    model: Mechanism | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the report of a mechanism, or of a run with its mechanism, as .html, .tex or .pdf.

    The derivation is by `formalism`, one of those of `tell`; without one by "lagrange", or
    where that does not apply by "newton-euler". `lang` is "en" or "fr". A section that cannot be
    computed says why. `model` is the mechanism of a saved run whose file does not
    hold it. PDF files need the extra `pdf`. `progress` receives the fraction done, from 0 to 1.
    """
    place = writable(path)
    ending = place.suffix.lower()
    if ending not in ENDINGS:
        advice = say("Endings: {endings}.", ", ".join(ENDINGS))
        raise ModelError("report", say('cannot write "{path}".', path), advice)
    if formalism is not None and formalism not in FORMALISMS:
        raise unknown("report", "formalism", formalism, FORMALISMS)
    if ending == ".pdf":
        typst.installed()
    document = report_document(subject, formalism, lang, model, progress)
    if ending == ".pdf":
        return write_bytes(place, typst.pdf(document))
    return write_text(place, latex.written(document) if ending == ".tex" else html.page(document))


def report_document(
    subject: Run | SavedRun | Mechanism,
    formalism: str | None = None,
    lang: str | None = None,
    model: Mechanism | None = None,
    progress: Progress | None = None,
) -> PartsDocument:
    """The report as a document of typed parts, computed in its language."""
    lang = chosen(lang)
    words, parts = dossier_words(lang), list[Part]()
    with speaking(lang):
        mechanism, run = _taken_apart(subject, model)
        sections = [*_sections(mechanism, run, formalism, lang)]
        for k, section in enumerate(sections):
            if progress is not None:
                progress(k / len(sections))
            parts += section.parts(lang)
    lede, footer = _lede(mechanism, run, lang), words["footer"].format(__version__)
    return PartsDocument(
        mechanism.name, words["Report"], lede, tuple(parts), footer, words["Contents"], lang
    )


def _lede(mechanism: Mechanism, run: Run | None, lang: str) -> tuple[str, ...]:
    """Description, counts of bodies and joints, and time span of the run."""
    words, named = dossier_words(lang), report_words(lang)
    description = described(mechanism.name, mechanism.description, lang)
    bodies, joints = len(content.moving_bodies(mechanism)), len(mechanism.joints)
    sizes = counted(named["1 body|{} bodies"], bodies), counted(named["1 joint|{} joints"], joints)
    lede = [*([description] if description else []), words["{} linked by {}."].format(*sizes)]
    if run is not None:
        ends = (f"{x:g}" for x in run.span)
        lede.append(words["{} samples from {} to {} s."].format(len(run.t), *ends))
    return tuple(lede)


def _taken_apart(
    subject: Run | SavedRun | Mechanism, model: Mechanism | None
) -> tuple[Mechanism, Run | None]:
    """The mechanism, and the run if there is one."""
    if isinstance(subject, Mechanism):
        return subject, None
    if isinstance(subject, Run):
        return subject.model.mechanism, subject
    described = subject.mechanism or model
    if described is None:
        raise ModelError(
            "report",
            "its file does not contain the mechanism.",
            "Give it: torseur report RUN.nc --model MODEL, or ts.report(…, model=mechanism).",
        )
    return described, None


@final
@dataclass(frozen=True)
class Section:
    """A heading and its parts; one sentence replaces parts that cannot be computed."""

    title: Heading | None
    made: Callable[[], Parts]
    refused: str = ""  # why it is not tried

    def parts(self, lang: str) -> Parts:
        """The heading, then the parts, or why there are none."""
        head: Parts = () if self.title is None else (self.title,)
        try:
            body = (Paragraph(self.refused),) if self.refused else self.made()
        except (ModelError, SolveError) as error:
            refusal = dossier_words(lang)["Not computed: {}"]
            body = (Paragraph(content.typeset(said, error.problem, lang, within=refusal)),)
        return (*head, *body)


def _sections(
    mechanism: Mechanism, run: Run | None, formalism: str | None, lang: str
) -> Iterator[Section]:
    """The sections in order; loops are cut at the same joints in all of them."""
    words, mechanism = dossier_words(lang), with_short_loops(mechanism)
    few = refusal(mechanism, lang)

    def section(
        key: str, content: Callable[[], Parts], command: str = "", most: int = FEW
    ) -> Section:
        return Section(Heading(words[key]), content, few(command, most) if command else "")

    def further(content: Callable[[], Parts]) -> Section:
        return Section(None, content)

    yield section("Description", lambda: description.scheme(mechanism, lang))
    yield further(lambda: description.graph(mechanism, lang))
    yield further(lambda: description.notices(mechanism, lang))
    yield further(lambda: description.tables(mechanism, lang))
    if run is not None:
        yield section("Motion", lambda: motion.quality(run, lang))
        yield further(lambda: motion.drives(run, lang))
        yield further(lambda: motion.reactions(run, lang))
        yield further(lambda: motion.events(run, lang))
        yield further(lambda: motion.coordinates(run, lang))
    yield section("Mobility", lambda: mobility_sheet(mobility(mechanism), lang))
    yield further(lambda: balance_sheet(balance(mechanism), lang))
    command_line = f"torseur tell MODEL --formalism {formalism or 'lagrange'}"
    yield section(
        "Derivation", lambda: derivation_section(mechanism, formalism, lang), command_line
    )
    yield section("Equations", lambda: equations_section(mechanism, lang), "torseur derive MODEL")
    yield section(
        "First integrals",
        lambda: integrals_parts(first_integrals(named_numbers(mechanism)), lang),
        "torseur first-integrals MODEL",
    )
    yield section(
        "Equilibria and modes",
        lambda: equilibria_parts(equilibria(mechanism), lang),
        "torseur equilibria MODEL",
        _FEW_AT_REST,
    )
    yield section("References", lambda: (Items(tuple(_references(formalism, lang))),))


def _references(formalism: str | None, lang: str) -> Iterator[str]:
    """The scheme, the balance, the formalism, the verdicts on stability, and the program."""
    yield from (dossier_words(lang)["ISO 3952-1"], _LLIBRE)
    source = _BY_FORMALISM.get(formalism or "lagrange")
    yield from (source,) if source else ()
    yield from (_PLAUT, f"Torseur {__version__}")


def refusal(mechanism: Mechanism, lang: str) -> Callable[[str, int], str]:
    """Sentence that refers from a section on a large mechanism to a command; "" otherwise."""
    count = len(mechanism.speeds)

    def sentence(command: str, most: int) -> str:
        words = dossier_words(lang)
        named = command.replace("MODEL", words["MODEL"])
        return words["too large"].format(count, most, named) if count > most else ""

    return sentence
