"""Rotors: unbalance, bearings, balancing from measured signals.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.rotation.balancing import balance_rotor as balance_rotor
from torseur.analyse.rotation.balancing import read_signals as read_signals
from torseur.analyse.rotation.balancing import rotation_speed as rotation_speed
from torseur.analyse.rotation.balancing import synchronous as synchronous
from torseur.analyse.rotation.rotors import BalanceMass as BalanceMass
from torseur.analyse.rotation.rotors import rotor as rotor
