"""Values of a parameter at which an equilibrium appears, vanishes or loses its stability.

They make the constant term of the characteristic polynomial zero (a root passes through zero), two
roots meet where something gyrates, or a cosine reach ±1.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, final

from torseur import notebook
from torseur.algebra.core.expr import Expr, expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.printing import unicode
from torseur.algebra.printing.text import text
from torseur.analyse.letters.answers import Equality
from torseur.analyse.letters.branching import PartlySolved
from torseur.analyse.letters.characteristic import characteristic
from torseur.analyse.letters.check import agreement
from torseur.analyse.letters.closed_forms import rest_problem
from torseur.analyse.letters.polynomials import Quotient, factors_of
from torseur.analyse.letters.putting import powers, used_letters
from torseur.analyse.letters.rest import RestInLetters
from torseur.analyse.letters.written import factored
from torseur.errors import SolveError, require_known
from torseur.model.description import Mechanism
from torseur.model.parameters import values
from torseur.result import Result
from torseur.words.sentence import say

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement


@final
class CriticalValue(Result):
    """A critical value of a parameter, or of its square, and the branch that it belongs to."""

    value: Equality
    reason: str  # "stability" or "existence"
    branch: tuple[Equality, ...]

    @property
    def formula(self) -> Expr:
        """The value of the parameter itself."""
        if self.value.left.op == "pow":
            return expression(self.value.right) ** (1 / expression(self.value.left.value))
        return self.value.right


@final
class CriticalValues(Result, document=("document",)):
    """The critical values of a parameter, each once."""

    _repr_html_ = notebook.preformatted

    parameter: str
    values: tuple[CriticalValue, ...]
    ranks: Mapping[Any, Any]

    def __len__(self) -> int:
        return len(self.values)

    def __getitem__(self, k: int) -> CriticalValue:
        return self.values[k]

    @property
    def formulas(self) -> tuple[Expr, ...]:
        """The values."""
        return tuple(x.formula for x in self.values)

    def __str__(self) -> str:
        def equal(x: Equality) -> str:
            sides = (unicode.unicode_text(y, ranks=dict(self.ranks)) for y in (x.left, x.right))
            return " = ".join(sides)

        lines = []
        for x in self.values:
            where = ", ".join(map(equal, x.branch)) or say("everywhere")
            what = (
                say("stability of {where}", where)
                if x.reason == "stability"
                else say("existence of {where}", where)
            )
            lines.append(f"{equal(x.value)}   ({what})")
        return "\n".join(lines) or say("none")

    @property
    def document(self) -> dict[str, Any]:
        """Formulas as text that can be read back."""
        return {
            "parameter": self.parameter,
            "values": [
                {
                    "left": text(x.value.left),
                    "right": text(x.value.right, ranks=dict(self.ranks)),
                    "reason": x.reason,
                    "branch": {y.name: text(y.right, ranks=dict(self.ranks)) for y in x.branch},
                }
                for x in self.values
            ],
        }


def critical(
    mechanism: Mechanism,
    parameter: str,
    *,
    at: Mapping[str, float] | None = None,
    given: Mapping[str, Any] | Sequence[str] = (),
    turning: Collection[str] = (),
    modes: Mapping[str, str] | None = None,
) -> CriticalValues:
    """The values of a parameter, or of a speed that is held, at which an equilibrium changes.

    `at` chooses the branch by coordinates: {"theta": 0}. `given`, `turning` and `modes` are those
    of `ts.equilibria(…, letters=True)`.
    """
    problem = rest_problem(mechanism, given, turning, modes)
    names = [x.name for x in problem.letters.atoms if x.op == "symbol"]
    require_known("parameter", "letter", [parameter], names)
    chosen = next(x for x in problem.letters.atoms if x.op == "symbol" and x.name == parameter)
    place = problem.letters.place(chosen)
    candidates: list[CriticalValue] = []
    for branch in problem.branches():
        known = problem.read(branch)
        if known is None or known.unsolved or not known.is_at(at or {}):
            continue
        if agreement(problem, branch, known) is None:
            continue
        for value, reason in _values(problem, branch, place):
            one = CriticalValue(value, reason, known.relations)
            if not any(x.value == value and x.reason == reason for x in candidates):
                candidates.append(one)
    # where a branch begins another loses its stability: it is said once
    lost = [x.value for x in candidates if x.reason == "stability"]
    listed = [x for x in candidates if x.reason == "stability" or x.value not in lost]
    if at and not listed:
        raise SolveError(
            f'critical "{parameter}"',
            say("no equilibrium at {at} changes with it.", ", ".join(at)),
            say("Leave out `at` to see all."),
        )
    return CriticalValues(parameter, tuple(listed), problem.lines.formulas.ranks)


def _values(
    problem: RestInLetters, branch: PartlySolved, place: int
) -> Iterator[tuple[Equality, str]]:
    motion = characteristic(problem.letters, problem.matrix, branch)
    if motion is not None and motion.degree:
        tested = [motion.coefficients[0]]
        if motion.even and motion.degree == 4:
            a = motion.coefficients
            tested.append(a[2] ** 2 - 4 * a[0] * a[4])
        for p in tested[: 2 if problem.has_meeting_roots else 1]:
            yield from ((x, "stability") for x in _roots(problem, p, place))
    for p in problem.limits(branch):
        yield from ((x, "existence") for x in _roots(problem, p, place))


def _roots(problem: RestInLetters, p: PolyElement, place: int) -> Iterator[Equality]:
    """The positive values of a letter at which a polynomial vanishes."""
    atom = problem.letters.atoms[place]
    _, listed = factors_of(p)
    for factor, _power in listed:
        parts = powers(factor, place)
        highest = max(parts)
        if not highest or 0 not in parts or set(problem.unknowns) & used_letters(factor):
            continue
        if len(parts) == 2:
            value = Quotient(-parts[0], parts[highest]).lowest
            formula = factored(problem.letters, value)
            if problem.signs.of_quotient(value) > 0 or _is_positive(problem, formula):
                yield Equality(atom**highest, formula)
        elif highest == 2:
            a, b, c = parts[2], parts[1], parts[0]
            one = factor.ring.one
            root = factored(problem.letters, Quotient(b * b - 4 * a * c, one)).sqrt()
            below = factored(problem.letters, Quotient(2 * a, one))
            middle = factored(problem.letters, Quotient(-b, one))
            for sign in (1, -1):
                formula = expression((middle + sign * root) / below)
                if _is_positive(problem, formula):
                    yield Equality(atom, formula)


def _is_positive(problem: RestInLetters, formula: Expr) -> bool:
    """Whether a value is positive at the described parameters; True where they do not say."""
    table = values(problem.lines.mechanism.parameter_table)
    known = {k: x for k, x in table.items() if x is not None}
    if any(x.name not in known for x in free_symbols([formula])):
        return True
    value = float(evaluate(formula, known))
    return value > 0
