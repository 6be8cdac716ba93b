"""Control: sampled laws with delays, limits and noise, and ready controllers.

Written by `make format` from `public_names.py`.
"""

from torseur.controllers.adaptive import adaptive as adaptive
from torseur.controllers.controller import Controller as Controller
from torseur.controllers.joint_laws import computed_torque as computed_torque
from torseur.controllers.joint_laws import feed_forward as feed_forward
from torseur.controllers.joint_laws import gravity_compensation as gravity_compensation
from torseur.controllers.joint_laws import joint_gains as joint_gains
from torseur.controllers.joint_laws import pd as pd
from torseur.controllers.joint_laws import pid as pid
from torseur.controllers.joint_laws import regulator as regulator
from torseur.controllers.lqr import LinearRegulator as LinearRegulator
from torseur.controllers.lqr import lqr as lqr
from torseur.controllers.operational_space import operational_space as operational_space
from torseur.controllers.reference import Reference as Reference
from torseur.controllers.reference import reaching as reaching
from torseur.controllers.tracking import Terms as Terms
from torseur.controllers.tracking import Tracking as Tracking
from torseur.controllers.tracking import terms as terms
from torseur.controllers.tracking import tracking as tracking
from torseur.robotics.environment import environment as environment
from torseur.robotics.vector_environment import environments as environments
from torseur.simulation.control.loop import Loop as Loop
from torseur.simulation.control.loop import SymbolicLaw as SymbolicLaw
from torseur.simulation.control.loop import TextLaw as TextLaw
