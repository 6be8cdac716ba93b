"""Bodies that turn: free rotation, its flips and polhodes, gyroscopic couples."""

from torseur.analyse.rotation.free_rotation import euler_equations as euler_equations
from torseur.analyse.rotation.free_rotation import flips as flips
from torseur.analyse.rotation.free_rotation import free_rotation as free_rotation
from torseur.analyse.rotation.free_rotation import gyroscopic_couple as gyroscopic_couple
from torseur.analyse.rotation.tumbling import polhodes as polhodes
from torseur.analyse.rotation.tumbling import tumbling as tumbling
from torseur.door import open_namespace

__all__ = open_namespace(globals())
