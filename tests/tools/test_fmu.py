"""Functional mock-up units, run by fmpy, move as Torseur does."""

import ctypes
import shutil
import subprocess
import zipfile
from xml.etree import ElementTree

import numpy as np
import pytest
from tests.simulation.test_symplectic_loops import bennett

import torseur as ts
from torseur.tools.fmu.fmu import fmu

fmpy = pytest.importorskip("fmpy")
validation = pytest.importorskip("fmpy.validation")
CC = shutil.which("cc")
pytestmark = pytest.mark.skipif(CC is None, reason="cc is not on the PATH")

STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-Wshadow", "-Wstrict-prototypes")
KINDS = ("CoSimulation", "ModelExchange")
EXAMPLES = {  # with a loop, inputs, imposed motions, contacts, friction, stops
    "simple_pendulum": 1.0,
    "double_pendulum": 1.5,
    "slider_crank": 0.5,
    "five_bar": 0.6,
    "robot_1980": 1.0,
    "cart_pole": 1.0,
    "speed_governor": 1.0,
    "ball_governor": 1.0,
    "stewart_platform": 0.5,
    "bouncing_ball": 2.0,
    "stick_slip": 15.0,
    "governor_with_friction": 2.0,
    "legged_robot": 0.4,
    "pendulum_between_stops": 1.0,
    "curling_stone": 2.0,
}
QUICK = ("simple_pendulum", "bouncing_ball")
# of the largest value: our own integrator in steps, CVode of fmpy
TOLERATED = {"CoSimulation": 1e-9, "ModelExchange": 1e-8}


def file_of(mechanism, folder, **options):
    """The FMU in a file, and its description by fmpy without problems."""
    (path,) = ts.export(mechanism, "fmu", None, folder, **options)
    assert validation.validate_fmu(str(path)) == []
    return str(path)


def moved(path, kind, end, interval=0.02, **options):
    """A motion by fmpy, with steps that end between samples and no finer."""
    if kind == "ModelExchange":
        options = {"relative_tolerance": 1e-12, "record_events": False, **options}
    else:
        options = {"relative_tolerance": 1e-12, **options}
    return fmpy.simulate_fmu(
        path, fmi_type=kind, stop_time=end, output_interval=interval, **options
    )


def assert_same(found, run, names, tolerated):
    """Each name within a part of its largest value, and of 1."""
    at = np.searchsorted(found["time"] + 1e-9, run.t)
    for name in names:
        expected = run[name]
        size = max(1.0, np.abs(expected).max())
        assert np.abs(found[name][at] - expected).max() < tolerated * size, name


def examples():
    """Every example in both versions of FMI; two of them are quick."""
    for name in EXAMPLES:
        for fmi in (3, 2):
            marks = [] if name in QUICK and fmi == 3 else [pytest.mark.slow]
            yield pytest.param(name, fmi, marks=marks)


@pytest.mark.parametrize("name, fmi", list(examples()))
def test_an_fmu_of_an_example_moves_as_torseur_does(name, fmi, tmp_path):
    mechanism, end = ts.load(name), EXAMPLES[name]
    path = file_of(mechanism, tmp_path, fmi=fmi)
    run = ts.simulate(mechanism, end, rate=50, rtol=1e-13)
    for kind in KINDS:
        found = moved(path, kind, end)
        names = (*mechanism.coordinates, *mechanism.speeds)
        assert_same(found, run, names, TOLERATED[kind])
        at = np.searchsorted(found["time"] + 1e-9, run.t)
        for point in mechanism.points:
            place = np.stack([found[f"{point}.{axis}"][at] for axis in "xyz"], 1)
            assert np.abs(place - run.point(point)).max() < 1e-8
        for motion in mechanism.motions:
            if f"{motion}.force" in found.dtype.names:
                force = run.drive(motion)
                size = max(1.0, np.abs(force).max())
                assert np.abs(found[f"{motion}.force"][at] - force).max() < 1e-7 * size
        for part in ("kinetic", "potential"):
            energy = run.energy[part]
            size = max(1.0, np.abs(energy).max())
            assert np.abs(found[f"{part}_energy"][at] - energy).max() < 1e-7 * size


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_force_is_an_input(kind, tmp_path):
    cart = ts.load("cart_pole")
    path = file_of(cart, tmp_path)
    pushed = np.array([(0.0, 3.0), (1.0, 3.0)], dtype=[("time", float), ("x.input", float)])
    found = moved(path, kind, 1.0, input=pushed)
    run = ts.simulate(cart, 1.0, rate=50, control={"x": 3.0}, sample=1.0, rtol=1e-13)
    assert_same(found, run, ("x", "theta", "x.", "theta."), TOLERATED[kind])


@pytest.mark.slow
@pytest.mark.parametrize("name, values", [
    ("bouncing_ball", {"e": 0.5, "m": 2.0}), ("ball_sliding_to_rolling", {"mu": 0.3, "m": 2.0}),
    ("slider_crank", {"Cm": 2.5, "m2": 0.3}),
])  # fmt: skip
def test_parameters_are_set_at_the_start(name, values, tmp_path):
    mechanism = ts.load(name)
    path = file_of(mechanism, tmp_path)
    run = ts.simulate(mechanism, 0.5, rate=50, parameters=values, rtol=1e-13)
    for kind in KINDS:
        found = moved(path, kind, 0.5, start_values=values)
        assert_same(found, run, mechanism.coordinates, TOLERATED[kind])


@pytest.mark.slow
def test_reactions_of_joints_are_outputs(tmp_path):
    arm = ts.load("double_pendulum")
    joints = list(arm.joints)
    path = file_of(arm, tmp_path, outputs=[f"reaction:{x}" for x in joints])
    found, run = moved(path, "CoSimulation", 0.5), ts.simulate(arm, 0.5, rate=50, rtol=1e-13)
    for joint in joints:
        labels = [f"{joint}.{x}" for x in ("Fx", "Fy", "Fz", "Cx", "Cy", "Cz")]
        wrench = np.stack([found[x] for x in labels], 1)
        np.testing.assert_allclose(wrench, run.reaction(joint), atol=1e-7)
    with pytest.raises(ts.ModelError, match="not unique"):
        ts.export(ts.load("slider_crank"), "fmu", directory=tmp_path, outputs=["reaction:A"])


@pytest.mark.slow
def test_outputs_and_rates_name_what_they_depend_on(tmp_path):
    for fmi in (3, 2):
        known = fmpy.read_model_description(file_of(ts.load("cart_pole"), tmp_path, fmi=fmi))
        told = {
            x.variable.name: {y.name for y in x.dependencies}
            for x in (*known.outputs, *known.derivatives)
        }
        assert told["der(x)"] == {"x."} and told["x"] == {"x"}
        assert told["der(theta.)"] == {"theta", "theta.", "x.input"}
        assert told["kinetic_energy"] == {"theta", "theta.", "x."}
    loop = fmpy.read_model_description(file_of(ts.load("slider_crank"), tmp_path))
    assert all(x.dependencies is None for x in loop.derivatives)


def test_names_that_meet_are_refused(tmp_path):
    described = {
        "bodies": {"ball": {"mass": 1.0}},
        "joints": {"fall": {"type": "prismatic", "bodies": ["ground", "ball"], "axis": "y",
                            "coordinate": "y"}},
        "points": {"P": ["ball", [0, 0, 0]]},
        "parameters": {"kinetic_energy": 2.0},
        "forces": {"f": {"type": "joint", "joint": "fall", "value": "kinetic_energy"}},
    }  # fmt: skip
    with pytest.raises(ts.ModelError, match="would be called"):
        ts.export(ts.load(described), "fmu", directory=tmp_path)


@pytest.mark.slow
def test_a_changed_length_closes_the_loop_anew(tmp_path):
    crank = ts.load("slider_crank")
    found = moved(file_of(crank, tmp_path), "CoSimulation", 0.3, start_values={"l2": 0.35})
    alpha, beta, x = (found[name] for name in ("alpha", "beta", "x"))
    reached = 0.10 * np.cos(alpha) + 0.35 * np.cos(alpha + beta)
    assert np.abs(reached - x).max() < 1e-10


@pytest.mark.slow
def test_a_parameter_that_others_define_is_not_a_variable(tmp_path):
    path = file_of(ts.load("five_bar"), tmp_path)
    known = {x.name: x for x in fmpy.read_model_description(path).modelVariables}
    assert "a" in known and "alpha0" not in known
    assert (known["a"].unit, known["alpha"].unit, known["alpha."].unit) == ("m", "rad", "rad.s-1")
    assert known["a"].description == "length of the cranks"


@pytest.mark.slow
def test_the_binary_has_only_the_functions_of_fmi_and_no_warning(tmp_path):
    for name in QUICK:
        path = file_of(ts.load(name), tmp_path)
        with zipfile.ZipFile(path) as archive:
            archive.extractall(tmp_path / name)
        sources = sorted((tmp_path / name / "sources").glob("*.[cs]"))
        library = tmp_path / f"{name}.so"
        command = [CC, *STRICT, "-shared", "-fPIC", "-o", library, *sources, "-lm"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        listed = ElementTree.parse(tmp_path / name / "sources" / "buildDescription.xml")
        named = {x.get("name") for x in listed.iter("SourceFile")}
        assert named == {x.name for x in sources}
        (binary,) = (tmp_path / name / "binaries").glob("*/*")
        code = ctypes.CDLL(str(binary))
        assert code.fmi3DoStep and not hasattr(code, "motion_advance")


@pytest.mark.slow
def test_the_same_mechanism_makes_the_same_bytes():
    first, second = (fmu(ts.load("double_pendulum")).archive for _ in range(2))
    assert first == second


def test_without_a_compiler_there_are_sources_and_a_notice(tmp_path, monkeypatch):
    monkeypatch.setenv("CC", "no-such-compiler")
    written = ts.export(ts.load("simple_pendulum"), "fmu", None, tmp_path)
    assert "no compiler" in written.notices[0]
    with zipfile.ZipFile(written[0]) as archive:
        names = archive.namelist()
    assert "sources/fmi3.c" in names and not [x for x in names if x.startswith("binaries")]


@pytest.mark.slow
def test_a_state_is_taken_and_given_back(tmp_path):
    for name in QUICK:
        path = file_of(ts.load(name), tmp_path)
        folder = fmpy.extract(path, tmp_path / name)
        known = fmpy.read_model_description(path)
        one = fmpy.instantiate_fmu(folder, known, "CoSimulation")
        one.enterInitializationMode(startTime=0.0)
        one.exitInitializationMode()
        one.doStep(0.0, 0.3)
        state = one.getFMUState()
        ends = []
        for _ in range(2):
            one.setFMUState(state)
            one.doStep(0.3, 0.5)
            ends.append(one.getFloat64([1, 2]))
        one.freeFMUState(state)
        one.terminate()
        one.freeInstance()
        assert ends[0] == ends[1]


@pytest.mark.slow
def test_an_event_that_stops_the_motion_ends_the_simulation(tmp_path):
    described = {
        "bodies": {"ball": {"mass": 1.0}},
        "joints": {"fall": {"type": "prismatic", "bodies": ["ground", "ball"], "axis": "y",
                            "coordinate": "y"}},
        "gravity": [0, -10, 0],
        "events": {"low": {"zero": "y + 5", "stop": True}},
    }  # fmt: skip
    for fmi in (3, 2):
        path = file_of(ts.load(described), tmp_path, fmi=fmi)
        for kind in KINDS:
            found = moved(path, kind, 2.0)
            assert found["time"][-1] <= 1.02 + 1e-9
            assert found["y"].min() > -5.0 - 1e-8


@pytest.mark.parametrize("options, message", [
    ({"fmi": 1}, "version of FMI"), ({"outputs": ["wings"]}, 'output "wings"'),
    ({"functions": ["bias"]}, 'option "functions"'), ({"actuators": ["wings"]}, "wings"),
])  # fmt: skip
def test_what_an_fmu_has_not_is_refused(options, message, tmp_path):
    with pytest.raises(ts.ModelError, match=message):
        ts.export(ts.load("simple_pendulum"), "fmu", directory=tmp_path, **options)


@pytest.mark.parametrize("options, message", [
    ({"name": 5}, "Give a name"), ({"outputs": 5}, "Give names"), ({"outputs": [1]}, "Give names"),
    ({"initial": "alpha"}, "Give values by name"), ({"fmi": "three"}, "version of FMI"),
])  # fmt: skip
def test_options_of_another_kind_are_refused(options, message, tmp_path):
    with pytest.raises(ts.ModelError, match=message):
        ts.export(ts.load("simple_pendulum"), "fmu", directory=tmp_path, **options)


@pytest.mark.slow
def test_errors_go_to_the_log_of_the_importer(tmp_path):
    from fmpy.fmi3 import fmi3LogMessageCallback

    said = []
    logger = fmi3LogMessageCallback(lambda env, status, category, text: said.append(text.decode()))
    path = file_of(ts.load("five_bar"), tmp_path)
    with pytest.raises(Exception, match="fmi3ExitInitializationMode"):
        moved(path, "CoSimulation", 0.1, start_values={"d": 5.0}, debug_logging=True,
              logger=logger)  # fmt: skip
    assert said == ["the loops of the mechanism cannot be closed from these values"]


def test_loops_that_repeat_each_other_are_refused(tmp_path):
    with pytest.raises(ts.ModelError, match="repeat each other"):
        ts.export(bennett().mechanism, "fmu", directory=tmp_path)
