"""Accelerations and reactions in letters at a state, and what a parameter must be for a condition.

The state is put in first and the linear system M a + h + g = Q + Jᵀ λ, J a + γ = 0 is solved then:
one line where the general formula is longer than a page. A threshold adds a condition on the
solution (a reaction that vanishes, friction at its limit) and a parameter that is sought.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import TIME, ZERO, Expr, expression, number, symbol
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, reachable, substitute
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing import unicode
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.analyse.letters.branching import PartlySolved, Splitter
from torseur.analyse.letters.polynomials import Letters, NotAlgebraicError, Quotient
from torseur.analyse.letters.putting import powers
from torseur.analyse.letters.steady_lines import require_modes
from torseur.analyse.letters.written import factored
from torseur.equations.expressions.sampling import first_independent, sample
from torseur.equations.formalisms.derive import derive_in_modes
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.legend import Meaning, legend
from torseur.equations.symbols.system import symbols_of
from torseur.equations.symbols.texts import names_of, read_text
from torseur.errors import ModelError, SolveError, require_known, unknown
from torseur.language.text.expression import Names
from torseur.model.description import Mechanism
from torseur.model.parameters import values
from torseur.model.values.named_numbers import name_ranks, named_numbers
from torseur.notices import noticed
from torseur.result import Result
from torseur.words.sentence import say

Array = np.ndarray
_RANK = 1e-9  # of the largest singular value
_RELATION = re.compile(r"^(?P<left>[^=<>]+)=(?P<right>[^=<>]+)$")


@final
class FormulasAtState(Result, document=("document",)):
    """Accelerations, reactions and what was sought, at a state."""

    _repr_html_ = notebook.preformatted

    name: str
    values: Mapping[str, Expr]
    ranks: Mapping[Any, Any]
    legend: tuple[Meaning, ...] = ()
    sought: str = ""  # the parameter of a threshold
    notices: tuple[str, ...] = ()

    def formula(self, name: str = "") -> Expr:
        """One formula by name; without a name, that of the parameter that was sought."""
        chosen = name or self.sought
        if chosen not in self.values:
            raise unknown("formula", "formula", chosen, list(self.values))
        return self.values[chosen]

    def __str__(self) -> str:
        order = sorted(self.values, key=lambda x: x != self.sought)
        lines = [
            " = ".join(
                (unicode.symbol_name(x), unicode.unicode_text(self.values[x], ranks={**self.ranks}))
            )
            for x in order
        ]
        named = [x.sentence(map(unicode.symbol_name, x.names)) for x in self.legend]
        return "\n".join([*lines, *named, *noticed(self.notices)])

    @property
    def document(self) -> dict[str, Any]:
        """Formulas as text that can be read back."""
        return {
            "sought": self.sought,
            "formulas": {k: text(x, ranks=dict(self.ranks)) for k, x in self.values.items()},
            "notices": [str(x) for x in self.notices],
        }


@final
@dataclass(frozen=True, eq=False)
class StateLines:
    """The linear equations of accelerations and multipliers at a state."""

    mechanism: Mechanism
    equations: Equations
    zeros: Array  # M a + h + g − Q − Jᵀ λ, then J a + γ, of independent rows
    unknowns: tuple[Expr, ...]
    put: Mapping[Expr, Expr]
    unsettled: tuple[Expr, ...] = ()  # multipliers that equilibrium and motion leave open

    @cached_property
    def names(self) -> Names:
        """The names that conditions may use."""
        return names_of(self.mechanism).also({x.name: x for x in self.unknowns})

    def at(self, x: Any) -> Any:
        """Expressions at the state."""
        return substitute(x, dict(self.put))


def state_lines(
    mechanism: Mechanism, at: Mapping[str, Any], modes: Mapping[str, str] | None
) -> StateLines:
    """The equations of a mechanism at a state, of which some coordinates and speeds are given."""
    require_modes(mechanism, modes)
    named = named_numbers(mechanism)
    equations = derive_in_modes(named, "newton-euler", modes)
    system = equations.system
    require_known("at", "coordinate or speed", at, (*system.coordinates, *system.speeds, TIME.name))
    symbols = {x.name: x for x in (*system.q, *system.v, TIME)}
    put = {
        symbols[k]: expression(read_text(x, names_of(named), f'at "{k}"')) for k, x in at.items()
    }
    put = _attitudes(system, named) | put
    constraints = equations.constraints
    rows, unsettled = _independent(constraints, named)
    lam = expressions(constraints.unknowns)[rows] if rows else expressions([])
    J = constraints.J[rows] if rows else expressions(np.zeros((0, len(system.v))))
    forces = equations.M @ system.a + equations.h + equations.g - equations.Q - J.T @ lam
    dropped = [x for k, x in enumerate(constraints.unknowns) if k not in rows]
    closing = J @ system.a + (constraints.bias[rows] if rows else expressions([]))
    zeros = substitute(expressions([*forces, *closing]), dict.fromkeys(dropped, ZERO))
    put |= _signs(substitute(zeros, put), named, system)
    zeros = expressions(substitute(substitute(zeros, _only(put, "symbol")), _only(put, "sign")))
    return StateLines(named, equations, zeros, (*system.a, *lam), put, unsettled)


def _independent(constraints: Any, named: Mechanism) -> tuple[list[int], tuple[Expr, ...]]:
    """Rows that the others follow from, and the multipliers that motion does not determine."""
    if not len(constraints.owners):
        return [], ()
    J = np.asarray(evaluate(constraints.J, sample(constraints.J, named)), dtype=float)
    rows = first_independent(J)
    left, sizes, _ = np.linalg.svd(J)
    rank = int((sizes > _RANK * max(sizes[0], 1e-300)).sum()) if len(sizes) else 0
    shares = np.abs(left[:, rank:]).max(axis=1, initial=0.0)
    unknowns = expressions(constraints.unknowns)
    return rows, tuple(x for x, share in zip(unknowns, shares, strict=True) if share > _RANK)


def _attitudes(system: Any, named: Mechanism) -> dict[Expr, Expr]:
    """The attitude of the start for joints that have a quaternion."""
    known: dict[Expr, Expr] = {}
    for four in system.quaternions:
        for k, x in enumerate(symbols_of(four, "coordinate")):
            known[x] = expression(named.initial.get(x.name, 0 if k else 1))
    return known


def _only(put: Mapping[Expr, Expr], op: str) -> dict[Expr, Expr]:
    return {x: y for x, y in put.items() if x.op == op}


def _signs(zeros: Array, named: Mechanism, system: Any) -> dict[Expr, Expr]:
    """1 or −1 for the signs of speeds, as they are at the start."""
    known: dict[str, Any] = dict.fromkeys((*system.coordinates, *system.speeds), 0.0)
    known |= {k: 1.0 if x is None else x for k, x in values(named.parameter_table).items()}
    known |= {TIME.name: 0.0}
    initial = {k: expression(x) for k, x in named.initial.items()}
    known |= {k: float(evaluate(x, known)) for k, x in initial.items()}
    signs: dict[Expr, Expr] = {}
    for x in reachable(list(expressions(zeros).flat)):
        if x.op == "sign" and {y.name for y in free_symbols([x])} <= known.keys():
            value = float(evaluate(x.args[0], known))
            if value:
                signs[x] = number(1 if value > 0 else -1)
    return signs


def solved_at(lines: StateLines, conditions: Sequence[Expr], sought: Sequence[Expr]) -> Any:
    """Letters and the solution of the equations with more conditions and unknowns."""
    unknowns = [*lines.unknowns, *sought]
    try:
        more = list(expressions(lines.at(expressions(conditions)))) if conditions else []
        zeros = [*lines.zeros, *more]
        letters = Letters(zeros, ())
        places = [letters.place(x) for x in unknowns if letters.has(x)]
        first = [letters.place(x) for x in lines.unknowns if letters.has(x)]
        splitter = Splitter(letters, places, first)
        equations = [letters.quotient(x).above for x in zeros]
        branches = [x for x in splitter.branches(equations) if not x.left]
    except NotAlgebraicError as error:
        raise SolveError(
            say("letters"),
            say("there is no closed form: {reason}", str(error)),
            say("Name coordinates and speeds of the state: at={{…}}."),
        ) from None
    return letters, branches


def at_state(
    mechanism: Mechanism,
    at: Mapping[str, Any] | None = None,
    *,
    modes: Mapping[str, str] | None = None,
) -> FormulasAtState:
    """Accelerations and reactions of a mechanism as formulas, at a state.

    `at` gives coordinates and speeds as numbers or texts, {"psi": 0, "psi.": 0}; others stay
    letters. `modes` keeps contacts, stops and frictions in a mode.
    """
    return solution_in_letters(state_lines(mechanism, dict(at or {}), modes))


def solution_in_letters(lines: StateLines) -> FormulasAtState:
    """The unknowns of some lines as formulas."""
    letters, branches = solved_at(lines, (), ())
    return _answer(lines, letters, _one(branches, lines), "")


def threshold(
    mechanism: Mechanism,
    condition: str,
    *,
    parameter: str,
    at: Mapping[str, Any] | None = None,
    modes: Mapping[str, str] | None = None,
) -> FormulasAtState:
    """The value of a parameter at which a condition is met: "N_front = 0", "T_road = f*N_road".

    Conditions are separated by commas; they use accelerations ("psi.. = 0") and reactions by
    name. The first unknown that they determine is the parameter; each further condition needs one
    more, named after a comma.
    """
    lines = state_lines(mechanism, dict(at or {}), modes)
    names = [x.strip() for x in parameter.split(",")]
    table = lines.mechanism.parameter_table
    require_known("parameter", "parameter", names, table)
    zeros = [_condition(lines, x) for x in condition.split(",")]
    if len(zeros) != len(names):
        raise ModelError(
            "condition",
            say("{conditions} conditions for {unknowns} parameters.", len(zeros), len(names)),
            "Give as many conditions as parameters, separated by commas.",
        )
    sought = [symbol(x) for x in names]
    letters, branches = solved_at(lines, zeros, sought)
    present = [letters.place(x) for x in sought if letters.has(x)]
    solved = [x for x in branches if all(k in x.given for k in present)]
    if not all(letters.has(x) for x in sought):
        raise SolveError(
            f'threshold of "{names[0]}"',
            say('nothing at this state depends on "{name}".', names[0]),
            "Name another parameter, or another state.",
        )
    return _answer(lines, letters, _one(solved, lines), names[0])


def _condition(lines: StateLines, given: str) -> Expr:
    match = _RELATION.match(given)
    if match is None:
        raise ModelError(
            "condition", say('"{given}" is no equation.', given.strip()), 'Write "N_front = 0".'
        )
    left, right = (read_text(match[x].strip(), lines.names, "condition") for x in match.groupdict())
    return expression(left - right)


def _one(branches: Sequence[PartlySolved], lines: StateLines) -> PartlySolved:
    if not branches:
        raise SolveError(
            f'mechanism "{lines.mechanism.name}"',
            say("the equations at this state have no solution in closed form."),
            say("Name coordinates and speeds of the state: at={{…}}."),
        )
    return branches[0]


def _answer(
    lines: StateLines, letters: Letters, branch: PartlySolved, sought: str
) -> FormulasAtState:
    ranks: Ranks = name_ranks(lines.mechanism)
    formulas = {}
    for place, value in branch.given.items():
        formulas[letters.atoms[place].name] = factored(letters, value)
    for place, quadratic in branch.squares.items():
        parts = powers(quadratic, place)
        b = parts.get(1, quadratic.ring.zero)
        one = quadratic.ring.one
        inside = factored(letters, Quotient(b * b - 4 * parts[2] * parts[0], one))
        root = factored(letters, Quotient(-b, 2 * parts[2])) + inside.sqrt() / factored(
            letters, Quotient(2 * parts[2], one)
        )
        formulas[letters.atoms[place].name] = expression(root)
    solution = {x: formulas[x.name] for x in lines.unknowns if x.name in formulas}
    friction = lines.equations.friction
    for x, rubs in (friction.forces if friction else {}).items():
        at_state = lines.at(lines.at(rubs))
        formulas[x.name] = expression(readable(substitute(expression(at_state), solution)))
    open_names = [x.name for x in lines.unsettled]
    notices = list(_notices(branch, open_names))
    formulas = {name: x for name, x in formulas.items() if name not in open_names}
    order = {x.name: k for k, x in enumerate((*lines.unknowns,))}
    listed = dict(sorted(formulas.items(), key=lambda x: order.get(x[0], -1)))
    constraints = lines.equations.constraints
    reactions = [symbol(x, "reaction") for x in listed]
    meanings = legend(lines.equations.system, constraints, reactions)
    if friction:
        meanings += legend(friction.system, friction.constraints, tuple(friction.forces))
    return FormulasAtState(lines.mechanism.name, listed, ranks, meanings, sought, tuple(notices))


def _notices(branch: PartlySolved, open_names: Sequence[str]) -> Iterator[str]:
    if open_names:
        yield say(
            "{names} are statically indeterminate: no equation of motion gives them.",
            ", ".join(open_names),
        )
    if branch.squares:
        yield say("Of two roots the one with + before the square root is written.")
