"""Where an analysis starts: the model at given values, the assembled state, what is independent."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from torseur.analyse.at_a_state.statics import AtState, Unknowns, steady_state
from torseur.analyse.at_a_state.tangent import Tangent
from torseur.equations.actions.sliding import Slides
from torseur.errors import ModelError, unknown
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.contact.smooth import kept_modes
from torseur.model.description import Mechanism
from torseur.model.values.numeric import state_freedoms, with_states_as_freedoms
from torseur.once import once
from torseur.simulation.start.assemble import Assembled, assemble
from torseur.words.sentence import say


def model_of(
    mechanism: Mechanism | CompiledModel, parameters: Mapping[str, float] | None
) -> CompiledModel:
    """The compiled model at the given values, first-order states as freedoms of it."""
    return states_as_freedoms(model_with_values(mechanism, parameters))


def states_as_freedoms(model: CompiledModel) -> CompiledModel:
    """The model with a freedom for each first-order state."""
    if not model.mechanism.states:
        return model
    return compiled_at(once(with_states_as_freedoms)(model.mechanism), model.given)


def model_with_values(
    mechanism: Mechanism | CompiledModel, parameters: Mapping[str, float] | None
) -> CompiledModel:
    """The compiled model at the given values; every parameter must have one."""
    model = compiled_at(mechanism, parameters)
    for name, value in model.parameters.items():
        if value is None:
            raise ModelError(
                f'mechanism "{model.mechanism.name}"',
                say('the parameter "{name}" has no value.', name),
                say("Give it one: parameters={{'{name}': 1.0, …}}.", name),
            )
    return model


def assembled_start(model: CompiledModel, given: Mapping[str, float], t: float) -> Assembled:
    """The assembled state nearest to what is given, which is kept if loops close so.

    Coordinates are completed by the initial values; speeds that are not given are zero.
    """
    rest = {name: 0.0 for name in model.mechanism.every_speed if name in model.mechanism.initial}
    guess = {**rest, **given}
    return assemble(model, guess, t=t)


def wanted_speeds(tangent: Tangent, independent: Sequence[str]) -> tuple[int, ...]:
    """The indices of the coordinates to keep; with rolling, angles come before distances."""
    indices = [speed_index(tangent, name, "independent") for name in independent]
    if not tangent.holonomic:
        angles = [k for k, metre in enumerate(tangent.metres) if not metre]
        indices += [k for k in angles if k not in indices]
    return tuple(indices)


def speed_index(tangent: Tangent, name: str, place: str) -> int:
    """The index of a speed that is named, or of that of a coordinate."""
    speeds = tangent.speeds
    speed = name if name in speeds else f"{name}."
    if speed not in speeds:
        raise unknown(place, "coordinate", name, [x.removesuffix(".") for x in speeds])
    return speeds.index(speed)


def steady_start(
    mechanism: Mechanism | CompiledModel,
    given: Mapping[str, float] | Assembled,
    independent: Sequence[str] = (),
    parameters: Mapping[str, float] | None = None,
    t: float = 0.0,
    *,
    at_rest: bool = False,
    modes: Mapping[str, str] | None = None,
) -> tuple[AtState, tuple[int, ...]]:
    """The steady state at an assembly, or at the one nearest to what is given, and what it keeps.

    That are the indices of the coordinates named, which must be independent. First-order states
    that are not given rest, where they can. With `modes`, every contact, stop and friction keeps
    one.
    """
    model = model_of(mechanism, parameters)
    tangent = Tangent(model) if modes is None else _in_modes(model, modes)
    preferred = wanted_speeds(tangent, independent)
    start = given if isinstance(given, Assembled) else assembled_start(tangent.model, given, t)
    v = None if at_rest else start.v
    state = steady_state(tangent, start.q, v, t, Unknowns(wanted=preferred))
    if not isinstance(given, Assembled):
        state = with_resting_states(state, given, preferred)
    for name, k in zip(independent, preferred, strict=False):
        if k not in state.chart.shifts:
            chosen = ", ".join(tangent.speeds[i] for i in state.chart.shifts)
            problem = say('"{name}" is not independent of the others.', name)
            raise ModelError(
                "independent", problem, say("Rates of coordinates that are: {chosen}.", chosen)
            )
    return state, preferred


def with_resting_states(
    state: AtState, given: Collection[str], preferred: tuple[int, ...]
) -> AtState:
    """The state with first-order states that are not given at rest, where they can rest."""
    tangent = state.tangent
    names = state_freedoms(tangent.model.mechanism)
    free = {tangent.speeds.index(f"{name}.") for name in names if name not in given}
    if not free:
        return state
    others = frozenset(range(tangent.size)) - free
    resting = Unknowns(frozen=others, idle=others, wanted=preferred).solved(state)
    return state if resting is None else resting


def _in_modes(model: CompiledModel, modes: Mapping[str, str]) -> Tangent:
    """The equations of a mechanism whose contacts, stops and frictions keep their modes."""
    in_modes = kept_modes(model.mechanism, modes, "modes")
    slides = Slides(model.mechanism, in_modes.slides) if in_modes.slides else None
    return Tangent(CompiledModel(in_modes.mechanism, parameters=model.given), slides=slides)
