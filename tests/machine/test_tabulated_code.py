"""Tables in machine code and in exported code give the numbers of the table itself."""

import re
import shutil

import numpy as np
import pytest
from export_cases import case_of
from tables_made import CAM, LIFT, ORDERS, SPACINGS, around, every_manner, made

from torseur.algebra import symbol
from torseur.algebra.core.tabulated import Tabulated, table
from torseur.equations.functions.kernel import kernel
from torseur.errors import ModelError
from torseur.export.export import sources
from torseur.language.load import load
from torseur.machine.evaluator import Interpreted
from torseur.machine.llvm import jit, levels
from torseur.machine.llvm import loaded_code as loaded
from torseur.machine.llvm.lookup import numbers
from torseur.machine.llvm.module import batch_text, module_text, tables_of
from torseur.machine.runtime.memory import table as addresses

phi = symbol("phi", "coordinate")
TURNS = np.concatenate([np.linspace(-9, 9, 41), [-np.pi / 2, 0.5, 3.0, 1.5 * np.pi]])


def compiled_entries(of):
    def wide(entry, lanes):
        return levels.pack(jit.object_code(batch_text(of, lanes or 4))), None

    return loaded.load(levels.pack(jit.object_code(module_text(of, ()))), None, wide)


def outputs(entries, of, rows):
    """What the entries `single` and `batch` give for rows of inputs."""
    looked_up, length = numbers(tables_of(of)), np.array([len(rows)])
    c = addresses(looked_up)
    together, each = np.empty((2, len(rows), of.size))
    pointers = addresses(length, c, rows, together)  # named: it must outlive the call
    entries.batch(pointers.ctypes.data)
    for row, out in zip(rows, each, strict=True):
        pointers = addresses(c, row, out)
        entries.single(pointers.ctypes.data)
    return together, each


@pytest.mark.sampled(2, kind=lambda manner, spacing: manner)
@every_manner
@pytest.mark.parametrize("spacing", SPACINGS)
def test_machine_code_gives_the_same_numbers_to_the_last_bit(manner, spacing):
    found = made(manner, spacing)
    nodes = [Tabulated(found, order)(phi) for order in ORDERS]
    of = kernel("tables", [("q", ("phi",))], np.array(nodes, dtype=object))
    rows = around(found.breaks)[:, None].copy()
    expected = np.stack([found.evaluate(rows[:, 0], order) for order in ORDERS], axis=-1)
    compiled = compiled_entries(of)
    for entries in (compiled, Interpreted(of, ())):
        for found_numbers in outputs(entries, of, rows):
            np.testing.assert_array_equal(found_numbers, expected)


def test_machine_code_finds_its_piece_among_thousands():
    x = np.cumsum(np.random.default_rng(5).exponential(size=5000))
    found = table("long", x, np.sin(x))
    of = kernel("tables", [("q", ("phi",))], np.array([Tabulated(found)(phi)]))
    rows = around(x)[:, None].copy()
    compiled = compiled_entries(of)
    together, _ = outputs(compiled, of, rows)
    np.testing.assert_array_equal(together[:, 0], found.evaluate(rows[:, 0]))


def expected_torques():
    case = case_of(load(CAM))
    found = []
    for angle in TURNS:
        case.arrays["q"] = np.array([angle])
        found.append(case.expected("applied"))
    return case, np.array(found)


@pytest.mark.skipif(shutil.which("gcc") is None, reason="gcc is not on the PATH")
def test_exported_c_gives_the_same_numbers(tmp_path):
    from test_export_c import built

    case, expected = expected_torques()
    library = built(case.texts("c", ["applied"]), tmp_path)
    for angle, torque in zip(TURNS, expected, strict=True):
        found = library("applied", case.p, [[angle], case.arrays["v"]], (1,))
        np.testing.assert_allclose(found, torque, rtol=1e-13, atol=1e-13)
    single = tmp_path / "single"
    single.mkdir()
    library = built(case.texts("c", ["applied"], real="float"), single, "float")
    found = library("applied", case.p, [[TURNS[7]], case.arrays["v"]], (1,))
    np.testing.assert_allclose(found, expected[7], rtol=1e-4)


@pytest.mark.parametrize("to", ["numpy", "jax"])
def test_exported_python_gives_the_same_numbers_for_every_row(to):
    case, expected = expected_torques()
    [text] = case.texts(to, ["applied"]).values()
    names = {}
    exec(text.replace("import jax.numpy as jnp", "import numpy as jnp"), names)
    c = names["applied_constants"](case.p)
    found = names["applied"](c, TURNS[:, None], case.arrays["v"])
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("gfortran") is None, reason="gfortran is not on the PATH")
def test_exported_fortran_gives_the_same_numbers(tmp_path):
    from test_export_fortran import built, called

    x = np.linspace(0, 1, 300)
    case, expected = expected_torques()
    library = built(case.texts("fortran", ["applied"]), tmp_path)
    for angle, torque in zip(TURNS, expected, strict=True):
        found = called(library, "applied", case.p, [[angle], case.arrays["v"]], (1,))
        np.testing.assert_allclose(found, torque, rtol=1e-13, atol=1e-13)
    long = CAM | {"tables": CAM["tables"] | {"Δ": {"t": x, "value": np.sin(x)}}}
    folder = tmp_path / "long"
    folder.mkdir()
    built(sources(load(long), "fortran", ["applied"]), folder)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("octave") is None, reason="octave is not on the PATH")
def test_exported_matlab_gives_the_same_numbers(tmp_path):
    from test_export_matlab import column, run

    case, expected = expected_torques()
    texts = case.texts("matlab", ["applied", "forward_dynamics"], name="cam")
    p, v = column(case.p), column(case.arrays["v"])
    calls = [f"cam_applied(cam_applied_constants({p}), {angle!r}, {v})" for angle in TURNS.tolist()]
    calls += [f"cam_fcn([{TURNS[3]!r}; 0], {p}, 0)".replace("np.float64", "")]
    *found, rates = run(tmp_path, texts, calls)
    np.testing.assert_allclose(found, expected, rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(rates, [0, expected[3, 0] / 0.1], rtol=1e-12)


def test_exported_julia_reads_as_the_same_formulas():
    case, _ = expected_torques()
    [text] = case.texts("julia", ["applied"]).values()
    names = {
        name: [None, *map(float, numbers.split(","))]  # indices count from 1
        for name, numbers in re.findall(r"const (\w+_lift) = \[(.*?)\]", text, re.S)
    }
    names |= {"searchsortedlast": lambda v, x: sum(y <= x for y in v[1:]), "floor": np.floor}
    for order, function in ((0, "table_lift"), (1, "table1_lift"), (2, "table2_lift")):
        body = re.search(rf"function {function}\(x\)\n(.*?)\nend", text, re.S)[1]
        for angle in TURNS:
            local = {"x": angle}
            exec(re.sub(r"(?m)^ +", "", body).replace("return ", "y = "), names, local)
            assert local["y"] == pytest.approx(LIFT.evaluate(angle, order), abs=1e-14)


def test_a_language_without_tables_says_which_function_needs_one():
    mechanism = load(CAM)
    with pytest.raises(ModelError) as caught:
        sources(mechanism, "casadi", ["applied"])
    assert str(caught.value).split("\n")[0] == (
        'function "applied": it looks up the table "lift", which cannot be written for casadi.'
    )
    assert sources(mechanism, "casadi", ["mass_matrix"])


def test_two_tables_of_one_spelling_are_refused():
    tables = CAM["tables"] | {"Delta": CAM["tables"]["Δ"]}
    force = {"type": "joint", "joint": "A", "value": "Delta(q)"}
    mechanism = load(CAM | {"tables": tables, "forces": CAM["forces"] | {"more": force}})
    with pytest.raises(ModelError, match='the tables "Delta" and "Δ" are both "Delta"'):
        sources(mechanism, "c", ["applied"])
