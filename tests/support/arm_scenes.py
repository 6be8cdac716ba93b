"""Arms among obstacles, and distances of their shapes by closed forms that share no code."""

from __future__ import annotations

from typing import Any

import numpy as np

import torseur as ts

REACH, RADIUS = 0.4, 0.05  # of each link: a capsule along its x axis


def arm(obstacles: dict[str, tuple[Any, Any]], links: int = 3, **more: Any) -> ts.Mechanism:
    """A chain of capsules from the origin, about z, z, … or about axes that are given.

    `obstacles` are bodies of the ground, each a shape and the place of its centre.
    """
    axes = more.pop("axes", "z" * links)
    bodies: dict[str, Any] = {}
    joints: dict[str, Any] = {}
    before, place = "ground", [0.0, 0.0, 0.0]
    for k, axis in enumerate(axes, 1):
        solid = {"capsule": {"radius": RADIUS, "length": REACH, "axis": "x"}}
        bodies[f"link{k}"] = {
            "mass": 1,
            "centre": [REACH / 2, 0, 0],
            "inertia": [0.01, 0.02, 0.02],
            "collision": [{"shape": solid, "position": [REACH / 2, 0, 0]}],
        }
        joints[f"J{k}"] = {
            "type": "pivot",
            "bodies": [before, f"link{k}"],
            "axis": axis,
            "coordinate": f"q{k}",
            "point": [place, [0, 0, 0]],
            "limits": ["-170 deg", "170 deg"],
            "effort": 100,
            "velocity": 2,
        }
        before, place = f"link{k}", [REACH, 0.0, 0.0]
    for name, (solid, at) in obstacles.items():
        bodies[name] = {"mass": 1, "shape": solid}
        joints[f"fix_{name}"] = {
            "type": "fixed",
            "bodies": ["ground", name],
            "point": [list(at), [0, 0, 0]],
        }
    return ts.load({
        "name": "arm",
        "bodies": bodies,
        "joints": joints,
        "frames": {"tool": {"body": f"link{len(axes)}", "position": [REACH, 0, 0]}},
        **more,
    })  # fmt: skip


def links_of(q: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """The ends of the axes of the capsules of a chain about z."""
    angles, p, ends = np.cumsum(q), np.zeros(3), []
    for angle in angles:
        e = p + REACH * np.array([np.cos(angle), np.sin(angle), 0.0])
        ends.append((p, e))
        p = e
    return ends


def to_segment(point: np.ndarray, ends: tuple[np.ndarray, np.ndarray]) -> float:
    """Distance of a point from a segment."""
    p, e = ends
    k = np.clip((point - p) @ (e - p) / ((e - p) @ (e - p)), 0, 1)
    return float(np.linalg.norm(point - p - k * (e - p)))


def between_segments(one: Any, other: Any) -> float:
    """Distance of two segments of one plane."""
    (a, b), (c, d) = one, other
    M = np.column_stack([(b - a)[:2], -(d - c)[:2]])
    if abs(np.linalg.det(M)) > 1e-12:
        s, t = np.linalg.solve(M, (c - a)[:2])
        if 0 <= s <= 1 and 0 <= t <= 1:
            return 0.0
    return min(to_segment(a, other), to_segment(b, other), to_segment(c, one), to_segment(d, one))


def ball_distance(q: np.ndarray, centre: np.ndarray, radius: float) -> float:
    """Distance of a chain about z from a ball."""
    return min(to_segment(centre, ends) for ends in links_of(q)) - RADIUS - radius


def own_distance(q: np.ndarray) -> float:
    """Distance of the first link of a chain of three about z from the third."""
    ends = links_of(q)
    return between_segments(ends[0], ends[2]) - 2 * RADIUS
