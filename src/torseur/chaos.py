"""Chaos: how long a run can be trusted, what a changed start does, exponents, sections, spectra."""

from torseur.analyse.chaos.lyapunov import lyapunov as lyapunov
from torseur.analyse.chaos.poincare import poincare as poincare
from torseur.analyse.chaos.spectrum import spectrum as spectrum
from torseur.analyse.chaos.trust import sensitivity_to_start as sensitivity_to_start
from torseur.analyse.chaos.trust import trust as trust
from torseur.door import open_namespace

__all__ = open_namespace(globals())
