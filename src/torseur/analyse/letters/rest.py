"""Polynomial equations of rest of a mechanism, and each branch with conditions and pulsations."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

from torseur.algebra.core.expr import ONE, PI, ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.analyse.letters.answers import BranchInLetters, Equality
from torseur.analyse.letters.branching import PartlySolved, Splitter
from torseur.analyse.letters.characteristic import (
    Characteristic,
    characteristic,
    matrix_quotients,
)
from torseur.analyse.letters.polynomials import Letters, Quotient, factors_of
from torseur.analyse.letters.putting import powers, used_letters
from torseur.analyse.letters.signs import Inequality, Signs
from torseur.analyse.letters.steady_lines import SteadyLines
from torseur.analyse.letters.written import factored, forms, shortest

if TYPE_CHECKING:
    from sympy.polys.rings import PolyElement

_PAGE = 600  # signs of a condition that is written


@final
class RestInLetters:
    """The polynomial equations of rest of some lines, and the formulas of their branches."""

    def __init__(
        self, lines: SteadyLines, given: Mapping[str, Expr], letter_coordinates: Collection[str]
    ) -> None:
        """`given` are values of parameters; `letter_coordinates` stay letters."""
        self.lines = lines
        self.given = given
        self.letter_coordinates = letter_coordinates
        self._values = {x: given[x.name] for x in self._symbols if x.name in given}
        statics = self._with_values(lines.statics)
        matrices = [self._with_values(A) for A in lines.small]
        varying = [x for x in lines.free if x.name not in letter_coordinates]
        pushes = self._with_values(expressions(lines.positive))
        entries = [x for A in matrices for x in A.flat]
        self.letters = Letters([*statics, *entries, *pushes], varying, extra=1)
        self.pushes = [self.letters.quotient(x) for x in pushes]
        self.equations = [self.letters.quotient(x).above for x in statics]
        self.matrices = matrices
        self.matrix = matrix_quotients(self.letters, matrices)
        self.signs = Signs(self.letters, self._positive)
        self.stopped = False  # whether branches may be missing

    @property
    def _symbols(self) -> list[Expr]:
        return [x for x in free_symbols(self.lines.statics) if x.kind == "parameter"] + [
            x for A in self.lines.small for x in free_symbols(A) if x.kind == "parameter"
        ]

    def _with_values(self, outputs: Any) -> Any:
        return substitute(outputs, self._values) if self._values else outputs

    @property
    def _positive(self) -> list[Expr]:
        """Coordinates that are positive at the start, where formulas say so."""
        return [x for x in self.lines.formulas.positive if x.op == "symbol"]

    # --- unknowns -------------------------------------------------------------------------------

    @cached_property
    def unknowns(self) -> list[int]:
        """Coordinates, sines, cosines, multipliers, and speeds where coordinates stay letters."""
        sought = {*self.lines.multipliers}
        if self.letter_coordinates:
            sought |= set(self.lines.turning_speeds)
        atoms = self.letters.atoms
        return [k for k, x in enumerate(atoms) if self.letters.varies(x) or x in sought]

    @cached_property
    def bare(self) -> dict[int, tuple[int, int]]:
        """Angles that stand beside their own sine and cosine: place → cosine, sine."""
        places = {}
        for k in self.unknowns:
            x = self.letters.atoms[k]
            if x.op == "symbol" and self.letters.has(x.cos()):
                places[k] = self.letters.place(x.cos()), self.letters.place(x.sin())
        return places

    @cached_property
    def loads(self) -> list[int]:
        """Forces and couples that are parameters."""
        table = self.lines.mechanism.parameter_table
        return [
            k
            for k, x in enumerate(self.letters.atoms)
            if x.op == "symbol"
            and x.kind == "parameter"
            and getattr(table.get(x.name), "unit", "") in ("N", "N.m", "N m")
        ]

    @cached_property
    def solved_first(self) -> list[int]:
        """The letters for which conditions are solved first: imposed speeds, then loads."""
        laws = {
            x.name
            for value in self.lines.known.values()
            for x in free_symbols([value])
            if x.kind == "parameter"
        }
        table = self.lines.mechanism.parameter_table
        turns = [
            k
            for k, x in enumerate(self.letters.atoms)
            if x in self.lines.turning_speeds
            or (
                x.op == "symbol"
                and x.name in laws
                and getattr(table.get(x.name), "unit", "") in ("rad/s", "1/s")
            )
        ]
        return [*turns, *self.loads]

    def branches(self) -> Iterator[PartlySolved]:
        """The branches; angles beside their sines are zero, or give a load."""
        first = [k for k in self.unknowns if self.letters.atoms[k] in set(self.lines.multipliers)]
        generators = self.letters.generators
        zero = [
            p
            for k, (cosine, sine) in self.bare.items()
            for p in (generators[k], generators[cosine] - 1, generators[sine])
        ]
        splitter = Splitter(self.letters, self.unknowns, first, self.loads)
        yield from splitter.branches([*zero, *self.equations])
        self.stopped |= splitter.stopped
        if len(self.bare) == 1 and self.loads:
            ((angle, pair),) = self.bare.items()
            used = [k for k in self.loads if any(p.degrees()[k] for p in self.equations if p)]
            sought = [k for k in self.unknowns if k not in (angle, *pair)]
            if used:
                curve = Splitter(self.letters, [*sought, used[0]], [*first, used[0]])
                yield from (x for x in curve.branches(self.equations) if used[0] in x.given)
                self.stopped |= curve.stopped

    # --- a branch as a person reads it ----------------------------------------------------------

    def read(self, branch: PartlySolved) -> BranchInLetters | None:
        """A branch with its conditions and its pulsations; None if it cannot exist."""
        exists = self._existence(branch)
        if exists is None or any(branch.vanishes(x.below) for x in branch.given.values()):
            return None
        relations = tuple(self._relations(branch))
        required = tuple(dict.fromkeys(self._required(branch)))
        if len({x.left for x in required}) < len(required):
            return None  # a load cannot have two values
        ranks = self.lines.formulas.ranks
        known = BranchInLetters(relations, exists, required=required, ranks=ranks)
        if branch.left:
            left = tuple(expression(self.letters.expr(p)) for p in branch.left)
            return replace(known, unsolved=left)
        motion = characteristic(self.letters, self.matrix, branch)
        if motion is None or not motion.degree:
            return known
        return self._with_motion(known, branch, motion)

    def _relations(self, branch: PartlySolved) -> Iterator[Equality]:
        """Angles first; an angle of which sine and cosine are known by its value."""
        for place, pair in self._pairs():
            angle = self.letters.atoms[place].args[0]
            yield from self._angle(branch, angle, place, pair)
        for place in branch.given.keys() | branch.squares.keys():
            atom = self.letters.atoms[place]
            if atom.op != "symbol" or atom in set(self.lines.multipliers) or place in self.bare:
                continue
            if place in branch.given:
                yield Equality(atom, factored(self.letters, branch.given[place]))
            else:
                parts = powers(branch.squares[place], place)
                if 1 in parts:
                    continue
                square = Quotient(-parts[0], parts[2])
                yield Equality(atom**2, shortest(self.letters, branch, square))

    def _pairs(self) -> list[tuple[int, int]]:
        return [
            (k, self.letters.place(x.args[0].sin()))
            for k, x in enumerate(self.letters.atoms)
            if x.op == "cos" and k in self.unknowns
        ]

    def _angle(
        self, branch: PartlySolved, angle: Expr, cosine: int, sine: int
    ) -> Iterator[Equality]:
        c, s = branch.given.get(cosine), branch.given.get(sine)
        values = {(1, 0): ZERO, (-1, 0): PI, (0, 1): PI / 2, (0, -1): -PI / 2}
        if c is not None and s is not None:
            pair = tuple(
                int(x.above.LC / x.below.LC) if x.above.is_ground and x.below.is_ground else None
                for x in (c, s)
            )
            pair = tuple(0 if not x.above else y for x, y in zip((c, s), pair, strict=True))
            if pair in values:
                yield Equality(angle, expression(values[pair]))
                return
        for place, value in ((cosine, c), (sine, s)):
            if value is None:
                continue
            other = sine if place == cosine else cosine
            if value.above.degrees()[other] or value.below.degrees()[other]:
                ratio = branch.given[place] * Quotient(
                    self.letters.ring.one, self.letters.generators[other]
                )
                if place == cosine:
                    ratio = ratio.power(-1)
                if ratio.below:
                    yield Equality(angle.tan(), factored(self.letters, ratio.lowest))
                    return
            yield Equality(self.letters.atoms[place], factored(self.letters, value))
            return

    def _required(self, branch: PartlySolved) -> Iterator[Equality]:
        for p in branch.required:
            for load in self.loads:
                parts = powers(p, load)
                if max(parts) == 1:
                    value = Quotient(-parts.get(0, p.ring.zero), parts[1]).lowest
                    yield Equality(self.letters.atoms[load], factored(self.letters, value))
                    break

    def _existence(self, branch: PartlySolved) -> tuple[Inequality, ...] | None:
        """|cos| < 1, squares and lengths that are positive; None if one never holds."""
        conditions = list(self._sizes(branch))
        for p in self.limits(branch):
            known = self.signs.condition(p, self.solved_first)
            if known is None:
                return None
            conditions += known
        return tuple(dict.fromkeys(conditions))

    def _sizes(self, branch: PartlySolved) -> Iterator[Inequality]:
        """|cos| < 1 where no sign is known."""
        for place, value in branch.given.items():
            wave = self.letters.atoms[place].op in ("sin", "cos")
            if not wave or not self._of_parameters(value) or not value.above:
                continue
            if not self.signs.of_quotient(value) and not self.signs.of(value.below):
                yield Inequality(abs(factored(self.letters, value)), "<", ONE)

    def limits(self, branch: PartlySolved) -> Iterator[PolyElement]:
        """Polynomials that are positive where a branch exists."""
        for place, value in branch.given.items():
            atom = self.letters.atoms[place]
            above, below = value.above, value.below
            if atom.op in ("sin", "cos") and self._of_parameters(value):
                sign = self.signs.of_quotient(value)
                if sign:
                    yield (below - sign * above) * below
                elif above and self.signs.of(below):
                    yield (below - above) * below
                    yield (below + above) * below
            elif atom in self._positive and self._of_parameters(value):
                yield above * below
        for place, quadratic in branch.squares.items():
            parts = powers(quadratic, place)
            if self.letters.atoms[place].op == "symbol" and 1 not in parts:
                yield -parts[0] * parts[2]
        for push in self.pushes:
            value = branch.value(push)
            if value.above and not self._unknown_forces & used_letters(value.above * value.below):
                yield value.above * value.below

    @cached_property
    def _unknown_forces(self) -> set[int]:
        """The places of multipliers."""
        present = [x for x in self.lines.multipliers if self.letters.has(x)]
        return {self.letters.place(x) for x in present}

    def _of_parameters(self, value: Quotient) -> bool:
        """Whether a value is not a constant and has no unknowns."""
        used = used_letters(value.above) | used_letters(value.below)
        return bool(used) and not used & set(self.unknowns)

    # --- small motions --------------------------------------------------------------------------

    def _with_motion(
        self, known: BranchInLetters, branch: PartlySolved, motion: Characteristic
    ) -> BranchInLetters:
        """With ω², the characteristic polynomial and what they say of stability."""
        one = self.letters.ring.one
        coefficients = motion.in_squares if motion.even else motion.coefficients
        written = tuple(shortest(self.letters, branch, Quotient(x, one)) for x in coefficients)
        pulsations: list[Expr] = []
        slopes = []
        if motion.even and motion.degree:
            for factor in self._factors(coefficients):
                if len(factor) == 2:
                    square = Quotient(-factor[0], factor[1])
                    pulsations.append(shortest(self.letters, branch, square))
                    slopes.append(square)
        if len(pulsations) < len(coefficients) - 1:
            pulsations = []
        verdict, conditions = self._stability(branch, motion, slopes if pulsations else None)
        return replace(
            known,
            pulsations=tuple(pulsations),
            characteristic=written,
            variable="omega^2" if motion.even else "s",
            families=motion.families,
            verdict=verdict,
            stable=conditions,
        )

    def _factors(self, coefficients: Sequence[PolyElement]) -> list[dict[int, PolyElement]]:
        """The factors of the polynomial in ω², by the powers of each."""
        (w,) = self.letters.extra
        total = self.letters.ring.zero
        for k, x in enumerate(coefficients):
            total += x * w**k if k else x
        place = self.letters.generators.index(w)
        _, listed = factors_of(total)
        return [powers(f, place) for f, e in listed for _ in range(e) if f.degrees()[place] > 0]

    def _stability(
        self, branch: PartlySolved, motion: Characteristic, squares: Sequence[Quotient] | None
    ) -> tuple[str, tuple[Inequality, ...]]:
        tested = squares
        if tested is None:
            tested = self._tests(motion)
        if tested is None:
            return "unknown", ()
        conditions: list[Inequality] = []
        for x in tested:
            ways = list(forms(self.letters, branch, x))
            signs = [sign for y in ways if (sign := self.signs.of_quotient(y))]
            if signs:
                if signs[0] < 0:
                    return "unstable", ()
                continue
            options = [self.signs.condition(y.above * y.below, self.solved_first) for y in ways]
            if any(x is None for x in options):
                return "unstable", ()
            listed = [x for x in options if x]
            if listed:
                shortest = min(listed, key=self._preference)
                if sum(len(x.text()) for x in shortest) > _PAGE:
                    return "unknown", ()
                conditions += shortest
        return ("conditions" if conditions else "stable"), tuple(dict.fromkeys(conditions))

    def _preference(self, conditions: tuple[Inequality, ...]) -> tuple[bool, int]:
        """Conditions on parameters and angles first, then short ones."""
        sides = [y for x in conditions for y in (x.left, x.right)]
        lengths = {self.letters.atoms[k] for k in self.unknowns} - set(self.letters.angles)
        used = any(x in lengths for x in free_symbols(sides))
        return used, sum(len(x.text()) for x in conditions)

    @cached_property
    def has_meeting_roots(self) -> bool:
        """Whether forces follow speeds, or have no potential: pairs of ω² may become complex."""
        n = len(self.lines.s)
        place = self.letters.generators.index(self.letters.extra[0])
        if any(1 in powers(x, place) for x in self.matrix.flat if x):
            return True
        A = self.matrices[0]
        gaps = [A[i, j] - A[j, i] for i in range(len(A)) for j in range(i)]
        return any(self.letters.quotient(x).above for x in gaps) and n > 1

    def _tests(self, motion: Characteristic) -> list[Quotient] | None:
        """Quotients that must be positive: coefficients, and the determinants of Hurwitz."""
        a = motion.coefficients
        one = self.letters.ring.one
        lead = a[-1]
        if motion.even:
            if motion.degree > 4:
                return None
            tests = [Quotient(x, lead) for x in a[:-1:2]]
            if self.has_meeting_roots and motion.degree == 4:
                tests.append(Quotient(a[2] ** 2 - 4 * a[0] * a[4], one))
            return tests
        tests = [Quotient(x, lead) for x in a[:-1]]
        if motion.degree == 3:
            tests.append(Quotient(a[1] * a[2] - a[0] * a[3], one))
        elif motion.degree == 4:
            tests.append(Quotient(a[1] * a[2] * a[3] - a[0] * a[3] ** 2 - a[1] ** 2 * a[4], one))
        elif motion.degree > 4:
            return None
        return tests
