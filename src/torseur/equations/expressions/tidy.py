"""Short formulas made shorter before they are differentiated or solved.

cos² + sin² in a mass matrix is carried into its inverse and into every derivative; what is long is
left as it is, since a normal form would cost more than it gains.
"""

from typing import Any

from torseur.algebra.core.graph import expressions, reachable
from torseur.algebra.forms.readable import readable

_SHORT = 60  # nodes


def tidied(outputs: Any) -> Any:
    """The formulas, the short ones as they are best read."""
    nodes = expressions(outputs)
    shortened = [readable(x) if len(reachable([x])) <= _SHORT else x for x in nodes.ravel()]
    return expressions(shortened).reshape(nodes.shape) if nodes.ndim else shortened[0]
