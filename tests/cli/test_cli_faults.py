"""The command in adverse conditions: interrupted, without a reader, a home, memory or letters."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from processes import LIMITED

from torseur.cli.frame.crash import crash_message
from torseur.cli.frame.encoding import spelt

ARM = "RY(q1), TYK(L1), RX(q2), TYK(L2);"
DOOR = """
name: ../../portë
gravity: [0, 0, -9.81]
bodies: {b: {mass: 1, centre: [0, 1, 0], inertia: [1, 1, 1]}}
joints: {A: {type: pivot, bodies: [ground, b], axis: x, coordinate: θ}}
"""
COMMAND = [sys.executable, "-m", "torseur"]


def torseur(*arguments, **options):
    options = {"capture_output": True, "check": False} | LIMITED | options
    return subprocess.run([*COMMAND, *arguments], **options)


def started(*arguments, **options):
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE} | LIMITED
    return subprocess.Popen([*COMMAND, *arguments], **(pipes | options))


@pytest.fixture
def door(tmp_path):
    folder = tmp_path / "a" / "b" / "c"
    folder.mkdir(parents=True)
    (folder / "door.yaml").write_text(DOOR, encoding="utf-8")
    return folder / "door.yaml"


def test_letters_that_an_encoding_lacks_are_spelt(door):
    """The first encoding is that of the environment, the others follow in the same process."""
    encodings = ["ascii", "latin-1", "cp1252", "cp437"]
    code = f"""
import sys
from torseur.cli import main
for encoding in {encodings}:
    sys.argv = ["torseur", "derive", {str(door)!r}]
    if encoding != sys.stdout.encoding:
        sys.stdout.reconfigure(encoding=encoding)
    try:
        main()
    except SystemExit as left:
        assert left.code == 0, encoding
    sys.stdout.buffer.write(bytes(1))
    sys.stdout.flush()
"""
    plain = os.environ | {"PYTHONIOENCODING": encodings[0]}
    answer = subprocess.run(
        [sys.executable, "-c", code], env=plain, capture_output=True, check=False
    )
    assert answer.returncode == 0, answer.stderr
    assert b"Traceback" not in answer.stderr
    said = answer.stdout.split(bytes(1))[:-1]
    for encoding, text in zip(encodings, said, strict=True):
        assert "theta" in text.decode(encoding) or "θ" in text.decode(encoding), encoding


def test_a_json_document_keeps_its_letters_in_any_encoding(door):
    plain = os.environ | {"PYTHONIOENCODING": "ascii"}
    answer = torseur("check", str(door), "--json", env=plain)
    assert "θ" in json.dumps(json.loads(answer.stdout), ensure_ascii=False)


def test_letters_are_spelt_by_their_names():
    said = "".join(map(spelt, "θ̇ = −ω², é → Ω…"))
    assert said == "theta = -omega^2, e -> Omega..."
    assert all(spelt(chr(k)).isascii() for k in range(0x80, 0x3000))


@pytest.mark.parametrize("delay", [0.02, 0.06, 0.15, 0.4])
def test_an_interruption_of_the_start_is_quiet(delay):
    """From the first line of `main` on; before that, Python itself tells of it."""
    code = "import sys; from torseur.cli import main; print(flush=True); sys.exit(main())"
    command = [sys.executable, "-c", code, "derive", ARM]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.readline()
        time.sleep(delay)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate()
    assert process.returncode in (0, 130)
    assert delay > 0.1 or process.returncode == 130
    assert b"Traceback" not in said


@pytest.mark.slow
def test_an_interrupted_exercise_marks_what_was_answered_and_exits_130():
    with started("exercise", "elliptic_pendulum", stdin=subprocess.PIPE) as process:
        process.stdin.write(b"?\nT = 0\n")
        process.stdin.flush()
        said = b""
        while said.count(b"Your answer") < 3:  # it is asked again
            said += process.stdout.read1()
        process.send_signal(signal.SIGINT)
        sheet, error = process.communicate()
    assert (process.returncode, error.strip()) == (130, b"")
    assert b"/20" in sheet and b"wrong" in sheet


@pytest.mark.parametrize("option", [("--of", "phi,nothing"), ("--zoom", "0:1")])
def test_what_would_be_shown_nowhere_is_refused(option):
    answer = torseur("simulate", "simple_pendulum", "--duration", "1", *option)
    assert answer.returncode == 2 and b"Add --plot FILE" in answer.stderr


def test_an_interruption_of_the_exit_changes_nothing():
    code = """
import atexit, os, signal
from torseur.cli.main import _leave
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
_leave(0)
"""
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert (answer.returncode, answer.stderr) == (0, b"")


def test_an_interruption_that_python_could_only_print_comes_again():
    code = """
import os, signal, time
from torseur.cli.main import _Keyboard
class Ended:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        sum(range(1000000))
_Keyboard()
try:
    Ended()
    time.sleep(30)
except KeyboardInterrupt:
    print("interrupted")
"""
    command = [sys.executable, "-c", code]
    answer = subprocess.run(command, capture_output=True, check=True)
    assert (answer.stdout.strip(), answer.stderr) == (b"interrupted", b"")


@pytest.mark.slow
def test_an_interrupted_run_is_saved_and_exits_130(door):
    file = door.parent / "run.nc"
    arguments = ["simulate", str(door), "--duration", "1e5", "-o", str(file)]
    with started(*arguments) as process:
        time.sleep(4.0)
        process.send_signal(signal.SIGINT)
        said, error = process.communicate()
    assert b"Traceback" not in error
    assert process.returncode == 130
    assert file.exists() == (b"Interrupted at" in said)


def test_nobody_reads_any_more_and_nothing_is_said():
    with started("derive", ARM, "--masses", "full", "--as", "latex") as process:
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait() == 0


COUPLE = "torseur gyroscopic-couple --inertia 1,1,2 --spin 3"


@pytest.mark.skipif(os.name == "nt", reason="descriptors of POSIX shells")
@pytest.mark.parametrize(
    ("closed", "code", "said"),
    [
        (">&-", 1, b"standard output is closed: the result cannot be printed.\n"),
        ("2>&-", 0, b""),
        (">&- 2>&-", 1, b""),
        ("--spin wrong 2>&- | cat", 0, b""),
    ],
)
def test_an_answer_that_cannot_be_printed_is_a_failure(closed, code, said):
    command = f'"{sys.executable}" -m {COUPLE} {closed}'
    answer = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert (answer.returncode, answer.stderr) == (code, said)
    assert not closed.endswith("cat") or answer.stdout == b""  # errors do not pass for answers


def test_a_file_is_written_though_standard_output_is_closed(tmp_path):
    command = f'"{sys.executable}" -m torseur examples four_bar -o "{tmp_path}/a.yaml" >&-'
    answer = subprocess.run(command, shell=True, capture_output=True, check=False)
    assert answer.returncode == 1 and b"standard output is closed" in answer.stderr
    assert (tmp_path / "a.yaml").exists()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
def test_a_full_disk_behind_standard_output_is_one_line():
    with open("/dev/full", "w") as full:
        answer = torseur("examples", stdout=full, stderr=subprocess.PIPE, capture_output=False)
    assert answer.returncode == 1
    assert len(answer.stderr.splitlines()) == 1
    assert answer.stderr == b"standard output: no space left on device.\n"


def test_without_a_home_everything_works(tmp_path, door):
    bare = {k: x for k, x in os.environ.items() if k in ("PATH", "PYTHONPATH", "TMPDIR")}
    for home in ({}, {"HOME": "/dev/null/home"}):
        answer = torseur("check", str(door), env=bare | home)
        assert answer.returncode == 0, answer.stderr
        assert b"Traceback" not in answer.stderr


def test_a_page_called_after_its_model_stays_in_the_folder(door):
    answer = torseur("view", "door.yaml", cwd=door.parent)
    assert answer.returncode == 0, answer.stderr
    assert [x.name for x in door.parent.glob("*.html")] == ["portë-view.html"]
    assert not list(door.parents[2].glob("*.html"))


def test_standard_output_takes_a_file_and_standard_error_the_words(door):
    answer = torseur("simulate", str(door), "--duration", "0.1", "--rate", "100", "-o", "-")
    head, *rows = answer.stdout.decode().splitlines()
    assert head == "t [s],θ [rad],θ. [rad/s]"
    assert len(rows) == 11
    assert b"samples" in answer.stderr


def test_what_nobody_foresaw_is_one_line_and_a_file(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setenv("HOME", "/home/somebody")
    monkeypatch.setattr("tempfile.tempdir", None)
    try:
        raise ZeroDivisionError("of /home/somebody/secret")
    except ZeroDivisionError as error:
        line = crash_message(error)
    (report,) = tmp_path.glob("torseur-crash-*.txt")
    assert line.count("\n") == 0
    assert str(report) in line
    text = report.read_text("utf-8")
    assert "Traceback" in text
    assert "numpy" in text
    assert "/home/somebody" not in text
    assert report.stat().st_mode & 0o077 == 0


def test_every_error_is_one_line(tmp_path):
    errors = {
        "MemoryError()": "Not enough memory",
        "ZeroDivisionError('x')": "unexpectedly (ZeroDivisionError: x)",
        "OSError(5, 'Input/output error', 'disk')": "disk: input/output error.",
        "RecursionError('deep')": "unexpectedly (RecursionError: deep)",
    }
    code = f"""
import torseur.language.load as door, sys
def loaded(*a, **k): raise error
door.loaded = loaded
from torseur.cli import main
for error in [{", ".join(errors)}]:
    sys.argv = ['torseur', 'check', 'x']
    try:
        main()
    except SystemExit as left:
        assert left.code == 1, error
"""
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )  # fmt: skip
    assert answer.returncode == 0, answer.stderr
    for line, said in zip(answer.stderr.splitlines(), errors.values(), strict=True):
        assert said in line
