"""Anything that can be read from a motion, as an expression of its state.

alpha  alpha.  alpha..     a coordinate, its speed, its acceleration
P3.x  P3.velocity.y        a component of a named point, of its velocity
A.force.x  A.couple.z      a component of the reaction in a joint, in ground axes
energy.kinetic  energy.potential
m*x.^2/2 + …               any expression of coordinates, speeds, parameters and t
"""

from __future__ import annotations

from typing import final

import numpy as np

from torseur.algebra.core.expr import TIME, Expr, expression, symbol
from torseur.algebra.core.graph import expressions, substitute
from torseur.equations.actions.reactions import joint_wrenches, wrench_names
from torseur.equations.functions.catalogue import FUNCTIONS, multiplier_names
from torseur.equations.functions.motion import MotionKernels
from torseur.equations.symbols.places import SystemPlaces
from torseur.errors import ModelError
from torseur.language.text.expression import Names, parse_expression
from torseur.machine.compiled import CompiledModel
from torseur.model.forces.protocol import Attachment
from torseur.words.sentence import say

Array = np.ndarray
_AXES = ("x", "y", "z")


@final
class Observables:
    """Expressions by name, of a model whose constraints are kept by given rows."""

    def __init__(self, model: CompiledModel, motion: MotionKernels) -> None:
        self._model = model
        self._motion = motion
        self._system = model.system

    def __getitem__(self, name: str) -> Expr:
        head, *rest = name.split(".")
        mechanism = self._model.mechanism
        if name in {f"{speed}." for speed in self._model.speeds}:
            k = self._model.speeds.index(name.removesuffix("."))
            return expression(self._motion.accelerations()[0][k])
        if head in wrench_names(self._system) and len(rest) == 2 and rest[0] in ("force", "couple"):
            return self._reaction(name, head, rest)
        if head in mechanism.points and rest and rest[-1] in _AXES:
            return self._point(head, rest)
        if name in ("energy.kinetic", "energy.potential"):
            energy = FUNCTIONS[f"{rest[0]}_energy"].build(self._system)
            return expression(energy.item())
        return expression(self._model.constraints.opened(self._written(name)))

    def _written(self, text: str) -> Expr:
        mechanism = self._model.mechanism
        known = {name: symbol(name) for name in mechanism.parameter_table}
        known |= {name: symbol(name, "coordinate") for name in mechanism.every_coordinate}
        known |= {name: symbol(name, "speed") for name in mechanism.every_speed}
        return parse_expression(text, Names(known | {TIME.name: TIME}))

    def _point(self, name: str, rest: list[str]) -> Expr:
        point = self._model.mechanism.points[name]
        at, places = Attachment(point.body, point.position), SystemPlaces(self._system)
        kind = rest[0] if len(rest) == 2 else "position"
        if kind not in ("position", "velocity"):
            raise ModelError(
                "outputs", say('a point has no "{kind}" here.', kind), "position or velocity."
            )
        vector = places.position(at) if kind == "position" else places.velocity(at)
        return expression(np.asarray(vector, dtype=object)[_AXES.index(rest[-1])])

    def _reaction(self, name: str, joint: str, rest: list[str]) -> Expr:
        owners = self._model.constraints.owners
        if self._motion.rows.rank < len(owners):
            problem = say(
                '"{name}" is not unique: the mechanism is over-constrained {number} times.',
                name,
                len(owners) - self._motion.rows.rank,
            )
            raise ModelError(
                "outputs", problem, "Free directions of its joints, or ask for something else."
            )
        if rest[1] not in _AXES:
            raise ModelError(
                "outputs", say('"{name}" ends with "{rest}".', name, rest[1]), "Use .x, .y or .z."
            )
        lam = [symbol(x, "input") for x in multiplier_names(len(owners))]
        wrenches = expressions(joint_wrenches(self._system, np.array(lam, dtype=object)))
        row = wrench_names(self._system).index(joint)
        column = ("force", "couple").index(rest[0]) * 3 + _AXES.index(rest[1])
        a, multipliers = self._motion.accelerations()
        known = dict(zip(self._system.a, a, strict=True)) | dict(zip(lam, multipliers, strict=True))
        return expression(substitute(wrenches[row, column], known))
