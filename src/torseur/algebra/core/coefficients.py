"""Every node as coefficient × core, the coefficient being a number.

Negation is free then, and x − y and y − x share a node.
"""

from torseur.algebra.core.expr import ONE, ZERO, Expr, Scalar, node, number


def split(x: Expr) -> tuple[Scalar, Expr]:
    """Coefficient and core: x = coefficient × core."""
    if x.op == "number":
        return x.value[1], ONE
    if x.op == "mul" and x.args[0].op == "number":
        return x.args[0].value[1], x.args[1]
    return 1, x


def scale(coefficient: Scalar, core: Expr) -> Expr:
    """coefficient × core, the core having no coefficient of its own."""
    if coefficient == 1:
        return core
    if core is ONE:
        return number(coefficient)
    if coefficient == 0:
        return ZERO
    return node("mul", (number(coefficient), core), None, core.stage)


def negative(x: Expr) -> Expr:
    """−x; −(−x) is x."""
    coefficient, core = split(x)
    return scale(-coefficient, core)


def scaled(coefficient: Scalar, x: Expr) -> Expr:
    """coefficient × x, whatever coefficient x has."""
    own, core = split(x)
    return scale(coefficient * own, core)
