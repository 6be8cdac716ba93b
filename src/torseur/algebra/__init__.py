"""Hash-consed symbolic scalars and the programs made of them."""

from torseur.algebra.expr import ONE as ONE
from torseur.algebra.expr import PI as PI
from torseur.algebra.expr import ZERO as ZERO
from torseur.algebra.expr import Expr as Expr
from torseur.algebra.expr import expression as expression
from torseur.algebra.expr import number as number
from torseur.algebra.expr import symbol as symbol
from torseur.algebra.expr import symbols as symbols
