"""Rotations: matrices, Euler angles, quaternions, steps of attitudes, bodies that turn freely."""

from torseur.analyse.rotation.free_rotation import euler_equations as euler_equations
from torseur.analyse.rotation.free_rotation import flips as flips
from torseur.analyse.rotation.free_rotation import free_rotation as free_rotation
from torseur.analyse.rotation.gyroscope import gyroscopic_couple as gyroscopic_couple
from torseur.analyse.rotation.polhode import polhodes as polhodes
from torseur.analyse.rotation.tumbling import tumbling as tumbling
from torseur.door import open_namespace
from torseur.spatial import attitude_steps as attitude_steps
from torseur.spatial import euler as euler
from torseur.spatial import quaternion as quaternion
from torseur.spatial.rotation import elementary as elementary
from torseur.spatial.rotation import rodrigues as rodrigues
from torseur.spatial.vectors import skew as skew

__all__ = open_namespace(globals())
