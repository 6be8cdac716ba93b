"""Where a function changes sign within a step: the search that all motions share."""

from torseur.machine.runtime.vectors import apart

NARROW = 2.0**-50  # where the search for a root ends, as a fraction of the step
LONGEST = 200  # points of a search; halving alone needs fifty


@apart
def sign(x):
    """−1, 0 or 1."""
    return 1.0 if x > 0.0 else (-1.0 if x < 0.0 else 0.0)


@apart
def crossing(value, run, terms, h, k, a, f_a, b, f_b):
    """The fraction of the step, between a and b, at which a function is on its new side.

    It is f_a at a and f_b at b, and value(run, terms, h, k, x) at x.
    Inverse quadratic interpolation where it is safe, else halving. Reference: Chandrupatla (1997),
    A new hybrid quadratic/bisection algorithm for finding the zero of a nonlinear function without
    using derivatives, Advances in Engineering Software 28.
    """
    x2, f2, x1, f1 = a, f_a, b, f_b
    new_side, part = sign(f1), 0.5
    if f2 == 0.0:
        return a
    for _ in range(LONGEST):
        x = x1 + part * (x2 - x1)
        f = value(run, terms, h, k, x)
        if f == 0.0:
            return x
        # x2 stays across the root from x1; x3 is the point that was dropped
        if sign(f) == sign(f1):
            x3, f3 = x1, f1
        else:
            x3, f3, x2, f2 = x2, f2, x1, f1
        x1, f1 = x, f
        least = NARROW / abs(x2 - x1)
        if least > 0.5:
            break
        xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
        part = 0.5
        if phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi:
            part = f1 / (f2 - f1) * f3 / (f2 - f3)
            part += (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)
        part = min(max(part, least), 1.0 - least)
    return x1 if sign(f1) == new_side else x2
