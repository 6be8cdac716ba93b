"""Files are written whole or not at all, where they can be, under names that stay in the folder."""

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import torseur as ts
from torseur.output import file_name, replacing, writable, writable_folder, write_table, write_text


def test_a_file_appears_whole_with_the_rights_of_a_new_one(tmp_path):
    before = os.umask(0o027)
    try:
        write_text(tmp_path / "a.txt", "θ\n")
    finally:
        os.umask(before)
    assert (tmp_path / "a.txt").read_text("utf-8") == "θ\n"
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o640
    assert [x.name for x in tmp_path.iterdir()] == ["a.txt"]


def test_a_file_that_is_replaced_keeps_its_rights_and_its_links(tmp_path):
    write_text(tmp_path / "a.txt", "old")
    (tmp_path / "a.txt").chmod(0o600)
    (tmp_path / "link.txt").symlink_to(tmp_path / "a.txt")
    write_text(tmp_path / "link.txt", "new")
    assert (tmp_path / "link.txt").is_symlink()
    assert (tmp_path / "a.txt").read_text() == "new"
    assert stat.S_IMODE((tmp_path / "a.txt").stat().st_mode) == 0o600


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, MemoryError])
def test_what_fails_in_the_middle_leaves_the_old_file_and_nothing_else(tmp_path, error):
    write_text(tmp_path / "a.txt", "old")
    with pytest.raises(error), replacing(tmp_path / "a.txt") as place:
        place.write_text("half")
        raise error
    assert [x.name for x in tmp_path.iterdir()] == ["a.txt"]
    assert (tmp_path / "a.txt").read_text() == "old"


def test_a_process_killed_while_it_writes_leaves_the_old_file(tmp_path):
    write_text(tmp_path / "a.txt", "old")
    code = (
        "import sys, time; from torseur.output import replacing\n"
        "with replacing(sys.argv[1]) as place:\n"
        "    place.write_text('half'); print('writing', flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, str(tmp_path / "a.txt")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout.readline()
        process.send_signal(signal.SIGKILL)
    assert (tmp_path / "a.txt").read_text() == "old"


@pytest.mark.parametrize("path", ["none/a.txt", "file/a.txt", ".", "x" * 300, "a\0b"])
def test_a_place_that_cannot_be_written_is_told_before_and_in_writing(tmp_path, monkeypatch, path):
    monkeypatch.chdir(tmp_path)
    Path("file").write_text("a file")
    for attempt in (writable, lambda p: write_text(p, "text")):
        with pytest.raises(ts.ModelError, match="it cannot be written"):
            attempt(path)
    with pytest.raises(ts.ModelError, match="expected the path of a file, got 3"):
        writable(3)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_is_a_failed_computation(tmp_path):
    with pytest.raises(ts.SolveError, match="it could not be written: no space left"):
        write_text("/dev/full", "text" * 10000)


def test_a_pipe_is_written_directly(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with subprocess.Popen(["cat", str(tmp_path / "pipe")], stdout=subprocess.PIPE) as reader:
        write_text(tmp_path / "pipe", "through")
        assert reader.stdout.read() == b"through"
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_a_folder_is_made_only_when_something_is_written(tmp_path):
    assert writable_folder(tmp_path / "a" / "b") == tmp_path / "a" / "b"
    assert not (tmp_path / "a").exists()
    (tmp_path / "file").write_text("")
    with pytest.raises(ts.ModelError, match="it cannot be written"):
        writable_folder(tmp_path / "file" / "b")


def test_a_table_keeps_every_digit(tmp_path):
    values = np.random.default_rng(1).normal(size=(5, 2)) * [1e-300, 1e300]
    write_table(tmp_path / "a.csv", ["a [m]", 'b, "c"'], values)
    head, *rows = (tmp_path / "a.csv").read_text("utf-8").splitlines()
    assert head == 'a [m],"b, ""c"""'
    np.testing.assert_array_equal([[float(x) for x in row.split(",")] for row in rows], values)


@pytest.mark.parametrize(
    "name",
    ["../../X", "/etc/passwd", "..", ".", "", "a/b", "a\\b", "CON", "nul.x", ".hidden", "x" * 999,
     "a\0b", "a\nb", "C:x", "~", "-", "\ud800", "grue à tour θ"],
)  # fmt: skip
def test_a_file_called_after_a_model_stays_in_its_folder(name):
    found = file_name(name, ".html")
    assert found.name == str(found)
    assert found.suffix == ".html"
    assert not found.name.startswith((".", "~"))
    assert len(found.name) < 120
    assert found.stem.upper() not in ("CON", "NUL", "")
    assert file_name("grue à tour θ", ".html").stem == "grue à tour θ"


def test_no_module_writes_a_file_in_another_way():
    """Every output goes through torseur.output; the cache of machine code has its own rules."""
    ways = (".write_text(", ".write_bytes(", "savetxt(", ', "w"', ', "wb"', 'mode="w')
    own = {"output.py", "cache.py", "crash.py", "saving.py"}  # saving.py: SciPy, at a place given
    own |= {"build_kernels.py"}  # into the folder of a wheel that is being built
    own |= {"pyodide.py"}  # code in a temporary folder, for the loader
    own |= {"catalogue.py"}  # compiled catalogues beside the bytecode of a checkout
    for path in (Path(ts.__file__).parent).rglob("*.py"):
        if path.name not in own:
            text = path.read_text("utf-8")
            assert not [way for way in ways if way in text], path
            for line in text.splitlines():
                assert "savefig(" not in line or "savefig(file" in line or "savefig(place" in line


def test_every_function_that_writes_says_where_it_cannot(tmp_path):
    model = {
        "bodies": {"b": {"mass": 1}},
        "gravity": [0, 0, -9.81],
        "joints": {"A": {"type": "prismatic", "axis": "z", "bodies": ["ground", "b"]}},
    }
    run, nowhere = ts.simulate(ts.load(model), 0.1), tmp_path / "none"
    attempts = (
        lambda: ts.view(run, nowhere / "a.html"),
        lambda: ts.pictures.film({"one": run}, nowhere / "a.html"),
        lambda: ts.plot(run, path=nowhere / "a.svg"),
        lambda: run.save(nowhere / "a.nc"),
        lambda: run.to_csv(nowhere / "a.csv"),
    )
    for attempt in attempts:
        with pytest.raises(ts.ModelError, match="it cannot be written"):
            attempt()
