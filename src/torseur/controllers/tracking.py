"""Tracking errors of control laws whose model is wrong: the experiment of the 1980 report."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, final

import numpy as np

from torseur.algebra.core.graph import free_symbols
from torseur.brief import without_rounding
from torseur.controllers.controller import known_model
from torseur.controllers.joint_laws import (
    computed_torque,
    feed_forward,
    gravity_compensation,
    joint_gains,
    pd,
)
from torseur.controllers.reference import reference_of
from torseur.errors import ModelError
from torseur.figures import Figure, figure, labelled, one_panel, written
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.model.values.numbers import expressions_in
from torseur.plain import plain
from torseur.result import Result
from torseur.simulation.control.loop import Limits, Loop
from torseur.simulation.simulate import simulate
from torseur.words.sentence import say, worded

Array = np.ndarray
_SHOWN = 0.05  # of the largest error of the best law: below it nothing is drawn
_ROUNDING = 1e-12  # of the largest force
NAMES = ("gravity", "inertia", "coupling", "velocity", "applied")


@final
class Tracking(Result):
    """The errors of each law along one reference, (samples, coordinates), and what it needs."""

    name: str
    coordinates: tuple[str, ...]
    t: Array
    errors: Mapping[str, Array]
    believed: Mapping[str, float]  # the values that the laws take for true
    terms: Terms

    def rms(self, law: str) -> float:
        """The root of the mean square over samples and coordinates [rad or m]."""
        return float(np.sqrt(np.mean(self.errors[law] ** 2)))

    def worst(self, law: str) -> Array:
        """The largest error of each coordinate."""
        return np.asarray(np.abs(self.errors[law]).max(axis=0))

    @property
    def better(self) -> dict[str, float]:
        """Ratio of the rms error of the first law to that of each law."""
        first = self.rms(next(iter(self.errors)))
        return {law: first / self.rms(law) for law in self.errors}

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        result: dict[str, Any] = plain({
            "coordinates": self.coordinates,
            "believed": self.believed,
            "worst": {law: self.worst(law) for law in self.errors},
            "rms": {law: self.rms(law) for law in self.errors},
            "better": self.better,
            "terms": self.terms.document,
        })  # fmt: skip
        return result

    def __str__(self) -> str:
        width = max(map(len, (*map(_law_text, self.errors), say("largest errors"))))
        wide = max(10, 2 + max(map(len, self.coordinates)))
        heads = "".join(f"{x:>{wide}}" for x in self.coordinates)
        lines = [f"{say('largest errors'):{width}}{heads}{say('rms'):>10}{say('better'):>9}"]
        for law in self.errors:
            worst = "".join(f"{x:{wide}.2e}" for x in self.worst(law))
            lines.append(
                f"{_law_text(law):{width}}{worst}{self.rms(law):10.2e}{self.better[law]:8.1f}x"
            )
        return "\n".join([*lines, "", say("peaks of the terms [N m or N]"), f"{self.terms}"])

    def plot(self, path: Any = None) -> Figure:
        """The size of the error of each law against time."""
        drawn, panel = one_panel(8.0, 4.5)
        sizes = {law: np.linalg.norm(error, axis=1) for law, error in self.errors.items()}
        for law, size in sizes.items():
            panel.semilogy(self.t, size, label=_law_text(law))
        panel.set_ylim(bottom=_SHOWN * min(size.max() for size in sizes.values()))
        labelled(panel, "t [s]", "error [rad or m]")
        panel.legend()
        return written(drawn, path, self.name)


def _law_text(law: str) -> str:
    """The name of a law, or of a sum of laws, in the language that is spoken."""
    return " + ".join(map(worded, law.split(" + ")))


def tracking(
    mechanism: Mechanism,
    reference: Any,
    duration: float,
    frequency: float = 10.0,
    *,
    error: float = 0.1,
    seed: int = 0,
    sample: float = 1e-3,
    delay: float = 0.0,
    saturation: Limits | Mapping[str, Limits] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> Tracking:
    """Compare four control laws along a reference, with errors in their model.

    Independent servos (PD), the same with the weight, with all predicted forces along the
    reference, and computed torque, all of a natural `frequency` [rad/s] and critically damped. What
    they believe of masses, centres and inertias is off by `error`, each more or less by chance
    after `seed`.
    """
    true = known_model(mechanism, parameters).mechanism
    target, text = reference_of(reference), mistaken(true, error, seed)
    known, believed = (true, text) if text else (mistaken_numbers(true, error, seed), {})
    # the laws know a mechanism whose inertias no body need have: what they believe is wrong
    accept = ("negative moment", "triangle")
    bodies = {name: replace(body, accept=accept) for name, body in known.bodies.items()}
    known = replace(known, bodies=bodies)
    at = dict(zip(target.positions, target.at(0.0).tolist(), strict=True))
    kp, kd = joint_gains(known, frequency, at, parameters=believed)
    servos = pd(known, target, kp, kd)
    laws = (
        servos,
        servos + gravity_compensation(known, parameters=believed),
        servos + feed_forward(known, target, parameters=believed),
        computed_torque(known, target, frequency**2, 2 * frequency, parameters=believed),
    )
    # each follows the reference from its start
    start = dict(zip(target.positions, target.at(0.0), strict=True))
    start |= {f"{x}.": y for x, y in zip(target.positions, target.at(0.0, 1), strict=True)}
    errors, t = {}, np.zeros(0)
    for law in laws:
        loop = Loop(law, sample, delay, saturation=saturation)
        run = simulate(true, duration, initial=start, control=loop)
        t = run.t
        positions = np.stack([run[name] for name in target.positions], axis=-1)
        errors[law.name] = positions - target.at(t)
    needed = terms(true, target, duration)
    return Tracking(true.name, tuple(target.positions), t, errors, believed, needed)


def mistaken(mechanism: Mechanism, error: float, seed: int = 0) -> dict[str, float]:
    """The parameters of masses, centres and inertias, each too large or too small by a share.

    None where masses, centres and inertias are numbers.
    """
    bodies = mechanism.bodies.values()
    spoken = free_symbols([x for body in bodies for x in expressions_in(body)])
    placed = free_symbols([x for joint in mechanism.joints.values() for x in expressions_in(joint)])
    lengths = {x.name for x in placed}
    table, known = mechanism.parameter_table, mechanism.parameters
    follows = {name for name, x in table.items() if x.value is not None and free_symbols(x.value)}
    wrong = [x.name for x in spoken if x.name in table and x.name not in lengths | follows]
    signs = _signs(seed, len(wrong))
    pairs = zip(sorted(wrong), signs, strict=True)
    return {name: float(known[name] or 0.0) * (1 + sign * error) for name, sign in pairs}


def mistaken_numbers(mechanism: Mechanism, error: float, seed: int = 0) -> Mechanism:
    """The mechanism with every mass, centre and inertia too large or too small by a share."""
    signs = iter(_signs(seed, 10 * len(mechanism.bodies)))

    def wrong(x: Any) -> Any:
        return x * (1 + next(signs) * error)

    bodies = {}
    for name, body in mechanism.bodies.items():
        inertia = body.inertia.copy()
        for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2)):
            inertia[i, j] = inertia[j, i] = wrong(inertia[i, j])
        centre = np.array([wrong(x) for x in body.centre], dtype=object)
        bodies[name] = replace(body, mass=wrong(body.mass), centre=centre, inertia=inertia)
    return replace(mechanism, bodies=bodies)


def _signs(seed: int, count: int) -> Array:
    """More or less, by chance."""
    if seed < 0:
        raise ModelError("tracking", say("the seed must be zero or positive, got {seed}.", seed))
    return np.random.default_rng(seed).choice([-1.0, 1.0], count)


# --- terms ----------------------------------------------------------------------------------------


@final
class Terms(Result):
    """Each term along a motion, (instants, coordinates); together they are the forces to apply.

    `inertia` is that of a joint's own acceleration, `coupling` that of the others', `velocity` the
    Coriolis and centrifugal terms, `applied` what friction and forces of the description take.
    """

    name: str
    coordinates: tuple[str, ...]
    t: Array
    gravity: Array
    inertia: Array
    coupling: Array
    velocity: Array
    applied: Array

    @property
    def total(self) -> Array:
        """The forces to apply."""
        return np.asarray(np.sum([getattr(self, name) for name in NAMES], axis=0))

    @property
    def dynamic(self) -> Array:
        """Terms due to motion: inertia, coupling and velocity terms."""
        return np.asarray(self.inertia + self.coupling + self.velocity)

    def peak(self, term: str) -> Array:
        """The largest size of a term, for each coordinate; what is rounding is zero."""
        sizes = np.abs(getattr(self, term)).max(axis=0)
        return np.asarray(without_rounding(sizes, _ROUNDING * np.abs(self.total).max()))

    def share(self, term: str, of: str = "total") -> Array:
        """The peak of a term beside that of `total` or `dynamic`, for each coordinate."""
        whole = self.peak(of)
        return np.asarray(self.peak(term) / np.where(whole > 0, whole, np.inf))

    @property
    def document(self) -> dict[str, Any]:
        """Peaks and shares as plain data."""
        listed = (*NAMES, "dynamic", "total")
        result: dict[str, Any] = plain({
            "coordinates": self.coordinates,
            "peaks": {name: self.peak(name) for name in listed},
            "velocity_share_of_dynamic": self.share("velocity", "dynamic"),
        })  # fmt: skip
        return result

    def __str__(self) -> str:
        listed = [name for name in NAMES if self.peak(name).any()]
        head = "".join(f"{name:>10}" for name in (*map(worded, listed), say("total"))) + say(
            "  velocity/dynamic"
        )
        wide = max(10, *map(len, self.coordinates))
        lines = [f"{'':{wide}}{head}"]
        share = self.share("velocity", "dynamic")
        for k, coordinate in enumerate(self.coordinates):
            peaks = "".join(f"{self.peak(name)[k]:10.4g}" for name in (*listed, "total"))
            lines.append(f"{coordinate:{wide}}{peaks}{100 * share[k]:16.0f} %")
        return "\n".join(lines)

    def plot(self, path: Any = None) -> Figure:
        """The terms of each coordinate against time."""
        rows = -(-len(self.coordinates) // 2)
        drawn = figure(9.0, 2.2 * rows + 0.6)
        panels = np.ravel(drawn.subplots(rows, min(2, len(self.coordinates)), squeeze=False))
        for k, (panel, coordinate) in enumerate(zip(panels, self.coordinates, strict=False)):
            for name in (x for x in NAMES if self.peak(x).any()):
                panel.plot(self.t, getattr(self, name)[:, k], label=worded(name), linewidth=1)
            panel.plot(self.t, self.total[:, k], "k", label=say("total"), linewidth=1.2)
            labelled(panel, "t [s]", say("{coordinate} [N m or N]", coordinate))
        lines, names = panels[0].get_legend_handles_labels()
        drawn.legend(lines, names, loc="outside lower center", ncols=len(names))
        return written(drawn, path, self.name)


def terms(
    mechanism: Mechanism,
    reference: Any,
    duration: float,
    *,
    samples: int = 501,
    parameters: Mapping[str, float] | None = None,
) -> Terms:
    """The forces along a reference for `duration` seconds, term by term."""
    if not (duration > 0 and samples > 1):
        raise ModelError(
            "terms",
            say("{samples} samples over {duration} s are no motion.", samples, duration),
            "Give a positive duration, and two samples at least.",
        )
    known = known_model(mechanism, parameters)
    model, names = CompiledModel(known.mechanism), known.free_coordinates
    target = reference_of(reference)
    target.motion(names)  # says which are missing
    t = np.linspace(0.0, float(duration), samples)
    order = [list(target.positions).index(name) for name in names]
    q, v, a = (np.ascontiguousarray(target.at(t, k)[:, order]) for k in range(3))
    M = np.array([model.mass_matrix(row) for row in q])
    inertia = np.einsum("kii,ki->ki", M, a)
    applied = model.timed("moving_forces")
    return Terms(
        known.mechanism.name,
        names,
        t,
        np.array([model.gravity(row) for row in q]),
        inertia,
        np.einsum("kij,kj->ki", M, a) - inertia,
        np.array([model.bias(x, y) for x, y in zip(q, v, strict=True)]),
        -np.array([applied(x, y, when) for x, y, when in zip(q, v, t, strict=True)]),
    )
