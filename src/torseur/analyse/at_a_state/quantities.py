"""Energies, powers and joint wrenches of a model at single states, from their expressions.

An analysis looks at a few states only: evaluating the graph is quicker than compiling it.
"""

from __future__ import annotations

from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import evaluate, expressions
from torseur.equations.actions.reactions import wrench_names
from torseur.equations.functions.catalogue import FUNCTIONS, multiplier_names
from torseur.machine.compiled import CompiledModel

Array = np.ndarray


@final
class Quantities:
    """Functions of a model by name, each made when it is first asked for.

    Expressions are kept in `made`, which other values of the parameters share.
    """

    def __init__(self, model: CompiledModel, made: dict[str, Array]) -> None:
        self._model = model
        self._made = made

    def _value(self, name: str, known: dict[str, Any]) -> Any:
        if name not in self._made:
            self._made[name] = expressions(FUNCTIONS[name].build(self._model.system))
        return evaluate(self._made[name], {**self._model.parameters, **known})

    def _state(self, q: Array, v: Array, t: float) -> dict[str, Any]:
        names = (*self._model.coordinates, *self._model.speeds)
        return {**dict(zip(names, (*q, *v), strict=True)), TIME.name: t}

    def potential(self, q: Array, t: float) -> float:
        """E_p [J]."""
        still = np.zeros(len(self._model.speeds))
        return float(self._value("potential_energy", self._state(q, still, t)))

    def kinetic(self, q: Array, v: Array) -> float:
        """E_c [J]."""
        return float(self._value("kinetic_energy", self._state(q, v, 0.0)))

    def power(self, q: Array, v: Array, t: float) -> float:
        """What forces without a potential bring [W]."""
        return float(self._value("power", self._state(q, v, t)))

    def wrenches(self, q: Array, v: Array, a: Array, lam: Array, t: float) -> dict[str, Array]:
        """Force then couple of the first body on the second, in ground axes at the joint's M."""
        known = self._state(q, v, t)
        known |= dict(zip((f"{name}." for name in self._model.speeds), a, strict=True))
        known |= dict(zip(multiplier_names(len(lam)), lam, strict=True))
        wrenches = np.asarray(self._value("joint_wrenches", known), dtype=float)
        names = wrench_names(self._model.system)
        return {name: wrenches[k, :6] for k, name in enumerate(names)}
