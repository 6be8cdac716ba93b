"""Rest by friction: whether a mechanism sticks, and between which values of a parameter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import final

import numpy as np

from torseur.errors import ModelError, SolveError, unknown
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.model.contact.meshes import require_no_meshes
from torseur.model.description import Mechanism
from torseur.result import Result
from torseur.simulation.contact.errors import unsettled
from torseur.simulation.start.assemble import assemble
from torseur.words.sentence import say

Array = np.ndarray
_STILL = 1e-9  # of the largest change that forces prevent: none
_SEARCH = (0.05, 1.6, 60)  # for an end of a band: first step, growth, number
_ROUND = 180  # steps of half a turn
_BEYOND = 1e-4  # of a parameter, over which the motion beyond an end is looked at
_EXACT = 1e-14  # of a parameter, where the search ends


@final
class Grip(Result):
    """Contact forces that keep a mechanism at a state, with friction within its limit."""

    forces: dict[str, Array]  # of each element: the normal force, then friction
    gives_way: tuple[str, ...]  # what starts to slide or to lift; nothing if it sticks

    @property
    def holds(self) -> bool:
        """Whether it sticks."""
        return not self.gives_way


# from a value of a parameter to what keeps the mechanism there, and accelerations of rows
Released = Callable[[float], tuple[Grip, Array]]


@final
class Band(Result):
    """The values of a parameter between which a mechanism sticks, and what gives way at either."""

    parameter: str
    low: float
    high: float
    at_low: tuple[str, ...]
    at_high: tuple[str, ...]


def _released(model: CompiledModel, initial: Mapping[str, float]) -> tuple[Grip, Array]:
    """Contact forces at a state, and accelerations of contact rows: zero where they stick."""
    require_no_meshes(model.mechanism, say("sticking at a state"))
    contacts = ContactModel(model)
    if not contacts.parts:
        problem = "nothing touches or rubs in this mechanism."
        raise ModelError("grip", problem, "Describe contacts, stops or friction.")
    start = assemble(model, dict(initial))
    rest = np.zeros(contacts.size - len(start.q) - len(start.v))
    y = np.concatenate([start.q, start.v, rest])
    contacts.see(y, 0.0)
    for one, slides in zip(contacts.parts, contacts.slides & contacts.touches, strict=True):
        if slides:
            problem = say('"{name}" slides at this state.', one.name)
            raise ModelError("grip", problem, "Give speeds at which nothing slides.")
    verdict = contacts.choose(y, 0.0)
    if verdict != at.SETTLED:
        raise unsettled(contacts, 0.0, verdict)
    z, w, sizes = contacts["z"].copy(), contacts["w"].copy(), contacts.held.sizes.rows
    none = _STILL * float(np.abs(contacts["c"] / sizes).max(initial=0.0)) * sizes
    lifts = contacts.has_gap & (w > none)[contacts.normal_rows]
    slides = np.array([bool((np.abs(w) > none)[rows].any()) for rows in contacts.rubbing_rows])
    moves = contacts.touches & (lifts | slides)
    grip = Grip(
        {
            one.name: z[list(rows)]
            for one, rows, touches in zip(
                contacts.parts, contacts.state.rows, contacts.touches, strict=True
            )
            if touches
        },
        tuple(contacts.parts[k].name for k in np.flatnonzero(moves)),
    )
    return grip, w / sizes


def grip(
    mechanism: Mechanism | CompiledModel,
    initial: Mapping[str, float] | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
) -> Grip:
    """Contact forces and parts that give way at a state: the described one, or given values.

    Speeds may be those of a steady motion, as long as nothing slides.
    """
    return _released(compiled_at(mechanism, parameters), initial or {})[0]


def sticking_band(
    mechanism: Mechanism | CompiledModel,
    parameter: str,
    initial: Mapping[str, float] | None = None,
    *,
    parameters: Mapping[str, float] | None = None,
) -> Band:
    """Range of a parameter in which a mechanism sticks at a state; ±∞ without a bound.

    It must stick at the value that the parameter has.
    """
    model = compiled_at(mechanism, parameters)
    value = model.parameters.get(parameter)
    if value is None:
        raise unknown("sticking_band", "parameter", parameter, model.parameters)
    state, _ = _released(model, initial or {})
    if not state.holds:
        raise SolveError(
            "sticking_band",
            say(
                '"{name}" gives way at {parameter} = {value:g}.',
                state.gives_way[0],
                parameter,
                value,
            ),
            "Start from a value at which it sticks.",
        )

    def released(x: float) -> tuple[Grip, Array]:
        return _released(model.tried(**{parameter: x}), initial or {})

    (low, at_low), (high, at_high) = (_end(released, value, x) for x in (-1.0, 1.0))
    return Band(parameter, low, high, at_low, at_high)


def resting_range(
    mechanism: Mechanism | CompiledModel,
    coordinate: str,
    at: Mapping[str, float],
    *,
    parameters: Mapping[str, float] | None = None,
    turns: bool = False,
) -> Band:
    """Range of a coordinate in which a mechanism rests by friction, about a place where it does.

    A coordinate that turns is looked at in small steps as far as half a turn.
    """
    model = compiled_at(mechanism, parameters)

    def released(x: float) -> tuple[Grip, Array]:
        return _released(model, {**at, coordinate: x})

    steps = (np.pi / _ROUND, 1.0, _ROUND) if turns else _SEARCH
    (low, at_low), (high, at_high) = (_end(released, at[coordinate], x, steps) for x in (-1, 1))
    return Band(coordinate, low, high, at_low, at_high)


def _end(
    released: Released,
    value: float,
    sign: float,
    steps: tuple[float, float, int] = _SEARCH,
) -> tuple[float, tuple[str, ...]]:
    """The last value at which it sticks, on one side, and what gives way beyond.

    Steps are the first, in parts of the value unless they are equal, how they grow, and how many.
    """
    first, wider, most = steps
    inside, step = value, first if wider == 1 else first * (abs(value) or 1.0)
    for _ in range(most):
        outside = inside + sign * step
        beyond, _ = released(outside)
        if not beyond.holds:
            break
        inside, step = outside, wider * step
    else:
        return sign * np.inf, ()
    while abs(outside - inside) > _EXACT * max(abs(inside), abs(outside)):
        middle = (inside + outside) / 2
        result, _ = released(middle)
        if result.holds:
            inside = middle
        else:
            outside, beyond = middle, result
    return _vanishing(released, inside, sign), beyond.gives_way


def _vanishing(released: Released, end: float, sign: float) -> float:
    """Value at which the motion beyond an end begins, which is detected a little later.

    A parabola through accelerations beyond the end has its zero there.
    """
    step = sign * _BEYOND * (abs(end) or 1.0)
    places = np.arange(1.0, 4.0)
    result = [released(end + x * step)[1] for x in places]
    row = int(np.abs(result[0]).argmax())
    c, b, a = np.linalg.solve(np.vander(places, increasing=True), [w[row] for w in result])
    below = b + np.copysign(np.sqrt(max(b * b - 4 * a * c, 0.0)), b)  # exact for small a too
    nearest = -2 * c / below if below else 0.0
    return float(end + (step * nearest if abs(nearest) < 1 else 0.0))
