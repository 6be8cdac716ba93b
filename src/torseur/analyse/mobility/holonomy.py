"""Which conditions on speeds are conditions on positions in disguise.

A row of J is holonomic when it forbids more than speeds: when no sequence of allowed motions, back
and forth, can produce the displacement it forbids (Frobenius). Allowed motions are the fields
X = P v, with P the projection on the kernel of J; what they produce together are their brackets
[X, Y] = DY·X − DX·Y, and brackets of brackets. A row that vanishes on all of them is holonomic.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import final

import numpy as np

from torseur import notebook
from torseur.model.description import Mechanism
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.topology.tree import Tree
from torseur.words.sentence import say, worded

Array = np.ndarray
Field = Callable[[Array], Array]  # from coordinates to their rates
_STEPS = (1e-4, 3e-3)  # of the differences in first and second brackets
_ZERO = 1e-4  # far above their errors, far below a bracket of motions of about 1


@final
@dataclass(frozen=True)
class Holonomy:
    """What each constraint of a mechanism holds."""

    _repr_html_ = notebook.told

    positions: tuple[str, ...]  # constraints that hold positions as they are given
    integrable: tuple[str, ...]  # given in speeds, holonomic all the same
    nonholonomic: tuple[str, ...]  # they restrain speeds only: every position stays within reach

    def __str__(self) -> str:
        lines = [
            f"{worded(words)}{worded(': ')}{', '.join(names)}"
            for words, names in (
                ("hold positions", self.positions),
                ("given in speeds, but holonomic", self.integrable),
                ("non-holonomic", self.nonholonomic),
            )
            if names
        ]
        return "\n".join(lines) or say("no constraint besides the joints of the tree")


def holonomy(mechanism: Mechanism | Assembled) -> Holonomy:
    """The constraints of a mechanism, sorted by what they hold; judged at the assembled pose.

    A constraint with several rows, such as a rolling contact, is non-holonomic as soon as one of
    its rows is.
    """
    state = mechanism if isinstance(mechanism, Assembled) else assemble(mechanism)
    held = NumericConstraints(state.model)
    if not held:
        return Holonomy((), (), ())
    kept = set(held.positions)
    rows = [k for k in range(len(held.owners)) if k not in kept]
    reached = _reached(state, held) if rows else np.zeros((0, len(state.v)))
    J = np.asarray(held.J(state.q, 0.0), dtype=float)
    loose = {k for k in rows if np.abs(reached @ J[k]).max(initial=0.0) > _ZERO}
    names = dict.fromkeys(held.owners)
    of = {name: [k for k, owner in enumerate(held.owners) if owner == name] for name in names}
    free = tuple(name for name in names if any(k in loose for k in of[name]))
    given = tuple(name for name in names if all(k in kept for k in of[name]))
    return Holonomy(given, tuple(n for n in names if n not in (*free, *given)), free)


def _reached(assembled: Assembled, held: NumericConstraints) -> Array:
    """Speeds that brackets of allowed motions produce, a row each.

    Three motions at random reach what all motions reach.
    """
    tree = assembled.model.system.tree
    fields = [
        _allowed(held, c) for c in np.random.default_rng(0).normal(size=(3, len(assembled.v)))
    ]
    firsts = [_bracket(X, Y, _STEPS[0]) for X, Y in combinations(fields, 2)]
    seconds = [_bracket(X, Y, _STEPS[1]) for X in firsts for Y in fields]
    made = [field(assembled.q) for field in (*firsts, *seconds)]
    return np.array([_speeds(tree, assembled.q, rates) for rates in made])


def _allowed(held: NumericConstraints, wanted: Array) -> Field:
    """The rates of the coordinates when the speeds are the nearest to `wanted` that J allows."""

    def field(q: Array) -> Array:
        J = np.asarray(held.J(q, 0.0), dtype=float)
        v = wanted - np.linalg.pinv(J, rcond=1e-9) @ (J @ wanted)
        return held.model.system.tree.rates(q, v)

    return field


def _bracket(X: Field, Y: Field, step: float) -> Field:
    """[X, Y] = DY·X − DX·Y by central differences of fourth order."""

    def along(field: Field, q: Array, direction: Array) -> Array:
        h = step
        near = field(q + h * direction) - field(q - h * direction)
        far = field(q + 2 * h * direction) - field(q - 2 * h * direction)
        return np.asarray((8 * near - far) / (12 * h))

    return lambda q: along(Y, q, X(q)) - along(X, q, Y(q))


def _speeds(tree: Tree, q: Array, rates: Array) -> Array:
    v = np.zeros(tree.nv)
    for _, link in tree:
        v[link.v] = link.joint.speeds(q[link.q], rates[link.q])
    return v
