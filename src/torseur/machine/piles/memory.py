"""A run of a pile: its record, its arrays, and the steps that the kernel makes on them."""

from __future__ import annotations

import ctypes
from typing import Any, final

import numpy as np

from torseur.machine.absolute.places import STATE
from torseur.machine.integrators.problem import Entry
from torseur.machine.piles import places as at
from torseur.machine.piles.codes import FULL
from torseur.machine.piles.layout import (
    CORNERS,
    MOST_IN_NEWTON,
    MOST_NODES,
    NEIGHBOURS,
    PILE,
    SOLVED,
    WIDTHS,
)
from torseur.machine.piles.tables import Tables
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import table

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
        asked: tuple[Array, Array, float, float],  # state, times, step, residual
    ) -> None:
        state, times, step, residual = asked
        self._run = np.zeros((), dtype=PILE)
        self._arrays: dict[str, Array] = {}
        bodies = len(given.body) - 1
        still = np.zeros((bodies + 1, at.MOTION_WIDTH))
        still[0, at.ATTITUDE : at.ATTITUDE + 9] = np.eye(3).ravel()
        movable = 1 + np.flatnonzero(given.body[1:, at.PAIRS] > 0)
        self._hold(y=state, times=times, rates=np.zeros(len(state)))
        self._hold(states=np.zeros((len(times), len(state))))
        self._arrays["states"][0] = state
        self._hold(body=given.body, plane=given.plane, law=given.law)
        self._hold(motion=still, tie=given.tie)
        self._hold(order=movable.astype(np.int64), corners=np.zeros((2, CORNERS, 3)))
        self._hold(first=np.zeros(bodies + 2, np.int64), island=np.zeros(bodies + 1, np.int64))
        n = 3 * MOST_IN_NEWTON
        self._hold(compliance=np.zeros((n, n)), tangent=np.zeros((n, n)))
        self._hold(exchanges=np.zeros(n), room=np.zeros(n))
        self._hold(node=np.zeros(bodies + 1, np.int64))
        self._hold_graph(min(bodies, MOST_NODES))
        self._write(t=times[0], step=step, grain=GRAIN * given.least, bodies=bodies)
        self._write(overlap=OVERLAP * given.least, asked=residual)
        self._write(n=len(state), planes=len(given.plane), sorted=len(movable), filled=1)
        self._write(samples=len(times), axis=_widest(state, movable), ties=len(given.tie))
        self._write(followers=len(state) - STATE * bodies - at.EXTRA)
        self._write(**dict(zip(("gx", "gy", "gz"), gravity, strict=True)))
        self._hold_loads(loads)
        self._grow(_FIRST_CAPACITY + 4 * bodies + len(given.tie))
        self._kernel = loop_kernel("torseur.machine.piles.kernels.stepping", "stepping")
        self._advance = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(self._kernel.address)

    def _write(self, **numbers: Any) -> None:
        for name, value in numbers.items():
            self._run[name] = value

    def _hold(self, **arrays: Array) -> None:
        """Copies of arrays, at addresses that the record has."""
        self._keep(**{name: np.array(given, order="C") for name, given in arrays.items()})

    def _keep(self, **arrays: Array) -> None:
        """Arrays of its own, the same."""
        for name, own in arrays.items():
            self._arrays[name] = own
            self._write(**{name: own.ctypes.data})

    def _hold_graph(self, nodes: int) -> None:
        """Room for the matrix of an island; what no island needs takes no memory."""
        blocks = nodes * NEIGHBOURS
        self._write(most_nodes=nodes, most_blocks=blocks)
        sizes = {"owner": nodes, "degree": nodes, "pivot": nodes, "later_first": nodes + 1}
        sizes |= {"later": blocks, "slot": nodes * nodes}
        self._keep(**{name: np.zeros(size, np.int64) for name, size in sizes.items()})
        self._keep(block=np.zeros(36 * blocks), block_room=np.zeros(72), given=np.zeros(6 * nodes))

    def _hold_loads(self, loads: Entry | None) -> None:
        """The accelerations that loads give, as a function by its address."""
        if loads is not None:
            self._clock, self._loads = np.zeros(1), loads
            self._write(rate=loads.address)
            self._hold(rate_table=table(loads.constants, self._clock, self._clock, self._clock))

    def _grow(self, capacity: int) -> None:
        """Room for more contacts; those of the step before are kept."""
        kept = self._table("contact_before") if self.capacity else None
        for name, width in WIDTHS.items():
            self._hold(**{name: np.zeros((capacity, width))})
        if kept is not None:
            self._arrays["contact_before"][: len(kept)] = kept
        self._hold(member=np.zeros(capacity, np.int64))
        self._hold(**{name: np.zeros(width * capacity) for name, width in SOLVED.items()})
        self._hold(along=np.zeros((capacity, 3)), changed=np.zeros((capacity, 3)))
        self._write(capacity=capacity)

    def _table(self, name: str) -> Array:
        """A table of contacts as it is now: the kernel exchanges them."""
        address = int(self._run[name])
        own = (self._arrays[one] for one in WIDTHS)
        return next(x for x in own if x.ctypes.data == address)

    def advance(self, budget: int) -> int:
        """Some more steps; the code says how they ended."""
        self._write(budget=budget)
        while (code := int(self._advance(self._run.ctypes.data))) == FULL:
            self._grow(2 * self.capacity)
        return code

    # --- what is read -----------------------------------------------------------------------

    def __getitem__(self, name: str) -> Any:
        """A number or a count of the record."""
        return self._run[name][()]

    @property
    def capacity(self) -> int:
        """Contacts that there is room for."""
        return int(self._run["capacity"])

    @property
    def state(self) -> Array:
        """Now."""
        return self._arrays["y"].copy()

    @property
    def states(self) -> Array:
        """The samples so far."""
        return self._arrays["states"][: int(self._run["filled"])].copy()

    @property
    def contacts(self) -> Array:
        """The contacts of the last step, with their impulses."""
        return self._table("contact_before")[: int(self._run["before"])].copy()

    @property
    def found(self) -> Array:
        """The contacts at the present place."""
        return self._table("contact")[: int(self._run["contacts"])].copy()


def _widest(state: Array, bodies: Array) -> int:
    """The axis along which the centres of bodies are spread most."""
    places = [state[STATE * (b - 1) :][:3] for b in bodies]
    return int(np.argmax(np.std(places, axis=0))) if len(bodies) else 0
