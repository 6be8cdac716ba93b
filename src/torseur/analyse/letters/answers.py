"""Equilibria and steady motions in letters, each with its conditions and its pulsations."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from typing import Any, final

from torseur import notebook
from torseur.algebra.core.expr import PI, Expr, expression
from torseur.algebra.core.graph import evaluate, free_symbols
from torseur.algebra.forms.length import length
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing import latex, unicode
from torseur.algebra.printing.reading_order import Ranks
from torseur.algebra.printing.text import text
from torseur.analyse.letters.signs import Inequality
from torseur.errors import unknown
from torseur.notices import noticed
from torseur.result import Result
from torseur.words.sentence import say

OMEGA_SQUARED = "omega^2"
PERIOD_SQUARED = "T^2"
_SAME = 1e-9  # of a coordinate
_LINES = 80  # signs of relations and equations that are written of what is unsolved
_SHORT = 60  # signs of an equation that is written


@final
class Equality(Result):
    """left = right: the cosine of an angle, a length, the square of a speed, a load."""

    left: Expr
    right: Expr

    @property
    def name(self) -> str:
        """The left side as text."""
        return text(self.left)


@final
class BranchInLetters(Result, document=("document",)):
    """One equilibrium or steady motion, or a pair that differs by the sign of a sine."""

    relations: tuple[Equality, ...]  # coordinates, by what is given
    exists: tuple[Inequality, ...] = ()  # conditions; none: it always exists
    stable: tuple[Inequality, ...] = ()
    verdict: str = "unknown"  # "stable", "unstable", "conditions", "unknown"
    pulsations: tuple[Expr, ...] = ()  # ω², where the characteristic polynomial factors
    characteristic: tuple[Expr, ...] = ()  # coefficients, by increasing power of `variable`
    variable: str = OMEGA_SQUARED  # or "s", where something damps
    families: int = 0  # roots that are zero
    required: tuple[Equality, ...] = ()  # what loads must be
    unsolved: tuple[Expr, ...] = ()  # what must vanish and has no closed form
    checked: int = 0  # parameter sets at which it equals the numerical solution
    at_start: bool = False
    ranks: Ranks = field(default_factory=dict)

    @cached_property
    def formulas(self) -> dict[str, Expr]:
        """Formulas by name: `cos(alpha)`, `z`, `omega^2`; `omega1^2`, … of several."""
        listed = {x.name: x.right for x in (*self.relations, *self.required)}
        listed |= self._period
        if len(self.pulsations) == 1:
            return {**listed, OMEGA_SQUARED: self.pulsations[0]}
        return listed | {f"omega{k}^2": x for k, x in enumerate(self.pulsations, 1)}

    @property
    def _period(self) -> dict[str, Expr]:
        """T² = 4π²/θ̇² of a motion in which one coordinate turns at a speed that is found."""
        speeds = [x for x in self.relations if x.name.removesuffix("^2").endswith(".")]
        if len(speeds) != 1 or speeds[0].right == 0:
            return {}
        (speed,) = speeds
        square = speed.right if speed.name.endswith("^2") else speed.right**2
        return {PERIOD_SQUARED: expression(readable(4 * PI**2 / square))}

    def formula(self, name: str) -> Expr:
        """One formula by name; the name of an angle stands for its cosine or sine."""
        x = self.formula_named(name)
        if x is None:
            raise unknown("formula", "formula", name, list(self.formulas))
        return x

    def formula_named(self, name: str) -> Expr | None:
        """The formula of that name, if the branch has one."""
        keys = (name, f"cos({name})", f"sin({name})", f"tan({name})", f"{name}^2")
        return next((self.formulas[key] for key in keys if key in self.formulas), None)

    @property
    def is_long(self) -> bool:
        """Whether it is unsolved, and what is known of it is longer than two lines."""
        listed = [*self.unsolved, *(x.right for x in self.relations)]
        return bool(self.unsolved) and sum(map(length, listed)) > _LINES

    def is_at(self, place: Mapping[str, float]) -> bool:
        """Whether it has the coordinates that are named, by number."""
        for name, value in place.items():
            matching = [x.right for x in self.relations if x.name == name]
            if not matching or free_symbols(matching):
                return False
            if abs(float(evaluate(matching[0], {})) - value) > _SAME:
                return False
        return True

    def __str__(self) -> str:
        def equal(x: Equality) -> str:
            return f"{self._text(x.left)} = {self._text(x.right)}"

        lines = [", ".join(map(equal, self.relations)) or say("at rest in every position")]
        if self.required:
            lines.append(say("only if {relations}", ", ".join(map(equal, self.required))))
        if self.exists:
            lines.append(say("exists if {conditions}", self._conditions(self.exists)))
        if max(map(length, self.unsolved), default=0) > _SHORT:
            names = sorted({x.name for x in free_symbols(self.unsolved) if x.kind != "parameter"})
            listed = ", ".join(map(unicode.symbol_name, names))
            count = len(self.unsolved)
            lines.append(say("no closed form for {names}: {count} equations", listed, count))
        else:
            for x in self.unsolved:
                lines.append(say("no closed form: {formula} = 0", self._text(x)))
        lines += self._motion_lines()
        return "\n  ".join(lines)

    def _motion_lines(self) -> list[str]:
        lines = []
        names = [n for n in self.formulas if n.startswith("omega") and n.endswith("^2")]
        for name, x in zip(names, self.pulsations, strict=False):
            number = name.removeprefix("omega").removesuffix("^2")
            lines.append(f"ω{unicode.symbol_name('x' + number)[1:]}² = {self._text(x)}")
        if not self.pulsations and self.characteristic:
            lines.append(f"{self._polynomial()} = 0")
        verdicts = {
            "stable": say("stable"),
            "unstable": say("unstable"),
            "conditions": say("stable if {conditions}", self._conditions(self.stable)),
        }
        if self.verdict in verdicts:
            lines.append(verdicts[self.verdict])
        return lines

    def _polynomial(self) -> str:
        """The characteristic polynomial in ω or s, highest power first."""
        squared = self.variable == OMEGA_SQUARED
        letter, step = ("ω", 2) if squared else ("s", 1)
        terms = []
        for k, x in reversed(list(enumerate(self.characteristic))):
            if x == 0:
                continue
            power = "" if not k else f" {letter}{str(k * step).translate(unicode.RAISED)}"
            power = power.replace("¹", "") if k * step == 1 else power
            written = self._text(x)
            whole = not power or not re.search(r" [+−] (?![^(]*\))|/", written)
            terms.append(f"{written}{power}" if whole else f"({written}){power}")
        return " + ".join(terms).replace("+ −", "− ")

    def _conditions(self, listed: tuple[Inequality, ...]) -> str:
        return ", ".join(x.written(self.ranks) for x in listed)

    def _text(self, x: Expr) -> str:
        return unicode.unicode_text(x, ranks=self.ranks)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data: formulas as text that can be read back."""

        def write(x: Expr) -> str:
            return text(x, ranks=self.ranks)

        return {
            "relations": {x.name: write(x.right) for x in self.relations},
            "required": {x.name: write(x.right) for x in self.required},
            "exists": [x.text(self.ranks) for x in self.exists],
            "stable": [x.text(self.ranks) for x in self.stable],
            "verdict": self.verdict,
            "pulsations": [write(x) for x in self.pulsations],
            "characteristic": [write(x) for x in self.characteristic],
            "variable": self.variable,
            "families": self.families,
            "unsolved": [write(x) for x in self.unsolved],
            "checked": self.checked,
            "at_start": self.at_start,
        }

    @property
    def latex_rows(self) -> list[str]:
        """Each formula in LaTeX."""

        def write(x: Expr) -> str:
            return latex.latex(x, ranks=self.ranks)

        rows = [f"{write(x.left)} = {write(x.right)}" for x in (*self.relations, *self.required)]
        rows += [x.latex(self.ranks) for x in self.exists]
        return [*rows, *(rf"\omega^2 = {write(x)}" for x in self.pulsations)]


@final
class EquilibriaInLetters(Result, document=("document",)):
    """All equilibria, or steady motions, that have a closed form, and what has none."""

    _repr_html_ = notebook.preformatted

    name: str
    branches: tuple[BranchInLetters, ...]
    notices: tuple[str, ...] = ()
    eliminated: tuple[Equality, ...] = ()  # coordinates that loops give

    def __iter__(self) -> Any:
        return iter(self.branches)

    def __len__(self) -> int:
        return len(self.branches)

    def __getitem__(self, k: int) -> BranchInLetters:
        return self.branches[k]

    def formula(self, name: str, branch: int | None = None) -> Expr:
        """A formula by name, of a branch by number, or of the first one that has it in letters."""
        if branch is not None:
            return self.branches[branch].formula(name)
        formulas = [x for one in self.branches if (x := one.formula_named(name)) is not None]
        if not formulas:
            known = dict.fromkeys(key for one in self.branches for key in one.formulas)
            raise unknown("formula", "formula", name, list(known))
        return next((x for x in formulas if x.op not in ("number", "constant")), formulas[0])

    def __str__(self) -> str:
        lines = [str(x) for x in self.branches] or [say("none was found")]
        ranks: Mapping[Any, Any] = self.branches[0].ranks if self.branches else {}
        for x in self.eliminated:
            left, right = (unicode.unicode_text(y, ranks=dict(ranks)) for y in (x.left, x.right))
            lines.append(say("with {relation}", f"{left} = {right}"))
        return "\n".join([*lines, *noticed(self.notices)])

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "branches": [x.document for x in self.branches],
            "eliminated": {x.name: text(x.right) for x in self.eliminated},
            "notices": [str(x) for x in self.notices],
        }
