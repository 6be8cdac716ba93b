"""Basis of all derivations: torseurs of bodies, virtual twists, words, and shared steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import derivative
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, reachable, substitute
from torseur.algebra.forms.length import length
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.latex import name as latex_name
from torseur.equations.actions.efforts import Efforts
from torseur.equations.actions.sliding import Slides
from torseur.equations.analytical.euler_lagrange import Energies, energies
from torseur.equations.expressions.sampling import independent_rows
from torseur.equations.motion.dependent import in_independent
from torseur.equations.motion.equations import Equations
from torseur.equations.motion.legend import legend
from torseur.equations.motion.parametrisation import chosen_coordinates, in_variables
from torseur.equations.motion.signs_at_start import SignsAtStart, rod_lengths
from torseur.equations.symbols.system import System, system, unit_quaternions
from torseur.errors import TorseurError
from torseur.model.contact.smooth import kept_modes
from torseur.model.description import Mechanism
from torseur.model.values.named_numbers import (
    name_ranks,
    named_numbers,
    with_short_loops,
)
from torseur.named_words import teach_words
from torseur.spatial.torseur import Torseur
from torseur.teach.derivation import traps
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.energy_forms import EnergyForm, as_a_sum, energy_form
from torseur.teach.derivation.hypotheses import GALILEAN, PERFECT, Hypothesis, hypotheses
from torseur.teach.derivation.named_inertia import with_letters
from torseur.teach.derivation.own_axes import OwnAxes
from torseur.teach.derivation.remaining_rotation import RemainingRotation, remaining_rotations
from torseur.teach.derivation.step_formulas import (
    Equation,
    Formula,
    Scalar,
    SymbolLabel,
    TorseurFormula,
    Vector,
    components,
    word,
)
from torseur.teach.derivation.step_formulas import names as names_in_prose
from torseur.words.sentence import marked

Array = np.ndarray
_AXES = "xyz"
_MUCH, _SHORT = 2, 200  # nodes of formulas that are tried along the axes of the ground


@final
class Telling:
    """A mechanism that is being told, in a language."""

    def __init__(
        self,
        mechanism: Mechanism,
        lang: str,
        *,
        without_still: bool = False,
        modes: Mapping[str, str] | None = None,
    ) -> None:
        """`without_still`: leave out what vanishes in all motions that the joints allow.

        `modes`: contacts that keep a mode, "open", "stick" or "slip"; all others are left out.
        """
        short = with_short_loops(mechanism)
        whole, self.letters = with_letters(named_numbers(short))
        in_modes = None if modes is None else kept_modes(whole, modes, "modes")
        self.mechanism = whole if in_modes is None else in_modes.mechanism
        sliding = () if in_modes is None else in_modes.slides
        self.slides = Slides(whole, sliding, signs=True) if sliding else None
        self.lang = lang
        self.words = teach_words(lang)
        self.system: System = system(self.mechanism)
        self.variables = chosen_coordinates(self.system)
        self.described: System = self.variables.reduced  # in the coordinates that are chosen
        self.efforts = Efforts(self.system)
        self.places = self.efforts.places
        self.own = OwnAxes(self.efforts)
        self.signs = SignsAtStart(self.described)
        self.ranks = name_ranks(self.mechanism)
        self._without_still = without_still

    @cached_property
    def energies(self) -> Energies:
        """V, U, R and Q."""
        return energies(self.system)

    @cached_property
    def hypotheses(self) -> tuple[Hypothesis, ...]:
        """With whether they hold."""
        sliding = [] if self.slides is None else [x.name for x in self.slides.parts]
        return hypotheses(self.system, self.energies, self.words, self.lang, sliding)

    def holds(self, code: str) -> bool:
        """Whether a hypothesis holds."""
        return any(x.holds for x in self.hypotheses if x.code == code)

    @cached_property
    def rank(self) -> int:
        """The number of constraints that do not follow from others."""
        return len(independent_rows(self.efforts.held.J, self.mechanism))

    @cached_property
    def _squares(self) -> dict[Expr, Expr]:
        return unit_quaternions(self.system)

    @cached_property
    def _rods(self) -> dict[Expr, Expr]:
        return rod_lengths(self.efforts.held)

    @cached_property
    def still(self) -> dict[Expr, Expr]:
        """Rotations of ball joints that the other joints leave no freedom, each zero."""
        system, rows = self.system, len(self.efforts.held.owners)
        if not self._without_still or not rows or not self._squares or self.variables.changed:
            return {}
        try:
            known = in_independent(system, self.efforts.held, ())
        except TorseurError:  # no formula: as they are
            return {}
        return {x: value for x, value in known.items() if value is ZERO}

    @cached_property
    def turning(self) -> tuple[RemainingRotation, ...]:
        """Ball joints that turn about one axis alone, each with its angle."""
        return tuple(remaining_rotations(self.system, self.still, self.signs))

    def read(self, outputs: Any) -> Any:
        """Formulas as they are best read, in the coordinates that are chosen."""
        if not self.still:
            return self.read_whole(outputs)
        moving = readable(substitute(self.read_whole(outputs), self.still), self._moving_squares)
        for x in self.turning:
            moving = readable(substitute(moving, x.in_angle), x.squares)
        return moving

    @cached_property
    def _moving_squares(self) -> dict[Expr, Expr]:
        """Squares of quaternions without their components that are still."""
        return {w: expression(substitute(x, self.still)) for w, x in self._squares.items()}

    def read_whole(self, outputs: Any) -> Any:
        """Formulas as they are best read, those of what does not move too."""
        substituted = substitute(outputs, self._rods) if self._rods else outputs
        signed = self.signs.without_sizes(expressions(self.variables.written(substituted)))
        readable_forms = readable(signed, self._squares)
        shorter = self.signs.without_sizes(
            readable_forms
        )  # u/sqrt(u²) is a sign only once it is read
        return readable_forms if shorter is readable_forms else readable(shorter, self._squares)

    @property
    def bodies(self) -> dict[str, int]:
        """The bodies with their index in the tree."""
        return self.places.index

    # --- names ------------------------------------------------------------------------------------

    @property
    def speeds(self) -> list[tuple[str, Expr]]:
        """The name of each equation and its speed."""
        return [(x.name.removesuffix("."), x) for x in self.described.v]

    @cached_property
    def rubbing(self) -> Array:
        """Friction of the contacts that slide, along the speeds of joints."""
        assert self.slides is not None, "nothing slides"
        constraints = self.efforts.held
        return self.slides.friction(constraints.owners, constraints.unknowns).generalised

    def projected(self, rows: Any) -> Array:
        """Forces along the speeds of joints as forces along those that are chosen."""
        return expressions(self.variables.B.T @ rows) if self.variables.changed else rows

    def in_chosen(self, equations: Equations) -> Equations:
        """Equations in the coordinates of joints in those that are chosen."""
        return in_variables(equations, self.variables) if self.variables.changed else equations

    def centre(self, body: str) -> SymbolLabel:
        """G of a body."""
        return SymbolLabel(f"G({body})", rf"G_{{{word(body)}}}")

    def of(self, letter: str, body: str, latex: str = "") -> SymbolLabel:
        """A quantity of a body relative to the ground."""
        return SymbolLabel(f"{letter}({body}/0)", rf"{latex or letter}_{{{word(body)}/0}}")

    def torseur(
        self,
        symbol: SymbolLabel,
        value: Torseur,
        letters: tuple[SymbolLabel, SymbolLabel],
        body: str,
    ) -> TorseurFormula:
        """A torseur at G in the axes of a body; each vector along the axes that make it short."""
        R = self.places.rotation(body)
        resultant, moment = (
            Vector(letter, components(vector, body, R, self.read))
            for letter, vector in zip(letters, (value.resultant, value.moment), strict=True)
        )
        return TorseurFormula(symbol, resultant, moment, self.centre(body))

    def torseurs(
        self,
        letter: str,
        of: Callable[[int], Torseur],
        letters: tuple[SymbolLabel, SymbolLabel],
    ) -> list[TorseurFormula]:
        """A torseur of each body at G."""
        return [
            self.torseur(self.of(letter, body, rf"\mathcal{{{letter}}}"), of(i), letters, body)
            for body, i in self.bodies.items()
        ]

    # --- torseurs at G, along the axes of the body ------------------------------------------------

    @cached_property
    def kinematic(self) -> dict[str, Torseur]:
        """{Ω; V(G)} by body."""
        torseurs = {}
        for body, i in self.bodies.items():
            local = self.own.kinematic(i)
            torseurs[body] = Torseur(
                self.read(local.resultant), self.read(local.moment), local.point
            )
        return torseurs

    def virtual(self, body: str, speed: Expr) -> Torseur:
        """{∂Ω/∂q̇; ∂V(G)/∂q̇}."""
        real = self.kinematic[body]
        turning, moving = (derivative(expressions(x), speed) for x in (real.resultant, real.moment))
        return Torseur(turning, moving, real.point)

    def kinetic_energy(self, body: str) -> Expr:
        """½ m V(G)² + ½ Ω · I_G Ω, without the rotors it carries (Koenig)."""
        return as_a_sum(self._energy(body), self.energy_form(body))

    def _energy(self, body: str) -> Expr:
        described, real = self.mechanism.bodies[body], self.kinematic[body]
        w = expressions(real.resultant)
        twice = described.mass * (real.moment @ real.moment) + w @ (described.inertia @ w)
        return expression(self.read(expression(twice) / 2))

    def energy_form(self, body: str) -> EnergyForm | None:
        """The energy of a body by products of speeds and of its rotation; None of a long one."""
        return energy_form(self._energy(body), map(expression, self.kinematic[body].resultant))

    # --- shared steps -----------------------------------------------------------------------------

    def kinematics(self) -> Step:
        """The kinematic torseur of each body at its centre of mass."""
        words, velocity = self.words, SymbolLabel("V(G)", r"\vec{V}(G)")
        torseurs = []
        for body in self.bodies:
            symbol = self.of("V", body, r"\mathcal{V}")
            letters = self.of("Ω", body, r"\vec{\Omega}"), velocity
            torseurs.append(self.torseur(symbol, self.kinematic[body], letters, body))
        warnings = traps.relative_angles(self.system, words) + traps.contact(self.system, words)
        text = [words["kinematics text"]]
        still = [x.name for x in self.still if x.kind == "speed"]
        text += [words["still"].format(names_in_prose(still))] if still else []
        text += [x.sentence(words) for x in self.turning]
        return told_step(words, "kinematics", torseurs, text=text, warnings=warnings)

    def virtual_twists(self, title: str = "virtual twists") -> Step:
        """{∂Ω/∂q̇; ∂V(G)/∂q̇} of each body for each coordinate, those that are not zero."""
        twists = (self._virtual(body, *x) for x in self.speeds for body in self.bodies)
        moving = [twist for twist in twists if not twist.is_nothing]
        return told_step(self.words, title, moving, warnings=traps.imposed(self.system, self.words))

    def _virtual(self, body: str, name: str, speed: Expr) -> TorseurFormula:
        q = latex_name(speed.name)
        symbol = SymbolLabel(
            f"V*_{name}({body})", rf"\mathcal{{V}}^*_{{{latex_name(name)},{word(body)}}}"
        )
        letters = (
            SymbolLabel(f"∂Ω/∂{speed.name}", rf"\partial\vec\Omega/\partial {q}"),
            SymbolLabel(f"∂V(G)/∂{speed.name}", rf"\partial\vec V(G)/\partial {q}"),
        )
        return self.torseur(symbol, self.virtual(body, speed), letters, body)

    def dynamics(self) -> Step:
        """The dynamic torseur of each body at its centre of mass."""
        letters = (
            SymbolLabel("m γ(G)", r"m\vec{\gamma}(G)"),
            SymbolLabel("δ(G)", r"\vec{\delta}(G)"),
        )
        torseurs = self.torseurs("D", self.own.dynamic, letters)
        warnings = traps.moving_point(self.system, self.words)
        return told_step(self.words, "dynamics", torseurs, warnings=warnings)

    # --- equations --------------------------------------------------------------------------------

    def reactions(self, row: int) -> Expr:
        """(Jᵀ λ) of one equation."""
        constraints = self.efforts.held
        if not len(constraints.owners):
            return ZERO
        total = self.projected(constraints.J.T @ np.array(self.efforts.multipliers, dtype=object))[
            row
        ]
        return expression(self.read(expression(total)))

    def balance(
        self, left: Torseur, right: Torseur, of: str = "", at: str = "O", axes: str = "0"
    ) -> Iterator[Equation]:
        """Resultant and moment of two torseurs, component by component, without 0 = 0."""
        sides = (self.read(expressions([*x.resultant, *x.moment])) for x in (left, right))
        along = [f"{x}0" if axes == "0" else f"{x}_{axes}" for x in _AXES]
        names = [self.words["resultant along"].format(x) for x in along]
        names += [self.words["moment along"].format(at, x) for x in along]
        for name, a, b in zip(names, *sides, strict=True):
            if a is not ZERO or b is not ZERO:
                yield Equation(f"{of}{name}", a, b)

    def body_balance(self, body: str) -> list[Equation]:
        """The fundamental principle for a body at G, along its axes or those of the ground."""
        i, R = self.bodies[body], self.places.rotation(body)
        near = self.own.dynamic(i), self.own.acting(i)
        far = [Torseur(R.out(x.resultant), R.out(x.moment), x.point) for x in near]
        ways = [list(self.balance(near[0], near[1], f"{body}, ", "G", body))]
        sizes = [
            len(reachable([expression(y) for x in way for y in (*x.resultant, *x.moment)]))
            for way in (near, far)
        ]
        if sizes[1] <= _MUCH * sizes[0] + _SHORT:
            ways.insert(0, list(self.balance(far[0], far[1], f"{body}, ", "G")))
        return min(ways, key=lambda way: sum(length(x.left) + length(x.right) for x in way))

    def equations(
        self,
        left: Iterable[Any],
        right: Iterable[Any],
        name: str,
        *,
        theorem: str = "",
        needs: tuple[str, ...] = (GALILEAN, PERFECT),
        before: Sequence[Formula] = (),
        after: Sequence[str] = (),
    ) -> Step:
        """left = right + Jᵀ λ for each coordinate; `name` is the key of the formalism's words.

        Formulas may stand before the equations, and sentences after that of the formalism.
        """
        constrained = bool(self.efforts.held.owners)
        rows = []
        for k, ((q, _), a, b) in enumerate(zip(self.speeds, left, right, strict=True)):
            total = expression(b) + self.reactions(k)
            rows.append(Equation(q, self.read(expression(a)), self.read(total)))
        used = free_symbols([y for row in rows for y in (row.left, row.right)])
        unknowns = legend(self.system, self.efforts.held, used)
        meanings = [marked(x.sentence, (f"${n}$" for n in x.names), self.lang) for x in unknowns]
        text = [self.words[f"{name} held" if constrained else f"{name} text"], *after, *meanings]
        return told_step(
            self.words,
            "equations",
            [*before, *rows],
            text=text,
            theorem=theorem or name,
            needs=needs,
            warnings=traps.reactions_left_out(used, self.words),
        )

    def rates(self) -> list[Step]:
        """The equations of first-order states, if there are any."""
        states = self.mechanism.states
        if not states:
            return []
        formulas = [
            self.scalar(f"{name}.", latex_name(f"{name}."), self.efforts.held.opened(x.rate))
            for name, x in states.items()
        ]
        text = self.words["rates text"].format(names_in_prose(states))
        return [told_step(self.words, "rates", formulas, text=[text])]

    def scalar(self, label: str, latex: str, value: Any) -> Scalar:
        """symbol = value, as it is best read."""
        return Scalar(SymbolLabel(label, latex), self.read(expression(value)))
