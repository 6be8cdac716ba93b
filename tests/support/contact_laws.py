"""Laws that every run with contacts obeys, checked by formulas of their own.

A law is a function of a scene and its run that yields sentences on what is broken.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from random_contacts import GROUND, Scene
from scipy.spatial.transform import Rotation

Array = np.ndarray
INSIDE = 1e-8  # of the length
ENERGY = 1e-7  # of the energies exchanged
FORCE = 1e-6  # of the limit of friction
DRIFT = 5.0  # times the tolerance, of the length: from one sample to the next
ROUNDING = 1e-9  # of the largest force, speed or energy of a run


def broken_laws(scene: Scene, run: Any) -> list[str]:
    """What is wrong with a run; nothing, if all laws hold."""
    return [sentence for law in LAWS for sentence in law(scene, run)]


# --- the contacts alone --------------------------------------------------------------------------


def numbers_are_finite(scene: Scene, run: Any) -> Iterator[str]:
    if not (np.isfinite(run.q).all() and np.isfinite(run.v).all() and np.isfinite(run.a).all()):
        yield "a state or an acceleration is not a number"


def nothing_overlaps(scene: Scene, run: Any) -> Iterator[str]:
    for name in _names(run):
        gap = run.contact(name).gap
        size = 1.0 if "stop" in name and "x:" not in name else scene.length
        if gap.min() < -INSIDE * size:
            yield f"{name}: inside by {-gap.min() / size:.2g} of the size"


def contacts_only_push(scene: Scene, run: Any) -> Iterator[str]:
    for name in _names(run):
        seen = run.contact(name)
        if seen.normal.min() < -ROUNDING * max(np.abs(seen.normal).max(), scene.force):
            yield f"{name}: pulls with {seen.normal.min():.3g} of {seen.normal.max():.3g}"


def friction_is_within_its_limit(scene: Scene, run: Any) -> Iterator[str]:
    for name, law in _laws(scene):
        seen = run.contact(name)
        load, size = _load(scene, run, name), np.linalg.norm(seen.tangential, axis=1)
        least = ROUNDING * max(
            load.max(), size.max(), scene.force * _usual(scene, name) / scene.speed
        )
        for state, factor in (("stick", law["static"]), ("slip", law["kinetic"])):
            own = seen.state == state
            excess = (size - factor * load * (1 + FORCE))[own]
            if excess.max(initial=0.0) > least:
                k = np.flatnonzero(own)[excess.argmax()]
                at = f"t = {run.t[k]:.6g}"
                yield f"{name}: {state}, friction {size[k]:.6g} over {factor * load[k]:.6g}, {at}"


def motors_rub_by_the_direction_of_their_joint(scene: Scene, run: Any) -> Iterator[str]:
    for name, motor in scene.described.get("motors", {}).items():
        seen = run.contact(f"{name}: dry friction")
        speed, slips = seen.slip[:, 0], seen.state == "slip"
        number = scene.described["parameters"].__getitem__
        both = zip(motor["dry"]["motor"], motor["dry"]["output"], strict=True)
        size = abs(number(motor["ratio"]))
        forward, backward = (size * number(own) + number(output) for own, output in both)
        wanted = np.where(speed > 0, -forward, backward)[slips]
        wrong = np.abs(seen.tangential[slips, 0] - wanted).max(initial=0.0)
        if wrong > FORCE * max(forward, backward):
            yield f"{name}: dry friction is off by {wrong / max(forward, backward):.2g}"


def sliding_friction_opposes_sliding(scene: Scene, run: Any) -> Iterator[str]:
    for name, law in _laws(scene):
        seen = run.contact(name)
        speed = np.linalg.norm(seen.slip, axis=1)
        usual = _usual(scene, name)
        own = (seen.state == "slip") & (speed > 1e-6 * usual)
        load = _load(scene, run, name)
        wanted = -law["kinetic"] * load[own, None] * seen.slip[own] / speed[own, None]
        least = max(np.abs(load).max(initial=0.0), scene.force * usual / scene.speed)
        wrong = np.abs(seen.tangential[own] - wanted).max(initial=0.0)
        if wrong > FORCE * least:
            yield f"{name}: sliding friction is off by {wrong / least:.2g}"


def modes_are_those_of_the_state(scene: Scene, run: Any) -> Iterator[str]:
    for name in _names(run):
        seen = run.contact(name)
        is_open, sticks = seen.state == "open", seen.state == "stick"
        if np.abs(seen.force[is_open]).max(initial=0.0) > 0:
            yield f"{name}: open, with a force"
        usual = _usual(scene, name)
        size = usual * scene.second
        if np.abs(seen.gap[~is_open]).max(initial=0.0) > ROUNDING * size:
            yield f"{name}: closed, {np.abs(seen.gap[~is_open]).max() / size:.2g} of the size apart"
        still = np.linalg.norm(seen.slip[sticks], axis=1).max(initial=0.0)
        if still > ROUNDING * usual:
            yield f"{name}: sticks at {still / usual:.2g} of the usual speed"


def points_that_stick_stay(scene: Scene, run: Any, rtol: float = 1e-9) -> Iterator[str]:
    """What turns about a point that sticks holds it by its speed, to the tolerance of the run."""
    for name, given in scene.contacts.items():
        if (
            given["bodies"][0] != GROUND
            or "radius" in given
            or given["bodies"][1] not in _joints(run)
        ):
            continue
        state, place = run.contact(name).state, _place(run, given)
        changes = {round(e.t / scene.second, 9) for e in run.events if e.name == name}
        moved = 0.0
        for i, j in pairwise(range(len(run.t))):
            if state[i] == state[j] == "stick":
                between = (x for x in changes if run.t[i] < x * scene.second <= run.t[j])
                if next(between, None) is None:
                    moved = max(moved, float(np.abs(place[j] - place[i]).max()))
        if moved > DRIFT * rtol * scene.length:
            yield f"{name}: sticks and moves by {moved / scene.length:.2g} of the size"


def gaps_are_distances(scene: Scene, run: Any) -> Iterator[str]:
    for name, given in scene.contacts.items():
        if (
            given["bodies"][0] != GROUND
            or given.get("shape") == "disc"
            or given["bodies"][1] not in _joints(run)
        ):
            continue
        gap = (_place(run, given) - np.array(given.get("through", [0, 0, 0]))) @ _normal(given)
        wrong = np.abs(gap - given.get("radius", 0.0) - run.contact(name).gap).max()
        if wrong > ROUNDING * max(scene.length, np.abs(gap).max()):
            yield f"{name}: its gap is no distance, by {wrong / scene.length:.2g}"


# --- the whole mechanism -------------------------------------------------------------------------


def energy_is_balanced(scene: Scene, run: Any) -> Iterator[str]:
    if run.energy_drift > ENERGY:
        yield f"T + V - W is off by {run.energy_drift:.2g}"


def energy_never_rises(scene: Scene, run: Any) -> Iterator[str]:
    if scene.is_passive:
        total = run.energy["kinetic"] + run.energy["potential"]
        size = (
            run.energy["kinetic"] + np.abs(run.energy["potential"] - run.energy["potential"][0])
        ).max()
        rise = np.diff(total).max(initial=0.0)
        if rise > ENERGY * max(size, 1e-300) + 1e-12 * np.abs(run.energy["potential"]).max():
            yield f"energy rises by {rise / size:.2g} at t = {run.t[np.diff(total).argmax()]:.6g}"


def elements_take_all_the_work(scene: Scene, run: Any) -> Iterator[str]:
    if scene.is_passive:
        taken = sum(run.contact(name).work for name in _names(run))
        size = max(run.energy["kinetic"].max(), np.abs(taken).max(), 1e-300)
        wrong = np.abs(run.energy["work"] - taken).max()
        if wrong > ENERGY * size:
            yield f"the work of all elements is off by {wrong / size:.2g}"


def momentum_is_kept(scene: Scene, run: Any) -> Iterator[str]:
    if scene.is_isolated:
        total, size = _momentum(scene, run)
        wrong = (np.abs(total - total[0]).max(axis=0) / np.maximum(size, 1e-300)).max()
        if wrong > ENERGY:
            yield f"momentum changes by {wrong:.2g}"


def contacts_carry_a_body(scene: Scene, run: Any) -> Iterator[str]:
    """m a = m g + all contact forces, for one body that nothing else holds."""
    if list(scene.bodies) != ["A"] or "A" not in _joints(run):
        return
    mass, gravity = scene.bodies["A"][0], np.array(scene.gravity)
    axes = [x for x in "xyz" if f"A_{x}" in run.model.coordinates]
    if len(axes) < 2:
        return
    a = np.column_stack([run[f"A_{x}.."] for x in axes])
    push = mass * gravity + sum(run.reaction(name)[:, :3] for name in scene.contacts)
    wrong = np.abs(mass * a - push[:, : len(axes)]).max()
    if wrong > FORCE * max(np.abs(push).max(), mass * np.linalg.norm(gravity)):
        yield f"m a is no sum of forces, by {wrong / np.abs(push).max():.2g}"


def events_are_in_order(scene: Scene, run: Any) -> Iterator[str]:
    times = np.array([event.t for event in run.events])
    if (np.diff(times) < -1e-9 * scene.second).any():
        yield "events are not in order of time"


LAWS = (
    numbers_are_finite, nothing_overlaps, contacts_only_push, friction_is_within_its_limit,
    motors_rub_by_the_direction_of_their_joint,
    sliding_friction_opposes_sliding, modes_are_those_of_the_state, points_that_stick_stay,
    gaps_are_distances, energy_is_balanced, energy_never_rises, elements_take_all_the_work,
    momentum_is_kept, contacts_carry_a_body, events_are_in_order,
)  # fmt: skip


# --- what is read of a run -----------------------------------------------------------------------


def _joints(run: Any) -> dict[str, Any]:
    return run.model.mechanism.joints


def _names(run: Any) -> list[str]:
    return list(run.samples.contacts_named)


def _usual(scene: Scene, name: str) -> float:
    """The speed of an element: of points, or of angles."""
    turns = name.split(":")[0] in ("O", "A", "S", "R", "Q", "a") or name.endswith(
        ("ing", "dry friction")
    )
    return 1 / scene.second if turns and name not in scene.contacts else scene.speed


def _laws(scene: Scene) -> Iterator[tuple[str, dict[str, float]]]:
    for name, given in scene.contacts.items():
        if "friction" in given:
            yield name, given["friction"]
    for name, law in scene.bearings.items():
        if scene.described["joints"][name]["type"] != "screw":
            yield f"{name}: friction", law


def _load(scene: Scene, run: Any, name: str) -> Array:
    """What the friction of an element is proportional to."""
    if name in scene.contacts:
        return np.asarray(run.contact(name).normal)
    joint = name.split(":")[0]
    given = scene.described["joints"][joint]
    force = run.reaction(joint)[:, :3]
    if given["type"] == "revolute":
        return np.asarray(np.linalg.norm(force[:, :2], axis=1) * scene.bearings[joint]["radius"])
    if given["type"] == "spherical":
        return np.asarray(np.linalg.norm(force, axis=1) * scene.bearings[joint]["radius"])
    along = np.array([scene.described["parameters"].get(x, 0.0) for x in given["axis"]])
    return np.asarray(np.linalg.norm(force - np.outer(force @ along, along), axis=1))


def _normal(given: dict[str, Any]) -> Array:
    normal = given["normal"]
    return np.eye(3)["xyz".index(normal)] if isinstance(normal, str) else np.array(normal)


def pose(run: Any, body: str) -> tuple[Array, Rotation]:
    """The places and orientations of a body on a free or a planar joint."""
    if f"{body}_angle" in run.model.coordinates:
        place = np.column_stack([run[f"{body}_x"], run[f"{body}_y"], np.zeros(len(run.t))])
        return place, Rotation.from_euler("z", run[f"{body}_angle"][:, None])
    place = np.column_stack([run[f"{body}_{x}"] for x in "xyz"])
    return place, Rotation.from_quat(np.column_stack([run[f"{body}_q{x}"] for x in "xyzw"]))


def _place(run: Any, given: dict[str, Any]) -> Array:
    place, turn = pose(run, given["bodies"][1])
    return np.asarray(place + turn.apply(given.get("point", [0.0, 0.0, 0.0])))


def _momentum(scene: Scene, run: Any) -> tuple[Array, Array]:
    """The momentum of all bodies, its moment about the origin, and what they are compared with."""
    if "x0" in run.model.coordinates:
        mass = np.array([mass for mass, _ in scene.bodies.values()])
        return (run.v @ mass)[:, None], np.array([np.abs(run.v) @ mass]).max(axis=1)
    total, size = np.zeros((len(run.t), 6)), np.zeros(6)
    for name, (mass, inertia) in scene.bodies.items():
        place, turn = pose(run, name)
        v = np.column_stack([run[f"{name}_{x}."] for x in "xyz"])
        spin = np.column_stack([run[f"{name}_w{x}"] for x in "xyz"])
        xx, yy, zz, xy, xz, yz = inertia
        I = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        own = np.hstack([mass * v, mass * np.cross(place, v) + turn.apply(spin @ I)])
        total += own
        size += np.repeat([np.abs(own[:, :3]).max(), np.abs(own[:, 3:]).max()], 3)
    return total, size
