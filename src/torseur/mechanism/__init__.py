"""The immutable description of a mechanism."""

from torseur.mechanism.description import GROUND as GROUND
from torseur.mechanism.description import Body as Body
from torseur.mechanism.description import BodyLoad as BodyLoad
from torseur.mechanism.description import Joint as Joint
from torseur.mechanism.description import JointLoad as JointLoad
from torseur.mechanism.description import Mechanism as Mechanism
from torseur.mechanism.description import Motor as Motor
from torseur.mechanism.description import Parameter as Parameter
from torseur.mechanism.description import Point as Point
