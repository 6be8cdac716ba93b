"""Families of random scenes in which parts of the engine meet: drawn from a seed, seen by a view.

Each lasts for a few events, so that rounding is not amplified. Left out, because rigid bodies have
no single answer there: friction so large that sliding may jam (Painlevé), static and kinetic
coefficients that differ where several points share one load, and Poisson's law where more rows hold
than can move, as normal impulses of compression, of which it gives back a part, then have a choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.spatial.transform import Rotation
from seam_scenes import GROUND, Scene, View

Law = dict[str, Any]
X, Y, Z = np.eye(3)
G = 9.81


def law(rng: np.random.Generator, rubs: bool = True, most: float = 0.5) -> Law:
    """Friction and restitution of a contact: left out, zero, between, the largest; both laws."""
    friction = [None, 0.0, rng.uniform(0.05, most)][rng.choice(3, p=[0.35, 0.15, 0.5])]
    part = rng.uniform(0.2, 0.8)
    restitution = [None, 0.0, 1.0, part, {"poisson": part}][
        rng.choice(5, p=[0.2, 0.15, 0.2, 0.3, 0.15])
    ]
    own = {"restitution": restitution}
    return {"friction": friction, **own} if rubs else own


def by_speeds(own: Law) -> Law:
    """The same with Newton's law, where Poisson's would have a choice."""
    e = own["restitution"]
    return {**own, "restitution": e["poisson"]} if isinstance(e, dict) else own


def weight(scene: Scene, most: float = 0.5) -> None:
    """Gravity against y, leaning in the plane of x and y, or none."""
    rng = scene.rng
    lean = rng.uniform(-most, most)
    size = float(rng.choice([0.0, G, 3.0], p=[0.15, 0.6, 0.25]))
    scene.set_gravity(size * np.array([np.sin(lean), -np.cos(lean), 0.0]))


# --- bodies -----------------------------------------------------------------------------------


def masses_on_a_line(scene: Scene) -> None:
    """Point masses on one line between two walls, some in touch: closing, at rest or opening."""
    rng = scene.rng
    weight(scene)
    count = int(rng.integers(1, 4))
    along = X if rng.random() < 0.6 else Y
    laws = [law(rng, rubs=False) for _ in range(count + 1)]
    gaps = rng.uniform(0.05, 0.4, count + 1) * rng.choice([0.0, 1.0], count + 1, p=[0.4, 0.6])
    places, masses = np.cumsum(gaps), rng.uniform(0.5, 2, count + 1)
    for k in range(count):
        scene.body(f"m{k}", masses[k])
        scene.slide(f"x{k}", GROUND, f"m{k}", along, places[k], rng.normal())
    scene.gap("left", "{x0}", laws[0])
    for k in range(1, count):
        scene.gap(f"pair{k}", f"{{x{k}}} - {{x{k - 1}}}", laws[k])
    scene.gap("right", f"{{{float(places[count])!r}}} - {{x{count - 1}}}", laws[count])
    scene.described["impacts"] = str(rng.choice(["simultaneous", "sequential"], p=[0.8, 0.2]))
    scene.duration = 0.5


def ball_in_a_corner(scene: Scene) -> None:
    """A ball in the plane, on or over a floor beside a wall."""
    rng = scene.rng
    weight(scene)
    r, m = rng.uniform(0.1, 0.2), rng.uniform(0.5, 2)
    scene.body("A", m, m * r * r * np.array([0.4, 0.4, rng.choice([0.4, 0.5])]))
    at = r + rng.uniform(0.05, 0.3, 2) * rng.choice([0.0, 1.0], 2, p=[0.5, 0.5])
    scene.planar("A", at, rng.normal(), rng.normal(size=2), 5 * rng.normal())
    laws = [law(rng), law(rng)]
    if all(own["friction"] for own in laws):
        laws = [by_speeds(own) for own in laws]
    for name, normal, own in zip(("floor", "wall"), (Y, X), laws, strict=True):
        scene.contact(name, GROUND, "A", own, shape="ball", radius=r, normal=normal)
    scene.duration = 0.4


def ball_in_space(scene: Scene) -> None:
    """A ball in space, on or over a floor, thrown and spinning."""
    rng = scene.rng
    scene.set_gravity([1.0, 0.5, -G])
    r, m = rng.uniform(0.1, 0.2), rng.uniform(0.5, 2)
    scene.body("A", m, m * r * r * np.full(3, 0.4))
    at = [*rng.normal(size=2), r + rng.uniform(0.05, 0.3) * rng.choice([0.0, 1.0])]
    turned = Rotation.from_rotvec(rng.normal(size=3))
    scene.free("A", np.array(at), turned, rng.normal(size=3), 4 * rng.normal(size=3))
    scene.contact("floor", GROUND, "A", law(rng), shape="ball", radius=r, normal=Z)
    scene.duration = 0.4


def two_balls(scene: Scene) -> None:
    """Two balls that meet in space or in the plane; one of them may lie on a floor."""
    rng = scene.rng
    flat = rng.random() < 0.5
    scene.set_gravity([0.0, -3.0 * float(rng.random() < 0.5), 0.0])
    radii, masses = rng.uniform(0.1, 0.3, 2), rng.uniform(0.5, 2, 2)
    apart = radii.sum() + rng.uniform(0.05, 0.3) * float(rng.random() < 0.6)
    aim = rng.uniform(-0.5, 0.5, 2)
    way = np.array([np.cos(aim[0]), np.sin(aim[0]), 0.0 if flat else np.sin(aim[1])])
    way /= np.linalg.norm(way)
    for k, name in enumerate("AB"):
        r, m = radii[k], masses[k]
        scene.body(name, m, m * r * r * np.full(3, 0.4))
        place = k * apart * way
        speed = 0.5 * rng.normal(size=3) + (1 - 2 * k) * way
        spin = 4 * rng.normal(size=3)
        if flat:
            scene.planar(name, place[:2], 0.0, speed[:2], spin[2])
        else:
            scene.free(name, place, Rotation.from_rotvec(rng.normal(size=3)), speed, spin)
    balls = {"shape": "ball", "radius": radii[1], "on": "sphere", "surface_radius": radii[0]}
    # tangents turn with the normal from the axes that follow it
    scene.contact("pair", "A", "B", law(rng), point=(0, 0, 0), through=(0, 0, 0), normal=X, **balls)
    scene.traits.add("balls")
    scene.duration = 0.4


def box_in_the_plane(scene: Scene) -> None:
    """A box with two or four corners: on its feet, on one corner, or thrown."""
    rng = scene.rng
    weight(scene, 0.3)
    a, b, m = *rng.uniform(0.15, 0.4, 2), rng.uniform(0.5, 2)
    scene.body("A", m, m / 3 * np.array([b * b, a * a, a * a + b * b]))
    way = rng.choice(["flat", "tilted", "thrown"], p=[0.5, 0.2, 0.3])
    angle = 0.0 if way == "flat" else rng.uniform(0.2, 0.9) * rng.choice([-1, 1])
    low = a * abs(np.sin(angle)) + b * np.cos(angle)
    height = low + (rng.uniform(0.02, 0.2) if way == "thrown" else 0.0)
    velocity, spin = rng.normal(size=2), rng.normal()
    if way == "flat":
        velocity, spin = np.array([velocity[0] * rng.choice([0, 1]), 0.0]), 0.0
    scene.planar("A", [0.0, height], angle, velocity, spin)
    own = by_speeds(law(rng, most=0.4))
    corners = [(-a, -b), (a, -b)] + ([(a, b), (-a, b)] if rng.random() < 0.5 else [])
    for k, (x, y) in enumerate(corners):
        scene.contact(f"c{k}", GROUND, "A", own, point=(x, y, 0.0), normal=Y)
    scene.traits.add("shared")
    scene.duration = 0.25


def box_in_space(scene: Scene) -> None:
    """A box on four feet that slides straight on, or one thrown with a corner ahead."""
    rng = scene.rng
    lean = rng.uniform(-0.4, 0.4, 2)
    scene.set_gravity([G * lean[0], G * lean[1], -G])
    a, b, c = rng.uniform(0.15, 0.4, 3)
    m = rng.uniform(0.5, 2)
    scene.body("A", m, m / 3 * np.array([b * b + c * c, a * a + c * c, a * a + b * b]))
    lands = rng.random() < 0.5
    turned = Rotation.from_rotvec(rng.normal(size=3) if lands else np.zeros(3))
    corners = np.array([[s * a, t * b, u * c] for u in (-1, 1) for s in (-1, 1) for t in (-1, 1)])
    low = -turned.apply(corners)[:, 2].min()
    height = low + rng.uniform(0.02, 0.2) * lands
    velocity = rng.normal(size=3) * [1, 1, float(lands)] * rng.choice([0.0, 1.0])
    spin = rng.normal(size=3) * float(lands)
    scene.free("A", np.array([0, 0, height]), turned, velocity, spin)
    own = by_speeds(law(rng, most=0.4))
    for k, corner in enumerate(corners if lands else corners[:4]):
        scene.contact(f"c{k}", GROUND, "A", own, point=tuple(corner), normal=Z)
    scene.traits.add("shared")
    scene.duration = 0.2


# --- joints -----------------------------------------------------------------------------------


def stop_beside(scene: Scene, joint: dict[str, Any]) -> Law:
    """The law of a stop; where friction of the same joint may hold it too, they share impulses."""
    own = law(scene.rng, rubs=False)
    return by_speeds(own) if "friction" in joint else own


def pendulum(scene: Scene) -> None:
    """A pendulum with a rubbing pivot between two stops."""
    rng = scene.rng
    weight(scene, 3.0)
    m, l = rng.uniform(0.5, 2), rng.uniform(0.3, 0.8)
    scene.body("A", m, m * l * l / 12 * np.array([1, 0.1, 1]), centre=(0, -l / 2, 0))
    low, high = -rng.uniform(0.1, 0.6), rng.uniform(0.1, 0.6)
    more: dict[str, Any] = {}
    if rng.random() < 0.6:
        more["friction"] = {"coefficient": rng.uniform(0.05, 0.5), "radius": rng.uniform(0.01, 0.1)}
    angle = rng.choice([low, high, rng.uniform(low, high)], p=[0.25, 0.25, 0.5])
    stop = stop_beside(scene, more)
    scene.pivot(
        "a", GROUND, "A", angle, 2 * rng.normal(), limits=[low, high], stop=stop, **more
    )  # fmt: skip
    scene.duration = 0.5


def arm(scene: Scene) -> None:
    """Two bars, a stop between them, friction in a pivot, the tip on or over a floor."""
    rng = scene.rng
    weight(scene, 0.4)
    angles, lengths = _two_bars(scene)
    rubs = {"constant": rng.uniform(0.02, 0.2)} if rng.random() < 0.4 else None
    more: dict[str, Any] = {"friction": rubs} if rubs else {}
    scene.pivot("a", GROUND, "A", angles[0], rng.normal(), **more)
    stop = law(rng, rubs=False)
    scene.pivot(
        "b", "A", "B", angles[1], rng.normal(), point=((0, -lengths[0], 0), (0, 0, 0)),
        limits=[-1.0, 1.0], stop=stop,
    )  # fmt: skip
    tip = -lengths[0] * np.cos(angles[0]) - lengths[1] * np.cos(angles.sum())
    below = rng.uniform(0.0, 0.05) * rng.choice([0.0, 1.0], p=[0.5, 0.5])
    scene.contact(
        "floor", GROUND, "B", law(rng, most=0.3), point=(0, -lengths[1], 0), normal=Y,
        through=(0, tip - below, 0),
    )  # fmt: skip
    if rng.random() < 0.4:
        k, c = rng.uniform(1, 5), rng.uniform(0.1, 0.5)
        scene.control = {scene.view.name(x): _servo(scene, x, k, c) for x in "ab"}
        scene.traits.add("control")
    scene.duration = 0.3


def _two_bars(scene: Scene) -> tuple[np.ndarray, np.ndarray]:
    rng = scene.rng
    lengths, masses = rng.uniform(0.3, 0.6, 2), rng.uniform(0.5, 1.5, 2)
    for name, l, m in zip("AB", lengths, masses, strict=True):
        scene.body(name, m, m * l * l / 12 * np.array([1, 0.1, 1]), centre=(0, -l / 2, 0))
    return np.array([rng.uniform(0.2, 0.9), rng.uniform(-0.9, -0.2)]), lengths


def _servo(scene: Scene, x: str, stiffness: float, damping: float) -> str:
    own = scene.view.name(x)
    k, c = scene.of(stiffness, 2, 1, -2), scene.of(damping, 2, 1, -1)
    return f"-{k!r}*{own} - {c!r}*{own}."


def cart(scene: Scene) -> None:
    """A cart on a rubbing rail with a pendulum, a motor on its pivot, between two walls."""
    rng = scene.rng
    weight(scene, 0.2)
    m, l = rng.uniform(0.5, 1.5, 2)
    scene.body("C", rng.uniform(1, 3))
    scene.body("A", m, m * l * l / 12 * np.array([1, 0.1, 1]), centre=(0, -l / 2, 0))
    rubs = [{"coefficient": rng.uniform(0.05, 0.3)}, {"constant": rng.uniform(0.1, 1.0)}]
    kind = int(rng.integers(3))
    more = {"friction": rubs[kind]} if kind < 2 else {}
    ends = [-rng.uniform(0.05, 0.2), rng.uniform(0.05, 0.2)]
    at = rng.choice([ends[0], 0.0, ends[1]], p=[0.25, 0.5, 0.25])
    stop = stop_beside(scene, more)
    scene.slide("x", GROUND, "C", X, at, rng.normal(), limits=ends, stop=stop, **more)
    scene.pivot("a", "C", "A", rng.normal(), 2 * rng.normal())
    if rng.random() < 0.5:
        torque = rng.uniform(0.2, 1.0)
        rate = scene.value(rng.uniform(2, 8), time=-1)
        couple = scene.value(torque, 2, 1, -2)
        motor = {"joint": scene.view.name("a"), "ratio": 5.0, "torque": f"{couple}*sin({rate}*t)"}
        motor["rotor_inertia"] = scene.of(1e-3, 2, 1)
        scene.section("motors")[scene.view.name("M")] = motor
    scene.duration = 0.4


# --- drives and loops -------------------------------------------------------------------------


def driven_table(scene: Scene) -> None:
    """A ball or a box over a table that is driven up and down."""
    rng = scene.rng
    scene.set_gravity([0.0, -G, 0.0])
    scene.body("T", 1.0)
    reach, rate, phase = rng.uniform(0.02, 0.1), rng.uniform(4, 12), rng.uniform(0, 6)
    start, speed = reach * np.sin(phase), reach * rate * np.cos(phase)
    axis = Y if rng.random() < 0.7 else (X + Y) / np.sqrt(2)
    scene.slide("s", GROUND, "T", axis, start, speed)
    text = f"{scene.value(reach, 1)} * sin({scene.value(rate, time=-1)} * t + {scene.value(phase)})"
    drive = {"coordinate": scene.view.name("s"), "law": text}
    scene.section("motions")[scene.view.name("drive")] = drive
    r, m = rng.uniform(0.1, 0.2), rng.uniform(0.5, 2)
    scene.body("A", m, m * r * r * np.full(3, 0.4))
    touches = rng.random() < 0.5
    own = rng.normal(size=2) if rng.random() < 0.7 else speed * axis[:2]
    height = start * axis[1] + r + (0.0 if touches else rng.uniform(0.02, 0.1))
    scene.planar("A", [0.0, height], 0.0, own, 3 * rng.normal())
    scene.contact("top", "T", "A", law(rng), shape="ball", radius=r, normal=Y)
    scene.traits.add("driven")
    scene.duration = 0.3


def block_on_a_belt(scene: Scene) -> None:
    """A block with two feet on a driven belt, held by a spring."""
    rng = scene.rng
    scene.set_gravity([0.0, -G, 0.0])
    scene.body("belt", 1.0)
    speed = rng.uniform(0.2, 1.0)
    scene.slide("s", GROUND, "belt", X, 0.0, speed)
    drive = {"coordinate": scene.view.name("s"), "law": f"{scene.value(speed, 1, 0, -1)}*t"}
    scene.section("motions")[scene.view.name("drive")] = drive
    a, b, m = *rng.uniform(0.2, 0.4, 2), rng.uniform(0.5, 2)
    scene.body("A", m, m / 3 * np.array([b * b, a * a, a * a + b * b]))
    own = by_speeds(law(rng, most=0.4))
    if own["friction"] is not None:
        own["friction"] = max(own["friction"], 0.1)
    scene.planar("A", [0.0, b], 0.0, [rng.choice([0.0, speed, rng.normal()]), 0.0], 0.0)
    for k, x in enumerate((-a, a)):
        scene.contact(f"c{k}", "belt", "A", own, point=(x, -b, 0), normal=Y)
    ends = [[scene.own(GROUND), scene.vector((-2, b, 0), 1)], [scene.own("A"), [0, 0, 0]]]
    spring = {"type": "spring", "between": ends, "length": scene.of(2.0, 1)}
    stiffness = scene.of(rng.uniform(5, 40), 0, 1, -2)
    scene.section("forces")[scene.view.name("k")] = {**spring, "stiffness": stiffness}
    scene.traits |= {"driven", "shared"}
    scene.duration = 0.5


def four_bar(scene: Scene) -> None:
    """A parallel four-bar with stops and a rubbing pivot, its coupler on or over a floor."""
    rng = scene.rng
    weight(scene, 0.3)
    l, w = rng.uniform(0.3, 0.5), rng.uniform(0.5, 0.8)
    angle, rate = rng.uniform(0.45, 0.55) * rng.choice([-1, 1]), rng.normal()
    bar = np.array([1, 0.1, 1]) * l * l / 12
    for name in ("crank", "rocker"):
        scene.body(name, 1.0, bar, centre=(0, -l / 2, 0))
    m = rng.uniform(0.5, 2)
    scene.body("rod", m, m * w * w / 12 * np.array([0.1, 1, 1]), centre=(w / 2, 0, 0))
    low, high = -rng.uniform(0.6, 0.8), rng.uniform(0.6, 0.8)
    more: dict[str, Any] = {"limits": [low, high]}
    if rng.random() < 0.5:
        more["friction"] = {"constant": rng.uniform(0.02, 0.2)}
    more["stop"] = stop_beside(scene, more)
    scene.pivot("a", GROUND, "crank", angle, rate, **more)
    scene.pivot("b", "crank", "rod", -angle, -rate, point=((0, -l, 0), (0, 0, 0)))
    scene.pivot("d", GROUND, "rocker", angle, rate, point=((w, 0, 0), (0, 0, 0)))
    scene.pivot("c", "rod", "rocker", angle, rate, point=((w, 0, 0), (0, -l, 0)))
    # in touch, or a little above; nearer to its lowest place, what slides on the floor would jam
    below = rng.uniform(0.002, 0.01) * rng.choice([0.0, 1.0])
    through = (0, -l * np.cos(angle) - below, 0)
    where = {"point": (w * rng.uniform(0.2, 0.8), 0, 0), "through": through}
    # the one freedom is held by a normal and by friction at once
    scene.contact("floor", GROUND, "rod", by_speeds(law(rng, most=0.2)), normal=Y, **where)
    scene.traits.add("loop")
    scene.duration = 0.3


FAMILIES = (
    masses_on_a_line, ball_in_a_corner, ball_in_space, two_balls, box_in_the_plane, box_in_space,
    pendulum, arm, cart, driven_table, block_on_a_belt, four_bar,
)  # fmt: skip


def random_scene(seed: int, view: View | None = None) -> Scene:
    """The scene of a seed: of the next family, in a view."""
    scene = Scene(np.random.default_rng([30, seed]), view or View())
    FAMILIES[seed % len(FAMILIES)](scene)
    return scene


def with_a_neighbour(seed: int) -> Scene:
    """The scene of a seed with an unrelated one beside it, of which nothing is read."""
    scene = random_scene(seed)
    known, names, duration = dict(scene.readings), dict(scene.names), scene.duration
    traits, impacts = set(scene.traits), scene.described.get("impacts", "simultaneous")
    scene.view, scene.rng = View(prefix="n"), np.random.default_rng([31, seed])
    (masses_on_a_line, ball_in_a_corner, pendulum)[seed % 3](scene)
    scene.described["impacts"], scene.view = impacts, View()
    scene.readings, scene.names, scene.duration, scene.traits = known, names, duration, traits
    return scene
