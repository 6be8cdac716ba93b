"""A fixed sample of spoilt inputs at every door; `make fuzz` tries thousands."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz_doors import DOORS, Input, made

SERVER = Path(__file__).with_name("fuzz_doors.py")
EACH = 5  # inputs a test


@pytest.fixture(scope="session")
def ask():
    """Requests to a process that forks one for each input."""
    command = [sys.executable, str(SERVER), "--serve"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout.readline() == "ready\n"

        def answer(door, first, count):
            print(door, first, count, file=server.stdin, flush=True)
            return json.loads(server.stdout.readline())

        yield answer
        server.stdin.close()


@pytest.mark.skipif(not hasattr(__import__("os"), "fork"), reason="needs processes that fork")
@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("door", DOORS)
def test_spoilt_inputs_are_one_line_and_an_exit_code(ask, door, block):
    assert ask(door, EACH * block, EACH) == []


@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_many_spoilt_inputs_are_one_line_and_an_exit_code(ask, door):
    assert ask(door, 1000, 200) == []


@pytest.mark.parametrize("door", DOORS)
def test_an_input_is_known_by_its_number(door):
    first, again, other = made(door, 3), made(door, 3), made(door, 4)
    assert isinstance(first, Input)
    assert first == again
    assert first != other


def test_what_goes_wrong_is_seen():
    """The judge of the others: errors that pass the command, signals, time and memory.

    A second of the processor is too much for an input, and free for the compiler.
    """
    code = (
        "import fuzz_doors, torseur.cli, json, os, signal, sys, time\n"
        "from torseur.machine.runtime import loop_kernel\n"
        "from fuzz_doors import Input, verdict\n"
        "fuzz_doors.SECONDS = 1\n"
        "def fails(): raise KeyError('raw')\n"
        "def stops(): os.kill(os.getpid(), signal.SIGSEGV)\n"
        "def lasts():\n    while True: pass\n"
        "def works(*_):\n"
        "    end = time.process_time() + 2\n"
        "    while time.process_time() < end: pass\n"
        "loop_kernel._compiled = works\n"
        "def compiles(): loop_kernel._compiled('module', 'name'); sys.exit(0)\n"
        "def grows(): sys.exit(len(bytes(3 * 1024**3)) and 7)\n"
        "said = []\n"
        "for main in (fails, stops, lasts, compiles, grows):\n"
        "    torseur.cli.main = main; said.append(verdict(Input(['x'])))\n"
        "print(json.dumps(said))"
    )
    answer = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=SERVER.parent, check=True
    )
    fails, stops, lasts, compiles, grows = json.loads(answer.stdout)
    assert "KeyError: 'raw'" in fails
    assert "ended by signal 11" in stops
    assert "more than 1 s" in lasts
    assert not compiles
    assert "MemoryError" in grows
