"""Formalisms beside `derive`: comparison, isolated bodies, Lagrangians, action.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.integrals.action import action as action
from torseur.equations.analytical.sources import lagrangian as lagrangian
from torseur.equations.formalisms.compare import compare as compare
from torseur.equations.formalisms.derive import formulas as formulas
from torseur.equations.formalisms.isolated import isolate as isolate
from torseur.equations.formalisms.isolations import isolations as isolations
from torseur.equations.formalisms.mass_matrix import christoffel as christoffel
from torseur.equations.formalisms.mass_matrix import mampey as mampey
from torseur.equations.formalisms.uicker import homogeneous as homogeneous
from torseur.equations.formalisms.virtual_motion import virtual_power as virtual_power
from torseur.equations.symbols.texts import taylor as taylor
from torseur.simulation.formulations.flow import integrate as integrate
