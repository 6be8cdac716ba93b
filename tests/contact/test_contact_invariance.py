"""Contacts do not depend on how they are described: units, axes, mirrors, coordinates of joints."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from random_contacts import Units, random_scene
from random_loops import with_parameters
from scipy.spatial.transform import Rotation

import torseur as ts

Array = np.ndarray
SAMPLES = 200


def listed(vector: Array) -> list[float]:
    return [float(x) for x in vector]


def happened(run: Any) -> list[tuple[str, str, str]]:
    return [(e.name, e.cause, e.effect) for e in run.events]


# --- units ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [3, 4, 6, 8, 9, 10, 11, 12, 13, 15, 17])
def test_other_units_give_the_same_motion(seed):
    units, runs = Units(length=1e3, mass=1e-3), []
    for own in (Units(), units):
        scene = random_scene(seed, own)
        rate = SAMPLES / scene.duration
        runs.append(ts.simulate(ts.load(scene.described), scene.duration, rate=rate))
    first, second = runs
    factors = [units.length if unit == "m" else 1.0 for unit in first.names.values()]
    assert happened(first) == happened(second)
    largest = np.maximum(np.abs(first.q).max(axis=0), 1e-6 * scene.length / units.length)
    wrong = np.abs(second.q / factors[: len(largest)] - first.q).max(axis=0) / largest
    assert wrong.max() < 1e-6


# --- turned and mirrored --------------------------------------------------------------------------


CORNERS = np.array([[0.5, 0.3, -0.4], [-0.4, 0.5, -0.5], [0.1, -0.6, -0.3]])
SPINS, SPEED = np.array([0.7, -0.4, 1.1]), np.array([0.8, 0.3, -0.5])
INERTIA = np.array([[0.1, 0.01, 0.0], [0.01, 0.14, 0.02], [0.0, 0.02, 0.12]])
LEANING = Rotation.from_rotvec([0.3, -0.2, 0.5]).as_matrix()


def thrown(seen: Array) -> dict[str, Any]:
    """A body with three corners thrown onto a slope, seen by an orthogonal matrix.

    Vectors are multiplied by it, angular velocities by its determinant too; R becomes S R Sᵀ.
    """
    x, y, z, w = Rotation.from_matrix(seen @ LEANING @ seen.T).as_quat()
    I, g = seen @ INERTIA @ seen.T, seen @ [0.0, 2.0, -9.5]
    place, spin = seen @ [0.0, 0.0, 0.9], np.linalg.det(seen) * seen @ SPINS
    touch = {"normal": listed(seen[:, 2]), "friction": 0.35, "restitution": 0.4}
    described = {
        "gravity": listed(g),
        "bodies": {"A": {"mass": 1.3, "inertia": [listed(row) for row in I]}},
        "joints": {"A": {"type": "free", "bodies": ["ground", "A"]}},
        "contacts": {
            f"c{k}": {"bodies": ["ground", "A"], "point": listed(seen @ corner), **touch}
            for k, corner in enumerate(CORNERS)
        },
    }
    initial = dict(
        zip(("A_qw", "A_qx", "A_qy", "A_qz"), listed(np.array([w, x, y, z])), strict=True)
    )
    for k, axis in enumerate("xyz"):
        own = {f"A_{axis}": place[k], f"A_{axis}.": (seen @ SPEED)[k], f"A_w{axis}": spin[k]}
        initial |= {name: float(value) for name, value in own.items()}
    return {"name": "thrown", **with_parameters(described), "initial": initial}


def places(run: Any) -> Array:
    return np.column_stack([run[f"A_{axis}"] for axis in "xyz"])


@pytest.mark.parametrize("mirror", [1.0, -1.0])
def test_turned_and_mirrored_scenes_move_turned_and_mirrored(mirror):
    turn = Rotation.from_rotvec([1.1, 0.4, -0.8]).as_matrix() @ np.diag([mirror, 1.0, 1.0])
    first = ts.simulate(ts.load(thrown(np.eye(3))), 0.9, rate=SAMPLES, rtol=1e-12)
    second = ts.simulate(ts.load(thrown(turn)), 0.9, rate=SAMPLES, rtol=1e-12)
    assert happened(first) == happened(second)
    assert any(event.cause == "shock" for event in first.events)
    assert places(second) == pytest.approx(places(first) @ turn.T, abs=1e-8)
    for k in range(len(CORNERS)):
        ours, theirs = (run.contact(f"c{k}") for run in (first, second))
        assert theirs.normal == pytest.approx(ours.normal, abs=1e-6 * max(ours.normal.max(), 1))
        assert theirs.work == pytest.approx(ours.work, abs=1e-8)


# --- coordinates ----------------------------------------------------------------------------------


def block(kind: str, initial: dict[str, float]) -> dict[str, Any]:
    """A block with two corners over a slope, in the plane of x and y, on other joints."""
    mass = {"mass": 1.2, "inertia": [0.1, 0.1, 0.15]}
    touch = {"normal": listed(np.array([-np.sin(0.3), np.cos(0.3), 0.0])), "friction": 0.4}
    touch |= {"bodies": ["ground", "A"], "restitution": 0.3}
    contacts = {f"c{k}": {**touch, "point": [x, -0.3, 0.0]} for k, x in enumerate((-0.5, 0.6))}
    nothing = {"mass": 0.0, "inertia": [0.0, 0.0, 0.0]}
    bodies = {"A": mass} if kind != "chain" else {"X": nothing, "Y": nothing, "A": mass}
    free = {"type": kind, "bodies": ["ground", "A"]}
    slides = {
        "X": {"type": "prismatic", "bodies": ["ground", "X"], "axis": "x", "coordinate": "A_x"},
        "Y": {"type": "prismatic", "bodies": ["X", "Y"], "axis": "y", "coordinate": "A_y"},
        "A": {"type": "revolute", "bodies": ["Y", "A"], "axis": "z", "coordinate": "A_angle"},
    }
    joints = {
        "planar": {"A": {**free, "normal": "z"}},
        "free": {"A": free},
        "chain": slides,
    }[kind]
    described = {"gravity": [0, -9.81, 0], "bodies": bodies, "joints": joints, "contacts": contacts}
    return {"name": kind, **described, "reactions": "least_norm", "initial": initial}


def starts(kind: str) -> dict[str, float]:
    """The same start in the coordinates of a joint."""
    speeds = {"A_y": 0.9, "A_x.": 1.5, "A_y.": -0.5}
    angle, spin = 0.2, 0.8
    if kind == "free":
        return {**speeds, "A_qw": np.cos(angle / 2), "A_qz": np.sin(angle / 2), "A_wz": spin}
    return {**speeds, "A_angle": angle, "A_angle.": spin}


@pytest.mark.parametrize("kind", ["free", "chain"])
def test_other_coordinates_give_the_same_motion_and_forces(kind):
    first, second = (
        ts.simulate(ts.load(block(own, starts(own))), 1.2, rate=SAMPLES, rtol=1e-12)
        for own in ("planar", kind)
    )
    assert happened(first) == happened(second)
    assert any(event.cause == "shock" for event in first.events)
    for name in ("A_x", "A_y", "A_x.", "A_y."):
        assert second[name] == pytest.approx(first[name], abs=1e-7)
    for name in ("c0", "c1"):
        assert second.contact(name).normal == pytest.approx(first.contact(name).normal, abs=1e-6)
    # of two corners that stick only the sum of the friction is unique
    ours, theirs = (
        sum(run.contact(name).tangential for name in ("c0", "c1")) for run in (first, second)
    )
    assert np.linalg.norm(theirs, axis=1) == pytest.approx(np.linalg.norm(ours, axis=1), abs=1e-6)
