"""Nothing depends on how large, heavy, slow or often turned a mechanism is."""

import numpy as np
import pytest
from rescaling import EXAMPLES, rescaled

import torseur as ts
from torseur.analyse.at_a_state.pose import posed
from torseur.model.values.scales import coordinate_units, scales
from torseur.simulation.run.run import Run

SCALES = {  # length, mass, time
    "nanometres": (1e-9, 1e-20, 1e-3),
    "astronomical": (1e11, 1e30, 1e4),
    "small and heavy": (1e-9, 1e30, 1.0),
    "large and light": (1e5, 1e-20, 1e-6),
}
# loops, springs, rolling, a free body, bodies without mass, a surface that slides and pivots
FEW = (
    *("four_bar", "slider_crank", "cart_pendulum", "rolling_wheel", "free_body"),
    *("buckling_two_bars", "curling_stone"),
)
EVERY = sorted(path.stem for path in EXAMPLES.glob("*.yaml"))


def coordinates(run: Run, length: float) -> np.ndarray:
    """Every coordinate at every sample, lengths in units of `length`."""
    units = coordinate_units(run.model.mechanism)
    return np.column_stack([run[n] / (length if u == "m" else 1.0) for n, u in units.items()])


def check_scaled(name: str, scale: tuple[float, float, float], **options: str) -> None:
    length, _, time = scale
    before, after = rescaled(name, 1.0, 1.0, 1.0), rescaled(name, *scale)
    a = ts.simulate(before, 0.3, rate=20.0, **options)
    b = ts.simulate(after, 0.3 * time, rate=20.0 / time, **options)
    assert np.abs(coordinates(b, length) - coordinates(a, 1.0)).max() < 1e-10
    assert len(b.notices) == len(a.notices)
    assert b.samples.openings.max(initial=0.0) < 1e-11  # in parts of the size
    assert b.energy_drift == pytest.approx(a.energy_drift, abs=1e-8)
    m, n = ts.mobility(before), ts.mobility(after)
    assert (n.degree, n.overconstraint, n.internal) == (m.degree, m.overconstraint, m.internal)
    assert n.directions == m.directions


@pytest.mark.sampled(8)
@pytest.mark.parametrize("scale", ["nanometres", "astronomical"])
@pytest.mark.parametrize("name", FEW)
def test_a_motion_does_not_depend_on_size_mass_and_time(name, scale):
    check_scaled(name, SCALES[scale])


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", EVERY)
def test_no_motion_depends_on_size_mass_and_time(name, scale):
    check_scaled(name, SCALES[scale])


# of the last ones a relation, an imposed angle and a coordinate that turns and slides hold bodies
@pytest.mark.parametrize("scale", ["nanometres", "astronomical"])
@pytest.mark.parametrize("name", ["four_bar", "cartesian_pendulum", "even_governor", "half_disc"])
def test_absolute_coordinates_do_not_depend_on_size_mass_and_time(name, scale):
    check_scaled(name, SCALES[scale], coordinates="absolute")


@pytest.mark.slow
@pytest.mark.parametrize("scale", SCALES)
@pytest.mark.parametrize("name", EVERY)
def test_no_motion_in_absolute_coordinates_depends_on_size_mass_and_time(name, scale):
    try:
        ts.simulate(rescaled(name, 1.0, 1.0, 1.0), 0.3, rate=20.0, coordinates="absolute")
    except ts.ModelError:
        pytest.skip("it is not moved in absolute coordinates")
    check_scaled(name, SCALES[scale], coordinates="absolute")


@pytest.mark.parametrize("name", FEW)
def test_scales_follow_the_description(name):
    length, mass, time = 1e-3, 1e4, 10.0
    before, after = rescaled(name, 1.0, 1.0, 1.0), rescaled(name, length, mass, time)
    a, b = scales(before, before.parameters), scales(after, after.parameters)
    assert b.length == pytest.approx(length * a.length)
    assert b.mass == pytest.approx(mass * a.mass)
    if a.time != 1.0:  # which nothing tells
        assert b.time == pytest.approx(time * a.time)


BOXES = {"buckling_two_bars": {"theta": (-1.5, 1.5)}}


@pytest.mark.parametrize("scale", ["nanometres", "astronomical"])
@pytest.mark.parametrize("name", ["cart_pendulum", "buckling_two_bars"])
def test_equilibria_do_not_depend_on_size_mass_and_time(name, scale):
    """Those that are regular, where they are looked for."""

    def places(length: float, mass: float, time: float) -> list[list[float]]:
        made = rescaled(name, length, mass, time)
        units = coordinate_units(made)
        found = [x.coordinates for x in ts.equilibria(made, box=BOXES.get(name))]
        # bars folded onto each other stand still at any angle: such a family is met by chance
        found = [one for one in found if abs(one.get("bend", 0.0)) < 3]
        lengths = {n: length if units[n] == "m" else 1.0 for n in units}
        # a half turn either way is the same
        told = [[abs(x / lengths[n]) for n, x in one.items()] for one in found]
        return sorted([round(x, 6) + 0.0 for x in one] for one in told)

    assert places(*SCALES[scale]) == places(1.0, 1.0, 1.0)


STEADY = ("cart_pendulum", "cart_pole", "four_bar", "double_pendulum", "elliptic_pendulum")


@pytest.mark.parametrize("scale", ["nanometres", "astronomical"])
@pytest.mark.parametrize("name", STEADY)
def test_verdicts_on_small_motions_do_not_depend_on_size_mass_and_time(name, scale):
    before, after = (ts.linearise(rescaled(name, *x)) for x in ((1.0, 1.0, 1.0), SCALES[scale]))
    assert after.stable.word == before.stable.word
    rates = [np.sort_complex(x.eigenvalues) for x in (before, after)]
    assert rates[1] * SCALES[scale][2] == pytest.approx(rates[0], rel=1e-7, abs=1e-7)


@pytest.mark.parametrize("scale", ["nanometres", "astronomical"])
def test_what_is_ill_posed_does_not_depend_on_size_mass_and_time(scale):
    """Coordinates of a defined joint: what is seldom meant, such as its size, is told besides."""

    def told(made: ts.Mechanism) -> list[str]:
        return [x for x in ts.check(made).notices if "freedoms" in x or "inertia" in x]

    name = "dumbbell_satellite"
    assert told(rescaled(name, *SCALES[scale])) == told(rescaled(name, 1.0, 1.0, 1.0)) == []


# --- many turns ---------------------------------------------------------------------------------


@pytest.mark.sampled(1, kind=lambda method, kind, turns: (method, kind))
@pytest.mark.parametrize("turns", [1e3, 1e6])
@pytest.mark.parametrize(
    ("method", "kind"),
    [
        ("auto", "joint"),
        ("auto", "absolute"),
        ("radau", "joint"),
        ("radau", "absolute"),
        ("rk4", "joint"),
        ("rk4", "absolute"),
        ("symplectic", "joint"),
        ("symplectic2", "joint"),
        ("symplectic6", "joint"),
        ("dop853", "joint"),
        ("euler", "joint"),
    ],
)
def test_after_many_turns_a_motion_is_what_it_is_after_none(method, kind, turns):
    crank = ts.load(EXAMPLES / "slider_crank.yaml")
    start = ts.assemble(crank, {"alpha": 0.5, "alpha.": 5.0})
    runs = []
    for shift in (0.0, 2 * np.pi * turns):
        given = {**start.coordinates, **start.speeds, "alpha": 0.5 + shift}
        run = ts.simulate(
            crank, 0.3, rate=20.0, initial=given, rtol=1e-11, method=method, coordinates=kind,
            step=1e-4 if method == "euler" else None,
        )  # fmt: skip
        runs.append(np.column_stack([run["alpha"] - shift, run["beta"], run["x"]]))
        assert run.closure_error < 1e-12 + 20 * np.spacing(shift)
    assert np.abs(runs[1] - runs[0]).max() < 1e-9 + 1000 * np.spacing(2 * np.pi * turns)


@pytest.mark.parametrize("kind", ["joint", "absolute"])
def test_a_crank_may_be_driven_for_a_million_turns(kind):
    crank = ts.load(EXAMPLES / "slider_crank.yaml")
    found = []
    for turns in (0.0, 1e6):
        law = f"{2 * np.pi * turns!r} + 7*t"
        motions = {"motor": {"coordinate": "alpha", "law": law}}
        made = ts.load({**document("slider_crank"), "motions": motions})
        run = ts.simulate(made, 0.3, rate=20.0, coordinates=kind)
        found.append(run["x"])
    assert crank.coordinates[0] == "alpha"
    assert np.abs(found[1] - found[0]).max() < 1e-8


def document(name: str) -> dict:
    import yaml

    return yaml.safe_load((EXAMPLES / f"{name}.yaml").read_text(encoding="utf-8"))


# --- what is given is kept ----------------------------------------------------------------------


def test_a_given_coordinate_is_kept_where_the_loop_can_close():
    crank = ts.load(EXAMPLES / "slider_crank.yaml")
    assert ts.assemble(crank, {"alpha": 0.5}).coordinates["alpha"] == 0.5


def wandered(name: str, count: int):
    """Configurations that an example can reach, at random; its imposed motions taken away."""
    from dataclasses import replace

    found = ts.load(EXAMPLES / f"{name}.yaml")
    free = replace(found, motions={})
    here, rng = posed(free), np.random.default_rng(1)
    yield free, None
    for _ in range(count):
        there = here
        for _ in range(8):
            step = there.ranks.kernel @ rng.normal(size=there.ranks.kernel.shape[1])
            there = there.neighbour(0.25 * step) or there
        yield free, there


def check_kept(name: str, count: int) -> None:
    for free, there in wandered(name, count):
        for coordinate, x in {} if there is None else there.coordinates.items():
            if coordinate not in there.rates:
                continue
            unit = there.size if there.units[coordinate] == "m" else 1.0
            off = posed(ts.assemble(free, {coordinate: x})).coordinates[coordinate] - x
            off = off if unit != 1.0 else (off + np.pi) % (2 * np.pi) - np.pi
            assert abs(off) < 1e-9 * unit, (name, coordinate, x)


@pytest.mark.parametrize("name", ["four_bar", "slider_crank", "cartesian_pendulum"])
def test_every_value_that_can_be_assembled_is_kept(name):
    check_kept(name, 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", EVERY)
def test_every_value_of_every_example_that_can_be_assembled_is_kept(name):
    found = ts.load(EXAMPLES / f"{name}.yaml")
    if None in found.parameters.values():
        pytest.skip("a parameter has no value")
    check_kept(name, 2)


# --- names in the order of arrays ----------------------------------------------------------------


@pytest.mark.parametrize("name", EVERY)
def test_names_are_in_the_order_of_every_array(name):
    found = ts.load(EXAMPLES / f"{name}.yaml")
    model = ts.compile(found)
    assert (found.coordinates, found.speeds) == (model.coordinates, model.speeds)
    assert len(found.coordinates) == model.system.tree.nq
    assert len(found.speeds) == model.system.tree.nv
    assert set(found.coordinates) <= set(found.every_coordinate)


def test_columns_of_a_run_have_the_names_of_the_mechanism():
    found = ts.load(EXAMPLES / "four_bar.yaml")
    run = ts.simulate(found, 0.1, rate=50.0)
    assert run.q.shape[1] == len(found.coordinates)
    for k, name in enumerate(found.coordinates):
        assert np.array_equal(run.q[:, k], run[name])
    for k, name in enumerate(found.speeds):
        assert np.array_equal(run.v[:, k], run[name])
    n = len(found.speeds)
    assert ts.compile(found).mass_matrix(run.q[0]).shape == (n, n)
