"""Height fields: their distances, planes as fields, rest on uneven ground, files, rays."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np
import pytest

import torseur as ts
from torseur.errors import ModelError
from torseur.spatial.height_fields import HeightField

G = 9.81
CUBE = [[x, y, z] for x in (-0.1, 0.1) for y in (-0.1, 0.1) for z in (-0.1, 0.1)]
SOLIDS: dict[str, dict[str, Any]] = {
    "sphere": {"shape": {"sphere": {"radius": 0.1}}},
    "capsule": {"shape": {"capsule": {"radius": 0.1, "length": 0.3, "axis": "x"}}},
    "box": {"shape": {"box": {"size": [0.2, 0.2, 0.2]}}},
    "cylinder": {"shape": {"cylinder": {"radius": 0.1, "length": 0.2}}},
    "hull": {"hull": CUBE},
}
FLAT = {"height_field": {"size": [4, 4], "heights": [[0] * 5] * 6}}
SLAB = {"shape": {"box": {"size": [4, 4, 1]}}, "position": [0, 0, -0.5]}


def scene(solid: dict[str, Any], *land: dict[str, Any], friction: float = 0.5) -> ts.Mechanism:
    """A free body above solids of the ground."""
    return ts.load({
        "gravity": [0, 0, -G],
        "bodies": {
            "b": {"mass": 1, "inertia": [0.004, 0.004, 0.004], "collision": [solid]},
            "land": {"collision": list(land)},
        },
        "joints": {
            "F": {"type": "free", "bodies": ["ground", "b"]},
            "L": {"type": "fixed", "bodies": ["ground", "land"]},
        },
        "contacts": {"c": {"among": ["b", "land"], "friction": friction}},
    })  # fmt: skip


def uneven(seed: int = 3, shape: tuple[int, int] = (6, 7)) -> np.ndarray:
    return (0.3 * np.random.default_rng(seed).random(shape)).round(3)


def field(heights: np.ndarray, **more: Any) -> dict[str, Any]:
    return {"height_field": {"size": [4, 3], "heights": heights.tolist(), **more}}


def of_triangle(p: np.ndarray, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> float:
    """Distance of a point from a triangle: that of its plane, of its sides or of its corners."""
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n)
    foot = p - ((p - a) @ n) * n
    sides = ((a, b), (b, c), (c, a))
    if all(np.cross(y - x, foot - x) @ n >= 0 for x, y in sides):
        return abs(float((p - a) @ n))
    parts = [(x, y, np.clip((p - x) @ (y - x) / ((y - x) @ (y - x)), 0, 1)) for x, y in sides]
    return min(float(np.linalg.norm(p - x - s * (y - x))) for x, y, s in parts)


def test_a_ball_is_as_far_from_a_field_as_from_the_nearest_of_its_triangles():
    heights, rng = uneven(), np.random.default_rng(1)
    surface = HeightField((4.0, 3.0), heights, 0.1).surface
    triangles = surface.points[surface.faces]
    model = ts.compile(scene(SOLIDS["sphere"], field(heights)))
    P = np.column_stack([rng.uniform(-2.3, 2.3, (150, 2)), rng.uniform(0.35, 1.0, 150)])
    Q = np.column_stack([P, np.tile([1.0, 0, 0, 0], (150, 1))])
    expected = [min(of_triangle(p, *t) for t in triangles) - 0.1 for p in P]
    assert model.distance("b", "land", Q) == pytest.approx(expected, abs=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["capsule", "box", "cylinder"])
def test_a_solid_is_as_far_from_a_field_as_from_the_nearest_of_its_prisms(kind):
    heights, rng, n = uneven(5, (4, 4)), np.random.default_rng(2), 60
    surface = HeightField((4.0, 3.0), heights, 0.1).surface
    prisms = []
    for triangle in surface.points[surface.faces]:
        low = triangle * (1, 1, 0) - (0, 0, 0.3)
        prisms.append({"hull": np.concatenate([triangle, low]).tolist()})
    quaternions = rng.normal(size=(n, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    P = np.column_stack([rng.uniform(-2.1, 2.1, (n, 2)), rng.uniform(0.6, 1.2, n)])
    Q = np.column_stack([P, quaternions])
    found, expected = (
        ts.compile(scene(SOLIDS[kind], *land)).distance("b", "land", Q)
        for land in ([field(heights)], prisms)
    )
    assert found == pytest.approx(expected, abs=1e-12)


def test_the_gradient_of_the_distance_is_its_rate():
    model = ts.compile(scene(SOLIDS["box"], field(uneven())))
    q = np.array([0.3, 0.2, 0.6, 0.9, 0.1, 0.3, 0.2])
    q[3:] /= np.linalg.norm(q[3:])
    near = model.nearest("b", "land", q)
    for k in range(3):
        up, down = q.copy(), q.copy()
        up[k] += 1e-6
        down[k] -= 1e-6
        rate = (model.distance("b", "land", up) - model.distance("b", "land", down)) / 2e-6
        assert near.gradient[k] == pytest.approx(rate, abs=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("kind", SOLIDS)
def test_a_flat_field_is_a_slab(kind):
    start = {"F_z": 0.12, "F_x.": 1.0, "F_y.": 0.3}
    runs = [
        ts.simulate(scene(SOLIDS[kind], land), 0.5, method="moreau", step=1e-3, initial=start)
        for land in (FLAT, SLAB)
    ]
    assert np.abs(runs[0].q - runs[1].q).max() < (1e-5 if kind == "capsule" else 1e-12)


def inclined(slope: float) -> dict[str, Any]:
    """A field that rises along x; cells of other lengths along x and y."""
    x = np.linspace(-2, 2, 9)
    return field(np.tile(slope * x, (6, 1)))


def test_a_ball_rolls_down_an_inclined_field_at_five_sevenths_of_what_slides():
    a = np.arctan(0.3)
    start = {"F_z": 0.3 * 0.5 + 0.1 / np.cos(a), "F_x": 0.5, "F_y": 0.111}
    run = ts.simulate(
        scene(SOLIDS["sphere"], inclined(0.3)), 0.6, method="moreau", step=1e-3, initial=start
    )
    way = (0.5 - run["F_x"][-1]) / np.cos(a)
    assert way == pytest.approx(0.5 * 5 / 7 * G * np.sin(a) * run.t[-1] ** 2, rel=4e-3)
    assert run["F_z"][-1] == pytest.approx(0.3 * run["F_x"][-1] + 0.1 / np.cos(a), abs=1e-9)
    assert run["F_y"] == pytest.approx(0.111, abs=1e-9)


@pytest.mark.parametrize(("friction", "slides"), [(0.35, False), (0.2, True)])
def test_a_box_on_an_inclined_field_slides_where_friction_is_too_small(friction, slides):
    a = np.arctan(0.3)
    turn = {"F_qw": np.cos(a / 2), "F_qx": 0.0, "F_qy": -np.sin(a / 2), "F_qz": 0.0}
    start = {"F_z": 0.3 * 0.5 + 0.1 / np.cos(a), "F_x": 0.5, **turn}
    model = scene(SOLIDS["box"], inclined(0.3), friction=friction)
    run = ts.simulate(model, 0.5, method="moreau", step=1e-3, initial=start)
    way = (0.5 - run["F_x"][-1]) / np.cos(a)
    expected = 0.5 * G * (np.sin(a) - friction * np.cos(a)) * run.t[-1] ** 2 if slides else 0.0
    assert way == pytest.approx(expected, rel=5e-3, abs=1e-7)


def test_a_box_lies_across_a_ridge_and_its_weight_is_carried():
    ridge = field(np.array([[0.0, 0.2, 0.0]] * 4))
    flat_box = {"shape": {"box": {"size": [0.6, 0.4, 0.1]}}}
    model = scene(flat_box, ridge)
    run = ts.simulate(model, 0.3, method="moreau", step=1e-3, initial={"F_z": 0.25})
    assert run["F_z"][-1] == pytest.approx(0.25, abs=1e-6)
    touches = run.touching[-2]
    assert len(touches) >= 2
    assert sum(x.force[2] for x in touches) == pytest.approx(G, rel=1e-6)
    assert all(abs(x.point[0]) < 1e-6 for x in touches)


def test_a_ball_lies_in_a_hollow_between_its_steepest_faces():
    heights = np.full((5, 5), 0.4)
    heights[2, 2] = 0.0  # the steepest faces are z = ± 0.8 (x − y)
    hollow = {"height_field": {"size": [2, 2], "heights": heights.tolist()}}
    z = 0.1 * np.sqrt(1 + 2 * 0.8**2)
    run = ts.simulate(
        scene(SOLIDS["sphere"], hollow), 0.5, method="moreau", step=1e-3, initial={"F_z": z + 1e-3}
    )
    assert run["F_z"][-1] == pytest.approx(z, abs=1e-6)
    assert sum(x.force for x in run.touching[-2]) == pytest.approx([0, 0, G], abs=1e-6)
    assert len(run.touching[-2]) == 2


@pytest.mark.slow
def test_rows_of_a_batch_are_single_runs():
    model = scene(SOLIDS["box"], field(uneven()))
    heights = np.array([0.5, 0.6, 0.7])
    options: dict[str, Any] = {"method": "moreau", "step": 1e-3}
    rows = ts.simulate(model, 0.5, initial={"F_z": heights}, **options)
    for k, z in enumerate(heights):
        one = ts.simulate(model, 0.5, initial={"F_z": float(z)}, **options)
        assert rows["F_x"][k][-1] == one["F_x"][-1]


def test_a_ray_meets_the_surface():
    heights = uneven()
    model = scene(SOLIDS["sphere"], field(heights), {"shape": {"box": {"size": [0.1] * 3}},
                                                     "position": [9, 0, 0]})  # fmt: skip
    aside = {"F_x": 9.0, "F_y": 5.0}
    model = ts.load({**_data(model), "frames": {"eye": {"body": "ground", "position": [0, 0, 2]}}})
    ray = ts.robots.ray(model, "eye", [0, 0, -1.0], aside)
    # the origin is on the diagonal of the cell in the middle of the field
    u, v = 3.0, 2.5
    below = heights[2, 3] + (v - 2) * (heights[3, 3] - heights[2, 3]) + 0 * u
    assert float(ray.distance) == pytest.approx(2 - below, abs=1e-12)
    assert ray.body == "land"


def _data(model: ts.Mechanism) -> dict[str, Any]:
    from ruamel.yaml import YAML

    data: dict[str, Any] = YAML(typ="safe").load(model.yaml())
    return data


# --- files ----------------------------------------------------------------------------------------


def png(levels: np.ndarray, bits: int, kind: int) -> bytes:
    """A picture in shades of grey whose lines are all written as differences of one kind."""
    size = bits // 8
    rows = levels.astype(">u2" if bits == 16 else "u1").view(np.uint8).reshape(len(levels), -1)
    above, lines = np.zeros(rows.shape[1], dtype=int), b""
    for row in rows.astype(int):
        left = np.concatenate([np.zeros(size, dtype=int), row[:-size]])
        corner = np.concatenate([np.zeros(size, dtype=int), above[:-size]])
        guess = left + above - corner
        far = np.abs(np.stack([guess - left, guess - above, guess - corner]))
        near = np.choose(far.argmin(axis=0), [left, above, corner])
        taken = (0 * row, left, above, (left + above) // 2, near)[kind]
        lines += bytes([kind]) + ((row - taken) & 255).astype(np.uint8).tobytes()
        above = row

    def part(name: bytes, content: bytes) -> bytes:
        check = zlib.crc32(name + content).to_bytes(4, "big")
        return len(content).to_bytes(4, "big") + name + content + check

    head = levels.shape[1].to_bytes(4, "big") + len(levels).to_bytes(4, "big")
    head += bytes([bits, 0, 0, 0, 0])
    parts = part(b"IHDR", head) + part(b"IDAT", zlib.compress(lines)) + part(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + parts


@pytest.mark.parametrize("kind", range(5))
@pytest.mark.parametrize("bits", [8, 16])
def test_a_picture_is_seen_from_above(tmp_path, bits, kind):
    levels = np.random.default_rng(4).integers(0, 2**bits, (5, 6))
    (tmp_path / "land.png").write_bytes(png(levels, bits, kind))
    read = _loaded(tmp_path, {"size": [2, 1], "file": "land.png", "scale": 0.5})
    assert read == pytest.approx(0.5 * levels[::-1] / (2**bits - 1), abs=1e-12)


def test_files_of_numbers_have_the_rows_of_the_field(tmp_path):
    heights = uneven()
    np.save(tmp_path / "land.npy", heights)
    np.savetxt(tmp_path / "land.csv", heights, delimiter=",")
    for name in ("land.npy", "land.csv"):
        assert (_loaded(tmp_path, {"size": [2, 1], "file": name}) == heights).all()


def _loaded(folder: Any, given: dict[str, Any]) -> np.ndarray:
    data = {"bodies": {"b": {"mass": 1, "collision": [{"height_field": given}]}},
            "joints": {"F": {"type": "fixed", "bodies": ["ground", "b"]}}}  # fmt: skip
    (folder / "m.yaml").write_text(json.dumps(data))
    model = ts.load(folder / "m.yaml")
    again = ts.load(model.save(folder / "again.yaml"))
    first, second = (x.bodies["b"].collision[0].height_field for x in (model, again))
    assert first == second
    return first.heights


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"size": [1, 1]}, "one of heights and file"),
        ({"size": [1, 1], "heights": [[0, 1], [0]]}, "2 heights are expected in a row, not 1"),
        ({"size": [1, 1], "heights": [[0, 1]]}, "two rows and two columns"),
        ({"size": [1, -1], "heights": [[0, 1], [1, 0]]}, "no positive length"),
        ({"size": [1, 1], "heights": [[0, 1], [1, 0]], "depth": 0}, "no positive length"),
        ({"heights": [[0, 1], [1, 0]]}, "size"),
        ({"size": [1, 1], "heights": [[0, "a"], [1, 0]]}, "a"),
        ({"size": [1, 1], "file": "no.png"}, "does not exist"),
        ({"size": [1, 1], "file": "m.yaml"}, "no file of heights"),
        ({"size": [1, 1], "file": "bad.png"}, "cannot be read as PNG"),
        ({"size": [1, 1], "file": "bad.npy"}, "no array of numbers"),
        ({"size": [1, 1], "file": "bad.csv"}, "is not a number"),
    ],
)
def test_what_is_wrong_is_said(tmp_path, given, words):
    (tmp_path / "bad.png").write_bytes(b"\x89PNG\r\n\x1a\nand no more")
    (tmp_path / "bad.npy").write_bytes(b"nothing")
    (tmp_path / "bad.csv").write_text("0, 1\n0, high\n")
    with pytest.raises(ModelError, match=words):
        _loaded(tmp_path, given)


# --- friction of single solids --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("rule", "expected"), [("largest", 0.8), ("smallest", 0.2), ("mean", 0.5), ("product", 0.16)]
)
def test_the_friction_of_two_solids_is_combined_by_the_rule(rule, expected):
    data = _data(scene({**SOLIDS["box"], "friction": 0.2}, {**FLAT, "friction": 0.8}))
    data["contacts"]["c"] = {"among": ["b", "land"], "combine": rule}
    run = ts.simulate(
        ts.load(data), 0.05, method="moreau", step=1e-3, initial={"F_z": 0.1, "F_x.": 1.0}
    )
    assert run.touching[-2][0].friction == pytest.approx(expected, rel=1e-12)
    assert run["F_x."][-1] == pytest.approx(1 - expected * G * 0.05, rel=1e-6)
