"""Balls, discs and outlines on profiles, cams and rings: gaps by search, closed forms, refusals."""

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.model.joints.curve_contacts import CurveContact
from torseur.model.joints.plane_curves import (
    ANGLE,
    PLACE,
    BallRim,
    OneArgument,
    PolarRim,
    PolarTrack,
    ProfileTrack,
)
from torseur.model.joints.rolling import at_poses
from torseur.report.scene.body_looks import joint_parts
from torseur.report.scene.scene_solids import Size

x, theta, g = PLACE, ANGLE, 9.81
WAVE = OneArgument(0.1 * (2 * x).sin() + 0.05 * x, x)
EGG = OneArgument(0.3 * (1 + 0.15 * (2 * theta).cos() + 0.05 * theta.sin()), theta)
CLOVER = OneArgument(1.0 + 0.06 * (3 * theta).cos(), theta)
TRACKS = {
    "profile": (ProfileTrack(WAVE), (0.4, 0.9)),
    "cam": (PolarTrack(CLOVER, (0, 2), 1), (0.9, 1.2)),
    "ring": (PolarTrack(CLOVER, (0, 2), -1), (0.3, 0.4)),
}
RIMS = {"ball": BallRim(0.2), "outline": PolarRim(EGG, (0, 2))}


def turned(angle):
    """About y."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, 0, s], [0, 1, 0], [-s, 0, c]])


# --- the gap by search ----------------------------------------------------------------------------


def on_track(track, u):
    """Points of a track, and which way it is free."""
    f = track.curve.at(u, 1)[0]
    return np.array([u, f]) if not track.closed else f * np.array([np.cos(u), np.sin(u)])


def distance(track, rim, R, p):
    """The smallest distance of a rim from a track, by going over points of both."""
    over = np.linspace(-np.pi, np.pi, 1500)
    own = np.array([(p + rim.points(u, R, track)[0])[[0, 2]] for u in over])
    other = on_track(track, over)
    return np.sqrt(((own[:, :, np.newaxis] - other) ** 2).sum(axis=1)).min()


@pytest.mark.parametrize("rim", RIMS)
@pytest.mark.parametrize("on", TRACKS)
def test_where_the_gap_is_closed_a_rim_is_nearest_to_its_track_and_crosses_it_nowhere(on, rim):
    track, (px, pz) = TRACKS[on]
    kind, R = CurveContact(track, RIMS[rim]), turned(0.7)
    p = np.array([px, 0.0, pz])
    for _ in range(6):  # along the normal until it touches
        p = p - kind.gap(R, p)[0] * kind.frame(R, p)[0]
    assert abs(kind.gap(R, p)[0]) < 1e-12
    assert distance(track, RIMS[rim], R, p) < 3e-3  # the step from point to point
    over = np.linspace(-np.pi, np.pi, 400)
    places = np.array([(p + RIMS[rim].points(u, R, track)[0])[[0, 2]] for u in over])
    assert min(track.value(*at) for at in places) > -1e-12
    n, far = kind.frame(R, p)[0], 0.02
    away = p + far * n
    assert kind.gap(R, away)[0] == pytest.approx(far, rel=0.05)


@pytest.mark.parametrize("part", [0.5, 0.99, 0.9999])
def test_a_ball_almost_as_bent_as_its_valley_touches_where_the_parallel_curve_says(part):
    """Of z = x²/2, whose radius is 1 at the bottom, the centre is at the distance r."""
    kind = CurveContact(ProfileTrack(OneArgument(x**2 / 2, x)), BallRim(part))
    for at in (-0.8, -0.1, -1e-3, 0.0, 0.02, 0.5):
        w = np.sqrt(1 + at**2)
        p = np.array([at - part * at / w, 0.3, at**2 / 2 + part / w])
        assert abs(kind.gap(np.eye(3), p)[0]) < 1e-14
        n = np.array([-at, 0, 1]) / w
        np.testing.assert_allclose(kind.frame(np.eye(3), p)[0], n, atol=1e-8)
        np.testing.assert_allclose(kind.touching(np.eye(3), p), -part * n, atol=1e-8)


def test_a_circle_given_as_an_outline_is_a_disc_and_a_round_cam_a_shaft():
    circle = PolarRim(OneArgument(expression(0.2), theta), (0, 2))
    cam = CurveContact(PolarTrack(OneArgument(expression(0.8), theta), (2, 0), 1), circle)
    R, p = turned(0.4), np.array([0.7, 0.0, -0.9])
    size = np.hypot(p[0], p[2])
    assert cam.gap(R, p)[0] == pytest.approx(size - 1.0, abs=1e-14)
    np.testing.assert_allclose(cam.frame(R, p)[0], p / size, atol=1e-12)
    np.testing.assert_allclose(cam.reactions_at(R, p)[3:, 0], R.T @ p / size, atol=1e-12)


def test_a_leaning_disc_on_a_straight_profile_touches_as_on_a_plane():
    disc = {"shape": "disc", "radius": 0.3, "axis": "y"}
    kinds = [
        ts.load(_free({**disc, **more})).contacts["it"].kind
        for more in ({}, {"on": "profile", "height": "0"})
    ]
    R = turned(0.3) @ np.array([[1, 0, 0], [0, 0.8, -0.6], [0, 0.6, 0.8]])
    p = np.array([0.1, 0.2, 0.9])
    plane, profile = (kind.numeric(lambda e: float(e.value[1])) for kind in kinds)
    np.testing.assert_allclose(profile.gap(R, p), plane.gap(R, p), atol=1e-14)
    np.testing.assert_allclose(profile.touching(R, p), plane.touching(R, p), atol=1e-8)


def _free(contact):
    return {
        "bodies": {"wheel": {"mass": 1, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"F": {"type": "free", "bodies": ["ground", "wheel"]}},
        "contacts": {"it": {"bodies": ["ground", "wheel"], **contact}},
    }


def test_many_poses_at_once_give_what_each_gives():
    track, (px, pz) = TRACKS["cam"]
    kind, angles = CurveContact(track, RIMS["outline"]), (0.1, 0.5, 2.0)
    R, p = np.array([turned(a) for a in angles]), np.array([[px, 0.0, pz]] * 3)
    each = [kind.frame(*at) for at in zip(R, p, strict=True)]
    np.testing.assert_allclose(at_poses(kind.frame, R, p), each, atol=1e-12)


# --- rolling --------------------------------------------------------------------------------------


def planar(inertia, initial, **sections):
    """A wheel that moves in the plane of x and z."""
    return ts.load(
        {
            "gravity": [0, 0, -g],
            "reactions": "least_norm",
            "bodies": {"wheel": {"mass": 2.0, "inertia": [0.04, inertia, 0.04]}},
            "joints": {
                "P": {
                    "type": "planar",
                    "bodies": ["ground", "wheel"],
                    "normal": "y",
                    "coordinates": ["z", "x", "b"],
                }
            },
            "initial": initial,
            **sections,
        }
    )


def rolls(inertia, initial, **entries):
    both = {"type": "rolling", "bodies": ["ground", "wheel"]}
    return planar(inertia, initial, constraints={"roll": {**both, **entries}})


def test_an_ellipse_rolls_along_its_own_arc():
    """It touches at (x_c, 0), as far along as the arc that has been on the ground is long."""
    a, c = 0.5, 0.3  # along z and x of the wheel, which starts upright
    outline = f"{a * c}/(({c}*cos(theta))^2 + ({a}*sin(theta))^2)^(1/2)"
    start = {"z": a, "b.": 3.0, "x.": 3 * a}
    egg = rolls(0.05, start, shape="outline", outline=outline, axis="y")
    run = ts.simulate(egg, 1.2, rate=20, rtol=1e-11)
    for b, px, pz in zip(run["b"], run["x"], run["z"], strict=True):
        assert pz == pytest.approx(np.hypot(a * np.cos(b), c * np.sin(b)), abs=1e-12)
        lowest = np.arctan2(c * np.sin(b), a * np.cos(b))  # (c sin u, a cos u) is the lowest point
        arc = quad(lambda u: np.hypot(c * np.cos(u), a * np.sin(u)), 0, _whole(lowest, b))[0]
        ahead = (a**2 - c**2) * np.sin(b) * np.cos(b) / pz  # of the contact, before the centre
        assert px - ahead == pytest.approx(arc, abs=1e-8)
    assert run.energy_drift < 1e-9


def _whole(angle, near):
    return angle + 2 * np.pi * round((near - angle) / (2 * np.pi))


def test_a_disc_that_rolls_in_a_round_ring_swings_as_a_pendulum_with_its_inertia():
    """ω² = g / (s − r) / (1 + I/(m r²)) for small angles."""
    start = {"x": 1e-3, "z": -np.sqrt(0.7**2 - 1e-6)}
    ring = {"on": "ring", "surface_outline": "0.8", "surface_axis": "y"}
    run = ts.simulate(rolls(0.008, start, shape="disc", radius=0.1, axis="y", **ring), 1.0, rate=50)
    omega = np.sqrt(g / 0.7 / 1.4)
    np.testing.assert_allclose(run["x"], 1e-3 * np.cos(omega * run.t), atol=2e-9)


def test_a_ball_rolls_in_a_bowl_as_a_held_constraint_too():
    start = {"x": 1e-3, "z": -np.sqrt(0.7**2 - 1e-6)}
    bowl = rolls(0.008, start, shape="ball", radius=0.1, on="bowl", surface_radius=0.8, normal="z")
    run, omega = ts.simulate(bowl, 1.0, rate=50), np.sqrt(g / 0.7 / 1.4)
    np.testing.assert_allclose(run["x"], 1e-3 * np.cos(omega * run.t), atol=2e-9)


def test_a_disc_on_a_profile_has_the_energy_that_its_height_and_its_speed_say():
    """What rolls without slipping loses nothing; its centre follows the parallel curve."""
    start = {"z": 0.3, "b.": 3.0, "x.": 0.6}
    entries = {"shape": "disc", "radius": 0.2, "axis": "y", "on": "profile"}
    run = ts.simulate(rolls(0.05, start, **entries, height="0.1*cos(2*x)"), 2.0, rate=40)
    total = run["x."] ** 2 + run["z."] ** 2 + 0.025 * run["b."] ** 2 + 2 * g * run["z"]
    np.testing.assert_allclose(total, total[0], rtol=1e-8)
    np.testing.assert_allclose(np.hypot(run["x."], run["z."]), 0.2 * run["b."], rtol=1e-8)


@cache
def ellipses():
    """Two equal ellipses that turn about foci 2a apart and roll on one another."""
    outline, e = "p/(1 + e*cos(theta))", 0.4
    wheels = {"mass": 1, "inertia": [0.1, 0.1, 0.1]}
    return e, ts.load(
        {
            "parameters": {"a": 0.5, "e": e},
            "reactions": "least_norm",
            "bodies": {"one": wheels, "two": wheels},
            "joints": {
                "A": {
                    "type": "revolute", "bodies": ["ground", "one"], "axis": "z", "coordinate": "u"
                },
                "B": {
                    "type": "revolute", "bodies": ["ground", "two"], "axis": "z", "coordinate": "w",
                    "point": [["2*a", 0, 0], [0, 0, 0]],
                },
            },
            "constraints": {
                "teeth": {
                    "type": "rolling", "bodies": ["one", "two"], "on": "cam", "surface_axis": "z",
                    "surface_outline": outline.replace("p", "a*(1 - e^2)"),
                    "shape": "outline", "outline": outline.replace("p", "a*(1 - e^2)"), "axis": "z",
                }
            },
        }
    )  # fmt: skip


def test_ellipses_about_their_foci_turn_as_their_distances_from_them_say():
    """tan(u/2) tan-law of equal elliptic wheels: (1 + e)/(1 − e) between the half angles."""
    e, wheels = ellipses()
    k = (1 - e) / (1 + e)
    start = {"u": 0.5, "w": -2 * np.arctan(k * np.tan(0.25)), "u.": 1.0}
    run = ts.simulate(wheels, 1.5, rate=20, initial=start)
    half = np.tan(run["u"] / 2), np.tan(-run["w"] / 2)
    np.testing.assert_allclose(half[1], k * half[0], rtol=1e-8)
    total = 0.05 * (run["u."] ** 2 + run["w."] ** 2)
    np.testing.assert_allclose(total, total[0], rtol=1e-8)


# --- contacts -------------------------------------------------------------------------------------


def touches(initial, **entries):
    both = {"bodies": ["ground", "wheel"], "radius": 0.2}
    return planar(0.05, initial, contacts={"it": {**both, **entries}})


def test_a_ball_falls_onto_a_profile_when_their_distance_is_gone_and_slides_without_loss():
    at, r = 0.3, 0.2
    slope = -0.2 * np.sin(2 * at)
    w = np.hypot(1, slope)
    start = {"x": at - r * slope / w, "z": 0.1 * np.cos(2 * at) + r / w + 0.05}
    run = ts.simulate(touches(start, on="profile", height="0.1*cos(2*x)"), 0.6, rate=40)
    assert run.events[0].t == pytest.approx(np.sqrt(2 * 0.05 / g), rel=1e-9)
    assert run.energy_drift < 1e-8
    history = run.contact("it")
    assert history.state[-1] == "slip"
    assert abs(history.gap[-5:]).max() < 1e-12


def in_valley(r, **sections):
    """A ball at the side of a valley whose radius is 0.25 at its bottom, let go."""
    slope = -2.0
    w = np.hypot(1, slope)
    start = {"x": -0.5 - r * slope / w, "z": 0.5 + r / w}
    return ts.simulate(planar(0.05, start, **sections), 0.6, rate=50)


def valley(r):
    both = {"bodies": ["ground", "wheel"], "shape": "ball", "radius": r}
    return both | {"on": "profile", "height": "2*x^2"}


def test_a_ball_that_rolls_where_it_does_not_fit_is_refused_by_name():
    constraints = {"roll": {"type": "rolling", **valley(0.3)}}
    with pytest.raises(ts.SolveError, match='"roll": the track is more curved') as error:
        in_valley(0.3, constraints=constraints)
    assert str(error.value) != error.value.said("fr")


def test_a_ball_that_slides_where_it_does_not_fit_is_refused_by_name():
    """By the look at the track, or before by the engine of contacts: rounding says which."""
    with pytest.raises(ts.SolveError, match=r'On a track: "it"|"it": the track is more curved'):
        in_valley(0.3, contacts={"it": valley(0.3)})


# --- what is seen and read ------------------------------------------------------------------------


def test_tracks_and_outlines_are_drawn_on_the_page(tmp_path):
    ring = {"on": "ring", "surface_outline": "0.8 + 0.05*cos(2*theta)", "surface_axis": "y"}
    ball = touches({"z": -0.4}, **ring, friction=0.3)
    run = ts.simulate(ball, 0.4, rate=20)
    ts.view(run, tmp_path / "run.html")
    assert "it" in (tmp_path / "run.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("axes", [(0, 1), (1, 0), (2, 0)])
def test_an_outline_is_drawn_with_its_volume_and_its_faces_outside(axes):
    """That of a circle, 0.1 r thick, whichever way its axes turn."""
    symbol = CurveContact(
        TRACKS["cam"][0], PolarRim(OneArgument(expression(0.5), theta), axes)
    ).symbol
    _, (solid,) = joint_parts(symbol, np.zeros((2, 3)), Size(1.0), 1.0)
    volume = 0.0
    for face in solid.faces:
        first, *others = solid.vertices[list(face)]
        volume += sum(np.linalg.det([first, *pair]) / 6 for pair in pairwise(others))
    assert volume == pytest.approx(np.pi * 0.5**2 * 0.05, rel=1e-3)


@pytest.mark.parametrize(
    ("entries", "problem"),
    [
        ({"shape": "cylinder", "axis": "y", "radius": 1, "on": "ring", "surface_outline": 2,
          "surface_axis": "y"}, 'contacts of "cylinder" with "ring" are not supported.'),
        ({"shape": "outline", "axis": "y"}, 'the entry "outline" is missing.'),
        ({"shape": "disc", "axis": "y", "radius": 1, "on": "box"}, '"box" does not exist.'),
        ({"shape": "ball", "radius": 1, "on": "profile"}, 'the entry "height" is missing.'),
    ],
)  # fmt: skip
def test_rolling_refuses_what_it_does_not_know(entries, problem):
    with pytest.raises(ts.ModelError) as error:
        rolls(0.05, {}, **entries)
    assert problem in str(error.value)
    assert "constraints.roll" in error.value.place


def test_a_table_that_goes_round_is_an_outline():
    """Of a circle about another point than its centre: an eccentric."""
    angles = np.linspace(0, 2 * np.pi, 73)
    off, r = 0.05, 0.3
    radii = off * np.cos(angles) + np.sqrt(r**2 - (off * np.sin(angles)) ** 2)
    tables = {"round": {"x": angles.tolist(), "value": [*radii[:-1], radii[0]], "ends": "periodic"}}
    contact = {"shape": "outline", "outline": "round(theta)", "axis": "y"}
    kind = ts.load(_free(contact) | {"tables": tables}).contacts["it"].kind.numeric(float)
    for turn in (0.3, 2.0, 4.0):
        centre = turned(turn) @ np.array([0.0, 0.0, off])  # theta turns from z to x
        gap = kind.gap(turned(turn), np.array([0.0, 0.0, 1.0]))[0]
        assert gap == pytest.approx(1.0 + centre[2] - r, abs=1e-7)
