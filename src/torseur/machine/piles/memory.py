"""A run of a pile: its record, its arrays, and the steps that the kernel makes on them."""

from __future__ import annotations

from typing import Any, final

import numpy as np

from torseur.machine.absolute.body_tables import STATE
from torseur.machine.collision.memory import hold_collision
from torseur.machine.collision.places import OWNER
from torseur.machine.integrators.problem import Entry
from torseur.machine.piles import places as at
from torseur.machine.piles.layout import (
    DENSE,
    FULL,
    MEMBERS,
    MOST_NODES,
    NEIGHBOURS,
    OF_CONTACTS,
    PILE,
    ROOM,
    WHOLES,
)
from torseur.machine.piles.tables import Tables
from torseur.machine.runtime.loop_kernel import KernelMotion, loop_kernel
from torseur.machine.runtime.memory import Record, room

Array = np.ndarray
GRAIN = 1e-7  # of the smallest half width: a penetration that counts as none
OVERLAP = 1e-3  # the same: one that no start may have
_FIRST_CAPACITY = 64  # contacts


@final
class Memory:
    """The memory of one run."""

    def __init__(
        self,
        given: Tables,
        gravity: Array,
        loads: Entry | None,
        request: tuple[Array, Array, float, float],  # state, times, step, residual
    ) -> None:
        state, times, step, residual = request
        self._run = run = Record(PILE)
        bodies, n = len(given.body) - 1, len(state)
        still = np.zeros((bodies + 1, at.MOTION_WIDTH))
        still[0, at.ATTITUDE : at.ATTITUDE + 9] = np.eye(3).ravel()
        geometry = given.collision
        movable, owners = geometry.movable, geometry.shape[:, OWNER].astype(int)
        centres = [state[STATE * (b - 1) :][:3] for b in owners[movable]]
        widest = int(np.argmax(np.std(centres, axis=0))) if centres else 0  # axis of their spread
        run.hold(y=state, times=times, states=np.zeros((len(times), n)))
        run.arrays["states"][0] = state
        run.hold(body=given.body, motion=still, tie=given.tie)
        hold_collision(run, geometry, bodies)
        nodes = min(bodies, MOST_NODES)
        graph = {"most_nodes": nodes, "most_blocks": nodes * NEIGHBOURS}
        more = {"most_nodes + 1": nodes + 1, "bodies + 1": bodies + 1, "bodies + 2": bodies + 2}
        sizes = {"n": n, "shapes + 1": len(geometry.shape) + 1}
        run.keep(**room(ROOM, graph | sizes), **room(WHOLES, graph | more, np.int64))
        run.arrays["fine"][:] = 1.0  # speeds of contacts are all in m/s
        run.write(t=times[0], step=step, grain=GRAIN * geometry.least, bodies=bodies, **graph)
        run.write(overlap=OVERLAP * geometry.least, asked=residual, rows=DENSE)
        run.write(n=n, contact_width=at.CONTACT_WIDTH, filled=1)
        run.write(samples=len(times), axis=widest, ties=len(given.tie))
        run.write(followers=n - STATE * bodies - at.EXTRA)
        run.write(**dict(zip(("gx", "gy", "gz"), gravity, strict=True)))
        if loads is not None:
            run.call("rate", loads)
        self._grow(_FIRST_CAPACITY + 4 * bodies + len(given.tie))
        kernel = loop_kernel("torseur.machine.piles.kernels.stepping", "stepping")
        self._motion = KernelMotion(run, kernel)

    def _grow(self, capacity: int) -> None:
        """Room for more contacts; those of the step before are kept."""
        before, counts = self.contacts if self.capacity else None, {"capacity": capacity}
        self._run.keep(**room(OF_CONTACTS, counts), **room(MEMBERS, counts, np.int64))
        if before is not None:
            self._run.arrays["contact_before"][: len(before)] = before
        self._run.write(capacity=capacity)

    def _table(self, name: str) -> Array:
        """A table of contacts as it is now: the kernel exchanges them."""
        tables = (self._run.arrays[one] for one in ("contact", "contact_before"))
        return next(x for x in tables if x.ctypes.data == self._run[name])

    def advance(self, budget: int) -> int:
        """Some more steps; the code says how they ended."""
        while (code := self._motion.advance(budget)) == FULL:
            self._grow(2 * self.capacity)
        return code

    # --- what is read -----------------------------------------------------------------------

    def __getitem__(self, name: str) -> Any:
        """A number or a count of the record."""
        return self._run[name]

    @property
    def capacity(self) -> int:
        """Contacts that there is room for."""
        return int(self._run["capacity"])

    @property
    def state(self) -> Array:
        """Now."""
        return self._run.arrays["y"].copy()

    @property
    def states(self) -> Array:
        """The samples so far."""
        return self._run.arrays["states"][: self._run["filled"]].copy()

    @property
    def contacts(self) -> Array:
        """The contacts of the last step, with their impulses."""
        return self._table("contact_before")[: self._run["before"]].copy()

    @property
    def present_contacts(self) -> Array:
        """The contacts at the present place."""
        return self._table("contact")[: self._run["contacts"]].copy()
