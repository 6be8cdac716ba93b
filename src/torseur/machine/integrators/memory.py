"""The memory of a run: the record, and the arrays whose addresses it holds."""

from __future__ import annotations

import ctypes
from typing import Any, final

import numpy as np

from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.methods import Method, Radau, Symplectic
from torseur.machine.integrators.outcome import Event, Outcome, Reached
from torseur.machine.integrators.problem import Entry, Events, Problem, Restraint, of_size_one
from torseur.machine.runtime.loop_kernel import loop_kernel
from torseur.machine.runtime.memory import table
from torseur.machine.runtime.run_record import NODES, RUN, SCANNED, STAGES, TERMS

Array = np.ndarray

CLOSED = 1e-12  # the norm of a gap: that of a loop that is closed
SMALL = 1e-3  # of the relative tolerance: what is tolerated of a component that is zero
_EVENTS = 256  # rows of the table that is emptied at each pause

# The modules of kernels that do not bear their names.
_HOMES = {"project": "projection", "watch": "events", "impel": "impulses"}
_HOMES |= {"rk4": "explicit", "euler": "explicit"}


@final
class Memory:
    """All that a run remembers, and the steps that change it."""

    def __init__(
        self, problem: Problem, start: Array, times: Array, method: Method, closed: float = CLOSED
    ) -> None:
        self._run = np.zeros((), dtype=RUN)
        self._arrays: dict[str, Array] = {}
        self._events: list[Event] = []
        self._owners: list[Any] = [problem]
        n = len(start)
        self.write(n=n, t=times[0], end=times[-1], samples=len(times), closed=closed)
        self._hold(y=start, times=times, states=np.zeros((len(times), n)))
        self._sizes = problem.sizes or of_size_one(n)
        self._hold(most=self._sizes.most, grain=self._sizes.grain, usual=self._sizes.usual)
        self._hold_functions(problem)
        self._acting = problem.acting if problem.act is not None else None
        self._hold_acting(times)
        self._make_room(n)
        self.adopt(method)
        self._fresh = self._run.copy().reshape(1).view(np.uint8)

    def restart(self, start: Array, times: Array, turning: Array | None = None) -> None:
        """The same problem and method from another start, at times that are not more than before.

        Of each event function, `turning` tells its rate anew, if there are any.
        """
        self._run.reshape(1).view(np.uint8)[:] = self._fresh
        self._events = []
        self._arrays["y"][:] = start
        if turning is not None:
            self._arrays["turning"][:] = turning
        self._hold(times=times)
        self._hold_acting(times)
        self.write(t=times[0], end=times[-1], samples=len(times))

    def adopt(self, method: Method) -> None:
        """From here on the steps are those of this method."""
        n, settings = int(self._run["n"]), method.settings()
        self._owners.append(method)
        atol = settings.pop("atol")
        atol = SMALL * settings["rtol"] * self._sizes.usual if atol is None else atol
        self._hold(atol=np.broadcast_to(np.asarray(atol, dtype=float), n))
        self.write(h_done=0.0, jacobian_age=0, together=0, strained=0, relaxed=0)  # of others
        self.write(**settings)
        if isinstance(method, Radau):
            self._hold_function("rate_derivative", method.derivative)
            self._make_matrices(n)
        if isinstance(method, Symplectic) and method.restraint is not None:
            self._hold_restraint(n, method.restraint)
        self._advance = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)(self._code(method.kernel))

    def write(self, **numbers: Any) -> None:
        """Numbers of the record."""
        for name, value in numbers.items():
            self._run[name] = value

    def _hold(self, **arrays: Array) -> None:
        """Copies of arrays, at addresses that the record has."""
        for name, given in arrays.items():
            self._arrays[name] = np.array(given, order="C")
            self._run[name] = self._arrays[name].ctypes.data

    def _code(self, kernel: str) -> int:
        """The address of a kernel, which stays in memory."""
        made = loop_kernel(f"{__package__}.kernels.{_HOMES.get(kernel, kernel)}", kernel)
        self._owners.append(made)
        return made.address

    def _hold_functions(self, problem: Problem) -> None:
        for name in ("rate", "project_positions", "project_speeds", "prepare", "act", "settle"):
            self._hold_function(name, getattr(problem, name))
        if problem.project_positions is not None or problem.project_speeds is not None:
            self.write(project=self._code("project"))
        if problem.events is not None:
            self._hold_events(problem.events)

    def _hold_acting(self, times: Array) -> None:
        """When somebody acts on the state, and how far steps may go until then."""
        if self._acting is None:
            return
        acts = np.isin(times, self._acting)
        limits = np.where(acts, times, times[-1])
        self._hold(acting=acts.astype(float), limits=np.minimum.accumulate(limits[::-1])[::-1])

    def _hold_function(self, name: str, given: Entry | None) -> None:
        """An entry and its table, in which the addresses of y and of the output are left open."""
        if given is not None:
            clock = np.zeros(1)
            self._owners.append(clock)
            self.write(**{name: given.address})
            self._hold(**{f"{name}_table": table(given.constants, clock, clock, clock)})

    def _hold_events(self, events: Events) -> None:
        m = len(events.directions)
        self._hold_function("events", events.functions)
        self._hold(direction=np.array(events.directions, dtype=float))
        self._hold(terminal=np.array(events.terminal, dtype=float))
        self._hold(turning=np.array(events.turning or (-1,) * m, dtype=float))
        self.write(m=m, capacity=max(_EVENTS, SCANNED * m), watch=self._code("watch"))

    def _make_room(self, n: int) -> None:
        m, capacity = int(self._run["m"]), int(self._run["capacity"])
        for name in ("f", "arrival", "next_y", "next_f", "inside"):
            self._hold(**{name: np.zeros(n)})
        for name in ("g", "g_before", "g_after", "side", "root"):
            self._hold(**{name: np.zeros(m)})
        self._hold(stages=np.zeros((STAGES, n)), polynomial=np.zeros((TERMS, n)))
        self._hold(room=np.zeros(n + 1), records=np.zeros((capacity, 2 + n)))

    def _hold_restraint(self, n: int, given: Restraint) -> None:
        """What the impulses of constraints need."""
        m = given.rows
        self._hold_function("free", given.free)
        self._hold_function("restraint", given.gap)
        self._hold_function("compliance", given.compliance)
        self._hold(impulses=np.zeros((2, NODES, m)), restrained=np.zeros((NODES, m * (1 + n // 2))))
        self._hold(real_factors=np.zeros((m, m)), exchanges=np.zeros(m))
        self.write(impel=self._code("impel"))

    def _make_matrices(self, n: int) -> None:
        """What an implicit method works in."""
        self._hold(jacobian=np.zeros((n, n)), real_factors=np.zeros((n, n)))
        self._hold(complex_factors=np.zeros((n, n), dtype=complex), exchanges=np.zeros((2, n)))
        self._hold(solution=np.zeros(n, dtype=complex), all_factors=np.zeros((3 * n, 3 * n)))
        self._hold(all_exchanges=np.zeros(3 * n), all_room=np.zeros(3 * n))

    @property
    def steps(self) -> int:
        """Steps tried."""
        return int(self._run["accepted"]) + int(self._run["rejected"])

    @property
    def time(self) -> float:
        """The time reached."""
        return float(self._run["t"])

    @property
    def end(self) -> float:
        """The last time asked for."""
        return float(self._run["end"])

    @property
    def reached(self) -> Reached:
        """Where the run is."""
        run, y = self._run, self._arrays["y"]
        step, steps, bend = float(run["h"]), int(run["accepted"]), float(run["bend"])
        return Reached(self.time, y.copy(), step, steps, bend)

    def advance(self, budget: int) -> Code:
        """Some more steps; the events found are taken out of the table."""
        self.write(budget=budget)
        code = Code(self._advance(self._run.ctypes.data))
        found = self._arrays["records"][: int(self._run["recorded"])]
        self._events += [Event(float(row[0]), int(row[1]), row[2:].copy()) for row in found]
        self.write(recorded=0)
        return code

    def outcome(self, code: Code) -> Outcome:
        """What there is, whatever the reason of the end."""
        return Outcome(
            self._arrays["states"][: int(self._run["filled"])].copy(),
            tuple(self._events),
            code,
            self.time,
            self._arrays["y"].copy(),
            int(self._run["accepted"]),
            int(self._run["rejected"]),
            int(self._run["evaluations"]),
        )
