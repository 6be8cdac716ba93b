"""Small motions handed on: modes that move, files for other programs, responses, root loci."""

import importlib.util
import json
import re
import shutil
import subprocess
import sys
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner
from example_states import FOLDER, model
from same_text import tells
from scipy.io import loadmat

import torseur as ts
from torseur.cli.main import commands
from torseur.report.viewer.mode_film import displacements, movement_of

OCTAVE = shutil.which("octave-cli") or shutil.which("octave")


def linear(name="cart_pendulum", **more):
    return ts.linearise(model(name), **more)


def said(*arguments):
    answer = CliRunner().invoke(commands, [str(x) for x in arguments])
    if answer.exception is not None:
        raise answer.exception
    return answer.stdout


# --- modes that move ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["double_pendulum", "four_bar", "cart_pendulum"])
def test_a_mode_in_a_film_moves_as_its_shape_says_with_loops_closed(name):
    found = ts.linearise(None, at=ts.equilibria(model(name))[0])  # of least energy
    made = found.here.tangent
    for mode in found.modes:
        q = movement_of(found, mode).q
        assert len(q) == 121
        np.testing.assert_allclose(q[0], q[60], atol=1e-9)  # after a period
        if made.positions:
            held = [made.at(x, 0.0, found.here.v, found.here.a, found.here.lam).gap for x in q]
            assert np.abs(held).max() < 1e-9
        s = displacements(found, mode)
        for k, own in enumerate(found.coordinates):
            swing = np.ptp(q[:, made.coordinates.index(own)]) / 2
            assert swing == pytest.approx(abs(s[k]), rel=2e-3)  # of the samples of a cosine


def test_a_mode_that_grows_and_one_that_drifts_are_shown_too():
    upright = linear("simple_pendulum", at={"phi": np.pi})
    decay, growth = upright.modes
    assert (decay.kind, growth.kind) == ("decay", "growth")
    away = np.abs(movement_of(upright, growth).q[:, 0] - np.pi)
    assert (np.diff(away) > 0).all()
    assert (np.diff(np.abs(movement_of(upright, decay).q[:, 0] - np.pi)) < 0).all()
    drift = linear("elliptic_pendulum").modes[0]
    assert drift.kind == "drift"
    assert np.ptp(movement_of(linear("elliptic_pendulum"), drift).q[:, 0]) > 0.01


def test_the_page_of_modes_names_their_frequencies(tmp_path):
    page = ts.pictures.mode_film(linear(), tmp_path / "modes.html")
    text = page.read_text(encoding="utf-8")
    assert text.count("<iframe") == 2
    assert tells(text, "mode 1: 4.36063 rad/s (0.694016 Hz)")
    assert tells(text, "one period of 1.441 s is shown in 2 s, without its damping")
    assert "http" not in re.sub(r"http://www.w3.org/\S+", "", text)  # it needs no network
    with pytest.raises(ts.ModelError, match="mode 7 does not exist"):
        ts.pictures.mode_film(linear(), tmp_path / "modes.html", modes=(7,))
    with pytest.raises(ts.ModelError, match="cannot write"):
        ts.pictures.mode_film(linear(), tmp_path / "modes.gif")


def test_runs_play_side_by_side(tmp_path):
    run = ts.simulate(model("simple_pendulum"), 0.5)
    text = ts.pictures.film({"one": run, "two": run}, tmp_path / "film.html").read_text(
        encoding="utf-8"
    )
    assert text.count("<iframe") == 2
    assert 'max="0.5"' in text
    with pytest.raises(ts.ModelError, match="no run"):
        ts.pictures.film({}, tmp_path / "film.html")


# --- other programs -------------------------------------------------------------------------------


def test_a_mat_file_holds_the_matrices_and_the_names(tmp_path):
    found = linear(inputs=("x", "theta"))
    path = found.save_matlab(tmp_path / "small.mat", ["x", "theta."])
    loaded = loadmat(path)
    for name, matrix in zip("ABCD", found.state_space(["x", "theta."]), strict=True):
        np.testing.assert_array_equal(loaded[name], matrix)
    assert [x[0][0] for x in loaded["states"]] == ["x", "theta", "x.", "theta."]
    assert [x[0][0] for x in loaded["outputs"]] == ["x", "theta."]
    with pytest.raises(ts.ModelError, match=r"ending \.m or \.mat"):
        found.save_matlab(tmp_path / "small.txt")


@pytest.mark.skipif(OCTAVE is None, reason="octave is not on the PATH")
def test_octave_reads_both_files(tmp_path):
    found = linear(inputs=("x",))
    for ending, read in (("m", "run('small.m')"), ("mat", "load('small.mat')")):
        found.save_matlab(tmp_path / f"small.{ending}")
        command = f"{read}; printf('%.17g ', real(poly(A)), C(1, :), B');"
        answer = subprocess.run([OCTAVE, "--no-gui", "--eval", command], cwd=tmp_path, text=True,
                                capture_output=True, check=False)  # fmt: skip
        numbers = np.array(answer.stdout.split(), dtype=float)
        np.testing.assert_allclose(numbers[:5], np.poly(found.A).real, rtol=1e-10)
        np.testing.assert_allclose(numbers[5:9], found.state_space()[2][0])
        np.testing.assert_allclose(numbers[9:], found.B[:, 0])


def test_python_control_gets_the_same_system(monkeypatch):
    found = linear(inputs=("x",))
    if importlib.util.find_spec("control") is None:
        # the one function that is called, with its arguments as they are documented
        made = ModuleType("control")
        made.ss = lambda A, B, C, D, **names: (A, B, C, D, names)
        monkeypatch.setitem(sys.modules, "control", made)
        A, B, _, _, names = found.to_control(["theta", "theta."])
        np.testing.assert_array_equal(A, found.A)
        np.testing.assert_array_equal(B, found.B)
        assert names["outputs"] == ["theta", "theta_dot"]
        assert names["states"] == ["x", "theta", "x_dot", "theta_dot"]
        return
    system = found.to_control(["theta", "theta."])
    assert system.state_labels == ["x", "theta", "x_dot", "theta_dot"]
    value = system(3j)
    np.testing.assert_allclose(value[0, 0], found.response([3.0], "x", "theta")[0], rtol=1e-10)


def test_scipy_gets_the_same_system():
    found = linear(inputs=("x",))
    system = found.to_scipy(["theta", "theta."])
    wanted = found.response([3.0], "x", "theta")[0]
    _, values = found.to_scipy(["theta"]).freqresp([3.0])
    np.testing.assert_allclose(values[0], wanted, rtol=1e-10)
    assert system.C.shape == (2, 4)


def test_without_python_control_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "control", None)
    with pytest.raises(ts.ModelError, match="pip install control"):
        linear().to_control()


def test_a_transfer_function_is_written_with_its_roots():
    told = str(linear(inputs=("x",)).transfer("x", "theta"))
    assert tells(told, "(-1.25 p^2)/(1 p^4 + 0.6 p^3 + 70.6562 p^2 + 14.715 p + 981)")
    assert "zeros 0, 0" in told


# --- from a shell ---------------------------------------------------------------------------------


def test_responses_transfers_films_and_files_of_a_command(tmp_path):
    file = FOLDER / "cart_pendulum.yaml"
    film, matrices, picture = (tmp_path / x for x in ("modes.html", "small.mat", "response.svg"))
    told = said("linearise", file, "--transfer", "x:theta", "--response", "x:theta", "--film", film,
                "--matlab", matrices, "--output", "theta", "--plot", picture)  # fmt: skip
    assert tells(told, "theta/x = (-1.25 p^2)")
    assert tells(told, "is largest at 4.3609 rad/s", rel=1e-3)
    assert all(f"{x}: written." in told for x in (film, matrices, picture))
    assert loadmat(matrices)["C"].shape == (1, 4)
    document = json.loads(said("linearise", file, "--response", "x:theta", "--frequencies", "1:9",
                               "--json"))  # fmt: skip
    omega, values = document["response"]["frequencies"], document["response"]["values"]
    assert (omega[0], omega[-1]) == pytest.approx((1, 9))
    wanted = linear(inputs=("x",)).response(omega, "x", "theta")
    np.testing.assert_allclose([complex(*x) for x in values], wanted)
    assert np.shape(document["gyroscopic"]) == (2, 2)
    with pytest.raises(ts.ModelError, match="expected INPUT:OUTPUT"):
        said("linearise", file, "--response", "x")


def test_every_steady_motion_is_linearised():
    file = FOLDER / "heavy_top.yaml"
    documents = json.loads(
        said("linearise", file, "--given", "theta=0.5", "--given", "psi.=300", "--json")
    )
    found = ts.stability.steady_motions(model("heavy_top"), {"theta": 0.5, "psi.": 300})
    wanted = [ts.linearise(None, at=x).frequencies for x in found]
    np.testing.assert_allclose([x["frequencies"] for x in documents], wanted, rtol=1e-9)
    with pytest.raises(ts.ModelError, match="exclude each other"):
        said("linearise", file, "--given", "psi.=300", "--at", "theta=0.5")


def test_a_root_locus_from_a_shell(tmp_path):
    file, picture = FOLDER / "cart_pendulum.yaml", tmp_path / "locus.svg"
    arguments = ("root-locus", file, "--parameter", "b", "--from", 0, "--to", 4, "--count", 5)
    document = json.loads(said(*arguments, "--json", "--plot", picture))
    assert picture.exists()
    wanted = ts.stability.root_locus(model("cart_pendulum"), "b", np.linspace(0, 4, 5)).eigenvalues
    found = np.array(document["eigenvalues"]) @ [1, 1j]
    np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
    assert "b = 4          stable" in said(*arguments)
    with pytest.raises(ts.ModelError, match="too few for a locus"):
        said(*arguments[:-1], 1)
