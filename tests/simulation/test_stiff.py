"""Stiff systems: the implicit integrator, the automatic choice of one, and failures explained."""

import numpy as np
import pytest
from same_text import tells
from scipy.integrate import Radau as ScipyRadau
from scipy.linalg import expm
from scipy.special import ellipk
from test_integrators import (
    EARTH,
    along_the_circle,
    back_on_the_circle,
    compiled,
    order,
    oscillation,
    problem,
    swing,
    taut,
)
from test_simulate import FOUR_BAR, GUESS, MODELS

import torseur as ts
from torseur.equations.functions.held_rows import FREE
from torseur.machine.integrators.codes import Code
from torseur.machine.integrators.drive import integrate
from torseur.machine.integrators.methods import Radau
from torseur.simulation.constraints.numeric_constraints import NumericConstraints
from torseur.simulation.formulations.joint import JointFormulation
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.stiffness import fastest, implicit
from torseur.simulation.start.independent import independent_rows

# --- the method ---------------------------------------------------------------------------------


def van_der_pol(y, t):
    return y[1], 1_000_000 * ((1 - y[0] ** 2) * y[1] - y[0])


def van_der_pol_derivative(y, t):
    return 0, 1, 1_000_000 * (-2 * y[0] * y[1] - 1), 1_000_000 * (1 - y[0] ** 2)


def robertson(y, t):
    slow, fast, middle = y[0] / 25, 30_000_000 * y[1] ** 2, 10_000 * y[1] * y[2]
    return -slow + middle, slow - middle - fast, fast


@pytest.mark.parametrize("derivative", [None, van_der_pol_derivative])
def test_van_der_pol_ends_where_the_test_set_says(derivative):
    # Mazzia and Magherini (2008), Test Set for Initial Value Problem Solvers, release 2.4: VDPOL
    method = Radau(1e-8, derivative=derivative and compiled(2, derivative))
    run = integrate(problem(2, van_der_pol), [2.0, 0.0], [0.0, 2.0], method)
    np.testing.assert_allclose(run.state, [1.706167732170483, -0.8928097010247975], rtol=1e-7)
    assert run.steps < 2e6 / 300  # explicit steps are shorter than 6 of the fastest times, 1e-6


def test_robertson_ends_where_the_test_set_says_and_keeps_its_sum():
    # the same test set: ROBER
    run = integrate(problem(3, robertson), [1.0, 0.0, 0.0], [0.0, 1e11], Radau(1e-9, 1e-19))
    known = [0.2083340149701255e-7, 0.8333360770334713e-13, 0.9999999791665050]
    np.testing.assert_allclose(run.state, known, rtol=1e-7)
    assert run.state.sum() == pytest.approx(1.0, abs=1e-13)  # as by every Runge-Kutta method


def oscillation_error(h, between):
    """Of a period, at its end or between the steps; the iteration is exact as this is linear."""
    times = np.linspace(0.0, 2 * np.pi, 173 if between else 2)
    exact = np.stack([np.cos(times), -np.sin(times)], axis=1)
    method = Radau(1e-4, 1e-4, max_step=h)
    return np.abs(integrate(problem(2, oscillation), exact[0], times, method).states - exact).max()


@pytest.mark.parametrize(("between", "known"), [(False, 5), (True, 4)])
def test_the_error_has_the_order_of_the_method_and_of_its_polynomial(between, known):
    found = order(lambda h: oscillation_error(h, between), 2 * np.pi / 40)
    assert found == pytest.approx(known, abs=0.1)


@pytest.mark.parametrize("seed", range(3))
def test_a_linear_system_follows_its_exponential(seed):
    rng = np.random.default_rng(seed)
    n = int(rng.integers(2, 12))
    V = rng.normal(size=(n, n)) + 3 * np.eye(n)
    A = V @ np.diag(-(10.0 ** rng.uniform(0, 5, n))) @ np.linalg.inv(V)
    start = rng.normal(size=n)
    linear = problem(n, lambda y, t: [sum(a * x for a, x in zip(row, y, strict=True)) for row in A])
    run = integrate(linear, start, [0.0, 0.3], Radau(1e-8, 1e-10))
    np.testing.assert_allclose(run.state, expm(0.3 * A) @ start, rtol=0, atol=1e-6)
    assert run.steps < 1000


def test_a_fast_decay_does_not_shorten_the_steps():
    fast = problem(1, lambda y, t: (1e8 * (np.cos(t) - y[0]),))
    times = np.linspace(0.0, 10.0, 50)
    run = integrate(fast, [1.0], times, Radau(1e-6))
    assert run.steps < 500
    np.testing.assert_allclose(run.states[:, 0], np.cos(times), rtol=0, atol=2e-6)


def test_projection_keeps_a_particle_on_its_circle():
    hung = problem(4, taut, project_positions=back_on_the_circle, project_speeds=along_the_circle)
    run = integrate(hung, [1.0, 0.0, 0.0, 0.0], np.linspace(0.0, 10.0, 500), Radau(1e-5))
    x, y, u, v = run.states.T
    np.testing.assert_allclose(np.hypot(x, y), 1.0, rtol=0, atol=1e-12)
    np.testing.assert_allclose(x * u + y * v, 0.0, rtol=0, atol=1e-12)


def test_events_are_those_of_the_motion():
    quarter = ellipk(np.sin(1.0) ** 2)
    watched = problem(2, swing, lambda y, t: (y[0],), (0,), (False,))
    run = integrate(watched, [2.0, 0.0], [0.0, 6 * quarter], Radau(1e-10))
    times = [event.time for event in run.events]
    np.testing.assert_allclose(times, quarter * np.array([1, 3, 5]), rtol=1e-8)


def test_pauses_change_nothing():
    times = np.linspace(0.0, 1.0, 30)
    runs = [
        integrate(problem(2, van_der_pol), [2.0, 0.0], times, Radau(1e-6), pause=pause)
        for pause in (60.0, 0.0)
    ]
    assert np.array_equal(runs[0].states, runs[1].states)
    assert runs[0].steps == runs[1].steps


@pytest.mark.parametrize(
    ("rate", "code", "end"),
    [
        (lambda y, t: (y[0] ** 2,), Code.STEP_TOO_SMALL, 1.0),  # y = 1 / (1 − t)
        (lambda y, t: (np.sqrt(1 - t),), Code.NOT_FINITE, 1.0),
    ],
)
def test_a_motion_that_ends_ends_the_run(rate, code, end):
    run = integrate(problem(1, rate), [1.0], [0.0, 0.5, 2.0], Radau(1e-6))
    assert run.code in (code, Code.NOT_FINITE)
    assert run.time == pytest.approx(end, rel=1e-5)
    assert len(run.states) == 2


# --- derivatives of the motion ------------------------------------------------------------------


BALL = {  # a heavy body on a ball joint: quaternions
    "gravity": [0, 0, -9.81],
    "bodies": {"top": {"mass": 2, "centre": [0, 0.05, 0.2], "inertia": [0.1, 0.12, 0.05]}},
    "joints": {"S": {"type": "spherical", "bodies": ["ground", "top"]}},
    "forces": {"tie": {"type": "spring", "between": [["ground", [1, 0, 0]], ["top", [0, 0, 0.4]]],
                       "stiffness": 50, "length": 0.8}},
}  # fmt: skip


def derivative(moving, t, y):
    """∂ẏ/∂y."""
    return moving.derivative.value(y, t, len(y) ** 2).reshape(len(y), -1)


def moved(given, guess=None):
    """A model and its mover, at a state that its constraints allow."""
    model = ts.compile(ts.load(given))
    start = ts.assemble(model, guess or {})
    rows = independent_rows(NumericConstraints(model), start.q, 0.0)
    return model, JointFormulation(JointStart(NumericConstraints(model), rows)), rows, start


@pytest.mark.parametrize(
    "given",
    [
        MODELS / "slider_crank.yaml",
        MODELS / "cardan_shaft.yaml",
        MODELS / "cart_pendulum.yaml",
        FOUR_BAR,
        BALL,
    ],
)
def test_the_derivative_of_the_rate_is_what_its_differences_tend_to(given):
    _, moving, _, start = moved(given, GUESS if given is FOUR_BAR else None)
    rng = np.random.default_rng(0)
    q, v = start.q + 0.1 * rng.normal(size=len(start.q)), rng.normal(size=len(start.v))
    y = moving.project(0.0, np.concatenate([q, v, [0.0]]))
    found = derivative(moving, 0.0, y)
    for k in range(len(y)):
        step = np.zeros(len(y))
        step[k] = 1e-5
        slope = (moving.rate(0.0, y + step) - moving.rate(0.0, y - step)) / 2e-5
        np.testing.assert_allclose(found[:, k], slope, rtol=1e-6, atol=1e-7 * np.abs(found).max())


def test_a_derivative_whose_code_would_be_long_is_taken_by_differences():
    arm = ", ".join(f"R{'XYZ'[k % 3]}(q{k}), T{'YZX'[k % 3]}K(L{k})" for k in range(20))
    model = ts.compile(ts.load(arm + ";", masses="full"))
    assert model.rate_derivative(FREE) is None
    known = model.with_parameters(**dict.fromkeys(model.mechanism.parameters, 1.0))
    assert (
        implicit(JointFormulation(JointStart(NumericConstraints(known))), Radau(1e-6)).derivative
        is None
    )


# --- elastic mechanisms -------------------------------------------------------------------------

CRANK, ROD, INERTIA, MASS, TORQUE, LOAD, ANGLE = 0.1, 0.3, 0.02, 0.5, 1.5, 10.0, 0.5


def elastic(stiffness, **more):
    """A slider-crank whose rod is a spring, at rest on its slow motion: no vibration starts."""
    x = CRANK * np.cos(ANGLE) + np.sqrt(ROD**2 - (CRANK * np.sin(ANGLE)) ** 2)
    along = np.array([x - CRANK * np.cos(ANGLE), -CRANK * np.sin(ANGLE)]) / ROD
    turning, sliding = CRANK * along @ [np.sin(ANGLE), -np.cos(ANGLE)], along[0]
    # r¨ = 0 with r the length of the rod, r˙ = turning α˙ + sliding x˙
    driven = turning * TORQUE / INERTIA - sliding * LOAD / MASS
    tension = driven / (turning**2 / INERTIA + sliding**2 / MASS)
    return ts.load({
        "gravity": [0, 0, 0],
        "bodies": {"crank": {"mass": 0, "inertia": [0, 0, INERTIA]}, "piston": {"mass": MASS}},
        "joints": {
            "O": {"type": "revolute", "bodies": ["ground", "crank"], "axis": "z",
                  "coordinate": "alpha"},
            "P": {"type": "prismatic", "bodies": ["ground", "piston"], "axis": "x",
                  "coordinate": "x"},
        },
        "forces": {
            "motor": {"type": "joint", "joint": "O", "value": TORQUE},
            "load": {"type": "joint", "joint": "P", "value": -LOAD},
            "rod": {"type": "spring", "stiffness": stiffness, "length": ROD,
                    "between": [["crank", [CRANK, 0, 0]], ["piston", [0, 0, 0]]]},
        },
        "initial": {"alpha": ANGLE, "x": x + tension / stiffness / sliding},
        **more,
    })  # fmt: skip


def rigid():
    """The same with a rod that is a bar without mass."""
    pin = {"type": "revolute", "axis": "z"}
    return ts.load({
        "gravity": [0, 0, 0],
        "bodies": {"crank": {"mass": 0, "inertia": [0, 0, INERTIA]}, "rod": {"mass": 0},
                   "piston": {"mass": MASS}},
        "joints": {
            "O": {**pin, "bodies": ["ground", "crank"], "coordinate": "alpha"},
            "A": {**pin, "bodies": ["crank", "rod"], "point": [[CRANK, 0, 0], [0, 0, 0]]},
            "B": {**pin, "bodies": ["rod", "piston"], "point": [[ROD, 0, 0], [0, 0, 0]]},
            "P": {"type": "prismatic", "bodies": ["ground", "piston"], "axis": "x",
                  "coordinate": "x"},
        },
        "forces": {
            "motor": {"type": "joint", "joint": "O", "value": TORQUE},
            "load": {"type": "joint", "joint": "P", "value": -LOAD},
        },
    })  # fmt: skip


def test_a_rod_of_great_stiffness_moves_as_a_rigid_one_but_for_its_compliance():
    reference = ts.simulate(rigid(), 0.3, rate=100, initial={"alpha": ANGLE}, rtol=1e-12)

    def difference(stiffness):
        run = ts.simulate(elastic(stiffness), 0.3, rate=100, rtol=1e-8, method="radau")
        return max(np.abs(run[name] - reference[name]).max() for name in ("alpha", "x"))

    far = difference(1e9)
    assert far < 1e-6  # the rod gets longer by some 50 N / 1e9 N/m
    assert difference(1e8) / far == pytest.approx(10.0, rel=1e-2)


def moved_elastic():
    """An elastic slider-crank, its rate, the derivative of that and its initial state."""
    model = ts.compile(elastic(1e9))
    start, moving = ts.assemble(model), JointFormulation(JointStart(NumericConstraints(model)))
    y = np.concatenate([start.q, start.v, [0.0]])
    return model, moving.rate, lambda t, y: derivative(moving, t, y), y


def test_the_states_of_an_elastic_slider_crank_are_those_of_scipy():
    model, rate, derivative, y = moved_elastic()
    times = np.linspace(0.0, 0.02, 11)
    solver = ScipyRadau(rate, 0.0, y, 0.02, rtol=1e-9, atol=1e-12, jac=derivative)
    states = [y]
    while solver.status == "running":
        solver.step()
        inside = solver.dense_output()
        states += [inside(t) for t in times[len(states) :] if t <= solver.t]
    run = ts.simulate(model, 0.02, rate=500, rtol=1e-9, method="radau")
    found = np.hstack([run.q, run.v])
    np.testing.assert_allclose(found, np.array(states)[:, :-1], rtol=1e-7, atol=1e-9)


def test_sundials_agrees_on_an_elastic_slider_crank():
    cvode = pytest.importorskip("sksundae.cvode")
    model, rate, _, y = moved_elastic()

    def into(t, y, made):
        made[:] = rate(t, np.array(y))

    times = np.linspace(0.0, 0.05, 6)
    solver = cvode.CVODE(into, rtol=1e-9, atol=1e-12, max_num_steps=1_000_000)
    run = ts.simulate(model, 0.05, rate=100, rtol=1e-9, method="radau")
    np.testing.assert_allclose(run.q, solver.solve(times, y).y[:, :2], rtol=0, atol=1e-7)


def test_a_stiff_spring_carries_the_weight_and_the_centrifugal_force_of_its_pendulum():
    # slow motion: k (r − l) = m g cos θ + m r θ˙², up to (θ˙ / ω)² of itself, ω² = k / m
    mass, length, stiffness, angle = 2.0, 0.5, 1e8, 1.2
    pendulum = ts.load({
        "gravity": [0, 0, -EARTH],
        "bodies": {"arm": {"mass": 0, "inertia": [0, 1e-9, 0]}, "bob": {"mass": mass}},
        "joints": {
            "A": {"type": "revolute", "bodies": ["ground", "arm"], "axis": "y",
                  "coordinate": "theta"},
            "R": {"type": "prismatic", "bodies": ["arm", "bob"], "axis": "-z", "coordinate": "r"},
        },
        "forces": {"spring": {"type": "law", "joint": "R",
                              "value": f"-{stiffness}*(distance - {length})"}},
        "initial": {"theta": angle, "r": length + mass * EARTH * np.cos(angle) / stiffness},
    })  # fmt: skip
    run = ts.simulate(pendulum, 3.0, rtol=1e-6, method="radau")
    tension = stiffness * (run["r"] - length)
    needed = mass * EARTH * np.cos(run["theta"]) + mass * run["r"] * run["theta."] ** 2
    np.testing.assert_allclose(tension, needed, rtol=0, atol=1e-4 * needed.max())
    assert run.energy_drift < 1e-4


# --- the choice ---------------------------------------------------------------------------------


def slide(forces, start=0.0, mass=1.0):
    """A body on a rail."""
    return ts.load({
        "gravity": [0, 0, 0],
        "bodies": {"body": {"mass": mass}},
        "joints": {"rail": {"type": "prismatic", "bodies": ["ground", "body"], "axis": "x",
                            "coordinate": "x"}},
        "forces": {name: {"type": "joint", "joint": "rail", "value": value}
                   for name, value in forces.items()},
        "initial": {"x": start},
    })  # fmt: skip


def test_an_elastic_slider_crank_is_found_stiff_and_its_rod_is_named():
    run = ts.simulate(elastic(1e9), 0.5, rtol=1e-5)
    # ω² = k (sliding² / m + turning² / I) = 4.6e4² at the start, where turning is small
    assert "Radau (implicit, order 5)" in run.notices[0]
    told = 'frequency 4.6e+04 rad/s along x, from force "rod"'
    assert tells(run.notices[0], told, rel=0.03)
    alone = ts.simulate(elastic(1e9), 0.5, rtol=1e-9, method="radau")
    np.testing.assert_allclose(run["alpha"], alone["alpha"], rtol=1e-5, atol=0)


def test_a_vibration_that_matters_is_followed_by_explicit_steps():
    # 10 N let go on a rod of 1e9 N/m: speeds of some 5e-4 m/s at 5e4 rad/s, far above the tolerance
    straight = CRANK * np.cos(ANGLE) + np.sqrt(ROD**2 - (CRANK * np.sin(ANGLE)) ** 2)
    run = ts.simulate(elastic(1e9), 0.02, rtol=1e-7, initial={"x": straight})
    assert run.notices == ("Integrated by DOP853 (explicit, order 8): not stiff.",)


def test_a_pendulum_is_not_stiff_however_loose_the_tolerance():
    pendulum = {
        "gravity": [0, -EARTH, 0],
        "bodies": {"bob": {"mass": 1, "centre": [0, -1, 0]}},
        "joints": {"A": {"type": "revolute", "bodies": ["ground", "bob"], "axis": "z"}},
        "initial": {"A": 2.0},
    }
    run = ts.simulate(ts.load(pendulum), 50.0, rtol=1e-3)
    assert "not stiff" in run.notices[0]


@pytest.mark.parametrize("scale", [1e-4, 1.0, 1e4])
def test_neither_stiffness_nor_its_absence_depends_on_the_unit_of_time(scale):
    spring, damper = f"-{scale**2}*x", f"-{1e5 * scale}*x."
    free = ts.simulate(slide({"spring": spring}, 1.0), 50 / scale, rate=scale, rtol=1e-6)
    held = ts.simulate(slide({"s": spring, "damper": damper}, 1.0), 50 / scale, rate=scale)
    assert "not stiff" in free.notices[0]
    assert f'decay rate {1e5 * scale:.1e} 1/s along x, from force "damper"' in held.notices[0]


@pytest.mark.parametrize("count", [1, 2, 5, 9])
@pytest.mark.parametrize("stiffness", [1e4, 1e10, 1e16])
def test_a_spring_is_named_however_many_share_the_load(stiffness, count):
    """The largest of the forces, unless inertia itself does more: here it does nothing."""
    springs = {f"spring{k}": f"-{stiffness / count}*(x - 1)" for k in range(count)}
    made = ts.compile(slide({"soft": "-x", **springs}, 1.0))
    found = fastest(
        JointFormulation(JointStart(NumericConstraints(made))), 0.0, np.array([1.0, 0.0, 0.0])
    )
    assert found.cause.startswith('force "spring')
    assert found.rate == pytest.approx(np.sqrt(stiffness), rel=1e-3)


def test_weight_and_dry_friction_are_named_too():
    short = ts.compile(ts.load({
        "gravity": [0, -EARTH, 0],
        "bodies": {"bob": {"mass": 1, "centre": [0, -1e-6, 0], "inertia": [0, 0, 1e-12]}},
        "joints": {"A": {"type": "revolute", "bodies": ["ground", "bob"], "axis": "z"}},
    }))  # fmt: skip
    found = fastest(JointFormulation(JointStart(NumericConstraints(short))), 0.0, np.zeros(3))
    assert (found.coordinate, found.cause) == ("A", "weight")
    assert found.rate == pytest.approx(np.sqrt(EARTH / 2e-6), rel=1e-6)
    rubbing = ts.compile(slide({"pad": "-3*sign(x.)"}))
    found = fastest(JointFormulation(JointStart(NumericConstraints(rubbing))), 0.0, np.zeros(3))
    assert (found.coordinate, found.cause) == ("x", 'force "pad"')


def test_the_choice_changes_neither_samples_nor_events():
    watched = {"events": {"half": "alpha - 2"}}
    runs = [
        ts.simulate(elastic(1e9, **watched), 0.3, rtol=1e-6, method=method)
        for method in ("auto", "dop853", "radau")
    ]
    assert "Radau" in runs[0].notices[0]
    for run in runs:
        np.testing.assert_allclose(run["alpha"], runs[1]["alpha"], rtol=0, atol=1e-5)
        assert [event.name for event in run.events] == ["half"]
        assert run.events[0].t == pytest.approx(runs[1].events[0].t, abs=1e-6)
        assert run.events[0].state[0] == pytest.approx(2.0, abs=1e-12)


def test_explicit_steps_come_back_where_implicit_ones_are_not_longer():
    # a damper that fades, then an oscillation of 300 rad/s: 1e6 periods of waiting are not afforded
    fading = slide({"damper": "-1e6*exp(-20*t)*x.", "spring": "-9e4*x", "push": "9e4*sin(300*t)"})
    run = ts.simulate(fading, 60.0, rate=1, rtol=1e-8)
    assert "Stiff at t" in run.notices[0]
    assert 'from force "damper"' in run.notices[0]
    assert "too short to be worth their price; DOP853" in run.notices[1]


def test_both_methods_can_be_asked_for():
    for method in ("dop853", "radau"):
        run = ts.simulate(slide({"spring": "-4*x"}, 1.0), 3.0, method=method)
        np.testing.assert_allclose(run["x"], np.cos(2 * run.t), rtol=0, atol=1e-7)
        assert run.notices == ()
    with pytest.raises(ts.ModelError, match=r"(?s)method.*radua.*Did you mean .radau."):
        ts.simulate(slide({}), 1.0, method="radua")


# --- failures -----------------------------------------------------------------------------------


def failure(model, duration=1.0, **options):
    with pytest.raises(ts.SolveError) as caught:
        ts.simulate(model, duration, **options)
    return caught.value


def test_a_force_that_grows_with_the_distance_runs_away():
    # x¨ = 2 x³ from x = 1, x˙ = 1 is x = 1 / (1 − t)
    error = failure(slide({"push": "2*x^3"}, 1.0), 2.0, initial={"x.": 1.0})
    assert float(error.place.split()[2]) == pytest.approx(1.0, rel=1e-4)
    assert "x runs away" in error.problem


@pytest.mark.parametrize("method", ["auto", "radau", "rk4"])
def test_a_force_that_is_undefined_is_named_with_the_coordinate(method):
    error = failure(slide({"pull": "-1 - sqrt(x)"}, 1.0), 3.0, method=method, step=1e-3)
    assert 'force "pull" is infinite or undefined' in error.problem
    assert "this x" in error.problem
    assert "x = " in error.advice[0]


def test_a_spring_whose_ends_meet_has_no_direction():
    tie = {"type": "spring", "between": [["ground", [0, 0, 0]], ["body", [0, 0, 0]]],
           "stiffness": 10, "length": 0.2}  # fmt: skip
    given = {
        "bodies": {"body": {"mass": 1}},
        "joints": {"rail": {"type": "prismatic", "bodies": ["ground", "body"], "axis": "x"}},
        "forces": {"tie": tie},
    }
    error = failure(ts.load(given))
    assert error.place == "t = 0 s"
    assert 'the ends of force "tie" are at one point' in error.problem


@pytest.mark.parametrize("method", ["auto", "radau", "rk4"])
def test_a_dead_point_is_named_with_its_constraint(method):
    pulled = {  # the piston is pulled beyond its reach, l1 + l2 = 0.4; a bob swings on it
        "gravity": [0, -EARTH, 0],
        "bodies": {"crank": {"mass": 1, "inertia": [0, 0, 0.02]},
                   "rod": {"mass": 1, "centre": [0.15, 0, 0], "inertia": [0, 0, 0.01]},
                   "piston": {"mass": 1}, "bob": {"mass": 1, "centre": [0, -0.2, 0]}},
        "joints": {
            "O": {"type": "revolute", "bodies": ["ground", "crank"], "axis": "z"},
            "A": {"type": "revolute", "bodies": ["crank", "rod"], "axis": "z",
                  "point": [[0.1, 0, 0], [0, 0, 0]]},
            "B": {"type": "revolute", "bodies": ["rod", "piston"], "axis": "z",
                  "point": [[0.3, 0, 0], [0, 0, 0]]},
            "P": {"type": "prismatic", "bodies": ["ground", "piston"], "axis": "x"},
            "H": {"type": "revolute", "bodies": ["piston", "bob"], "axis": "z"},
        },
        "motions": {"pull": {"coordinate": "P", "law": "0.35 + 0.1*t"}},
        "initial": {"O": 1.0, "A": -1.3},
    }  # fmt: skip
    error = failure(ts.load(pulled), method=method)
    assert float(error.place.split()[2]) == pytest.approx(0.5, abs=1e-3)
    assert "dead point (singular configuration)" in error.problem
    assert '"pull"' in error.problem


@pytest.mark.parametrize("method", ["dop853", "radau"])
@pytest.mark.parametrize("instant", [1.0, 1.0037])
def test_a_step_of_force_acts_from_its_instant_on(method, instant):
    joint = {"type": "prismatic", "bodies": ["ground", "slide"], "axis": "x", "coordinate": "x"}
    push = {"type": "joint", "joint": "J", "value": f"if(t - {instant} s, 2 N, 0)"}
    slide = {"bodies": {"slide": {"mass": 1}}, "joints": {"J": joint}, "forces": {"push": push}}
    run = ts.simulate(ts.load(slide), 2.0, rate=100, method=method)
    wanted = np.maximum(run.t - instant, 0.0) ** 2
    np.testing.assert_allclose(run["x"], wanted, rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("name", "along"), [("heavy_top", "phi, psi"), ("spherical_pendulum", "phi")]
)
def test_where_angles_lose_a_freedom_the_coordinates_are_blamed_and_not_the_masses(name, along):
    vertical = ts.compile(name)
    with pytest.raises(ts.SolveError) as stopped:
        ts.simulate(vertical, 1.0, initial={"theta": 0.0, "theta.": 1.0})
    rest = np.zeros(len(vertical.coordinates))
    with pytest.raises(ts.SolveError) as refused:
        vertical.forward_dynamics(rest, rest, rest)
    for error in (stopped.value, refused.value):
        assert f"lose a freedom here, nothing moves along {along}" in error.problem
        assert "choose other coordinates" in str(error)


def test_a_parameter_that_takes_all_inertia_away_is_told():
    crank = ts.compile(ts.load(MODELS / "slider_crank.yaml")).with_parameters(m2=0.0)
    error = failure(crank)
    assert "carries no inertia" in error.problem
