"""Relations between runs of one scene told in two ways: each yields sentences on what differs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation
from seam_families import FAMILIES, random_scene, with_a_neighbour
from seam_scenes import Description, Scene, View, permuted

import torseur as ts

Array = np.ndarray
EQUAL = 1e-8  # of sizes, speeds and impulses, which are about 1
RTOL = 1e-12
SAMPLES = 12
INSTANTS = 8  # of events, after which a run is not compared any more
SAMPLE = 0.01  # [s] of controllers
STEPS = (4000, 16000)  # of a run by steps
FALLS = 0.5  # of the error with four times longer steps, which may be smaller by chance
NEAR = 20  # steps beside an event that steps may have at another instant
FADED = 1e-4  # [N s, N m s]: when bounces are over is a matter of rounding
BESIDE = 1e-6  # [s]: samples are not that near to an event


@dataclass
class Case:
    """A scene as it was drawn, its run, and the instants at which others are compared with it."""

    seed: int

    @cached_property
    def scene(self) -> Scene:
        return random_scene(self.seed)

    @cached_property
    def mechanism(self) -> Any:
        return ts.load(self.scene.description)

    @cached_property
    def times(self) -> Array:
        """Some, up to a few events, and none at an event."""
        whole = moved(self.scene, self.mechanism, [self.scene.duration])
        events = np.unique(np.round([event.t for event in whole.events], 6))
        end = self.scene.duration
        if len(events) > INSTANTS:
            end = float(events[INSTANTS - 1 : INSTANTS + 1].mean())
        found = end * (np.arange(SAMPLES) + 0.7) / SAMPLES
        near = np.abs(found[:, None] - events).min(axis=1, initial=1.0) < BESIDE
        return np.asarray(found[~near])

    @cached_property
    def run(self) -> Any:
        return moved(self.scene, self.mechanism, self.times)


def moved(scene: Scene, mechanism: Any, times: Any, **options: Any) -> Any:
    """The run of a scene, with samples at instants as they were drawn."""
    if scene.control:
        options |= {"control": scene.control, "sample": SAMPLE * scene.view.time}
    at = np.asarray(times) * scene.view.time
    return ts.simulate(mechanism, at[-1], at=at, **({"rtol": RTOL} | options))


# --- what is compared -----------------------------------------------------------------------------


def shocks(scene: Scene, run: Any) -> list[tuple[str, float, float]]:
    """Name, instant and impulse of every shock that is no matter of rounding, as drawn."""
    drawn = {own: name for name, own in scene.names.items()}
    found = []
    for event in run.events:
        if event.cause == "shock" and event.name in drawn:
            name = drawn[event.name]
            impulse = event.impulse / scene.of(1.0, _lengths(scene, name), 1, -1)
            if impulse > FADED:
                found.append((name, event.t / scene.view.time, impulse))
    return sorted(found, key=lambda x: (round(x[1], 6), x[0]))


def states(scene: Scene, run: Any) -> dict[str, list[str]]:
    """The mode of each contact, stop and friction at the samples.

    What is in touch and does not press may be called open or closed.
    """
    known, found = set(run.samples.contacts_named), {}
    for name, own in scene.names.items():
        if own in known:
            seen = run.contact(own)
            presses = seen.normal > EQUAL * scene.of(1.0, _lengths(scene, name), 1, -2)
            has_gap = not name.endswith("friction")
            found[name] = np.where(presses | (not has_gap), seen.state, "open").tolist()
    return found


def _lengths(scene: Scene, name: str) -> int:
    """The power of a length in the force of a contact: 2, if it is a couple."""
    turns = scene.readings.get(name.split(":")[0])
    return 2 if turns is not None and turns.kind == "angle" else 1


def differences(case: Case, scene: Scene, run: Any, times: Array | None = None) -> Iterator[str]:
    """What a run of a view has otherwise than the run that was drawn."""
    here = np.full(len(case.times), True) if times is None else np.isin(case.times, times)
    if len(run.t) != here.sum():
        yield f"has {len(run.t)} samples instead of {here.sum()}"
        return
    first, second = case.scene.observe(case.run), scene.observe(run)
    for name, values in first.items():
        wrong = float(np.abs(second[name] - values[here]).max() / max(1.0, np.abs(values).max()))
        if not wrong <= EQUAL:
            yield f"{name} differs by {wrong:.2g}"
    for name, own in states(scene, run).items():
        known = np.array(states(case.scene, case.run)[name])[here].tolist()
        if _closed(own, scene) != _closed(known, scene):
            yield f"{name}: {own} instead of {known}"
    if times is None:
        found = shocks(case.scene, case.run), shocks(scene, run)
        yield from _other_shocks(*found, case.times[-1])


def _closed(states: list[str], scene: Scene) -> list[str]:
    """Modes; what rubs with a coefficient of zero may stick or slide."""
    return [x.replace("stick", "slip") for x in states] if scene.view.zeros else states


def _other_shocks(first: list[Any], second: list[Any], end: float) -> Iterator[str]:
    first, second = ([x for x in found if x[1] < end] for found in (first, second))
    if [x[0] for x in first] != [x[0] for x in second]:
        yield f"shocks {second} instead of {first}"[:300]
        return
    for (name, t, impulse), (_, other_t, other) in zip(first, second, strict=True):
        differs = abs(impulse - other) > EQUAL * max(1.0, impulse)
        if abs(t - other_t) > EQUAL or differs:
            yield f"shock of {name}: {other:.9g} at {other_t:.9g}, not {impulse:.9g} at {t:.9g}"


Relation = Callable[[Case], Iterator[str]]


def seen_by(view: View, order: np.random.Generator | None = None) -> Relation:
    """The scene in a view, perhaps with its entries in another order."""

    def relation(case: Case) -> Iterator[str]:
        scene = random_scene(case.seed, view)
        described = scene.description if order is None else permuted(scene.description, order)
        yield from differences(case, scene, moved(scene, ts.load(described), case.times))

    return relation


# --- descriptions ---------------------------------------------------------------------------------


def _turn(case: Case, mirror: bool) -> Array:
    """A rotation; the plane of a plane scene stays a plane of two axes."""
    rng = np.random.default_rng([32, case.seed])
    flip = np.diag([-1.0, 1.0, 1.0]) if mirror else np.eye(3)
    if "plane" in case.scene.traits:
        c, s = np.cos(a := rng.uniform(-3, 3)), np.sin(a)
        about = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        return np.asarray(np.roll(np.eye(3), rng.integers(3), axis=0) @ about @ flip)
    return np.asarray(Rotation.random(rng=rng).as_matrix() @ flip)


def turned(case: Case) -> Iterator[str]:
    return seen_by(View(turn=_turn(case, mirror=False)))(case)


def mirrored(case: Case) -> Iterator[str]:
    return seen_by(View(turn=_turn(case, mirror=True)))(case)


def renamed_and_permuted(case: Case) -> Iterator[str]:
    return seen_by(View(renamed=True), np.random.default_rng([33, case.seed]))(case)


def scaled(case: Case) -> Iterator[str]:
    length, mass, time = 10.0 ** np.random.default_rng([34, case.seed]).uniform(-2, 2, 3)
    return seen_by(View(length=length, mass=mass, time=time))(case)


def contacts_told_from_the_other_body(case: Case) -> Iterator[str]:
    if "balls" in case.scene.traits:
        yield from seen_by(View(swapped=True))(case)


def zeros_written(case: Case) -> Iterator[str]:
    return seen_by(View(zeros="written"))(case)


def zeros_left_out(case: Case) -> Iterator[str]:
    return seen_by(View(zeros="left out"))(case)


def _motion(case: Case, size: float) -> Array:
    vector = size * np.random.default_rng([35, case.seed]).normal(size=3)
    return np.asarray(vector * ([1, 1, 0] if "plane" in case.scene.traits else [1, 1, 1]))


def on_a_moving_ground(case: Case) -> Iterator[str]:
    return seen_by(View(drift=_motion(case, 1.0)))(case)


def on_an_accelerated_ground(case: Case) -> Iterator[str]:
    return seen_by(View(drift=_motion(case, 1.0), pull=_motion(case, -3.0)))(case)


def beside_another_scene(case: Case) -> Iterator[str]:
    scene = with_a_neighbour(case.seed)
    yield from differences(case, scene, moved(scene, ts.load(scene.description), case.times))


# --- ways to move ---------------------------------------------------------------------------------


def absolute(case: Case) -> Iterator[str]:
    if "control" not in case.scene.traits:  # refused by name
        run = moved(case.scene, case.mechanism, case.times, coordinates="absolute")
        yield from differences(case, case.scene, run)


def by_steps(case: Case) -> Iterator[str]:
    """Steps have an error of order one; shocks one after the other are one shock there."""
    sequential = case.scene.described.get("impacts") == "sequential"
    found = [(name, round(t, 9)) for name, t, _ in shocks(case.scene, case.run)]
    again = len(set(found)) < len(found)  # one contact twice in an instant
    if "control" in case.scene.traits or sequential or again:
        return
    speed = max(np.abs(x).max() for x in case.scene.observe(case.run).values())
    errors: list[float] = []
    for count in STEPS:
        step = case.times[-1] / count
        events = np.array([event.t for event in case.run.events])
        apart = np.abs(case.times[:, None] - events).min(axis=1, initial=1.0) > NEAR * step
        run = moved(case.scene, case.mechanism, case.times, method="moreau", step=step)
        errors.append(max(_apart(case, run, apart).values(), default=0.0))
        if errors[-1] < 20 * step * max(1.0, speed) or errors[-1] < FALLS * errors[0]:
            return
    yield f"errors {errors} do not fall as the step"


def _apart(case: Case, run: Any, samples: Array) -> dict[str, float]:
    """How far a run is off in what is observed, at some samples."""
    first, second = case.scene.observe(case.run), case.scene.observe(run)
    return {x: float(np.abs(first[x] - second[x])[samples].max(initial=0.0)) for x in first}


def split(case: Case) -> Iterator[str]:
    end = case.times[-1]
    at = float(np.random.default_rng([36, case.seed]).uniform(0.2, 0.8)) * end
    if case.scene.control:
        at = SAMPLE * max(1, round(at / SAMPLE))  # controllers are asked at the same instants
    if at >= end:  # events end it before a controller is asked again
        return
    first = moved(case.scene, case.mechanism, [at])
    times = case.times[case.times > at]
    second = moved_on(case, first, times)
    yield from differences(case, case.scene, second, times=times)


def moved_on(case: Case, run: Any, times: Array) -> Any:
    own = {"control": case.scene.control, "sample": SAMPLE} if case.scene.control else {}
    span = times[-1] - run.t[-1]
    return ts.simulate(case.mechanism, span, at=times, initial=run, rtol=RTOL, **own)


def in_a_batch(case: Case) -> Iterator[str]:
    """Two rows: the scene, and the scene with one speed a little larger."""
    speeds = [name for name in case.scene.initial if name.endswith(".")]
    if case.scene.control or "driven" in case.scene.traits or "loop" in case.scene.traits:
        return
    other = {speeds[0]: case.scene.initial[speeds[0]] + 1e-3}
    values = {name: np.array([case.scene.initial[name], x]) for name, x in other.items()}
    asked = {"at": [0.0, *case.times], "rtol": RTOL}
    rows = ts.simulate(case.mechanism, case.times[-1], initial=values, threads=1, **asked)
    yield from differences(case, case.scene, rows[0].at(case.times))
    alone = ts.simulate(case.mechanism, case.times[-1], initial=other, **asked)
    wrong = max(np.abs(rows[1].q - alone.q).max(), np.abs(rows[1].v - alone.v).max())
    if wrong > EQUAL:
        yield f"the second row differs by {wrong:.2g}"


def saved_and_loaded(case: Case) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        description, result = Path(folder) / "scene.yaml", Path(folder) / "run.nc"
        case.mechanism.save(description)
        again = moved(case.scene, ts.load(description), case.times)
        yield from differences(case, case.scene, again)
        case.run.save(result)
        yield from differences(case, case.scene, ts.load_run(result))


RELATIONS: dict[str, Relation] = {
    relation.__name__.replace("_", " "): relation
    for relation in (
        turned, mirrored, renamed_and_permuted, scaled, contacts_told_from_the_other_body,
        zeros_written, zeros_left_out, on_a_moving_ground, on_an_accelerated_ground,
        beside_another_scene, absolute, by_steps, split, in_a_batch, saved_and_loaded,
    )
}  # fmt: skip


def broken(seed: int, only: tuple[str, ...] = ()) -> dict[str, list[str]]:
    """The relations that a scene does not obey, with what differs; a refusal is a difference."""
    case = Case(seed)
    try:
        _ = case.run
    except (ts.SolveError, ts.ModelError) as error:
        return {"drawn": [f"refused: {error}"]}
    found = {}
    for name, relation in RELATIONS.items():
        if only and name not in only:
            continue
        try:
            sentences = list(relation(case))
        except (ts.SolveError, ts.ModelError) as error:
            sentences = [f"refused: {error}"]
        if sentences:
            found[name] = sentences
    return found


def told(seed: int) -> Description:
    """The description of a scene, for whoever looks into it."""
    return {"family": FAMILIES[seed % len(FAMILIES)].__name__, **random_scene(seed).description}
