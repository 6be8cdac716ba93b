"""Generated NumPy, JAX and CasADi modules give Torseur's own numbers without Torseur."""

import subprocess
import sys

import numpy as np
import pytest
from export_cases import (
    EVERY,
    arm,
    assert_close,
    cases,
    every_joint,
    every_operation,
    texts_of,
    value,
)


def module(texts):
    """What a generated module defines."""
    [text] = texts.values()
    assert "import torseur" not in text and "from torseur" not in text
    names = {}
    exec(compile(text, "generated", "exec"), names)
    return names


@cases()
def test_every_function_in_numpy_gives_the_same_numbers(case):
    case = case()
    names = module(case.texts("numpy"))
    for name in EVERY:
        c = names[f"{name}_constants"](case.p)
        assert_close(names[name](c, *case.inputs(name)), case.expected(name))


def test_numpy_code_broadcasts_over_leading_axes():
    case = arm()
    names = module(case.texts("numpy"))
    rng = np.random.default_rng(1)
    p = case.p * rng.uniform(0.9, 1.1, size=(4, 1, len(case.p)))
    for name in EVERY:
        inputs = [x + rng.normal(size=(5, len(x))) for x in case.inputs(name)]
        c = names[f"{name}_constants"](p)
        found = names[name](c, *inputs)
        assert found.shape == (4, 5, *case.expected(name).shape)
        rows = [names[name](c[2, 0], *(x[k] for x in inputs)) for k in range(5)]
        assert_close(found[2], np.array(rows), 1e-13)


def test_every_operation_is_written_in_numpy():
    case, of = arm(), every_operation()
    names = module(texts_of("numpy", of, case))
    found = names["everything"](names["everything_constants"](case.p), case.arrays["q"])
    for one, other in zip(found, value(of, case), strict=True):
        assert_close(one, other, 1e-13)


def test_numpy_code_holds_the_values_of_the_parameters():
    case = every_joint()
    assert list(module(case.texts("numpy", ["gravity"]))["PARAMETERS"]) == list(case.p)


def test_a_generated_module_runs_where_torseur_is_not_installed(tmp_path):
    case = every_joint()
    [(name, text)] = case.texts("numpy", ["gravity"]).items()
    (tmp_path / name).write_text(text, encoding="utf-8")
    nq, nv = len(case.mechanism.coordinates), len(case.mechanism.speeds)
    call = (
        "import every_joint as m, numpy as np, sys; "
        f"print(m.gravity(m.gravity_constants(m.PARAMETERS), np.ones({nq})).shape); "
        "print('torseur' in sys.modules)"
    )
    command = [sys.executable, "-c", call]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == [f"({nv},)", "False"]


@pytest.fixture
def jax():
    found = pytest.importorskip("jax")
    found.config.update("jax_enable_x64", True)
    return found


@pytest.mark.slow
@cases()
def test_every_function_in_jax_gives_the_same_numbers(case, jax):
    case = case()
    names = module(case.texts("jax"))
    for name in EVERY:
        c = names[f"{name}_constants"](case.p)
        assert_close(names[name](c, *case.inputs(name)), case.expected(name))


@pytest.mark.slow
def test_jax_code_can_be_compiled_mapped_and_differentiated(jax):
    case = arm()
    names = module(case.texts("jax"))
    q, v, a = (case.arrays[letter] for letter in "qva")
    c = names["inverse_dynamics_constants"](case.p)
    states = np.stack([q, q + 0.1, q - 0.2])
    mapped = jax.jit(jax.vmap(names["inverse_dynamics"], in_axes=(None, 0, None, None)))
    rows = [names["inverse_dynamics"](c, row, v, a) for row in states]
    assert_close(mapped(c, states, v, a), np.array(rows), 1e-12)
    assert_close(names["inverse_dynamics"](c, states, v, a), np.array(rows), 1e-12)
    of_q = jax.jacfwd(names["inverse_dynamics"], argnums=1)(c, q, v, a)
    of_v = jax.jacfwd(names["inverse_dynamics"], argnums=2)(c, q, v, a)
    assert_close(np.hstack([of_q, of_v]), case.expected("inverse_dynamics_derivatives"))

    def energy(p):
        return names["kinetic_energy"](names["kinetic_energy_constants"](p), q, v)

    slope = jax.grad(energy)(case.p) @ case.p
    step = 1e-6
    bent = (energy(case.p * (1 + step)) - energy(case.p * (1 - step))) / (2 * step)
    assert slope == pytest.approx(float(bent), rel=1e-7)


@pytest.mark.slow
def test_every_operation_is_written_in_jax(jax):
    case, of = arm(), every_operation()
    names = module(texts_of("jax", of, case))
    found = names["everything"](names["everything_constants"](case.p), case.arrays["q"])
    for one, other in zip(found, value(of, case), strict=True):
        assert_close(one, other, 1e-13)


@pytest.mark.slow
@cases()
def test_every_function_in_casadi_gives_the_same_numbers(case):
    pytest.importorskip("casadi")
    case = case()
    names = module(case.texts("casadi"))
    for name in EVERY:
        expected = case.expected(name)
        constants, run = names[f"{name}_constants"](), names[name]()
        result = run(constants(case.p), *case.inputs(name))
        assert result.shape == (*expected.shape, 1, 1)[:2]
        assert_close(np.array(result).reshape(expected.shape), expected)


@pytest.mark.slow
def test_every_operation_is_written_in_casadi_in_both_kinds_of_symbols():
    ca = pytest.importorskip("casadi")
    case, of = arm(), every_operation()
    names = module(texts_of("casadi", of, case))
    for symbol in (ca.SX.sym, ca.MX.sym):
        c = names["everything_constants"](symbol)(case.p)
        found = np.array(names["everything"](symbol)(c, case.arrays["q"])).ravel()
        for one, other in zip(found, value(of, case), strict=True):
            assert_close(one, other, 1e-13)
