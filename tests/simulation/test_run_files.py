"""Runs in files: whole again after reading, named as they are called, refused when damaged."""

from dataclasses import replace
from importlib.resources import files

import numpy as np
import pytest
from old_files import save_as_first_version
from scipy.io import netcdf_file

import torseur as ts
from torseur.language.yaml.form import yaml_mechanism
from torseur.model.values.fingerprint import fingerprint

EXAMPLES = sorted(x.name for x in files("torseur.examples").iterdir() if x.name.endswith(".yaml"))
CRANE = {
    "name": "grue à tour",
    "gravity": [0, 0, -9.81],
    "parameters": {"ℓ": 2},
    "bodies": {"flèche": {"mass": 3, "centre": [0, "ℓ/2", 0], "inertia": [1, 1, 1]}},
    "joints": {"tête": {"type": "pivot", "bodies": ["ground", "flèche"], "axis": "x",
                        "coordinate": "θ"}},
    "events": {"niveau": {"zero": "θ + 0.1"}},
}  # fmt: skip


@pytest.fixture(scope="module")
def crane():
    return ts.simulate(ts.load(CRANE), 0.3, parameters={"ℓ": 1.5})


@pytest.fixture(scope="module")
def crank():
    return ts.simulate(ts.load(str(files("torseur.examples") / "jansen_leg.yaml")), 0.1)


@pytest.mark.sampled(20)
@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_is_the_same_mechanism_after_its_yaml_form(name):
    mechanism = ts.load(str(files("torseur.examples") / name))
    again = yaml_mechanism(mechanism.yaml(), "")
    assert fingerprint(again) == fingerprint(mechanism)
    assert again.parameters == mechanism.parameters
    assert again.coordinates == mechanism.coordinates
    assert list(again.points) == list(mechanism.points)


@pytest.mark.parametrize("coordinates", ["joint", "absolute"])
def test_a_run_is_whole_again_after_reading(tmp_path, coordinates):
    mechanism = ts.load(str(files("torseur.examples") / "four_bar.yaml"))
    run = ts.simulate(mechanism, 0.2, coordinates=coordinates)
    run.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    assert again.names == run.names
    assert again.notices == run.notices
    np.testing.assert_array_equal(again.t, run.t)
    np.testing.assert_array_equal(again.table, run.table)
    np.testing.assert_array_equal(again.a, run.a)
    np.testing.assert_array_equal(again.lambdas, run.lambdas)
    for joint in mechanism.joints:
        np.testing.assert_array_equal(again.reaction(joint), run.reaction(joint))
    for kind, values in run.energy.items():
        np.testing.assert_array_equal(again.energy[kind], values)


def test_a_run_of_a_mechanism_without_a_yaml_form_is_saved_without_it_and_says_so(tmp_path, crank):
    mechanism = crank.model.mechanism
    for form, reason in ((None, "not read from a description"), (mechanism.form, "was changed")):
        changed = replace(mechanism, points={}, form=form)
        ts.simulate(changed, 0.1).save(tmp_path / "run.nc")
        again = ts.load_run(tmp_path / "run.nc")
        assert again.mechanism is None
        assert reason in again.notices[-1]
        assert again[crank.model.speeds[0]].shape == again.t.shape


def test_names_in_any_alphabet_parameters_and_events_survive(tmp_path, crane):
    crane.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    assert again.model.mechanism.name == "grue à tour"
    assert again.model.parameters == crane.model.parameters
    np.testing.assert_array_equal(again["θ."], crane["θ."])
    (event,), (same,) = crane.events, again.events
    assert (event.name, event.t) == (same.name, same.t) == ("niveau", event.t)
    np.testing.assert_array_equal(event.state, same.state)


def test_variables_bear_the_names_and_units_of_what_they_hold(tmp_path, crane):
    crane.save(tmp_path / "run.nc", of=["θ..", "tête.force"])
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(tmp_path / "run.nc", engine="scipy") as data:
        names = {name.encode("latin-1").decode(): name for name in data}
        assert {"θ", "θ.", "θ..", "tête.force.x", "energy_kinetic"} <= set(names)
        assert data[names["θ.."]].attrs["units"] == "rad/s²"
        np.testing.assert_array_equal(data[names["θ"]], crane["θ"])
        np.testing.assert_array_equal(data[names["θ.."]], crane.a[:, 0])


def test_drives_accelerations_and_reactions_are_written(tmp_path, crank):
    (drive,) = crank.model.mechanism.motions
    joint = next(iter(crank.model.mechanism.joints))
    speed = crank.model.speeds[0]
    asked = [drive, f"{speed}.", f"{joint}.force"]
    crank.to_csv(tmp_path / "run.csv", of=asked)
    table = np.genfromtxt(tmp_path / "run.csv", delimiter=",", names=True, deletechars="")
    heads = (tmp_path / "run.csv").read_text("utf-8").splitlines()[0].split(",")
    assert heads[-5:][0] == f"{drive} [N·m]"
    columns = np.array(table.tolist())
    np.testing.assert_array_equal(columns[:, -5], crank.drive(drive))
    np.testing.assert_array_equal(columns[:, -4], crank.a[:, 0])
    np.testing.assert_array_equal(columns[:, -3:], crank.reaction(joint)[:, :3])
    crank.save(tmp_path / "run.nc", of=asked)
    with netcdf_file(str(tmp_path / "run.nc"), mmap=False) as file:
        np.testing.assert_array_equal(file.variables[drive][:], crank.drive(drive))


def test_names_that_clash_are_kept_apart(tmp_path):
    model = {
        "bodies": {"b": {"mass": 1}, "c": {"mass": 1}},
        "gravity": [0, 0, -9.81],
        "joints": {
            "A": {"type": "prismatic", "bodies": ["ground", "b"], "axis": "z",
                  "coordinate": "time"},
            "B": {"type": "prismatic", "bodies": ["b", "c"], "axis": "x",
                  "coordinate": "energy_work"},
        },
    }  # fmt: skip
    run = ts.simulate(ts.load(model), 0.1)
    run.save(tmp_path / "run.nc")
    again = ts.load_run(tmp_path / "run.nc")
    np.testing.assert_array_equal(again["time"], run["time"])
    np.testing.assert_array_equal(again["energy_work"], run["energy_work"])
    np.testing.assert_array_equal(again.t, run.t)


def test_a_file_of_the_first_version_is_read_without_its_model(tmp_path, crank):
    save_as_first_version(crank, tmp_path / "old.nc")
    old = ts.load_run(tmp_path / "old.nc")
    for name in crank.names:
        np.testing.assert_array_equal(old[name], crank[name])
    assert old.mechanism is None


def _damaged(data: bytes, rng) -> bytes:
    """A file cut short, with bits turned, bytes overwritten, left out or repeated."""
    way, place = rng.integers(5), int(rng.integers(len(data)))
    if way == 0:
        return data[:place]
    spoilt = bytearray(data)
    if way == 1:
        for k in rng.integers(len(data), size=rng.integers(1, 4)):
            spoilt[k] ^= 1 << int(rng.integers(8))
    elif way == 2:
        spoilt[place : place + 8] = rng.bytes(8)
    elif way == 3:
        del spoilt[place : place + int(rng.integers(1, 50))]
    else:
        spoilt[place:place] = spoilt[place : place + int(rng.integers(1, 50))]
    return bytes(spoilt)


@pytest.mark.parametrize("version", ["now", "first"])
def test_a_damaged_file_is_one_message_or_the_same_run(tmp_path, crane, version):
    """A hundred ways to damage a file: never another error, never other numbers without a word."""
    path = tmp_path / "run.nc"
    crane.save(path) if version == "now" else save_as_first_version(crane_in_ascii(), path)
    whole, rng, refused = path.read_bytes(), np.random.default_rng(7), 0
    expected = None if version == "first" else ts.load_run(path).table
    for _ in range(100):
        path.write_bytes(_damaged(whole, rng))
        try:
            found = ts.load_run(path)
        except ts.ModelError as error:
            refused += 1
            assert str(path) in str(error)
            assert len(str(error).splitlines()) <= 2
        else:
            if expected is not None:
                np.testing.assert_array_equal(found.table, expected)
    assert refused > (90 if version == "now" else 20)


def crane_in_ascii():
    model = {**CRANE, "name": "crane", "events": {}, "parameters": {"l": 2}}
    model["bodies"] = {"jib": {"mass": 3, "centre": [0, "l/2", 0], "inertia": [1, 1, 1]}}
    model["joints"] = {"A": {"type": "pivot", "bodies": ["ground", "jib"], "axis": "x"}}
    return ts.simulate(ts.load(model), 0.1)


@pytest.mark.parametrize(
    "content", [b"", b"t,x\n0,1\n", b"CDF\x01", b"\x89HDF\r\n\x1a\n", b"\0" * 99]
)
def test_what_is_not_a_run_is_refused(tmp_path, content):
    (tmp_path / "run.nc").write_bytes(content)
    with pytest.raises(ts.ModelError, match="not a netCDF file of a run, or it is damaged"):
        ts.load_run(tmp_path / "run.nc")


def test_a_place_without_a_file_is_told(tmp_path):
    for wrong, message in (
        (tmp_path, "is not a file"),
        (tmp_path / "none.nc", "does not exist"),
        (None, "Expected: a text or the path of a file"),
        ("a\0b", "it cannot be read"),
    ):
        with pytest.raises(ts.ModelError, match=message):
            ts.load_run(wrong)
