"""Functions of mechanisms and loop kernels compile to WebAssembly, with nothing of this process."""

import gc
import re

import llvmlite.binding as llvm
import pytest

import torseur as ts
from torseur.machine.evaluator import Evaluator, wasm_module
from torseur.machine.llvm.jit import PAGE, object_elsewhere
from torseur.machine.runtime import loop_kernel
from torseur.machine.runtime.bitcode import bitcode
from torseur.machine.wasm.binary import data_size, imported
from torseur.machine.wasm.elementary import SYMBOLS

LAW = {"theta1": "-3*theta1 - 0.4*theta1."}
CAM = {
    "bodies": {"cam": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"J": {"type": "pivot", "bodies": ["ground", "cam"], "axis": "z",
                     "coordinate": "theta"}},
    "tables": {"grip": {"x": [-1, -0.3, 0.4, 1], "value": [0.2, -0.1, 0.3, 0.1]}},
    "forces": {"f": {"type": "joint", "joint": "J", "value": "grip(theta)"}},
}  # fmt: skip
MOTIONS = {
    "smooth": ("double_pendulum", {}),
    "stiff": ("double_pendulum", {"method": "radau"}),
    "loop": ("slider_crank", {}),
    "absolute": ("slider_crank", {"coordinates": "absolute"}),
    "contact": ("bouncing_ball", {}),
    "steps": ("rocking_block", {"method": "moreau", "step": 1e-3}),
    "table": (CAM, {}),
    "control": ("double_pendulum", {"control": LAW, "sample": 0.01}),
}
ELEMENTARY = re.compile(r"torseur\.\w+\.\d|llvm\.[\w.]+|floor")
ADDRESS = re.compile(r"inttoptr \(?i64 -?\d|PyErr|torseur_optimise|numba")


@pytest.fixture
def used(monkeypatch):
    """The kernels that a motion asks for, by module, name and lanes."""
    asked, loaded = set(), loop_kernel._load

    def recorded(module, name, lanes, *processor):
        asked.add((module, name, lanes))
        return loaded(module, name, lanes, *processor)

    monkeypatch.setattr(loop_kernel, "_load", recorded)
    return asked


def require_whole(module):
    """Only functions of our own library are missing in a module, and it compiles for a page."""
    missing = {x.name for x in module.functions if x.is_declaration}
    assert not [x for x in missing if not ELEMENTARY.fullmatch(x)]
    assert not ADDRESS.search(str(module))
    assert object_elsewhere(module, PAGE).startswith(b"\0asm")


DEAR = ("absolute", "steps", "stiff")


@pytest.mark.parametrize(
    "motion", [pytest.param(x, marks=pytest.mark.slow) if x in DEAR else x for x in MOTIONS]
)
def test_all_code_of_a_motion_compiles_for_a_page(motion, used):
    name, options = MOTIONS[motion]
    model = ts.compile(ts.load(name))
    before = {id(x) for x in gc.get_objects() if isinstance(x, Evaluator)}
    run = ts.simulate(model, 0.02, **options)
    functions = [x for x in gc.get_objects() if isinstance(x, Evaluator) and id(x) not in before]
    assert run.t[-1] == pytest.approx(0.02)
    for code in functions:
        module = wasm_module(code, {"single": "single", "constants": "constants"})
        assert set(imported(module)) <= set(SYMBOLS)
        assert not data_size(module), "numbers of a mechanism stand in the memory of its record"
    for kernel in used:
        require_whole(llvm.parse_bitcode(bitcode(*kernel)))
    assert functions and used
