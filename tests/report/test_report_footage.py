"""Runs side by side and as films: one clock, as many images as the time asks for."""

import stat
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from PIL import Image

import torseur as ts
from torseur.cli.main import commands
from torseur.report.viewer.footage import footage

PENDULUM = {
    "name": "pendulum",
    "gravity": [0, -9.81, 0],
    "bodies": {"arm": {"mass": 1, "centre": [0, -0.5, 0], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"O": {"type": "pivot", "bodies": ["ground", "arm"], "axis": "z", "coordinate": "a"}},
    "points": {"P": ["arm", [0, -1, 0]]},
}


@pytest.fixture(scope="module")
def runs():
    model = ts.load(PENDULUM)
    return [ts.simulate(model, 0.5, rate=50, initial={"a": a}) for a in (0.5, 1.0)]


@pytest.fixture
def small(monkeypatch):
    monkeypatch.setattr(import_module("torseur.report.viewer.footage"), "_SIZE", (160, 120))
    monkeypatch.setattr(import_module("torseur.report.viewer.footage"), "_SHORTEST", 1.0)


def test_several_runs_play_side_by_side_with_one_clock(runs, tmp_path):
    page = ts.view(runs, tmp_path / "both.html", lang="fr").read_text(encoding="utf-8")
    assert page.count("<iframe") == 2
    assert page.count('id="time"') == 1
    assert "pendulum (1)" in page
    assert "pendulum (2)" in page
    assert 'lang="fr"' in page
    assert "Ajouter une courbe" in page


def test_a_gif_shows_the_motion_slowed_down_so_that_it_is_seen(runs, tmp_path, small):
    path = ts.view(runs[0], tmp_path / "film.gif")
    with Image.open(path) as film:
        assert (film.n_frames, film.size) == (25, (160, 120))
        assert film.info["duration"] == 40  # [ms]: 25 images a second
        assert film.info["loop"] == 0
        first = np.array(film.convert("RGB"), dtype=int)
        film.seek(15)
        later = np.array(film.convert("RGB"), dtype=int)
    assert (first[0, 0] == 255).all()
    assert (np.abs(first - later).max(axis=2) > 30).sum() > 50  # the arm is elsewhere


def test_a_video_goes_through_ffmpeg_or_says_that_it_is_missing(runs, tmp_path, monkeypatch, small):
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(ts.ModelError, match="needs ffmpeg, which is not on the PATH"):
        ts.view(runs[0], tmp_path / "film.mp4")
    program = tmp_path / "ffmpeg"
    program.write_text(
        f"#!{sys.executable}\nimport sys\n"
        "data = sys.stdin.buffer.read()\n"
        "open(sys.argv[-1], 'w').write(f'{len(data)} ' + ' '.join(sys.argv[1:]))\n"
    )
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    told = ts.view(runs[0], tmp_path / "film.mp4").read_text()
    assert told.startswith(f"{25 * 160 * 120 * 3} ")
    assert "-s 160x120 -r 25" in told


def test_a_video_needs_no_ffmpeg_on_the_path_where_the_extra_brings_one(
    runs, tmp_path, monkeypatch, small
):
    brought = pytest.importorskip("imageio_ffmpeg").get_ffmpeg_exe()
    monkeypatch.setenv("PATH", str(tmp_path))
    film = ts.view(runs[0], tmp_path / "film.mp4").read_bytes()
    assert film[4:8] == b"ftyp" and b"avc1" in film  # an MP4 with a track of H.264
    assert Path(brought).is_file()


def test_what_is_no_list_of_runs_is_refused(runs, tmp_path):
    with pytest.raises(ts.ModelError, match="not a list of runs"):
        ts.view([], tmp_path / "x.html")
    late = ts.simulate(ts.load(PENDULUM), 0.2, start=5.0)
    with pytest.raises(ts.ModelError, match="no time in common"):
        ts.view([runs[0], late], tmp_path / "x.html")


def test_the_command_shows_saved_runs_side_by_side(runs, tmp_path):
    files = [str(tmp_path / f"{k}.nc") for k in range(len(runs))]
    for run, file in zip(runs, files, strict=True):
        run.save(file)
    page = tmp_path / "both.html"
    told = CliRunner().invoke(commands, ["view", *files, "-o", str(page)])
    assert told.exit_code == 0, told.output
    assert page.read_text(encoding="utf-8").count("<iframe") == 2
    wrong = CliRunner().invoke(commands, ["view", files[0], "RZ(q1);", "-o", str(page)])
    assert isinstance(wrong.exception, ts.ModelError)
    assert "is not a run" in str(wrong.exception)


def test_a_film_of_one_pose_is_one_image(tmp_path, small):
    from torseur.report.scene.movement_sources import movement

    path = footage([movement(ts.load(PENDULUM))], tmp_path / "still.gif")
    with Image.open(path) as film:
        assert film.n_frames == 1
