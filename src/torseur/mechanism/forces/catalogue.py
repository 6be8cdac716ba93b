"""The forces by name, in English and in French, with or without accents."""

from torseur.errors import ModelError, suggestion
from torseur.joints.catalogue import plain
from torseur.mechanism.forces.attraction import Attraction
from torseur.mechanism.forces.damper import Damper
from torseur.mechanism.forces.generalised_potential import GeneralisedPotential
from torseur.mechanism.forces.gravitation import Gravitation
from torseur.mechanism.forces.joint import JointLoad
from torseur.mechanism.forces.law import JointLaw
from torseur.mechanism.forces.line import LineForce
from torseur.mechanism.forces.pressure import Pressure
from torseur.mechanism.forces.protocol import Force
from torseur.mechanism.forces.resistance import Resistance
from torseur.mechanism.forces.spring import Spring
from torseur.mechanism.forces.torsion_damper import TorsionDamper
from torseur.mechanism.forces.torsion_spring import TorsionSpring
from torseur.mechanism.forces.wrench import BodyLoad

FORCES: tuple[type[Force], ...] = (
    JointLoad,
    BodyLoad,
    Spring,
    Damper,
    LineForce,
    TorsionSpring,
    TorsionDamper,
    JointLaw,
    Pressure,
    Resistance,
    Attraction,
    Gravitation,
    GeneralisedPotential,
)

_BY_NAME = {plain(name): force for force in FORCES for name in force.names}


def force_class(name: str, place: str) -> type[Force]:
    """The force of this name."""
    found = _BY_NAME.get(plain(name))
    if found is None:
        every = [n for force in FORCES for n in force.names]
        listed = ", ".join(sorted(force.names[0] for force in FORCES))
        raise ModelError(
            place,
            f'force type "{name}" does not exist.',
            f"Known force types: {listed}.",
            *suggestion(name, every),
        )
    return found
