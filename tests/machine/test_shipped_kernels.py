"""Loop kernels as bitcode: the same from every process, for any processor, run without numba."""

import os
import re
import subprocess
import sys

import llvmlite.binding as llvm
import pytest

from torseur import SolveError
from torseur.machine.llvm import sources
from torseur.machine.runtime import bitcode

SAMPLE = "torseur.machine.control.kernels.sampling", "sample"
ABSOLUTE = "torseur.machine.absolute.kernels.absolute_motion", "motion"

MAKE = """
import hashlib
from torseur.machine.runtime.text_compiler import make_bitcode
print(hashlib.sha256(make_bitcode({module!r}, {name!r}, "loop")).hexdigest())
"""

# every kernel that the motions need is written to a folder, or taken from there alone
MOVE = """
import hashlib, lzma, sys
from pathlib import Path
from types import SimpleNamespace
from torseur.machine.llvm import cache as store
from torseur.machine.llvm import sources
from torseur.machine.runtime import bitcode, loop_kernel
folder, ships = Path(sys.argv[1]), sys.argv[2] == "ship"
if ships:
    inner = bitcode.bitcode
    def shipped(module, name, lanes):
        code = inner(module, name, lanes)
        (folder / bitcode.file_name(module, name, lanes)).write_bytes(lzma.compress(code))
        return code
    bitcode.bitcode = shipped
    # code that is emitted already is emitted again
    loop_kernel.store = SimpleNamespace(key=store.key, read_or_make=lambda name, make: make())
else:
    sys.modules["numba"] = None
    (folder / "released").write_text("stamp")
    sources.RELEASED = bitcode.RELEASED = folder / "released"
import numpy as np
import torseur as ts
batch = {"theta1": np.linspace(0.1, 0.5, 20)}
runs = (
    ts.simulate("slider_crank", 0.2),
    ts.simulate("bouncing_ball", 0.5),
    ts.simulate("double_pendulum", 0.2, initial=batch),
    ts.simulate("slider_crank", 0.2, coordinates="absolute"),  # a kernel called `motion` too
)
for run in runs:
    print(hashlib.sha256(np.ascontiguousarray(run.q).tobytes()).hexdigest())
"""


def output(text, *arguments, **environment):
    """What a program in a new process prints."""
    command = [sys.executable, "-c", text, *map(str, arguments)]
    done = subprocess.run(command, env=os.environ | environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_two_processes_make_the_same_bytes():
    module, name = SAMPLE
    text = MAKE.format(module=module, name=name)
    assert output(text, PYTHONHASHSEED="1") == output(text, PYTHONHASHSEED="2")


def test_bitcode_holds_no_address_no_processor_and_calls_nothing_outside():
    module = llvm.parse_bitcode(bitcode.bitcode(*SAMPLE, 1))
    text = str(module)
    named = {f.name for f in module.functions if not f.is_declaration}
    assert named <= {bitcode.ENTRY, ""}  # other names would hold numbers of the process
    assert all(f.name.startswith("llvm.") for f in module.functions if f.is_declaration)
    assert not re.search(r"target-(cpu|features)|inttoptr \(i64 \d+|numba", text)


def test_kernels_take_sines_and_arcs_from_machine_code_and_nothing_from_the_c_library():
    module = llvm.parse_bitcode(bitcode.bitcode(*ABSOLUTE, 1))
    called = {f.name for f in module.functions if f.is_declaration}
    assert {"torseur.sincos.1", "torseur.atan2.1"} <= called
    plain = r"llvm\.(sqrt|fabs|floor|mem|lifetime|smax|smin|umax|umin|maxnum|minnum|assume)"
    assert not [name for name in called if not re.match(rf"torseur\.|{plain}", name)]


def test_motions_without_numba_from_shipped_kernels_are_the_same_bit_for_bit(tmp_path):
    folder = tmp_path / "bitcode"
    folder.mkdir()
    made_here = output(MOVE, folder, "ship")
    shipped = output(MOVE, folder, "run", TORSEUR_CACHE=str(tmp_path / "empty"))
    assert made_here == shipped and len(set(shipped.split())) == 4


def test_without_kernels_and_without_numba_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(bitcode, "RELEASED", sources.ROOT / "nowhere")
    assert not bitcode.available()
    with pytest.raises(SolveError, match="pip install numba"):
        bitcode.bitcode(*SAMPLE, 1)


def test_processes_that_start_cold_wait_for_one_maker(tmp_path):
    text = """
import sys, time
from pathlib import Path
from torseur.machine.llvm.cache import make_once
def make():
    with Path(sys.argv[1]).open("a") as file:
        file.write("made\\n")
    time.sleep(0.5)
    return b"code"
print(make_once(64 * "0", make))
"""
    log, cache = tmp_path / "log", {"TORSEUR_CACHE": str(tmp_path / "cache")}
    started = [
        subprocess.Popen(
            [sys.executable, "-c", text, str(log)],
            env=os.environ | cache,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    assert [process.communicate()[0].strip() for process in started] == ["b'code'"] * 4
    assert log.read_text() == "made\n"
