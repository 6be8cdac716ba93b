"""Random scenes of things that touch, stop and rub, drawn to be hard on an engine of contacts.

Lengths and masses go from 1e-4 to 1e4 m and kg, friction from 0 to 3, restitution from 0 to 1;
every tenth draw of a coefficient is an end of its range. Numbers are the values of parameters, so
that scenes of a family with as many contacts have the same machine code.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from random_loops import random_inertia, with_parameters
from scipy.spatial.transform import Rotation

GROUND = "ground"
STRAIGHT = Rotation.identity()
Array = np.ndarray


@dataclass
class Scene:
    """A mechanism, how long it moves, and what is known of it beforehand."""

    rng: np.random.Generator
    length: float  # [m]
    mass: float  # [kg]
    second: float  # [s]: the time of a fall by the length
    gravity: list[float]
    described: dict[str, Any]
    duration: float = 0.0
    is_passive: bool = True  # nothing gives it energy
    is_isolated: bool = False  # nothing but its bodies acts on each other
    bodies: dict[str, tuple[float, Array]] = field(default_factory=dict)  # mass, inertia
    contacts: dict[str, dict[str, Any]] = field(default_factory=dict)  # as described, in numbers
    bearings: dict[str, dict[str, float]] = field(default_factory=dict)  # friction of joints

    @property
    def speed(self) -> float:
        """[m/s]."""
        return self.length / self.second

    @property
    def force(self) -> float:
        """[N]: about a weight."""
        return self.mass * self.speed / self.second

    def section(self, name: str) -> dict[str, Any]:
        """A section of the description."""
        return self.described.setdefault(name, {})

    def isolate(self) -> None:
        """Without gravity: its bodies act on each other only."""
        self.is_isolated = True
        self.described["gravity"] = self.gravity = [0.0, 0.0, 0.0]

    def vector(self, size: float) -> Array:
        """A random vector of this usual size."""
        return size * self.rng.normal(size=3)

    def body(self, name: str, size: float = 1.0, ratio: float = 1.0) -> None:
        """A cloud of particles about the origin of its frame."""
        mass = self.mass * ratio * self.rng.uniform(0.5, 2)
        inertia = random_inertia(self.rng, 2 * size * self.length, mass)
        self.bodies[name] = mass, np.array(inertia)
        self.section("bodies")[name] = {"mass": mass, "inertia": inertia}

    def has_inertia(self, name: str, radius: float, *factors: float) -> None:
        """The moments of a body are these times m r²."""
        mass = self.bodies[name][0]
        moments = [mass * radius**2 * k for k in factors]
        self.section("bodies")[name]["inertia"] = moments
        self.bodies[name] = mass, np.array([*moments, 0.0, 0.0, 0.0])

    def joint(self, name: str, kind: str, first: str, second: str, **more: Any) -> None:
        self.section("joints")[name] = {"type": kind, "bodies": [first, second], **more}
        if "friction" in more:
            self.bearings[name] = more["friction"]

    def start(self, **values: float) -> None:
        """Initial values; `x_` stands for the speed of x."""
        names = {k: k[:-1] + "." if k.endswith("_") else k for k in values}
        self.section("initial").update({names[k]: float(x) for k, x in values.items()})

    def coefficient(self, most: float) -> float:
        """From 0 to the most, often an end of the range."""
        if self.rng.random() < 0.2:
            return float(self.rng.choice([0.0, most]))
        return float(most * self.rng.random())

    def friction(self) -> dict[str, float]:
        static = self.coefficient(3.0) if self.rng.random() < 0.3 else self.coefficient(0.8)
        same = self.rng.random() < 0.5
        return {"static": static, "kinetic": static * (1.0 if same else self.rng.uniform(0.3, 1))}

    def contact(self, name: str, first: str, second: str, **more: Any) -> None:
        laws = {"friction": self.friction(), "restitution": self.coefficient(1.0)}
        self.contacts[name] = {"bodies": [first, second], **laws, **more}
        self.section("contacts")[name] = self.contacts[name]


@dataclass(frozen=True)
class Units:
    """A metre and a kilogram in other units; a second stays."""

    length: float = 1.0
    mass: float = 1.0


SI = Units()


def _empty(rng: np.random.Generator, units: Units) -> Scene:
    """A scene of a random size, with gravity along −y."""
    length, mass = 10.0 ** rng.uniform(-4, 4, 2) * [units.length, units.mass]
    weight = float(10.0 ** rng.uniform(-1, 1) * 9.81 * units.length)
    second, gravity = float(np.sqrt(length / weight)), [0.0, -weight, 0.0]
    described = {"gravity": gravity, "reactions": "least_norm"}
    scene = Scene(rng, float(length), float(mass), second, gravity, described)
    scene.duration = 4.0 * second
    return scene


def _listed(vector: Array) -> list[float]:
    return [float(x) for x in vector]


# --- bodies in a plane ---------------------------------------------------------------------------


def _slope(scene: Scene) -> Array:
    """The normal of a plane that leans."""
    angle = scene.rng.uniform(-0.6, 0.6) + np.pi / 2
    return np.array([np.cos(angle), np.sin(angle), 0.0])


def _corners(scene: Scene, count: int) -> list[Array]:
    turns = np.sort(scene.rng.uniform(0, 2 * np.pi, count))
    size = scene.length * scene.rng.uniform(0.3, 1, count)
    return [s * np.array([np.cos(a), np.sin(a), 0.0]) for s, a in zip(size, turns, strict=True)]


def _plane_body(scene: Scene, name: str) -> None:
    scene.body(name)
    scene.joint(name, "planar", GROUND, name, normal="z")


def thrown_polygon(scene: Scene) -> None:
    """A polygon thrown onto a slope, perhaps against a wall and a ceiling too."""
    rng = scene.rng
    _plane_body(scene, "A")
    planes = [(_slope(scene), 0.0)]
    if rng.random() < 0.5:
        planes += [(np.array([-1.0, 0.0, 0.0]), -1.5), (np.array([0.0, -1.0, 0.0]), -2.5)]
    for i, corner in enumerate(_corners(scene, int(rng.integers(1, 5)))):
        for k, (normal, offset) in enumerate(planes):
            through = _listed(offset * scene.length * normal)
            where = {"point": [float(x) for x in corner], "through": through}
            scene.contact(f"c{i}{k}", GROUND, "A", normal=_listed(normal), **where)
    scene.start(A_y=1.1 * scene.length / planes[0][0][1], A_angle=rng.uniform(-3, 3))
    vx, vy, turn = rng.normal(size=3)
    scene.start(A_x_=vx * scene.speed, A_y_=vy * scene.speed, A_angle_=turn / scene.second)


def standing_block(scene: Scene) -> None:
    """A block exactly on two corners of a slope: at rest, sliding, turning or rocking."""
    rng = scene.rng
    _plane_body(scene, "A")
    normal, (a, b) = _slope(scene), scene.length * rng.uniform(0.2, 1, 2)
    for name, x in (("left", -a), ("right", a)):
        scene.contact(name, GROUND, "A", normal=_listed(normal), point=[x, -b, 0.0])
    angle = np.arctan2(normal[1], normal[0]) - np.pi / 2
    scene.start(A_x=float(b * normal[0]), A_y=float(b * normal[1]), A_angle=angle)
    if rng.random() < 0.6:
        along = rng.normal() * scene.speed
        scene.start(A_x_=along * normal[1], A_y_=-along * normal[0])


def block_on_block(scene: Scene) -> None:
    """A block on two corners on a block on two corners, one of them moving."""
    rng = scene.rng
    for name in ("A", "B"):
        _plane_body(scene, name)
    h, w = scene.length * rng.uniform(0.3, 1, 2)
    for side, x in (("left", -w), ("right", w)):
        scene.contact(f"low {side}", GROUND, "A", normal="y", point=[x, -h, 0.0])
        top = {"through": [0.0, h, 0.0], "point": [0.5 * x, -h, 0.0]}
        scene.contact(f"high {side}", "A", "B", normal="y", **top)
    above = scene.length * float(rng.choice([0.0, 0.5]))
    scene.start(A_y=h, B_y=3 * h + above, B_x=0.1 * w * rng.normal())
    scene.start(A_x_=rng.normal() * scene.speed, B_x_=rng.normal() * scene.speed)


def wheel_in_a_corner(scene: Scene) -> None:
    """A wheel in a plane that meets a floor and two walls, spinning."""
    rng = scene.rng
    _plane_body(scene, "A")
    radius = scene.length * rng.uniform(0.1, 0.5)
    floor = _slope(scene)
    walls = [(floor, 0.0), (np.array([-1.0, 0, 0]), -1.0), (np.array([1.0, 0, 0]), -1.0)]
    for k, (normal, offset) in enumerate(walls):
        through = _listed(offset * scene.length * normal)
        more = {"shape": "sphere", "radius": radius, "through": through}
        scene.contact(f"c{k}", GROUND, "A", normal=_listed(normal), **more)
    scene.start(A_y=radius / floor[1] + scene.length * float(rng.choice([0.0, 0.7])))
    scene.start(A_x_=rng.normal() * scene.speed, A_angle_=10 * rng.normal() / scene.second)


# --- bodies in space -----------------------------------------------------------------------------


def _turned(scene: Scene) -> Rotation:
    """The whole scene turned: gravity is along −y of what is turned."""
    turn = Rotation.random(rng=scene.rng)
    scene.described["gravity"] = scene.gravity = _listed(turn.apply(scene.gravity))
    return turn


def _free_body(
    scene: Scene, name: str, pose: tuple[Rotation, Array, Rotation], velocity: Array
) -> None:
    """A free body in a scene that is turned: the turn, then its place and orientation there."""
    turn, at, own = pose
    scene.body(name)
    scene.joint(name, "free", GROUND, name)
    x, y, z, w = (turn * own).as_quat()
    place, speed = turn.apply(at), turn.apply(velocity)
    for k, axis in enumerate("xyz"):
        scene.start(**{f"{name}_{axis}": place[k], f"{name}_{axis}_": speed[k]})
    scene.start(**{f"{name}_q{k}": v for k, v in zip("wxyz", (w, x, y, z), strict=True)})


def thrown_box(scene: Scene) -> None:
    """A free body with corners, or balls at its corners, thrown onto a slope."""
    rng = scene.rng
    turn, normal = _turned(scene), _slope(scene)
    tumbled = Rotation.random(rng=rng)
    at = normal * 1.5 * scene.length
    _free_body(scene, "A", (turn, at, tumbled), scene.vector(scene.speed))
    for i in range(int(rng.integers(1, 7))):
        corner = scene.vector(1.0)
        corner *= rng.uniform(0.3, 0.9) * scene.length / np.linalg.norm(corner)
        ball = {"shape": "sphere", "radius": 0.1 * scene.length} if i % 3 == 2 else {}
        where = {"point": _listed(corner), "normal": _listed(turn.apply(normal))}
        scene.contact(f"c{i}", GROUND, "A", **where, **ball)
    for axis in "xyz":
        scene.start(**{f"A_w{axis}": rng.normal() / scene.second})


def box_on_four_corners(scene: Scene) -> None:
    """A free box exactly on four corners of a slope: at rest, sliding, or turning on it."""
    rng = scene.rng
    turn, normal = _turned(scene), _slope(scene)
    leaning = Rotation.align_vectors([normal], [[0.0, 1.0, 0.0]])[0]
    a, b, c = scene.length * rng.uniform(0.2, 1, 3)
    slides = float(rng.random() < 0.6)
    along = leaning.apply(slides * scene.speed * np.array([rng.normal(), 0, rng.normal()]))
    _free_body(scene, "A", (turn, leaning.apply([0, b, 0]), leaning), along)
    scene.start(A_wy=slides * float(rng.choice([0.0, 1.0])) * rng.normal() / scene.second)
    up = _listed(turn.apply(normal))
    for i, (sx, sz) in enumerate(((1, 1), (1, -1), (-1, -1), (-1, 1))):
        scene.contact(f"c{i}", GROUND, "A", normal=up, point=[sx * a, -b, sz * c])


def spinning_ball(scene: Scene) -> None:
    """A ball with much spin in a corner of three planes, with resistance to rolling."""
    rng = scene.rng
    turn, radius = _turned(scene), scene.length * rng.uniform(0.1, 0.5)
    at = np.array([0.0, radius + scene.length * float(rng.choice([0.0, 0.5])), 0.0])
    _free_body(scene, "A", (turn, at, STRAIGHT), scene.vector(scene.speed) * [1, 0, 1])
    scene.has_inertia("A", radius, 0.4, 0.4, 0.4)
    planes = (([0, 1, 0], 0.0), ([-1, 0, 0], -1.5), ([0, 0, -1], -1.5))
    for k, (normal, offset) in enumerate(planes):
        up = turn.apply(np.array(normal, float))
        more = {"rolling": 0.01 * radius, "pivoting": 0.02 * radius} if k == 0 else {}
        through = _listed(offset * scene.length * up)
        more |= {"shape": "sphere", "radius": radius, "through": through}
        scene.contact(f"c{k}", GROUND, "A", normal=_listed(up), **more)
    for axis in "xyz":
        scene.start(**{f"A_w{axis}": 30 * rng.normal() / scene.second})


def leaning_disc(scene: Scene) -> None:
    """A thin disc that rolls, slides, leans and falls."""
    rng = scene.rng
    radius, lean = scene.length * rng.uniform(0.2, 1), rng.uniform(-1.2, 1.2)
    tilted = Rotation.from_euler("x", lean)
    at = np.array([0.0, radius * np.cos(lean), radius * np.sin(lean)])
    _free_body(scene, "A", (STRAIGHT, at, tilted), np.zeros(3))
    scene.has_inertia("A", radius, 0.25, 0.25, 0.5)
    more = {"shape": "disc", "radius": radius, "axis": "z"}
    scene.contact("c", GROUND, "A", normal="y", **more)
    for axis in "xyz":
        scene.start(**{f"A_w{axis}": 3 * rng.normal() / scene.second})
    scene.start(A_x_=rng.normal() * scene.speed)
    scene.duration = scene.second


def two_in_space(scene: Scene) -> None:
    """Two free bodies without gravity: a ball of one on a plane of the other."""
    rng = scene.rng
    scene.isolate()
    turn, radius = Rotation.random(rng=rng), 0.3 * scene.length
    _free_body(scene, "A", (turn, np.zeros(3), STRAIGHT), np.zeros(3))
    towards = np.array([0.2 * rng.normal(), -1.0, 0.2 * rng.normal()]) * scene.speed
    _free_body(scene, "B", (turn, np.array([0.0, scene.length, 0.0]), STRAIGHT), towards)
    for i in range(int(rng.integers(1, 4))):
        point = _listed(0.3 * scene.vector(scene.length))
        more = {"shape": "sphere", "radius": radius, "through": [0.0, -0.5 * scene.length, 0.0]}
        scene.contact(f"c{i}", "A", "B", point=point, normal="y", **more)
    for name, axis in (("A", "x"), ("B", "y"), ("B", "z")):
        scene.start(**{f"{name}_w{axis}": rng.normal() / scene.second})


# --- joints ----------------------------------------------------------------------------------


def _limits(scene: Scene, low: float, high: float) -> dict[str, Any]:
    return {"limits": [low, high], "stop": {"restitution": scene.coefficient(1.0)}}


def _rubs(scene: Scene, radius: float = 0.0) -> dict[str, Any]:
    arm = {"radius": radius} if radius else {}
    return {"friction": {**scene.friction(), **arm}}


def pendulum_between_stops(scene: Scene) -> None:
    """A pendulum with friction in its pivot, between two stops."""
    rng = scene.rng
    scene.body("A", 0.3)
    radius = scene.length * 10.0 ** rng.uniform(-4, -0.5)
    low, high = sorted(rng.uniform(-2, 2, 2))
    more = {**_limits(scene, float(low), float(high)), **_rubs(scene, radius)}
    point = [[0.0, 0.0, 0.0], [0.0, scene.length, 0.0]]
    scene.joint("O", "revolute", GROUND, "A", axis="z", point=point, coordinate="a", **more)
    scene.start(a=rng.uniform(low, high), a_=2 * rng.normal() / scene.second)


def slider_between_stops(scene: Scene) -> None:
    """A slider on a leaning guide with friction and a spring, between two stops."""
    rng = scene.rng
    scene.body("A", 0.3)
    more = {**_limits(scene, -scene.length, scene.length), **_rubs(scene)}
    axis = _listed(Rotation.from_euler("z", rng.uniform(-1.5, 1.5)).apply([1, 0, 0]))
    scene.joint("P", "prismatic", GROUND, "A", axis=axis, coordinate="x", **more)
    if rng.random() < 0.5:
        stiffness = scene.mass / scene.second**2 * 10.0 ** rng.uniform(-1, 2)
        law = f"-{stiffness!r}*distance"
        scene.section("forces")["k"] = {"type": "law", "joint": "P", "value": law}
    scene.start(x=scene.length * rng.uniform(-1, 1), x_=rng.normal() * scene.speed)


def four_bar_at_a_stop(scene: Scene) -> None:
    """A four-bar whose crank hits stops, with friction in a pivot."""
    rng = scene.rng
    L, tall = scene.length, rng.uniform(1.2, 1.6)
    for name in ("crank", "rod", "rocker"):
        scene.body(name, 0.3)
    rad = {"axis": "z"}
    zero = [0.0, 0.0, 0.0]
    stops = {**_limits(scene, -0.5, 0.6), **_rubs(scene, 0.05 * L)}
    scene.joint(
        "A", "revolute", GROUND, "crank", point=[zero, zero], coordinate="a", **rad, **stops
    )
    scene.joint("B", "revolute", "crank", "rod", point=[[0.0, L, 0.0], zero], coordinate="b", **rad)
    point = [[2 * L, 0.0, 0.0], zero]
    scene.joint("D", "revolute", GROUND, "rocker", point=point, coordinate="d", **rad)
    point = [[2 * L, 0.0, 0.0], [0.0, tall * L, 0.0]]
    scene.joint("C", "revolute", "rod", "rocker", point=point, coordinate="c", **rad)
    scene.start(a=rng.uniform(-0.3, 0.3), d=0.0, b=0.0, a_=rng.normal() / scene.second)


def screw_and_ball(scene: Scene) -> None:
    """A screw that carries a body by a ball joint, both with friction."""
    rng = scene.rng
    scene.body("nut", 0.3)
    scene.body("bob", 0.3)
    radius, L = 0.1 * scene.length, scene.length
    thread = {"radius": radius, "half_angle": rng.uniform(0, 0.6)}
    rub = {"friction": {**scene.friction(), **thread}}
    pitch = {"pitch": 2 * np.pi * radius * rng.uniform(0.02, 1.5)}
    scene.joint("S", "screw", GROUND, "nut", axis="y", coordinate="s", **pitch, **rub)
    point = [[0.0, 0.0, 0.0], [0.0, L, 0.0]]
    ball = _rubs(scene, L * 10.0 ** rng.uniform(-4, -1))
    scene.joint("R", "spherical", "nut", "bob", point=point, **ball)
    scene.start(s_=rng.normal() / scene.second)
    for axis in "xyz":
        scene.start(**{f"R_w{axis}": 2 * rng.normal() / scene.second})


def dry_motor(scene: Scene) -> None:
    """Two arms, the first driven by a motor with dry friction and a law of time."""
    rng = scene.rng
    scene.is_passive = False
    scene.body("A", 0.3)
    scene.body("B", 0.3)
    L, couple = scene.length, scene.mass * scene.length**2 / scene.second**2
    point = [[0.0, 0.0, 0.0], [0.0, L, 0.0]]
    scene.joint("O", "revolute", GROUND, "A", axis="z", point=point, coordinate="a")
    scene.joint(
        "Q", "revolute", "A", "B", axis="z", point=point, coordinate="b", **_rubs(scene, L / 50)
    )
    own, output = couple * rng.uniform(0, 0.02, (2, 2))
    dry = {"motor": own.tolist(), "output": output.tolist()}
    torque = f"{0.1 * couple!r}*sin({3 / scene.second!r}*t)"
    ratio = 20.0 * float(rng.choice([-1, 1]))
    motor = {"joint": "O", "ratio": ratio, "rotor_inertia": 1e-4 * scene.mass * L**2}
    scene.section("motors")["M"] = {**motor, "dry": dry, "torque": torque}
    scene.start(a=rng.normal(), a_=rng.normal() / scene.second)


# --- imposed motions, rows, arms -----------------------------------------------------------------


def belt(scene: Scene) -> None:
    """A block on two corners on a belt that goes back and forth, held by a spring."""
    rng = scene.rng
    scene.is_passive = False
    scene.body("belt")
    scene.joint("P", "prismatic", GROUND, "belt", axis="x", coordinate="s")
    _plane_body(scene, "A")
    w, h = scene.length * rng.uniform(0.2, 1, 2)
    for name, x in (("left", -w), ("right", w)):
        scene.contact(name, "belt", "A", normal="y", point=[x, -h, 0.0])
    stiffness = scene.mass / scene.second**2 * 10.0 ** rng.uniform(-1, 2)
    ends = [[GROUND, [-5 * scene.length, h, 0.0]], ["A", [0.0, 0.0, 0.0]]]
    spring = {"type": "spring", "between": ends, "stiffness": stiffness}
    scene.section("forces")["k"] = {**spring, "length": 5 * scene.length}
    rate = rng.uniform(0.3, 3) / scene.second
    law = f"{scene.length!r}*sin({float(rate)!r}*t)"
    scene.section("motions")["drive"] = {"coordinate": "s", "law": law}
    scene.start(A_y=h)


def shaken_table(scene: Scene) -> None:
    """A wheel on a table that goes up and down: it bounces, or stays."""
    rng = scene.rng
    scene.is_passive = False
    scene.body("table")
    scene.joint("P", "prismatic", GROUND, "table", axis="y", coordinate="s")
    _plane_body(scene, "A")
    radius = scene.length * rng.uniform(0.1, 1)
    more = {"shape": "sphere", "radius": radius}
    scene.contact("c", "table", "A", normal="y", **more)
    reach, rate = rng.uniform(0.01, 1) * scene.length, rng.uniform(0.5, 3) / scene.second
    law = f"{float(reach)!r}*sin({float(rate)!r}*t)"
    scene.section("motions")["drive"] = {"coordinate": "s", "law": law}
    scene.start(A_y=radius, A_x_=0.1 * scene.speed * rng.normal(), A_y_=reach * rate)


def row_of_balls(scene: Scene) -> None:
    """Sliders in a row that push each other, some in touch at the start."""
    rng = scene.rng
    scene.isolate()
    scene.described["impacts"] = str(rng.choice(["simultaneous", "sequential"]))
    count = int(rng.integers(3, 7))
    for k in range(count):
        scene.body(f"b{k}")
        scene.joint(f"P{k}", "prismatic", GROUND, f"b{k}", axis="x", coordinate=f"x{k}")
        scene.start(**{f"x{k}": k * scene.length})
        if k:
            gap = f"x{k} - x{k - 1} - {scene.length!r}"
            laws = {"restitution": scene.coefficient(1.0)}
            scene.section("contacts")[f"c{k}"] = {"gap": gap, **laws}
    scene.start(x0=-scene.length, x0_=2 * scene.speed)
    if rng.random() < 0.5:
        scene.start(**{f"x{count - 1}": (count + 1) * scene.length})
        scene.start(**{f"x{count - 1}_": -scene.speed})


def arm_on_the_floor(scene: Scene) -> None:
    """A double pendulum whose end drags along a floor and hits a wall."""
    rng = scene.rng
    L = scene.length
    for name in ("A", "B"):
        scene.body(name, 0.3)
    zero = [0.0, 0.0, 0.0]
    point = [[0.0, rng.uniform(0.8, 1.9) * L, 0.0], zero]
    scene.joint("O", "revolute", GROUND, "A", axis="z", point=point, coordinate="a")
    point = [[L, 0.0, 0.0], zero]
    scene.joint("Q", "revolute", "A", "B", axis="z", point=point, coordinate="b")
    scene.contact("floor", GROUND, "B", normal="y", point=[L, 0.0, 0.0])
    wall = {"normal": [-1.0, 0.0, 0.0], "through": [1.2 * L, 0.0, 0.0]}
    scene.contact("wall", GROUND, "B", point=[L, 0.0, 0.0], **wall)
    scene.start(a=rng.uniform(2, 3.1), b=rng.uniform(-0.5, 0.5), a_=rng.normal() / scene.second)


def ball_jointed_bar(scene: Scene) -> None:
    """A bar on a ball joint with friction, whose end hits the floor in space."""
    rng = scene.rng
    scene.body("A", 0.3)
    L, height = scene.length, rng.uniform(0.1, 0.8)
    point = [[0.0, height * L, 0.0], [0.0, -L, 0.0]]
    scene.joint("R", "spherical", GROUND, "A", point=point, **_rubs(scene, L / 100))
    scene.contact("c", GROUND, "A", normal="y", point=[0.0, L, 0.0])
    for axis in "xyz":
        scene.start(**{f"R_w{axis}": rng.normal() / scene.second})


FAMILIES: tuple[Callable[[Scene], None], ...] = (
    thrown_polygon, standing_block, block_on_block, wheel_in_a_corner, thrown_box,
    box_on_four_corners, spinning_ball, leaning_disc, two_in_space, pendulum_between_stops,
    slider_between_stops, four_bar_at_a_stop, screw_and_ball, dry_motor, belt, shaken_table,
    row_of_balls, arm_on_the_floor, ball_jointed_bar,
)  # fmt: skip


def random_scene(seed: int, units: Units = SI) -> Scene:
    """A scene of the next family."""
    make = FAMILIES[seed % len(FAMILIES)]
    scene = _empty(np.random.default_rng([11, seed]), units)
    make(scene)
    initial = scene.described.pop("initial", {})
    given = with_parameters(scene.described)
    scene.described = {"name": make.__name__, **given, "initial": initial}
    return scene
