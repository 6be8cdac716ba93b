"""Curves of a run: each has its name, its unit and its numbers."""

import sys
from pathlib import Path

import numpy as np
import pytest
from old_files import save_as_first_version

import torseur as ts
from torseur.simulation.run.quantities import quantity

MODELS = Path(__file__).parents[1] / "models"


@pytest.fixture(scope="module")
def run():
    model = ts.load({
        "name": "double pendulum",
        "gravity": [0, 0, -9.81],
        "bodies": {n: {"mass": 1, "centre": [0, 0, -0.3], "inertia": [0.01, 0.01, 0.01]}
                   for n in ("upper", "lower")},
        "joints": {
            "A": {"type": "pivot", "bodies": ["ground", "upper"], "axis": "y", "coordinate": "u"},
            "B": {"type": "pivot", "bodies": ["upper", "lower"], "axis": "y", "coordinate": "w",
                  "point": [[0, 0, -0.5], [0, 0, 0]]},
        },
        "points": {"P3": ["lower", [0, 0, -0.5]]},
        "initial": {"u": 0.5, "w.": 1},
    })  # fmt: skip
    return ts.simulate(model, 0.2, rate=100)


def curves(figure):
    """The numbers of each curve by its label."""
    return {line.get_label(): line.get_ydata() for ax in figure.axes for line in ax.get_lines()}


def test_coordinates_are_plotted_by_default_with_their_unit_and_the_name_of_the_mechanism(run):
    figure = ts.plot(run)
    (panel,) = figure.axes
    assert panel.get_ylabel() == "angle [rad]"
    assert panel.get_xlabel() == "t [s]"
    assert figure.get_suptitle() == "double pendulum"
    assert [text.get_text() for text in panel.get_legend().get_texts()] == ["u", "w"]
    np.testing.assert_array_equal(curves(figure)["w"], run["w"])


def test_curves_that_have_the_same_colour_have_other_dashes():
    b = ts.Builder("carts")
    for k in range(13):
        cart = b.body(f"cart{k}", mass=1)
        b.joint(f"rail{k}", "prismatic", b.ground, cart, axis="x", coordinate=f"x{k}")
    (panel,) = ts.plot(ts.simulate(b.build(), 0.1)).axes
    looks = {(line.get_color(), line.get_linestyle()) for line in panel.get_lines()}
    assert len(looks) == 13


def test_each_unit_has_its_row_in_the_order_asked_for(run):
    figure = ts.plot(run, "u.", "u", "P3", "A.force.z", "A.couple", "energy", "closure")
    labels = [panel.get_ylabel() for panel in figure.axes]
    assert labels == [
        "u. [rad/s]", "u [rad]", "length [m]", "A.force.z [N]", "couple [N·m]", "energy [J]",
        "closure [m or rad]",
    ]  # fmt: skip
    assert [panel.get_legend() is None for panel in figure.axes][:3] == [True, True, False]


def test_the_curves_are_the_numbers_of_the_run(run):
    wanted = ("P3.x", "P3.velocity", "P3.acceleration.z", "A.force", "B.couple.y")
    found = curves(ts.plot(run, *wanted, "energy.kinetic"))
    np.testing.assert_array_equal(found["P3.x"], run.point("P3")[:, 0])
    np.testing.assert_array_equal(found["P3.velocity.z"], run.point("P3", 1)[:, 2])
    np.testing.assert_array_equal(found["P3.acceleration.z"], run.point("P3", 2)[:, 2])
    np.testing.assert_array_equal(found["A.force.z"], run.reaction("A")[:, 2])
    np.testing.assert_array_equal(found["B.couple.y"], run.reaction("B")[:, 4])
    np.testing.assert_array_equal(found["kinetic energy"], run.energy["kinetic"])


def test_angles_are_in_degrees_on_request_and_nothing_else_changes(run):
    figure = ts.plot(run, "u", "u.", "P3.x", degrees=True)
    assert [panel.get_ylabel() for panel in figure.axes] == ["u [°]", "u. [°/s]", "P3.x [m]"]
    np.testing.assert_allclose(curves(figure)["u"], np.degrees(run["u"]))
    np.testing.assert_array_equal(curves(figure)["P3.x"], run.point("P3")[:, 0])


def test_a_window_of_time_is_shown_enlarged(run):
    figure = ts.plot(run, "u", "u.", zoom=(0.05, 0.1))
    assert len(figure.axes) == 4
    _, beside, _, below = figure.axes
    for panel, name in ((beside, "u"), (below, "u.")):
        (line,) = panel.get_lines()
        kept = (run.t >= 0.05 - 0.0101) & (run.t < 0.1 + 0.0001)
        np.testing.assert_array_equal(line.get_ydata(), run[name][kept])
    with pytest.raises(ts.ModelError, match=r"The run goes from 0 to 0\.2 s"):
        ts.plot(run, zoom=(1, 2))


def test_the_errors_of_a_run_are_curves_whose_largest_values_it_reports():
    run = ts.simulate(ts.load(MODELS / "slider_crank.yaml"), 0.2)
    (gap,) = quantity(run, "closure")
    assert gap.values.max() == pytest.approx(run.closure_error, rel=1e-12)
    (error,) = quantity(run, "energy_error")
    T, V, W = (run.energy[name] for name in ("kinetic", "potential", "work"))
    size = (T + np.abs(V - V[0]) + np.abs(W)).max()
    assert np.abs(error.values).max() / size == pytest.approx(run.energy_drift, rel=1e-12)


@pytest.mark.parametrize("ending", [".png", ".svg", ".pdf"])
def test_a_figure_is_written(run, tmp_path, ending):
    path = tmp_path / f"curves{ending}"
    ts.plot(run, "u", path=path)
    assert path.stat().st_size > 1000


def test_a_saved_run_is_plotted_too(run, tmp_path):
    run.save(tmp_path / "run.nc")
    saved = ts.load_run(tmp_path / "run.nc")
    figure = ts.plot(saved, "u", "energy")
    assert figure.axes[0].get_ylabel() == "u [rad]"
    assert set(curves(figure)) == {"u", "kinetic", "potential", "work"}
    assert set(curves(ts.plot(saved, "A.force"))) == {f"A.force.{axis}" for axis in "xyz"}
    save_as_first_version(run, tmp_path / "old.nc")
    with pytest.raises(ts.ModelError, match="points and reactions need the run"):
        ts.plot(ts.load_run(tmp_path / "old.nc"), "A.force")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("uu", r'quantity "uu" does not exist.*\n.*Known quantities: .*\n.*Did you mean "u"'),
        ("A.forces", 'Did you mean "A.force"'),
        ("P3.q", 'quantity "P3.q" does not exist'),
        ("A.force.q", "Known components: A.force.x, A.force.y, A.force.z"),
        ("energy.heat", 'quantity "energy.heat" does not exist'),
    ],
)
def test_a_name_that_does_not_exist_is_told_with_those_that_do(run, name, message):
    with pytest.raises(ts.ModelError, match=message):
        ts.plot(run, name)


def test_an_ending_that_cannot_be_written_is_told(run, tmp_path):
    with pytest.raises(ts.ModelError, match=r"curves.gif.*\n.*Endings: .png, .svg, .pdf"):
        ts.plot(run, path=tmp_path / "curves.gif")


# --- xarray -------------------------------------------------------------------------------------


def test_a_run_as_an_xarray_dataset_has_dimensions_units_and_remarks(run, tmp_path):
    xarray = pytest.importorskip("xarray")
    data = run.to_xarray()
    assert data["u"].dims == ("time",)
    assert data["u"].attrs["units"] == "rad"
    assert data["u."].attrs["units"] == "rad/s"
    assert data["time"].attrs["units"] == "s"
    np.testing.assert_array_equal(data["point_P3"].sel(axis="z"), run.point("P3")[:, 2])
    np.testing.assert_array_equal(data["energy_potential"], run.energy["potential"])
    assert data.attrs["title"] == "double pendulum"
    assert data.attrs["energy_drift"] == run.energy_drift
    data.to_netcdf(tmp_path / "data.nc", engine="scipy")
    again = xarray.open_dataset(tmp_path / "data.nc", engine="scipy")
    np.testing.assert_array_equal(again["w"], run["w"])


def test_without_xarray_the_message_says_how_to_install_it(run, monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(ts.ModelError, match=r"torseur\[xarray\]"):
        run.to_xarray()
