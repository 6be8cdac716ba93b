"""Chaos: trust in a run, sensitivity to the start, exponents, sections, spectra.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.chaos.lyapunov import lyapunov as lyapunov
from torseur.analyse.chaos.poincare import poincare as poincare
from torseur.analyse.chaos.spectrum import spectrum as spectrum
from torseur.analyse.chaos.trust import sensitivity_to_start as sensitivity_to_start
from torseur.analyse.chaos.trust import trust as trust
