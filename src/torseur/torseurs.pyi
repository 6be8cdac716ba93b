"""Torseurs: twists, wrenches, kinetic and dynamic torseurs, rigid velocity fields.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.efforts.body_torseurs import body_torseurs as body_torseurs
from torseur.analyse.efforts.impulse import impulse as impulse
from torseur.analyse.efforts.power_balance import power_balance as power_balance
from torseur.analyse.mobility.twists import rigidity as rigidity
from torseur.model.mass.densities import distributed as distributed
from torseur.spatial.torseur import Torseur as Torseur
from torseur.spatial.torseur import acceleration as acceleration
from torseur.spatial.torseur import dynamic as dynamic
from torseur.spatial.torseur import dynamic_moment as dynamic_moment
from torseur.spatial.torseur import inertia_at as inertia_at
from torseur.spatial.torseur import kinetic as kinetic
from torseur.spatial.torseur import kinetic_energy as kinetic_energy
from torseur.spatial.torseur import kinetic_moment as kinetic_moment
from torseur.spatial.torseur import moment_about_axis as moment_about_axis
from torseur.spatial.torseur import power as power
from torseur.spatial.torseur import seen_from_fixed as seen_from_fixed
from torseur.spatial.torseur import total as total
from torseur.spatial.torseur import twist as twist
from torseur.spatial.torseur import velocity as velocity
from torseur.spatial.torseur import wrench as wrench
from torseur.spatial.velocity_field import rigid_fit as rigid_fit
