"""The curves beside an animation: panels in the order of what one looks for, and all that is known.

Drives and reactions come first, quaternions and what stays constant last.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from torseur.errors import ModelError, SolveError
from torseur.model.constraints.protocol import JointRows
from torseur.model.constraints.selection import imposed_coordinates
from torseur.model.contact.elements import elements
from torseur.named_words import Words
from torseur.simulation.run.quantities import Curve, known, quantity
from torseur.simulation.run.run import Run

Array = np.ndarray
Panels = dict[str, tuple[Curve, ...]]  # by kind and unit
_ORDER = ("drives", "reactions", "pressing", "coordinates", "speeds", "energies")
_FORCES = _ORDER[:3]
_OFFERED = 160  # curves that a page carries for its reader to choose from
_STILL = 1e-9  # of the largest value: what stays constant
_NOTHING = 1e-12


def panels_of(
    curves: Iterable[Curve],
    energy: Mapping[str, Array],
    samples: Array,
    forces: Mapping[str, Array] | None = None,
) -> Panels:
    """Coordinates and speeds, the energies with the sum of two of them, sizes of reactions."""
    panels = by_kind(Curve(x.name, x.unit, x.values[samples]) for x in curves)
    energies = {**energy, "total": energy["kinetic"] + energy["potential"]}
    panels["energies"] = tuple(Curve(name, "J", x[samples]) for name, x in energies.items())
    if forces:
        sizes = {name: np.linalg.norm(x, axis=1) for name, x in forces.items()}
        panels["reactions"] = tuple(Curve(name, "N", x) for name, x in sizes.items())
    return panels


def by_kind(curves: Iterable[Curve]) -> Panels:
    """Coordinates and speeds; one panel for each unit."""
    listed = list(curves)
    speeds = [x for x in listed if x.unit.endswith("/s")]
    places = [x for x in listed if not x.unit.endswith("/s")]
    return dict(sorted((_of_kind("coordinates", places) | _of_kind("speeds", speeds)).items()))


def _of_kind(kind: str, curves: Iterable[Curve]) -> Panels:
    return {f"{kind} {unit}": tuple(group) for unit, group in by_unit(curves).items()}


def by_unit(curves: Iterable[Curve]) -> dict[str, list[Curve]]:
    """The curves of each unit, in their order."""
    groups: dict[str, list[Curve]] = {}
    for curve in curves:
        groups.setdefault(curve.unit, []).append(curve)
    return groups


def ordered(panels: Panels) -> Panels:
    """The panels as one looks for them; in each, what stays constant last.

    A force that stays constant says something still, unless it is zero.
    """
    rounded = zeroed_panels(panels)
    inside = {kind: tuple(sorted(group, key=_is_constant)) for kind, group in rounded.items()}

    def rank(kind: str) -> tuple[bool, bool, int]:
        says_nothing = _is_zero if kind.split(" ")[0] in _FORCES else _is_constant
        still = all(map(says_nothing, inside[kind]))
        return still, kind.endswith(" 1"), _ORDER.index(kind.split(" ")[0])

    return {kind: inside[kind] for kind in sorted(inside, key=rank)}


def zeroed_panels(panels: Panels) -> Panels:
    """Zeros for what is zero but for rounding, beside the largest value of its unit."""
    largest: dict[str, float] = {}
    for curve in (curve for group in panels.values() for curve in group):
        size = float(np.abs(curve.values).max(initial=0.0))
        largest[curve.unit] = max(size, largest.get(curve.unit, 0.0))
    return {
        kind: tuple(
            Curve(
                x.name,
                x.unit,
                np.where(np.abs(x.values) > _NOTHING * largest[x.unit], x.values, 0.0),
            )
            for x in group
        )
        for kind, group in panels.items()
    }


def _is_zero(curve: Curve) -> bool:
    return float(np.abs(curve.values).max(initial=0.0)) <= _NOTHING


def _is_constant(curve: Curve) -> bool:
    largest = float(np.abs(curve.values).max(initial=0.0))
    return float(np.ptp(curve.values)) <= _STILL * largest + _NOTHING


# --- of runs ------------------------------------------------------------------------------------


def drives(run: Run, samples: Array) -> Panels:
    """Efforts of imposed motions of coordinates."""
    needed = (quantity(run, name) for name in imposed_coordinates(run.model.mechanism))
    return _of_kind("drives", (Curve(x.name, x.unit, x.values[samples]) for (x,) in needed))


def pressing(run: Run, samples: Array) -> Panels:
    """The normal forces of contacts between bodies."""
    between = (
        one.name
        for one in elements(run.model.mechanism)
        if one.pushes and isinstance(one.rows[0], JointRows)
    )
    return _of_kind("pressing", (Curve(x, "N", run.contact(x).normal[samples]) for x in between))


def offered(run: Run, samples: Array, panels: Panels, *, reactions: bool) -> tuple[Curve, ...]:
    """Whatever else is known of a run by name and is not zero: a reader may choose of it."""
    mechanism = run.model.mechanism
    names = {curve.name for group in panels.values() for curve in group} | {"energy"}
    names |= {f"energy.{kind}" for kind in run.energy}
    if not reactions:
        names |= {f"{joint}.{part}" for joint in mechanism.joints for part in ("force", "couple")}
    additional: list[Curve] = []
    for name in known(run):
        if name in names or len(additional) >= _OFFERED:
            continue
        try:
            curves = quantity(run, name)
        except (ModelError, SolveError):  # not determined, as some reactions are
            continue
        additional += [Curve(x.name, x.unit, x.values[samples]) for x in curves if _is_something(x)]
    return tuple(additional)


def _is_something(curve: Curve) -> bool:
    finite = bool(np.isfinite(curve.values).all())
    return finite and float(np.abs(curve.values).max(initial=0.0)) > _NOTHING


# --- names of curves on pages and figures: quantities are translated, owners are not --------------

_WHAT = ("velocity", "acceleration", "gap", "normal", "friction", "slip", "adherence", "work")
_WHOLE = {
    "J": (
        "kinetic",
        "potential",
        "work",
        "total",
        "kinetic energy",
        "potential energy",
        "T + V − work",
    ),
    "m or rad": ("closure",),
}


def curve_name(curve: Curve, words: Words) -> str:
    """`A.velocity.x` is « A.vitesse.x » in French, an energy is « cinétique »."""
    if curve.name in _WHOLE.get(curve.unit, ()):
        return words[f"curve {curve.name}"]
    first, *parts = curve.name.split(".")
    return ".".join([first, *(words[f"curve {x}"] if x in _WHAT else x for x in parts)])


def curve_unit(unit: str, words: Words) -> str:
    """The unit of a curve; one of two is `m or rad`."""
    return unit.replace(" or ", f" {words['curve or']} ")
