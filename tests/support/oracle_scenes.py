"""Small systems that touch: M and J by hand, for the oracle, and the same described for Torseur."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from mode_oracle import System
from random_loops import with_parameters

Array = np.ndarray
Rng = np.random.Generator
G = 9.81


@dataclass(frozen=True)
class Touching:
    """A state in which contacts touch: the oracle's system and the description of the same."""

    system: System
    v: Array
    e: Array  # restitution of each contact
    force: Array  # along the speeds, at this state
    curvature: Array  # of rows: accelerations that they have besides J a; normals, then tangents
    described: dict[str, Any]
    speeds: tuple[str, ...]  # the names of v


def _law(mu: float, e: float, poisson: bool, rng: Rng) -> dict[str, Any]:
    """Laws of a contact; what is zero may be left out."""
    made: dict[str, Any] = {}
    if mu > 0 or rng.random() < 0.3:
        made["friction"] = float(mu)
    if e > 0 or rng.random() < 0.3:
        made["restitution"] = {"poisson": float(e)} if poisson and e > 0 else float(e)
    return made


def _coefficients(rng: Rng, count: int, most: float = 0.6) -> tuple[Array, Array]:
    mu = rng.uniform(0.05, most, count) * rng.choice([0.0, 1.0], count, p=[0.4, 0.6])
    between = rng.uniform(0.1, 0.9, count)
    e = np.where(rng.random(count) < 0.3, rng.choice([0.0, 1.0], count), between)
    return mu, e


def _finished(described: dict[str, Any], initial: dict[str, float]) -> dict[str, Any]:
    made = with_parameters(described)
    start = {key: float(x) for key, x in initial.items()}
    return {"name": "touching", "reactions": "least_norm", **made, "initial": start}


def masses(rng: Rng, poisson: bool) -> Touching:
    """Point masses on a line that touch each other, and perhaps a wall."""
    count, wall = int(rng.integers(2, 5)), bool(rng.random() < 0.5)
    m, v = rng.uniform(0.5, 2, count), 2 * rng.normal(size=count)
    rows = [np.eye(count)[k + 1] - np.eye(count)[k] for k in range(count - 1)]
    texts = [f"x{k + 1} - x{k}" for k in range(count - 1)]
    if wall:
        rows, texts = [np.eye(count)[0], *rows], ["x0", *texts]
    _, e = _coefficients(rng, len(rows))
    contacts = {
        f"c{k}": {"gap": text, **_law(0.0, e[k], poisson, rng)} for k, text in enumerate(texts)
    }
    for contact in contacts.values():
        contact.pop("friction", None)  # nothing slides there
    described = {
        "bodies": {f"m{k}": {"mass": float(m[k])} for k in range(count)},
        "joints": {
            f"x{k}": {"type": "prismatic", "bodies": ["ground", f"m{k}"], "axis": "x",
                      "coordinate": f"x{k}"} for k in range(count)
        },
        "contacts": contacts,
    }  # fmt: skip
    zero = np.zeros((len(rows), count))
    system = System(np.diag(m), np.array(rows), zero, np.zeros(len(rows)))
    initial = {f"x{k}.": v[k] for k in range(count)}
    speeds = tuple(f"x{k}." for k in range(count))
    nothing = np.zeros(2 * len(rows))
    done = _finished(described, initial)
    return Touching(system, v, e, np.zeros(count), nothing, done, speeds)


def _cross(lever: Array, x: Array) -> float:
    return float(lever[0] * x[1] - lever[1] * x[0])


def _angled(angle: float) -> Array:
    return np.array([np.cos(angle), np.sin(angle)])


def body_on_walls(rng: Rng, poisson: bool, calm: bool = False) -> Touching:
    """A body in the plane whose points touch walls of any direction; calm ones do not close."""
    count = int(rng.integers(1, 3 if calm else 4))
    m, I, angle = rng.uniform(0.5, 2), rng.uniform(0.05, 0.3), rng.uniform(-3, 3)
    mu, e = _coefficients(rng, count, 0.4)
    turned = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    at = rng.normal(size=2)
    normal, tangent, levers, contacts = [], [], [], {}
    for k in range(count):
        n = _angled(rng.uniform(0, 2 * np.pi))
        t = np.array([-n[1], n[0]])
        point = rng.uniform(-0.5, 0.5, 2)
        lever = turned @ point
        normal.append([*n, _cross(lever, n)])
        tangent.append([*t, _cross(lever, t)])
        levers.append(lever)
        contacts[f"c{k}"] = {
            "bodies": ["ground", "A"], "point": [*map(float, point), 0.0],
            "normal": [*map(float, n), 0.0], "through": [*map(float, at + lever), 0.0],
            **_law(mu[k], e[k], poisson, rng),
        }  # fmt: skip
    system = System(np.diag([m, m, I]), np.array(normal), np.array(tangent), mu)
    v = 2 * rng.normal(size=3)
    if calm:
        v = _without_closing(system, v, rng)
    weight = rng.normal(size=2) * G
    described = {
        "gravity": [*map(float, weight), 0.0] if calm else [0.0, 0.0, 0.0],
        "bodies": {"A": {"mass": float(m), "inertia": [float(I)] * 3}},
        "joints": {"A": {"type": "planar", "bodies": ["ground", "A"], "normal": "z"}},
        "contacts": contacts,
    }
    initial = {"A_x": at[0], "A_y": at[1], "A_angle": angle}
    initial |= {"A_x.": v[0], "A_y.": v[1], "A_angle.": v[2]}
    towards = np.vstack([system.normal, system.tangent])[:, :2]
    curved = -(v[2] ** 2) * np.sum(towards * np.vstack([levers, levers]), axis=1)
    force = np.array([*(m * weight), 0.0]) if calm else np.zeros(3)
    names = ("A_x.", "A_y.", "A_angle.")
    return Touching(system, v, e, force, curved, _finished(described, initial), names)


def _without_closing(system: System, v: Array, rng: Rng) -> Array:
    """Speeds at which gaps stay or open; some points rest, some slide."""
    rows = [*system.normal]
    rows += [t for t in system.tangent if rng.random() < 0.5][: 3 - len(rows)]
    if rng.random() < 0.3:
        rows = rows[1:]  # the first gap opens
    held = np.array(rows)
    found = v - held.T @ np.linalg.lstsq(held @ held.T, held @ v, rcond=None)[0] if rows else v
    speed = system.normal @ found
    found[np.abs(found) < 1e-14] = 0.0
    return found if (speed > -1e-12).all() else np.zeros(3)


def two_bodies(rng: Rng, poisson: bool) -> Touching:
    """Two bodies in the plane: points of one on planes of the other."""
    count = int(rng.integers(1, 3))
    m, I = rng.uniform(0.5, 2, 2), rng.uniform(0.05, 0.3, 2)
    mu, e = _coefficients(rng, count, 0.4)
    at = rng.normal(size=(2, 2))
    normal, tangent, contacts = [], [], {}
    for k in range(count):
        n = _angled(rng.uniform(0, 2 * np.pi))
        t = np.array([-n[1], n[0]])
        place = rng.normal(size=2)  # where they touch; neither body is turned
        lever = place - at
        rows = [[*-x, -_cross(lever[0], x), *x, _cross(lever[1], x)] for x in (n, t)]
        normal.append(rows[0])
        tangent.append(rows[1])
        contacts[f"c{k}"] = {
            "bodies": ["A", "B"], "point": [*map(float, lever[1]), 0.0],
            "normal": [*map(float, n), 0.0], "through": [*map(float, lever[0]), 0.0],
            **_law(mu[k], e[k], poisson, rng),
        }  # fmt: skip
    M = np.diag([m[0], m[0], I[0], m[1], m[1], I[1]])
    system, v = System(M, np.array(normal), np.array(tangent), mu), 2 * rng.normal(size=6)
    described = {
        "bodies": {
            x: {"mass": float(m[k]), "inertia": [float(I[k])] * 3} for k, x in enumerate("AB")
        },
        "joints": {
            x: {"type": "planar", "bodies": ["ground", x], "normal": "z"} for x in "AB"
        },
        "contacts": contacts,
    }  # fmt: skip
    names = tuple(f"{x}_{y}." for x in "AB" for y in ("x", "y", "angle"))
    initial = dict(zip(names, v, strict=True))
    initial |= {f"{x}_{y}": at[k, j] for k, x in enumerate("AB") for j, y in enumerate("xy")}
    nothing = np.zeros(2 * count)
    return Touching(system, v, e, np.zeros(6), nothing, _finished(described, initial), names)


def double_pendulum(rng: Rng, poisson: bool) -> Touching:
    """Two rods; the tip meets a wall, and perhaps the elbow another (M from the textbooks)."""
    m, l, q = rng.uniform(0.5, 2, 2), rng.uniform(0.3, 1, 2), rng.uniform(-1.5, 1.5, 2)
    bend = np.cos(q[1])
    a = m[0] * l[0] ** 2 / 3 + m[1] * (l[0] ** 2 + l[1] ** 2 / 3 + l[0] * l[1] * bend)
    b = m[1] * (l[1] ** 2 / 3 + l[0] * l[1] * bend / 2)
    M = np.array([[a, b], [b, m[1] * l[1] ** 2 / 3]])
    along = [np.array([np.sin(s), -np.cos(s)]) for s in (q[0], q.sum())]  # down at zero
    across = [np.array([np.cos(s), np.sin(s)]) for s in (q[0], q.sum())]
    elbow = np.column_stack([l[0] * across[0], np.zeros(2)])
    tip = np.column_stack([l[0] * across[0] + l[1] * across[1], l[1] * across[1]])
    places = [("B", l[1], tip, l[0] * along[0] + l[1] * along[1])]
    if rng.random() < 0.5:
        places.append(("A", l[0], elbow, l[0] * along[0]))
    mu, e = _coefficients(rng, len(places), 0.4)
    normal, tangent, contacts = [], [], {}
    for k, (body, length, J, place) in enumerate(places):
        n = _angled(rng.uniform(0, 2 * np.pi))
        normal.append(n @ J)
        tangent.append(np.array([-n[1], n[0]]) @ J)
        contacts[f"c{k}"] = {
            "bodies": ["ground", body], "point": [0.0, -float(length), 0.0],
            "normal": [*map(float, n), 0.0], "through": [*map(float, place), 0.0],
            **_law(mu[k], e[k], poisson, rng),
        }  # fmt: skip
    system = System(M, np.array(normal), np.array(tangent), mu)
    v = 2 * rng.normal(size=2)
    described = {
        "bodies": {
            x: {"mass": float(m[k]), "centre": [0.0, -float(l[k]) / 2, 0.0],
                "inertia": [float(m[k] * l[k] ** 2 / 12), 0.0, float(m[k] * l[k] ** 2 / 12)]}
            for k, x in enumerate("AB")
        },
        "joints": {
            "a": {"type": "revolute", "bodies": ["ground", "A"], "axis": "z", "coordinate": "a"},
            "b": {"type": "revolute", "bodies": ["A", "B"], "axis": "z", "coordinate": "b",
                  "point": [[0.0, -float(l[0]), 0.0], [0.0, 0.0, 0.0]]},
        },
        "contacts": contacts,
    }  # fmt: skip
    initial = {"a": q[0], "b": q[1], "a.": v[0], "b.": v[1]}
    nothing = np.zeros(2 * len(places))
    done = _finished(described, initial)
    return Touching(system, v, e, np.zeros(2), nothing, done, ("a.", "b."))


KINDS: tuple[Callable[[Rng, bool], Touching], ...] = (
    masses, body_on_walls, two_bodies, double_pendulum,
)  # fmt: skip


def struck(seed: int, poisson: bool = False) -> Touching:
    """The next kind, touching at some speeds."""
    return KINDS[seed % len(KINDS)](np.random.default_rng([40, seed]), poisson)


def calm(seed: int) -> Touching:
    """A body that touches walls and does not close: it rests, slides, turns or leaves."""
    return body_on_walls(np.random.default_rng([41, seed]), False, calm=True)
