"""A mechanism at rest, in steady motion, or at any state: where it is, and what holds it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cached_property
from typing import final

import numpy as np

from torseur.algebra.core.graph import evaluate, flat, free_symbols, reachable
from torseur.analyse.at_a_state.chart import chart
from torseur.analyse.at_a_state.light_motions import in_balance, undamped_stiffness
from torseur.analyse.at_a_state.statics import AtState
from torseur.analyse.stability.small_motions import SmallMotions, small_motions
from torseur.analyse.stability.vibration_modes import Verdict
from torseur.brief import values_text, without_rounding
from torseur.equations.actions.applied import applied_forces
from torseur.errors import SolveError
from torseur.machine.compiled import CompiledModel
from torseur.model.values.numeric import state_freedoms
from torseur.result import Result
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.constraints.sharing_loads import shared
from torseur.simulation.start.independent import ADVICE, fork
from torseur.words.sentence import say

Array = np.ndarray


@final
class Steady(Result):
    """An equilibrium, a steady motion, or a state that is neither."""

    here: AtState
    turning: frozenset[int] = field(default_factory=frozenset)  # displacements that turn for ever
    is_steady: bool = True
    family: int = 0  # the dimension of the family of equilibria that it belongs to
    # constant generalised forces that hold it, by coordinate [N or N m]
    held_by: Mapping[str, float] = field(default_factory=dict)

    @property
    def model(self) -> CompiledModel:
        """The model that it is a state of."""
        return self.here.tangent.model

    @property
    def coordinates(self) -> dict[str, float]:
        """Every coordinate by name, those of closing joints and those that are chosen too."""
        of_tree = dict(zip(self.here.tangent.coordinates, map(float, self.here.q), strict=True))
        joints = {**self.here.pose.coordinates, **of_tree}
        chosen = self.model.mechanism.chosen.values()
        return {**joints, **{x.name: float(evaluate(x.value, joints)) for x in chosen}}

    @property
    def speeds(self) -> dict[str, float]:
        """Every speed of the tree by name, and of the coordinates that are chosen."""
        joints = dict(zip(self.here.tangent.speeds, map(float, self.here.v), strict=True))
        chosen = self.model.mechanism.chosen.values()
        for name in state_freedoms(self.model.mechanism):
            joints.pop(f"{name}.")
        return {**joints, **{x.names[1]: float(evaluate(x.rate, joints)) for x in chosen}}

    @property
    def parameters(self) -> dict[str, float | None]:
        """The values of the parameters."""
        return self.model.parameters

    @cached_property
    def energy(self) -> float:
        """E_p [J]."""
        return self.here.tangent.quantities.potential(self.here.q, self.here.t)

    @cached_property
    def effective_energy(self) -> float:
        """E_p − K0 [J]: what is stationary at an equilibrium under imposed motions."""
        return self.energy - self.here.tangent.quantities.kinetic(self.here.q, self.here.v)

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """Force then couple of the first body on the second in every joint, in ground axes."""
        state = self.here
        if state.tangent.slides is not None:
            listed = ", ".join(one.name for one in state.tangent.slides.parts)
            raise SolveError(
                "reactions",
                say("they are unknown while {listed} slide.", listed),
                "Normal forces are in .multipliers; ts.simulate gives the reactions of a run.",
            )
        rows = (x[np.newaxis] for x in (state.q, state.v, state.a, state.lam, np.array(state.t)))
        (lam,) = shared(NumericConstraints(self.model), *rows)
        return self.here.tangent.quantities.wrenches(state.q, state.v, state.a, lam, state.t)

    @property
    def multipliers(self) -> dict[str, Array]:
        """The multipliers of each closing joint, contact, motion and relation."""
        owners = np.array(self.here.tangent.constraints.owners)
        return {name: self.here.lam[owners == name] for name in dict.fromkeys(owners)}

    @cached_property
    def small_motions(self) -> SmallMotions:
        """The small motions about it; an error at a fork, and where no inertia resists them."""
        if self._fork:
            raise SolveError(f'mechanism "{self.model.mechanism.name}"', self._fork, ADVICE)
        return self._motions(self.here)

    def _motions(self, state: AtState) -> SmallMotions:
        return small_motions(state, self.turning, self.is_steady, bool(self.held_by))

    @cached_property
    def _fork(self) -> str:
        """Words for the branches of the linkage that meet here; empty where none do."""
        return fork(NumericConstraints(self.model), self.here.q, self.here.t)

    @cached_property
    def stable(self) -> Verdict:
        """The verdict on the small motions about it."""
        if not self.here.chart.speeds:
            return Verdict("stable", say("nothing is free to move."))
        try:
            light = self._without_inertia
            if light is not None:
                return light
            return self._on_all_branches if self._fork else self.small_motions.stable
        except SolveError as error:
            return Verdict("undecided", error.problem)

    @property
    def _without_inertia(self) -> Verdict | None:
        """The verdict where motions without inertia decide: they leave at once, or are all."""
        K = undamped_stiffness(self.here)
        if not len(K):
            return None
        least = float(np.linalg.eigvals(K).real.min())
        if least <= 1e2 * self.here.rounding:
            reason = say("a motion without inertia leaves at once: no potential valley holds it.")
            return Verdict("unstable" if least < -1e2 * self.here.rounding else "undecided", reason)
        if in_balance(self.here, self.turning).chart.shifts:
            return None
        reason = say("nothing that moves has inertia, and the forces bring it back.")
        return Verdict("stable", reason)

    @property
    def _on_all_branches(self) -> Verdict:
        """The verdict at a fork: known where the potential rises, or falls, in all directions.

        Then it does so along every branch, whatever the multipliers that are not unique there.
        """
        whole = self._motions(replace(self.here, chart=chart(self.here.terms)))
        return whole.stable if whole.is_one_sided else Verdict("undecided", self._fork)

    def __str__(self) -> str:
        what = say("state")
        if self.held_by:
            what = say("held pose")
        elif self.is_steady:
            what = say("steady motion") if self.turning else say("equilibrium")
        numbers = {**self.coordinates, **{n: x for n, x in self.speeds.items() if x}}
        for joint in self.model.mechanism.change.taken:  # another stands in its place
            numbers.pop(joint, None)
            numbers.pop(f"{joint}.", None)
        unit = self.here.pose.unit
        rounded = {name: without_rounding(x, 1e-11 * unit(name)) for name, x in numbers.items()}
        more = self.say(" (one of a family of {family} parameter(s))") if self.family else ""
        return f"{what} {values_text(rounded)}{more}"


def dry_notices(model: CompiledModel) -> tuple[str, ...]:
    """Notice that dry friction is left out of linear terms, if there is any."""
    forces = reachable(flat(applied_forces(model.system)))
    signs = (x for x in forces if x.op == "sign")
    if not any(y.kind == "speed" for x in signs for y in free_symbols(x)):
        return ()
    return (
        "Dry friction is left out: with it, a mechanism near an equilibrium may stick where it is.",
    )
