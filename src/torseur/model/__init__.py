"""The immutable description of a mechanism."""

from torseur.model.description import GROUND as GROUND
from torseur.model.description import Body as Body
from torseur.model.description import BodyLoad as BodyLoad
from torseur.model.description import Joint as Joint
from torseur.model.description import JointLoad as JointLoad
from torseur.model.description import Mechanism as Mechanism
from torseur.model.description import Motor as Motor
from torseur.model.description import Parameter as Parameter
from torseur.model.description import Point as Point
