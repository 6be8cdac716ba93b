"""Elementary functions of machine code: mpmath's digits, C's special values, any width."""

import math
import re

import llvmlite.binding as llvm
import mpmath
import numpy as np
import pytest
from elementary_loop import function

from torseur.machine.llvm.elementary.catalogue import function_text
from torseur.machine.llvm.library import ARGUMENTS, WIDTHS

# Largest errors [units in the last place] at 400 000 arguments of each function, rounded up.
WORST = {
    "sin": 0.77,
    "cos": 0.79,
    "tan": 0.75,
    "asin": 0.82,
    "acos": 0.75,
    "atan": 0.69,
    "atan2": 0.74,
    "exp": 0.74,
    "log": 0.83,
    "sinh": 0.83,
    "cosh": 0.74,
    "tanh": 0.68,
    "pow": 0.75,
}
INFINITY, NAN = math.inf, math.nan
SIGNS = (1.0, -1.0)


def exact(name, *arguments):
    return getattr(mpmath, "power" if name == "pow" else name)(*map(mpmath.mpf, arguments))


def error(found, true):
    """How far a double is from a number, in units of its last place."""
    _, exponent = mpmath.frexp(abs(true))
    unit = mpmath.ldexp(1, max(int(exponent) - 53, -1074))
    return float(abs(mpmath.mpf(float(found)) - true) / unit)


def spread(rng, count, low, high):
    """Numbers of both signs whose sizes are of all orders."""
    return 10.0 ** rng.uniform(low, high, count) * rng.choice(SIGNS, count)


def beside(numbers):
    """Numbers and their neighbours."""
    numbers = np.asarray(numbers, dtype=float)
    return np.concatenate(
        [numbers, np.nextafter(numbers, -INFINITY), np.nextafter(numbers, INFINITY)]
    )


def angles(rng, count):
    hard = beside(rng.integers(1, 2**21, count // 6) * (np.pi / 4))
    known = [6381956970095103 * 2.0**797, 2.0**20 * np.pi / 2, 5.0e-324, 2.0**1023]
    return np.concatenate(
        [
            rng.uniform(-20.0, 20.0, count // 2),
            spread(rng, count // 4, -308.0, 308.0),
            spread(rng, count // 4, 6.0, 9.0),
            hard,
            known,
        ]
    )


def sines(rng, count):
    close = 1.0 - 10.0 ** rng.uniform(-16.0, 0.0, count // 4)
    steep = beside([0.5, 1.0 - 2.0**-53])
    inside = np.concatenate([close, steep[steep <= 1.0]])
    return np.concatenate(
        [rng.uniform(-1.0, 1.0, count // 2), spread(rng, count // 4, -308.0, 0.0), inside, -inside]
    )


def exponents(rng, count):
    hard = beside([708.0, 709.782712893384, -708.0, -745.13, math.log(2.0) / 2, 22.0, 40.0, 100.0])
    return np.concatenate(
        [
            rng.uniform(-745.0, 709.0, count // 4),
            rng.uniform(-3.0, 3.0, count // 2),
            spread(rng, count // 4, -308.0, 0.0),
            hard[hard < 709.78],
        ]
    )


def positives(rng, count):
    near = 1.0 + spread(rng, count // 4, -16.0, -1.0)
    hard = beside([math.sqrt(0.5), math.sqrt(2.0), 2.0**-1022, 2.0, 0.5])
    sizes = abs(spread(rng, count // 4, -323.0, 308.0))
    return np.concatenate([rng.uniform(0.3, 3.0, count // 2), sizes, near, hard])


def points(rng, count):
    few = count // 6
    y = np.concatenate(
        [
            rng.uniform(-1.0, 1.0, few),
            spread(rng, few, -323.0, 308.0),
            spread(rng, few, -323.0, -290.0),
            spread(rng, few, 290.0, 308.0),
            spread(rng, few, -16.0, 16.0),
        ]
    )
    x = np.concatenate(
        [
            rng.uniform(-1.0, 1.0, few),
            spread(rng, few, -323.0, 308.0),
            spread(rng, few, -323.0, 20.0),
            spread(rng, few, 290.0, 308.0),
            rng.uniform(-2.0, 2.0, few),
        ]
    )
    return y, x


def powers(rng, count):
    few = count // 5
    x = np.concatenate(
        [
            rng.uniform(0.0, 10.0, few),
            abs(spread(rng, few, -323.0, 308.0)),
            1.0 + spread(rng, few, -12.0, -1.0),
            rng.uniform(0.4, 2.5, few),
            abs(spread(rng, few, -6.0, 6.0)),
        ]
    )
    logarithms = np.log(x)
    reach = rng.uniform(-744.0, 709.0, 5 * few)  # of the logarithm of a power
    y = np.where(logarithms != 0.0, reach / np.where(logarithms != 0.0, logarithms, 1.0), 1.0)
    y[:few] = rng.uniform(-10.0, 10.0, few)
    y[-few:] = rng.choice([1.5, -1.5, 1 / 3, 0.1, 2.5, 3.0, -7.0], few)
    return x, y


ARGUMENTS_OF = {
    **dict.fromkeys(("sin", "cos", "tan"), angles),
    **dict.fromkeys(("asin", "acos"), sines),
    **dict.fromkeys(("exp", "sinh", "cosh", "tanh"), exponents),
    "atan": lambda rng, count: np.concatenate(
        [rng.uniform(-3.0, 3.0, count // 2), spread(rng, count // 2, -308.0, 308.0)]
    ),
    "log": positives,
    "atan2": points,
    "pow": powers,
}


def given(name, seed, count):
    found = ARGUMENTS_OF[name](np.random.default_rng(seed), count)
    return found if isinstance(found, tuple) else (found,)


def worst(name, seed, count):
    """The largest error at arguments of all kinds."""
    arguments = given(name, seed, count)
    found, largest = function(name, 1)(*arguments), 0.0
    with mpmath.workprec(130):
        for value, *one in zip(found, *arguments, strict=True):
            true = exact(name, *one)
            if abs(true) < 2.0**1023 and true != 0:
                largest = max(largest, error(value, true))
    return largest


@pytest.mark.parametrize("name", WORST)
def test_functions_are_within_0_83_units_in_the_last_place(name):
    assert worst(name, 1, 1500) <= WORST[name]


@pytest.mark.slow
@pytest.mark.parametrize("name", WORST)
def test_functions_are_within_0_83_units_at_tens_of_thousands_of_arguments(name):
    assert worst(name, 2, 40_000) <= WORST[name]


@pytest.mark.parametrize("name", WORST)
def test_every_width_has_the_same_bits_whatever_stands_beside(name):
    arguments = given(name, 3, 4000)
    odd = [0.0, -0.0, INFINITY, -INFINITY, NAN, 5e-324, -5e-324, 1e300, -1e300, 1e-300]
    rng = np.random.default_rng(4)
    for column in arguments:
        column[rng.integers(0, len(column), 400)] = rng.choice(odd, 400)
    single = function(name, 1)(*arguments)
    for width in WIDTHS[1:]:
        assert same(function(name, width)(*arguments), single).all()


@pytest.mark.parametrize("name", WORST)
def test_the_plainest_processor_of_the_family_has_the_same_bits(name, monkeypatch):
    arguments = given(name, 5, 2000)
    bits = []
    for portable in ("", "1"):
        monkeypatch.setenv("TORSEUR_PORTABLE", portable)
        bits += [function(name, width)(*arguments).view(np.int64) for width in WIDTHS]
    for other in bits[1:]:
        np.testing.assert_array_equal(other, bits[0])


@pytest.mark.parametrize("name", ARGUMENTS)
def test_functions_need_neither_data_nor_other_functions_in_a_page(name):
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    machine = llvm.Target.from_triple("wasm32-unknown-unknown").create_target_machine()
    for width in WIDTHS:
        module = llvm.parse_assembly(function_text(name, width))
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        assert not re.search(r"\bcall\s|\.(ro)?data", machine.emit_assembly(module))


def same(found, wanted):
    """Equal, with the sign of zero; no number is equal to no number."""
    both = np.isnan(found) & np.isnan(wanted)
    return both | ((found == wanted) & (np.signbit(found) == np.signbit(wanted)))


SPECIAL = {  # C99, annex F.9: an argument and its value
    "sin": [(0.0, 0.0), (-0.0, -0.0), (INFINITY, NAN), (-INFINITY, NAN)],
    "cos": [(0.0, 1.0), (-0.0, 1.0), (INFINITY, NAN), (-INFINITY, NAN)],
    "tan": [(0.0, 0.0), (-0.0, -0.0), (INFINITY, NAN), (5e-324, 5e-324), (-5e-324, -5e-324)],
    "asin": [(0.0, 0.0), (-0.0, -0.0), (1.5, NAN), (-1.5, NAN), (1.0, np.pi / 2), (INFINITY, NAN)],
    "acos": [(1.0, 0.0), (-1.0, np.pi), (1.5, NAN), (-INFINITY, NAN), (-0.0, np.pi / 2)],
    "atan": [(0.0, 0.0), (-0.0, -0.0), (INFINITY, np.pi / 2), (-INFINITY, -np.pi / 2)],
    "exp": [(0.0, 1.0), (-0.0, 1.0), (-INFINITY, 0.0), (INFINITY, INFINITY), (710.0, INFINITY)],
    "log": [(1.0, 0.0), (0.0, -INFINITY), (-0.0, -INFINITY), (-1.0, NAN), (INFINITY, INFINITY)],
    "sinh": [(0.0, 0.0), (-0.0, -0.0), (INFINITY, INFINITY), (-INFINITY, -INFINITY)],
    "cosh": [(0.0, 1.0), (-0.0, 1.0), (INFINITY, INFINITY), (-INFINITY, INFINITY)],
    "tanh": [(0.0, 0.0), (-0.0, -0.0), (INFINITY, 1.0), (-INFINITY, -1.0), (-5e-324, -5e-324)],
}


@pytest.mark.parametrize("name", SPECIAL)
def test_special_values_are_those_of_c99(name):
    for x, wanted in [*SPECIAL[name], (NAN, NAN)]:
        for width in WIDTHS:
            assert same(function(name, width)([x])[0], wanted), f"{name}({x})"


def test_exponentials_end_where_doubles_end():
    largest, smallest = 709.782712893384, -745.1332191019411
    found = function("exp", 1)([largest, np.nextafter(largest, 800), smallest, -745.14, 1e300])
    assert found[0] > 1.797e308
    assert found[2] == 5e-324
    np.testing.assert_array_equal(found[[1, 3, 4]], [INFINITY, 0.0, INFINITY])
    logs = function("log", 1)([5e-324, 1.7976931348623157e308])
    np.testing.assert_array_equal(logs, [-744.4400719213812, 709.782712893384])


AXES = [  # y, x, the angle in quarters of π (annex F.9.1.4)
    (0.0, 0.0, 0), (0.0, 1.0, 0), (0.0, INFINITY, 0), (0.0, -0.0, 4), (0.0, -1.0, 4),
    (0.0, -INFINITY, 4), (1.0, 0.0, 2), (1.0, -0.0, 2), (INFINITY, 1.0, 2), (INFINITY, -1.0, 2),
    (1.0, INFINITY, 0), (1.0, -INFINITY, 4), (INFINITY, INFINITY, 1), (INFINITY, -INFINITY, 3),
    (5e-324, 5e-324, 1), (5e-324, -5e-324, 3), (1.7e308, 1.7e308, 1), (1.7e308, -1.7e308, 3),
]  # fmt: skip


def test_angles_of_axes_diagonals_and_zeros_have_their_quadrants():
    for width in WIDTHS:
        for y, x, quarters in AXES:
            up, down = function("atan2", width)([y, -y], [x, x])
            assert same(up, quarters * (np.pi / 4)), f"atan2({y}, {x})"
            assert same(down, -(quarters * (np.pi / 4))), f"atan2({-y}, {x})"
    assert np.isnan(function("atan2", 1)([NAN, 1.0, NAN], [1.0, NAN, 0.0])).all()


def test_powers_have_the_special_values_of_c99():
    """Those of Python's `math.pow`, which follows annex F but raises for what is not finite."""
    bases = [0.0, 1e-310, 0.5, 1.0, 1.5, 2.0, 3.0, 1e300, INFINITY]
    exponents = [0.0, 5e-324, 0.5, 1.0, 2.0, 3.0, 1e16, 2.0**53 - 1, 2.0**53, 1e300, INFINITY]
    x, y = (
        column.ravel()
        for column in np.meshgrid(
            [s * b for s in SIGNS for b in bases] + [NAN],
            [s * e for s in SIGNS for e in exponents] + [NAN],
        )
    )
    pairs = zip(x.tolist(), y.tolist(), strict=True)
    wanted = np.array([power(*pair) for pair in pairs])
    for width in WIDTHS:
        found = function("pow", width)(x, y)
        assert (same(found, wanted) | np.isclose(found, wanted, rtol=1e-15, atol=0.0)).all()


def power(x, y):
    """x to the power y by Python."""
    try:
        return math.pow(x, y)
    except OverflowError:
        return -INFINITY if x < 0.0 and y % 2.0 == 1.0 else INFINITY
    except ValueError:
        if x != 0.0:
            return NAN
        return math.copysign(INFINITY, x) if y % 2.0 == 1.0 else INFINITY
