"""Forces in Python.

Written by `make format` from `public_names.py`.
"""

from torseur.model.custom_force import custom as custom
from torseur.model.forces.custom import BodyState as BodyState
from torseur.model.forces.custom import ForceState as ForceState
