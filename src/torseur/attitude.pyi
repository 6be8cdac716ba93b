"""Attitudes: rotation matrices, Euler angles, quaternions, steps, local bases.

Written by `make format` from `public_names.py`.
"""

from torseur.spatial import attitude_quaternions as quaternion
from torseur.spatial import attitude_steps as attitude_steps
from torseur.spatial import euler as euler
from torseur.spatial.given_attitudes import axial_vector as axial_vector
from torseur.spatial.given_attitudes import elementary as elementary
from torseur.spatial.given_attitudes import rodrigues as rodrigues
from torseur.spatial.given_attitudes import skew as skew
from torseur.spatial.local_bases import LocalMotion as LocalMotion
from torseur.spatial.local_bases import cylindrical as cylindrical
from torseur.spatial.local_bases import polar as polar
from torseur.spatial.local_bases import spherical as spherical
