"""Quantities of a run by name: coordinates, points, drives, reactions, energies.

alpha  alpha.  alpha..     a coordinate, its speed, its acceleration
P3  P3.x                   a named point, one of its components
P3.velocity  P3.acceleration.z
motor                      what an imposed motion of a coordinate needs
A.force  A.couple.y        the reaction in a joint or a contact, in ground axes
reactions                  all of them: force and couple of joints, normal force and friction
floor.gap  floor.normal    of a contact, a stop or a friction; also .friction, .slip, .adherence
imu  imu.a  imu.a_x        what a sensor measures: all columns, a vector, a column
energy  energy.kinetic     kinetic, potential, work
energy_error               T + V − work, less its first value
closure                    the largest gap of a loop
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, final

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.measured import columns
from torseur.simulation.run.samples import Readable
from torseur.words.sentence import say

Array = np.ndarray
_MOTIONS = {"position": (0, "m"), "velocity": (1, "m/s"), "acceleration": (2, "m/s²")}
_CONTACT = {
    "gap": ("gap", "m or rad"),
    "normal": ("normal", "N or N·m"),
    "friction": ("tangential", "N or N·m"),
    "slip": ("slip", "m/s or rad/s"),
    "adherence": ("adherence", "1"),
    "work": ("work", "J"),
}
_WRENCH = {"force": (slice(0, 3), "N"), "couple": (slice(3, 6), "N·m")}


class Recorded(Protocol):
    """A run, or what a file holds of one: it has `names` or `units`, and a `model` or none."""

    @property
    def energy(self) -> dict[str, Array]: ...
    def __getitem__(self, name: str) -> Array: ...


@final
@dataclass(frozen=True)
class Curve:
    """A quantity at every sample."""

    name: str
    unit: str
    values: Array


def quantity(run: Recorded, name: str) -> list[Curve]:
    """The curves of a name: one, or one for each component."""
    units = _units(run)
    if name in units:
        return [Curve(name, units[name], np.asarray(run[name]))]
    if name == "energy_error":
        return [Curve("T + V − work", "J", energy_error(run))]
    head, *rest = name.split(".")
    if head == "energy":
        return _energies(run, name, rest)
    model: Any = getattr(run, "model", None)
    if model is None:
        raise _not_saved(run, name)
    return _of_motion(run, name, head, rest)


def _of_motion(run: Any, name: str, head: str, rest: list[str]) -> list[Curve]:
    """Quantities that need the model of the run."""
    if name == "reactions":
        return list(_reactions(run))
    if name == "closure":
        return [Curve("closure", "m or rad", run.samples.gaps)]
    mechanism = run.model.mechanism
    if name.endswith("..") and name[:-1] in run.model.speeds:
        return [Curve(name, f"{run.names[name[:-1]]}²", run[name])]
    if motion := imposed_coordinates(mechanism).get(name):
        turning = _units(run).get(motion.coordinate) == "rad"
        return [Curve(name, "N·m" if turning else "N", run.drive(name))]
    if head in mechanism.points and (not rest or rest[0] in (*_MOTIONS, *"xyz")):
        return _point(run, name, head, rest)
    if curves := _of_contact(run, name):
        return curves
    carriers = {**mechanism.joints, **mechanism.constraints, **mechanism.motions}
    if rest and rest[0] in _WRENCH and head in carriers:
        rows, unit = _WRENCH[rest[0]]
        reaction = run.reaction(head)[:, rows]
        return list(_components(f"{head}.{rest[0]}", unit, reaction, name, rest[1:]))
    if head in mechanism.sensors and len(rest) < 2:
        return list(_measured(run, head, *rest))
    raise unknown("run", "quantity", name, known(run))


def _measured(run: Any, sensor: str, part: str = "") -> Iterator[Curve]:
    """The columns of a sensor, those of a vector, or one."""
    measured = run.sensor(sensor)
    measured[part or measured.names[0]]  # reports an unknown one
    for name, unit in zip(measured.names, measured.units, strict=True):
        if part in ("", name) or name.startswith(f"{part}_"):
            yield Curve(f"{sensor}.{name}", unit, measured[name])


def _reactions(run: Any) -> Iterator[Curve]:
    """All reactions: those of joints, then those of what touches, stops or rubs."""
    for joint in run.model.mechanism.joints:
        for part in _WRENCH:
            yield from quantity(run, f"{joint}.{part}")
    for contact in run.samples.contacts_named:
        for part in ("normal", "friction"):
            yield from _of_contact(run, f"{contact}.{part}")


def _of_contact(run: Any, name: str) -> list[Curve]:
    """A quantity of a contact, whose name may have dots itself; none if it is not one."""
    contact, _, what = name.rpartition(".")
    if contact not in run.samples.contacts_named or what not in _CONTACT:
        return []
    values, unit = getattr(run.contact(contact), _CONTACT[what][0]), _CONTACT[what][1]
    if values.ndim == 1:
        return [Curve(name, unit, values)]
    return [Curve(f"{name}.{k + 1}", unit, column) for k, column in enumerate(values.T)]


def _names_of_contact(run: Any, contact: str) -> list[str]:
    """The quantities that a contact has: one without friction has neither friction nor slip."""
    history = run.contact(contact)
    return [
        f"{contact}.{what}" for what, (x, _) in _CONTACT.items() if np.size(getattr(history, x))
    ]


def known(run: Recorded) -> list[str]:
    """The names there are; components follow with .x, .y, .z."""
    names = [*_units(run), "energy", *(f"energy.{kind}" for kind in run.energy), "energy_error"]
    model: Any = getattr(run, "model", None)
    if model is None:
        return names
    mechanism = model.mechanism
    names += [f"{speed}." for speed in model.speeds if speed.endswith(".")]
    names += [name for p in mechanism.points for name in (p, f"{p}.velocity", f"{p}.acceleration")]
    names += imposed_coordinates(mechanism)
    samples: Any = getattr(run, "samples", None)
    touching = () if samples is None else samples.contacts_named
    names += [name for contact in touching for name in _names_of_contact(run, contact)]
    return [
        *names,
        *(f"{j}.{part}" for j in mechanism.joints for part in _WRENCH),
        "reactions",
        *(
            f"{name}.{x}"
            for name, one in mechanism.sensors.items()
            for x in columns(mechanism, one)
        ),
        "closure",
    ]


def no_coordinate(run: Any, name: str, names: Iterable[str]) -> ModelError:
    """A name that no coordinate of a run bears; what it is otherwise read by."""
    fault = unknown("run", "coordinate", name, names)
    calls = [say("Read it by {call}.", call) for call in _calls(run, str(name))]
    return ModelError(fault.place, fault.problem, *fault.advice, *calls)


def _calls(run: Any, name: str) -> Iterator[str]:
    """Python call that reads a quantity other than a coordinate."""
    contact, _, what = name.rpartition(".")
    head, _, rest = name.partition(".")
    mechanism, touching = run.model.mechanism, run.samples.contacts_named
    if contact in touching and what in _CONTACT:
        yield f'run.contact("{contact}").{_CONTACT[what][0]}'
    elif name in touching:
        yield f'run.contact("{name}").force'
    elif head in mechanism.points:
        order = _MOTIONS.get(rest.partition(".")[0], (0,))[0]
        yield f'run.point("{head}"{f", {order}" if order else ""})'
    elif head in mechanism.joints:
        yield f'run.reaction("{head}")'
    elif head == "energy":
        yield f'run.energy["{rest or "kinetic"}"]'


def _units(run: Any) -> Mapping[str, str]:
    """The coordinates and speeds of a run, or of a file, with their units."""
    by_name: Mapping[str, str] = run.units if hasattr(run, "units") else run.names
    return by_name


def _energies(run: Recorded, name: str, rest: list[str]) -> list[Curve]:
    if len(rest) > 1 or (rest and rest[0] not in run.energy):
        raise unknown("run", "quantity", name, known(run))
    kinds = rest or list(run.energy)
    return [Curve(f"{kind} energy" if rest else kind, "J", run.energy[kind]) for kind in kinds]


def energy_error(run: Recorded) -> Array:
    """T + V − work, less its first value (samples) [J]."""
    energy = run.energy
    total = energy["kinetic"] + energy["potential"] - energy["work"]
    return np.asarray(total - total[0])


def _point(run: Readable, name: str, point: str, rest: list[str]) -> list[Curve]:
    kind, *axes = rest if rest and rest[0] in _MOTIONS else ["position", *rest]
    derivative, unit = _MOTIONS[kind]
    title = point if kind == "position" else f"{point}.{kind}"
    return list(_components(title, unit, run.point(point, derivative), name, axes))


def _components(
    title: str, unit: str, vectors: Array, name: str, axes: list[str]
) -> Iterator[Curve]:
    """Three components, or the requested one."""
    if axes and (len(axes) > 1 or axes[0] not in ("x", "y", "z")):
        titles = [f"{title}.{axis}" for axis in "xyz"]
        raise unknown("run", "component", name, titles)
    for k, axis in enumerate("xyz"):
        if not axes or axis == axes[0]:
            yield Curve(f"{title}.{axis}", unit, vectors[:, k])


def _not_saved(run: Any, name: str) -> ModelError:
    error = unknown("run", "quantity", name, known(run))
    advice = "This file holds coordinates, speeds and energies; points and reactions need the run."
    return ModelError(error.place, error.problem, *error.advice, advice)
