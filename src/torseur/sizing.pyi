"""Sizing of machine parts: flywheels, bearings, gearboxes, isolation.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.sizing.bearing_life import bearing_life as bearing_life
from torseur.analyse.sizing.bearing_types import Bearing as Bearing
from torseur.analyse.sizing.efficiency import efficiency as efficiency
from torseur.analyse.sizing.flywheel import fluctuation as fluctuation
from torseur.analyse.sizing.flywheel import flywheel as flywheel
from torseur.analyse.sizing.isolation import isolation as isolation
