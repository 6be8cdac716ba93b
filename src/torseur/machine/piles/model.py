"""A pile of bodies, ready to be moved: its tables, and what loads do to it."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from torseur.machine.absolute import body_tables as absolute
from torseur.machine.absolute.absolute_model import AbsoluteModel
from torseur.machine.collision.tables import piles_of
from torseur.machine.collision.touch import Touch, touch
from torseur.machine.piles import places as at
from torseur.machine.piles.memory import Memory
from torseur.machine.piles.tables import tables
from torseur.model.description import GROUND

Array = np.ndarray


@final
class PileModel:
    """The bodies of a mechanism at given parameters, with their contacts and what joints hold."""

    def __init__(self, bodies: AbsoluteModel) -> None:
        self.bodies = bodies
        mechanism = bodies.mechanism
        piles = piles_of(mechanism)
        self.tables = tables(bodies.numbers, piles, bodies.values, bodies.scales.length)
        self.names = (GROUND, *mechanism.bodies)

    def __reduce__(self) -> tuple[Any, ...]:
        return PileModel, (self.bodies,)

    @property
    def size(self) -> int:
        """Length of the state: 13 numbers a body, angles of joints, then those of `places`."""
        return self.bodies.size - 1 + at.EXTRA

    def start(self, bodies: Array, step: float, residual: float = 0.0) -> Array:
        """The state of a pile that moves by steps, solved to a residual if one is given [m/s]."""
        state = np.zeros(self.size)
        state[: -at.EXTRA] = bodies[: len(state) - at.EXTRA]
        state[at.STEP - at.EXTRA], state[at.ASKED - at.EXTRA] = step, residual
        return state

    def memory(self, state: Array, times: Array) -> Memory:
        """A run about to begin."""
        step, residual = (float(state[k - at.EXTRA]) for k in (at.STEP, at.ASKED))
        acts = self.bodies.loads or self.bodies.followers
        loads = self.bodies.entry(absolute.LOADS) if acts else None
        gravity = np.asarray(self.bodies.numbers.gravity, dtype=float)
        return Memory(self.tables, gravity, loads, (state, times, step, residual))

    def touches(self, state: Array, t: float) -> tuple[Array, tuple[Touch, ...]]:
        """Accelerations (bodies, 6) and contacts of the step that begins at a state."""
        step = float(state[at.STEP - at.EXTRA])
        memory = self.memory(state, np.array([t, t + step]))
        memory.advance(1)
        size = absolute.STATE * len(self.bodies.mechanism.bodies)
        before, after = (x[:size].reshape(-1, absolute.STATE) for x in (state, memory.state))
        touches = tuple(touch(row, self.names, step) for row in memory.contacts if not row[at.HELD])
        return (after - before)[:, absolute.VELOCITY :] / step, touches

    def qualities(self, states: Array) -> tuple[Array, Array]:
        """The largest residual [m/s] and the deepest penetration [m] since the state before."""
        return states[:, at.RESIDUAL - at.EXTRA], states[:, at.PENETRATION - at.EXTRA]
