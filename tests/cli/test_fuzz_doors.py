"""A fixed sample of inputs at every door, unusual and spoilt; `make fuzz` tries thousands."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from fuzz_doors import DOORS, Input, made, unspoilt

from torseur.cli.commands import commands

SERVER = Path(__file__).parents[1] / "support" / "fuzz_doors.py"
EACH = 5  # inputs a test
ON_ITS_OWN = {"app"}  # a command that serves until it is interrupted: test_app.py
needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes that fork")


@pytest.fixture(scope="session")
def ask():
    """Requests to a process that forks one for each input."""
    command = [sys.executable, str(SERVER), "--serve"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout.readline() == "ready\n"

        def answer(*words):
            print(*words, file=server.stdin, flush=True)
            return json.loads(server.stdout.readline())

        yield answer
        server.stdin.close()


@needs_fork
@pytest.mark.sampled(1, kind=lambda door, block: door)
@pytest.mark.parametrize("block", range(4))
@pytest.mark.parametrize("door", DOORS)
def test_inputs_are_answered_or_refused_by_a_message_and_an_exit_code(ask, door, block):
    assert ask("tried", door, EACH * block, EACH)["failures"] == []


@needs_fork
@pytest.mark.parametrize("door", DOORS)
def test_unspoilt_inputs_are_answered(ask, door):
    assert ask("controls", door, 0, 3)["failures"] == []


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_every_unspoilt_input_is_answered(ask, door):
    assert ask("controls", door, 3, 999)["failures"] == []


@needs_fork
@pytest.mark.slow
@pytest.mark.parametrize("door", DOORS)
def test_half_of_many_inputs_are_answered_and_none_fails(ask, door):
    found = ask("tried", door, 1000, 200)
    assert found["failures"] == []
    assert 2 * found["answered"] >= found["tried"]


def test_every_command_has_an_unspoilt_input():
    tried = {x.arguments[0] for door in DOORS for x in unspoilt(door) if x.arguments}
    assert tried | ON_ITS_OWN == set(commands.commands)


@pytest.mark.parametrize("door", DOORS)
def test_an_input_is_known_by_its_number(door):
    first, again, other = made(door, 1), made(door, 1), made(door, 3)
    assert isinstance(first, Input)
    assert first == again
    assert first != other


def test_what_goes_wrong_is_seen():
    """The judge of the others: errors that pass the command, signals, time and memory.

    A second of the processor is too much for an input, and free for the compiler.
    """
    code = (
        "import fuzz_doors, torseur.cli, json, os, signal, sys, time\n"
        "from torseur.machine.runtime import bitcode\n"
        "from fuzz_doors import Input, verdict\n"
        "fuzz_doors.SECONDS = 1\n"
        "def fails(): raise KeyError('raw')\n"
        "def stops(): os.kill(os.getpid(), signal.SIGSEGV)\n"
        "def lasts():\n    while True: pass\n"
        "def works(*_):\n"
        "    end = time.process_time() + 2\n"
        "    while time.process_time() < end: pass\n"
        "bitcode.bitcode = works\n"
        "def compiles(): bitcode.bitcode('module', 'name', 1); sys.exit(0)\n"
        "def grows(): sys.exit(len(bytes(3 * 1024**3)) and 7)\n"
        "said = []\n"
        "for main in (fails, stops, lasts, compiles, grows):\n"
        "    torseur.cli.main = main; said.append(verdict(Input(['x'])).wrong)\n"
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
