"""The memory of a run: the record, and the arrays whose addresses it holds."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from typing import final

import numpy as np

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.layout import (
    COMPLEX_MATRICES,
    MATRICES,
    OF_IMPULSES,
    ROOM,
    RUN,
    SCANNED,
)
from torseur.machine.integrators.methods import Method, Radau, Symplectic
from torseur.machine.integrators.outcome import Event, Outcome, Reached
from torseur.machine.integrators.problem import Entry, Events, Problem, StateSizes, of_size_one
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import Record, Shape, room

Array = np.ndarray

CLOSED = 1e-12  # the norm of a gap: that of a loop that is closed
SMALL = 1e-3  # of the relative tolerance: what is tolerated of a component that is zero
_GROWTH = 10  # most that a step is multiplied by for the next one
_CODES = tuple(Code)  # by their numbers
_EVENTS = 256  # rows of the table that is emptied at each pause

# The modules of kernels that do not bear their names.
_HOMES = {"project": "projection", "watch": "events", "impel": "impulses"}
_OF_PROBLEMS = ("rate", "project_positions", "project_speeds", "prepare", "act", "settle", "leap")
_HOMES |= {"rk4": "explicit", "euler": "explicit"}


@final
class Memory:
    """All that a run remembers, and the steps that change it."""

    def __init__(
        self, problem: Problem, start: Array, times: Array, method: Method, closed: float = CLOSED
    ) -> None:
        self._run, self._events = Record(RUN), list[Event]()
        self._address = self._run.address
        self._run.owners.append(problem)
        n = len(start)
        self._run.write(n=n, t=times[0], end=times[-1], samples=len(times), closed=closed)
        self._run.hold(y=start, times=times, states=np.zeros((len(times), n)))
        self._sizes = problem.sizes or of_size_one(n)
        self._run.hold(most=self._sizes.most, grain=self._sizes.grain, usual=self._sizes.usual)
        self._hold_functions(problem)
        self._acting = problem.acting if problem.act is not None else None
        if self._acting is not None:
            self._hold_acting(self._acting, times)
        self._make_room(ROOM)
        self.adopt(method)
        self._bytes = self._run.values.reshape(1).view(np.uint8)
        self._fresh = self._bytes.copy()

    def restart(self, start: Array, times: Sequence[float] | Array, step: float = 0.0) -> None:
        """The same problem and method from another start, at times that are not more than before.

        `step` is the first step that a method with control of the error tries. One much shorter
        than the run is guessed instead: that costs less than many short steps.
        """
        arrays, values, count = self._run.arrays, self._run.values, len(times)
        self._bytes[:] = self._fresh
        self._events = []
        arrays["y"][:] = start
        arrays["times"][:count] = times
        if self._acting is not None:
            self._hold_acting(self._acting, arrays["times"][:count])
        values["t"], values["end"], values["samples"] = times[0], times[-1], count
        if 0.0 < times[-1] - times[0] <= _GROWTH * step:
            values["h"] = step

    def compare_with(self, sizes: StateSizes) -> None:
        """The components of another start are compared with other sizes."""
        arrays = self._run.arrays
        arrays["usual"][:], arrays["most"][:] = sizes.usual, sizes.most
        arrays["grain"][:] = sizes.grain
        if self._given_atol is None:
            arrays["atol"][:] = SMALL * self._run["rtol"] * sizes.usual

    def adopt(self, method: Method) -> None:
        """From here on the steps are those of this method."""
        n, settings = self._run["n"], method.settings()
        self._run.owners.append(method)
        atol = self._given_atol = settings.pop("atol")
        atol = SMALL * settings["rtol"] * self._sizes.usual if atol is None else atol
        self._run.hold(atol=np.broadcast_to(np.asarray(atol, dtype=float), n))
        self._run.write(h_done=0.0, jacobian_age=0, together=0, strained=0, relaxed=0)  # of others
        self._run.write(**settings)
        if isinstance(method, Radau):
            self._call("rate_derivative", method.derivative)
            self._make_room(MATRICES)
            self._make_room(COMPLEX_MATRICES, complex)
        if isinstance(method, Symplectic) and method.restraint is not None:
            self._call("free", method.restraint.free)
            self._call("restraint", method.restraint.gap)
            self._call("compliance", method.restraint.compliance)
            self._make_room(OF_IMPULSES)
            self._run.write(impel=self._code("impel"))
        self._advance = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(self._code(method.kernel))

    def _code(self, kernel: str) -> int:
        """The address of a kernel, which stays in memory."""
        made = loop_kernel(f"{__package__}.kernels.{_HOMES.get(kernel, kernel)}", kernel)
        self._run.owners.append(made)
        return made.address

    def _call(self, name: str, given: Entry | None) -> None:
        if given is not None:
            self._run.call(name, given.address, given.constants)

    def _hold_functions(self, problem: Problem) -> None:
        for name in _OF_PROBLEMS:
            self._call(name, getattr(problem, name))
        if problem.project_positions is not None or problem.project_speeds is not None:
            self._run.write(project=self._code("project"))
        if problem.events is not None:
            self._hold_events(problem.events)
        if problem.leap is not None:
            self._run.write(m=problem.elements, capacity=max(_EVENTS, SCANNED * problem.elements))

    def _hold_acting(self, acting: Array, times: Array) -> None:
        """When somebody acts on the state, and how far steps may go until then."""
        acts = np.isin(times, acting)
        limits = np.where(acts, times, times[-1])
        self._run.hold(acting=acts.astype(float), limits=np.minimum.accumulate(limits[::-1])[::-1])

    def _hold_events(self, events: Events) -> None:
        m = len(events.directions)
        self._call("events", events.functions)
        self._run.hold(direction=np.array(events.directions, dtype=float))
        self._run.hold(terminal=np.array(events.terminal, dtype=float))
        self._run.keep(turning=np.full(m, -1.0) if events.turning is None else events.turning)
        self._run.write(m=m, capacity=max(_EVENTS, SCANNED * m), watch=self._code("watch"))

    def _make_room(self, shapes: Mapping[str, Shape], kind: type = float) -> None:
        counts = {name: self._run[name] for name in ("n", "m", "capacity", "restraints", "pairs")}
        n, restrained = counts["n"], counts["restraints"] * (1 + counts["pairs"])
        counts |= {"n + 1": n + 1, "n + 2": n + 2, "3 n": 3 * n, "restrained": restrained}
        self._run.keep(**room(shapes, counts, kind))

    @property
    def steps(self) -> int:
        """Steps tried."""
        return int(self._run["accepted"] + self._run["rejected"])

    @property
    def time(self) -> float:
        """The time reached."""
        return float(self._run["t"])

    @property
    def end(self) -> float:
        """The last time asked for."""
        return float(self._run["end"])

    @property
    def step(self) -> float:
        """The step to try next."""
        return float(self._run["h"])

    @property
    def state(self) -> Array:
        """The state reached, which the next steps change."""
        return self._run.arrays["y"]

    @property
    def reached(self) -> Reached:
        """Where the run is."""
        run = self._run
        return Reached(self.time, self.state.copy(), self.step, run["accepted"], run["bend"])

    def place(self, state: Array | None) -> None:
        """Go on from another state; None: from where it is."""
        if state is not None:
            self.state[:] = state

    def advance(self, budget: int) -> Code:
        """Some more steps; the events found are taken out of the table."""
        self._run.values["budget"] = budget
        code: Code = _CODES[self._advance(self._address)]
        recorded = self._run["recorded"]
        if recorded:
            found = self._run.arrays["records"][:recorded]
            self._events += [Event(float(row[0]), int(row[1]), row[2:].copy()) for row in found]
            self._run.write(recorded=0)
        return code

    def outcome(self, code: Code) -> Outcome:
        """What there is, whatever the reason of the end."""
        run = self._run
        return Outcome(
            run.arrays["states"][: run["filled"]].copy(),
            tuple(self._events),
            code,
            self.time,
            self.state.copy(),
            run["accepted"],
            run["rejected"],
            run["evaluations"],
        )
