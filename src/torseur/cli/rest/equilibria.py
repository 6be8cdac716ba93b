"""`torseur equilibria`: where a mechanism can rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torseur.cli.frame.command import Printout, model_command, wrench_lines
from torseur.cli.frame.in_letters import (
    KEPT,
    LETTERS,
    TURNING,
    given_letters,
    refuse_without_letters,
)
from torseur.cli.frame.options import REACTIONS, STARTS, option, plot, settings, several
from torseur.cli.frame.settings import FINITE, named_ranges
from torseur.words.sentence import say, worded

if TYPE_CHECKING:
    from torseur.analyse.equilibria.equilibria import Equilibria
    from torseur.analyse.stability.steady import Steady
    from torseur.model.description import Mechanism


@model_command(
    "equilibria",
    several("--box", "box", "Limits of a coordinate.", "NAME=LOW:HIGH", read=named_ranges),
    settings(),
    STARTS,
    option("--prove", "Try to prove that the list is complete.", is_flag=True),
    option("--at-time", "Time at which loads are taken.", "S", name="t", type=FINITE),
    REACTIONS,
    LETTERS,
    TURNING,
    KEPT,
    option("--critical", "Values of a parameter at which an equilibrium changes, as formulas.",
           "NAME", default=""),
    plot("A figure"),
)  # fmt: skip
def equilibria(
    mechanism: Mechanism,
    reactions: bool,
    letters: bool,
    turning: tuple[str, ...],
    letters_given: tuple[str, ...],
    critical: str,
    **options: Any,
) -> Printout:
    """Find the equilibria of MODEL: coordinates, energy, stability and reactions.

    Imposed motions of constant speed continue: the equilibria are then relative to the turning
    part.

    Example: `torseur equilibria double_pendulum.yaml`

    Example: `torseur equilibria ball_governor.yaml --set Omega=12 --box z=0.1:0.4`

    Example: `torseur equilibria even_governor.yaml --letters`

    Example: `torseur equilibria even_governor.yaml --critical Omega`
    """
    from torseur.analyse.equilibria.equilibria import equilibria as found_equilibria

    refuse_without_letters(letters or bool(critical), turning=turning, keep=letters_given)
    if letters or critical:
        return formulas(mechanism, options, critical, given=letters_given, turning=turning)
    return answer(mechanism.name, "equilibria", found_equilibria(mechanism, **options), reactions)


def formulas(
    mechanism: Mechanism, options: dict[str, Any], parameter: str, **question: Any
) -> Printout:
    """Equilibria, or the critical values of a parameter, as formulas."""
    from torseur.analyse.equilibria.equilibria import letters_only
    from torseur.analyse.letters.critical import critical

    values = options.pop("parameters") or {}
    question["given"] = given_letters(question["given"], values)
    if parameter:
        result: Any = critical(mechanism, parameter, **question)
    else:
        numbers = {name: x or None for name, x in options.items()}
        result = letters_only(mechanism, numbers, None, modes=None, **question)
    return Printout(
        lambda: {"name": mechanism.name, **result.document},
        lambda: f"{mechanism.name}{worded(': ')}{result}",
    )


def answer(name: str, what: str, equilibria_found: Equilibria, reactions: bool) -> Printout:
    """Equilibria or steady motions as text and as one document, and their figure."""
    from torseur.plain import entries

    def document() -> dict[str, Any]:
        known = entries(equilibria_found.complete, "word", "reason")
        listed = [_document(x) for x in equilibria_found]
        for one, band in zip(listed, equilibria_found.ranges, strict=False):
            one["rests_by_friction"] = {band.parameter: [band.low, band.high]}
        return {
            "name": name,
            what: listed,
            "complete": known,
            "notices": list(equilibria_found.notices),
        }

    def text() -> str:
        lines = [
            f"{name}{worded(': ')}{len(equilibria_found)} {worded(what.replace('_', ' '))}",
            str(equilibria_found),
        ]
        for k, x in enumerate(equilibria_found if reactions else ()):
            lines.append(
                say("reactions {number}, of the first body on the second, in ground axes:", k + 1)
            )
            lines += wrench_lines(x.reactions)
        return "\n".join(lines)

    return Printout(document, text, equilibria_found.plot)


def _document(x: Steady) -> dict[str, Any]:
    from torseur.plain import entries

    known = entries(x, "coordinates", "speeds", "energy", "effective_energy", "family")
    verdict = {"stable": bool(x.stable), "verdict": str(x.stable)}
    return known | verdict | entries(x, "reactions")
