"""Equilibria and steady motions in closed form: lines, branches, and one check of each.

Each branch is compared with the numerical road at several sets of parameters before it is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from torseur.algebra.core.expr import PI, Expr, expression
from torseur.algebra.core.graph import free_symbols
from torseur.analyse.letters.answers import BranchInLetters, Equality, EquilibriaInLetters
from torseur.analyse.letters.branching import PartlySolved
from torseur.analyse.letters.check import agreement, distance
from torseur.analyse.letters.polynomials import NotAlgebraicError
from torseur.analyse.letters.rest import RestInLetters
from torseur.analyse.letters.steady_lines import NoLettersError, SteadyLines, steady_lines
from torseur.equations.symbols.texts import read
from torseur.errors import ModelError, SolveError, require_known
from torseur.model.description import Mechanism
from torseur.words.sentence import say

MOST_COORDINATES = 4  # that are to be found
_UNCOMPARED = (
    "A branch could not be compared with numbers: loops meet themselves there, or none of the "
    "sets tried has it."
)
_WITHHELD = "A branch is left out: its formula differs from the numerical solution."


def in_letters(
    mechanism: Mechanism,
    *,
    given: Mapping[str, Any] | Sequence[str] = (),
    turning: Collection[str] = (),
    modes: Mapping[str, str] | None = None,
) -> EquilibriaInLetters:
    """The equilibria of a mechanism, or its steady motions in which `turning` turn, as formulas.

    `given` names coordinates that stay letters, or gives values of parameters as numbers or texts:
    {"theta": "pi/2", "F": 0}. The speeds of the coordinates that turn are letters; they are sought
    where coordinates are letter_coordinates. Letters stand for positive numbers.
    """
    problem = rest_problem(mechanism, given, turning, modes)
    lines = problem.lines
    solved = [(x, read) for x in problem.branches() if (read := problem.read(x)) is not None]
    nearest = min((x for x, _ in solved), key=lambda x: distance(problem, x), default=None)
    branches, notices = list[BranchInLetters](), list(_notices(problem))
    notices += _unsolved([known for _, known in solved if known.is_long])
    for branch, known in solved:
        if known.is_long:
            continue
        checked = agreement(problem, branch, known)
        if checked is None:
            notices.append(_WITHHELD)
            continue
        if not checked and not known.unsolved:
            notices.append(_UNCOMPARED)
        one = replace(known, checked=checked, at_start=branch is nearest)
        if not any(_mirrored(one, other) for other in branches):
            branches.append(one)
    eliminated = tuple(
        Equality(x, expression(y)) for x, y in lines.known.items() if "t" not in _names(y)
    )
    return EquilibriaInLetters(
        lines.mechanism.name, tuple(branches), tuple(dict.fromkeys(notices)), eliminated
    )


def rest_problem(
    mechanism: Mechanism,
    given: Mapping[str, Any] | Sequence[str],
    turning: Collection[str],
    modes: Mapping[str, str] | None,
) -> RestInLetters:
    """The equations of rest of a mechanism in letters, or why there are none."""
    lines, letter_coordinates, values = _question(mechanism, given, turning, modes)
    try:
        lines.refuse_time()
        count = len(lines.free) - len(letter_coordinates)
        if count > MOST_COORDINATES:
            raise NoLettersError(
                say(
                    "{number} coordinates are to be found.",
                    len(lines.free) - len(letter_coordinates),
                )
            )
        return RestInLetters(lines, values, letter_coordinates)
    except (NoLettersError, NotAlgebraicError) as error:
        raise SolveError(
            say("letters"), say("there is no closed form: {reason}", str(error)), _NUMBERS
        ) from None


def chosen_branch(
    problem: RestInLetters, at: Mapping[str, float] | None
) -> tuple[PartlySolved, BranchInLetters]:
    """The solved branch at named coordinates, or the one nearest to the start."""
    candidates = [
        (x, read)
        for x in problem.branches()
        if (read := problem.read(x)) is not None and not read.unsolved and read.is_at(at or {})
    ]
    if not candidates:
        problem_text = say("no equilibrium with a closed form was found there.")
        raise SolveError(say("letters"), problem_text, _NUMBERS)
    return min(candidates, key=lambda x: distance(problem, x[0]))


def _unsolved(branches: Sequence[BranchInLetters]) -> Iterator[str]:
    """Notice of equilibria that have no closed form."""
    free = {x for one in branches for x in free_symbols(one.unsolved)}
    names = sorted(x.name for x in free if x.kind not in ("parameter", "reaction"))
    if branches:
        yield say(
            "Other equilibria have no closed form: equations of a degree above two are left for "
            "{names}.",
            ", ".join(names),
        )


def _mirrored(one: BranchInLetters, other: BranchInLetters) -> bool:
    """Whether two branches differ by the sign of a right angle only."""

    def key(x: BranchInLetters) -> tuple[object, ...]:
        right = {expression(PI / 2), expression(-PI / 2)}
        relations = tuple((y.left, "right" if y.right in right else y.right) for y in x.relations)
        return relations, x.exists, x.verdict, x.stable, x.characteristic, x.unsolved

    return key(one) == key(other)


_NUMBERS = "Ask for numbers: leave out `letters`."


def _names(x: Expr) -> set[str]:
    return {y.name for y in free_symbols([x])}


def _question(
    mechanism: Mechanism,
    given: Mapping[str, Any] | Sequence[str],
    turning: Collection[str],
    modes: Mapping[str, str] | None,
) -> tuple[SteadyLines, set[str], dict[str, Expr]]:
    """The lines, the coordinates to keep, and the values of parameters."""
    if isinstance(given, str):
        given = (given,)
    values = {k: x for k, x in given.items() if x is not None} if isinstance(given, Mapping) else {}
    try:
        lines = steady_lines(mechanism, turning, modes)
    except NoLettersError as error:
        raise SolveError(
            say("letters"), say("there is no closed form: {reason}", str(error)), _NUMBERS
        ) from None
    coordinates = {x.name for x in lines.s}
    parameters = lines.mechanism.parameter_table
    require_known("given", "coordinate or parameter", given, (*coordinates, *parameters))
    valued = [name for name in values if name in coordinates]
    if valued:
        raise ModelError(
            "given",
            say('"{name}" is a coordinate: letters keep it as a letter.', valued[0]),
            say('Name it without a value: given=["{name}"].', valued[0]),
        )
    read_values = {
        name: expression(read(mechanism, x, f'given "{name}"')) for name, x in values.items()
    }
    return lines, {x for x in given if x in coordinates}, read_values


def _notices(problem: RestInLetters) -> Iterator[str]:
    zeros = ", ".join(sorted(x.name for x in problem.lines.zeros))
    if zeros:
        yield say("With {zeros} = 0, as described.", zeros)
    if problem.stopped:
        yield say("The equations are long: the search ended early, and branches may be missing.")
    nonzero = [x for x in problem.lines.formulas.nonzero if x in problem.lines.known]
    if nonzero:
        listed = ", ".join(x.name for x in nonzero)
        yield say("Other assemblies ({listed} = 0) are not written.", listed)
    if problem.bare:
        listed = ", ".join(sorted(problem.letters.atoms[k].name for k in problem.bare))
        yield say(
            "Where {listed} is not zero it has no closed form: the load is its function.",
            listed,
        )
