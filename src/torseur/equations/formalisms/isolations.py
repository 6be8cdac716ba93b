"""Which bodies to isolate, and which of their equations to write, for a wanted unknown or a motion.

Any set of bodies has a resultant along any direction and a moment at any point. Looked at are the
points and the axes of the joints around each connected set, with numbers: which unknowns each
equation has. Sought are few equations with few unknowns that together give the wanted one, or one
relation without any: the "optimised" choice of sub-systems, beside body after body.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import free_symbols, substitute
from torseur.algebra.forms.normal_form import Squares
from torseur.algebra.printing.reading_order import Ranks
from torseur.brief import brief
from torseur.equations.actions.efforts import Efforts
from torseur.equations.actions.efforts_in_modes import efforts_in_modes
from torseur.equations.expressions.tidy import book_text
from torseur.equations.formalisms.isolated import balance
from torseur.equations.formalisms.scalar_equations import EquationChoice, ScalarEquations
from torseur.errors import ModelError, require_known
from torseur.model.contact.smooth import notice_of_left_out
from torseur.model.description import Mechanism
from torseur.notices import noticed
from torseur.plain import document_of, entries
from torseur.spatial.rotation import IDENTITY
from torseur.words.sentence import say, worded

Array = np.ndarray
_SEEDS = 40  # equations from which a system is grown
_SLACK = 2  # equations that it may have more than the best, to lose them again
_SURE = 1e-7  # of what such numbers were solved for


@final
@dataclass(frozen=True)
class Isolation:
    """One scalar equation of some bodies taken together: dynamic = given + joints."""

    __repr__ = brief

    bodies: tuple[str, ...]
    kind: str  # "resultant" or "moment"
    at: str  # the joint where the moment is taken; "" for a resultant
    along: str  # an axis of the ground, "x", or of a joint, "x_A"
    dynamic: Expr
    given: Expr
    joints: Expr
    unknowns: tuple[str, ...]
    ranks: Ranks = field(default_factory=dict)  # the order of symbols in print
    squares: Squares = field(default_factory=dict)  # of unit quaternions

    @property
    def equation(self) -> Expr:
        """Expression that is zero."""
        return self.dynamic - self.given - self.joints

    @property
    def document(self) -> dict[str, Any]:
        """Isolation as plain data."""
        fields = entries(self, "bodies", "kind", "at", "along", "unknowns")
        return {**fields, "equation": self._text(self.equation)}

    def _text(self, x: Expr) -> str:
        return book_text(x, self.ranks, self.squares)

    def __str__(self) -> str:
        equation = " = ".join(map(self._text, (self.dynamic, self.given + self.joints)))
        head = f"{{{', '.join(self.bodies)}}}, {worded(self.kind)}"
        if self.at:
            return say(
                "{head} at {point} along {axis}: {equation}", head, self.at, self.along, equation
            )
        return say("{head} along {axis}: {equation}", head, self.along, equation)


@final
@dataclass(frozen=True)
class Isolations:
    """Systems of few equations: one for a wanted unknown, or one for each equation of motion."""

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    wanted: str  # the unknown; "" for the equations of motion
    systems: tuple[tuple[Isolation, ...], ...]
    notices: tuple[str, ...] = ()

    document = document_of("wanted", "systems", "notices")

    def __str__(self) -> str:
        lines = []
        for k, equations in enumerate(self.systems, 1):
            lines += [self._head(k, equations), *(f"  {x}" for x in equations)]
        return "\n".join([*lines, *noticed(self.notices)])

    def _head(self, k: int, equations: tuple[Isolation, ...]) -> str:
        listed = sorted({name for x in equations for name in x.unknowns} - {self.wanted})
        names, size = ", ".join(listed), len(equations)
        if self.wanted:
            alone = say("{name}: one equation, no other unknown", self.wanted)
            among = say("{name}: {number} equations, with {others}", self.wanted, size, names)
        else:
            alone = say("motion {number}: one equation, no unknown", k)
            among = say("motion {k}: {number} equations, from which {names} go", k, size, names)
        return among if names else alone


def isolations(
    mechanism: Mechanism, unknown: str = "", *, modes: Mapping[str, str] | None = None
) -> Isolations:
    """Bodies to isolate, and equations to write, for an unknown of a joint.

    Unknowns have the names of `isolate`: `Y_A` is the force along y in joint A. Without one, the
    equations of motion are sought: those in which no joint has an unknown, or the smallest systems
    from which the unknowns can be eliminated. `modes` keeps contacts, stops and frictions: "open",
    "stick" or "slip", with f N for the friction of what slides.
    """
    efforts = efforts_in_modes(mechanism, modes).efforts
    numbers = ScalarEquations(efforts)
    if unknown:
        require_known("isolations", "joint unknown", unknown, numbers.unknowns)
        plans = [_for_unknown(numbers, numbers.unknowns.index(unknown))]
    else:
        plans = _for_motion(numbers)
    balances = (
        tuple(_symbolic_equation(efforts, numbers.choices[k], numbers.idle(k)) for k in plan)
        for plan in plans
    )
    driven = say("Nothing is free to move: every equation has an unknown.")
    notices = () if plans else (driven,)
    return Isolations(
        unknown, tuple(balances), (*notices, *notice_of_left_out(efforts.system.mechanism))
    )


# --- few equations that are enough ----------------------------------------------------------------


def _for_unknown(numbers: ScalarEquations, unknown: int) -> list[int]:
    """The equations that give an unknown."""
    if not _determines(numbers.bodywise, unknown):
        problem = say(
            "{name} does not follow from the equations of the bodies: the mechanism is "
            "over-constrained there.",
            numbers.unknowns[unknown],
        )
        hint = "`torseur mobility` shows in which directions; free one of them in a joint."
        raise ModelError("isolations", problem, hint)
    seeds = np.flatnonzero(numbers.has[:, unknown])
    return _best(numbers, seeds, lambda chosen: _determines(numbers.rows[chosen], unknown))


def _determines(rows: Array, unknown: int) -> bool:
    """Whether equations can be added up so that one unknown is left."""
    target = np.eye(rows.shape[1])[unknown]
    weights = np.linalg.lstsq(rows.T, target, rcond=1e-10)[0]
    return bool(np.abs(rows.T @ weights - target).max() < _SURE)


def _for_motion(numbers: ScalarEquations) -> list[list[int]]:
    """Systems that leave a relation without unknowns, as many as there are."""
    plans: list[list[int]] = []
    known = np.zeros((0, len(numbers.bodywise)))  # by the systems found, orthonormal
    for _ in range(len(_without_unknowns(numbers.bodywise))):

        def is_new(chosen: list[int], known: Array = known) -> bool:
            relations = _without_unknowns(numbers.rows[chosen]) @ numbers.mixes[chosen]
            return bool((_beyond(relations, known) > _SURE).any())

        plan = _best(numbers, np.flatnonzero(_beyond(numbers.mixes, known) > _SURE), is_new)
        plans.append(plan)
        relations = _without_unknowns(numbers.rows[plan]) @ numbers.mixes[plan]
        known = np.linalg.svd(np.concatenate([known, relations]), full_matrices=False)[2]
    return plans


def _without_unknowns(rows: Array) -> Array:
    """(relations, rows): how equations are added up so that no unknown is left."""
    left, sizes, _ = np.linalg.svd(rows)
    rank = int((sizes > _SURE).sum())
    return left[:, rank:].T


def _beyond(vectors: Array, known: Array) -> Array:
    """Part of each vector outside the span of orthonormal ones."""
    return np.asarray(np.linalg.norm(vectors - vectors @ known.T @ known, axis=1))


def _best(numbers: ScalarEquations, seeds: Array, enough: Callable[[list[int]], bool]) -> list[int]:
    """The smallest system that is enough, of those that grow from single equations."""
    best: list[int] = []
    cost = None
    closed = np.zeros(len(numbers.unknowns), dtype=bool)  # unknowns among which nothing is found
    tried = 0
    for seed in seeds.tolist():
        seed_bodies = numbers.has[seed]
        if tried == _SEEDS or len(best) == 1:
            break
        if seed_bodies.any() and not (seed_bodies & ~closed).any():
            continue
        grown = _grow_choice(numbers, seed, enough, len(best) + _SLACK if best else None)
        if not enough(grown):
            if not best:  # it went on as far as it could
                closed |= numbers.has[grown].any(axis=0)
            continue
        tried += 1
        plan = _pruned(grown, enough)
        bodies = sum(len(numbers.choices[k].bodies) for k in plan)
        unknowns = int(numbers.has[plan].any(axis=0).sum())
        if cost is None or (len(plan), unknowns, bodies) < cost:
            best, cost = plan, (len(plan), unknowns, bodies)
    return best


def _grow_choice(
    numbers: ScalarEquations, seed: int, enough: Callable[[list[int]], bool], most: int | None
) -> list[int]:
    """Equations added one by one, each with as few new unknowns as there can be.

    It ends where they are enough, or no other has an unknown in common with them.
    """
    chosen, left, has = [seed], numbers.mixes.copy(), numbers.has
    while not enough(chosen) and len(chosen) != most:
        way = left[chosen[-1]] / np.linalg.norm(left[chosen[-1]])
        left -= np.outer(left @ way, way)  # what each equation says beyond those chosen
        met = has[chosen].any(axis=0)
        fits = (has & met).any(axis=1) & (np.linalg.norm(left, axis=1) > _SURE)
        if not fits.any():
            break
        new = np.where(fits, (has & ~met).sum(axis=1), has.shape[1] + 1)
        chosen.append(int(new.argmin()))
    return chosen


def _pruned(plan: list[int], enough: Callable[[list[int]], bool]) -> list[int]:
    """Without the equations that nothing needs, in the order in which they are looked at."""
    for k in list(plan):
        rest = [x for x in plan if x != k]
        if rest and enough(rest):
            plan = rest
    return sorted(plan)


# --- in symbols -----------------------------------------------------------------------------------


def _symbolic_equation(efforts: Efforts, choice: EquationChoice, idle: frozenset[str]) -> Isolation:
    """The equation of a choice in symbols; `idle` are the unknowns that it does not have."""
    names = [name for name, i in efforts.places.index.items() if i in choice.bodies]
    point = np.zeros(3) if choice.at is None else choice.at.frame.p
    R = IDENTITY if choice.frame is None else choice.frame.frame.R
    equation = balance(efforts, tuple(names), (point, R))
    k = choice.axis + (3 if choice.at else 0)
    dynamic, given, joints = (
        expression(x[k]) for x in (equation.dynamic, equation.given, equation.joints)
    )
    # an unknown may seem to be there until quaternions have length 1
    absent = {x: ZERO for x in free_symbols(joints) if x.name in idle}
    joints = expression(substitute(joints, absent))
    axis = "xyz"[choice.axis]
    return Isolation(
        tuple(names),
        "moment" if choice.at else "resultant",
        choice.at.name if choice.at else "",
        axis if choice.frame is None else f"{axis}_{choice.frame.name}",
        dynamic,
        given,
        joints,
        tuple(x.name for x in free_symbols(joints) if x.kind == "input"),
        equation.ranks,
        equation.squares,
    )
