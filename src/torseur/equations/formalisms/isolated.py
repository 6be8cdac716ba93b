"""Newton-Euler for a chosen sub-system: its balance with the unknowns of the joints around it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Any, final

import numpy as np

from torseur import notebook
from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ZERO, Expr, expression
from torseur.algebra.core.graph import expressions, free_symbols, substitute
from torseur.algebra.forms.normal_form import Squares
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.reading_order import Ranks
from torseur.brief import brief
from torseur.equations.actions.efforts import Efforts
from torseur.equations.actions.efforts_in_modes import efforts_in_modes
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.expressions.linear import solve_each
from torseur.equations.expressions.tidy import book_text, collected
from torseur.equations.motion.dependent import in_independent
from torseur.equations.motion.formulas import Formulas
from torseur.equations.symbols.system import unit_quaternions
from torseur.equations.symbols.texts import read_all
from torseur.errors import ModelError, require_known
from torseur.model.contact.smooth import notice_of_left_out
from torseur.model.description import Mechanism
from torseur.model.forces.protocol import GROUND, Attachment
from torseur.model.values.named_numbers import name_ranks
from torseur.notices import noticed
from torseur.spatial.rotation import Rotation
from torseur.spatial.torseur import Torseur
from torseur.words.sentence import say, worded

Array = np.ndarray
At = str | tuple[str, Sequence[Any]]


@final
@dataclass(frozen=True, eq=False)
class Isolated:
    """Dynamic torseur = given torseur + torseur of the joints, for a set of bodies, at one point.

    The first three equations are those of the resultant, the other three those of the moment.
    """

    __repr__ = brief
    _repr_html_ = notebook.preformatted

    bodies: tuple[str, ...]
    dynamic: Array  # (6,) resultant, then moment
    given: Array  # weight and loads, and what motors give through the joints at the border
    joints: Array  # of the unknowns, linear in them (but for the push of teeth apart)
    unknowns: tuple[str, ...]
    ranks: Ranks = field(default_factory=dict)  # the order of symbols in print
    squares: Squares = field(default_factory=dict)  # of unit quaternions
    name: str = ""  # of the mechanism
    notices: tuple[str, ...] = ()

    @property
    def equations(self) -> Array:
        """Expressions that are zero (6,)."""
        return expressions(self.dynamic - self.given - self.joints)

    def matrix(self) -> Array:
        """The coefficients of the unknowns (6 × unknowns)."""
        symbols = {x.name: x for x in free_symbols(self.joints)}
        return np.asarray(jacobian(self.joints, [symbols[name] for name in self.unknowns]))

    def solved(self) -> Formulas:
        """The unknowns that the equations determine, each in a line of its own.

        Accelerations stay in them, as in the equations.
        """
        matrix = self.matrix()
        for x in free_symbols(matrix):
            if x.name in self.unknowns:
                problem = say(
                    "teeth push apart by the size of {name}: unknowns are not linear.", x.name
                )
                raise ModelError("isolate", problem, "A run has them: run.reaction.")
        read = partial(readable, squares=self.squares)
        right = read(expressions(self.dynamic - self.given))
        matrix, right = _kept_to_own_rows(read(matrix), right)
        solution = solve_each(matrix, right, (range(3), range(3, 6)), read)
        known = {name: x for name, x in zip(self.unknowns, solution, strict=True) if x is not None}
        if self.unknowns and not known:
            problem = say(
                "its six equations determine none of {number} unknowns: {names}.",
                len(self.unknowns),
                ", ".join(self.unknowns),
            )
            advice = "Isolate more bodies together; a run has all of them: run.reaction."
            raise ModelError(", ".join(self.bodies), problem, advice)
        empty = Formulas(self.name, "isolate", (), ranks=self.ranks, squares=self.squares)
        return empty.of(known)

    def __str__(self) -> str:
        head = f"{{{', '.join(self.bodies)}}}"
        lines = [say("{head}: {number} unknowns at the border", head, len(self.unknowns))]
        labels = [f"{worded(kind)} {axis}" for kind in ("resultant", "moment") for axis in "xyz"]
        for label, *sides in zip(labels, self.dynamic, self.given, self.joints, strict=True):
            left, *right = (expression(x) for x in sides)
            total = right[0] + right[1]
            if left is not ZERO or total is not ZERO:
                both = (book_text(x, self.ranks, self.squares) for x in (left, total))
                lines.append(f"  {label}: {' = '.join(both)}")
        return "\n".join([*lines, *noticed(self.notices)])


def isolate(
    mechanism: Mechanism,
    bodies: str | Iterable[str] = (),
    *,
    at: At | None = None,
    axes: str = GROUND,
    independent: Sequence[str] | None = None,
    modes: Mapping[str, str] | None = None,
) -> Isolated:
    """Newton-Euler equations of a set of bodies; without names, of all bodies.

    Moments are at a named point of the mechanism, or at (body, position); left out, at the centre
    of mass of a single body and at the origin of the ground for several. `axes` names the body, or
    the ground, along whose axes components are taken. With `independent`, the names of coordinates
    or speeds, loops and other constraints are put in: the equations speak of these alone (an empty
    list takes the first that determine the others). `modes` keeps contacts, stops and frictions:
    "open", "stick" or "slip", with f N for the friction of what slides.
    """
    known = efforts_in_modes(mechanism, modes)
    efforts = known.efforts
    names = (bodies,) if isinstance(bodies, str) else tuple(bodies) or tuple(mechanism.bodies)
    directed = () if axes == GROUND else (axes,)
    require_known("isolate", "body", (*names, *directed), mechanism.bodies)
    point = efforts.places.position(reference(mechanism, at, names))
    put = {}
    if independent is not None:
        put = in_independent(known.moving, constraints_of(known.moving), independent)
    return balance(efforts, names, (point, efforts.places.rotation(axes)), put)


def balance(
    efforts: Efforts,
    names: tuple[str, ...],
    frame: tuple[Array, Rotation],
    put: Mapping[Expr, Expr] = MappingProxyType({}),
) -> Isolated:
    """The six equations of some bodies at a point of the ground, along the axes that R turns.

    Each symbol of `put` is replaced by what it is.
    """
    symbols, (point, R) = efforts.system, frame
    squares = {w: expression(substitute(x, put)) for w, x in unit_quaternions(symbols).items()}

    def written(torseurs: Iterable[Torseur]) -> Array:
        total = np.zeros(6)
        for x in torseurs:
            there = x.at(point)
            total = total + np.array([*R.into(there.resultant), *R.into(there.moment)])
        return expressions(substitute(expressions(total), put))

    # what acts from outside, and what the motion needs
    inside = {efforts.places.index[name] for name in names}
    acting = [(x, side) for x in efforts.transmitted if (side := x.on(inside))]
    joints = written(x.reaction if side > 0 else -x.reaction for x, side in acting)
    loads = [x for i in sorted(inside) for x in (efforts.weight(i), efforts.given(i))]
    driven = [x.driven if side > 0 else -x.driven for x, side in acting]
    dynamic = written(efforts.dynamic(i) for i in sorted(inside))
    reactions = efforts.in_unknowns(joints)
    return Isolated(
        names,
        expressions([collected(x, tuple(symbols.a), tuple(symbols.v)) for x in dynamic]),
        written([*loads, *driven]),
        reactions,
        tuple(x.name for x in free_symbols(reactions) if x.kind == "input"),
        name_ranks(symbols.mechanism),
        squares,
        symbols.mechanism.name,
        notice_of_left_out(symbols.mechanism),
    )


def _kept_to_own_rows(matrix: Array, right: Array) -> tuple[Array, Array]:
    """Rows from which the unknowns are gone that another row gives alone, by a number.

    Friction f N of what slides along x is no reason to find N from more than its own row.
    """
    for k, column in enumerate(matrix.T.copy()):
        others = np.delete(matrix, k, axis=1)
        alone = [
            i
            for i, x in enumerate(column)
            if x is not ZERO and not free_symbols([x]) and all(y is ZERO for y in others[i])
        ]
        if alone and sum(x is not ZERO for x in column[:3]) > 1:
            rest = [i for i in range(len(column)) if i != alone[0]]
            right[rest] = right[rest] - column[rest] * (right[alone[0]] / column[alone[0]])
            matrix[rest, k] = ZERO
    return expressions(matrix), expressions(right)


def reference(mechanism: Mechanism, at: At | None, bodies: Sequence[str]) -> Attachment:
    """The point where moments are taken, or a virtual velocity is given."""
    if at is None:
        alone = len(bodies) == 1
        centre = mechanism.bodies[bodies[0]].centre if alone else np.zeros(3)
        return Attachment(bodies[0] if alone else GROUND, centre)
    if isinstance(at, str):
        require_known("at", "point", at, mechanism.points)
        return Attachment(mechanism.points[at].body, mechanism.points[at].position)
    body, position = at
    require_known("at", "body", body, (*mechanism.bodies, GROUND))
    return Attachment(body, read_all(mechanism, position, "at"))
