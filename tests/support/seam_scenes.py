"""Scenes that are drawn once and described in many ways: other axes, units, names, a moving ground.

A family draws numbers in metres, kilograms and seconds, in axes of its own. A view says how they
are described; `Scene.observe` reads a run back in the numbers and axes that were drawn, so that
runs of two views of one scene are compared directly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any
from zlib import crc32

import numpy as np
from random_loops import with_parameters
from scipy.spatial.transform import Rotation

GROUND = "ground"
Array = np.ndarray
Description = dict[str, Any]


@dataclass(frozen=True)
class View:
    """How a scene is described."""

    turn: Array = field(default_factory=lambda: np.eye(3))  # orthogonal; a mirror, if det < 0
    length: float = 1.0  # the units of the description, in those that were drawn
    mass: float = 1.0
    time: float = 1.0
    drift: Array | None = None  # [m/s]: the ground of the scene is a base that moves
    pull: Array | None = None  # [m/s²]: and that accelerates, with as much more gravity
    renamed: bool = False
    prefix: str = ""
    swapped: bool = False  # the two bodies of a contact, where both may be the first
    zeros: str = ""  # "written" where a law was left out, or "left out" where it was zero

    @property
    def sense(self) -> float:
        """-1 if the view is a mirror."""
        return float(np.sign(np.linalg.det(self.turn)))

    def name(self, name: str) -> str:
        """A name of the scene as the description has it; other names come in another order."""
        first = f"{chr(ord('a') + crc32(name.encode()) % 26)}_" if self.renamed else ""
        return f"{first}{self.prefix}{name}"


@dataclass(frozen=True)
class Reading:
    """A quantity of a run: a coordinate, or the place, the velocity and the spin of a body."""

    kind: str  # "distance", "angle", "planar" or "free"
    names: tuple[str, ...]


@dataclass
class Scene:
    """A description as a view has it, and what is read of its runs."""

    rng: np.random.Generator
    view: View
    described: Description = field(default_factory=dict)
    initial: dict[str, float] = field(default_factory=dict)
    duration: float = 1.0  # [s] as drawn
    readings: dict[str, Reading] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)  # drawn name of contacts and stops
    traits: set[str] = field(default_factory=set)
    control: dict[str, Any] | None = None
    parameters: dict[str, float] = field(default_factory=dict)

    # --- units and axes ----------------------------------------------------------------------

    def of(self, x: float, length: int = 0, mass: int = 0, time: int = 0) -> float:
        """A number of these dimensions in the units of the description."""
        v = self.view
        return float(x * v.length**length * v.mass**mass * v.time**time)

    def vector(self, x: Any, length: int = 0, mass: int = 0, time: int = 0) -> list[float | int]:
        """A vector in the axes and units of the description."""
        return _listed(self.view.turn @ np.asarray(x, float) * self.of(1.0, length, mass, time))

    def axial(self, x: Any) -> list[float | int]:
        """The axis of a turn, which a mirror reverses."""
        return _listed(self.view.sense * self.view.turn @ np.asarray(x, float))

    def value(self, x: float, length: int = 0, mass: int = 0, time: int = 0) -> str:
        """The name of a parameter that has this value, for texts."""
        name = f"{self.view.prefix}p{len(self.parameters)}"
        self.parameters[name] = self.of(x, length, mass, time)
        return name

    def section(self, name: str) -> Description:
        """A section of the description."""
        return self.described.setdefault(name, {})

    # --- the ground ----------------------------------------------------------------------------

    def set_gravity(self, g: Sequence[float]) -> None:
        """[m/s²]; the first family of a scene decides."""
        if "gravity" not in self.described:
            pull = np.zeros(3) if self.view.pull is None else self.view.pull
            self.described["gravity"] = self.vector(np.asarray(g) + pull, length=1, time=-2)

    def own(self, body: str) -> str:
        """The name of a body, or of the base that stands for the ground of the scene."""
        if body != GROUND:
            return self.view.name(body)
        if self.view.drift is None and self.view.pull is None:
            return GROUND
        if self.view.name("base") not in self.section("bodies"):
            self._add_base()
        return self.view.name("base")

    def _add_base(self) -> None:
        velocity, pull = self._motion_of_base
        previous = GROUND
        for k, axis in enumerate(np.eye(3)):
            body = self.view.name("base" if k == 2 else f"base{k}")
            self.section("bodies")[body] = {"mass": self.of(1.0, mass=1)}
            name = self.view.name(f"base_{'xyz'[k]}")
            joint = {"type": "prismatic", "bodies": [previous, body], "axis": self.vector(axis)}
            self.section("joints")[name] = {**joint, "coordinate": name}
            v, a = self.value(velocity[k], 1, 0, -1), self.value(pull[k], 1, 0, -2)
            self.section("motions")[f"drive_{name}"] = {
                "coordinate": name,
                "law": f"{v}*t + {a}*t^2/2",
            }
            previous = body

    @property
    def _motion_of_base(self) -> tuple[Array, Array]:
        given = (self.view.drift, self.view.pull)
        velocity, pull = (np.zeros(3) if x is None else np.asarray(x) for x in given)
        return velocity, pull

    # --- bodies and joints ---------------------------------------------------------------------

    def body(self, name: str, mass: float, inertia: Any = None, centre: Any = None) -> None:
        """Moments, or a matrix, at the centre of mass [kg.m²]."""
        made: Description = {"mass": self.of(mass, mass=1)}
        if centre is not None:
            made["centre"] = self.vector(centre, length=1)
        if inertia is not None:
            matrix = np.diag(inertia) if np.ndim(inertia) == 1 else np.asarray(inertia)
            seen = self.view.turn @ matrix @ self.view.turn.T * self.of(1.0, 2, 1)
            made["inertia"] = [_listed(row) for row in (seen + seen.T) / 2]
        self.section("bodies")[self.own(name)] = made

    def slide(
        self, x: str, first: str, second: str, axis: Any, at: float, speed: float, **more: Any
    ) -> None:
        """A prismatic joint with the coordinate x."""
        if "limits" in more:
            more["limits"] = [self.of(end, length=1) for end in more["limits"]]
        self._one("prismatic", x, first, second, self.vector(axis), more)
        self.start(self.view.name(x), self.of(at, 1), self.of(speed, 1, 0, -1))
        self.readings[x] = Reading("distance", (self.view.name(x),))

    def pivot(
        self, x: str, first: str, second: str, at: float, speed: float, axis: Any = (0, 0, 1),
        **more: Any,
    ) -> None:  # fmt: skip
        """A revolute joint with the coordinate x; `point` in both bodies."""
        points = more.pop("point", ((0, 0, 0), (0, 0, 0)))
        more["point"] = [self.vector(point, length=1) for point in points]
        self._one("revolute", x, first, second, self.axial(axis), more)
        self.start(self.view.name(x), at, self.of(speed, time=-1))
        self.readings[x] = Reading("angle", (self.view.name(x),))

    def _one(
        self, kind: str, x: str, first: str, second: str, axis: list[float | int], more: Description
    ) -> None:
        own = self.view.name(x)
        if "stop" in more:
            more["stop"] = self.laws(more["stop"])
            for end in ("lower", "upper"):
                self.names[f"{x}: {end} stop"] = f"{own}: {end} stop"
        if "friction" in more:
            more["friction"] = self._bearing(more["friction"], kind)
            self.names[f"{x}: friction"] = f"{own}: friction"
        bodies = [self.own(first), self.own(second)]
        joint = {"type": kind, "bodies": bodies, "axis": axis, "coordinate": own, **more}
        self.section("joints")[own] = joint

    def _bearing(self, given: dict[str, float], kind: str) -> Description:
        """Friction of a joint: coefficients, a radius [m], a constant [N or N.m]."""
        lengths = 1 if kind == "prismatic" else 2
        units = {"radius": (1, 0, 0), "constant": (lengths, 1, -2)}
        return {key: self.of(x, *units.get(key, (0, 0, 0))) for key, x in given.items()}

    def planar(self, name: str, at: Any, angle: float, velocity: Any, spin: float) -> None:
        """A body in the plane z = 0 of the scene."""
        own, normal = self.view.name(name), self.view.turn @ [0, 0, 1]
        coordinates = [f"{own}_u", f"{own}_v", f"{own}_a"]
        self.section("joints")[own] = {
            "type": "planar", "bodies": [GROUND, self.own(name)], "normal": _listed(normal),
            "coordinates": coordinates,
        }  # fmt: skip
        drift, flat = self._motion_of_base[0][:2], self._flat
        u, v = flat @ at * self.of(1.0, 1)
        speeds = flat @ (np.asarray(velocity) + drift) * self.of(1.0, 1, 0, -1)
        sense = self.view.sense
        self.start(f"{own}_u", u, speeds[0])
        self.start(f"{own}_v", v, speeds[1])
        self.start(f"{own}_a", sense * angle, self.of(sense * spin, time=-1))
        self.readings[name] = Reading("planar", (own,))
        self.traits.add("plane")

    @property
    def _flat(self) -> Array:
        """What the view does to the two distances of a planar joint."""
        normal = self.view.turn @ [0, 0, 1]
        k = int(np.abs(normal).argmax())
        return self.view.turn[[(k + 1) % 3, (k + 2) % 3]][:, :2]

    def free(self, name: str, at: Any, turned: Rotation, velocity: Any, spin: Any) -> None:
        """A body in space; its frame is turned by the view as all vectors are."""
        own, turn = self.view.name(name), self.view.turn
        self.section("joints")[own] = {"type": "free", "bodies": [GROUND, self.own(name)]}
        place = turn @ at * self.of(1.0, 1)
        drift = self._motion_of_base[0]
        speed = turn @ (np.asarray(velocity) + drift) * self.of(1.0, 1, 0, -1)
        spins = self.view.sense * turn @ spin * self.of(1.0, time=-1)
        qx, qy, qz, qw = Rotation.from_matrix(turn @ turned.as_matrix() @ turn.T).as_quat()
        for k, axis in enumerate("xyz"):
            self.initial[f"{own}_{axis}"] = float(place[k])
            self.initial[f"{own}_{axis}."] = float(speed[k])
            self.initial[f"{own}_w{axis}"] = float(spins[k])
        for axis, q in zip("wxyz", (qw, qx, qy, qz), strict=True):
            self.initial[f"{own}_q{axis}"] = float(q)
        self.readings[name] = Reading("free", (own,))

    def start(self, x: str, at: float, speed: float) -> None:
        """Initial values in the names and units of the description."""
        self.initial |= {x: float(at), f"{x}.": float(speed)}

    # --- what touches ------------------------------------------------------------------------

    def laws(self, given: Description) -> Description:
        """Laws of a contact or a stop as the view writes them; None stands for one left out."""
        found = {}
        for key in ("friction", "restitution"):
            if key not in given:
                continue
            x = given[key]
            if self.view.zeros == "written" and x is None:
                x = 0.0
            if self.view.zeros == "left out" and x == 0.0:
                x = None
            if x is not None:
                found[key] = x
        return found

    def contact(self, name: str, first: str, second: str, law: Description, **where: Any) -> None:
        """A contact of bodies: normals and points in their own frames [m]."""
        made = {"bodies": [self.own(first), self.own(second)]}
        for key, x in where.items():
            if key == "normal":
                made[key] = self.vector(x)
            elif key in ("point", "through"):
                made[key] = self.vector(x, length=1)
            elif key in ("radius", "surface_radius"):
                made[key] = self.of(x, length=1)
            else:
                made[key] = x
        if self.view.swapped and where.get("on") == "sphere":
            made = _swapped(made)
        self.section("contacts")[self.view.name(name)] = {**made, **self.laws(law)}
        self.names[name] = self.view.name(name)

    def gap(self, name: str, text: str, law: Description) -> None:
        """A contact by an expression of coordinates: {x} is a coordinate, {1.5} a length [m]."""
        self.section("contacts")[self.view.name(name)] = {"gap": self.text(text), **self.laws(law)}
        self.names[name] = self.view.name(name)

    def text(self, text: str, length: int = 1, mass: int = 0, time: int = 0) -> str:
        """A text with its {numbers} and {coordinates} as the view has them."""
        pieces = text.replace("}", "{").split("{")
        for k in range(1, len(pieces), 2):
            inside = pieces[k]
            is_number = inside.lstrip("-")[:1].isdigit()
            pieces[k] = (
                self.value(float(inside), length, mass, time)
                if is_number
                else self.view.name(inside)
            )
        return "".join(pieces)

    # --- the whole -----------------------------------------------------------------------------

    @property
    def description(self) -> Description:
        """The description; numbers are values of parameters, so that scenes share machine code."""
        motions = self.described.get("motions", {})
        rest = {key: x for key, x in self.described.items() if key != "motions"}
        made = with_parameters(rest)
        if motions:
            made["motions"] = motions
        made["parameters"] = {**made["parameters"], **self.parameters}
        return {"name": "scene", "reactions": "least_norm", **made, "initial": dict(self.initial)}

    def observe(self, run: Any) -> dict[str, Array]:
        """Coordinates, places and speeds of a run, as they were drawn; (samples, …) each."""
        found: dict[str, Array] = {}
        for name, reading in self.readings.items():
            found |= getattr(self, f"_{reading.kind}")(run, name, *reading.names)
        return found

    def _distance(self, run: Any, name: str, x: str) -> dict[str, Array]:
        own = {name: run[x] / self.of(1.0, 1), f"{name}.": run[f"{x}."] / self.of(1.0, 1, 0, -1)}
        return {key: value[:, None] for key, value in own.items()}

    def _angle(self, run: Any, name: str, x: str) -> dict[str, Array]:
        own = {name: run[x], f"{name}.": run[f"{x}."] / self.of(1.0, time=-1)}
        return {key: value[:, None] for key, value in own.items()}

    def _planar(self, run: Any, name: str, own: str) -> dict[str, Array]:
        t, (drift, pull) = self.times(run)[:, None], self._motion_of_base
        place, speed = (
            np.column_stack([run[f"{own}_u{dot}"], run[f"{own}_v{dot}"]]) @ self._flat
            for dot in ("", ".")
        )
        sense = self.view.sense
        return {
            name: place / self.of(1.0, 1) - drift[:2] * t - pull[:2] * t * t / 2,
            f"{name}.": speed / self.of(1.0, 1, 0, -1) - drift[:2] - pull[:2] * t,
            f"{name} angle": sense * run[f"{own}_a"][:, None],
            f"{name} spin": sense * run[f"{own}_a."][:, None] / self.of(1.0, time=-1),
        }

    def _free(self, run: Any, name: str, own: str) -> dict[str, Array]:
        t, (drift, pull) = self.times(run)[:, None], self._motion_of_base
        place, speed, spin = (
            np.column_stack([run[text.format(own, axis)] for axis in "xyz"]) @ self.view.turn
            for text in ("{}_{}", "{}_{}.", "{}_w{}")
        )
        return {
            name: place / self.of(1.0, 1) - drift * t - pull * t * t / 2,
            f"{name}.": speed / self.of(1.0, 1, 0, -1) - drift - pull * t,
            f"{name} spin": self.view.sense * spin / self.of(1.0, time=-1),
        }

    def times(self, run: Any) -> Array:
        """Instants of the samples, as drawn [s]."""
        return np.asarray(run.t) / self.view.time


def _listed(x: Array) -> list[float | int]:
    """A list in which 0, 1 and -1 are whole numbers, which are no parameters."""
    return [int(v) if v in (0.0, 1.0, -1.0) else float(v) for v in x]


def _swapped(made: Description) -> Description:
    """A contact of two balls told from the other body."""
    found = {**made, "bodies": made["bodies"][::-1]}
    found["radius"], found["surface_radius"] = made["surface_radius"], made["radius"]
    found["point"], found["through"] = (made.get(key, [0, 0, 0]) for key in ("through", "point"))
    found["normal"] = [-x for x in made["normal"]]
    return found


def permuted(description: Description, rng: np.random.Generator) -> Description:
    """The same with the entries of every section in another order."""
    found = dict(description)
    for section in ("bodies", "joints", "contacts", "motions", "forces", "motors", "initial"):
        if section in found:
            entries = list(found[section].items())
            found[section] = dict(entries[k] for k in rng.permutation(len(entries)))
    return found
