"""The phase space of a mechanism: momenta for speeds, and a step that suits a symplectic method."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import final

import numpy as np

from torseur.algebra.core.expr import TIME
from torseur.algebra.core.graph import free_symbols
from torseur.equations.actions.applied import generalised_parts
from torseur.equations.functions.canonical import Canonical, canonical_kernels
from torseur.equations.functions.held_rows import Rows
from torseur.equations.symbols.system import signal_names, system
from torseur.errors import ModelError, SolveError
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.machine.integrators.drive import integrate
from torseur.machine.integrators.methods import Dop853, Symplectic
from torseur.machine.integrators.outcome import Outcome
from torseur.machine.integrators.problem import Restraint, StateSizes, entry_of
from torseur.machine.native import python_function
from torseur.machine.runtime.bitcode import available
from torseur.machine.tree.evaluator import LARGE
from torseur.model.constraints.selection import meshes
from torseur.model.description import Mechanism
from torseur.model.freed import is_freed
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.constraints.row_combinations import RowCombinations
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.joint import MOST_ROWS
from torseur.simulation.formulations.joint_start import JointStart, momentum_sizes
from torseur.simulation.formulations.protocol import (
    FAILURES,
    MotionStates,
    motion_of,
    problem_of,
    run_integrator,
    smoothed_friction,
)
from torseur.simulation.formulations.request import Request, Settings
from torseur.simulation.formulations.sampling import Schedule
from torseur.simulation.formulations.sensing import sense
from torseur.simulation.run.joint_samples import JointSamples
from torseur.simulation.run.samples import Samples
from torseur.words.sentence import say

Array = np.ndarray

STEPS_A_PERIOD = 60
_TRIAL = 200  # steps of DOP853 after which enough of the motion has been seen
_LOOSE = 1e-6  # its tolerance
_SEEN = 65  # samples of it
_SAME = 1e-9  # of an interval between samples: two that differ by less are equal
_GROWTH = 8  # of its duration, as long as it has fewer steps
_FEWER = 'The coordinates of joints are fewer: coordinates="joint".'


@final
class PhaseSpace:
    """By symplectic steps in coordinates and momenta, held together by rows of J."""

    def __init__(
        self,
        begin: JointStart,
        settings: Settings,
        sampling: Schedule,
        control: Control | None = None,
        guide: PhaseSpace | None = None,  # the same motion, by which the step is chosen
    ) -> None:
        constraints, rows = begin.constraints, begin.rows
        _check_size(constraints, rows)
        _check_holonomic(constraints, rows)
        self.begin, self._model, self._rows = begin, constraints.model, rows
        self._doubtful = constraints.model.once(_without_potential)
        self._combinations = RowCombinations(constraints, rows)
        codes = constraints.model.once(_Codes(rows))
        calls = {name: self._combinations.calls(code) for name, code in codes.items()}
        self._entries = {name: entry_of(bound) for name, bound in calls.items()}
        self._call = {name: python_function(bound) for name, bound in calls.items()}
        self._combinations.follow(begin.t, begin.y)
        self.start = np.asarray(self._call["momenta"](begin.y, np.zeros(1)))
        self._control = control
        if control is not None:
            self._let_see(control)
            self.start = control.acted(self.start, begin.t)
        self.stepping, notices = self._stepping(settings, sampling, guide or self)
        self.notices = (*notices, *smoothed_friction(begin.model.mechanism), *begin.notices)

    def _let_see(self, control: Control) -> None:
        """The law measures coordinates and speeds, or what is measured of these."""
        begin, size = self.begin, len(self.start)
        measured = begin.measured
        if measured is not None:

            def view(t: float, z: Array) -> Array:
                return measured(t, self.speeds(z))

            control.sees_in_python(view, size, self._inputs, senses=True)
            return
        sense(control, begin, begin.samples, len(begin.y))
        control.sees(self._entries["speeds"], size, self._inputs)

    def move(self, state: Array, request: Request) -> MotionStates:
        """The motion by an integrator that calls the kernels by their addresses."""
        mechanism = self._model.mechanism
        problem, control = problem_of(self._entries, mechanism, request.watches), self._control
        if control is not None and request.watches:
            problem = replace(problem, act=control.act, acting=control.instants.acting)
        problem = problem.with_sizes(self.sizes(state, request.times))
        attend = self._combinations.attend
        outcome = run_integrator(
            problem, state, request, self.stepping, self._failed, control, attend=attend
        )
        return motion_of(
            outcome, request.times, list(mechanism.events), read=lambda _, z: self.speeds(z)
        )

    def samples(self, t: Array, states: Array, whole: Samples | None) -> JointSamples:
        """Coordinates, speeds and what follows from them."""
        return self.begin.samples(t, self.speeds(states), whole)

    def _failed(self, outcome: Outcome) -> SolveError:
        """Where a motion ended."""
        named = zip(self._model.coordinates, outcome.state, strict=False)
        pose = ", ".join(f"{n} = {x:.4g}" for n, x in named)
        return SolveError(
            f"t = {outcome.time:.6g} s",
            say("{failures}.", FAILURES[outcome.code]),
            say("The mechanism was at {pose}.", pose),
            "A shorter step helps, unless the cause is a dead point, a very stiff spring or a "
            "collision of two lengths.",
        )

    @property
    def _inputs(self) -> int:
        """Where the forces given from outside stand in a state (q, p, work, forces)."""
        return 2 * len(self._model.coordinates) + 1

    def speeds(self, z: Array) -> Array:
        """(q, v, …) from (q, p, …), of one state or of many."""
        return np.asarray(self._call["speeds"](z, np.zeros((*z.shape[:-1], 1))))

    def sizes(self, z: Array, times: Array) -> StateSizes:
        """Sizes with which the components of a state are compared."""
        t, duration = float(times[0]), float(times[-1] - times[0])
        self._combinations.follow(t, z)
        y, rate = self.speeds(z), self._rates(z[np.newaxis], t)[0]
        nq, nv = len(self._model.coordinates), len(self._model.speeds)
        # momenta change as M times speeds do: exact at rest, and no worse than a guess elsewhere
        pushed = self.speeds(np.concatenate([z[:nq], rate[nq:]]))[nq : nq + nv]
        first = np.concatenate([y[:nq], pushed, np.zeros(len(z) - 2 * nq)])
        return momentum_sizes(self._model, y, first, duration)

    def _stepping(
        self, settings: Settings, sampling: Schedule, guide: PhaseSpace
    ) -> tuple[Symplectic, list[str]]:
        """The method with its step, which divides the intervals between samples, and notices."""
        method, interval = settings.method, sampling.interval
        assert isinstance(method, Symplectic), "symplectic steps have an order"
        longest = float(np.diff(sampling.times).max())
        if longest > interval * (1 + _SAME):  # of times that are not evenly spaced
            interval = longest
        if settings.step is not None:
            target, why = settings.step, ""
        else:
            fastest = guide._fastest(guide.start, sampling.times)
            target = 2 * np.pi / max(STEPS_A_PERIOD * fastest, 1e-300)
            why = say(
                ", {steps_a_period} or more in the shortest period seen at the beginning",
                STEPS_A_PERIOD,
            )
            why += f" ({2 * np.pi / fastest:.3g} s)" if fastest > 0 else say(" (none)")
        step = interval / max(int(np.ceil(interval / target - 1e-9)), 1)
        notices = [
            say("Symplectic steps of {step:.6g} s, of order {order}{why}.", step, method.order, why)
        ]
        if self._doubtful:
            notices.append(
                say(
                    "The {doubtful} has no potential that depends on coordinates alone: the method "
                    "is not symplectic for it, and nothing is promised about energy in the long "
                    "run.",
                    self._doubtful[0],
                )
            )
        pairs, restraint = len(self._model.coordinates), self._restraint
        return replace(method, step=step, pairs=pairs, restraint=restraint), notices

    @property
    def _restraint(self) -> Restraint | None:
        """Kernels by which the integrator holds the constraints; None without any."""
        if not self._rows.selected:
            return None
        entries = [self._entries[name] for name in ("free", "restraint", "compliance")]
        return Restraint(self._rows.rank, *entries)

    def _fastest(self, z: Array, times: Array) -> float:
        """The highest pulsation [rad/s] met in a trial motion: an oscillation's or a rotation's."""
        start, z = float(times[0]), z.copy()
        z[self._inputs :] = 0.0  # commands that last would drive it away
        states, sizes = self._trial(z, times), self.sizes(z, times)
        turning = [k for k, unit in enumerate(self._model.sizes.speed_units) if unit == "rad/s"]
        nq = len(self._model.coordinates)
        turned = np.abs(self.speeds(states)[:, nq:][:, turning]).max(initial=0.0)
        # by differences, exact in p, in units of what each coordinate reaches
        usual = sizes.usual[: 2 * nq]
        peaks = np.minimum(np.abs(states).max(axis=0), sizes.most)[: 2 * nq]
        parts = peaks[nq:] / usual[nq:]
        peaks[nq:] = usual[nq:] * parts.max(initial=0.0)
        steps = np.where(peaks > 0, peaks, usual) * np.repeat([1e-5, 1.0], nq)
        changes = np.pad(np.diag(steps), ((0, 0), (0, len(z) - 2 * nq)))
        ahead, behind = (
            self._rates((states[:, np.newaxis] + sign * changes).reshape(-1, len(z)), start)
            for sign in (1, -1)
        )
        slopes = (ahead - behind)[:, : 2 * nq].reshape(len(states), 2 * nq, 2 * nq)
        eigenvalues = np.linalg.eigvals(slopes / (2 * steps[:, np.newaxis]))
        return float(max(np.abs(eigenvalues).max(initial=0.0), turned))

    def _rates(self, states: Array, t: float) -> Array:
        return np.asarray(self._call["rate"](states, np.full((len(states), 1), t)))

    def _trial(self, z: Array, whole: Array) -> Array:
        """Samples of the beginning of a motion."""
        start, duration = float(whole[0]), float(whole[-1] - whole[0])
        problem = problem_of(self._entries, self._model.mechanism, watches=False)
        problem = problem.with_sizes(self.sizes(z, whole))
        lasts = duration * _GROWTH**-12.0
        while True:
            times = np.linspace(start, start + lasts, _SEEN)
            outcome = integrate(problem, z, times, Dop853(_LOOSE), attend=self._combinations.attend)
            if outcome.steps >= _TRIAL or lasts >= duration:
                return outcome.states
            lasts = min(_GROWTH * lasts, duration)


@final
@dataclass(frozen=True)
class _Codes:
    """Makes the machine code of canonical equations, by name; equal ones make the same."""

    rows: Rows

    def __call__(self, mechanism: Mechanism) -> dict[str, Evaluator]:
        kernels = canonical_kernels(system(mechanism), self.rows)
        return {name: kernel_code(make, text) for name, (text, make) in kernels.items()}


def _without_potential(mechanism: Mechanism) -> list[str]:
    """The forces and motors that are not those of a potential of the coordinates alone.

    Commands do not count: who commands changes energy, and that work is part of the balance.
    """
    symbols, signals = system(mechanism), signal_names(mechanism)
    commands, canonical = {f'force "{name}"' for name in signals}, Canonical(symbols)
    parts = generalised_parts(symbols, by_gradients=True)
    return [n for n, Q in parts.items() if n not in commands and not canonical.has_potential(Q)]


def _check_size(constraints: NumericConstraints, rows: Rows) -> None:
    """Refuse what there is no machine code for."""
    speeds = len(constraints.model.speeds)
    if speeds > LARGE or len(rows.selected) > MOST_ROWS or not available():
        raise ModelError(
            f'mechanism "{constraints.model.mechanism.name}"',
            say(
                "symplectic steps need machine code, for at most {large} speeds and {most_rows} "
                "constraints; it has {speeds} and {number}.",
                LARGE,
                MOST_ROWS,
                speeds,
                len(rows.selected),
            ),
            'Use method="dop853", or install numba.',
            *([_FEWER] if is_freed(constraints.model.mechanism) else []),
        )


def _check_holonomic(constraints: NumericConstraints, rows: Rows) -> None:
    """Refuse constraints that have no canonical equations here."""
    if not constraints:
        return
    reasons = {
        constraints.owners[row]: say(
            "it restrains speeds and not positions, as rolling does: such motions have no "
            "canonical equations"
        )
        for row in rows.selected
        if row not in constraints.positions
    }
    for row, gap in zip(constraints.positions, constraints.model.constraints.gap, strict=True):
        if TIME in free_symbols(gap):
            reasons[constraints.owners[row]] = say(
                "it depends on time: what imposes the motion changes energy"
            )
    if reasons:
        owner, reason = next(iter(reasons.items()))
        raise ModelError(
            f'"{owner}"',
            say("{reason}, and symplectic steps hold constraints on positions alone.", reason),
            'Use method="dop853", which holds all constraints by projection.',
            *_in_joints(constraints.model.mechanism, owner),
        )


def _in_joints(mechanism: Mechanism, owner: str) -> list[str]:
    """The advice for gears between bodies that are each placed by itself."""
    if not is_freed(mechanism) or owner not in {gear.name for gear in meshes(mechanism)}:
        return []
    return ['In the coordinates of joints, teeth may hold positions: coordinates="joint".']
