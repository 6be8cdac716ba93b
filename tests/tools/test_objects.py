"""Functions as machine code of other processors: WebAssembly runs in Node, others are inspected."""

import ctypes
import json
import re
import shutil
import subprocess

import numpy as np
import pytest

import torseur as ts
from torseur.machine.llvm import jit
from torseur.tools.exporting import TARGETS
from torseur.tools.objects import embedded
from torseur.tools.objects.functions import functions_of

NODE, CC, NM = map(shutil.which, ("node", "cc", "nm"))
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic")
NAMES = ("inverse_dynamics", "mass_matrix", "bias")
Q, V, A = [0.3, -0.7], [1.1, 0.4], [-0.2, 0.9]
ARGUMENTS = {"inverse_dynamics": (Q, V, A), "mass_matrix": (Q,), "bias": (Q, V)}


def expected(mechanism, **parameters):
    model = ts.compile(mechanism).with_parameters(**parameters)
    return {name: np.ravel(getattr(model, name)(*ARGUMENTS[name])) for name in NAMES}


@pytest.fixture(scope="module")
def pendulum():
    return ts.load("double_pendulum")


@pytest.mark.skipif(NODE is None, reason="node is not on the PATH")
def test_a_webassembly_module_gives_the_bits_of_torseur_in_node(pendulum, tmp_path):
    ts.export(pendulum, "wasm", NAMES, tmp_path)
    calls = ", ".join(
        f"{name}: [...f.{name}(p, {', '.join(map(json.dumps, given))})]"
        for name, given in ARGUMENTS.items()
    )
    (tmp_path / "double_pendulum.js").rename(tmp_path / "double_pendulum.mjs")
    (tmp_path / "run.mjs").write_text(
        'import { readFileSync } from "node:fs";\n'
        'import { load, PARAMETERS } from "./double_pendulum.mjs";\n'
        'const f = await load(readFileSync("double_pendulum.wasm"));\n'
        f"const values = (p) => ({{ {calls} }});\n"
        "const p = [...PARAMETERS];\n"
        "console.log(JSON.stringify([values(p), values([p[0], 0.9, ...p.slice(2)])]));\n"
    )
    done = subprocess.run([NODE, "run.mjs"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    for found, wanted in zip(
        json.loads(done.stdout), (expected(pendulum), expected(pendulum, l2=0.9)), strict=True
    ):
        for name in NAMES:
            np.testing.assert_array_equal(found[name], wanted[name])


@pytest.mark.skipif(CC is None, reason="cc is not on the PATH")
def test_the_header_of_an_object_calls_its_functions(pendulum, tmp_path, monkeypatch):
    host = embedded.Processor("here", jit.default_triple(), "", "", "", "this processor")
    exported = embedded._exported(host, pendulum, functions=NAMES)
    for name, content in exported.files.items():
        (tmp_path / name).write_bytes(content)
    lines = ['#include "double_pendulum.h"', "void run(const double *p, const double *q,",
             "const double *v, const double *a, double *out);",
             "void run(const double *p, const double *q, const double *v, const double *a,",
             "double *out) { double c[100];"]  # fmt: skip
    for name, given in ARGUMENTS.items():
        arrays = ", ".join(("q", "v", "a")[: len(given)])
        lines += [f"double_pendulum_{name}_constants(p, c);",
                  f"double_pendulum_{name}(c, {arrays}, out);", "out += 4;"]  # fmt: skip
    (tmp_path / "run.c").write_text("\n".join([*lines, "}", ""]))
    command = [CC, *STRICT, "-shared", "-fPIC", "-o", "run.so", "run.c", "double_pendulum.o"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    p = np.array([x.value for x in functions_of(pendulum, "c", NAMES).model.parameters])
    arrays = [p, *map(np.array, (Q, V, A)), np.zeros(12)]
    ctypes.CDLL(str(tmp_path / "run.so")).run(*(ctypes.c_void_p(x.ctypes.data) for x in arrays))
    for k, (name, wanted) in enumerate(expected(pendulum).items()):
        np.testing.assert_array_equal(arrays[-1][4 * k :][: len(wanted)], wanted, name)


@pytest.mark.skipif(NM is None, reason="nm is not on the PATH")
@pytest.mark.parametrize("to, helper", [("cortex-m", "__"), ("risc-v", "floor")])
def test_an_object_for_another_processor_says_that_it_was_not_run(pendulum, to, helper, tmp_path):
    written = ts.export(pendulum, to, NAMES, tmp_path)
    assert written.notices and "not run by our tests" in written.notices[0]
    assert "not run by our tests" in (tmp_path / "double_pendulum.h").read_text()
    code = (tmp_path / "double_pendulum.o").read_bytes()
    assert code.startswith(b"\x7fELF")
    machine = {"cortex-m": 40, "risc-v": 243}[to]
    assert int.from_bytes(code[18:20], "little") == machine
    listed = subprocess.run([NM, "-u", tmp_path / "double_pendulum.o"], capture_output=True,
                            text=True, check=True)  # fmt: skip
    missing = re.findall(r"U (\S+)", listed.stdout)
    assert all(name.startswith((helper, "mem", "floor")) for name in missing), missing


def test_ptx_has_a_kernel_for_rows_of_each_function(pendulum, tmp_path):
    (path,) = ts.export(pendulum, "ptx", NAMES, tmp_path)
    text = path.read_text()
    assert "not run by our tests" in text and ".target sm_70" in text
    for name in NAMES:
        assert f".visible .entry double_pendulum_{name}_rows" in text
    names = re.findall(r"^\s*\.(?:visible )?\.?(?:func|entry)\s.*?([\w.$]+)$", text, re.M)
    assert not [x for x in names if "." in x]
    assert "fma.rn" not in text  # no fused operations, as in Torseur


def test_what_objects_cannot_have_is_refused(tmp_path):
    cam = {
        "bodies": {"cam": {"mass": 1.0, "inertia": [0.1, 0.1, 0.1]}},
        "joints": {"J": {"type": "pivot", "bodies": ["ground", "cam"], "axis": "z",
                         "coordinate": "theta"}},
        "tables": {"grip": {"x": [-1, -0.3, 0.4, 1], "value": [0.2, -0.1, 0.3, 0.1]}},
        "forces": {"f": {"type": "joint", "joint": "J", "value": "grip(theta)"}},
    }  # fmt: skip
    for to in ("wasm", "ptx", "cortex-m", "risc-v"):
        assert to in TARGETS
        with pytest.raises(ts.ModelError, match="looks up tables"):
            ts.export(ts.load(cam), to, ["applied"], tmp_path)
    with pytest.raises(ts.ModelError, match='option "fmi"'):
        ts.export(ts.load("double_pendulum"), "wasm", None, tmp_path, fmi=3)
