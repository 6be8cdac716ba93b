"""The mass matrix of a mechanism by Mampey's recursion, beside that of composite bodies."""

import numpy as np

from torseur.algebra.core.graph import expressions
from torseur.dynamics.tree.mampey import mass_matrix
from torseur.equations.symbols.system import system
from torseur.model.description import Mechanism
from torseur.topology.elementary import elementary

Array = np.ndarray


def mampey(mechanism: Mechanism) -> Array:
    """M (nv × nv) as expressions, motors and transmissions included.

    Joints with several freedoms go through massless bodies. Reference: Llibre (2009) §3.2.2.
    """
    described = system(mechanism)
    return expressions(mass_matrix(elementary(described.tree, "mampey"), described.q))
