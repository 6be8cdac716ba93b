"""Coulomb's law at one contact: its exact solution, and how far impulses are from it.

Signorini's condition and Coulomb's friction, with u the speed less its bound, as for the cones of
the solver of impulses: there as equations of any rows, here of the three of one contact.
"""

from torseur.machine.piles import places as at
from torseur.machine.runtime.long_vectors import square_root
from torseur.machine.runtime.vectors import apart, dot, inlined, minus, symmetric, times, vector

ITERATIONS = 60
CLOSE = 1e-15  # of the friction: a root that is found


@apart
def solved_alone(row, q):
    """The impulse of a contact whose speed is u = q + D P: u_N ≥ its bound, in Coulomb's cone.

    Either it parts (P = 0), or it sticks, or it slides: u_T = −λ P_T with λ > 0 and |P_T| = μ P_N,
    which is one equation for λ because D is eliminated to diag(S) for the tangents.
    """
    if row[at.HELD] != 0.0:
        return held_impulse(row, q)
    nn, mu, needed = row[at.D], row[at.FRICTION], row[at.BOUND] - q[0]
    if needed <= 0.0:
        return 0.0, 0.0, 0.0
    c = needed / nn
    if mu == 0.0:
        return c, 0.0, 0.0
    d = row[at.D + 1] / nn, row[at.D + 2] / nn
    S = row[at.D + 3] - d[0] * row[at.D + 1], row[at.D + 5] - d[1] * row[at.D + 2]
    s = q[1] + row[at.D + 1] * c, q[2] + row[at.D + 2] * c
    x, y = -s[0] / S[0], -s[1] / S[1]
    load = c - d[0] * x - d[1] * y
    if load >= 0.0 and x * x + y * y <= mu * mu * load * load:
        row[at.SLIP] = 0.0
        return load, x, y
    slip = _slip((mu, c), d, S, s, row[at.SLIP])
    row[at.SLIP] = slip
    x, y = -s[0] / (S[0] + slip), -s[1] / (S[1] + slip)
    return c - d[0] * x - d[1] * y, x, y


@inlined
def held_impulse(row, q):
    """The impulse of what a joint holds: q + D P = 0 along its axes."""
    nn, n1, n2, xx, xy, yy = symmetric(row, at.D)
    x, y = 0.0, 0.0
    if row[at.HELD] > 1.0:
        one, both, s = xx - n1 * n1 / nn, xy - n1 * n2 / nn, q[1] - n1 * q[0] / nn
        if row[at.HELD] > 2.0:
            other, r = yy - n2 * n2 / nn, q[2] - n2 * q[0] / nn
            y = -(r - both * s / one) / (other - both * both / one)
        x = -(s + both * y) / one
    return -(q[0] + n1 * x + n2 * y) / nn, x, y


@inlined
def _excess(given, d, S, s, slip):
    """|P_T| − μ P_N at a slip λ, and its derivative."""
    mu, c = given
    a, b = 1.0 / (S[0] + slip), 1.0 / (S[1] + slip)
    x, y = -s[0] * a, -s[1] * b
    size = square_root(x * x + y * y)
    value = size - mu * (c - d[0] * x - d[1] * y)
    slope = -(x * x * a + y * y * b) / size - mu * (d[0] * x * a + d[1] * y * b)
    return value, slope


@apart
def _slip(given, d, S, s, guess):
    """λ at which friction is on the cone: Newton's method between ends of different sign."""
    mu, c = given
    low, high = 0.0, square_root(s[0] * s[0] + s[1] * s[1]) / (mu * c)
    while _excess(given, d, S, s, high)[0] > 0.0:
        high *= 2.0
    slip = guess if low < guess < high else max(high - 0.5 * (S[0] + S[1]), 0.5 * high)
    for _ in range(ITERATIONS):
        value, slope = _excess(given, d, S, s, slip)
        if abs(value) <= CLOSE * mu * c:
            break
        if value > 0.0:
            low = slip
        else:
            high = slip
        after = slip - value / slope if slope < 0.0 else -1.0
        after = after if low < after < high else 0.5 * (low + high)
        if after == slip:
            break
        slip = after
    return slip


# --- how far impulses are from the law ------------------------------------------------------------


@inlined
def mean_response(row):
    """A third of the trace of the response of a contact."""
    return (row[at.D] + row[at.D + 3] + row[at.D + 5]) / 3.0


@inlined
def wish(row, u, soft, anchor):
    """z = P − (u − bound)/d − soft (P − anchor), d the mean response, of which `soft` is added."""
    P, d = vector(row, at.IMPULSE), mean_response(row)
    z = minus(P, times(1.0 / d, (u[0] - row[at.BOUND], u[1], u[2])))
    return minus(z, times(soft, minus(P, anchor)))


@inlined
def off_law(row, z):
    """P less z brought into the law: a load that pushes, friction in its disc (Alart, Curnier)."""
    P, load, share = vector(row, at.IMPULSE), z[0], 1.0
    if row[at.HELD] == 0.0:
        load, across = max(load, 0.0), square_root(z[1] * z[1] + z[2] * z[2])
        most = row[at.FRICTION] * load
        share = most / across if across > most else 1.0
    return P[0] - load, P[1] - share * z[1], P[2] - share * z[2]


@apart
def natural_residual(row, u):
    """|P − proj_K(P − ũ/d)| d with ũ = u − bound + μ |u_T| n [m/s]: zero where the law holds.

    K is Coulomb's cone: K ∋ P ⊥ ũ ∈ K* (de Saxcé and Feng 1998).
    """
    if row[at.HELD] != 0.0:
        return square_root(dot(u, u))
    mu, d, slid = row[at.FRICTION], mean_response(row), square_root(u[1] * u[1] + u[2] * u[2])
    z = minus(wish(row, u, 0.0, u), (mu * slid / d, 0.0, 0.0))
    across = square_root(z[1] * z[1] + z[2] * z[2])
    x, y = z[0], across  # in the plane of the axis and of z
    if mu * across <= -z[0]:
        x, y = 0.0, 0.0
    elif across > mu * z[0]:
        x = (z[0] + mu * across) / (1.0 + mu * mu)
        y = mu * x
    share = y / across if across > 0.0 else 0.0
    off = minus(vector(row, at.IMPULSE), (x, share * z[1], share * z[2]))
    return d * square_root(dot(off, off))
