"""WebAssembly written from expressions gives the bits of LLVM's code; LLVM is not needed for it."""

import base64
import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from tests.support.random_expressions import COORDINATES, VALUES, computation

import torseur as ts
from torseur.algebra.core.rules import function
from torseur.equations.functions.kernel import kernel
from torseur.machine.evaluator import kernel_code, wasm_module
from torseur.machine.llvm.library import ARGUMENTS
from torseur.machine.wasm.binary import MAGIC, data_size, imported, sections
from torseur.machine.wasm.elementary import SYMBOLS, elementary_module
from torseur.machine.wasm.straight import module_of_text

NODE = shutil.which("node")
RUNNER = Path(__file__).parents[1] / "support" / "straight_code.mjs"
needs_node = pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
EXPORTED = {"single": "single", "constants": "constants"}


def bits(x):
    return [str(k) for k in np.ascontiguousarray(x, dtype=float).view(np.uint64).ravel().tolist()]


def in_node(cases):
    """Output of each evaluator at some parameters and inputs, as bits."""
    modules = [wasm_module(code, EXPORTED) for code, _, _ in cases]
    needed = sorted({name for x in modules for name in imported(x)})
    asked = {
        "elementary": [packed(elementary_module(SYMBOLS[name])) for name in needed],
        "modules": [packed(x) for x in modules],
        "cases": [
            {
                "module": k,
                "parameters": bits(parameters),
                "constants": max(code.constants, 1),
                "tables": bits(code.tables[0]) if code.tables else [],
                "inputs": [bits(x) for x in inputs],
                "size": int(np.prod(code.shape)),
            }
            for k, (code, parameters, inputs) in enumerate(cases)
        ],
    }
    done = subprocess.run(
        [NODE, str(RUNNER)], input=json.dumps(asked), capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    return json.loads(done.stdout)


def packed(module):
    return base64.b64encode(module).decode()


def native(code, parameters, inputs):
    """Output of LLVM's code, as bits."""
    from torseur.machine.native import Calls

    return bits(Calls(code, np.array(parameters, dtype=float)).careful(tuple(inputs), 1, None))


def require_same(cases):
    assert in_node(cases) == [native(*case) for case in cases]


def code_of(outputs):
    names = tuple(x.name for x in COORDINATES)
    made = kernel("sample", [("q", names)], np.array(outputs, dtype=object))
    return kernel_code(made, "")


@needs_node
def test_random_computations_have_the_bits_of_llvm():
    state, cases = np.array([VALUES[x.name] for x in COORDINATES]), []
    for seed in range(12):
        code = code_of([x.expr for x in computation(seed)])
        cases.append((code, [VALUES[name] for name in code.parameters], [state]))
    require_same(cases)


@needs_node
def test_every_elementary_function_has_the_bits_of_llvm():
    a, b, c = COORDINATES
    outputs = [
        function(name, a) for name in ARGUMENTS if name not in ("sincos", "pow", "atan2", "log")
    ]
    outputs += [function("atan2", a, c), function("log", b), a.sin(), a.cos(), b**2.7, b**-3]
    outputs += [b**0.5, function("abs", c), function("sign", c * 3), -c, a / b - c]
    code = code_of(outputs)
    rng = np.random.default_rng(4)
    states = [np.array([x, abs(y) + 0.1, z]) for x, y, z in rng.uniform(-1, 1, (20, 3))]
    require_same([(code, [], [x]) for x in states])


TABLE = {
    "bodies": {"cam": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"J": {"type": "pivot", "bodies": ["ground", "cam"], "axis": "z",
                     "coordinate": "theta"}},
    "tables": {"grip": {"x": [-1, -0.3, 0.4, 1], "value": [0.2, -0.1, 0.3, 0.1]},
               "even": {"x": [0, 1, 2, 3], "value": [0, 1, -1, 0], "ends": "periodic"}},
    "forces": {"f": {"type": "joint", "joint": "J", "value": "grip(theta) + even(theta)"}},
}  # fmt: skip


@needs_node
@pytest.mark.parametrize("name", ["double_pendulum", "slider_crank", "robot_1980", "table"])
def test_functions_of_mechanisms_have_the_bits_of_llvm(name):
    model = ts.compile(ts.load(TABLE if name == "table" else name))
    rng, cases = np.random.default_rng(1), []
    for of in ("mass_matrix", "bias", "applied", "potential_energy"):
        code = model._evaluators[of]
        parameters = model.numbers(code)
        for _ in range(3):
            inputs = [rng.uniform(-2, 2, len(names)) for _, names in code.inputs]
            cases.append((code, parameters, inputs))
    require_same(cases)


def test_a_module_imports_only_memory_and_elementary_functions_and_has_no_data():
    module = wasm_module(ts.compile(ts.load("slider_crank"))._evaluators["bias"], EXPORTED)
    assert module.startswith(MAGIC)
    assert set(imported(module)) <= set(SYMBOLS)
    assert data_size(module) == 0
    assert len(list(sections(module))) == 6


def test_ir_that_is_not_straight_is_refused():
    with pytest.raises(KeyError):
        module_of_text("define void @f(i64 %t) {\nentry:\n  br label %entry\n}\n", {"f": "f"})


WITHOUT = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("llvmlite", "numba", "scipy"):
            raise ModuleNotFoundError(name)
sys.meta_path.insert(0, Blocked())
from torseur.cli.playground import late_packages
late_packages.expect([])
import numpy as np
from torseur.algebra import symbol
from torseur.algebra.core.rules import function
from torseur.equations.functions.kernel import kernel
from torseur.machine.evaluator import Evaluator, wasm_module, kernel_code
x = symbol("x", "input")
code = kernel_code(kernel("f", [("x", ("x",))], np.array([x.sin() * 2, x ** 2])), "")
module = wasm_module(code, {"single": "single", "constants": "constants"})
print(len(module), "llvmlite" in sys.modules)
"""


def test_a_module_is_written_without_llvm():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WITHOUT], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    size, has_llvm = done.stdout.split()
    assert int(size) > 100 and has_llvm == "False"
