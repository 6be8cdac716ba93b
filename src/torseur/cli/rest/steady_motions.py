"""`torseur steady-motions`: how a mechanism can move without changing its shape."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from torseur.cli.frame.command import Mechanism, Printout, model_command
from torseur.cli.frame.in_letters import KEPT, LETTERS, given_letters, refuse_without_letters
from torseur.cli.frame.options import REACTIONS, STARTS, plot, settings, several
from torseur.cli.frame.settings import named_numbers
from torseur.cli.rest.equilibria import answer
from torseur.errors import ModelError
from torseur.words.sentence import say, worded


@model_command(
    "steady-motions",
    several("--given", "given", "A coordinate or a constant speed (`psi.=300`); may be repeated.",
            "NAME=VALUE", read=named_numbers),
    several("--turning", "turning", "Coordinate that may turn; default: all cyclic ones."),
    several("--independent", "independent", "A coordinate whose speed is to be constant, where "
            "rolling leaves a choice."),
    settings(),
    STARTS,
    REACTIONS,
    LETTERS,
    KEPT,
    plot("A figure"),
)  # fmt: skip
def steady_motions(
    mechanism: Mechanism,
    reactions: bool,
    letters: bool,
    letters_given: tuple[str, ...],
    **options: Any,
) -> Printout:
    """Find motions of MODEL in which cyclic coordinates turn at constant speeds and the others
    rest.

    Examples: a top in regular precession, a disc that rolls on a circle, a satellite on its orbit.
    Give as many values as the family of motions has parameters; a message says what is missing.

    Example: `torseur steady-motions heavy_top.yaml --given "theta=30 deg" --given psi.=300`

    Example: `torseur steady-motions rolling_disc.yaml --given psi.=1 --given phi.=8`

    Example: `torseur steady-motions heavy_top.yaml --letters --keep theta`
    """
    from torseur.analyse.equilibria.steady_motions import steady_motions as found_motions

    refuse_without_letters(letters, keep=letters_given)
    if letters:
        return _formulas(mechanism, letters_given, found_motions, **options)
    return answer(mechanism.name, "steady_motions", found_motions(mechanism, **options), reactions)


def _formulas(
    mechanism: Mechanism,
    letters_given: tuple[str, ...],
    search: Callable[..., Any],
    *,
    given: dict[str, float] | None,
    parameters: dict[str, float] | None,
    turning: tuple[str, ...],
    independent: tuple[str, ...],
    starts: int | None,
) -> Printout:
    """Steady motions as formulas; what only numbers have is refused."""
    for flag, x in {"--given": given, "--independent": independent, "--starts": starts}.items():
        if x:
            raise ModelError(flag, say("it is for numbers."), say("Leave out --letters."))
    question = given_letters(letters_given, parameters or {})
    result = search(mechanism, question, letters=True, turning=turning)
    return Printout(
        lambda: {"name": mechanism.name, **result.document},
        lambda: f"{mechanism.name}{worded(': ')}{result}",
    )
