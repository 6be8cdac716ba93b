"""Every shape on every surface it may touch: gaps, rows, contact points, reading and refusals."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from scipy.optimize import minimize

import torseur as ts
from torseur.algebra.core.expr import expression
from torseur.algebra.core.graph import evaluate
from torseur.errors import ModelError
from torseur.language.yaml.form import yaml_mechanism
from torseur.model.constraints.contact import CONTACTS, Contact
from torseur.model.constraints.contact_shapes import ALL
from torseur.model.constraints.contact_surfaces import SURFACES
from torseur.model.constraints.pile import Pile
from torseur.model.contact.closed_contacts import closed
from torseur.model.contact.elements import elements
from torseur.model.joints.surfaces import tangents
from torseur.model.values.fingerprint import fingerprint
from torseur.report.scene.shape_solids import ellipsoid
from torseur.simulation.constraints.displacement import advanced

ARM = {"mass": 2.0, "centre": [0.1, 0.02, 0.05], "inertia": [0.02, 0.03, 0.04]}
FREE = {
    "parameters": {"r": 0.3, "s": 0.8, "w": 1.7},
    "tables": {"hill": {"x": [-2, -1, 0, 1, 2], "value": [0.1, 0.3, 0.0, 0.2, 0.4]}},
    "bodies": {"base": ARM, "part": ARM},
    "joints": {
        "A": {"type": "free", "bodies": ["ground", "base"]},
        "B": {"type": "free", "bodies": ["ground", "part"]},
    },
}
r, s, w = 0.3, 0.8, 1.7
POINT, THROUGH = np.array([0.1, -0.2, 0.05]), np.array([0.3, 0.1, -0.2])
TILTED = np.array([1.0, 2.0, 2.0]) / 3
BASE = {"bodies": ["base", "part"], "point": POINT.tolist(), "through": THROUGH.tolist()}
h = 1e-5


def unit(k):
    return np.eye(3)[k]


def model(**entries):
    """Two free bodies and a contact between them."""
    return FREE | {"contacts": {"it": entries}}


# --- geometry of its own: tips as images of a sphere, and how far a point is from a surface -------


@dataclass(frozen=True)
class Case:
    """A contact, with its tips and its surfaces written a second time as plain geometry."""

    entries: dict
    tips: tuple  # of: the point of the second body for a direction u of a sphere
    far: tuple  # of: how far a point of the first body is from the surface

    @property
    def pairs(self):
        return [(tip, far) for tip in self.tips for far in self.far]


def ball(radius, at=(0, 0, 0)):
    return lambda u: POINT + np.array(at) + radius * u


def rim(radius, axis, at=(0, 0, 0)):
    """The circle about an axis."""
    a = np.array(axis)

    def point(u):
        across = u - (u @ a) * a
        return POINT + np.array(at) + radius * across / np.linalg.norm(across)

    return point


def plane(n=(0, 0, 1), at=THROUGH):
    return lambda x: np.array(n) @ (x - at)


def sphere(side):
    return lambda x: side * (np.linalg.norm(x - THROUGH) - s)


def cylinder(side, a):
    return lambda x: side * (np.linalg.norm(np.cross(x - THROUGH, a)) - s)


def cases():
    box = [
        0.5 * np.array([i, j, k]) * [r, s, 0.2] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)
    ]
    ends = [sign * 0.5 * s * TILTED for sign in (-1, 1)]
    slot = (plane(TILTED, THROUGH - w / 2 * TILTED), plane(-TILTED, THROUGH + w / 2 * TILTED))
    points = [[0.1, 0.2, 0.3], [-0.4, 0.1, 0.0], [0.0, -0.2, 0.1]]
    level = {"normal": "z"}
    one = (plane(),)
    across = {"surface_radius": "s", "surface_axis": TILTED.tolist()}
    yield "point", Case({"shape": "point"}, (ball(0),), one)
    yield "ball", Case({"shape": "bille", "radius": "r", **level}, (ball(r),), one)
    yield (
        "ball on a tilted plane",
        Case({"radius": "r", "normal": [1, 2, 2]}, (ball(r),), (plane(TILTED),)),
    )
    yield (
        "disc",
        Case({"shape": "disc", "radius": "r", "axis": [1, 2, 2]}, (rim(r, TILTED),), one),
    )
    yield "line", Case({"shape": "line", "radius": "r", "along": "x"}, (ball(r),), one)
    yield (
        "ellipsoid",
        Case(
            {"shape": "ellipsoid", "radii": ["r", "s", 0.2]},
            (lambda u: POINT + np.array([r, s, 0.2]) * u,),
            one,
        ),
    )
    yield (
        "box",
        Case({"shape": "box", "size": ["r", "s", 0.2]}, tuple(ball(0, x) for x in box), one),
    )
    yield (
        "points",
        Case({"points": points}, tuple(ball(0, x) for x in points), one),
    )
    long = {"radius": "r", "length": "s", "axis": [1, 2, 2]}
    yield (
        "capsule",
        Case({"shape": "capsule", **long}, tuple(ball(r, x) for x in ends), one),
    )
    yield (
        "cylinder",
        Case({"shape": "cylinder", **long}, tuple(rim(r, TILTED, x) for x in ends), one),
    )
    yield (
        "slot",
        Case(
            {"shape": "pin", "radius": "r", "on": "slot", "width": "w", "normal": [1, 2, 2]},
            (ball(r),),
            slot,
        ),
    )
    curved = {"radius": "r", "surface_radius": "s"}
    yield "sphere", Case({"on": "sphere", **curved}, (ball(r),), (sphere(1),))
    yield "bowl", Case({"on": "bowl", **curved, "normal": [1, 2, 2]}, (ball(r),), (sphere(-1),))
    yield (
        "shaft",
        Case({"on": "shaft", "radius": "r", **across}, (ball(r),), (cylinder(1, TILTED),)),
    )
    yield (
        "hole",
        Case(
            {"on": "hole", "shape": "pin", "radius": "r", **across},
            (ball(r),),
            (cylinder(-1, TILTED),),
        ),
    )
    yield (
        "capsule in a hole",
        Case({"on": "alésage", "shape": "gélule", **long, **across},
             tuple(ball(r, x) for x in ends), (cylinder(-1, TILTED),)),
    )  # fmt: skip


CASES = dict(cases())
PROFILES = {
    "profile": {"on": "profile", "height": "r*sin(x/s) + 0.1*x", "normal": "y", "along": "z"},
    "table": {"on": "profil", "height": "hill(x)"},
}
EGG, ROUND = "r*(1 + 0.1*cos(2*theta) + 0.05*sin(theta))", "s*(1 + 0.1*cos(3*theta))"
ON_CURVES = {
    "ball on a profile": {"on": "profile", "height": "0.3*r*sin(x/s)", "radius": "r"},
    "ball on a table": {"on": "profile", "height": "hill(x)", "radius": 0.1, "normal": "y"},
    "disc on a profile": {
        "on": "profile", "height": "0.3*r*sin(x/s)", "shape": "disc", "radius": "r", "axis": "y"
    },
    "line on a profile": {
        "on": "profile", "height": "0.1*x^2", "shape": "line", "radius": "r", "along": "x"
    },
    "outline on a plane": {"shape": "outline", "outline": EGG, "axis": "y"},
    "outline on a profile": {
        "on": "profile", "height": "0.1*sin(x/s)", "shape": "contour", "outline": EGG, "axis": "y"
    },
    "ball on a cam": {
        "on": "cam", "surface_outline": ROUND, "surface_axis": [1, 2, 2], "radius": "r"
    },
    "outline in a ring": {
        "on": "ring", "surface_outline": "4*s*(1 + 0.1*cos(theta))", "surface_axis": "y",
        "shape": "outline", "outline": EGG, "axis": "y",
    },
}  # fmt: skip
CONVEX = {
    "ball on a capsule": {
        "on": "capsule", "surface_radius": "r", "surface_length": "s", "surface_axis": [1, 2, 2],
        "radius": 0.1,
    },
    "capsules": {
        "on": "capsule", "surface_radius": "r", "surface_length": "w", "surface_axis": "x",
        "shape": "capsule", "radius": 0.1, "length": "w", "axis": [1, 2, 2],
    },
    "ball on a box": {"on": "box", "surface_size": ["r", "s", 0.2], "radius": 0.1},
}  # fmt: skip
LINES = {
    "rope": {"rope": [["base", THROUGH.tolist()], ["part", POINT.tolist()]], "length": "w"},
    "strut": {"strut": [["base", THROUGH.tolist()], ["part", POINT.tolist()]], "length": "w"},
}
WRAP = {"strand": "A_x", "other": "B_y", "length": "w", "angle": 2, "friction": 0.3, "drum": "B_x"}
PLAY = {"coefficients": {"A_x": 2, "B_y": "-r/s"}, "play": 0.01}
MODELS = (
    {name: model(**BASE, **case.entries) for name, case in CASES.items()}
    | {name: model(**BASE, **one) for name, one in (PROFILES | ON_CURVES | CONVEX).items()}
    | {name: model(**entries) for name, entries in LINES.items()}
    | {"backlash": model(**PLAY)}
)
each = pytest.mark.parametrize("case", CASES)
every = pytest.mark.parametrize("case", MODELS)


# --- states ---------------------------------------------------------------------------------------


@cache
def compiled(case):
    """The model in which the contact holds."""
    mechanism = ts.load(MODELS[case])
    return ts.compile(closed(mechanism, elements(mechanism)))


def state(found, seed):
    """Bodies some way apart, turned anyhow, with any speeds."""
    rng = np.random.default_rng(seed)
    q = rng.normal(size=len(found.coordinates))
    q[7:10] *= 3
    return advanced(found, q, np.zeros(len(found.speeds))), rng.normal(size=len(found.speeds))


def after(found, q, v, t):
    """Where constant speeds lead, to second order."""
    middle = advanced(found, q, t / 2 * v)
    parts = [link.joint.rates(middle[link.q], v[link.v]) for _, link in found.system.tree]
    return advanced(found, q + t * np.concatenate(parts), np.zeros_like(v))


def pose(q, k):
    """R and p of one of the two bodies, from its coordinates."""
    x, (a, b, c, d) = q[7 * k : 7 * k + 3], q[7 * k + 3 : 7 * k + 7]
    skew = np.array([[0, -d, c], [d, 0, -b], [-c, b, 0]])
    return np.eye(3) + 2 * a * skew + 2 * skew @ skew, x


def in_first(q, x):
    """A point of the second body as the first sees it."""
    (R_A, p_A), (R_B, p_B) = pose(q, 0), pose(q, 1)
    return R_A.T @ (p_B + R_B @ x - p_A)


def nearest(q, tip, far):
    """The smallest distance of a tip from a surface, by search, and where in the second body."""

    def distance(u):
        return far(in_first(q, tip(u / np.linalg.norm(u))))

    starts = np.random.default_rng(0).normal(size=(60, 3))
    best = min(starts, key=distance)
    for _ in range(3):
        best = minimize(distance, best, method="BFGS", options={"gtol": 1e-11}).x
        best = best / np.linalg.norm(best)
    return distance(best), tip(best)


def gradient(far, x):
    """The normal of a surface, by differences."""
    return np.array([(far(x + h * e) - far(x - h * e)) / (2 * h) for e in np.eye(3)])


# --- laws -----------------------------------------------------------------------------------------


@pytest.mark.sampled(1, kind=lambda case, seed: case)
@each
@pytest.mark.parametrize("seed", range(3))
def test_the_gap_is_the_smallest_distance_of_the_shape_from_the_surface(case, seed):
    found = compiled(case)
    q, _ = state(found, seed)
    expected = [nearest(q, tip, far)[0] for tip, far in CASES[case].pairs]
    np.testing.assert_allclose(found.closure_gap(q), expected, atol=1e-9)


@pytest.mark.sampled(12)
@every
@pytest.mark.parametrize("seed", range(3))
def test_the_first_row_is_the_rate_of_the_gap_and_the_bias_that_of_all_rows(case, seed):
    found = compiled(case)
    q, v = state(found, seed)
    before, later = after(found, q, v, -h), after(found, q, v, h)
    gaps = (found.closure_gap(later) - found.closure_gap(before)) / (2 * h)
    speeds = found.constraint_jacobian(q) @ v
    np.testing.assert_allclose(normal_rows(case, speeds), gaps, atol=2e-8 * (1 + abs(gaps).max()))
    rates = (found.constraint_jacobian(later) - found.constraint_jacobian(before)) @ v / (2 * h)
    bias = found.constraint_bias(q, v)
    np.testing.assert_allclose(bias, rates, atol=1e-6 * (1 + abs(bias).max()))


def normal_rows(case, values):
    """The first row of every element."""
    count = [sum(row.count for row in one.rows) for one in elements(ts.load(MODELS[case]))]
    return values[np.cumsum([0, *count[:-1]])]


@pytest.mark.sampled(1, kind=lambda case, seed: case)
@each
@pytest.mark.parametrize("seed", range(3))
def test_rows_are_the_velocity_of_the_material_point_that_touches(case, seed):
    found = compiled(case)
    q, v = state(found, seed)
    before, later = after(found, q, v, -h), after(found, q, v, h)
    rows = found.constraint_jacobian(q) @ v
    width = len(rows) // len(CASES[case].pairs)
    for (tip, far), own in zip(CASES[case].pairs, rows.reshape(-1, width), strict=True):
        c = nearest(q, tip, far)[1]
        slip = (in_first(later, c) - in_first(before, c)) / (2 * h)
        n = gradient(far, in_first(q, c))
        along = slip - (slip @ n) * n
        assert own[0] == pytest.approx(slip @ n, abs=1e-5)
        if case == "line":
            assert own[1] == pytest.approx(slip[0], abs=1e-5)
        else:
            assert own[1:] @ own[1:] == pytest.approx(along @ along, abs=1e-4)


@pytest.mark.parametrize("case", sorted(MODELS.keys() - {"backlash"}))
def test_a_kind_with_numbers_gives_the_same_gap_and_rows_as_compiled_expressions(case):
    found = compiled(case)
    q, v = state(found, 5)
    contact = ts.load(MODELS[case]).contacts["it"]
    gaps, rows = [], []
    for part in getattr(contact, "parts", (contact,)):
        X_AF, X_BM, kind = (x.numeric(number) for x in (part.X_AF, part.X_BM, part.kind))

        def relative(at, X_AF=X_AF, X_BM=X_BM):
            (R_A, p_A), (R_B, p_B) = pose(at, 0), pose(at, 1)
            R, p = R_A @ X_AF.R.matrix, p_A + R_A @ X_AF.p
            return R.T @ R_B @ X_BM.R.matrix, R.T @ (p_B + R_B @ X_BM.p - p)

        (R, p), (R_0, p_0), (R_1, p_1) = (
            relative(after(found, q, v, t)) if t else relative(q) for t in (0, -h, h)
        )
        turning = R.T @ (R_1 - R_0) / (2 * h)
        t = [turning[2, 1], turning[0, 2], turning[1, 0], *(R.T @ (p_1 - p_0) / (2 * h))]
        T = kind.reactions_at(R, p)
        assert T.dtype == kind.gap(R, p).dtype == float
        gaps.extend(kind.gap(R, p))
        rows.extend(T.T @ t)
    np.testing.assert_allclose(gaps, found.closure_gap(q), atol=1e-13)
    np.testing.assert_allclose(rows, found.constraint_jacobian(q) @ v, atol=1e-7)


def number(x):
    """What an expression of the parameters is worth."""
    return float(evaluate(expression(x), FREE["parameters"]))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("axis", range(3))
def test_tangents_are_a_right_handed_frame_that_starts_at_the_axes(axis, seed):
    n = np.random.default_rng(seed).normal(size=3)
    n /= np.linalg.norm(n)
    frame = np.array([n, *tangents(n, axis)])
    np.testing.assert_allclose(frame @ frame.T, np.eye(3), atol=1e-12)
    assert np.linalg.det(frame) == pytest.approx(1)
    order = [axis, (axis + 1) % 3, (axis + 2) % 3]
    np.testing.assert_array_equal([unit(axis), *tangents(unit(axis), axis)], np.eye(3)[order])


def test_rolling_and_pivoting_rows_make_up_the_relative_rotation():
    entries = CASES["bowl"].entries
    mechanism = ts.load(model(**BASE, **entries, friction=0.2, rolling=0.01, pivoting=0.02))
    parts = elements(mechanism)
    assert [one.name for one in parts] == ["it", "it.rolling", "it.pivoting"]
    found = ts.compile(closed(mechanism, parts))
    q, v = state(found, 1)
    (R_A, _), (R_B, _) = pose(q, 0), pose(q, 1)
    w_A, w_B = (v[[found.speeds.index(f"{name}_w{k}") for k in "xyz"]] for name in "AB")
    turning = R_B @ w_B - R_A @ w_A
    rows = (found.constraint_jacobian(q) @ v)[3:]
    assert np.linalg.norm(rows) == pytest.approx(np.linalg.norm(turning))
    n = -(in_first(q, POINT) - THROUGH)
    assert rows[2] == pytest.approx(R_A.T @ turning @ n / np.linalg.norm(n))


@pytest.mark.parametrize("on", ["bowl", "hole"])
def test_a_pin_in_the_very_middle_of_its_hole_has_its_clearance_and_no_normal(on):
    axis = {"surface_axis": "z"} if on == "hole" else {}
    entries = {"bodies": ["ground", "part"], "on": on, "radius": "r", "surface_radius": "s"}
    mechanism = ts.load(model(**entries, **axis))
    found = ts.compile(closed(mechanism, elements(mechanism)))
    q = np.array([0.0, 0, 0, 1, 0, 0, 0] * 2)
    assert found.closure_gap(q) == pytest.approx([s - r], abs=1e-8)
    assert np.isfinite(found.constraint_jacobian(q)).all()
    assert np.isfinite(found.constraint_bias(q, np.ones(12))).all()


# --- profiles, ropes, backlash --------------------------------------------------------------------


def on_ground(**entries):
    """The second body above the ground, its axes parallel to it: the gap at a place."""
    mechanism = ts.load(model(bodies=["ground", "part"], **entries))
    found = ts.compile(closed(mechanism, elements(mechanism)))

    def at(*p):
        q = np.array([0.0, 0, 0, 1, 0, 0, 0, *p, 1, 0, 0, 0])
        return found.closure_gap(q)[0], found.constraint_jacobian(q)[:, 6:]

    return at


def test_the_gap_to_a_profile_is_the_distance_from_it_to_first_order():
    at = on_ground(on="profile", height="r*sin(x/s)")
    for x in (-0.7, 0.0, 0.4, 1.1):
        f = r * np.sin(x / s)
        for above in (1e-3, -1e-3):
            gap, _ = at(x, 0.4, f + above)

            def distance(u, x=x, z=f + above):
                return np.hypot(u[0] - x, r * np.sin(u[0] / s) - z)

            found = minimize(distance, x, method="Nelder-Mead", options={"xatol": 1e-9}).fun
            assert gap == pytest.approx(np.sign(above) * found, abs=1e-6)


def test_on_a_profile_the_rows_are_the_unit_normal_and_its_tangents():
    at, x = on_ground(on="profile", height="r*sin(x/s)"), 0.4
    gap, J = at(x, 0.2, r * np.sin(x / s))
    slope = r / s * np.cos(x / s)
    t = np.array([1, 0, slope]) / np.hypot(1, slope)
    assert gap == pytest.approx(0, abs=1e-15)
    np.testing.assert_allclose(J[:, :3], [[-t[2], 0, t[0]], t, [0, 1, 0]], atol=1e-14)


def test_a_straight_profile_is_a_plane_and_a_half_circle_a_shaft_for_what_touches_it():
    flat, tilted = on_ground(on="profile", height="0.75*x"), on_ground(normal=[-0.6, 0, 0.8])
    arch = on_ground(on="profile", height="(s^2 - x^2)^(1/2)")
    shaft = on_ground(on="shaft", shape="point", surface_radius="s", surface_axis="y")
    for x in (-0.3, 0.5):
        assert flat(x, 0.1, 0.7)[0] == pytest.approx(tilted(x, 0.1, 0.7)[0], abs=1e-14)
        place = x, 0.1, np.sqrt(s**2 - x**2)
        np.testing.assert_allclose(arch(*place)[1][0], shaft(*place)[1][0], atol=1e-12)


def test_a_rope_and_a_strut_have_the_same_length_on_opposite_sides():
    rope, strut = compiled("rope"), compiled("strut")
    q, v = state(rope, 4)
    length = np.linalg.norm(in_first(q, POINT) - THROUGH)
    assert rope.closure_gap(q) == pytest.approx([w - length])
    assert strut.closure_gap(q) == pytest.approx([length - w])
    np.testing.assert_allclose(rope.constraint_jacobian(q), -strut.constraint_jacobian(q))
    assert rope.constraint_bias(q, v) == pytest.approx(-strut.constraint_bias(q, v))


def test_backlash_is_two_gaps_that_add_up_to_the_play():
    found = compiled("backlash")
    q, _ = state(found, 2)
    place = dict(zip(found.coordinates, q, strict=True))
    moved = 2 * place["A_x"] - r / s * place["B_y"]
    np.testing.assert_allclose(found.closure_gap(q), [0.005 + moved, 0.005 - moved])
    mechanism = ts.load(MODELS["backlash"])
    assert [one.name for one in elements(mechanism)] == ["it.1", "it.2"]


def test_a_rope_about_a_drum_is_as_long_as_its_strands_and_slides_by_one_less_the_drum():
    mechanism = ts.load(model(**WRAP))
    found = ts.compile(closed(mechanism, elements(mechanism)))
    q, v = state(found, 2)
    place, speed = (
        dict(zip(names, x, strict=True)) for names, x in ((found.coordinates, q), (found.speeds, v))
    )
    assert found.closure_gap(q)[0] == pytest.approx(w - place["A_x"] - place["B_y"])
    rows = found.constraint_jacobian(q) @ v
    wanted = [-speed["A_x."] - speed["B_y."], speed["A_x."] - speed["B_x."]]
    np.testing.assert_allclose(rows, wanted, atol=1e-14)


# --- reading --------------------------------------------------------------------------------------


def test_the_models_here_use_every_entry_shape_and_surface():
    laws = {"friction", "restitution", "rolling", "pivoting", "patch"}
    springs = {"stiffness", "dissipation", "exponent"}
    used, named = {"bodies", "gap", "slip", *laws, *springs}, {"mesh"}
    used |= {"file", "scale"}  # which are read in test_contact_meshes.py
    used |= {"surface_points", "surface_file", "surface_scale"}  # in test_contact_hulls.py
    for entries in (*(one["contacts"]["it"] for one in MODELS.values()), WRAP):
        used |= set(entries)
        named |= {entries.get("on", "plane"), entries.get("shape", "point")}
    assert {key.name for made in CONTACTS if made is not Pile for key in made.keys} <= used
    assert not [x.names[0] for x in ALL if x.names[0] != "points" and not named & set(x.names)]
    assert not [x.names[0] for x in SURFACES.values() if not named & set(x.names)]


@every
def test_the_yaml_form_is_read_back_as_it_was(case):
    mechanism = ts.load(MODELS[case])
    back = yaml_mechanism(mechanism.yaml(), "")
    assert fingerprint(back) == fingerprint(mechanism)
    assert type(back.contacts["it"]) is type(mechanism.contacts["it"])


@pytest.mark.parametrize(
    ("english", "french"),
    [
        ({"shape": "ellipsoid", "radii": [1, 2, 3]}, {"shape": "ellipsoïde", "radii": [1, 2, 3]}),
        ({"shape": "box", "size": [1, 2, 3]}, {"shape": "pavé", "size": [1, 2, 3]}),
        ({"on": "bowl", "surface_radius": 1}, {"on": "cuvette", "surface_radius": 1}),
        ({"on": "slot", "width": 1}, {"on": "rainure", "width": 1}),
        ({"on": "profile", "height": "x"}, {"on": "courbe", "height": "x"}),
        (
            {"on": "cam", "surface_outline": 1, "surface_axis": "z", "radius": 1},
            {"on": "came", "surface_outline": 1, "surface_axis": "z", "radius": 1},
        ),
    ],
)
def test_shapes_and_surfaces_have_french_names(english, french):
    one, other = (ts.load(model(**BASE, **entries)) for entries in (english, french))
    assert fingerprint(one) == fingerprint(other)


def test_a_contact_keeps_its_laws_in_every_part():
    entries = {"shape": "capsule", "radius": 0.1, "length": 0.5, "axis": "z"}
    made = ts.load(model(**BASE, **entries, friction=0.3, restitution=0.5, rolling=0.01))
    parts = elements(made)
    names = ["it.1", "it.1.rolling", "it.2", "it.2.rolling"]
    assert [one.name for one in parts] == names
    assert all(one.friction is not None for one in parts)
    assert [float(one.restitution.value[1]) for one in parts if one.has_gap] == [0.5, 0.5]


def test_every_row_has_a_meaning_and_every_kind_its_symbol():
    for entries in MODELS.values():
        contact = ts.load(entries).contacts["it"]
        parts = getattr(contact, "parts", (contact,))
        for part in parts:
            assert len(part.meanings) == part.rows.count
            if isinstance(part, Contact):
                assert part.kind.numeric(lambda x: 0.5).symbol.second


REFUSED = {
    "a box on a profile": (
        {"on": "profile", "height": "x", "shape": "box", "size": [1, 1, 1]},
        'contacts of "box" with "profile" are not supported.',
        "Supported shapes: point, ball, disc, line, outline.",
    ),
    "a box on a sphere": (
        {"on": "sphere", "surface_radius": 1, "shape": "box", "size": [1, 1, 1]},
        'contacts of "box" with "sphere" are not supported.',
        "Supported shapes: point, ball.",
    ),
    "an outline through its centre": (
        {"shape": "outline", "outline": "r*cos(theta)", "axis": "y"},
        "outline: at -3.14159 rad it is -0.3 m, not positive.",
        "An outline is positive and closes after a turn",
    ),
    "a cam that does not close": (
        {"radius": 0.1, "on": "cam", "surface_outline": "s + 0.1*theta", "surface_axis": "y"},
        "surface_outline: at -pi it is 0.485841 m, at pi 1.11416 m.",
        "ends: periodic",
    ),
    "a pin too thick": (
        {"on": "hole", "surface_radius": 0.1, "surface_axis": "z", "radius": "r"},
        "the radius 0.3 m does not fit into the hole, 0.1 m.",
        "Give a radius smaller than the surface_radius",
    ),
    "a radius of a box": (
        {"shape": "box", "size": [1, 1, 1], "radius": 0.1},
        'the entry "radius" cannot be combined with the others.',
        'Leave out "radius"',
    ),
    "a flat ellipsoid": (
        {"shape": "ellipsoid", "radii": [1, 0, 1]},
        "radii: 0 is not positive.",
        "Give a positive value.",
    ),
    "a negative radius": (
        {"shape": "ball", "radius": -0.1},
        "radius: -0.1 is not positive.",
        "Give a positive value.",
    ),
    "two radii": (
        {"shape": "ellipsoid", "radii": [1, 2]},
        "radii: 3 values are expected, not 2.",
        "add the third component",
    ),
    "no points": ({"points": []}, "points: the list is empty.", "Example: points: [[0, 0, 0]]."),
    "no size": ({"shape": "box"}, 'the entry "size" is missing.', "Example: size: [0.3, 0.2, 0.1]"),
    "an unknown surface": (
        {"on": "bowll", "radius": 0.1, "surface_radius": 1},
        'contact surface "bowll" does not exist.',
        'Did you mean "bowl"?',
    ),
    "a profile of a coordinate": (
        {"on": "profile", "height": "x + A_z"},
        'name "A_z" does not exist.',
        "Known names: r, s, w, x.",
    ),
    "a length": ({"length": 3}, 'the entry "length" cannot be combined', 'Leave out "length"'),
    "a zero axis": (
        {"shape": "capsule", "radius": 0.1, "length": 1, "axis": [0, 0, 0]},
        "the axis [0, 0, 0] is zero.",
        "Give a direction, such as z.",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_cannot_be_is_refused_with_its_place_its_value_and_what_to_do(case):
    entries, problem, advice = REFUSED[case]
    with pytest.raises(ModelError) as error:
        ts.load(model(**BASE, **entries))
    assert problem in str(error.value)
    assert advice in str(error.value)
    assert "contacts.it" in error.value.place
    assert str(error.value) != error.value.said("fr")


def test_ropes_and_backlash_are_refused_where_they_make_no_sense():
    rope = LINES["rope"]["rope"]
    for entries, problem in (
        ({"rope": rope, "length": -1}, "length: -1 is not positive."),
        ({"rope": rope}, 'the entry "length" is missing.'),
        ({"rope": rope, "length": 1, "friction": 0.2}, 'unknown entry "friction" for '),
        ({"rope": [["base", [0, 0, 0]], ["base", [1, 0, 0]]], "length": 2}, '"base"'),
        ({"coefficients": {"A_x": 1}, "play": 0}, "play: 0 is not positive."),
        ({"coefficients": {"A_u": 1}, "play": 1}, 'coordinate "A_u" does not exist.'),
    ):
        with pytest.raises(ModelError) as error:
            ts.load(model(**entries))
        assert problem in str(error.value)
        assert "contacts.it" in error.value.place


# --- an ellipsoid that rolls ----------------------------------------------------------------------


def test_an_ellipsoid_on_its_flat_side_rocks_as_its_height_and_its_inertia_at_the_contact_say():
    """ω² = m g (a² − c²)/c / (I + m c²) for small angles, h = √(a² sin²θ + c² cos²θ)."""
    a, c, m, I, g = 0.5, 0.2, 2.0, 0.05, 9.81
    omega = np.sqrt(m * g * (a**2 - c**2) / c / (I + m * c**2))
    mechanism = ts.load(
        {
            "gravity": [0, 0, -g],
            "bodies": {"egg": {"mass": m, "inertia": [0.04, I, 0.06]}},
            "joints": {"F": {"type": "free", "bodies": ["ground", "egg"]}},
            "constraints": {
                "floor": {
                    "type": "rolling",
                    "bodies": ["ground", "egg"],
                    "shape": "ellipsoid",
                    "radii": [a, 0.3, c],
                }
            },
            "initial": {"F_z": c, "F_wy": 1e-3, "F_x.": 1e-3 * c},
        }
    )
    run = ts.simulate(mechanism, 2 * np.pi / omega, rate=100, rtol=1e-10)
    np.testing.assert_allclose(run["F_wy"], 1e-3 * np.cos(omega * run.t), atol=2e-8)


def test_an_ellipsoid_is_drawn_with_its_volume():
    radii = np.array([0.5, 0.3, 0.2])
    solid = ellipsoid(radii, "own", 0.0)
    volume = 0.0
    for face in solid.faces:
        first, *others = solid.vertices[list(face)]
        volume += sum(np.linalg.det([first, *pair]) / 6 for pair in pairwise(others))
    assert volume == pytest.approx(4 / 3 * np.pi * radii.prod(), rel=0.05)


# --- contacts that move ---------------------------------------------------------------------------


def moving(inertia, contact, initial):
    """One free body with a contact on the ground."""
    return ts.load(
        {
            "gravity": [0, 0, -9.81],
            "bodies": {"ball": {"mass": 2.0, "inertia": [inertia] * 3}},
            "joints": {"F": {"type": "free", "bodies": ["ground", "ball"]}},
            "contacts": {"it": {"bodies": ["ground", "ball"], "radius": 0.1, **contact}},
            "initial": initial,
        }
    )


def test_a_ball_that_rolls_in_a_bowl_swings_as_a_pendulum_with_its_inertia():
    """ω² = g / (s − r) / (1 + I/(m r²)) for small angles."""
    start = {"F_x": 1e-3, "F_z": -np.sqrt(0.7**2 - 1e-6)}
    bowl = moving(0.008, {"on": "bowl", "surface_radius": 0.8, "friction": 0.3}, start)
    run, omega = ts.simulate(bowl, 2.0, rate=50), np.sqrt(9.81 / 0.7 / 1.4)
    np.testing.assert_allclose(run["F_x"], 1e-3 * np.cos(omega * run.t), atol=2e-9)


def test_a_pin_falls_through_its_clearance_and_no_further():
    hole = {"on": "hole", "surface_radius": 0.11, "surface_axis": "y"}
    run = ts.simulate(moving(0.02, hole, {"F_x": 0.002}), 0.3, rate=200)
    fallen = np.sqrt(0.01**2 - 0.002**2)
    assert run.events[0].t == pytest.approx(np.sqrt(2 * fallen / 9.81), rel=1e-9)
    assert np.hypot(run["F_x"], run["F_z"]).max() == pytest.approx(0.01, rel=1e-9)


LOOP = """
gravity: [0, 0, -9.81]
bodies: {b: {mass: 1, inertia: [0.004, 0.004, 0.004]}}
joints: {j: {type: free, bodies: [ground, b], coordinates: [x, y, z, qw, qx, qy, qz]}}
contacts:
  bowl: {bodies: [ground, b], shape: ball, radius: 0.1, on: bowl, surface_radius: 1, normal: AXIS,
         friction: FRICTION}
"""


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_ball_on_the_axis_of_a_bowl_falls_through_its_centre_to_its_bottom(coordinates):
    model = ts.load(LOOP.replace("AXIS", "z").replace("FRICTION", "0.3"))
    run = ts.simulate(model, 1.0, initial={"z": 0.5}, coordinates=coordinates)
    (shock,) = [x for x in run.events if x.cause == "shock"]
    assert shock.t == pytest.approx(np.sqrt(2 * (0.5 + 0.9) / 9.81), rel=1e-9)
    assert run["z"][-1] == pytest.approx(-0.9, abs=1e-9)


@pytest.mark.parametrize("aside", [0.0, 0.3])
@pytest.mark.parametrize("axis", ["x", "z", "-z", "[1, 0, 2]"])
def test_a_ball_slides_over_the_top_of_a_bowl_whatever_axis_its_tangents_are_turned_from(
    axis, aside
):
    """Without friction it keeps its energy and the moment of its momentum about the vertical."""
    model = ts.load(LOOP.replace("AXIS", axis).replace("FRICTION", "0"))
    start = {"z": -0.9, "x.": 9.0, "y.": aside, "j_wz": 1.0}
    run = ts.simulate(model, 1.0, initial=start, rate=50)
    assert run.events == ()
    square = run["x."] ** 2 + run["y."] ** 2 + run["z."] ** 2
    assert run["z"].max() > 0.899
    assert np.allclose(square / 2 + 9.81 * run["z"], (81 + aside**2) / 2 - 9.81 * 0.9, rtol=1e-8)
    assert np.allclose(run["x"] * run["y."] - run["y"] * run["x."], 0.0, atol=1e-7)


@pytest.mark.parametrize("friction", ["0.05", "0.9"])
def test_a_ball_that_rubs_over_the_top_of_a_bowl_moves_alike_whatever_the_tangents(friction):
    runs = []
    for axis in "yz":
        model = ts.load(LOOP.replace("AXIS", axis).replace("FRICTION", friction))
        start = {"z": -0.9, "x.": 9.0, "y.": 0.1}
        runs.append(ts.simulate(model, 0.6, initial=start, rate=50))
    first, second = runs
    assert first["z"].max() > 0.89
    assert np.allclose(first.q, second.q, atol=1e-6)
