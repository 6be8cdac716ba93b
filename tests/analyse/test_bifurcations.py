"""Where equilibria appear, meet and lose stability: critical values known in closed form."""

import json

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import FOLDER, model, parameters
from test_equilibria import G

import torseur as ts
from torseur.analyse.bifurcations.continuation import ContinuationSteps
from torseur.cli.main import commands

QUICK = ContinuationSteps(first=0.02, longest=0.12)


# A mass of 1 kg on a rail; the coefficients of the force choose its bifurcation at mu = 0.
SLIDE = ts.compile(ts.load({
    "parameters": {"mu": 0.0, "push": 0.0, "tilt": 0.0, "square": 0.0, "cube": 0.0, "grip": 0.0,
                   "drag": 0.0, "bend": 0.0, "stiff": 0.0},
    "bodies": {"mass": {"mass": 1}},
    "joints": {"rail": {"type": "prismatic", "bodies": ["ground", "mass"], "axis": "x",
                        "coordinate": "x"}},
    "forces": {"push": {"type": "joint", "joint": "rail", "value": "push*mu + (tilt*mu - stiff)*x"
               " + square*x^2 + cube*x^3 + (grip*mu - drag + bend*x^2)*x."}},
}))  # fmt: skip
NORMAL_FORMS = {
    "supercritical pitchfork": {"tilt": 1, "cube": -1, "drag": 0.3},
    "subcritical pitchfork": {"tilt": 1, "cube": 1, "drag": 0.3},
    "transcritical": {"tilt": 1, "square": -1, "drag": 0.3},
    "supercritical hopf": {"grip": 1, "bend": -1, "stiff": 4},
    "subcritical hopf": {"grip": 1, "bend": 1, "stiff": 4},
}


@pytest.mark.parametrize("name", NORMAL_FORMS)
def test_normal_forms_are_found_and_told_apart(name):
    slide = SLIDE.with_parameters(**NORMAL_FORMS[name])
    diagram = ts.stability.bifurcations(slide, "mu", (-1.1, 0.9), at={"x": 0.0}, steps=QUICK)
    (found,) = diagram
    assert f"{found.criticality} {found.kind}".strip() == name
    assert found.value == pytest.approx(0, abs=1e-10)
    if found.kind == "hopf":
        assert found.frequency == pytest.approx(2, rel=1e-9)
        assert len(diagram.branches) == 1
        return
    assert len(diagram.branches) == 3
    first, *others = diagram.branches
    np.testing.assert_array_equal(first.stable, first.values < 1e-10)
    power = 1 if name == "transcritical" else 2
    sign = -1 if found.criticality == "subcritical" else 1
    for branch in others:
        np.testing.assert_allclose(sign * branch["x"] ** power, branch.values, atol=1e-9)
        away = np.abs(branch.values) > 1e-6
        np.testing.assert_array_equal(branch.stable[away], branch.values[away] > 0)


def test_a_branch_goes_round_its_fold():
    slide = SLIDE.with_parameters(push=1, square=-1, drag=0.3)
    diagram = ts.stability.bifurcations(slide, "mu", (1, -1), at={"x": 1.0}, steps=QUICK)
    (fold,) = diagram
    assert fold.kind == "fold"
    assert (fold.value, fold.at.coordinates["x"]) == pytest.approx((0, 0), abs=1e-9)
    (branch,) = diagram.branches
    np.testing.assert_allclose(branch.values, branch["x"] ** 2, atol=1e-9)
    assert branch["x"][-1] == pytest.approx(-1, abs=1e-9)
    np.testing.assert_array_equal(branch.stable, branch["x"] > -1e-9)


def test_a_shallow_truss_snaps_through_at_its_known_load():
    """Two springs of stiffness k and length L0 from (±b, 0) to the load: F = 2 k (L0/L − 1) y."""
    k, b, h = 1000.0, 1.0, 0.3
    truss = ts.load({
        "parameters": {"F": 0.0},
        "bodies": {"node": {"mass": 1}},
        "joints": {"guide": {"type": "prismatic", "bodies": ["ground", "node"], "axis": "y",
                             "coordinate": "y"}},
        "forces": {
            **{f"bar{s}": {"type": "spring", "stiffness": k, "length": float(np.hypot(b, h)),
                           "between": [["ground", [s * b, 0, 0]], ["node", [0, 0, 0]]]}
               for s in (-1, 1)},
            "load": {"type": "joint", "joint": "guide", "value": "-F"},
        },
        "initial": {"y": h},
    })  # fmt: skip
    length = np.hypot(b, h)
    snap = np.sqrt((length * b**2) ** (2 / 3) - b**2)  # where L³ = L0 b²
    load = 2 * k * (length / np.hypot(b, snap) - 1) * snap
    found = ts.stability.bifurcations(truss, "F", (-2 * load, 2 * load), at={"y": 0.5}, steps=QUICK)
    assert [x.kind for x in found] == ["fold", "fold"]
    assert [x.value for x in found] == pytest.approx([-load, load], rel=1e-8)


def test_two_bars_buckle_at_2_C_over_l_into_stable_branches():
    p = parameters("buckling_two_bars")
    critical = 2 * p.C / p.l
    straight = {"theta": 0.0, "bend": 0.0}
    diagram = ts.stability.bifurcations(
        model("buckling_two_bars"), "F", (20.0, 70.0), at=straight, steps=QUICK
    )
    (found,) = diagram
    assert (found.criticality, found.kind) == ("supercritical", "pitchfork")
    assert found.value == pytest.approx(critical, rel=1e-10)
    for branch in diagram.branches[1:]:
        theta = branch["theta"][1:]
        np.testing.assert_allclose(branch.values[1:] / critical, theta / np.sin(theta), rtol=1e-9)
        assert branch.stable.all()


def test_three_bars_buckle_at_C_over_l_and_at_3_C_over_l():
    p = parameters("buckling_three_bars")
    straight = {"theta": 0.0, "bend1": 0.0}
    found = ts.stability.bifurcations(
        model("buckling_three_bars"), "F", (10.0, 90.0), at=straight, switch=False, steps=QUICK
    )
    assert [x.kind for x in found] == ["pitchfork", "pitchfork"]
    assert [x.value for x in found] == pytest.approx([p.C / p.l, 3 * p.C / p.l], rel=1e-10)
    # y1 = y2 first, then y1 = −y2: the middle bar stays parallel, or turns twice as far back
    first, second = (x.mode.shape for x in found)
    assert first["bend1"] / first["theta"] == pytest.approx(-1, abs=1e-6)
    assert second["bend1"] / second["theta"] == pytest.approx(-3, abs=1e-6)


def test_a_governor_opens_above_its_critical_speed():
    """Ω_c² = (m l + m' a) g/(m l²), then cos α = Ω_c²/Ω²."""
    p = parameters("even_governor")
    critical = np.sqrt((p.m * p.l + p.ms * p.a) * p.g / (p.m * p.l**2))
    closed_in = {"alpha": 0.0, "beta": 0.0, "z": 2 * p.a}
    diagram = ts.stability.bifurcations(
        model("even_governor"), "Omega", (5.0, 14.0), at=closed_in, steps=QUICK
    )
    (found,) = diagram
    assert (found.criticality, found.kind) == ("supercritical", "pitchfork")
    assert found.value == pytest.approx(critical, rel=1e-10)
    for branch in diagram.branches[1:]:
        np.testing.assert_allclose(
            np.cos(branch["alpha"]), (critical / branch.values) ** 2, rtol=1e-9
        )
        assert branch.stable.all()


def test_a_rolling_disc_stands_up_above_its_critical_speed():
    """v² = g r/3 for the thin uniform disc: a divergence, no other straight rolling being there."""
    r = parameters("rolling_disc").r
    diagram = ts.stability.bifurcations(
        model("rolling_disc"), "phi.", (1.0, 9.0), given={"phi.": 1.0, "psi.": 0.0}, steps=QUICK
    )
    (found,) = diagram
    assert found.kind == "divergence"
    assert (r * found.value) ** 2 == pytest.approx(G * r / 3, rel=1e-8)
    (branch,) = diagram.branches
    np.testing.assert_array_equal(branch.stable, branch.values >= found.value - 1e-9)
    slow, fast = branch.at(3.5)[0], branch.at(3.6)[0]
    assert slow.stable.word == "unstable"
    assert fast.stable.word == "linearly stable"


def test_a_slider_on_a_turning_arm_escapes_where_m_omega_squared_comes_to_k():
    p = parameters("turning_arm")
    diagram = ts.stability.bifurcations(model("turning_arm"), "omega", (8.0, 20.0), at={"lam": 0.3})
    (found,) = diagram
    assert found.kind == "escape"
    assert p.m * found.value**2 == pytest.approx(p.k, rel=1e-10)
    (branch,) = diagram.branches
    assert branch.end == "escape"
    assert branch.stable.all()
    lam = (p.k * p.l0 + p.m * branch.values**2 * p.a) / (p.k - p.m * branch.values**2)
    np.testing.assert_allclose(branch["lam"], lam, rtol=1e-9)
    softer = ts.stability.bifurcations(model("turning_arm"), "k", (120.0, 20.0), at={"lam": 0.3})
    assert [x.kind for x in softer] == ["escape"]
    assert softer[0].value == pytest.approx(p.m * p.omega**2, rel=1e-10)
    assert "runs away to infinity" in str(softer)


def test_a_pitchfork_is_one_from_whichever_branch_it_is_met():
    """The governor of TD 2 opens below ω_c² = k c (c − λ₀)/(M b (a + b))."""
    p = parameters("speed_governor_relation")
    critical = np.sqrt(p.k * p.c * (p.c - p.lam0) / (p.M * p.b * (p.a + p.b)))
    diagram = ts.stability.bifurcations(
        model("speed_governor_relation"), "alpha.", (20.0, 30.0), given={"alpha.": 20.0},
        parameters={"Cm": 0}, steps=QUICK,
    )  # fmt: skip
    (found,) = diagram
    assert (found.criticality, found.kind) == ("supercritical", "pitchfork")
    assert found.value == pytest.approx(critical, rel=1e-9)
    tip, *trunk = diagram.branches
    assert np.abs(tip["beta"]).max() > 0.5
    assert len(trunk) == 2
    for branch in trunk:
        np.testing.assert_allclose(branch["beta"], 0, atol=1e-9)
        away = np.abs(branch.values - critical) > 1e-6
        np.testing.assert_array_equal(branch.stable[away], branch.values[away] > critical)


def test_two_eigenvalues_that_cross_at_once_are_not_missed():
    """With two arms that open on their own, both lose their hold at Ω_c; the loops are singular."""
    p = parameters("ball_governor")
    critical = np.sqrt((p.m * p.l + p.ms * p.a) * G / (p.m * p.l**2))
    closed_in = {"alpha1": 0.0, "alpha2": 0.0, "z": 2 * p.a}
    (found,) = ts.stability.bifurcations(
        model("ball_governor"), "Omega", (7.0, 10.0), at=closed_in, steps=QUICK
    )
    assert found.kind == "divergence"
    assert found.value == pytest.approx(critical, rel=1e-8)


def test_a_branch_that_is_not_followed_to_the_end_says_so():
    few = ContinuationSteps(first=0.02, longest=0.02, most=3)
    diagram = ts.stability.bifurcations(
        SLIDE.with_parameters(tilt=1, cube=-1, drag=0.3), "mu", (-1.0, 1.0), at={"x": 0.0},
        steps=few,
    )  # fmt: skip
    assert diagram.branches[0].end == "steps"
    assert "most points" in str(diagram)


SPRING = {"type": "torsion spring", "stiffness": 5.0}
DAMPER = {"type": "torsion damper", "damping": "b"}
# Ziegler's column: two bars, masses 2 m and m, a load that follows the second bar.
ZIEGLER = ts.compile(ts.load({
    "parameters": {"m": 1.3, "l": 0.7, "P": 1.0, "b": 0.0},
    "bodies": {"one": {"mass": "2*m", "centre": ["l", 0, 0]},
               "two": {"mass": "m", "centre": ["l", 0, 0]}},
    "joints": {
        "O": {"type": "pivot", "bodies": ["ground", "one"], "axis": "z", "coordinate": "q1"},
        "A": {"type": "pivot", "bodies": ["one", "two"], "axis": "z", "coordinate": "q2",
              "point": [["l", 0, 0], [0, 0, 0]]},
    },
    "forces": {
        **{f"s{j}": SPRING | {"joint": j} for j in "OA"},
        **{f"d{j}": DAMPER | {"joint": j} for j in "OA"},
        "P": {"type": "wrench", "body": "two", "point": ["l", 0, 0], "force": ["-P", 0, 0],
              "frame": "body"},
    },
}))  # fmt: skip


def test_a_column_under_a_following_load_flutters():
    """(7/2 − √2) k/l without damping; no static method finds it."""
    k, l = 5.0, 0.7
    (found,) = ts.stability.bifurcations(ZIEGLER, "P", (1.0, 20.0), steps=QUICK)
    assert found.kind == "flutter"
    assert found.value == pytest.approx((3.5 - np.sqrt(2)) * k / l, rel=1e-8)
    below = ts.linearise(ZIEGLER)
    assert np.abs(below.circulatory).max() > 0.1
    assert below.stable.word == "linearly stable"


@pytest.mark.parametrize("b", [0.01, 0.3])
def test_a_little_damping_makes_it_flutter_earlier(b):
    """41/28 k/l + b²/(2 m l³), by the criterion of Routh and Hurwitz."""
    k, l, m = 5.0, 0.7, 1.3
    (found,) = ts.stability.bifurcations(
        ZIEGLER, "P", (1.0, 20.0), parameters={"b": b}, steps=QUICK
    )
    assert found.kind == "hopf"
    assert found.value == pytest.approx(41 / 28 * k / l + b**2 / (2 * m * l**3), rel=1e-8)


def test_a_diagram_is_drawn_and_told(tmp_path):
    picture = tmp_path / "diagram.svg"
    answer = CliRunner().invoke(
        commands,
        ["bifurcations", str(FOLDER / "buckling_two_bars.yaml"), "--parameter", "F", "--from", "30",
         "--to", "50", "--at", "theta=0", "--at", "bend=0", "--plot", str(picture), "--of", "theta",
         "--json"],
    )  # fmt: skip
    document = json.loads(answer.stdout)
    assert document["bifurcations"][0]["kind"] == "pitchfork"
    assert (
        "supercritical pitchfork" in picture.read_text(encoding="utf-8") or picture.stat().st_size
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nu", (0, 1)), 'parameter "nu" does not exist'),
        (("mu", (1, 1)), "the span goes from 1.0 to 1.0"),
    ],
)
def test_a_span_that_cannot_be_followed_is_refused(arguments, message):
    with pytest.raises(ts.ModelError, match=message):
        ts.stability.bifurcations(SLIDE, *arguments)


def test_a_straight_column_leaves_at_its_growth_rate_and_swings_about_the_buckled_state():
    p = parameters("buckling_two_bars")
    critical = 2 * p.C / p.l
    load = 1.2 * critical
    column = model("buckling_two_bars").with_parameters(F=load)
    start = {"theta": 1e-6, "bend": -2e-6, "x": 2 * p.l}
    run = ts.simulate(column, 4.0, rate=100, initial=start, rtol=1e-10)
    theta = np.abs(run["theta"])
    small = slice(*np.searchsorted(theta[: theta.argmax()], [1e-4, 1e-3]))
    rates = np.gradient(np.log(theta[small]), run.t[small])[1:-1]
    growth = np.sqrt(2 * (load - critical) / (p.m * p.l))
    np.testing.assert_allclose(rates, growth, rtol=1e-3)  # cosh σt is an exponential by then
    # it turns back where E_p = 2 C θ² + 2 F l cos θ is what it was: beyond the buckled equilibrium
    far = theta.max()
    assert 2 * p.C * far**2 == pytest.approx(2 * load * p.l * (1 - np.cos(far)), rel=1e-3)
    # bars folded onto each other, bend = π, stand still at any theta: another, singular branch
    stood = [x.coordinates for x in ts.equilibria(column, box={"theta": (-1.5, 1.5)})]
    buckled = max(x["theta"] for x in stood if abs(x["bend"]) < 3)
    assert load / critical == pytest.approx(buckled / np.sin(buckled), rel=1e-9)
    assert 0.5 * far < buckled < far


@pytest.mark.parametrize("switch", [True, False])
def test_a_diagram_shows_the_coordinate_that_bifurcates(switch):
    """The cart follows F all the way; the bar on it buckles at F = 2."""
    made = ts.load({
        "gravity": [0, 0, 0],
        "parameters": {"F": 1.0},
        "bodies": {"cart": {"mass": 1},
                   "bar": {"mass": 1, "centre": [0, 0.5, 0], "inertia": [0.1, 0.1, 0.1]}},
        "joints": {
            "rail": {"type": "prismatic", "bodies": ["ground", "cart"], "axis": "x",
                     "coordinate": "x"},
            "A": {"type": "pivot", "bodies": ["cart", "bar"], "axis": "z", "coordinate": "phi"},
        },
        "forces": {"k": {"type": "joint", "joint": "rail", "value": "-3*(x - F)"},
                   "c": {"type": "joint", "joint": "A", "value": "-2*phi + F*sin(phi)"}},
    })  # fmt: skip
    found = ts.stability.bifurcations(made, "F", (1.0, 2.2), switch=switch)
    assert [x.kind for x in found.bifurcations] == ["pitchfork"]
    assert "phi" in found.plot().axes[0].get_ylabel()
    assert "x" in found.plot("x").axes[0].get_ylabel()
