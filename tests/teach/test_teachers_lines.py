"""Lines of small mechanisms as a teacher writes them on the board."""

from fractions import Fraction

import pytest

import torseur as ts
from torseur.algebra.core.expr import expression, number, symbol
from torseur.algebra.forms.length import length
from torseur.algebra.forms.readable import readable
from torseur.algebra.printing.decimals import decimal
from torseur.algebra.printing.text import text
from torseur.equations.symbols.texts import read_text
from torseur.language.text.expression import Names

CRANE = {
    "parameters": {"M": 10, "m": 2, "g": 9.81, "T": 20},
    "gravity": [0, "-g", 0],
    "bodies": {"trolley": {"mass": "M"}, "rope": {}, "load": {"mass": "m"}},
    "joints": {
        "rail": {"type": "slider", "bodies": ["ground", "trolley"], "axis": "x", "coordinate": "x"},
        "hook": {"type": "pivot", "bodies": ["trolley", "rope"], "axis": "z",
                 "coordinate": "theta"},
        "winch": {"type": "slider", "bodies": ["rope", "load"], "axis": [0, -1, 0],
                  "coordinate": "l"},
    },
    "forces": {"pull": {"type": "joint", "joint": "winch", "value": "-T"}},
    "initial": {"l": 2},
}  # fmt: skip
JIB = {
    "parameters": {"m": 2, "g": 9.81, "R": 1},
    "gravity": [0, 0, "-g"],
    "bodies": {"load": {"mass": "m"}},
    "joints": {"P": {"type": "defined", "bodies": ["ground", "load"],
                     "coordinates": ["phi", "theta", "l"],
                     "position": ["(R + l*sin(theta))*cos(phi)", "(R + l*sin(theta))*sin(phi)",
                                  "-l*cos(theta)"]}},
    "initial": {"l": 1},
}  # fmt: skip
YOKE = {
    "parameters": {"r": 0.1, "m": 2, "J": 0.1, "C": 1},
    "gravity": [0, 0, 0],
    "bodies": {"crank": {"inertia": [1, 1, "J"]}, "block": {}, "yoke": {"mass": "m"}},
    "joints": {
        "O": {"type": "pivot", "bodies": ["ground", "crank"], "axis": "z", "coordinate": "theta"},
        "P": {"type": "pivot", "bodies": ["crank", "block"], "point": [["r", 0, 0], [0, 0, 0]],
              "axis": "z", "coordinate": "phi"},
        "S": {"type": "slider", "bodies": ["ground", "yoke"], "axis": "x", "coordinate": "x"},
        "V": {"type": "slider", "bodies": ["yoke", "block"], "axis": "y", "coordinate": "y"},
    },
    "forces": {"motor": {"type": "joint", "joint": "O", "value": "C"}},
    "initial": {"x": "r"},
}  # fmt: skip
SCREW = {
    "parameters": {"p": 0.01, "J": 0.1, "m": 3, "C": 1, "g": 9.81},
    "gravity": [0, 0, "-g"],
    "bodies": {"screw": {"inertia": [1, 1, "J"]}, "nut": {"mass": "m"}},
    "joints": {
        "O": {"type": "pivot", "bodies": ["ground", "screw"], "axis": "z", "coordinate": "theta"},
        "S": {"type": "slider", "bodies": ["ground", "nut"], "axis": "z", "coordinate": "z"},
        "H": {"type": "screw", "bodies": ["screw", "nut"], "axis": "z", "pitch": "p"},
    },
    "forces": {"motor": {"type": "joint", "joint": "O", "value": "C"}},
}


def lines(source):
    return str(ts.formalisms.formulas(ts.load(source))).splitlines()


@pytest.mark.parametrize(
    "source, written",
    [
        (CRANE, ["θ: l θ̈ + ẍ cos θ + 2 l̇ θ̇ = −g sin θ", "where l ≠ 0"]),
        (JIB, ["φ: (R + l sin θ)² φ̈ = −2 (R + l sin θ) φ̇ (l θ̇ cos θ + l̇ sin θ)",
               "θ: l θ̈ = (R + l sin θ) φ̇² cos θ − 2 l̇ θ̇ − g sin θ"]),
        (YOKE, ["x: m ẍ = X_P", "y: Y_P = 0"]),
        (SCREW, ["z: m z̈ = Z_H − m g", "H: 2 π z = −p θ"]),
        (SCREW | {"initial": {"z": 0.03}}, ["H: p θ/π + 2 z = 6 p"]),
        (CRANE | {"initial": {"l": 0}}, ["θ: l (l θ̈ + ẍ cos θ + 2 l̇ θ̇) = −g l sin θ"]),
    ],
    ids=["crane", "jib", "yoke", "screw", "screw three turns up", "rope wound up"],
)  # fmt: skip
def test_a_line_is_written_so(source, written):
    found = lines(source)
    assert [x for x in written if x not in found] == []


def test_gravity_has_another_letter_where_g_is_a_length():
    taken = {
        "parameters": {"g": 0.4, "m": 2},
        "bodies": {"a": {"mass": "m", "centre": [0, "-g", 0]}},
        "joints": {"O": {"type": "pivot", "bodies": ["ground", "a"], "axis": "z",
                         "coordinate": "theta"}},
        "gravity": [0, -9.81, 0],
    }  # fmt: skip
    assert lines(taken) == ["θ: g θ̈ = −g₀ sin θ"]


@pytest.mark.parametrize("value", ["1/2", "2/3", "3/80", "17/60", "5/64", "1/30", "7/20"])
def test_short_fractions_stay_fractions(value):
    assert decimal(Fraction(value)) == Fraction(value)
    assert isinstance(decimal(Fraction(value)), Fraction)


@pytest.mark.parametrize("value", ["981/200", "4/625", "1/50", "2/25", "48516126417/250000000000"])
def test_long_fractions_are_decimal_numbers_without_loss(value):
    shown = decimal(Fraction(value))
    assert isinstance(shown, float) and Fraction(repr(shown)) == Fraction(value)


@pytest.mark.parametrize(
    "given, read",
    [
        ("sqrt(3)*sqrt(3)*a", "3*a"),
        ("2*sqrt(3/4)*a", "sqrt(3)*a"),
        ("sqrt(3)*(sqrt(3)*(a + b) - sqrt(3)*(a + 2*b)) - b", "-4*b"),
        ("(a*x + b*x)/(a + b)", "x"),
        ("(a*x - b*x + y)/(a - b)", "x + y/(a - b)"),
        ("(a*x + b*x + a*y)/(a + b)", "a*y/(a + b) + x"),
        ("(6*a^2 + 4*a*b - 2*b^2)/(a + b)^2 + 8*b/(a + b)", "6"),
        ("a/4 + b/4 + x/3", "1/4*(a + b) + 1/3*x"),
    ],
)
def test_roots_fractions_and_multiples_are_worked_out(given, read):
    names = Names({x: symbol(x) for x in "abxy"})
    assert text(readable(read_text(given, names, "test"))) == read


def test_numbers_are_read_as_they_are_given():
    a, b = symbol("a"), symbol("b")
    assert text(readable(a + b * Fraction(1, 50)), ranks={}) == "a + 0.02*b"
    assert length(expression(number(Fraction(4, 625)) * a)) == 2
    u = symbol("u", "coordinate")
    halves = 2 * a * (u.cos() / 2 + Fraction(1, 3)) - a * b * u.sin()
    assert "cos(u)/2" not in text(readable(halves)) and "1/2*cos" not in text(readable(halves))
