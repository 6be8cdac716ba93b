"""Methods: integrators of `simulate` with their settings, and the sampling of runs.

Written by `make format` from `public_names.py`.
"""

from torseur.machine.integrators.methods import RK4 as RK4
from torseur.machine.integrators.methods import Dop853 as Dop853
from torseur.machine.integrators.methods import Euler as Euler
from torseur.machine.integrators.methods import Moreau as Moreau
from torseur.machine.integrators.methods import Radau as Radau
from torseur.machine.integrators.methods import Symplectic as Symplectic
from torseur.simulation.formulations.sampling import Sampling as Sampling
