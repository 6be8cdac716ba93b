"""The friction of a round surface that slides and pivots, over coefficient × load.

A surface of radius R that slides at v and pivots at ω rubs at each point against the speed there.
Summed up, what resists sliding is a force T and what resists pivoting a couple R M, both functions
of v/(Rω) alone (Contensou 1963): together they are less than each would be on its own. Under a
uniform pressure they are complete elliptic integrals, found by arithmetic-geometric means. Under
that of Hertz they are elementary: the Laplacian of ∫ p |r − c| dA is ∫ p/|r − c| dA, which is what
a ball of the theory of elasticity presses in.
"""

from math import pi

from torseur.machine.impulses import layout as at
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import apart

MEANS = 12  # arithmetic-geometric means, which double the digits each
TERMS = 60  # of a series that falls by half at least
HALVINGS = 53  # of what is between sliding and pivoting alone
NEAR = 1e-14  # to the edge of the surface: there both formulas are the same
FAR = 1e-9  # of pivoting beside sliding: the first term is enough


@apart
def sliding_part(kind, slide, spin):
    """T: what resists sliding, of a surface that slides at `slide` and pivots at `spin` = R ω."""
    if slide == 0.0:
        return 0.0
    return _uniform(slide, spin, True) if kind == at.UNIFORM else _hertz(slide, spin, True)


@apart
def pivoting_part(kind, slide, spin):
    """M: what resists pivoting, over the radius."""
    if spin == 0.0:
        return 0.0
    return _uniform(slide, spin, False) if kind == at.UNIFORM else _hertz(slide, spin, False)


@apart
def _uniform(slide, spin, resists_sliding):
    """With K and E of the modulus k, the smaller over the larger of both; E = K (1 − m/2 − s)."""
    inside = slide <= spin
    k = slide / spin if inside else spin / slide
    if not inside and k < FAR:
        return 1.0 if resists_sliding else k / 4.0
    m = min(k * k, 1.0 - NEAR)
    a, b = 1.0, square_root(1.0 - m)
    c, s, weight = m / (2.0 * (1.0 + b)), 0.0, 1.0
    for _ in range(MEANS):
        s += weight * c * c
        a, b = (a + b) / 2.0, square_root(a * b)
        c, weight = c * c / (2.0 * (a + b)), 2.0 * weight
    K = pi / (2.0 * a)
    if resists_sliding:
        value = 4.0 * K / (3.0 * pi) * (1.5 * m - 0.5 * m * m - (1.0 + m) * s)
        return value / k if inside else value / m
    if inside:
        return 4.0 * K / (9.0 * pi) * (3.0 - m - (4.0 - 2.0 * m) * (m / 2.0 + s))
    return 4.0 * K / (9.0 * pi * k * m) * (m * m + (2.0 - 4.0 * m) * s)


@apart
def _hertz(slide, spin, resists_sliding):
    """Polynomials while a point of the surface is at rest; beyond, with arcsin, or a series."""
    if slide <= spin:
        x = slide / spin
        if resists_sliding:
            return 0.375 * pi * x * (1.0 - 0.25 * x * x)
        return 0.1875 * pi * (1.0 - x * x + 0.375 * x * x * x * x)
    k = spin / slide
    if k * k < 0.5:
        return _hertz_series(k, resists_sliding)
    q, w = 1.0 / (k * k), square_root(1.0 / (k * k) - 1.0)
    angle = 0.5 * pi - _arctangent(w)
    if resists_sliding:
        return 0.75 * k * ((q - 0.25 * q * q) * angle + 0.25 * w * (3.0 + w * w))
    return 0.75 * ((0.5 - 0.5 * q + 0.1875 * q * q) * angle + 0.1875 * w * (2.0 - q))


@apart
def _hertz_series(k, resists_sliding):
    """Σ b_n m_n k²ⁿ by terms: b_n squares of binomial coefficients of 1/2, m_n moments of p."""
    term, total = 1.0, 1.0 if resists_sliding else 0.0
    for n in range(TERMS):
        ratio = (0.5 - n) / (n + 1.0)
        term *= ratio * ratio * (n + 1.0) / (n + 2.5) * k * k
        total += (-1.0 - 2.0 * n) * term if resists_sliding else 2.0 * (n + 1.0) * term
    return total if resists_sliding else total / k


@apart
def _arctangent(w):
    """arctan w for 0 ≤ w ≤ 1, of a quarter of the angle."""
    for _ in range(2):
        w = w / (1.0 + square_root(1.0 + w * w))
    term, total = w, w
    for n in range(1, 14):
        term *= -w * w
        total += term / (2.0 * n + 1.0)
    return 4.0 * total


# --- of an element ------------------------------------------------------------------------------


@apart
def shared(kind, is_spin, component, slide, spin):
    """Friction along a row, which moves by `component`, of a surface that slides and pivots."""
    if is_spin:
        part = pivoting_part(kind, slide, abs(spin))
        return part if component > 0.0 else -part
    return sliding_part(kind, slide, abs(spin)) * component / slide if slide > 0.0 else 0.0


@apart
def size_slopes(kind, force, couple):
    """The coefficient × load that a force and a couple over the radius are the limit of.

    Also how it changes with each of them, over it: the surface at its limit moves across the limit.
    """
    low, high = 0.0, 1.0
    for _ in range(HALVINGS):
        x = 0.5 * (low + high)
        T, M = sliding_part(kind, x, 1.0 - x), pivoting_part(kind, x, 1.0 - x)
        if force * M > couple * T:
            low = x
        else:
            high = x
    x = 0.5 * (low + high)
    T, M = sliding_part(kind, x, 1.0 - x), pivoting_part(kind, x, 1.0 - x)
    work = x * T + (1.0 - x) * M
    slide = x / (work * force) if force > 0.0 else 0.0
    return (force * T + couple * M) / (T * T + M * M), slide, (1.0 - x) / (work * couple)
