"""A mechanism that simulates itself on a page: its program, what is drawn, and what one may set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack, final

import numpy as np

from torseur.equations.symbols.system_places import carrying_speeds
from torseur.errors import ModelError, SolveError
from torseur.machine.contact import layout as at
from torseur.machine.integrators.methods import Method
from torseur.model.description import Mechanism
from torseur.model.parameters import Parameter
from torseur.model.values.scales import state_units
from torseur.named_words import Words, report_words
from torseur.report.pages.content import unit
from torseur.report.scene.geometry import geometry
from torseur.report.scene.movement import Movement
from torseur.report.scene.movement_sources import movement
from torseur.report.scene.panels import curve_name, curve_unit, ordered, panels_of
from torseur.report.viewer.embedded import document
from torseur.report.viewer.stage import alone
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.shorthands import Controlling, Shorthands
from torseur.simulation.live.live_motion import LiveMotion, live_motion
from torseur.simulation.live.page_functions import (
    joint_names,
    placed_elements,
    reaction_input,
)
from torseur.simulation.run.quantities import Curve
from torseur.simulation.run.run import Run
from torseur.simulation.simulate import Initial
from torseur.units import unit_factor

Array = np.ndarray
_CHANGE = 0.1  # of a parameter: what its drawing is compared at
_AGREED = 1e-6  # of the largest reaction: that of the page and that of the run
_FEW = 4  # samples at which reactions are compared
_DRAWN = ("bodies", "joints", "points", "ties", "gravity")  # parts that parameters change


class LiveOptions(Shorthands, total=False):
    """Options of a motion on a page, as of `simulate`."""

    duration: float
    initial: Initial | None
    parameters: Mapping[str, float] | None
    method: str | Method
    control: Controlling | None


@final
@dataclass(frozen=True)
class LiveStage:
    """A motion on a page: what it is, what it looks like, and what its reader should know."""

    moving: Movement
    document: Mapping[str, Any]
    notices: tuple[str, ...]


def live_page(mechanism: Mechanism, lang: str, **options: Unpack[LiveOptions]) -> str:
    """The text of a page that simulates a mechanism."""
    words = report_words(lang)
    stage = live_stage(mechanism, words, **options)
    moving = replace(stage.moving, notices=stage.notices)
    return alone(moving, words, lang, stage.document)


def live_stage(mechanism: Mechanism, words: Words, **options: Unpack[LiveOptions]) -> LiveStage:
    """The stage of a mechanism that a page simulates; what a page cannot compute is refused.

    The run is computed here too: what is wrong with it is reported when the page is made.
    """
    live = live_motion(mechanism, **options)
    run = live.run
    drawn = movement(run, reactions=False)
    page = document(drawn, words)
    for name in ("s", "poses", "offered", "events", "touches", "tree"):
        page[name] = None if name in ("touches", "tree") else []
    reactions, joints = _reactions(live, run), [x["name"] for x in page["joints"]]
    page["curves"] = list(_curves(live, run, reactions, words))
    page["live"] = {
        "motion": live.document(),
        "carrying": carrying_speeds(live.model.system),
        "reactions": [[k, joints.index(name)] for name, k in reactions.items()],
        "wrenches": len(joint_names(live.model, live.moving)),
        "gaps": len(run.model.constraints.gap),
        "touching": _touching(live),
        "efforts": _efforts(drawn),
        "parameters": list(_parameters(live)),
        "start": _start(live),
        "drawn": _slopes(drawn, page, live, words),
    }
    notices = tuple(dict.fromkeys((*live.notices, *run.notices)))
    return LiveStage(drawn, page, notices)


# --- curves -------------------------------------------------------------------------------------


def _curves(
    live: LiveMotion, run: Run, reactions: Mapping[str, int], words: Words
) -> Iterator[dict[str, Any]]:
    """Panels of curves, each line with the place of its numbers in what a page computes."""
    units = state_units(live.model.mechanism)
    names = (*live.model.coordinates, *live.model.speeds)
    places: dict[str, Any] = {name: ["state", k] for k, name in enumerate(names)}
    places |= {name: ["energy", name] for name in (*run.energy, "total")}
    samples = np.arange(len(run.t))
    panels = panels_of([Curve(x, units[x], run[x]) for x in names], run.energy, samples)
    for kind, curves in ordered(panels).items():
        lines = [{"name": curve_name(x, words), "of": places[x.name]} for x in curves]
        yield _panel(kind.split(" ")[0], curve_unit(curves[0].unit, words), lines)
    if reactions:
        lines = [{"name": x, "of": ["reaction", k]} for x, k in reactions.items()]
        yield _panel("reactions", "N", lines)
    if placed := placed_elements(live.moving):
        lines = [{"name": x.name, "of": ["normal", k]} for k, x in enumerate(placed)]
        yield _panel("pressing", "N", lines)
    if len(run.model.constraints.gap):
        closure = {"name": words["curve closure"], "of": ["closure", 0]}
        yield _panel("closure", curve_unit("m or rad", words), [closure])


def _panel(title: str, unit: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    return {"title": title, "unit": unit, "lines": lines}


def _reactions(live: LiveMotion, run: Run) -> dict[str, int]:
    """Joints whose reaction the page computes as the run does, with its place in the output."""
    function = live.functions.get("reactions")
    if function is None:
        return {}
    names = joint_names(live.model, live.moving)
    samples = np.linspace(0, len(run.t) - 1, _FEW).round().astype(int)
    times, rows, size = run.t[samples], live.motion.states[samples], 3 * len(names)
    some = Run(live.moving.samples(times, rows, None))
    pairs = [(reaction_input(live.moving, y, t), t) for y, t in zip(rows, times, strict=True)]
    forces = np.array([function.value(y, t, size) for y, t in pairs])
    known: dict[str, Array] = {}
    for name in run.model.mechanism.joints:
        try:
            known[name] = some.reaction(name)[:, :3]
        except (ModelError, SolveError):  # not determined
            continue
    largest = max((float(np.abs(x).max()) for x in known.values()), default=0.0)
    return {
        name: k
        for k, name in enumerate(names)
        if name in known
        and np.allclose(forces[:, 3 * k : 3 * k + 3], known[name], rtol=0, atol=_AGREED * largest)
    }


def _touching(live: LiveMotion) -> dict[str, Any] | None:
    """Contacts, those that have a place first, and what finds their forces at a state."""
    if isinstance(live.moving, JointFormulation):
        return None
    contacts = live.moving.contacts
    parts = list(contacts.parts)
    listed = []
    for one in placed_elements(live.moving):
        k, axes = parts.index(one), int(one.rows[0].kind.forces)  # type: ignore[union-attr]
        listed.append({"name": one.name, "element": k, "rows": contacts.state.rows[k][:axes]})
    forces = contacts.in_state["forces"]
    return {
        "placed": listed,
        "slow": contacts.slow.tolist(),
        "rubbing": contacts.rubbing_rows,
        "forces": [forces.start, forces.stop],
        "columns": {"width": at.WIDTH, "mode": at.MODE, "direction": at.DIRECTION},
    }


# --- what the reader sets -----------------------------------------------------------------------


def _parameters(live: LiveMotion) -> Iterator[dict[str, Any]]:
    """Parameters on which the motion depends, each with its value and a range."""
    used = {name for x in live.program.code.constants for name in x.parameters}
    derived = set(live.settings.document()["derived"])
    for name, parameter in live.model.mechanism.parameter_table.items():
        value = live.model.parameters[name]
        if name in used and name not in derived and value is not None:
            low, high = _range(value, parameter)
            yield {
                "name": name,
                "value": value,
                "unit": _unit(parameter),
                "meaning": parameter.meaning,
                "low": low,
                "high": high,
            }


def _range(value: float, parameter: Parameter) -> tuple[float, float]:
    """From a fifth of a value to three times it, or about zero."""
    if parameter.unit == "rad":
        return value - np.pi / 2, value + np.pi / 2
    if value == 0.0:
        return -1.0, 1.0
    if parameter.unit in ("", "1") and 0 < value <= 1:  # a coefficient
        return 0.0, 1.0
    return tuple(sorted((0.2 * value, 3 * value)))  # type: ignore[return-value]


def _unit(parameter: Parameter) -> str:
    """The unit in which a page shows a parameter: its own, or that of SI."""
    if unit_factor(parameter.unit or "1") == (1, 0):
        return unit(parameter.unit)
    dimension = "" if parameter.dimension is None else str(parameter.dimension)
    return unit(dimension.replace("no unit", ""))


def _efforts(drawn: Movement) -> list[float]:
    """The largest force [N] and couple [N m] that a reader applies: twice the weight."""
    masses: list[Any] = [body.mass for body in drawn.geometry.numeric.bodies.values()]
    largest = 2 * 9.81 * float(sum(masses)) or 10.0
    levers = [float(x) for x in np.ravel(np.abs([p for _, p in drawn.frames.values()]))]
    return [largest, largest * max(levers, default=1.0)]


def _start(live: LiveMotion) -> list[dict[str, Any]]:
    """Coordinates and speeds that the reader may start from, with their places in the state."""
    model, mechanism = live.model, live.model.mechanism
    units, first = state_units(mechanism), live.moving.begin.y
    limits = {x.name: (x.low, x.high) for j in mechanism.joints.values() for x in j.limited}
    drawn = geometry(mechanism, model.parameters)
    lengths = model.sizes.coordinates
    listed = []
    for k, name in enumerate((*model.coordinates, *model.speeds)):
        if f"{name}." not in model.speeds and name not in model.speeds:
            continue  # a part of a quaternion
        is_speed, value = k >= len(model.coordinates), float(first[k])
        unit = units[name]
        if is_speed:
            reach = max(2 * abs(value), 10.0 if unit == "rad/s" else 2.0)
            low, high = -reach, reach
        elif limited := drawn.limits(limits.get(name)):
            low, high = limited
        else:
            reach = np.pi if unit == "rad" else max(2 * float(lengths[k]), abs(value))
            low, high = value - reach, value + reach
        listed.append(
            {"name": name, "at": k, "unit": unit, "value": value, "low": low, "high": high}
        )
    return listed


# --- drawings over parameters -------------------------------------------------------------------


def _slopes(
    drawn: Movement, page: Mapping[str, Any], live: LiveMotion, words: Words
) -> dict[str, list[list[Any]]]:
    """Slopes of the numbers of the drawing over each parameter, with their paths."""
    mechanism, given = drawn.geometry.mechanism, dict(live.model.given)
    still = replace(drawn, curves={}, events=(), touches=None, offered=(), q=drawn.q[:1])
    still = replace(still, axis=Curve("", "", np.zeros(1)))
    usual, slopes = document(still, words, page["unit"]), dict[str, list[list[Any]]]()
    for parameter in _parameters(live):
        change = _CHANGE * abs(parameter["value"]) or _CHANGE
        values = {**given, parameter["name"]: parameter["value"] + change}
        reshaped = replace(still, geometry=geometry(mechanism, values))
        changed = document(reshaped, words, page["unit"])
        pairs = [_differences(usual[part], changed[part], [part]) for part in _DRAWN]
        if rows := [[path, (b - a) / change] for pair in pairs for path, a, b in pair]:
            slopes[parameter["name"]] = rows
    return slopes


def _differences(a: Any, b: Any, path: list[Any]) -> Iterator[tuple[list[Any], float, float]]:
    """Numbers at one place of two documents that differ."""
    if isinstance(a, float | int) and isinstance(b, float | int):
        if a != b:
            yield path, a, b
    elif isinstance(a, dict) and isinstance(b, dict):
        for key in a:
            yield from _differences(a[key], b.get(key), [*path, key])
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for k, (x, y) in enumerate(zip(a, b, strict=True)):
            yield from _differences(x, y, [*path, k])
