"""Rotating bodies: free rotation, flips, polhodes, gyroscopic couples.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.rotation.free_rotation import euler_equations as euler_equations
from torseur.analyse.rotation.free_rotation import flips as flips
from torseur.analyse.rotation.free_rotation import free_rotation as free_rotation
from torseur.analyse.rotation.free_rotation import gyroscopic_couple as gyroscopic_couple
from torseur.analyse.rotation.tumbling import polhodes as polhodes
from torseur.analyse.rotation.tumbling import tumbling as tumbling
