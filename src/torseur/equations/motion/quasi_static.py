"""Motions without inertia: the balance of forces along them, in the place of accelerations.

Where M N = 0, the equations of motion say that Nᵀ Q vanishes. With dampers along N that is a
condition on speeds (a first-order equation, linear in them), without them one on positions. As a
row of constraints it decides the motion along N, and its multiplier is zero: Nᵀ Jᵀ λ = 0, where
Nᵀ Jᵀ is regular.
"""

from __future__ import annotations

from collections.abc import Container, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.calculus.derivative import jacobian
from torseur.algebra.core.expr import ONE, ZERO, expression, number
from torseur.algebra.core.graph import evaluate, expressions, free_symbols, substitute
from torseur.dynamics.tree.base_parameters import regrouped
from torseur.dynamics.tree.quantities import mass_matrix
from torseur.equations.actions.applied import applied_forces
from torseur.equations.constraints.constraint_rows import constraints_of
from torseur.equations.expressions.linear import solve
from torseur.equations.motion.diagnosis import free_directions
from torseur.equations.symbols.system import System, system
from torseur.errors import ModelError
from torseur.model.constraints.light_balance import LightBalance
from torseur.model.constraints.protocol import has_speeds
from torseur.model.constraints.selection import restraints
from torseur.model.contact.closed_contacts import closed
from torseur.model.contact.elements import elements
from torseur.model.description import GROUND, Mechanism
from torseur.model.forces.protocol import ends_of, joints_of
from torseur.model.joint_graph import spanning
from torseur.model.joints.mesh_points import SIGNAL
from torseur.words.sentence import say

Array = np.ndarray
_NOTHING = 1e-9  # of the largest entry: a slope that vanishes
_LARGEST_DENOMINATOR = 24


@final
@dataclass(frozen=True)
class Balanced:
    """Adds the balance of forces along motions without inertia; `zeros` are parameters of value 0.

    A motion along which nothing acts stays as it is: no force decides it.
    """

    zeros: tuple[str, ...] = ()

    def __call__(self, mechanism: Mechanism) -> Mechanism:
        if not _has_light_bodies(mechanism, self.zeros) or is_balanced(mechanism):
            return mechanism
        light = _Light(system(mechanism), self.zeros)
        if not light.along or not light.is_decided:
            return mechanism
        light.check()
        rows = {x.name: x for x in light.conditions()}
        carrying = tuple(link.joint_name for _, link in light.system.tree)
        constraints = {**mechanism.constraints, **rows}
        return replace(mechanism, constraints=constraints, carried_by=carrying)


def is_balanced(mechanism: Mechanism) -> bool:
    """Whether it has the balance of what carries no inertia."""
    return any(isinstance(x, LightBalance) for x in mechanism.constraints.values())


def kept_by_balance(mechanism: Mechanism) -> tuple[str, ...]:
    """The coordinates that stay where motions start: what has no inertia moves to its balance.

    None where loops and other conditions hold too: then all move as little as possible.
    """
    balances = [x for x in mechanism.constraints.values() if isinstance(x, LightBalance)]
    parts = spanning(mechanism)
    if not balances or parts.closing or len(restraints(mechanism)) > len(balances):
        return ()
    light = {x.coordinate for x in balances if not has_speeds(x.zero)}
    return tuple(name for name in mechanism.coordinates if name not in light)


def _has_light_bodies(mechanism: Mechanism, zero: Container[str]) -> bool:
    """Whether a force acts on a body, or in a joint of a body, that lacks a mass or an inertia."""
    light = {
        name
        for name, body in mechanism.bodies.items()
        if _vanishes(body.mass, zero) or any(_vanishes(x, zero) for x in np.diag(body.inertia))
    }
    if not light or not mechanism.loads:
        return False
    touched = {end.body for force in mechanism.loads.values() for end in ends_of(force)}
    for force in mechanism.loads.values():
        for name in joints_of(force):
            touched |= {mechanism.joints[name].first, mechanism.joints[name].second}
    return bool(light & touched - {GROUND})


def _vanishes(x: Any, zero: Container[str]) -> bool:
    return expression(x) is ZERO or str(x) in zero


@final
@dataclass(frozen=True)
class _Light:
    """The motions of a system that carry no inertia, and the forces along them."""

    system: System
    zeros: tuple[str, ...]  # parameters of value 0

    @cached_property
    def _inertia(self) -> Array:
        """M + Jᵀ J: what resists, by inertia or by constraints."""
        M = expressions(mass_matrix(regrouped(self.system.tree), self.system.q))
        J = constraints_of(self.system).J
        return expressions(M + J.T @ J) if len(J) else M

    @cached_property
    def _zeros(self) -> dict[str, float]:
        return dict.fromkeys(self.zeros, 0.0)

    @cached_property
    def along(self) -> tuple[int, ...]:
        """Speeds that count the motions without inertia, those of no inertia at all first."""
        directions = free_directions(self._inertia, self._zeros)
        counts = [sum(x is not ZERO for x in row) for row in self._inertia]
        chosen: list[int] = []
        left = directions
        for _ in range(directions.shape[1]):
            sizes = np.linalg.norm(left, axis=1)
            strong = [k for k in range(len(sizes)) if sizes[k] > 1e-3 * sizes.max()]
            k = min((x for x in strong if x not in chosen), key=lambda x: (counts[x], x))
            chosen.append(k)
            row = left[k] / np.linalg.norm(left[k])
            left = left - np.outer(left @ row, row)
        return tuple(sorted(chosen))

    @cached_property
    def N(self) -> Array:
        """(n, k): the motion of everything when one of these speeds is 1."""
        chosen, K = list(self.along), self._inertia
        motions = np.full((len(K), len(chosen)), ZERO, dtype=object)
        motions[chosen, range(len(chosen))] = ONE
        coupled = _coupled(K, chosen)
        if coupled:
            motions[coupled] = -solve(K[np.ix_(coupled, coupled)], K[np.ix_(coupled, chosen)])
        return expressions(motions)

    @cached_property
    def forces(self) -> Array:
        """Nᵀ Q, which must vanish."""
        Q = constraints_of(self.system).opened(expressions(applied_forces(self.system)))
        return expressions(self.N.T @ Q)

    def _values(self, outputs: Any, seed: int) -> Array:
        """Outputs at random values; what is zero by its value stays so."""
        rng = np.random.default_rng(seed)
        known = {x.name: float(rng.uniform(0.4, 1.6)) for x in free_symbols(outputs)}
        values = evaluate(outputs, {**known, **self._zeros})
        return np.asarray(values, dtype=float).reshape(np.shape(outputs))

    @cached_property
    def _dampers(self) -> Array:
        """Slopes of the forces by these speeds."""
        return expressions(jacobian(self.forces, self.system.v) @ self.N)

    @cached_property
    def _springs(self) -> Array:
        """Slopes of the forces by displacements along these motions."""
        rates = constraints_of(self.system).coordinate_rates
        turned = jacobian(expressions(rates), self.system.v)
        return expressions(jacobian(self.forces, self.system.q) @ turned @ self.N)

    @cached_property
    def _undamped(self) -> Array:
        """Combinations (r, k) of the forces that no speed along these motions changes."""
        first, second = (_undamped(self._values(self._dampers, seed)) for seed in (0, 1))
        if first.shape != second.shape or not np.allclose(first, second, atol=1e-6):
            raise self._refused(
                say("dampers act along it by a law that changes with the configuration."),
                say("Give it a small mass, or attach the dampers to bodies with mass."),
            )
        return first

    @cached_property
    def is_decided(self) -> bool:
        """Whether forces decide every one of these motions."""
        C, K = self._values(self._dampers, 0), self._values(self._springs, 0)
        whole = np.vstack([C, self._undamped @ K])
        sizes = np.abs(whole).max(axis=1, keepdims=True)
        whole = whole / np.where(sizes > 0, sizes, 1.0)
        return int(np.linalg.matrix_rank(whole, _NOTHING)) == len(self.along)

    def conditions(self) -> Iterator[LightBalance]:
        """The balances: on positions where nothing damps, on speeds elsewhere."""
        names = [self.system.speeds[k].removesuffix(".") for k in self.along]
        mixture = self._undamped
        still = dict.fromkeys(self.system.v, ZERO)
        used = set[int]()
        for row in mixture:
            k = next(i for i in np.argsort(-np.abs(row), kind="stable") if i not in used)
            used.add(int(k))
            zero = expression(_exact(row) @ self.forces)
            if self._has_speeds(zero):
                raise self._refused(
                    say("dampers of other bodies push it, and it has no damper of its own."),
                    say("Give it a small mass or a damper."),
                )
            zero = expression(substitute(zero, still))
            yield _balance(names[int(k)], zero)
        for k, name in enumerate(names):
            if k not in used:
                yield _balance(name, expression(self.forces[k]))

    def _has_speeds(self, zero: Any) -> bool:
        slopes = self._values(jacobian([zero], self.system.v), 0)
        return has_speeds(zero) and bool(np.abs(slopes).max() > _NOTHING)

    # --- refusals -----------------------------------------------------------------------------

    def check(self) -> None:
        """Refuse what conditions cannot say: laws of speeds, given forces, contacts."""
        slopes = jacobian(self.forces, self.system.v)
        if any(x.kind == "speed" for x in free_symbols(slopes)):
            raise self._refused(
                say("its dampers are not linear in the speeds."),
                say("Give it a small mass, or linear dampers."),
            )
        given = [x.name for x in free_symbols(self.forces) if x.kind == SIGNAL]
        if given and given[0] in self.system.mechanism.states:
            raise self._refused(
                say('the state "{given}" acts on it.', given[0]),
                say(
                    "Give it a small mass for motions; ts.equilibria and ts.linearise take it as "
                    "it is."
                ),
            )
        if given:
            raise self._refused(
                say('"{given}" acts on it, which is given while it moves.', given[0]),
                say(
                    "Give it a small mass, or name the coordinates along which the law acts: "
                    "inputs: [x], or ts.control.Loop(law, sample, actuators=[…])."
                ),
            )
        self._check_contacts()

    def _check_contacts(self) -> None:
        mechanism = self.system.mechanism
        parts = elements(mechanism)
        if not parts:
            return
        touching = constraints_of(system(closed(mechanism, parts)))
        if touching.J.shape[1] != len(self.system.v):
            raise self._refused(say("something may touch it."), say("Give it a small mass."))
        pushed = np.abs(self._values(touching.J, 0) @ self._values(self.N, 0)).max(axis=1)
        described = set(constraints_of(self.system).owners)
        for owner, size in zip(touching.owners, pushed, strict=True):
            if size > _NOTHING and owner not in described:
                raise self._refused(
                    say('"{name}" may touch, stop or rub it.', owner), say("Give it a small mass.")
                )

    def _refused(self, why: str, advice: str) -> ModelError:
        names = ", ".join(self.system.speeds[k].removesuffix(".") for k in self.along)
        problem = say("coordinate {names} carries no inertia: {why}", names, why)
        return ModelError(f'mechanism "{self.system.mechanism.name}"', problem, advice)


def _balance(coordinate: str, zero: Any) -> LightBalance:
    return LightBalance(say("balance of {name}", coordinate), zero, coordinate)


def _coupled(K: Array, chosen: list[int]) -> list[int]:
    """The other speeds that inertia links to the chosen ones, through others too."""
    linked, pending = set[int](), list(chosen)
    while pending:
        k = pending.pop()
        new = [
            i for i in range(len(K)) if K[i, k] is not ZERO and i not in linked and i not in chosen
        ]
        linked.update(new)
        pending += new
    return sorted(linked)


def _undamped(C: Array) -> Array:
    """Row combinations z with z C = 0, in echelon form, so that equal ones look alike."""
    sizes = np.abs(C).max(initial=0.0)
    left, values, _ = np.linalg.svd(C)
    rank = int((values > _NOTHING * max(sizes, 1e-300)).sum())
    rows = left[:, rank:].T.copy()
    for i in range(len(rows)):
        k = int(np.abs(rows[i]).argmax())
        rows[i] /= rows[i, k]
        for j in range(len(rows)):
            if j != i:
                rows[j] -= rows[j, k] * rows[i]
    return rows[np.lexsort(np.round(rows, 9).T[::-1])] if len(rows) else rows


def _exact(row: Array) -> Array:
    """Numbers that are nearly simple fractions, as these."""
    exact = np.empty(len(row), dtype=object)
    for k, x in enumerate(row):
        near = Fraction(float(x)).limit_denominator(_LARGEST_DENOMINATOR)
        exact[k] = number(near if abs(float(near) - x) < _NOTHING else float(x))
    return exact
