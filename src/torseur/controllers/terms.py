"""The forces that a motion needs, term by term: weight, inertia, coupling, speeds, friction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

import numpy as np

from torseur.brief import without_rounding
from torseur.controllers.known_model import known_model
from torseur.controllers.reference import reference_of
from torseur.errors import ModelError
from torseur.figures import Figure, figure, labelled, written
from torseur.machine.compiled import CompiledModel
from torseur.model.description import Mechanism
from torseur.plain import plain
from torseur.result import Result
from torseur.words.sentence import say, worded

Array = np.ndarray
_ROUNDING = 1e-12  # of the largest force
NAMES = ("gravity", "inertia", "coupling", "velocity", "applied")


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
