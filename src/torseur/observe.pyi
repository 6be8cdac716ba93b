"""Observed motion: points, frames, composition, contact points, moments, integrals.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.integrals.drift import monitor as monitor
from torseur.analyse.integrals.integrals import drive_power as drive_power
from torseur.analyse.letters.transformation import transformation as transformation
from torseur.analyse.sizing.summary import summary as summary
from torseur.simulation.observe.composition import composition as composition
from torseur.simulation.observe.contact import wheel_contact as wheel_contact
from torseur.simulation.observe.moments import moment_at_body_point as moment_at_body_point
from torseur.simulation.observe.moments import moment_theorem as moment_theorem
from torseur.simulation.observe.observer import given_motion as given_motion
from torseur.simulation.observe.observer import observe as motion
