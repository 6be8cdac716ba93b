"""Inverse dynamics of a motion: forces along coordinates, powers, wrenches in joints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, final

import numpy as np

from torseur.brief import numbered
from torseur.equations.actions.reactions import wrench_names
from torseur.errors import ModelError, SolveError, require_known
from torseur.figures import Figure, figure, labelled, written
from torseur.machine.compiled import CompiledModel, compiled_at
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.contact.smooth import changing
from torseur.model.description import Mechanism
from torseur.model.values.scales import coordinate_units
from torseur.notices import noticed
from torseur.output import write_table
from torseur.result import Result
from torseur.robotics.follow import followed
from torseur.robotics.trajectory import Trajectory, arranged, read_trajectory
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.run.joint_samples import with_teeth
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.saving import save_curves
from torseur.words.sentence import say

Array = np.ndarray
_RANK = 1e-9
_PRODUCED = 1e-8  # of the forces that are needed: what actuators may leave


@final
class TaskEfforts(Result):
    """Forces along the actuated coordinates over time, besides those of the description."""

    model: CompiledModel
    trajectory: Trajectory
    t: Array  # (samples) [s]
    q: Array  # of the tree
    v: Array
    a: Array
    actuators: tuple[str, ...]
    efforts: Array  # (samples, actuators) [N m, N]
    lambdas: Array  # (samples, rows): what holds loops closed
    notices: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<TaskEfforts of {', '.join(self.actuators)}: {numbered(len(self.t), 'sample')}>"

    def __getitem__(self, actuator: str) -> Array:
        """The force or couple along an actuated coordinate (samples)."""
        require_known("inverse", "actuator", actuator, self.actuators)
        return self.efforts[:, self.actuators.index(actuator)]

    @cached_property
    def _speeds(self) -> list[int]:
        return [self.model.speeds.index(f"{name}.") for name in self.actuators]

    @property
    def speeds(self) -> Array:
        """Speeds of the actuated coordinates (samples, actuators)."""
        return self.v[:, self._speeds]

    @property
    def accelerations(self) -> Array:
        """Accelerations of the actuated coordinates (samples, actuators)."""
        return self.a[:, self._speeds]

    @property
    def positions(self) -> Array:
        """Positions of the actuated coordinates (samples, actuators)."""
        return self.q[:, [self.model.coordinates.index(name) for name in self.actuators]]

    @property
    def powers(self) -> Array:
        """Effort × speed (samples, actuators) [W]."""
        return np.asarray(self.efforts * self.speeds)

    @property
    def peak(self) -> Array:
        """The largest size of each effort."""
        return np.asarray(np.abs(self.efforts).max(axis=0))

    @property
    def rms(self) -> Array:
        """The root of the mean square of each effort."""
        return root_mean_square(self.t, self.efforts)

    @property
    def work(self) -> Array:
        """∫ P dt of each actuator [J]."""
        return np.asarray(np.trapezoid(self.powers, self.t, axis=0))

    @property
    def units(self) -> tuple[str, ...]:
        """Units of the efforts: N·m or N."""
        units = coordinate_units(self.model.mechanism)
        return tuple("N" if units[name] == "m" else "N·m" for name in self.actuators)

    @cached_property
    def _wrenches(self) -> Array:
        """Force, couple, origin and axes of M of every joint (samples, joints, 18)."""
        multipliers = [self.lambdas] if self.lambdas.shape[1] else []
        result = self.model.timed("joint_wrenches")(self.q, self.v, self.a, *multipliers, self.t)
        return np.asarray(result)

    @property
    def joints(self) -> tuple[str, ...]:
        """The joints that have a reaction."""
        return wrench_names(self.model.system)

    def reaction(self, joint: str) -> Array:
        """Force then couple of the first body on the second (samples, 6), all that passes through.

        In ground axes, at the origin of the frame M of the joint, as `run.reaction` gives it.
        """
        require_known("inverse", "joint", joint, self.joints)
        return self._wrenches[:, self.joints.index(joint), :6]

    # --- files and figures --------------------------------------------------------------------

    def _columns(self, reactions: bool) -> list[Curve]:
        """All that is written."""
        columns = []
        for k, (name, unit) in enumerate(zip(self.actuators, self.units, strict=True)):
            columns.append(Curve(f"effort_{name}", unit, self.efforts[:, k]))
        for k, name in enumerate(self.actuators):
            columns.append(Curve(f"power_{name}", "W", self.powers[:, k]))
        parts = [(f"{kind}_{x}", unit) for kind, unit in (("force", "N"), ("couple", "N·m"))
                 for x in "xyz"]  # fmt: skip
        for joint in self.joints if reactions else ():
            for (part, unit), values in zip(parts, self.reaction(joint).T, strict=True):
                columns.append(Curve(f"{joint}_{part}", unit, values))
        return columns

    def save(self, path: str | Path, *, reactions: bool = False) -> Path:
        """Efforts and powers, with `reactions` those of every joint too: .csv, or .nc (netCDF)."""
        columns = self._columns(reactions)
        if Path(path).suffix.lower() == ".nc":
            save_curves(path, self.model.mechanism.name, self.t, columns)
            return Path(path)
        heads = ["t [s]", *(f"{one.name} [{one.unit}]" for one in columns)]
        table = np.column_stack([self.t, *(one.values for one in columns)])
        return write_table(path, heads, table)

    def figure(self, path: str | Path | None = None) -> Figure:
        """Efforts and powers over time."""
        drawn = figure(8.0, 6.0)
        upper, lower = drawn.subplots(2, 1, sharex=True)
        for k, name in enumerate(self.actuators):
            upper.plot(self.t, self.efforts[:, k], label=name)
            lower.plot(self.t, self.powers[:, k], label=name)
        labelled(upper, "", say("effort [{units}]", ", ".join(dict.fromkeys(self.units))))
        labelled(lower, "t [s]", "power [W]")
        upper.legend()
        return written(drawn, path, self.model.mechanism.name)

    @property
    def document(self) -> dict[str, Any]:
        """Plain data."""
        return {
            "samples": len(self.t),
            "duration": float(self.t[-1] - self.t[0]),
            "actuators": {
                name: {
                    "unit": self.units[k],
                    "peak": float(self.peak[k]),
                    "rms": float(self.rms[k]),
                    "peak_speed": float(np.abs(self.speeds[:, k]).max()),
                    "peak_power": float(np.abs(self.powers[:, k]).max()),
                    "work": float(self.work[k]),
                }
                for k, name in enumerate(self.actuators)
            },
            "notices": list(self.notices),
            "t": self.t.tolist(),
            "efforts": {name: self.efforts[:, k].tolist() for k, name in enumerate(self.actuators)},
        }

    def __str__(self) -> str:
        powers = np.abs(self.powers).max(axis=0)
        lines = [say("{count} samples, {length:g} s", len(self.t), self.t[-1] - self.t[0])]
        lines += [
            say(
                "  {name}: peak {peak:.5g} {unit}, rms {rms:.5g}, peak power {power:.5g} W, "
                "work {work:.5g} J",
                name, self.peak[k], self.units[k], self.rms[k], powers[k], self.work[k],
            )
            for k, name in enumerate(self.actuators)
        ]  # fmt: skip
        lines += noticed(self.notices)
        return "\n".join(lines)


def root_mean_square(t: Array, values: Array) -> Array:
    """√(mean of the square over time) of each column; between samples the square is straight."""
    return np.asarray(np.sqrt(np.trapezoid(values**2, t, axis=0) / (t[-1] - t[0])))


def inverse(
    mechanism: Mechanism | CompiledModel,
    trajectory: Trajectory | str | Path,
    *,
    rate: float | None = None,
    actuators: Sequence[str] | None = None,
    guess: Mapping[str, float] | None = None,
    parameters: Mapping[str, float] | None = None,
) -> TaskEfforts:
    """The forces that make a mechanism follow a trajectory, or a CSV file of one.

    They act on top of what the description applies: motors, friction, springs. An open chain needs
    the motion of every coordinate. Where loops close, the trajectory may give some coordinates:
    the others follow from the loops, nearest to `guess`, and what acts are forces along the
    `actuators`, by default the coordinates that are given; if they are more than needed, the
    smallest forces. Of a motion that has those of the actuators, no other is used. `rate` gives
    samples a second instead of the instants of the trajectory.
    """
    model = compiled_at(mechanism, parameters)
    motion = trajectory if isinstance(trajectory, Trajectory) else read_trajectory(trajectory)
    motion = motion if rate is None else motion.sampled(rate)
    motion = _independent(model, motion, actuators)
    chosen = motion.names if actuators is None else tuple(actuators)
    require_driven(model, "trajectory", motion.names)
    require_driven(model, "actuators", chosen)
    result = (_closed if model.system.constrained else _open)(model, motion, chosen, guess)
    if not changing(model.mechanism):
        return result
    left_out = say("contacts, stops and dry friction of loads are left out of these forces.")
    return replace(result, notices=(left_out,))


def _independent(
    model: CompiledModel, motion: Trajectory, actuators: Sequence[str] | None
) -> Trajectory:
    """The part of a motion that says how a linkage moves: that of its actuators, if it has them.

    Coordinates of joints that close loops follow from the others.
    """
    if not model.system.constrained:
        return motion
    if actuators and all(name in motion.names for name in actuators):
        return motion.only(tuple(dict.fromkeys(actuators)))
    closing = {*model.mechanism.every_coordinate} - {*model.coordinates}
    return motion.only([name for name in motion.names if name not in closing])


def require_driven(model: CompiledModel, place: str, names: Sequence[str]) -> None:
    """Coordinates that have their own speed, and that no motion of the description moves."""
    known = [name for name in model.coordinates if f"{name}." in model.speeds]
    imposed = {x.coordinate: x.name for x in imposed_coordinates(model.mechanism).values()}
    require_known(place, "coordinate", names, known)
    for name in names:
        if name in imposed:
            raise ModelError(
                place,
                say('"{name}" follows the motion "{motion}" already.', name, imposed[name]),
                "Leave out that motion of the model, or this coordinate here.",
            )


def _open(
    model: CompiledModel, motion: Trajectory, actuators: tuple[str, ...], guess: object = None
) -> TaskEfforts:
    """Efforts of a tree, by its inverse dynamics; `guess` serves linkages only."""
    order = arranged(motion.names, model.coordinates, "trajectory")
    q, v, a = (x[:, order] for x in (motion.q(), motion.v(), motion.a()))
    result = np.asarray(model.timed("inverse_dynamics")(q, v, a, motion.t))
    columns = [model.speeds.index(f"{name}.") for name in actuators]
    left = np.abs(np.delete(result, columns, axis=1)).max(initial=0.0)
    if left > _PRODUCED * np.abs(result).max():
        missing = [name for name in model.coordinates if name not in actuators]
        raise _not_produced(actuators, say("{missing} needs a force too", ", ".join(missing)))
    no_rows = np.zeros((len(motion.t), 0))
    return TaskEfforts(model, motion, motion.t, q, v, a, actuators, result[:, columns], no_rows)


def _not_produced(actuators: Sequence[str], why: str) -> SolveError:
    return SolveError(
        "inverse",
        say("forces along {actuators} alone cannot make this motion: {why}.",
            ", ".join(actuators), why),
        "Name more actuators.",
    )  # fmt: skip


def _closed(
    model: CompiledModel,
    motion: Trajectory,
    actuators: tuple[str, ...],
    guess: Mapping[str, float] | None,
) -> TaskEfforts:
    """M a + h + g − applied = Eᵀ Q + Jᵀ λ at every instant, Q along the actuators."""
    t, constraints = motion.t, NumericConstraints(model)
    q, v, a = followed(model, motion, guess)

    def at(name: str, *arrays: Array) -> Array:
        return np.asarray(model.timed(name)(*arrays, t))

    needed = np.einsum("kij,kj->ki", at("mass_matrix", q), a)
    needed = needed + at("bias", q, v) + at("gravity", q) - at("applied", q, v)
    c, r = model.sizes.displacements, model.sizes.rows
    E = np.eye(len(model.speeds))[[model.speeds.index(f"{name}.") for name in actuators]]
    J, n = at("constraint_jacobian", q), len(actuators)
    efforts, lambdas = np.empty((len(t), n)), np.empty((len(t), J.shape[1]))
    for k in range(len(t)):
        columns = np.concatenate([E, J[k] / r[:, np.newaxis]]).T * c[:, np.newaxis]
        x = np.linalg.lstsq(columns, needed[k] * c, rcond=_RANK)[0]
        left = np.abs(columns @ x - needed[k] * c).max()
        if left > _PRODUCED * max(np.abs(needed * c).max(), 1e-300):
            raise _not_produced(actuators, say("{left:.2g} N or N m is left", left))
        efforts[k], lambdas[k] = x[:n], x[n:] / r
    lambdas = with_teeth(constraints, q, t, lambdas)
    return TaskEfforts(model, motion, t, q, v, a, actuators, efforts, lambdas)
