"""Hash-consed symbolic scalars and the programs made of them."""

from torseur.algebra.core import rules
from torseur.algebra.core.expr import ONE as ONE
from torseur.algebra.core.expr import PI as PI
from torseur.algebra.core.expr import ZERO as ZERO
from torseur.algebra.core.expr import Expr as Expr
from torseur.algebra.core.expr import expression as expression
from torseur.algebra.core.expr import install
from torseur.algebra.core.expr import number as number
from torseur.algebra.core.expr import symbol as symbol
from torseur.algebra.core.expr import symbols as symbols
from torseur.algebra.printing.text import text

install(rules, text)
