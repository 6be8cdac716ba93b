"""A mechanism at rest, in steady motion, or at any state: where it is, and what holds it.

A coordinate is cyclic when neither the independent accelerations nor the rates of the others depend
on it: in a steady motion it may turn for ever.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np

from torseur.algebra.core.graph import flat, free_symbols, reachable
from torseur.analyse.at_a_state.chart import chart
from torseur.analyse.at_a_state.pose import Posed, posed
from torseur.analyse.at_a_state.statics import (
    Here,
    Sought,
    closed,
    moving,
    nothing,
    settled,
    steady,
    unbalanced,
)
from torseur.analyse.at_a_state.tangent import Tangent
from torseur.equations.applied import applied_forces
from torseur.errors import ModelError, SolveError, unknown
from torseur.machine.compiled import CompiledModel, compile
from torseur.model.description import Mechanism
from torseur.simulation.start.assemble import Assembled, advanced, assemble

if TYPE_CHECKING:
    from torseur.analyse.equilibria.verdict import Verdict

Array = np.ndarray
_REST = 1e-9  # of the largest speed: a speed that is rounding of an assembly


@final
@dataclass(frozen=True)
class Steady:
    """An equilibrium, a steady motion, or a state that is neither."""

    here: Here
    turning: frozenset[int] = field(default_factory=frozenset)  # displacements that turn for ever
    is_steady: bool = True
    family: int = 0  # the dimension of the family of equilibria that it belongs to
    # constant generalised forces that hold it, by coordinate [N or N m]
    held_by: Mapping[str, float] = field(default_factory=dict)

    @cached_property
    def _posed(self) -> Posed:
        model = self.here.tangent.model
        return posed(Assembled(model, self.here.q, self.here.v, 0.0, {}))

    @property
    def model(self) -> CompiledModel:
        """The model that it is a state of."""
        return self.here.tangent.model

    @property
    def coordinates(self) -> dict[str, float]:
        """Every coordinate by name, those of closing joints too."""
        found = self._posed.coordinates
        own = dict(zip(self.here.tangent.coordinates, map(float, self.here.q), strict=True))
        return {**found, **own}

    @property
    def speeds(self) -> dict[str, float]:
        """Every speed of the tree by name."""
        return dict(zip(self.here.tangent.speeds, map(float, self.here.v), strict=True))

    @property
    def parameters(self) -> dict[str, float | None]:
        """The values of the parameters."""
        return self.model.parameters

    @cached_property
    def energy(self) -> float:
        """E_p [J]."""
        return self.here.tangent.quantities.potential(self.here.q, self.here.t)

    @cached_property
    def effective_energy(self) -> float:
        """E_p − K0 [J]: what is stationary at an equilibrium under imposed motions."""
        return self.energy - self.here.tangent.quantities.kinetic(self.here.q, self.here.v)

    @cached_property
    def reactions(self) -> dict[str, Array]:
        """Force then couple of the first body on the second in every joint, in ground axes."""
        here = self.here
        return self.here.tangent.quantities.wrenches(here.q, here.v, here.a, here.lam, here.t)

    @property
    def multipliers(self) -> dict[str, Array]:
        """The multipliers of each closing joint, contact, motion and relation."""
        owners = np.array(self.here.tangent.constraints.owners)
        return {name: self.here.lam[owners == name] for name in dict.fromkeys(owners)}

    @cached_property
    def stable(self) -> Verdict:
        """The verdict of `linearise` about it."""
        from torseur.analyse.equilibria.verdict import Verdict
        from torseur.analyse.vibrations.linearise import linear

        if not self.here.chart.speeds:
            return Verdict("stable", "nothing is free to move.")
        try:
            return linear(self, ()).stable
        except SolveError as error:
            return Verdict("undecided", error.problem)

    def __str__(self) -> str:
        what = "state"
        if self.held_by:
            what = "held pose"
        elif self.is_steady:
            what = "steady motion" if self.turning else "equilibrium"
        numbers = {**self.coordinates, **{n: x for n, x in self.speeds.items() if x}}
        listed = ", ".join(f"{name} = {_printed(x)}" for name, x in numbers.items())
        more = f" (one of a family of {self.family} parameter(s))" if self.family else ""
        return f"{what} {listed}{more}"


def _printed(x: float) -> str:
    return f"{0.0 if abs(x) < 1e-12 else x:.6g}"


# --- models and starts ----------------------------------------------------------------------------


def model_of(
    mechanism: Mechanism | CompiledModel, parameters: Mapping[str, float] | None
) -> CompiledModel:
    """The compiled model at the given values; every parameter must have one."""
    model = mechanism if isinstance(mechanism, CompiledModel) else compile(mechanism)
    model = model.with_parameters(**parameters) if parameters else model
    for name, value in model.parameters.items():
        if value is None:
            raise ModelError(
                f'mechanism "{model.mechanism.name}"',
                f'the parameter "{name}" has no value.',
                f"Give it one: parameters={{'{name}': 1.0, …}}.",
            )
    return model


def dry_notices(model: CompiledModel) -> tuple[str, ...]:
    """What to say of dry friction, which no linear term knows."""
    forces = reachable(flat(applied_forces(model.system)))
    signs = (x for x in forces if x.op == "sign")
    if not any(y.kind == "speed" for x in signs for y in free_symbols(x)):
        return ()
    return (
        "Dry friction is left out: with it, what is near an equilibrium may stick where it is.",
    )


def started(model: CompiledModel, given: Mapping[str, float], t: float) -> Assembled:
    """The assembled state nearest to what is given, which is kept if loops close so.

    Coordinates are completed by the initial values; speeds that are not given are zero.
    """
    rest = {name: 0.0 for name in model.mechanism.every_speed if name in model.mechanism.initial}
    guess = {**rest, **given}
    return assemble(model, guess, t=t)


def wanted_speeds(tangent: Tangent, independent: Sequence[str]) -> tuple[int, ...]:
    """The indices of the coordinates to keep; with rolling, angles come before distances."""
    speeds = tangent.speeds
    found = []
    for name in independent:
        speed = name if name in speeds else f"{name}."
        if speed not in speeds:
            raise unknown("independent", "coordinate", name, [x.removesuffix(".") for x in speeds])
        found.append(speeds.index(speed))
    if not tangent.holonomic:
        angles = [k for k, metre in enumerate(tangent.metres) if not metre]
        found += [k for k in angles if k not in found]
    return tuple(found)


def check_independent(here: Here, independent: Sequence[str], wanted: tuple[int, ...]) -> None:
    """The coordinates named must be independent of each other."""
    for name, k in zip(independent, wanted, strict=False):
        if k not in here.chart.shifts:
            chosen = ", ".join(here.tangent.speeds[i] for i in here.chart.shifts)
            raise ModelError(
                "independent",
                f'"{name}" is not independent of the others.',
                f"Rates of coordinates that are: {chosen}.",
            )


# --- what nothing depends on ----------------------------------------------------------------------


def unfelt(here: Here, speed: float = 0.0) -> frozenset[int]:
    """The displacements that no independent acceleration and no rate of the others depends on.

    Seen at states around this one: at rest, or with random independent speeds of about `speed`.
    """
    rng = np.random.default_rng(2)
    tangent, at = here.tangent, here.chart
    lengths = tangent.model.sizes.displacements
    flat = np.ones(len(at.shifts), dtype=bool)
    rates = np.zeros((len(at.shifts), len(at.shifts)), dtype=bool)
    for _ in range(4):
        step = at.P @ (0.3 * here.units * rng.normal(size=len(at.shifts)))
        q = closed(tangent, advanced(tangent.model, here.q, step), here.t, at.shifts)
        if q is None:
            continue
        v = here.v + speed * lengths * rng.normal(size=tangent.size)
        kept = steady(tangent, q, v, here.t, kept=at)
        made = moving(tangent, q, kept.v, here.t, kept=at)
        own = lengths[list(at.speeds), np.newaxis]
        moved = np.abs(made.reduced.M * own * own.T).max(initial=0.0) * speed**2
        size = max(1e3 * made.rounding, 1e-9 * moved)
        flat &= (np.abs(made.reduced.K * own * here.units) <= size).all(axis=0)
        shaken = made.reduced.H / here.units[:, np.newaxis] * here.units
        rates |= np.abs(shaken) > 1e-9 * max(speed, 1e-300)
    while True:
        shaken = rates[~flat].any(axis=0) if (~flat).any() else np.zeros_like(flat)
        if not (flat & shaken).any():
            return frozenset(i for k, i in enumerate(at.shifts) if flat[k])
        flat &= ~shaken


def check_autonomous(here: Here) -> None:
    """What acts must not depend on time; imposed motions may."""
    still, free = nothing(here.tangent)
    later = here.t + 0.7123
    loads = [here.tangent.at(here.q, here.v, still, free, t).r for t in (here.t, later)]
    if np.abs(loads[1] - loads[0]).max(initial=0.0) > 1e-9 * max(here.largest, 1e-300):
        raise ModelError(
            f'mechanism "{here.tangent.model.mechanism.name}"',
            f"a load depends on time: it changes between t = {here.t:g} s and {later:g} s.",
            "Give t=… to take it as it is at that instant.",
        )


def persists(here: Here, sought: Sought) -> bool:
    """Whether the state is still balanced when what moves has gone on for a while.

    The speeds that are to be constant are the same then: in a steady motion the independent ones,
    those given and those of what stands still; under imposed motions all of them.
    """
    if not here.v.any() or not (here.tangent.model.mechanism.motions or sought.turning):
        return True
    lengths = here.tangent.model.sizes.displacements
    size = float(np.abs(here.v / lengths).max())
    constant = list(range(here.tangent.size))
    if sought.turning:
        resting = (i for i in here.chart.shifts if i not in sought.turning)
        constant = sorted({*here.chart.speeds, *(i for i, _ in sought.told), *resting})
    for angle in (0.4, 1.7):
        later = angle / size
        q = here.q.copy()
        for _, link in here.tangent.model.system.tree:
            if not link.joint.turning:
                q[link.q] += later * here.v[link.v]
        q_closed = closed(here.tangent, q, here.t + later)
        if q_closed is None:
            return False
        there = steady(here.tangent, q_closed, here.v, here.t + later, sought, here.chart)
        changed = np.abs((there.v - here.v) / lengths)[constant].max(initial=0.0)
        if not sought.balanced(there) or changed > 1e-7 * size:
            return False
    return True


# --- at= ------------------------------------------------------------------------------------------


def state(
    mechanism: Mechanism | CompiledModel | Steady | Assembled | None,
    at: Any,
    independent: Sequence[str],
    parameters: Mapping[str, float] | None,
    t: float,
) -> Steady:
    """What `at` means: a state found or assembled, names with values, or nothing.

    A state in the place of the mechanism is one of its own.
    """
    if at is None and isinstance(mechanism, Steady | Assembled):
        at, mechanism = mechanism, mechanism.model
    if isinstance(at, Steady):
        if parameters:
            raise ModelError(
                "parameters",
                f"a state that was found has its own values, not {', '.join(parameters)}.",
                "Look for the state with these parameters.",
            )
        wanted = wanted_speeds(at.here.tangent, independent)
        if not independent:
            return at
        return replace(at, here=replace(at.here, chart=chart(at.here.terms, wanted)))
    if not isinstance(mechanism, Mechanism | CompiledModel):
        raise _unread("mechanism", mechanism, "a mechanism, a compiled model, or a state found")
    if not isinstance(at, Mapping | Assembled | None):
        raise _unread("at", at, "a state found or assembled, or coordinates by name")
    model = model_of(mechanism, parameters)
    tangent = Tangent(model)
    wanted = wanted_speeds(tangent, independent)
    start = at if isinstance(at, Assembled) else started(model, at or {}, t)
    here = steady(tangent, start.q, start.v, t, Sought(wanted=wanted))
    check_independent(here, independent, wanted)
    if at is None and here.chart.speeds:
        sought = Sought(frozen=unfelt(here), wanted=wanted)
        found = settled(here, sought)
        if found is None or not persists(found, sought):
            raise unbalanced(here)
        return Steady(found)
    return _as_it_is(here, start.v, wanted)


def _unread(place: str, value: object, wanted: str) -> ModelError:
    several = "Take one of them: found[0]." if isinstance(value, Iterable) else ""
    return ModelError(
        place,
        f"expected {wanted}, got {type(value).__name__}.",
        *filter(None, [several]),
    )


def _as_it_is(here: Here, v: Array, wanted: tuple[int, ...]) -> Steady:
    """The state, found to be steady or not."""
    sought = Sought(wanted=wanted)
    own = [v[i] for i in here.chart.speeds]
    if not any(own):
        if sought.balanced(here) and persists(here, sought):
            return Steady(here)
    else:
        found = _going_on(here, float(np.abs(own).max()), wanted)
        if found is not None:
            return found
    return Steady(moving(here.tangent, here.q, v, here.t, wanted), is_steady=False)


def _going_on(here: Here, speed: float, wanted: tuple[int, ...]) -> Steady | None:
    """The steady motion that a state with speeds is, if nothing but cyclic coordinates moves."""
    cyclic = unfelt(here, speed)
    sought = Sought(frozen=cyclic, turning=cyclic, wanted=wanted)
    size = float(np.abs(here.v).max(initial=0.0))
    moves = [i for i in here.chart.shifts if abs(here.v[i]) > _REST * size]
    if any(i not in cyclic for i in moves):
        return None
    made = steady(here.tangent, here.q, here.v, here.t, sought, here.chart)
    if not sought.balanced(made) or not persists(made, sought):
        return None
    return Steady(made, cyclic if moves else frozenset())
