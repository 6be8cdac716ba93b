"""The motion of many bodies that touch, free or in joints, by steps of Moreau and Jean."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any, final

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.machine.collision.tables import piles_of
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.codes import NOT_FINITE, PAUSED
from torseur.machine.integrators.drive import require_available
from torseur.machine.integrators.methods import Moreau
from torseur.machine.piles import places as at
from torseur.machine.piles.joints import held_points
from torseur.machine.piles.layout import OVERLAP
from torseur.machine.piles.memory import Memory
from torseur.machine.piles.model import PileModel
from torseur.machine.piles.tables import has_inertia
from torseur.model.checks.robot_files import is_robot_file
from torseur.model.constraints.pile import Pile
from torseur.model.contact.elements import elements
from torseur.model.description import GROUND, Mechanism
from torseur.model.joints.library import Free
from torseur.model.values.numbers import place_of
from torseur.model.values.numeric import numeric_mechanism
from torseur.simulation.formulations.absolute import absolute_model, placed_at_first
from torseur.simulation.formulations.protocol import MotionStates, interruption_notice
from torseur.simulation.formulations.request import Beginning, Request, Settings
from torseur.simulation.formulations.sampling import Schedule
from torseur.simulation.run.absolute_samples import AbsoluteSamples
from torseur.simulation.run.poses import Poses
from torseur.simulation.run.samples import Samples
from torseur.simulation.run.touching import PileContacts
from torseur.words.sentence import say

Array = np.ndarray
PARTS = 50  # of the time of a fall by the smallest half width: a step by default
_LIGHT = 1e-4  # of the heaviest body: lighter ones in joints are not solved block by block
_PAUSE = 0.05  # seconds after which Python has its turn


@final
class MoreauFormulation:
    """Positions, attitudes and velocities of all bodies; contacts act by impulses."""

    def __init__(
        self, model: CompiledModel, beginning: Beginning, settings: Settings, sampling: Schedule
    ) -> None:
        needed = say('"{mechanism}" touches by machine code only.', model.mechanism.name)
        require_available("simulate", needed)
        assert isinstance(settings.method, Moreau), "piles have no other method"
        self._model, self._residual = model, settings.method.atol or 0.0
        self._pile = PileModel(absolute_model(model))
        state, changes = placed_at_first(model, self._pile.bodies, beginning)
        step = settings.step or self._step(sampling.interval)
        self.stepping = Moreau(step, settings.method.atol)
        self.start = self._pile.start(state, step, self._residual)
        length = say("Steps of Moreau and Jean of {step:.3g} s.", step)
        steps = () if settings.step else (length,)
        self.notices = (*unwatched(model.mechanism), *steps, *changes)

    def _step(self, interval: float) -> float:
        """A part of the time of a fall by the smallest half width, or that between samples."""
        g = float(np.linalg.norm(np.asarray(self._pile.bodies.numbers.gravity, dtype=float)))
        return min(interval, falling_step(self._pile.tables.collision.least, g))

    def move(self, state: Array, request: Request) -> MotionStates:
        """The motion by steps of the kernel, Python having its turn from time to time."""
        memory, code, budget = self._pile.memory(state, request.times), PAUSED, 1
        is_whole = True
        try:
            while code == PAUSED:
                began = time.perf_counter()
                code = memory.advance(budget)
                pace = budget / max(time.perf_counter() - began, 1e-9)
                budget = int(min(max(_PAUSE * pace, 1), 10 * budget))
                if request.progress is not None:
                    request.progress(float(memory["t"]))
        except KeyboardInterrupt:
            is_whole = False
        if code in (NOT_FINITE, OVERLAP):
            raise self._failed(memory, code)
        return self._reached(memory, request, is_whole)

    def _reached(self, memory: Memory, request: Request, is_whole: bool) -> MotionStates:
        """The samples so far; of a motion that was interrupted, its end too."""
        states, t, notices = memory.states, request.times, []
        t = t[: len(states)]
        if not is_whole:
            now = float(memory["t"])
            notices = [interruption_notice(now)]
            if now > t[-1]:
                t, states = np.append(t, now), np.vstack([states, memory.state])
        if request.watches:
            notices += _quality(states, self._residual)
        return MotionStates(t, states, notices, is_whole=is_whole)

    def samples(self, t: Array, states: Array, whole: Samples | None) -> Samples:
        """Samples of bodies and contacts."""
        touching = PileContacts(self._pile, t, states)
        return AbsoluteSamples(
            self._model, Poses(self._pile.bodies, t, states, self.start, touching)
        )

    def _failed(self, memory: Memory, code: int) -> SolveError:
        """The error of a motion that could not go on."""
        place = f"t = {float(memory['t']):.6g} s"
        if code == NOT_FINITE:
            return SolveError(
                place,
                say("speeds are not finite after {steps} steps.", int(memory["steps"])),
                "A shorter step helps where a force is very stiff.",
            )
        contacts = memory.present_contacts
        row = contacts[int(np.argmin(contacts[:, at.GAP]))]
        return overlap(float(memory["t"]), row, self._pile.names)


def overlap(t: float, row: Array, names: Sequence[str]) -> SolveError:
    """Two bodies are inside each other at the start, by the row of their contact."""
    first, second = (names[int(row[k])] for k in (at.FIRST, at.SECOND))
    depth = -float(row[at.GAP])
    return SolveError(
        f"t = {t:.6g} s",
        say(
            '"{first}" and "{second}" overlap by {depth:.3g} m at the start.', first, second, depth
        ),
        "Place them apart, or just touching.",
        *(("For a robot: initial=ts.robots.on_the_ground(m).",) if second == GROUND else ()),
    )


def falling_step(width: float, g: float) -> float:
    """A part of the time of a fall by a width; infinite without gravity."""
    return float(np.sqrt(2 * width / g)) / PARTS if g else float(np.inf)


def check_touching(mechanism: Mechanism) -> None:
    """Refuse a mechanism in which nothing touches, stops or rubs."""
    if not elements(mechanism) and not piles_of(mechanism):
        raise ModelError(
            f'mechanism "{mechanism.name}"',
            say('nothing touches in "{mechanism}".', mechanism.name),
            'Collision shapes touch if they are read: ts.load(path, collisions="all").'
            if is_robot_file(mechanism.source)
            else "Example: contacts: {floor: {among: all, normal: z, friction: 0.3}}",
        )


def moves_as_pile(model: CompiledModel) -> bool:
    """Whether bodies touch that nothing else holds or drives than joints made of points.

    Their graph is solved block by block; all others move in the coordinates of joints. So do bodies
    without moments of inertia that a joint keeps from turning, and bodies in joints that are much
    lighter than others: block by block their joints close too slowly.
    """
    mechanism = model.mechanism
    alone = all(isinstance(one, Pile) for one in mechanism.contacts.values())
    besides = (mechanism.constraints, mechanism.motions, mechanism.motors, mechanism.actuators)
    if not mechanism.contacts or not alone or any(besides) or mechanism.frame is not None:
        return False
    if elements(mechanism):
        return False
    joints = mechanism.joints.values()
    if not all(held_points(joint, 1.0) is not None for joint in joints):
        return False
    bodies: Any = numeric_mechanism(mechanism, model.parameters).bodies
    carried = {x.second for x in joints if not isinstance(x.kind, Free)} & bodies.keys()
    heaviest = max((float(body.mass) for body in bodies.values()), default=0.0)
    heavy = [name for name in carried if float(bodies[name].mass) >= _LIGHT * heaviest]
    return len(heavy) == len(carried) and all(has_inertia(bodies[name]) for name in carried)


def check_contacts(mechanism: Mechanism, method: str) -> None:
    """Refuse a method that would let bodies of a pile pass through each other."""
    for contact in mechanism.contacts.values():
        if isinstance(contact, Pile):
            raise ModelError(
                place_of(contact, "contact"),
                say('method "{method}" does not move contacts among bodies.', method),
                'Use method="moreau", with a step.',
            )


def unwatched(mechanism: Mechanism) -> list[str]:
    """Notice about events, which steps of Moreau and Jean do not look for."""
    if not mechanism.events:
        return []
    named = ", ".join(mechanism.events)
    return [say("Events are not looked for between contacts: {named}.", named)]


def quality(residual: float, depth: float) -> str:
    """Notice about the largest violation of the law of contacts."""
    return say(
        "Contacts: natural residual at most {residual:.1e} m/s in a step, penetration at most "
        "{depth:.1e} m.",
        residual,
        depth,
    )


def _quality(states: Array, limit: float) -> list[str]:
    """Notices about the largest violation in the steps of a motion, and one above a limit."""
    extra = states[:, -at.EXTRA :]
    residual, depth = (float(extra[:, k].max()) for k in (at.RESIDUAL, at.PENETRATION))
    notices = [quality(residual, depth)]
    if limit and residual > limit:
        notices.append(
            say("The requested residual, {asked:.1e} m/s, was not reached in every step.", limit)
        )
    return notices
