"""Points and frames of a motion, read by name: relative motions, composition, contact points."""

from torseur.simulation.observe.composition import Composition, composition
from torseur.simulation.observe.contact import WheelContact, wheel_contact
from torseur.simulation.observe.moments import moment_at_body_point, moment_theorem
from torseur.simulation.observe.moving import MovingFrame, MovingPoint
from torseur.simulation.observe.observer import GivenMotion, Observer, given_motion, observe

__all__ = [
    "Composition",
    "GivenMotion",
    "MovingFrame",
    "MovingPoint",
    "Observer",
    "WheelContact",
    "composition",
    "given_motion",
    "moment_at_body_point",
    "moment_theorem",
    "observe",
    "wheel_contact",
]
