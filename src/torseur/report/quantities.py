"""What can be plotted of a run, by name: coordinates, points, reactions, energies, closure.

alpha  alpha.              a coordinate, its speed
P3  P3.x                   a named point, one of its components
P3.velocity  P3.acceleration.z
A.force  A.couple.y        the reaction in a joint, in ground axes
energy  energy.kinetic     kinetic, potential, work
energy_error               T + V − work, less its first value
closure                    the largest gap of a loop
"""

from collections.abc import Iterator

import numpy as np

from torseur.errors import ModelError, unknown
from torseur.report.movement import Curve
from torseur.simulation.files import SavedRun
from torseur.simulation.held import Held
from torseur.simulation.run import Run

Array = np.ndarray
_MOTIONS = {"position": (0, "m"), "velocity": (1, "m/s"), "acceleration": (2, "m/s²")}
_WRENCH = {"force": (slice(0, 3), "N"), "couple": (slice(3, 6), "N·m")}


def quantity(run: Run | SavedRun, name: str) -> list[Curve]:
    """The curves of a name: one, or one for each component."""
    units = run.names if isinstance(run, Run) else run.units
    if name in units:
        return [Curve(name, units[name], np.asarray(run[name]))]
    if name == "energy_error":
        return [Curve("T + V − work", "J", _energy_error(run))]
    head, *rest = name.split(".")
    if head == "energy":
        return _energies(run, name, rest)
    if isinstance(run, SavedRun):
        raise _not_saved(run, name)
    if name == "closure":
        return [Curve("closure", "m or rad", _closure(run))]
    mechanism = run.model.mechanism
    if head in mechanism.points and (not rest or rest[0] in (*_MOTIONS, *"xyz")):
        return _point(run, name, head, rest)
    if head in mechanism.joints and rest and rest[0] in _WRENCH:
        rows, unit = _WRENCH[rest[0]]
        reaction = run.reaction(head)[:, rows]
        return list(_components(f"{head}.{rest[0]}", unit, reaction, name, rest[1:]))
    raise unknown("plot", "quantity", name, known(run))


def known(run: Run | SavedRun) -> list[str]:
    """The names that can be plotted; components follow with .x, .y, .z."""
    units = run.names if isinstance(run, Run) else run.units
    found = [*units, "energy", *(f"energy.{kind}" for kind in run.energy), "energy_error"]
    if isinstance(run, SavedRun):
        return found
    mechanism = run.model.mechanism
    found += [name for p in mechanism.points for name in (p, f"{p}.velocity", f"{p}.acceleration")]
    return [*found, *(f"{j}.{part}" for j in mechanism.joints for part in _WRENCH), "closure"]


def _energies(run: Run | SavedRun, name: str, rest: list[str]) -> list[Curve]:
    if len(rest) > 1 or (rest and rest[0] not in run.energy):
        raise unknown("plot", "quantity", name, known(run))
    kinds = rest or list(run.energy)
    return [Curve(f"{kind} energy" if rest else kind, "J", run.energy[kind]) for kind in kinds]


def _energy_error(run: Run | SavedRun) -> Array:
    energy = run.energy
    total = energy["kinetic"] + energy["potential"] - energy["work"]
    return total - total[0]


def _closure(run: Run) -> Array:
    held = Held(run.model)
    samples = zip(run.q, run.t, strict=True)
    return np.array([np.abs(held.gap(q, t)).max(initial=0.0) for q, t in samples])


def _point(run: Run, name: str, point: str, rest: list[str]) -> list[Curve]:
    kind, *axes = rest if rest and rest[0] in _MOTIONS else ["position", *rest]
    derivative, unit = _MOTIONS[kind]
    title = point if kind == "position" else f"{point}.{kind}"
    return list(_components(title, unit, run.point(point, derivative), name, axes))


def _components(
    title: str, unit: str, vectors: Array, name: str, axes: list[str]
) -> Iterator[Curve]:
    """Three components, or the one that is asked for."""
    if axes and (len(axes) > 1 or axes[0] not in ("x", "y", "z")):
        wanted = [f"{title}.{axis}" for axis in "xyz"]
        raise unknown("plot", "component", name, wanted)
    for k, axis in enumerate("xyz"):
        if not axes or axis == axes[0]:
            yield Curve(f"{title}.{axis}", unit, vectors[:, k])


def _not_saved(run: SavedRun, name: str) -> ModelError:
    found = unknown("plot", "quantity", name, known(run))
    advice = "A file holds coordinates, speeds and energies; points and reactions need the run."
    return ModelError(found.place, found.problem, *found.advice, advice)
