"""Synthesis: exact gradients, closed forms of old, published linkages, limits that are kept."""

import json
from functools import cache

import numpy as np
import pytest

import torseur as ts
from torseur.cli.commands import commands
from torseur.design.solver import search_start
from torseur.design.synthesis_problem import Along, Grashof, ParameterConditions, SynthesisProblem
from torseur.design.targets import Law, Path, Peak, Shaking
from torseur.machine.compiled import compiled_at

TURN = 2 * np.pi


@cache
def four_bar():
    return ts.load(FOUR_BAR)


FOUR_BAR = {
    "name": "four-bar",
    "parameters": {
        "l1": 0.10, "l2": 0.30, "l3": 0.25, "l4": 0.30, "m1": 1.0, "m2": 0.6, "m3": 0.8,
        "c1": 0.05, "c2": "l2/2", "c3": 0.12, "px": 0.15, "py": 0.1,
    },
    "bodies": {
        "crank": {"mass": "m1", "centre": ["c1", 0, 0], "inertia": [0, 0, 0.001]},
        "coupler": {"mass": "m2", "centre": ["c2", 0, 0], "inertia": [0, 0, 0.004]},
        "rocker": {"mass": "m3", "centre": ["c3", 0, 0], "inertia": [0, 0, 0.003]},
    },
    "joints": {
        "A": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z", "coordinate": "alpha"},
        "B": {"type": "pivot", "bodies": ["crank", "coupler"], "axis": "z", "coordinate": "beta",
              "point": [["l1", 0, 0], [0, 0, 0]]},
        "D": {"type": "pivot", "bodies": ["ground", "rocker"], "axis": "z", "coordinate": "delta",
              "point": [["l4", 0, 0], [0, 0, 0]]},
        "C": {"type": "pivot", "bodies": ["coupler", "rocker"], "axis": "z", "coordinate": "gamma",
              "point": [["l2", 0, 0], ["l3", 0, 0]]},
    },
    "points": {"P": ["coupler", ["px", "py", 0]]},
    "initial": {
        "alpha": 0,
        "beta": "acos((l2^2 + (l4 - l1)^2 - l3^2)/(2*l2*(l4 - l1)))",
        "delta": "pi - acos((l3^2 + (l4 - l1)^2 - l2^2)/(2*l3*(l4 - l1)))",
    },
}  # fmt: skip


def differences(problem, start):
    """Jacobians of residuals and margins by central differences, and as they are computed."""
    found, step = start.evaluation, 1e-6
    columns = []
    for k in range(len(found.X)):
        sides = []
        for sign in (1, -1):
            X = found.X.copy()
            X[k] += sign * step
            there = problem.evaluated(X, start.evaluation.parts, found.postures)
            sides.append(np.concatenate([there.r, there.g]))
        columns.append((sides[0] - sides[1]) / (2 * step))
    return np.array(columns).T, np.concatenate([found.dr, found.dg])


def test_gradients_of_every_target_and_limit_are_those_of_differences():
    model = compiled_at(four_bar())
    design = ("l1", "l2", "l3", "m2", "c1", "px")
    given = np.array([model.parameters[name] for name in design])
    targets = (
        Path("P", [[0.1, 0.2], [0.15, 0.22], [0.05, 0.2]]),
        Path("P", [[0.1, 0.2], [0.12, 0.2]], timing=[0.3, 0.6], phase=True),
        Law("delta", [0.2, 0.9], [1.9, 2.0], offset=True, output_offset=True),
        Law("gamma", [0.5], [0.3]),  # a coordinate of the joint that closes the loop
        Shaking(force=0.7, moment=2.0, count=7),
        Shaking(harmonics=(1, 2), count=9),
        Peak("drive", count=5),
    )
    limits = (Along("slowness", least=0.1, most=5.0, count=6), Along("P.velocity.x", most=1.0))
    texts = (*Grashof("l1", "l2", "l3", "l4", 0.01).texts, "c2 <= 2*c1 + l3^2")
    problem = SynthesisProblem(
        model, "alpha", design, given / 2, given * 2, targets, (), limits,
        ParameterConditions(model, design, texts), 0.1, 3.0,
    )  # fmt: skip
    start = search_start(problem, given)
    taken, exact = differences(problem, start)
    # central differences: the square of the step times third derivatives, and rounding / step
    assert exact == pytest.approx(taken, rel=2e-6, abs=2e-6)


def test_three_precision_points_give_the_lengths_of_freudenstein():
    """R3 + (d/a) cos ψ − (d/c) cos φ = cos(φ − ψ), linear in the ratios (Freudenstein 1955)."""
    phi = np.array([0.6, 1.1, 1.7])
    psi = np.array([1.50, 1.58, 1.80])
    rows = np.column_stack([np.ones(3), np.cos(psi), -np.cos(phi)])
    R3, d_by_a, d_by_c = np.linalg.solve(rows, np.cos(phi - psi))
    d = 0.30
    a, c = d / d_by_a, d / d_by_c
    b = np.sqrt(a * a + c * c + d * d - 2 * a * c * R3)
    bounds = {"l1": (0.03, 0.29), "l2": (0.1, 1.0), "l3": (0.1, 1.0)}
    law = ts.synthesis.Law("delta", phi, psi)
    found = ts.synthesis.synthesise(four_bar(), "alpha", bounds, [law], starts=0)
    assert found.cost < 1e-24
    assert [found.after[x] for x in ("l1", "l2", "l3")] == pytest.approx([a, b, c], rel=1e-9)


def test_counterweights_balance_the_force_of_a_four_bar_as_berkof_and_lowen_say():
    """m1 c1 = −m2 l1 (1 − c2/l2), m3 c3 = −m2 l3 c2/l2 (Berkof & Lowen 1969, in-line links)."""
    bounds = {"c1": (-0.5, 0.5), "c3": (-0.5, 0.5)}
    shaking = ts.synthesis.Shaking()
    found = ts.synthesis.synthesise(four_bar(), "alpha", bounds, [shaking], starts=0, speed=20.0)
    assert found.after["c1"] == pytest.approx(-0.6 * 0.10 * 0.5 / 1.0, abs=1e-12)
    assert found.after["c3"] == pytest.approx(-0.6 * 0.25 * 0.5 / 0.8, abs=1e-12)
    assert found.cost < 1e-20 * found.cost_before


def test_half_of_the_reciprocating_mass_balances_the_first_harmonic_of_a_slider_crank():
    """The rod counts as two masses at its ends; √(l² − r² sin²) has even harmonics only."""
    r, m2, m3, m = 0.1, 0.8, 0.5, 2.0
    crank = ts.load({
        "name": "slider-crank with a counterweight",
        "parameters": {"r": r, "l": 0.3, "m": m, "m2": m2, "m3": m3, "c": 0.0},
        "bodies": {
            "crank": {"mass": "m", "centre": ["c", 0, 0]},
            "rod": {"mass": "m2", "centre": ["l/2", 0, 0]},
            "piston": {"mass": "m3"},
        },
        "joints": {
            "O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z",
                  "coordinate": "alpha"},
            "A": {"type": "pivot", "bodies": ["crank", "rod"], "axis": "z", "coordinate": "beta",
                  "point": [["r", 0, 0], [0, 0, 0]]},
            "B": {"type": "pivot", "bodies": ["rod", "piston"], "axis": "z", "coordinate": "psi",
                  "point": [["l", 0, 0], [0, 0, 0]]},
            "P": {"type": "prismatic", "bodies": ["ground", "piston"], "axis": "x",
                  "coordinate": "x"},
        },
        "initial": {"alpha": 0, "beta": 0, "psi": 0, "x": "r + l"},
    })  # fmt: skip
    first = ts.synthesis.Shaking(harmonics=(1,))
    found = ts.synthesis.synthesise(crank, "alpha", {"c": (-1.0, 1.0)}, [first], starts=0)
    rotating, reciprocating = m2 / 2, m3 + m2 / 2
    assert m * found.after["c"] == pytest.approx(-r * (rotating + reciprocating / 2), rel=1e-10)


@cache
def straight_line():
    """Chebyshev's lambda linkage: crank 1, ground 2, coupler and rocker 2.5, point at 5."""
    data = FOUR_BAR | {
        "name": "lambda",
        "parameters": FOUR_BAR["parameters"]
        | {"l1": 1.0, "l2": 2.5, "l3": 2.5, "l4": 2.0, "px": 5.0, "py": 0.0},
    }
    return ts.load(data)


def misfit(l1, l2, l3, l4, px, py, point):
    """How far the rocker is from closing where the coupler point is at a place, by circles."""
    wide, reach = np.hypot(*point), np.hypot(px, py)
    along = (l1**2 - reach**2 + wide**2) / (2 * wide)
    u = np.array(point) / wide
    found = []
    for side in (1, -1):
        B = along * u + side * np.sqrt(l1**2 - along**2) * np.array([-u[1], u[0]])
        turn = complex(*(np.array(point) - B)) / complex(px, py)
        C = complex(*B) + l2 * turn
        found.append(abs(abs(C - l4) - l3))
    return min(found)


@pytest.mark.slow
def test_a_coupler_point_passes_the_five_points_of_morgan_and_wampler_exactly():
    """Problem 7 of Morgan and Wampler (1990), J. Mech. Des. 112, 544-550: fixed axes at (0, 0) and
    (1, 0), five points on a line; its solutions, found there by continuation, are exact."""
    points = [[-0.83, -0.27], [-0.34, 0.22], [-0.13, 0.43], [0.22, 0.78], [0.50, 1.06]]
    model = compiled_at(four_bar(), {"l1": 0.4, "l2": 1.2, "l3": 1.1, "l4": 1.0})
    lengths = {name: (0.1, 1.5) for name in ("l1", "l2", "l3")}
    found = ts.synthesis.synthesise(
        model, "alpha", {**lengths, "px": (-1.5, 1.5), "py": (-1.5, 1.5)},
        [Path("P", points)], starts=120, refined=20, seed=1, steps=400,
    )  # fmt: skip
    assert found.cost < 1e-24
    after = [found.after.get(n, 1.0) for n in ("l1", "l2", "l3", "l4", "px", "py")]
    assert max(misfit(*after, point) for point in points) < 1e-12


def test_a_linkage_is_straighter_than_that_of_chebyshev():
    inputs = np.linspace(np.pi / 2, 3 * np.pi / 2, 19)  # half a turn, about the middle
    height = ts.synthesis.Law("P.y", inputs, np.full(19, 4.0), angle=False)
    stroke = ts.synthesis.Law("P.x", inputs[[0, -1]], [4.0, 0.0], angle=False)
    bounds = {name: (0.5, 6.0) for name in ("l1", "l2", "l3", "px")} | {"py": (-1.0, 1.0)}
    found = ts.synthesis.synthesise(
        straight_line(), "alpha", bounds, [height, stroke],
        constraints=[ts.synthesis.Grashof("l1", "l2", "l3", "l4")], starts=0,
    )  # fmt: skip
    assert found.kept
    assert found.cost < found.cost_before / 4


def test_the_smallest_peak_is_that_of_chebyshevs_polynomial():
    """a sin t + sin 3t = (a + 3) s − 4 s³ is least in size where it is −T₃(s): a = 0, peak 1."""
    crank = {
        "name": "crank",
        "parameters": {"a": 0.7},
        "bodies": {"crank": {"mass": 1}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z",
                         "coordinate": "t1"}},
    }  # fmt: skip
    peak = ts.synthesis.Peak("a*sin(t1) + sin(3*t1)", count=12)
    found = ts.synthesis.synthesise(crank, "t1", {"a": (-2.0, 2.0)}, [peak], starts=0)
    assert found.after["a"] == pytest.approx(0.0, abs=1e-7)
    assert found.cost == pytest.approx(1.0, abs=1e-7)


@pytest.mark.slow
def test_limits_hold_and_cost_something():
    law = ts.synthesis.Law("delta", [0.6, 1.1, 1.7], [1.50, 1.58, 1.80])
    bounds = {"l1": (0.03, 0.29), "l2": (0.1, 1.0), "l3": (0.1, 1.0)}
    least = 0.9
    found = ts.synthesis.synthesise(
        four_bar(), "alpha", bounds, [law], starts=0,
        steps=40,
        constraints=[ts.synthesis.transmission("gamma", least, count=16), "l2 <= l4",
                     ts.synthesis.turning(0.1, count=6)],
    )  # fmt: skip
    assert found.kept and found.turns
    run = ts.assemble(found.mechanism, {"alpha": 0.0})
    assert run.closure_error < 1e-12
    l1, l2, l3, l4 = (found.mechanism.parameters[f"l{k}"] for k in (1, 2, 3, 4))
    for reach in (l4 - l1, l4 + l1):  # the extremes of the transmission angle, law of cosines
        angle = np.arccos((l2**2 + l3**2 - reach**2) / (2 * l2 * l3))
        assert least - 0.05 < angle < np.pi - least + 0.05  # between 16 stations of the turn
    assert l2 <= l4 + 1e-8


def test_a_stiffness_gives_the_period_that_is_wanted():
    mass = {
        "name": "mass on a spring",
        "parameters": {"k": 30.0, "m": 2.0},
        "bodies": {"block": {"mass": "m"}},
        "joints": {"S": {"type": "prismatic", "bodies": ["ground", "block"], "axis": "x",
                         "coordinate": "x"}},
        "forces": {"spring": {"type": "joint", "joint": "S", "value": "-k*x"}},
        "initial": {"x": 1.0},
    }  # fmt: skip
    quarter = 0.5  # [s]: x = 0 first after a quarter of the period, √(m/k) π/2
    response = ts.synthesis.Response("x", [quarter], [0.0])
    found = ts.synthesis.synthesise(mass, "x", {"k": (5.0, 60.0)}, [response], starts=0)
    assert found.after["k"] == pytest.approx(2.0 * (np.pi / 2 / quarter) ** 2, rel=1e-6)


def test_the_best_ratio_of_a_pure_inertia_is_the_root_of_inertias():
    arm = {
        "name": "arm",
        "parameters": {"J": 0.8},
        "bodies": {"arm": {"mass": 1, "inertia": [0, 0, "J"]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z",
                         "coordinate": "q1"}},
    }  # fmt: skip
    task = ts.robots.inverse(arm, ts.robots.quintic({"q1": [0.0, 1.0]}, [0.0, 1.0]))
    found = ts.synthesis.motor_ratios(task, {"q1": {"ratio": 10, "rotor_inertia": 2e-4}})
    assert found.ratios["q1"] == pytest.approx(np.sqrt(0.8 / 2e-4), rel=1e-6)
    assert found.after["q1"].peak < found.before["q1"].peak


STUDY = """
mechanism: four_bar.yaml
driver: alpha
variables: {l1: [3 cm, 0.29], l2: [0.1, 1.0], l3: [0.1, 1.0]}
targets:
  - law: {output: delta, inputs: [0.6, 1.1, 1.7], wanted: [1.50, 1.58, 1.80]}
constraints: [l1 <= l4]
starts: 0
"""


def test_a_study_is_a_file_and_the_new_mechanism_another(tmp_path, capsys):
    four_bar().save(tmp_path / "four_bar.yaml")
    (tmp_path / "study.yaml").write_text(STUDY)
    new, picture = tmp_path / "new.yaml", tmp_path / "law.png"
    arguments = [str(tmp_path / "study.yaml"), "-o", str(new), "--plot", str(picture), "--json"]
    commands(["synthesise", *arguments], standalone_mode=False)
    told = json.loads(capsys.readouterr().out)
    assert told["kept"] and told["cost"] < 1e-24 and picture.stat().st_size > 1000
    for angle, wanted in ((0.6, 1.50), (1.1, 1.58), (1.7, 1.80)):
        there = ts.assemble(ts.load(new), {"alpha": angle}, pinned=("alpha",))
        assert there.coordinates["delta"] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("driver: alpha", "driver: omega", "omega"),
        ("l1: [3 cm, 0.29]", "l1: [0.29, 3 cm]", "bounds"),
        ("l1 <= l4", "l1 + l4", "inequality"),
        ("- law", "- lawn", "lawn"),
        ("output: delta", "output: B.force.x", "reaction"),
        ("inputs: [0.6,", "inputs: [0.6, 0.7,", "inputs"),
        ("- law: {", "- path: {point: P, points: [[0, 1], [1]]}\n  - law: {", "no array"),
    ],
)
def test_faults_of_a_study_are_told(tmp_path, old, new, told):
    four_bar().save(tmp_path / "four_bar.yaml")
    (tmp_path / "study.yaml").write_text(STUDY.replace(old, new))
    with pytest.raises(ts.ModelError, match=told):
        ts.synthesis.load_study(tmp_path / "study.yaml").run()


def test_a_target_that_cannot_be_made_is_told_at_its_place_in_the_file(tmp_path):
    four_bar().save(tmp_path / "four_bar.yaml")
    (tmp_path / "study.yaml").write_text(STUDY.replace("inputs: [0.6,", "inputs: [0.6, 0.7,"))
    with pytest.raises(ts.ModelError, match=r"study\.yaml:6:") as told:
        ts.synthesis.load_study(tmp_path / "study.yaml")
    assert "3 values are given for 4 inputs" in str(told.value)


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda: Path("P", [[0.1, 0.2], [0.3]]), "no array of numbers"),
        (lambda: Path("P", [[0.1, 0.2]], timing="soon"), "no array of numbers"),
        (lambda: Law("delta", ["far"], [1.0]), "no array of numbers"),
        (lambda: ts.synthesis.Response("delta", [0.1, [0.2]], [1.0]), "no array of numbers"),
        (lambda: Law("delta", [], []), "no row of numbers"),
        (lambda: Peak("drive", inputs=[[1.0, 2.0]]), "no row of numbers"),
        (lambda: Along("delta", least=0.1, inputs=[[1.0, 2.0]]), "no row of numbers"),
        (lambda: Along("delta", least=0.1, count=0), "0 places"),
        (lambda: Peak("drive", count=0), "0 places"),
        (lambda: Shaking(count=-1), "-1 places"),
    ],
)
def test_what_a_target_or_a_limit_cannot_be_made_of_is_refused_with_its_value(make, told):
    with pytest.raises(ts.ModelError, match=told):
        make()
