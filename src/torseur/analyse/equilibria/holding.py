"""Forces that hold a mechanism in a pose that is no equilibrium, and the meaning of `at=`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, final, overload

import numpy as np

from torseur.analyse.at_a_state.channels import input_forces
from torseur.analyse.at_a_state.chart import chart, multipliers
from torseur.analyse.at_a_state.initial_states import (
    assembled_start,
    model_with_values,
    states_as_freedoms,
    steady_start,
    wanted_speeds,
    with_resting_states,
)
from torseur.analyse.at_a_state.light_motions import in_balance
from torseur.analyse.at_a_state.statics import AtState, Unknowns, steady_state
from torseur.analyse.at_a_state.tangent import Tangent
from torseur.analyse.equilibria.holding_bands import holding_bands, without_friction
from torseur.analyse.equilibria.space import cyclic_displacements, stays_balanced
from torseur.analyse.equilibria.sticking import Band
from torseur.analyse.letters.holding import holding_in_letters
from torseur.analyse.letters.states import FormulasAtState
from torseur.analyse.stability.steady import Steady
from torseur.brief import values_text
from torseur.errors import ModelError, SolveError
from torseur.machine.compiled import CompiledModel
from torseur.model.actuators import pushed_coordinate
from torseur.model.description import Mechanism
from torseur.model.values.numeric import state_freedoms
from torseur.model.values.scales import chosen_units, state_units
from torseur.result import Result
from torseur.simulation.start.assemble import Assembled
from torseur.words.sentence import say

Array = np.ndarray


@final
class HoldingForces(Result):
    """The forces that keep a pose, by name [N or N m], and the pose with its reactions.

    They are those without friction in joints; with it the pose rests with all forces of `bands`.
    """

    forces: dict[str, float]
    pose: Steady
    bands: dict[str, Band] = field(default_factory=dict)

    @property
    def units(self) -> dict[str, str]:
        """N or N m, for each force."""
        mechanism = self.pose.model.mechanism
        known = state_units(mechanism) | chosen_units(mechanism)
        pushed = {name: known.get(pushed_coordinate(mechanism, name)) for name in self.forces}
        along = {name for name, unit in pushed.items() if unit in ("m", "m/s")}
        return {x: "N" if x in along and x not in mechanism.motors else "N m" for x in pushed}

    @property
    def reactions(self) -> dict[str, Array]:
        """Force then couple in every joint, in ground axes, what holds included."""
        return self.pose.reactions

    def __str__(self) -> str:
        pose = values_text(self.pose.coordinates)
        listed = ", ".join(
            f"{name} = {x:.6g} {self.units[name]}" for name, x in self.forces.items()
        )
        lines = [say("pose {pose}\n  held by {forces}", pose, listed or say("nothing"))]
        return "\n".join([*lines, *map(self._of_band, self.bands.values())])

    def _of_band(self, band: Band) -> str:
        unit, name = self.units[band.parameter], band.parameter
        low, high = (f"{x:.6g}".replace("inf", "∞") for x in (band.low, band.high))
        return say("  with friction: {name} from {low} to {high} {unit}", name, low, high, unit)


@overload
def holding_forces(
    mechanism: Mechanism | CompiledModel,
    pose: Mapping[str, float],
    *,
    by: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
) -> HoldingForces: ...


@overload
def holding_forces(
    mechanism: Mechanism | CompiledModel,
    pose: Mapping[str, Any] | None = None,
    *,
    by: Sequence[str] = (),
    letters: bool,
    modes: Mapping[str, str] | None = None,
) -> FormulasAtState: ...


def holding_forces(
    mechanism: Mechanism | CompiledModel,
    pose: Mapping[str, Any] | None = None,
    *,
    by: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    letters: bool = False,
    modes: Mapping[str, str] | None = None,
) -> HoldingForces | FormulasAtState:
    """Static forces that hold a pose, in addition to the forces of the description.

    `by` names what pushes: coordinates, joints with one coordinate, motors (then the torque on
    their own side) or joint forces. By default every independent coordinate is held.

    With dry friction in joints it rests with less and with more: `.bands` of the result has the
    least and the greatest value of each force, the others being as they are.

    With `letters`, forces and reactions are formulas: `pose` gives the coordinates that are numbers
    or texts, the others stay letters, and `by` names coordinates.
    """
    if letters:
        if parameters or t:
            problem = say('"{name}" is for numbers.', "parameters" if parameters else "t")
            raise ModelError("holding forces", problem, say("Leave out letters=True."))
        described = mechanism.mechanism if isinstance(mechanism, CompiledModel) else mechanism
        return holding_in_letters(described, pose, by=by, modes=modes)
    if pose is None or modes:
        problem = say("the pose is missing.")
        if modes:
            problem = say('"{name}" is for answers in letters.', "modes")
        raise ModelError("holding forces", problem, "Give coordinates by name, or letters=True.")
    given = model_with_values(mechanism, parameters)
    smooth = given if t else without_friction(given)
    tangent = Tangent(states_as_freedoms(smooth))
    model = tangent.model
    start = assembled_start(model, pose, t)
    preferred = wanted_speeds(tangent, [n for n in pose if f"{n}." in model.speeds])
    state = steady_state(tangent, start.q, None, t, Unknowns(wanted=preferred))
    state = with_resting_states(state, pose, preferred)
    pushed = _pushed(state)
    names = tuple(by) or tuple(model.speeds[k].removesuffix(".") for k in pushed)
    if by:
        _check(state, names)
        push = -input_forces(state, names)[1].r
    else:
        push = np.eye(tangent.size)[:, pushed]
    sizes = np.linalg.lstsq(state.chart.N.T @ push, state.F, rcond=1e-10)[0]
    left = state.F - state.chart.N.T @ (push @ sizes)
    _check_balance(state, left, names)
    held_state = replace(state, lam=_held_multipliers(state, push @ sizes))
    values = dict(zip(names, map(float, sizes), strict=True))
    bands = {} if smooth is given else holding_bands(given, state.q, push, values)
    return HoldingForces(values, Steady(held_state, is_steady=True), bands)


def _pushed(state: AtState) -> list[int]:
    """The independent speeds of bodies, which forces can hold; first-order states must rest."""
    speeds, names = state.tangent.speeds, state_freedoms(state.tangent.model.mechanism)
    for name, k in ((name, speeds.index(f"{name}.")) for name in names):
        if not Unknowns(idle=frozenset(range(len(speeds))) - {k}).balanced(state):
            problem = say('the state "{name}" does not rest in this pose.', name)
            raise SolveError("held", problem, "No force changes its rate: choose another pose.")
    return [k for k in state.chart.speeds if speeds[k].removesuffix(".") not in names]


def _held_multipliers(state: AtState, push: Array) -> Array:
    """λ where something pushes besides what acts."""
    loads = state.terms.r + state.terms.J.T @ state.lam - push
    return multipliers(state.terms.J, loads, state.terms.units)


def held_pose(
    mechanism: object,
    at: object,
    *,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
) -> Steady:
    """A pose at rest with the generalised forces that hold it, constant from now on.

    They push along the independent coordinates, so that M s̈ + D ṡ + K s = 0 about the pose keeps
    the stiffnesses of what acts already, reactions included.
    """
    if not isinstance(mechanism, Mechanism | CompiledModel) or not isinstance(at, Mapping | None):
        raise ModelError("held", "expected a mechanism, and a pose as coordinates by name.")
    pose = dict(at or {})
    moving = [name for name, x in pose.items() if name.endswith(".") and x]
    if moving:
        raise ModelError(
            "held", say('"{moving}" is a speed: a pose that is held is at rest.', moving[0])
        )
    state, _ = steady_start(mechanism, pose, independent, parameters, t, at_rest=True)
    tangent, independent_speeds = state.tangent, _pushed(state)
    independent_forces = dict(zip(state.chart.speeds, state.F, strict=True))
    push = np.zeros(tangent.size)
    push[independent_speeds] = [independent_forces[k] for k in independent_speeds]
    lam = _held_multipliers(state, push)
    terms = tangent.at(state.q, t, state.v, state.a, lam)
    balanced = replace(state, lam=lam, terms=replace(terms, r=terms.r - push))
    names = [tangent.speeds[k].removesuffix(".") for k in independent_speeds]
    return Steady(
        balanced, held_by=dict(zip(names, map(float, push[independent_speeds]), strict=True))
    )


def _check(state: AtState, names: Sequence[str]) -> None:
    """Only joints that carry bodies: what pushes in a closing joint is not part of its reaction."""
    mechanism = state.tangent.model.mechanism
    closing = {cut.name for cut in state.tangent.model.system.cuts}
    owners = {x: joint.name for joint in mechanism.joints.values() for x in joint.coordinates}
    for name in names:
        owner = owners.get(pushed_coordinate(mechanism, name), name)
        if owner in closing:
            raise ModelError(
                "by",
                say('joint "{owner}" closes a loop.', owner),
                "Push in another joint of the loop.",
            )
        if name in mechanism.parameter_table:
            raise ModelError("by", say('"{name}" is a parameter, not a force.', name))


def _check_balance(state: AtState, left: Array, names: Sequence[str]) -> None:
    energies = np.abs(left * state.arms)
    worst = int(energies.argmax()) if len(left) else 0
    if len(left) and energies[worst] > 1e-9 * max(state.largest, 1e-300):
        along = state.tangent.speeds[state.chart.speeds[worst]].removesuffix(".")
        problem = say(
            "{names} cannot hold this pose: {left:.4g} N or N m is left along {along}.",
            ", ".join(names),
            left[worst],
            along,
        )
        raise SolveError("holding forces", problem, "Name more in by=(…).")


# --- meaning of `at=`: a state, an assembly, coordinates and speeds by name, or nothing -----------

_REST = 1e-9  # of the largest speed: a speed that is rounding of an assembly


def state(
    mechanism: Mechanism | CompiledModel | Steady | Assembled | None,
    at: Any,
    independent: Sequence[str],
    parameters: Mapping[str, float] | None,
    t: float,
    modes: Mapping[str, str] | None = None,
) -> Steady:
    """State that `at` means: a steady state, an assembly, values by name, or nothing.

    `modes` are those of contacts. A state in the place of the mechanism is one of its own.
    """
    if at is None and isinstance(mechanism, Steady | Assembled):
        at, mechanism = mechanism, mechanism.model
    # a state that was found, with other independent coordinates if they are named
    if isinstance(at, Steady):
        if parameters:
            problem = say(
                "a computed state has its own values, not {parameters}.",
                ", ".join(parameters),
            )
            raise ModelError("parameters", problem, "Look for the state with these parameters.")
        preferred = wanted_speeds(at.here.tangent, independent)
        if not independent:
            return at
        return replace(at, here=replace(at.here, chart=chart(at.here.terms, preferred)))
    if not isinstance(mechanism, Mechanism | CompiledModel):
        raise _type_error(
            "mechanism", mechanism, say("a mechanism, a compiled model, or a state found")
        )
    if not isinstance(at, Mapping | Assembled | None):
        raise _type_error("at", at, say("a state found or assembled, or coordinates by name"))
    # an assembled state, or the one nearest to what is given
    state, preferred = steady_start(mechanism, at or {}, independent, parameters, t, modes=modes)
    # without anything given, the nearest equilibrium
    if at is None and state.chart.speeds:
        sought = Unknowns(frozen=cyclic_displacements(state), wanted=preferred)
        balance = sought.solved(state)
        if balance is None or not stays_balanced(balance, sought):
            raise state.unbalanced()
        return Steady(balance)
    return _state_as_given(state, preferred)


def _type_error(place: str, value: object, expected: str) -> ModelError:
    several = "Give one of them, such as results[0]." if isinstance(value, Iterable) else ""
    problem = say("expected {wanted}, got {kind}.", expected, type(value).__name__)
    return ModelError(place, problem, *filter(None, [several]))


def _state_as_given(state: AtState, preferred: tuple[int, ...]) -> Steady:
    """The state, found to be steady or not."""
    sought = Unknowns(wanted=preferred)
    speeds = [state.v[i] for i in state.chart.speeds]
    if not any(speeds):
        if sought.balanced(state) and stays_balanced(state, sought):
            return Steady(state)
    else:
        motion = _steady_motion(state, float(np.abs(speeds).max()), preferred)
        if motion is not None:
            return motion
    if in_balance(state) is not state:
        raise state.unbalanced()  # accelerations without inertia
    return Steady(state.moving(), is_steady=False)


def _steady_motion(state: AtState, speed: float, preferred: tuple[int, ...]) -> Steady | None:
    """The steady motion that a state with speeds is, if nothing but cyclic coordinates moves."""
    cyclic = cyclic_displacements(state, speed)
    sought = Unknowns(frozen=cyclic, turning=cyclic, wanted=preferred)
    size = float(np.abs(state.v).max(initial=0.0))
    moves = [i for i in state.chart.shifts if abs(state.v[i]) > _REST * size]
    if any(i not in cyclic for i in moves):
        return None
    motion = steady_state(state.tangent, state.q, state.v, state.t, sought, state.chart)
    if not sought.balanced(motion) or not stays_balanced(motion, sought):
        return None
    return Steady(motion, cyclic if moves else frozenset())
