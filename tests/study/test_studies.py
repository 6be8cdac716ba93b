"""Studies: closed forms of designs and distributions; the same numbers however computed."""

import json
import multiprocessing
import os
import signal
import subprocess
import sys
from contextlib import nullcontext
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from click.testing import CliRunner

import torseur as ts
from torseur.cli.commands import commands
from torseur.study import cluster
from torseur.study.design import METHODS, sample_count, samples
from torseur.study.distributions import KINDS, read_tolerance, toleranced
from torseur.study.sample_measures import extract_measures
from torseur.study.study import Journal
from torseur.study.study_reading import read_study
from torseur.study.study_result import sobol_indices

PENDULUM = {
    "name": "pendulum",
    "gravity": [0, -9.81, 0],
    "parameters": {"l": {"value": 1, "unit": "m"}, "m": {"value": 1, "unit": "kg"}},
    "bodies": {"bar": {"mass": "m", "centre": [0, "-l", 0], "inertia": [0, 0, 0]}},
    "joints": {
        "O": {"type": "pivot", "bodies": ["ground", "bar"], "axis": "z", "coordinate": "theta"}
    },
    "points": {"tip": ["bar", [0, "-l", 0]]},
    "events": {"low": "theta"},
}
# parameters without a part in the motion: outputs may be any function of them
FUNCTION = PENDULUM | {
    "parameters": {"l": 1, "m": 1, "a": 0, "b": 0, "c": 0},
}
SWINGS = {
    "model": PENDULUM,
    "run": {"duration": 1.2, "rate": 20, "initial": {"theta": 0.1}},
    "vary": {"l": "1 m ± 10 mm", "m": {"uniform": [0.9, 1.1]}},
    "samples": 40,
    "seed": 5,
    "outputs": {
        "quarter": "time(low)",
        "fastest": "peak(theta.)",
        "force": "max(O.force)",
        "swing": "curve(theta)",
    },
}


def changed(**entries):
    return SWINGS | entries


@cache
def swings():
    return ts.study(SWINGS)


def same(first, second):
    """Whether two results have the same numbers, to the last bit."""
    pairs = ((getattr(x.outputs, n) for x in (first, second)) for n in ("scalars", "curves", "t"))
    return all(np.array_equal(a, b, equal_nan=True) for a, b in pairs)


# --- what varies --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "given", "mean", "deviation"),
    [
        ("normal", (2.0, 0.5), 2.0, 0.5),
        ("uniform", (1.0, 4.0), 2.5, 3 / np.sqrt(12)),
        ("triangular", (0.0, 1.0, 2.0), 1.0, 1 / np.sqrt(6)),
        ("lognormal", (1.0, 0.1), np.exp(0.005), np.exp(0.005) * np.sqrt(np.expm1(0.01))),
    ],
)
def test_quantiles_have_the_mean_and_the_deviation_of_the_distribution(
    kind, given, mean, deviation
):
    found = KINDS[kind].make(*given)
    values = found.at((np.arange(200_000) + 0.5) / 200_000)
    # the midpoint rule over quantiles: tails of the normal distribution cost a few 1e-4
    assert values.mean() == pytest.approx(mean, rel=1e-5)
    assert values.std() == pytest.approx(deviation, rel=1e-3)
    assert found.deviation == pytest.approx(deviation, rel=1e-9)


@pytest.mark.parametrize(
    ("text", "ends"),
    [
        ("10 mm ± 0.1", (9.9e-3, 10.1e-3)),
        ("10 ± 0.1 mm", (9.9e-3, 10.1e-3)),
        ("10 mm +/- 100 um", (9.9e-3, 10.1e-3)),
        ("10 mm ± 1 %", (9.9e-3, 10.1e-3)),
        ("10 mm +0.2 -0.1", (9.9e-3, 10.2e-3)),
        ("-2 ± 0.5", (-2.5, -1.5)),
    ],
)
def test_a_tolerance_reads_as_it_is_drawn(text, ends):
    units = {"": 1.0, "mm": 1e-3, "um": 1e-6}

    def number(written):
        value, _, unit = written.partition(" ")
        return float(value) * units[unit]

    found = read_tolerance(text, number)
    assert found.ends == pytest.approx(ends, rel=1e-12)
    assert found.nominal == pytest.approx(-2.0 if text.startswith("-") else 10e-3)


def test_the_deviation_of_a_tolerance_is_a_third_of_it_but_for_the_cut():
    found = toleranced(1.0, 0.3, 0.3)
    assert found.deviation == pytest.approx(0.1 * 0.98658, rel=1e-4)  # of a normal cut at 3 σ


def test_a_grid_has_every_combination_once():
    study = read_study(changed(vary={"l": [1, 2], "m": {"grid": [1, 3, 3]}}))
    found = samples(study)
    assert found.tolist() == [[1, 1], [1, 2], [1, 3], [2, 1], [2, 2], [2, 3]]


def test_a_latin_hypercube_has_one_sample_in_every_slice():
    study = read_study(changed(method="latin", vary={"l": {"uniform": [0, 1]}}, samples=50))
    assert sorted((samples(study)[:, 0] * 50).astype(int)) == list(range(50))


def test_the_seed_decides_the_samples_and_nothing_else_does():
    for method in ("random", "latin", "sobol", "saltelli"):
        first, again, other = (
            samples(read_study(changed(method=method, seed=seed, samples=16))) for seed in (1, 1, 2)
        )
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)


@pytest.mark.parametrize("method", METHODS)
def test_samples_are_counted_without_being_made(method):
    varied = {"l": [1, 2], "m": {"grid": [1, 3, 3]}} if method == "grid" else SWINGS["vary"]
    study = read_study(changed(method=method, vary=varied, samples=12))
    assert sample_count(study) == len(samples(study))


def test_a_sweep_makes_its_samples_once(tmp_path, monkeypatch):
    made = []
    home = import_module("torseur.study.study")
    monkeypatch.setattr(home, "samples", lambda study: made.append(study) or samples(study))
    file = tmp_path / "swings.yaml"
    file.write_text(json.dumps(changed(vary={"l": [1.0, 1.1]}, method="grid")), encoding="utf-8")
    found = CliRunner().invoke(commands, ["sweep", str(file), "--json"])
    assert found.exit_code == 0, found.output
    assert len(made) == 1


# --- closed forms -------------------------------------------------------------------------------


def test_the_variance_of_a_linear_function_is_the_sum_of_squares():
    vary = {"a": {"normal": [1, 0.3]}, "b": {"normal": [2, 0.4]}}
    found = ts.study({
        "model": FUNCTION, "vary": vary, "method": "sobol", "samples": 4096,
        "outputs": {"y": "2*a - b + 3", "z": "y^2"},
    })  # fmt: skip
    expected = np.hypot(0.6, 0.4)
    # Sobol's points: the error of moments is near 1/N, with N = 4096
    assert found.statistics["y"].deviation == pytest.approx(expected, rel=2e-3)
    assert found.stacks["y"].deviation == pytest.approx(expected, rel=1e-12)
    assert found.stacks["y"].shares == pytest.approx([0.36 / 0.52, 0.16 / 0.52])
    assert found.stacks["z"].slopes == pytest.approx([2 * 3 * 2, -2 * 3])
    assert found.correlations["y"]["a"].linear == pytest.approx(0.6 / expected, abs=5e-3)


def test_the_indices_of_the_function_of_ishigami_are_the_published_ones():
    # Ishigami, Homma 1990; a = 7, b = 0.1: S = 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437
    angle = {"uniform": [-np.pi, np.pi]}
    found = ts.study({
        "model": FUNCTION, "vary": {"a": angle, "b": angle, "c": angle}, "method": "saltelli",
        "samples": 4096, "outputs": {"y": "sin(a) + 7*sin(b)^2 + 0.1*c^4*sin(a)"},
    })  # fmt: skip
    indices = found.indices["y"]
    for name, first, total in (("a", 0.3139, 0.5576), ("b", 0.4424, 0.4424), ("c", 0, 0.2437)):
        index = indices[name]
        assert index.first == pytest.approx(first, abs=3 * index.first_error + 1e-4)
        assert index.total == pytest.approx(total, abs=3 * index.total_error + 1e-4)
        assert index.first_error < 0.04


def test_indices_leave_out_samples_that_failed():
    rng = np.random.default_rng(0)
    A, B = rng.normal(size=(2, 4000, 2))
    rows = [A, B, np.column_stack([B[:, 0], A[:, 1]]), np.column_stack([A[:, 0], B[:, 1]])]
    values = np.concatenate([2 * x[:, 0] + x[:, 1] for x in rows])
    values[17] = np.nan
    first, second = sobol_indices(values, 2)
    assert (first.first, second.total) == pytest.approx((0.8, 0.2), abs=0.06)


def test_the_tolerance_of_the_period_of_a_pendulum_is_half_that_of_its_length():
    found = swings()
    quarter = np.pi / 2 * np.sqrt(1 / 9.81)
    stack = found.stacks["quarter"]
    # small amplitude: the period is longer by θ²/16 = 6e-4
    assert stack.nominal == pytest.approx(quarter, rel=1e-3)
    assert stack.exact
    assert stack.slopes[0] == pytest.approx(stack.nominal / 2, rel=1e-9)
    assert stack.slopes[1] == pytest.approx(0, abs=1e-9)
    # beside Monte Carlo: 40 samples know a deviation to a tenth
    assert found.statistics["quarter"].deviation == pytest.approx(stack.deviation, rel=0.3)


def test_the_force_of_a_pendulum_is_3_m_g_less_2_m_g_cosine():
    found = swings()
    expected = found["m"] * 9.81 * (3 - 2 * np.cos(0.1))
    # the largest of 25 samples, the lowest place being passed between two of them
    np.testing.assert_allclose(found["force"], expected, rtol=3e-4)


def test_the_frequency_and_the_rest_of_a_pendulum_are_those_of_its_length():
    found = ts.study({
        "model": PENDULUM, "vary": {"l": {"grid": [0.5, 1.5, 3]}},
        "outputs": {"f": "hertz(1)", "w": "frequency(1)", "rest": "equilibrium(theta)"},
    })  # fmt: skip
    expected = np.sqrt(9.81 / found["l"])
    np.testing.assert_allclose(found["w"], expected, rtol=1e-9)
    np.testing.assert_allclose(found["f"], expected / (2 * np.pi), rtol=1e-9)
    np.testing.assert_allclose(found["rest"], 0, atol=1e-9)
    stack = found.stacks["w"]
    # differences of fourth order
    assert stack.slopes[0] == pytest.approx(-0.5 * np.sqrt(9.81), rel=1e-6)
    assert not stack.exact


def test_derivatives_of_every_measure_are_those_of_differences():
    outputs = {k: f"{k}(tip.x)" for k in ("max", "min", "mean", "rms", "peak", "range", "final")}
    outputs = {f"y{k}": x for k, x in enumerate(outputs.values())} | {"E": "max(energy.kinetic)*m"}
    described = changed(outputs=outputs, vary={"l": "1 ± 0.001", "theta": "0.1 ± 0.001"})
    found = ts.study(described | {"samples": 4})
    h = 1e-5
    for k, name in enumerate(("l", "theta")):
        low, high = (
            ts.study(described | {"vary": {name: [x]}})
            for x in ((1.0, 0.1)[k] - h, (1.0, 0.1)[k] + h)
        )
        for output in outputs:
            slope = (high[output][0] - low[output][0]) / (2 * h)
            # differences: h² beside rounding of runs at 1e-9 over h
            assert found.stacks[output].slopes[k] == pytest.approx(slope, abs=2e-4)
    assert all(x.exact for x in found.stacks.values())


# --- the same numbers, however they are computed --------------------------------------------------


def test_the_size_of_blocks_and_the_number_of_threads_change_no_bit():
    for options in ({"block": 7}, {"block": 1, "threads": 1}, {"block": 40, "threads": 2}):
        assert same(ts.study(SWINGS, **options), swings())


def test_an_interrupted_study_goes_on_with_the_same_numbers(tmp_path):
    class Stopped(Exception):
        pass

    computed = []

    def stop(done):
        computed.append(done)
        if done >= 16:
            raise Stopped

    out = tmp_path / "found.nc"
    with pytest.raises(Stopped):
        ts.study(SWINGS, out=out, block=8, progress=stop)
    assert len(list((tmp_path / "found.nc.parts").iterdir())) == 2
    again = []
    found = ts.study(SWINGS, out=out, block=5, progress=again.append)
    assert again[0] == 16 + 5  # what was finished is not computed again
    assert same(found, swings())
    assert not (tmp_path / "found.nc.parts").exists()
    assert same(ts.study(SWINGS, out=out, progress=again.clear), swings())
    assert again  # read from the file: nothing was computed


def test_blocks_of_another_study_and_damaged_ones_are_passed_over(tmp_path):
    out = tmp_path / "found.nc"
    found = swings()
    other = Journal(tmp_path / "found.nc.parts", "another")
    other.keep(0, found.outputs.part(0, 8))
    (tmp_path / "found.nc.parts" / "rows-8-16.npz").write_bytes(b"PK damaged")
    assert same(ts.study(SWINGS, out=out, block=8), found)


def test_a_sample_that_cannot_move_is_told_and_the_others_go_on(tmp_path):
    out = tmp_path / "found.csv"
    found = ts.study(changed(vary={"m": [1.0, -1.0, 2.0]}), out=out)
    assert list(found.reasons) == [1]
    assert "mass" in found.reasons[1]
    assert np.isnan(found.outputs.scalars[1]).all() and np.isfinite(found["force"][[0, 2]]).all()
    assert found.statistics["force"].count == 2
    assert "negative" in out.read_text().splitlines()[2]
    assert "sample 1" in str(found)


def test_a_sample_that_diverges_is_told_with_the_instant():
    model = PENDULUM | {
        "forces": {"push": {"type": "joint", "joint": "O", "value": "k*theta^3"}},
        "parameters": {"l": 1, "m": 1, "k": 0},
    }
    found = ts.study(
        changed(model=model, vary={"k": [0.0, 1e6, 1.0]}, outputs={"far": "peak(theta)"})
    )
    assert list(found.reasons) == [1]
    assert "t = " in found.reasons[1]
    assert np.isfinite(found["far"][[0, 2]]).all()


def test_an_event_that_does_not_happen_is_told():
    found = ts.study(changed(outputs={"second": "time(low, 9)", "top": "max(theta)"}))
    assert len(found.reasons) == len(found)
    assert "time(low, 9)" in found.reasons[0]
    assert np.isfinite(found["top"]).all()


def test_loops_have_the_same_numbers_in_every_block():
    folder = os.path.join(os.path.dirname(ts.__file__), "examples", "four_bar.yaml")
    study = {
        "model": folder, "run": {"duration": 0.3, "rate": 20}, "samples": 12, "method": "latin",
        "vary": {"alpha": {"uniform": [0, 1]}, "alpha.": {"uniform": [5, 10]}},
        "outputs": {"force": "max(B.force)", "swing": "range(beta)"},
    }  # fmt: skip
    whole, cut = ts.study(study), ts.study(study, block=5)
    assert np.array_equal(whole["swing"], cut["swing"])
    # reactions that are not unique are solved by LAPACK, which on processors without wide units
    # rounds by where its arrays lie in memory
    np.testing.assert_allclose(cut["force"], whole["force"], rtol=1e-13)


# --- files and the command ----------------------------------------------------------------------


def test_a_file_holds_the_study_and_all_numbers(tmp_path):
    found = swings()
    found.save(tmp_path / "a.nc")
    again = ts.load_study(tmp_path / "a.nc")
    assert same(again, found)
    assert again.units == found.units
    assert again.study.names == found.study.names
    assert again.stacks["force"].slopes == pytest.approx(found.stacks["force"].slopes)


def test_a_changed_model_makes_other_numbers_though_the_study_names_the_same_file(tmp_path):
    """A quarter of the period of small swings is π/2 √(l/g), whatever was computed before."""
    model, vary = tmp_path / "p.yaml", {"m": {"uniform": [0.9, 1.1]}}
    study = changed(model=str(model), vary=vary, samples=3, outputs={"quarter": "time(low)"})
    for length in (1, 1.2):
        text = ts.load(PENDULUM | {"parameters": {"l": length, "m": 1}}).yaml()
        model.write_text(text, encoding="utf-8")
        found = ts.study(study, out=tmp_path / "o.nc")["quarter"]
        assert found == pytest.approx(np.pi / 2 * np.sqrt(length / 9.81), rel=1e-3)
    assert (ts.load_study(tmp_path / "o.nc")["quarter"] == found).all()


def test_numbers_of_another_model_are_no_result_of_the_one_that_a_file_holds(tmp_path):
    swings().save(tmp_path / "a.nc")
    whole = (tmp_path / "a.nc").read_bytes()
    before, after = b'{"l": {"value": "1"', b'{"l": {"value": "2"'
    assert whole.count(before) == 1
    (tmp_path / "a.nc").write_bytes(whole.replace(before, after))
    with pytest.raises(ts.ModelError, match="are those of another model"):
        ts.load_study(tmp_path / "a.nc")


def test_a_file_that_ends_too_soon_is_no_result(tmp_path):
    """Wherever it ends: scipy raises errors of many kinds."""
    swings().save(tmp_path / "a.nc")
    whole = (tmp_path / "a.nc").read_bytes()
    for length in range(0, len(whole), max(len(whole) // 200, 1)):
        (tmp_path / "cut.nc").write_bytes(whole[:length])
        with pytest.raises(ts.ModelError, match="is not the result of a study"):
            ts.load_study(tmp_path / "cut.nc")


def test_parquet_holds_the_study_too(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    swings().save(tmp_path / "a.parquet")
    table = parquet.read_table(tmp_path / "a.parquet")
    assert table.column("force").to_pylist() == swings()["force"].tolist()
    assert b"max(O.force)" in table.schema.metadata[b"study"]


def test_pictures_are_drawn(tmp_path):
    found = swings()
    found.plot(tmp_path / "all.png")
    found.histogram("quarter", tmp_path / "h.svg")
    found.scatter("l", "quarter", tmp_path / "s.svg")
    found.bands("swing", tmp_path / "b.svg")
    drawn = found.tornado("quarter", tmp_path / "t.svg")
    assert [x.get_text() for x in drawn.axes[0].get_yticklabels()] == ["m", "l"]
    assert len(list(tmp_path.iterdir())) == 5
    with pytest.raises(ts.ModelError, match="not a curve"):
        found.bands("quarter")


def test_the_command_answers_in_json_and_writes_the_table(tmp_path):
    (tmp_path / "study.yaml").write_text(json.dumps(SWINGS | {"samples": 4}))
    arguments = [tmp_path / "study.yaml", "-o", tmp_path / "a.csv", "--stack", "--json"]
    done = CliRunner().invoke(commands, ["sweep", *map(str, arguments)])
    assert done.exit_code == 0, done.output
    document = json.loads(done.stdout)
    assert document["samples"] == 4
    assert document["stacks"]["quarter"]["exact"]
    assert len((tmp_path / "a.csv").read_text().splitlines()) == 5


@pytest.mark.parametrize(
    ("entries", "told"),
    [
        ({"vary": {"L": "1 ± 0.1"}}, '"L" does not exist'),
        ({"vary": {"l": "1 kg ± 0.1"}}, "l"),
        ({"vary": {"l": "1"}}, "does not say how it varies"),
        ({"vary": {"l": {"normal": [1, -1]}}}, "no normal distribution"),
        ({"vary": {"l": {"gauss": [1, 1]}}}, '"gauss" does not exist'),
        ({"method": "sobel"}, '"sobel" does not exist'),
        ({"method": "grid"}, "needs levels"),
        ({"samples": 1.5}, "whole number"),
        ({"outputs": {"y": "max(theta"}}, "y"),
        ({"outputs": {"y": "max(phi)"}}, '"phi" does not exist'),
        ({"outputs": {"y": "time(high)"}}, '"high" does not exist'),
        ({"outputs": {"y": "1 + curve(theta)"}}, "more than a curve"),
        ({"outputs": {"y": "hertz(0)"}}, "not 1, 2, 3"),
        ({"outputs": {"l": "max(theta)"}}, "cannot be called"),
        ({"vary": {"theta": [0.1, 0.2]}, "outputs": {"theta": "final(theta)"}}, "cannot be called"),
        ({"outputs": {"time": "time(low)", "y": "curve(theta)"}}, "cannot be called"),
        ({"run": {"rate": 10}}, "no duration"),
        ({"runs": {}}, "unknown entry"),
    ],
)
def test_a_fault_of_a_study_is_told_before_anything_is_computed(entries, told):
    with pytest.raises(ts.ModelError, match=told):
        ts.study(changed(**entries))


def test_measures_are_told_from_functions():
    text, found = extract_measures("max(max(theta), 2*abs(mean(O.force))) - min(1, l)")
    assert text == "max(measure_1_, 2*abs(measure_2_)) - min(1, l)"
    assert [str(x) for x in found.values()] == ["max(theta)", "mean(O.force)"]


def test_an_output_called_time_is_no_axis_of_curves(tmp_path):
    found = ts.study(changed(samples=4, outputs={"time": "time(low)"}), out=tmp_path / "t.nc")
    again = ts.load_study(tmp_path / "t.nc")
    assert np.array_equal(again["time"], found["time"])
    assert len(again.t) == 0


EXAMPLE = Path(__file__).parents[2] / "examples/slider_crank.study.yaml"


def test_the_study_of_the_examples_names_its_model_and_its_factors():
    asked = read_study(EXAMPLE)
    assert asked.mechanism.name == "slider-crank"
    assert [x.name for x in asked.factors] == ["l1", "l2", "m3", "Cm"]


@pytest.mark.slow
def test_the_stroke_of_the_study_of_the_examples_is_twice_its_crank():
    answer = CliRunner().invoke(commands, ["sweep", str(EXAMPLE), "--json"])
    assert answer.exit_code == 0, answer.output
    found = ts.study(EXAMPLE)
    assert not found.reasons
    assert found["stroke"] == pytest.approx(2 * found["l1"], rel=1e-2)  # between samples in time


# --- on many processes --------------------------------------------------------------------------

MANY = changed(samples=10_000, outputs={"quarter": "time(low)", "fastest": "peak(theta.)"})
KILLER = """
import json, os, signal, sys, torseur as ts
def kill(done):
    if done >= {rows}:
        os.kill(os.getpid(), signal.SIGKILL)
ts.study(json.load(open(sys.argv[1])), out=sys.argv[2], block=500, progress=kill)
"""


@pytest.mark.slow
def test_a_killed_process_leaves_what_it_finished_and_the_rest_follows(tmp_path):
    (tmp_path / "study.json").write_text(json.dumps(MANY))
    out = tmp_path / "a.nc"
    call = [sys.executable, "-c", KILLER.format(rows=4000), str(tmp_path / "study.json"), str(out)]
    assert subprocess.run(call, check=False).returncode == -signal.SIGKILL
    assert len(list((tmp_path / "a.nc.parts").glob("rows-*.npz"))) == 8
    assert same(ts.study(MANY, out=out), ts.study(MANY))


@pytest.mark.slow
def test_a_worker_killed_in_the_middle_loses_nothing(tmp_path):
    distributed = pytest.importorskip("distributed")
    alone = ts.study(MANY)
    killed = []
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None
    ) as cluster:

        def kill(done):
            if done >= 3000 and not killed:
                worker = next(iter(cluster.workers.values()))
                killed.append(worker.pid)
                os.kill(worker.pid, signal.SIGKILL)

        found = ts.study(
            MANY, scheduler=cluster.scheduler_address, block=250, progress=kill,
            out=tmp_path / "a.nc",
        )  # fmt: skip
    assert killed
    assert same(found, alone)
    assert not found.reasons


@pytest.mark.slow
def test_a_local_cluster_whose_only_worker_is_killed_starts_another_and_loses_nothing(tmp_path):
    pytest.importorskip("distributed")
    killed = []

    def kill(done):
        if done >= 3000 and not killed:
            (worker,) = multiprocessing.active_children()
            killed.append(worker.pid)
            os.kill(worker.pid, signal.SIGKILL)

    found = ts.study(MANY, workers=1, block=250, progress=kill, out=tmp_path / "a.nc")
    assert killed
    assert same(found, ts.study(MANY))
    assert not found.reasons


class Died(Exception):
    """What Dask says of a block whose workers die again and again."""


class Future:
    def __init__(self, computed, late=0):
        self.computed, self.late = computed, late

    def result(self, timeout):
        self.late -= 1
        if self.late >= 0:
            raise TimeoutError
        return self.computed()


class Deadly:
    """A client of a cluster on which one sample kills its workers."""

    def __init__(self, deadly, late=0):
        self.deadly, self.late, self.sizes = deadly, late, []

    def nthreads(self):
        return {"worker": 1}

    def submit(self, function, payload, rows, pure):
        self.sizes.append(len(rows))
        return Future(partial(self.computed, function, payload, rows), self.late)

    def computed(self, function, payload, rows):
        if np.isclose(rows[:, 0], self.deadly).any():
            raise Died
        return function(payload, rows)

    def wait(self, futures, timeout, return_when):
        return SimpleNamespace(done=futures[:1])


def on_cluster(client, monkeypatch, described):
    """The study, on the workers of a client that is none of Dask's."""
    dask = SimpleNamespace(wait=client.wait, KilledWorker=Died)
    monkeypatch.setattr(cluster, "_dask", lambda: dask)
    monkeypatch.setattr(cluster, "_client", lambda *_: nullcontext(client))
    monkeypatch.setattr(cluster, "_settle", lambda: None)
    client.run_on_scheduler = lambda *_: None
    client.run = lambda _: {}
    return ts.study(described, workers=1, block=4)


TWENTY = changed(vary={"m": {"grid": [1.0, 4.0, 20]}}, outputs={"top": "max(theta)"})


def test_a_sample_that_kills_its_workers_is_found_by_halving_and_told(monkeypatch):
    client = Deadly(1 + 3 * 18 / 19)
    found = on_cluster(client, monkeypatch, TWENTY)
    assert list(found.reasons) == [18]
    assert "died" in found.reasons[18]
    assert client.sizes == [4, 2, 2, 1, 1]  # sixteen were computed here, to know how long it takes
    assert same_but(found, ts.study(TWENTY), 18)


def test_a_result_that_is_lost_with_its_worker_is_waited_for_while_workers_are_looked_after(
    monkeypatch,
):
    found = on_cluster(Deadly(0.0, late=2), monkeypatch, TWENTY)
    assert same(found, ts.study(TWENTY))
    client = Deadly(0.0, late=10**9)
    client.nthreads = lambda: {}
    monkeypatch.setattr(cluster, "_PATIENCE", 0.05)
    with pytest.raises(ts.SolveError, match="no worker"):
        on_cluster(client, monkeypatch, TWENTY)


def same_but(first, second, row):
    """Whether all numbers but those of one sample are the same."""
    return np.array_equal(*(np.delete(x.outputs.scalars, row, axis=0) for x in (first, second)))
