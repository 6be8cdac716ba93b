"""The forces by name, in English and in French, with or without accents."""

from torseur.errors import ModelError, suggestion, unknown
from torseur.model.forces.body import Attraction, BodyLoad, Drag, Gravitation, Resistance
from torseur.model.forces.bushing import Bushing
from torseur.model.forces.fluid import FluidBox, FluidEllipsoid
from torseur.model.forces.joint import (
    Brake,
    GeneralisedPotential,
    JointLaw,
    JointLoad,
    Pressure,
    TorsionDamper,
    TorsionSpring,
)
from torseur.model.forces.line import Cable, Damper, LineForce, Spring
from torseur.model.forces.protocol import Force
from torseur.model.forces.tyre import Tyre
from torseur.model.forces.wrapped_cable import WrappedCable
from torseur.model.joints.catalogue import plain, shown_name, type_called
from torseur.words.sentence import say

FORCES: tuple[type[Force], ...] = (
    JointLoad,
    BodyLoad,
    Spring,
    Damper,
    LineForce,
    Cable,
    WrappedCable,
    Bushing,
    TorsionSpring,
    TorsionDamper,
    JointLaw,
    Pressure,
    Brake,
    Resistance,
    Drag,
    FluidBox,
    FluidEllipsoid,
    Tyre,
    Attraction,
    Gravitation,
    GeneralisedPotential,
)

_BY_NAME = {plain(name): force for force in FORCES for name in force.names}


def force_class(name: str, place: str) -> type[Force]:
    """The force of this name."""
    kind = type_called(name, _BY_NAME)
    if kind is None:
        fault = unknown(place, "force type", name, [shown_name(x.names) for x in FORCES])
        close = _likely_type(name) or suggestion(name, [n for force in FORCES for n in force.names])
        raise ModelError(place, fault.problem, fault.advice[0], *close)
    return kind


def _likely_type(name: str) -> tuple[str, ...]:
    """The type of a force that is called otherwise elsewhere."""
    word = plain(name)
    if word in ("weight", "poids", "gravity", "pesanteur"):
        return ("Weights follow from the gravity of the model and the masses of bodies.",)
    if word in ("force", "couple", "torque", "moment", "load", "charge"):
        return (
            say(
                'A force or a couple on a body is of type "{wrench}", one along a joint of type '
                '"{joint}".',
                shown_name(BodyLoad.names),
                shown_name(JointLoad.names),
            ),
        )
    return ()
