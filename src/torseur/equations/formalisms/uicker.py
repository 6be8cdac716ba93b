"""Uicker: Lagrange's equations from homogeneous 4×4 matrices and their traces."""

import numpy as np

from torseur.dynamics.tree.uicker import coefficients
from torseur.equations.actions.applied import applied_forces
from torseur.equations.motion.equations import Equations
from torseur.equations.symbols.system import System
from torseur.errors import ModelError
from torseur.topology.elementary import elementary


def derive(system: System) -> Equations:
    """M = A, h = Σ D_ikp v_k v_p, g; joints with several freedoms go through massless bodies."""
    for _, link in system.tree:
        if link.rotor is not None and link.rotor.axis is not None:
            raise ModelError(
                f'motor of joint "{link.joint_name}"',
                'the formalism "uicker" has no 4×4 matrix for a rotor with its own axis.',
                'Use "newton-euler", "lagrange" or "augmented-bodies".',
            )
    tree = elementary(system.tree, "uicker", screws=True)
    terms = coefficients(tree, system.q, system.gravity)
    v = system.v
    h = np.array([v @ (terms.D[i] @ v) for i in range(tree.nv)], dtype=object)
    return Equations(
        system,
        "uicker",
        M=terms.A,
        h=h,
        g=terms.g,
        Q=applied_forces(system),
        inverse_dynamics=terms.A @ system.a + h + terms.g,
        tables={"D": terms.D},
    )
