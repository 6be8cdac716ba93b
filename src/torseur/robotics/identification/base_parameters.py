"""Base parameters: the combinations of inertial and other parameters that forces depend on.

What a body cannot show is given to the body that carries it (Gautier and Khalil, 1990; Mayeda,
Yoshida and Osuka, 1990). Which parts these are is seen in the regressor at random states, where
combinations of columns vanish (Gautier, 1991); they are then moved by symbols, so that the formulas
hold for every value of the parameters that leaves the directions of the axes as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ONE, ZERO, Expr, expression, symbol
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.text import text
from torseur.equations.functions.regressor import (
    INERTIAL,
    inertia_of,
    ten_parameters,
)
from torseur.errors import require_known
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.checks.mechanism_checks import require_coordinates
from torseur.model.description import Mechanism
from torseur.model.values.numbers import Values
from torseur.result import Result
from torseur.robotics.states import random_states, regressor
from torseur.spatial.inertia import Inertia
from torseur.spatial.pose import Pose
from torseur.topology.tree import Tree
from torseur.words.sentence import say

Array = np.ndarray
_TEN = len(INERTIAL)
_UPPER = np.array([[4, 5, 6], [5, 7, 8], [6, 8, 9]])  # places of K among m, h and its upper half
# What a body gives away first, where it is free to choose: Iyy rather than Ixx.
GIVEN_FIRST = [INERTIAL.index(x) for x in ("m", "mz", "my", "mx", "Iyy", "Izz", "Ixx")] + [5, 6, 8]
LENGTHS = np.array([0, 1, 1, 1, 2, 2, 2, 2, 2, 2])  # powers of a length in `INERTIAL`
SMALLEST = 1e-9  # of the largest singular value: below, a combination is taken for zero
_ROUND = 1e-7  # how near a coefficient is to a simple fraction that it stands for
_DENOMINATOR = 12
_ROWS_A_COLUMN = 3
_LONGEST = 100  # denominator of a fraction that is written as such
_REGROUPED = {*INERTIAL, *(f"{x}R" for x in INERTIAL)}


@final
class BaseParameters(
    Result, document=("names", "formulas", "values", "standard", "grouping", "invisible", "known")
):
    """The parameters that can be found from forces, and what each regroups.

    An inertial one is named after what it is in the frame of the joint that carries the body; an R
    says that parts of other parameters are regrouped into it.
    """

    names: tuple[str, ...]
    formulas: tuple[str, ...]  # in `standard`, such as "Izz[link1] + l1^2*m[link2]"
    values: Array  # (base) at the values of the description; what has none is nan
    standard: tuple[str, ...]  # the columns of the regressor
    grouping: Array  # (base, standard): values = grouping @ standard parameters
    columns: Array  # (standard, base): regressor of the base parameters = regressor @ columns
    known: tuple[str, ...] = ()  # those of `standard` that are not looked for

    def __len__(self) -> int:
        return len(self.names)

    def __str__(self) -> str:
        standard = len(self.standard) - len(self.known)
        lines = [say("{number} base parameters of {standard}", len(self), standard)]
        pairs = zip(self.names, self.formulas, strict=True)
        lines += [f"  {parameter_text(name)} = {formula}" for name, formula in pairs]
        if self.invisible:
            lines.append(
                say("no motion shows: {names}", ", ".join(map(parameter_text, self.invisible)))
            )
        return "\n".join(lines)

    @property
    def inertial(self) -> int:
        """Number of inertial parameters."""
        return sum(name.partition(" of ")[0] in _REGROUPED for name in self.names)

    @property
    def invisible(self) -> tuple[str, ...]:
        """Parameters that no motion shows, alone or with others."""
        visible = np.abs(self.grouping).max(axis=0, initial=0.0) > 0
        pairs = zip(self.standard, visible, strict=True)
        return tuple(name for name, is_seen in pairs if not is_seen and name not in self.known)


def parameter_text(name: str) -> str:
    """A parameter of a body, such as "mx of arm", in the language that is spoken."""
    what, of, body = name.partition(" of ")
    return say("{what} of {body}", what, body) if of else name


def base_parameters(
    mechanism: Mechanism | CompiledModel, *, known: Sequence[str] = ()
) -> BaseParameters:
    """The base parameters of a tree of bodies, by formula and by number.

    `known` names columns of the regressor that keep the values of the description; forces that are
    not proportional to coefficients are known always.
    """
    model = compiled_at(mechanism)
    require_coordinates(model.mechanism, say("base parameters"))
    require_known("known", "parameter", known, model.regressor_names)
    whole = (column.name for column in model.regressor_columns if column.whole)
    given = tuple(dict.fromkeys((*whole, *known)))
    table = sampled_columns(model)
    candidates = [*_of_bodies(model, table), *_others(model, given)]
    return _independent(model, table, candidates, given)


def sampled_columns(model: CompiledModel) -> Array:
    """The regressor at random states, as virtual work so that rows are comparable."""
    names, nv = len(model.regressor_names), len(model.speeds)
    states = random_states(model, _ROWS_A_COLUMN * names // nv + 8)
    Y = regressor(model, states) * model.sizes.displacements[:, np.newaxis]
    return np.asarray(Y.reshape(-1, names))


# --- regrouping ---------------------------------------------------------------------------------


@final
@dataclass(frozen=True, eq=False)
class _Candidate:
    """A parameter that may be a base parameter."""

    name: str
    parts: tuple[Expr, ...]  # its coefficient for each standard parameter
    column: Array  # (standard): what it is, as standard parameters
    unit: Expr = ONE  # what its share in others is a simple multiple of

    def with_more(self, other: _Candidate, share: Fraction | float) -> _Candidate:
        """Candidate with a share of another regrouped into it."""
        factor = _decimal(other.unit * share)
        parts = (x + factor * y for x, y in zip(self.parts, other.parts, strict=True))
        what, _, whose = self.name.partition(" of ")
        name = f"{what.removesuffix('R')}R of {whose}" if what in _REGROUPED else self.name
        return replace(self, name=name, parts=tuple(parts))


def _decimal(x: Expr) -> Expr:
    """A factor as people write it: a number that is no simple fraction by its digits."""
    if x.op != "number" or Fraction(x.value[1]).limit_denominator(_LONGEST) == x.value[1]:
        return x
    return expression(float(x.value[1]))


def _of_bodies(model: CompiledModel, table: Array) -> Iterator[_Candidate]:
    """Parameters left to each body after regrouping those it does not show."""
    visible, tree = _VisibleParameters(model, table), model.system.tree
    for (i, link), shares in zip(tree, _regrouped(tree, visible), strict=True):
        for k in range(_TEN):
            if k in visible.moved[i]:
                continue
            column = np.zeros(len(model.regressor_names))
            column[_ten(i)] = visible.units[i][:, k]
            parts = [ZERO] * len(column)
            for standard, ten in shares.items():
                parts[standard] = ten.get(k, ZERO)
            alone = sum(x is not ZERO for x in parts) == 1 and parts[_TEN * i + k] is ONE
            name = f"{INERTIAL[k]}{'' if alone else 'R'} of {link.name}"
            yield _Candidate(name, tuple(parts), column)


_Sparse = dict[int, Expr]  # entries that are not zero, by their places


def _regrouped(tree: Tree, visible: _VisibleParameters) -> list[dict[int, _Sparse]]:
    """For each body, what every standard parameter adds to the ten that are left to it.

    The coefficients of an inertia (m, h, K) move as the inertia does: what a body gives away goes
    to its carrier.
    """
    units = [Inertia(u[0], u[1:4], u[_UPPER]) for u in np.eye(_TEN, dtype=int)]
    shares: list[dict[int, _Sparse]] = []
    for i, link in tree:
        parts = (inertia_of(list(unit)).seen_from(link.X_MB) for unit in np.eye(_TEN, dtype=int))
        shares.append({_TEN * i + k: _entries(body) for k, body in enumerate(parts)})
    for i, link in tree.backwards():
        away = [_entries(visible.given(i, unit)) for unit in units]
        carried = [_entries(unit.seen_from(link.X_PF)) for unit in units]
        for standard, inertia in shares[i].items():
            given = _combined(away, inertia)
            if not given:
                continue
            less = {k: inertia.get(k, ZERO) - x for k, x in given.items()}
            shares[i][standard] = _not_zero(inertia | less)
            if link.parent >= 0:
                shares[link.parent][standard] = _combined(carried, given)
    ten = [_not_zero(dict(enumerate(expressions(ten_parameters(unit))))) for unit in units]
    return [{k: _combined(ten, x) for k, x in parts.items()} for parts in shares]


def _entries(body: Inertia) -> _Sparse:
    """m, h and the upper half of K."""
    half = body.K[np.triu_indices(3)]
    return _not_zero(dict(enumerate(expressions([body.m, *body.h, *half]))))


def _combined(columns: Sequence[_Sparse], shares: _Sparse) -> _Sparse:
    """The sum of columns, each as often as its share says."""
    total: _Sparse = {}
    for k, x in shares.items():
        for j, y in columns[k].items():
            total[j] = total.get(j, ZERO) + y * x
    return _not_zero(total)


def _not_zero(entries: _Sparse) -> _Sparse:
    return {k: x for k, x in entries.items() if x is not ZERO}


class _VisibleParameters:
    """Parameters of each body that the columns show, in the frame of its joint."""

    def __init__(self, model: CompiledModel, table: Array) -> None:
        number, length = numbers_of(model), model.sizes.scales.length
        links = model.system.tree.links
        scale = length ** LENGTHS.astype(float)
        self.units = [moved_parameters(link.X_MB.inverse.numeric(number)) for link in links]
        columns = [table[:, _ten(i)] @ unit for i, unit in enumerate(self.units)]
        self.moved: list[dict[int, Array]] = []
        for i, link in enumerate(links):
            carried = np.zeros_like(columns[i])
            if link.parent >= 0:
                carried = columns[link.parent] @ moved_parameters(link.X_PF.numeric(number))
            size = float(np.linalg.norm(columns[i] * scale, 2))
            result = relations((columns[i] - carried) * scale, GIVEN_FIRST, size)
            self.moved.append({k: c * scale / scale[k] for k, c in result.items()})

    def given(self, i: int, inertia: Inertia) -> Inertia:
        """The part of the inertia of body i that its carrier can have instead."""
        ten, part = ten_parameters(inertia), [ZERO] * _TEN
        for k, c in self.moved[i].items():
            part = [x + n * ten[k] for x, n in zip(part, simple(c), strict=True)]
        return inertia_of(part)


def numbers_of(model: CompiledModel) -> Callable[[Any], float]:
    """Function that evaluates expressions of model parameters; nan where they have no value."""
    value = Values(model.parameters)

    def number(x: Any) -> float:
        result = value(x)
        return float("nan") if result is None else result

    return number


def moved_parameters(X: Pose) -> Array:
    """Matrix that takes the ten parameters of a body from B to A (10, 10)."""
    units = (inertia_of(list(unit)).seen_from(X) for unit in np.eye(_TEN))
    return np.array([ten_parameters(unit) for unit in units], dtype=float).T


def pseudo_inertia(ten: Array) -> Array:
    """[K h; hᵀ m] of ten parameters that have values (4, 4)."""
    return np.array(inertia_of(ten.tolist()).pseudo, dtype=float)


def _ten(i: int) -> slice:
    return slice(_TEN * i, _TEN * (i + 1))


def _others(model: CompiledModel, known: Collection[str]) -> Iterator[_Candidate]:
    """Rotors, friction and coefficients of forces, which stand for themselves."""
    names, first = model.regressor_names, len(model.inertial_names)
    ratios = [link.rotor.ratio**2 for _, link in model.system.tree if link.rotor is not None]
    units = [*map(expression, ratios), *[ONE] * len(names)]
    for k, name in enumerate(names[first:], first):
        if name not in known:
            unit = np.eye(len(names))[k]
            parts = tuple(ONE if x else ZERO for x in unit)
            yield _Candidate(name, parts, unit, units[k - first])


# --- independent parameters ---------------------------------------------------------------------


def _independent(
    model: CompiledModel, table: Array, candidates: list[_Candidate], known: tuple[str, ...]
) -> BaseParameters:
    """Candidates whose columns depend on those of others are regrouped into these."""
    columns = np.column_stack([x.column for x in candidates])
    number = numbers_of(model)
    norms = np.linalg.norm(table @ columns, axis=0)
    size = 1 / np.where(norms > SMALLEST * norms.max(initial=0.0), norms, 1.0)
    result = relations(table @ columns * size, range(len(candidates) - 1, -1, -1))
    independent = {k: x for k, x in enumerate(candidates) if k not in result}
    for gone, c in result.items():
        lost = candidates[gone]
        shares = c * size / size[gone] / number(lost.unit)
        for k, share in enumerate(simple(shares)):
            if k in independent and share:
                independent[k] = independent[k].with_more(lost, -share)
    grouping = np.array([[number(x) for x in one.parts] for one in independent.values()])
    standard = model.regressor_names
    return BaseParameters(
        tuple(x.name for x in independent.values()),
        tuple(_formula(x.parts, standard) for x in independent.values()),
        grouping @ described_values(model),
        standard,
        grouping,
        columns[:, list(independent)],
        known,
    )


def described_values(model: CompiledModel) -> Array:
    """The parameters of the regressor in the description; nan where it gives no value."""
    number = numbers_of(model)
    return np.array([number(x.value) for x in model.regressor_columns], dtype=float)


def _formula(parts: Sequence[Expr], standard: Sequence[str]) -> str:
    """A sum of standard parameters: the larger names in brackets after what they are of."""
    total: Any = ZERO
    for part, name in zip(parts, standard, strict=True):
        what, _, whose = name.partition(" of ")
        total = total + part * symbol(f"{what}[{whose}]" if whose else what, "input")
    return text(expression(total))


# --- combinations of columns that vanish --------------------------------------------------------


def relations(table: Array, order: Iterable[int], size: float | None = None) -> dict[int, Array]:
    """Column k → c with c[k] = 1, table @ c = 0 and no other key of the answer in it.

    Columns are replaced in the given order of preference. `size` is what singular values are
    compared with; the largest of them unless it is given.
    """
    vectors = _null_space(table, size)
    result: dict[int, Array] = {}
    for k in order:
        if not vectors.shape[1]:
            break
        best = int(np.abs(vectors[k]).argmax())
        if abs(vectors[k, best]) < _ROUND:
            continue
        chosen = vectors[:, best] / vectors[k, best]
        vectors = np.delete(vectors - np.outer(chosen, vectors[k]), best, axis=1)
        result = {j: c - c[k] * chosen for j, c in result.items()} | {k: chosen}
    return result


def _null_space(table: Array, size: float | None) -> Array:
    """An orthonormal basis of what the table takes to zero (columns, dimension)."""
    square = np.linalg.qr(table, mode="r") if len(table) > table.shape[1] else table
    _, s, right = np.linalg.svd(square, full_matrices=True)
    largest = (s[0] if s.size else 0.0) if size is None else size
    rank = int((s > SMALLEST * largest).sum())
    return np.asarray(right[rank:].T)


def simple(coefficients: Array) -> Iterator[Fraction | float]:
    """Coefficients as the simple fractions that they are, within rounding; others as they are."""
    for x in coefficients:
        near = Fraction(float(x)).limit_denominator(_DENOMINATOR)
        yield near if abs(float(near) - x) <= _ROUND * max(1.0, abs(x)) else float(x)
