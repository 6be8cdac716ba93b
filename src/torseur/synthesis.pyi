"""Dimensional synthesis: dimensions, masses and ratios for a wanted behaviour.

Written by `make format` from `public_names.py`.
"""

from torseur.design.ratios import Ratios as Ratios
from torseur.design.ratios import motor_ratios as motor_ratios
from torseur.design.synthesis_problem import Along as Along
from torseur.design.synthesis_problem import Grashof as Grashof
from torseur.design.synthesis_problem import Response as Response
from torseur.design.synthesis_problem import transmission as transmission
from torseur.design.synthesis_problem import turning as turning
from torseur.design.synthesis_study import load_study as load_study
from torseur.design.synthesise import Synthesis as Synthesis
from torseur.design.synthesise import synthesise as synthesise
from torseur.design.targets import Law as Law
from torseur.design.targets import Path as Path
from torseur.design.targets import Peak as Peak
from torseur.design.targets import Shaking as Shaking
from torseur.design.targets import function_law as function_law
