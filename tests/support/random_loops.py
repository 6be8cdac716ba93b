"""Random mechanisms with loops that are hard on a solver: passive rotations, rows that repeat.

Every body is described in the axes of the ground at a pose that closes all loops, so that all joint
coordinates are zero there. Over-constrained rings are closed by the angles of their axes.
Numbers are the values of parameters, so that mechanisms of a family have the same machine code, but
for every fifth round of families, where they stand in the description. There they always stand for
blades: that nothing resists a rotation must be seen before there are values.
"""

from functools import lru_cache

import numpy as np
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

from torseur.spatial.rotation import AxisTurn

GROUND = "ground"


def random_inertia(rng, size, mass):
    """The six entries of the tensor of a cloud of particles about its centre."""
    points = rng.normal(size=(6, 3)) * size * 0.2
    points -= points.mean(axis=0)
    I = mass / 6 * sum(r @ r * np.eye(3) - np.outer(r, r) for r in points)
    return [float(I[j]) for j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))]


class Drawing:
    """A mechanism drawn at a closed pose, moved and turned at random as a whole."""

    def __init__(self, rng, name, turned=True):
        self.rng, self.name = rng, name
        self.size = 10.0 ** rng.uniform(-2, 2)
        self._R = Rotation.random(rng=rng).as_matrix() if turned else np.eye(3)
        self._p = rng.normal(size=3) * self.size
        self.bodies, self.joints, self.other = {}, {}, {}

    def at(self, point):
        return [float(x) for x in self._p + self.size * (self._R @ np.asarray(point, float))]

    def along(self, axis):
        u = self._R @ np.asarray(axis, float)
        return [float(x) for x in u / np.linalg.norm(u)]

    def body(self, name, centre, mass=None, inertia=None):
        mass = float(self.rng.uniform(0.3, 2.0)) if mass is None else mass
        inertia = random_inertia(self.rng, self.size, mass) if inertia is None else inertia
        self.bodies[name] = {"mass": mass, "centre": self.at(centre), "inertia": inertia}

    def joint(self, name, kind, first, second, point, axis=None, **more):
        given = {"type": kind, "bodies": [first, second], "point": self.at(point), **more}
        self.joints[name] = given | ({} if axis is None else {"axis": self.along(axis)})

    @property
    def second(self):
        """The time of a fall by the size [s]."""
        return float(np.sqrt(self.size / 9.81))

    def driven(self, name, turn=True):
        """A coordinate driven back and forth, by half a radian or a fifth of the size."""
        reach = 0.5 if turn else 0.2 * self.size
        rate = float(self.rng.uniform(0.5, 2.0)) / self.second
        law = [reach, "*sin(", rate, "*t) + ", 0.3 * reach * rate, "*t"]
        self.other["motions"] = {"drive": {"coordinate": name, "law": law}}

    def described(self):
        """The mechanism in the YAML form."""
        down = 9.81 * np.array(self.along(self.rng.normal(size=3)))
        return {
            "name": self.name,
            "gravity": [float(x) for x in down],
            "bodies": self.bodies,
            "joints": self.joints,
            "reactions": "least_norm",
            **self.other,
        }


# --- rings of revolute joints --------------------------------------------------------------------


def _axes(angles, links):
    """The origins and axes of the joints of a ring, and how far the last frame is from the first.

    A link is (length, twist, offset): Rz(θ) Tz(offset) Tx(length) Rx(twist) from axis to axis.
    """
    R, p, axes = np.eye(3), np.zeros(3), []
    for angle, link in zip(angles, links, strict=True):
        along, twisted = _link(*link)
        axes.append((p, R[:, 2]))
        R = R @ AxisTurn(2, angle).matrix
        p = p + R @ along
        R = R @ twisted
    return axes, np.concatenate([p, Rotation.from_matrix(R).as_rotvec()])


@lru_cache
def _link(length, twist, offset):
    """What is the same whatever the angles are."""
    return np.array([length, 0.0, offset]), AxisTurn(0, twist).matrix


def closed_ring(rng, links):
    """Axes that close, at a pose that is not singular."""
    for _ in range(200):
        chain = links(rng)
        guess = rng.uniform(-np.pi, np.pi, len(chain))
        solution = least_squares(
            lambda x, chain=chain: _axes(x, chain)[1], guess, xtol=1e-15, ftol=1e-15, gtol=1e-15
        )
        axes = _axes(solution.x, chain)[0]
        if np.abs(solution.fun).max() < 1e-12 and moves_once(axes):
            return axes
    raise AssertionError(f"no ring of {links.__name__} closes")


def moves_once(axes):
    """Whether the screws of the axes leave one motion, in which the first axis turns."""
    screws = np.array([[*u, *np.cross(p, u)] for p, u in axes])
    left, sizes, _ = np.linalg.svd(screws)
    n = len(axes) - 1
    closes = len(sizes) <= n or sizes[n] < 1e-9
    return closes and sizes[n - 1] > 0.15 and abs(left[0, n]) > 0.2


def bennett(rng):
    a, twist = rng.uniform(0.5, 1.0), rng.uniform(0.5, 1.0)
    other = rng.uniform(1.3, 1.7)
    b = a * np.sin(other) / np.sin(twist)
    return [(a, twist, 0.0), (b, other, 0.0)] * 2


def spherical(rng):
    """Four axes through a point."""
    return [(0.0, rng.uniform(0.9, 1.6), 0.0) for _ in range(4)]


def plane(rng):
    """Four parallel axes."""
    return [(rng.uniform(0.6, 1.4), 0.0, 0.0) for _ in range(4)]


def myard(rng):
    """Five axes, symmetric about a plane (Myard 1931)."""
    twist, b = rng.uniform(0.5, 1.1), rng.uniform(0.7, 1.2)
    a, right = b * np.sin(twist), np.pi / 2
    return [
        (a, twist, 0.0), (b, right, 0.0), (0.0, np.pi - 2 * twist, 0.0), (b, right, 0.0),
        (a, np.pi - twist, 0.0),
    ]  # fmt: skip


def bricard(rng):
    """Six axes at right angles, with a² + c² + e² = b² + d² + f² (Bricard 1927)."""
    a = rng.uniform(0.6, 1.2, 6)
    a[5] = np.sqrt(np.abs(a[0] ** 2 + a[2] ** 2 + a[4] ** 2 - a[1] ** 2 - a[3] ** 2))
    right = np.pi / 2
    return [(x, right if k % 2 else -right, 0.0) for k, x in enumerate(a)]


def ring(rng, links):
    """A ring of revolute joints, one body being the ground."""
    drawn = Drawing(rng, links.__name__)
    axes = closed_ring(rng, links)
    names = [GROUND, *(f"b{k}" for k in range(1, len(axes)))]
    for k in range(1, len(axes)):
        middle = (axes[k][0] + axes[(k + 1) % len(axes)][0]) / 2
        drawn.body(names[k], middle + 0.1 * rng.normal(size=3))
    for k, (p, u) in enumerate(axes):
        along = p + rng.normal() * 0.3 * u  # a point of the axis is as good as another
        drawn.joint(f"J{k}", "pivot", names[k - 1], names[k], along, u, coordinate=f"q{k}")
    return drawn


# --- other linkages ------------------------------------------------------------------------------


def sarrus(rng):
    """A platform that hinged arms in planes across each other guide along a line (Sarrus 1853)."""
    drawn, height = Drawing(rng, "sarrus"), rng.uniform(0.8, 1.2)
    drawn.body("top", [0, 0, height])
    for k, angle in enumerate((0.0, rng.uniform(1.0, 2.0), rng.uniform(3.0, 4.0))):
        out, along = np.array([np.cos(angle), np.sin(angle), 0]), [-np.sin(angle), np.cos(angle), 0]
        low, high = 0.4 * out, 0.4 * out + [0, 0, height]
        elbow = rng.uniform(0.8, 1.1) * out + [0, 0, rng.uniform(0.25, 0.4) * height]
        drawn.body(f"low{k}", (low + elbow) / 2)
        drawn.body(f"high{k}", (high + elbow) / 2)
        drawn.joint(f"A{k}", "pivot", GROUND, f"low{k}", low, along, coordinate=f"a{k}")
        drawn.joint(f"B{k}", "pivot", f"low{k}", f"high{k}", elbow, along, coordinate=f"b{k}")
        drawn.joint(f"C{k}", "pivot", f"high{k}", "top", high, along, coordinate=f"c{k}")
    return drawn


def three_cranks(rng):
    """A bar on three parallel cranks of one length: the third repeats what two say."""
    drawn, lever = Drawing(rng, "three cranks"), np.array([0.3, 0.6, 0.0])
    drawn.body("bar", [0.8, 0.7, 0.1])
    for k, x in enumerate((0.0, rng.uniform(0.5, 0.9), rng.uniform(1.2, 1.6))):
        foot = np.array([x, rng.normal() * 0.1, 0.0])
        drawn.body(f"crank{k}", foot + lever / 2)
        drawn.joint(f"A{k}", "pivot", GROUND, f"crank{k}", foot, [0, 0, 1], coordinate=f"a{k}")
        drawn.joint(f"B{k}", "pivot", f"crank{k}", "bar", foot + lever, [0, 0, 1])
    return drawn


def rod_between_balls(rng):
    """Crank and rocker about axes of any direction; the rod turns about itself as it likes."""
    drawn = Drawing(rng, "rod between balls")
    crank, rocker = rng.normal(size=3), rng.normal(size=3)
    pin = 0.4 * np.cross(crank, rng.normal(size=3)) / np.linalg.norm(crank)
    far = np.array([1.5, 0.0, 0.0])
    end = far + 0.8 * np.cross(rocker, rng.normal(size=3)) / np.linalg.norm(rocker)
    drawn.body("crank", pin / 2)
    drawn.body("rod", (pin + end) / 2)
    drawn.body("rocker", (far + end) / 2)
    drawn.joint("A", "pivot", GROUND, "crank", [0, 0, 0], crank, coordinate="a")
    drawn.joint("B", "rotule", "crank", "rod", pin)
    drawn.joint("C", "rotule", "rod", "rocker", end)
    drawn.joint("D", "pivot", GROUND, "rocker", far, rocker, coordinate="d")
    return drawn


def thin_blade(rng):
    """The same in a plane, with bodies that have no inertia but about its normal."""
    drawn = Drawing(rng, "thin blade", turned=False)
    pin, far = [*rng.normal(size=2) * 0.3, 0.0], [1.5, 0.0, 0.0]
    end = [1.5 + rng.normal() * 0.2, rng.uniform(0.6, 1.0), 0.0]
    flat = [0.0, 0.0, 0.1 * drawn.size**2]
    drawn.body("crank", np.array(pin) / 2, inertia=flat)
    drawn.body("rod", (np.array(pin) + end) / 2)
    drawn.body("blade", [1.5, 0.9, 0.0], inertia=flat)
    drawn.joint("A", "pivot", GROUND, "crank", [0, 0, 0], [0, 0, 1], coordinate="a")
    drawn.joint("B", "rotule", "crank", "rod", pin)
    drawn.joint("C", "rotule", "rod", "blade", end)
    drawn.joint("D", "pivot", GROUND, "blade", far, [0, 0, 1], coordinate="d")
    return drawn


def _wheel(drawn, name, hub, kind, **more):
    """A wheel of axis y under a carriage, rolling on the plane of x and y."""
    drawn.body(name, hub)
    drawn.joint(f"J{name}", kind, "carriage", name, hub, [0, 1, 0], **more)
    drawn.other.setdefault("constraints", {})[f"R{name}"] = {
        "type": "rolling", "bodies": [GROUND, name], "shape": "disc",
        "radius": drawn.size * hub[2], "normal": drawn.along([0, 0, 1]),
        "axis": drawn.along([0, 1, 0]), "point": [drawn.at([hub[0], 0, 0]), drawn.at(hub)],
    }  # fmt: skip


def sliding_axle(rng):
    """A carriage on a rail, whose wheel slides on its axle: the ground alone holds it sideways."""
    drawn = Drawing(rng, "sliding axle")
    drawn.body("carriage", [0, 0, 0.5])
    drawn.joint("rail", "glissière", GROUND, "carriage", [0, 0, 1], [1, 0, 0], coordinate="x")
    _wheel(drawn, "W", [0.1, 0.2, 0.3], "pivot glissant")
    return drawn


def wheels_on_a_rail(rng):
    """A carriage on a rail with two or three wheels: their normals and sides repeat the rail."""
    drawn = Drawing(rng, "wheels on a rail")
    drawn.body("carriage", [0, 0, 0.5])
    drawn.joint("rail", "glissière", GROUND, "carriage", [0, 0, 1], [1, 0, 0], coordinate="x")
    for k in range(int(rng.integers(2, 4))):
        _wheel(drawn, f"W{k}", [0.4 * k, rng.normal() * 0.2, rng.uniform(0.2, 0.4)], "pivot")
    return drawn


def _ring_of(links):
    return lambda rng: ring(rng, links)


# Families, and the coordinate of each that may be driven.
FAMILIES = {
    **{f.__name__: (_ring_of(f), "q0") for f in (bennett, spherical, plane, myard, bricard)},
    "sarrus": (sarrus, "a0"),
    "three cranks": (three_cranks, "a0"),
    "rod between balls": (rod_between_balls, "a"),
    "thin blade": (thin_blade, "a"),
    "sliding axle": (sliding_axle, "x"),
    "wheels on a rail": (wheels_on_a_rail, "x"),
}


def with_parameters(described):
    """The same with a parameter for every number that is not zero."""
    values = {}

    def named(x):
        if isinstance(x, float) and x != 0:
            values[f"n{len(values)}"] = x
            return f"n{len(values) - 1}"
        if isinstance(x, dict):
            return {key: named(value) for key, value in x.items()}
        return [named(value) for value in x] if isinstance(x, list) else x

    return {**named(described), "parameters": values}


def random_loops(seed):
    """A mechanism of the next family, half of them driven, and a time scale of it [s]."""
    rng = np.random.default_rng([7, seed])
    make, coordinate = list(FAMILIES.values())[seed % len(FAMILIES)]
    drawn = make(rng)
    round_of_families = seed // len(FAMILIES)
    if round_of_families % 2:
        drawn.driven(coordinate, turn=coordinate != "x")
    described = drawn.described()
    if round_of_families % 5 != 4 and make is not thin_blade:
        described = with_parameters(described)
    for motion in described.get("motions", {}).values():
        motion["law"] = "".join(map(str, motion["law"]))
    return described, drawn.second
