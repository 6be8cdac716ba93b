"""Mampey's backward recursion: the mass matrix from the last joint to the first, then equations.

The chain beyond each joint has a kinetic energy of one shape, whose coefficients M, p, J, h and r
follow from those of the chain beyond the next joint. Reference: Llibre (2009), §3.2.2 and §3.2.3,
with erratum E0-20.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from typing import Any, final

import numpy as np

from torseur.algebra.core.expr import ZERO, expression
from torseur.algebra.core.graph import expressions
from torseur.algebra.printing.latex import name as latex_name
from torseur.dynamics.tree.mampey import Stage, mass_matrix, stages
from torseur.equations.formalisms.newton_euler import derive
from torseur.spatial.pose import Pose
from torseur.teach.derivation.derivation_steps import Step, told_step
from torseur.teach.derivation.generalised_forces import forces_step, generalised_forces
from torseur.teach.derivation.step_formulas import Components, Formula, Prose, SymbolLabel, Vector
from torseur.teach.derivation.telling import Telling
from torseur.topology.tree import elementary

Array = np.ndarray
_AXES = "xyz"


def steps(telling: Telling) -> list[Step]:
    """Geometry, the recursion joint by joint, the entries of A, what speeds add, equations."""
    chain = _Chain(telling)
    forces = generalised_forces(telling)
    derived = telling.in_chosen(derive(telling.system))
    B = telling.variables.B
    inertia = expressions(B.T @ chain.A @ B) @ telling.described.a + derived.h
    return [
        told_step(telling.words, "chain", chain.geometry()),
        *(chain.recursion(stage) for stage in chain.stages),
        told_step(telling.words, "speed terms", _speed_terms(telling, derived.h)),
        telling.virtual_twists(),
        forces_step(telling, forces),
        telling.equations(inertia, forces.total, "mampey"),
    ]


def _speed_terms(telling: Telling, h: Array) -> list[Formula]:
    """S: what inertia needs without accelerations."""
    return [
        telling.scalar(f"S_{name}", f"S_{{{latex_name(name)}}}", value)
        for (name, _), value in zip(telling.speeds, h, strict=True)
    ]


@final
class _Chain:
    """The elementary joints of a mechanism, each called by its coordinate."""

    def __init__(self, telling: Telling) -> None:
        self.told = telling
        self.tree = elementary(telling.system.tree, "mampey")
        self.names = telling.system.coordinates

    @cached_property
    def stages(self) -> list[Stage]:
        """From the last joint to the first."""
        return stages(self.tree, self.told.system.q)

    @cached_property
    def A(self) -> Array:
        """The mass matrix, in the coordinates of joints."""
        return expressions(mass_matrix(self.tree, self.told.system.q))

    def geometry(self) -> Iterator[Formula]:
        """λ and u of each joint, and the motor and gear that drive it."""
        poses: list[Pose] = self.tree.poses(self.told.system.q)
        for stage in reversed(self.stages):
            k = self.tree.links.index(stage.link)
            carrier = stage.link.parent
            axes = self._name(self.tree.links[carrier].q.start) if carrier >= 0 else ""
            yield self._vector("λ", r"\vec\lambda", stage, poses[k].p, axes)
            yield self._vector("u", r"\vec u", stage, stage.axis)
            rotor = stage.link.rotor
            if rotor is not None:
                yield self._scalar("α", r"\alpha", stage, rotor.ratio)
                yield self._scalar("j", "j", stage, rotor.j)
                if rotor.axis is not None:
                    yield self._vector("ε", r"\vec\varepsilon", stage, rotor.axis, axes)

    def recursion(self, stage: Stage) -> Step:
        """M, p, J, h and r of the chain beyond a joint, and the entries of A that they give."""
        words, name = self.told.words, self._name(stage.speed)
        formulas: list[Formula] = [
            self._scalar("M", "M", stage, stage.mass),
            self._vector("p", r"\vec p", stage, stage.p),
            *self._tensor(stage),
        ]
        for i, (h, r) in stage.carried.items():
            formulas += [
                self._vector("h", r"\vec h", stage, h, beyond=self._name(i)),
                self._vector("r", r"\vec r", stage, r, beyond=self._name(i)),
            ]
        formulas.append(self._scalar("a", "a", stage, stage.diagonal_term, beyond=name))
        formulas += [
            self._scalar("a", "a", stage, value, beyond=self._name(i))
            for i, value in stage.terms_beyond.items()
        ]
        kind = "turning" if stage.turning else "sliding"
        text, rotor = [words[f"mampey {kind}"]], stage.link.rotor
        if rotor is not None:
            text.append(words["mampey rotor" if rotor.axis is None else "mampey rotor axis"])
        step = told_step(words, "beyond", formulas, text=text)
        return replace(step, name=f"beyond {name}", title=Prose(step.title.format(name)))

    def _tensor(self, stage: Stage) -> Iterator[Formula]:
        """The entries of J that are not zero."""
        for i in range(3):
            for j in range(i, 3):
                value = self.told.read(expression(stage.J[i, j]))
                if value is not ZERO:
                    entry = _AXES[i] + _AXES[j]
                    yield self._scalar(f"J{entry}", rf"J^{{{entry}}}", stage, value)

    def _name(self, row: int) -> str:
        return self.names[row]

    def _label(self, letter: str, latex: str, stage: Stage, beyond: str) -> SymbolLabel:
        names = [self._name(stage.speed), *([beyond] if beyond else [])]
        low = ",".join(map(latex_name, names))
        return SymbolLabel(f"{letter}({', '.join(names)})", rf"{latex}_{{{low}}}")

    def _scalar(
        self, letter: str, latex: str, stage: Stage, value: Any, beyond: str = ""
    ) -> Formula:
        label = self._label(letter, latex, stage, beyond)
        return self.told.scalar(label.text, label.latex, value)

    def _vector(
        self,
        letter: str,
        latex: str,
        stage: Stage,
        value: Array,
        axes: str | None = None,
        *,
        beyond: str = "",
    ) -> Vector:
        """Along the axes behind the joint, or others; an empty name is the ground."""
        behind = self._name(stage.speed) if axes is None else axes
        readable = self.told.read(expressions(value))
        components = Components(readable, behind) if behind else Components(readable)
        return Vector(self._label(letter, latex, stage, beyond), components)
