"""The terms of nested sums and the factors of nested products, named nodes being left whole.

Both walks visit a shared node once, after everything that uses it, and collect what meets there:
(x + y) + x has the terms 2 x and y. They are linear in the size of the graph.
"""

from collections.abc import Mapping

from torseur.algebra.core.coefficients import Collected, split
from torseur.algebra.core.expr import ONE, Expr, Scalar, exact


def terms(x: Expr, names: Mapping[int, str]) -> list[tuple[Scalar, Expr]]:
    """x = Σ coefficient × core; a sum with a coefficient of its own, 2 (a + b), stays whole."""
    result: list[tuple[Scalar, Expr]] = []
    pending = Collected(x)
    constant: Scalar = 0
    while pending:
        part, share = pending.take()
        coefficient, core = (1, part) if part.key in names else split(part)
        spread = core.op == "add" and core.key not in names
        if core is ONE:
            constant = constant + share * coefficient
        elif core is not part and not (spread and abs(coefficient) != 1):
            pending.give(core, share * coefficient)
        elif spread and core is part:
            for term in core.args:
                pending.give(term, share)
        elif share != 0:
            result.append((share * coefficient, core))
    return [*result, (constant, ONE)] if constant != 0 else result


def factors(x: Expr, names: Mapping[int, str]) -> list[tuple[Scalar, Expr]]:
    """x = Π base ^ exponent, exponents first in each pair; the numbers come as one base."""
    result: list[tuple[Scalar, Expr]] = []
    pending = Collected(x)
    while pending:
        part, share = pending.take()
        exponent = exact(share)
        if exponent == 0:
            continue
        whole = part.key in names
        if not whole and part.op == "mul" and isinstance(exponent, int):
            for factor in part.args:
                pending.give(factor, exponent)
        elif not whole and part.op == "pow" and isinstance(exponent, int):
            pending.give(part.args[0], part.value * exponent)
        else:
            result.append((exponent, part))
    return result
