"""Rotors: unbalance, bearings, balancing from measured signals.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.rotors.balancing import balance_rotor as balance_rotor
from torseur.analyse.rotors.balancing import read_signals as read_signals
from torseur.analyse.rotors.balancing import rotation_speed as rotation_speed
from torseur.analyse.rotors.balancing import synchronous as synchronous
from torseur.analyse.rotors.rotors import BalanceMass as BalanceMass
from torseur.analyse.rotors.rotors import rotor as rotor
