"""Cables past spheres and cylinders: shortest paths, closed forms, statics, both coordinates."""

import numpy as np
import pytest
from scipy.optimize import minimize

import torseur as ts

A, B = np.array([-1.0, 0.2, 0.1]), np.array([0.9, -0.1, 0.35])


def model(*obstacle, end=B, tension="100*(length - 0.5)", more=()):
    return {
        "gravity": [0, 0, 0],
        "bodies": {name: {"mass": 1, "inertia": [1, 1, 1]} for name in ("drum", "load")},
        "joints": {
            "D": {"type": "free", "bodies": ["ground", "drum"]},
            "L": {"type": "free", "bodies": ["ground", "load"]},
        },
        "forces": {
            "c": {
                "type": "wrapped cable",
                "through": [["ground", list(A)], *obstacle, ["load", list(end)], *more],
                "tension": tension,
            }
        },
    }


def around(**more):
    return {"body": "drum", "radius": 0.4, **more}


REST = np.array([0, 0, 0, 1, 0, 0, 0] * 2, dtype=float)


def length(*obstacle, end=B, more=()):
    """From the energy of a cable with the potential L."""
    f = ts.compile(ts.load(model(*obstacle, end=end, tension="1", more=more)))
    return f.potential_energy(REST)


def length_along(points):
    return np.linalg.norm(np.diff(points, axis=0), axis=1).sum()


def shortest(flat, start):
    """The length of the shortest chain of 120 points outside a sphere, or a cylinder along z."""
    t = np.linspace(0, 1, 122)[1:-1, None]
    points = A + t * (B - A) + np.sin(np.pi * t) * start
    scale = np.diag([1, 1, 0 if flat else 1])

    def cost(x):
        chain = np.vstack([A, x.reshape(-1, 3), B])
        steps = np.diff(chain, axis=0)
        sizes = np.linalg.norm(steps, axis=1)
        inside = np.maximum(0.4 - np.linalg.norm(chain @ scale, axis=1), 0)
        slope = np.zeros_like(chain)
        slope[1:] += steps / sizes[:, None]
        slope[:-1] -= steps / sizes[:, None]
        radial = chain @ scale
        radial /= np.linalg.norm(radial, axis=1)[:, None]
        slope -= 2e4 * inside[:, None] * radial
        return sizes.sum() + 1e4 * inside @ inside, slope[1:-1].ravel()

    found = minimize(cost, points.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": 9000})
    return length_along(np.vstack([A, found.x.reshape(-1, 3), B]))


@pytest.mark.parametrize("axis", ["", "z"])
def test_the_cable_takes_the_shortest_way(axis):
    obstacle = around(axis=axis) if axis else around()
    expected = shortest(bool(axis), [0.05, 0.8, 0])
    assert expected > np.linalg.norm(B - A) + 0.02
    assert length(obstacle) == pytest.approx(expected, rel=2e-4)


def test_two_tangents_and_an_arc():
    """√(d² − r²) twice and r (π − 2 acos(r/d)) between two points at the distance d."""
    d, r, end = np.linalg.norm(A), 0.4, -A + [0, 1e-9, 0]
    closed = 2 * np.sqrt(d**2 - r**2) + r * (np.pi - 2 * np.arccos(r / d))
    assert length(around(), end=end) == pytest.approx(closed, rel=1e-8)


def test_a_cable_on_a_cylinder_is_straight_when_it_is_unrolled():
    flat = length(around(axis="z"), end=[*B[:2], A[2]])
    assert length(around(axis="z")) == pytest.approx(np.hypot(flat, B[2] - A[2]), rel=1e-12)


def test_a_cable_that_meets_no_obstacle_is_straight():
    straight = np.linalg.norm(B - A)
    assert length() == pytest.approx(straight)
    assert length(around(centre=[0, 2, 0])) == pytest.approx(straight)
    assert length(around(centre=[-1, 0.2, 0])) == pytest.approx(straight)  # A is inside


@pytest.mark.parametrize("axis", ["", "z"])
def test_the_side_decides_the_way_round(axis):
    obstacle = {"axis": axis} if axis else {}
    left, right = (length(around(side=["drum", [0, y, 0]], **obstacle)) for y in (0.5, -0.5))
    free = length(around(**obstacle))
    assert min(left, right) == pytest.approx(free) and max(left, right) > free + 0.01
    # the arcs of both ways and their tangents make a full turn
    if axis:
        flat = [np.sqrt(x**2 - (B[2] - A[2]) ** 2) for x in (left, right)]
        tangents = [np.sqrt(p[:2] @ p[:2] - 0.16) for p in (A, B)]
        lost = [np.arccos(0.4 / np.linalg.norm(p[:2])) for p in (A, B)]
        whole = 2 * sum(tangents) + 0.4 * (2 * np.pi - 2 * sum(lost))
        assert sum(flat) == pytest.approx(whole, rel=1e-12)


def test_a_cable_beside_its_obstacle_is_straight_unless_the_side_is_opposite_to_both_ends():
    straight = np.linalg.norm(B - A)
    far = {"centre": [0, -0.6, 0]}
    assert length(around(side=["drum", [0, 1, 0]], **far)) == pytest.approx(straight)
    assert length(around(side=["drum", [2, -0.7, 0]], **far)) == pytest.approx(straight)
    assert length(around(side=["drum", [0, -1.5, 0]], **far)) > straight + 0.1


def test_a_pulley_divides_length_and_tension():
    more = ({"pulley": 2}, ["ground", [0, 0, 2]], ["load", [0, 0, 0.5]])
    assert length(end=B, more=more) == pytest.approx(np.linalg.norm(B - A) + 1.5 / 2)
    f = ts.compile(ts.load(model(tension="10", more=more)))
    up = f.applied(REST, np.zeros(12))[6:9]
    assert up == pytest.approx(10 * (A - B) / np.linalg.norm(B - A) + [0, 0, 5])


@pytest.mark.parametrize("axis", ["", "z"])
def test_the_tension_pulls_on_both_sides_of_a_drum(axis):
    """The forces on the drum and on the load add up to those that the wall feels: the tension."""
    f = ts.compile(ts.load(model(around(**({"axis": axis} if axis else {})), tension="10")))
    Q = f.applied(REST, np.zeros(12))
    assert np.linalg.norm(Q[:3] + Q[6:9]) == pytest.approx(10)
    assert np.linalg.norm(Q[6:9]) == pytest.approx(10)
    assert np.linalg.norm(Q[:3]) > 0.5
    if not axis:
        assert Q[3:6] == pytest.approx(0, abs=1e-12)  # without friction on a sphere


@pytest.mark.parametrize("axis", ["", "z"])
def test_a_load_that_swings_round_a_drum_keeps_its_energy(axis):
    given = model(around(**({"axis": axis} if axis else {})))
    given["gravity"] = [0, 0, -9.81]
    m = ts.load(given)
    run = ts.simulate(m, 0.6, rate=20, rtol=1e-10, atol=1e-12)
    total = run.energy["kinetic"] + run.energy["potential"]
    assert np.ptp(total) < 1e-7 * np.ptp(run.energy["kinetic"])
    other = ts.simulate(m, 0.6, rate=20, rtol=1e-10, atol=1e-12, coordinates="absolute")
    assert other["L_x"] == pytest.approx(run["L_x"], abs=1e-7)
    assert other["L_qz"] == pytest.approx(run["L_qz"], abs=1e-7)


def test_a_cable_between_points_of_one_body_pulls_it_only_round_an_obstacle():
    ends = ["load", [0.9, -0.1, 0.35]], ["load", [-1, 0.2, 0.1]]
    more = ({"pulley": 1}, ends[0], around(), ends[1])
    Q = ts.compile(ts.load(model(tension="10", more=more))).applied(REST, np.zeros(12))
    alone = ts.compile(ts.load(model(tension="10"))).applied(REST, np.zeros(12))
    assert Q[:3] == pytest.approx(alone[6:9] - Q[6:9]) and np.linalg.norm(Q[:3]) > 0.5
    straight = ts.compile(ts.load(model(tension="10", more=({"pulley": 1}, *ends))))
    assert straight.applied(REST, np.zeros(12)) == pytest.approx(alone)


def test_a_cable_is_saved_and_read_again(tmp_path):
    obstacle = around(axis="z", side=["load", [0, 1, 0]])
    m = ts.load(model(obstacle, more=({"pulley": 3}, ["drum", [1, 0, 0]], ["load", [0, 0, 1]])))
    m.save(tmp_path / "m.yaml")
    again, v = ts.load(tmp_path / "m.yaml"), np.arange(12) / 10
    assert ts.compile(again).applied(REST, v) == pytest.approx(ts.compile(m).applied(REST, v))
    assert "side" in (tmp_path / "m.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("parts", "words"),
    [
        ((around(), around()), "an obstacle is not between two points"),
        (({"pulley": 2}, ["load", [0, 1, 0]]), "a branch of the cable has fewer than two points"),
        (({"body": "drum"},), 'the entry "radius" is missing'),
        (({"pulley": 2, "radius": 1},), "cannot be combined"),
        ((around(axis=[0, 0, 0]),), "the axis of the cylinder is zero"),
        ((around(hook=1),), 'unknown entry "hook"|"hook"'),
    ],
)
def test_a_path_that_makes_no_sense_is_refused(parts, words):
    with pytest.raises(ts.ModelError, match=words):
        ts.load(model(*parts))


def test_a_box_in_a_fluid_falls_at_the_speed_at_which_its_weight_is_carried():
    """½ ρ b c v² + 3 π d μ v = m g; without density, Stokes' law for the mean edge."""
    rho, mu, (a, b, c) = 1.2, 0.3, (0.3, 0.2, 0.1)
    box = {"type": "fluid box", "body": "b", "size": [c, a, b], "viscosity": mu}
    base = {
        "bodies": {"b": {"mass": 0.1, "inertia": [1, 1, 1]}},
        "joints": {"x": {"type": "prismatic", "bodies": ["ground", "b"], "axis": "x"}},
        "gravity": [9.81, 0, 0],
    }
    for density in (0, rho):
        f = ts.compile(ts.load(base | {"forces": {"air": box | {"density": density}}}))
        linear, square = 3 * np.pi * 0.2 * mu, density * a * b / 2
        weight = 0.981
        v = weight / linear
        if square:
            v = (-linear + np.sqrt(linear**2 + 4 * square * weight)) / (2 * square)
        assert f.forward_dynamics([0.0], [v], [0.0]) == pytest.approx(0, abs=1e-12)


def test_a_box_in_the_wind_is_dragged_along():
    box = {"type": "fluid box", "body": "b", "size": [1, 1, 1], "density": 2, "wind": [0, 3, 0]}
    given = {
        "gravity": [0, 0, 0],
        "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
        "forces": {"air": box},
    }
    f = ts.compile(ts.load(given))
    assert f.applied(REST[:7], np.zeros(6)) == pytest.approx([0, 9, 0, 0, 0, 0])
    turned = np.array([0, 0, 0, np.sqrt(0.5), 0, 0, np.sqrt(0.5)])
    assert f.applied(turned, np.zeros(6)) == pytest.approx([0, 9, 0, 0, 0, 0])
    spinning = f.applied(REST[:7], [0, 3, 0, 0, 0, 2])  # ρ b (b⁴ + b⁴) ω²/64
    assert spinning == pytest.approx([0, 0, 0, 0, 0, -2 * 2 * 4 / 64])


def test_a_sphere_as_an_ellipsoid_has_the_drag_of_stokes_and_that_of_its_area():
    sphere = {"type": "fluid ellipsoid", "body": "b", "size": [0.2] * 3, "density": 3}
    given = {
        "gravity": [0, 0, 0],
        "bodies": {"b": {"mass": 1, "inertia": [1, 1, 1]}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "b"]}},
        "forces": {"air": sphere | {"viscosity": 0.7, "blunt": 0.5, "lift": 1, "magnus": 1}},
    }
    f, v, w = ts.compile(ts.load(given)), np.array([0.3, 2, -1]), np.array([0.1, 0, 5])
    drag = 6 * np.pi * 0.7 * 0.2 + 3 * 0.5 * np.pi * 0.04 * np.linalg.norm(v)
    magnus = 3 * 4 / 3 * np.pi * 0.008 * np.cross(w, v)  # ρ V ω × v, without Kutta's lift
    assert f.applied(REST[:7], [*v, *w])[:3] == pytest.approx(magnus - drag * v)
    assert f.applied(REST[:7], [*v, *w])[3:] == pytest.approx(-8 * np.pi * 0.7 * 0.008 * w)
