"""The report of a mechanism or of a run: one file that opens without a network, or is printed."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import final

from torseur.errors import ModelError, SolveError, unknown
from torseur.language.packaged import described
from torseur.model.description import Mechanism
from torseur.named_words import counted, dossier_words, report_words
from torseur.output import writable, write_bytes, write_text
from torseur.report.documents import html, latex, typst
from torseur.report.documents.parts import Document, Heading, Paragraph, Part, Parts
from torseur.report.dossier import description, motion
from torseur.report.dossier.derivation import (
    derivation_section,
    equations_section,
    integrals_section,
)
from torseur.report.dossier.mobility import balance_section, mobility_section
from torseur.report.dossier.references import references
from torseur.report.dossier.rest import rest_section
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

    The derivation is told by `formalism`, one of those of `tell`; without one by "lagrange", or
    where that does not apply by "newton-euler". `lang` is "en" or "fr". A section that cannot be
    computed says why. `model` is the mechanism of a saved run whose file does not
    hold it. PDF files need the extra `pdf`. `progress` is told how far it is, from 0 to 1.
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
    made = report_document(subject, formalism, lang, model, progress)
    if ending == ".pdf":
        return write_bytes(place, typst.pdf(made))
    return write_text(place, latex.written(made) if ending == ".tex" else html.page(made))


def report_document(
    subject: Run | SavedRun | Mechanism,
    formalism: str | None = None,
    lang: str | None = None,
    model: Mechanism | None = None,
    progress: Progress | None = None,
) -> Document:
    """The same as a document of typed parts; what is computed for it speaks its language."""
    lang = chosen(lang)
    with speaking(lang):
        return _document(subject, formalism, lang, model, progress)


def _document(
    subject: Run | SavedRun | Mechanism,
    formalism: str | None,
    lang: str,
    model: Mechanism | None,
    progress: Progress | None,
) -> Document:
    mechanism, run = _taken_apart(subject, model)
    words, named = dossier_words(lang), report_words(lang)
    sections = [*_sections(mechanism, run, formalism, lang)]
    parts: list[Part] = []
    for k, section in enumerate(sections):
        if progress is not None:
            progress(k / len(sections))
        parts += section.parts(lang)
    told = described(mechanism.name, mechanism.description, lang)
    lede = [told] if told else []
    bodies, joints = len(content.moving_bodies(mechanism)), len(mechanism.joints)
    sizes = counted(named["1 body|{} bodies"], bodies), counted(named["1 joint|{} joints"], joints)
    lede.append(words["{} linked by {}."].format(*sizes))
    if run is not None:
        ends = (f"{x:g}" for x in run.span)
        lede.append(words["{} samples from {} to {} s."].format(len(run.t), *ends))
    footer = words["footer"].format(__version__)
    return Document(
        mechanism.name, words["Report"], tuple(lede), tuple(parts), footer, words["Contents"], lang
    )


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
            "its file does not hold the mechanism.",
            "Give it: torseur report RUN.nc --model MODEL, or ts.report(…, model=mechanism).",
        )
    return described, None


@final
@dataclass(frozen=True)
class Section:
    """A heading and what follows it; what cannot be computed is told in one sentence."""

    title: Heading | None
    made: Callable[[], Parts]
    refused: str = ""  # why it is not tried

    def parts(self, lang: str) -> Parts:
        """The heading, then the parts, or why there are none."""
        head: Parts = () if self.title is None else (self.title,)
        try:
            found = (Paragraph(self.refused),) if self.refused else self.made()
        except (ModelError, SolveError) as error:
            told = dossier_words(lang)["This is not computed: {}"].format(said(error.problem, lang))
            found = (Paragraph(told),)
        return (*head, *found)


def _sections(
    mechanism: Mechanism, run: Run | None, formalism: str | None, lang: str
) -> Iterator[Section]:
    words = dossier_words(lang)
    few = refusal(mechanism, lang)

    def section(key: str, made: Callable[[], Parts], command: str = "", most: int = FEW) -> Section:
        return Section(Heading(words[key]), made, few(command, most) if command else "")

    def further(made: Callable[[], Parts]) -> Section:
        return Section(None, made)

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
    yield section("Mobility", lambda: mobility_section(mechanism, lang))
    yield further(lambda: balance_section(mechanism, lang))
    told = f"torseur tell MODEL --formalism {formalism or 'lagrange'}"
    yield section("Derivation", lambda: derivation_section(mechanism, formalism, lang), told)
    yield section("Equations", lambda: equations_section(mechanism, lang), "torseur derive MODEL")
    yield section(
        "First integrals",
        lambda: integrals_section(mechanism, lang),
        "torseur first-integrals MODEL",
    )
    rests = "torseur equilibria MODEL"
    yield section(
        "Equilibria and modes", lambda: rest_section(mechanism, lang), rests, _FEW_AT_REST
    )
    yield section("References", lambda: references(formalism))


def refusal(mechanism: Mechanism, lang: str) -> Callable[[str, int], str]:
    """Why what is asked of a large mechanism is left to a command; nothing for others."""
    count = len(mechanism.speeds)

    def told(command: str, most: int) -> str:
        return dossier_words(lang)["too large"].format(count, most, command) if count > most else ""

    return told
