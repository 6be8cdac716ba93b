"""Sine and cosine together, on one double or on vectors of them, within 2 units in the last place.

The argument is reduced by multiples of π/2 held in four parts (152 bits), the remainder being kept
as a sum of two doubles; the polynomials are those of fdlibm's kernels, which take that second
double into account. Arguments beyond 2²⁰ quarter turns, infinities and NaN go to the C library,
which is exact there. Products may be fused with sums: those of the reduction are exact, so that
only the last bit of a result depends on the processor.
"""

import math

from torseur.machine.llvm.emit import Body
from torseur.machine.llvm.library import WIDTHS
from torseur.machine.llvm.module import assembled

LIMIT = 2.0**20 * math.pi / 2
_TWO_OVER_PI = 2.0 / math.pi
_ROUND = 6755399441055744.0  # 1.5 × 2⁵²: adding it leaves the nearest integer in the low bits

# π/2 in three parts of 33 bits, whose products with a 20-bit integer are exact, and a rest.
QUARTER_TURN = (
    float.fromhex("0x1.921fb54400000p+0"),
    float.fromhex("0x1.0b4611a600000p-34"),
    float.fromhex("0x1.3198a2e000000p-69"),
    float.fromhex("0x1.b839a252049c1p-104"),
)
# Coefficients of sin x = x + x³ (S1 + S2 x² + …) and cos x = 1 − x²/2 + x⁴ (C1 + …), |x| ≤ π/4.
_SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
_COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


class _Arithmetic:
    """Operations on the registers of a function body."""

    def __init__(self, body: Body) -> None:
        self.body = body

    def _do(self, op: str, a: str, b: str) -> str:
        return self.body.do(f"{op} {self.body.type} {a}, {b}")

    def add(self, a: str, b: str) -> str:
        return self._do("fadd", a, b)

    def sub(self, a: str, b: str) -> str:
        return self._do("fsub", a, b)

    def mul(self, a: str, b: str) -> str:
        return self._do("fmul", a, b)

    def times(self, a: str, number: float) -> str:
        return self.mul(a, self.body.constant(number))

    def difference(self, a: str, b: str) -> tuple[str, str]:
        """a − b as a rounded value and its exact error (Knuth)."""
        value = self.sub(a, b)
        back = self.sub(value, a)
        error = self.sub(self.sub(a, self.sub(value, back)), self.add(b, back))
        return value, error

    def polynomial(self, x: str, coefficients: tuple[float, ...]) -> str:
        total = self.body.constant(coefficients[-1])
        for coefficient in reversed(coefficients[:-1]):
            total = self.add(self.mul(total, x), self.body.constant(coefficient))
        return total


def library() -> str:
    """The IR of `@sincos1`, `@sincos2` and so on."""
    return assembled([_sincos(width) for width in WIDTHS])


def _sincos(width: int) -> tuple[str, Body]:
    """`@sincosW`: a pair (sine, cosine) for each lane."""
    body = Body(width)
    T, pair = body.type, f"{{{body.type}, {body.type}}}"
    size = body.call_intrinsic("fabs", "%x")
    far = _any(body, body.do(f"fcmp uge {T} {size}, {body.constant(LIMIT)}"))
    body.lines += [f"  br i1 {far}, label %library, label %here", "here:"]
    _return(body, pair, *_reduced(body))
    body.lines.append("library:")
    _return(body, pair, *(body.library(name, "%x") for name in ("sin", "cos")))
    return f"define {pair} @sincos{width}({T} %x)", body


def _any(body: Body, bits: str) -> str:
    """Whether any lane is true."""
    if body.width == 1:
        return bits
    whole = body.do(f"bitcast <{body.width} x i1> {bits} to i{body.width}")
    return body.do(f"icmp ne i{body.width} {whole}, 0")


def _return(body: Body, pair: str, sine: str, cosine: str) -> None:
    first = body.do(f"insertvalue {pair} undef, {body.type} {sine}, 0")
    both = body.do(f"insertvalue {pair} {first}, {body.type} {cosine}, 1")
    body.lines.append(f"  ret {pair} {both}")


def _reduced(body: Body) -> tuple[str, str]:
    """Sine and cosine for a moderate argument."""
    do = _Arithmetic(body)
    shifted = do.add(do.times("%x", _TWO_OVER_PI), body.constant(_ROUND))
    n = do.sub(shifted, body.constant(_ROUND))

    # the remainder, as the sum of two doubles
    r = do.sub("%x", do.times(n, QUARTER_TURN[0]))
    r, low = do.difference(r, do.times(n, QUARTER_TURN[1]))
    r, lower = do.difference(r, do.times(n, QUARTER_TURN[2]))
    low = do.sub(do.add(low, lower), do.times(n, QUARTER_TURN[3]))
    high = do.add(r, low)
    low = do.sub(low, do.sub(high, r))

    # the polynomials, corrected for the second double
    z = do.mul(high, high)
    sine, cosine = _sine(body, do, high, low, z), _cosine(body, do, high, low, z)
    return _quadrant(body, shifted, sine, cosine)


def _sine(body: Body, do: _Arithmetic, x: str, y: str, z: str) -> str:
    """x − ((z (y/2 − v r) − y) − v S1), v = x³, r = S2 + S3 z + …"""
    v, r = do.mul(z, x), do.polynomial(z, _SINE[1:])
    inner = do.mul(z, do.sub(do.times(y, 0.5), do.mul(v, r)))
    return do.sub(x, do.sub(do.sub(inner, y), do.times(v, _SINE[0])))


def _cosine(body: Body, do: _Arithmetic, x: str, y: str, z: str) -> str:
    """w + ((1 − w − z/2) + (z r − x y)), w = 1 − z/2: the rounding of w is put back."""
    r = do.mul(z, do.polynomial(z, _COSINE))
    half = do.times(z, 0.5)
    w = do.sub(body.constant(1.0), half)
    lost = do.sub(do.sub(body.constant(1.0), w), half)
    return do.add(w, do.add(lost, do.sub(do.mul(z, r), do.mul(x, y))))


def _quadrant(body: Body, shifted: str, sine: str, cosine: str) -> tuple[str, str]:
    """Exchange and change signs according to the number of quarter turns."""
    T, W = body.type, body.width
    I = "i64" if W == 1 else f"<{W} x i64>"
    bit = "i1" if W == 1 else f"<{W} x i1>"

    def each(value: int) -> str:
        return str(value) if W == 1 else "<" + ", ".join([f"i64 {value}"] * W) + ">"

    def signed(register: str, mask: str) -> str:
        bits = body.do(f"bitcast {T} {register} to {I}")
        return body.do(f"bitcast {I} {body.do(f'xor {I} {bits}, {mask}')} to {T}")

    turns = body.do(f"bitcast {T} {shifted} to {I}")
    odd = body.do(f"icmp ne {I} {body.do(f'and {I} {turns}, {each(1)}')}, {each(0)}")
    swapped_sine = body.do(f"select {bit} {odd}, {T} {cosine}, {T} {sine}")
    swapped_cosine = body.do(f"select {bit} {odd}, {T} {sine}, {T} {cosine}")
    half = body.do(f"and {I} {turns}, {each(2)}")
    later = body.do(f"add {I} {turns}, {each(1)}")
    other = body.do(f"and {I} {later}, {each(2)}")
    sine_mask = body.do(f"shl {I} {half}, {each(62)}")
    cosine_mask = body.do(f"shl {I} {other}, {each(62)}")
    return signed(swapped_sine, sine_mask), signed(swapped_cosine, cosine_mask)
