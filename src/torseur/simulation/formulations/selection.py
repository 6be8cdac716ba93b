"""Which formulation suits a mechanism, or was asked for."""

from __future__ import annotations

from dataclasses import replace

from torseur.errors import ModelError, require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.methods import Method
from torseur.machine.runtime.bitcode import available
from torseur.machine.tree.evaluator import LARGE, is_pushed
from torseur.model.constraints.pile import Pile
from torseur.model.contact.elements import elements
from torseur.model.contact.smooth import changing, require_smooth
from torseur.model.description import Mechanism
from torseur.model.freed import can_be_freed
from torseur.model.joint_graph import spanning
from torseur.simulation.constraints.multipliers import RESOLUTIONS
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.absolute import AbsoluteFormulation
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.driven import Driven
from torseur.simulation.formulations.freed import FreedFormulation
from torseur.simulation.formulations.joint import MOST_ROWS, JointFormulation, runs_in_a_loop
from torseur.simulation.formulations.joint_start import JointStart, joint_start
from torseur.simulation.formulations.moreau import (
    MoreauFormulation,
    check_contacts,
    check_touching,
)
from torseur.simulation.formulations.numeric import NumericFormulation
from torseur.simulation.formulations.phase_space import PhaseSpace
from torseur.simulation.formulations.protocol import Formulation, held_still
from torseur.simulation.formulations.request import AUTO, MOREAU, ORDERS, Beginning, Settings
from torseur.simulation.formulations.sampling import Sampling
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.run.samples import Samples
from torseur.topology.structure import state_names
from torseur.words.sentence import say

COORDINATES = ("auto", "joint", "absolute")


def formulation(
    model: CompiledModel,
    beginning: Beginning,
    settings: Settings,
    coordinates: str,
    asked: Sampling,
    control: Control | None = None,
) -> Formulation[Samples]:
    """The mechanism about to move as it was asked for."""
    require_known("simulate", "kind of coordinates", coordinates, COORDINATES)
    if settings.multipliers != AUTO:
        return _resolved(model, beginning, settings, coordinates, control)
    if control is not None:
        return _controlled(joint_start(model, beginning), settings, coordinates, asked, control)
    if settings.method == MOREAU:
        if any(isinstance(one, Pile) for one in model.mechanism.contacts.values()):
            return MoreauFormulation(model, beginning, settings, asked)
        return _stepped(joint_start(model, beginning), settings, coordinates, asked)
    check_contacts(model.mechanism, settings.method)
    if settings.method in ORDERS:
        return _symplectic(joint_start(model, beginning), settings, coordinates, asked)
    reason = why_absolute(coordinates, model.mechanism)
    stepping = settings.stepping(asked.interval)
    if reason is not None and not (changing(model.mechanism) or _sticks(model, coordinates)):
        return AbsoluteFormulation(model, beginning, stepping, reason)
    if coordinates == "absolute":
        begin = joint_start(model, beginning)
        return FreedFormulation(begin, lambda own, law: ContactFormulation(own, stepping, law))
    begin = joint_start(model, beginning)
    if elements(model.mechanism):
        return ContactFormulation(begin, stepping)
    moving = integrated_in_joints(begin, stepping)
    return Driven(moving) if begin.is_driven and not model.mechanism.events else moving


def _sticks(model: CompiledModel, coordinates: str) -> bool:
    """Whether absolute coordinates were asked for and friction of motors can stick in them."""
    mechanism = model.mechanism
    asked = coordinates == "absolute" and len(mechanism.every_speed) <= LARGE
    return asked and bool(elements(mechanism)) and can_be_freed(mechanism)


def _resolved(
    model: CompiledModel,
    beginning: Beginning,
    settings: Settings,
    coordinates: str,
    control: Control | None,
) -> Formulation[Samples]:
    """In the coordinates of joints, by one resolution of the multipliers, in numbers."""
    require_smooth(model.mechanism, say("a choice of the resolution of multipliers"))
    fits = settings.method in ("auto", "dop853", "radau") and coordinates != "absolute"
    if control is not None or not fits:
        raise ModelError(
            "simulate",
            "the resolution of multipliers is chosen for a motion in the coordinates of joints, by "
            '"dop853" or "radau", without control.',
            "Leave out multipliers, or method, coordinates and control.",
        )
    method = replace(settings, method="dop853") if settings.method == AUTO else settings
    begin = joint_start(model, beginning)
    resolution = RESOLUTIONS[settings.multipliers]
    return NumericFormulation(begin, method.stepping(0.0), resolution)


def _controlled(
    begin: JointStart, settings: Settings, coordinates: str, asked: Sampling, control: Control
) -> Formulation[Samples]:
    """In the coordinates of joints, a law acting from sample to sample."""
    what = say("control in the loop")
    if settings.method in ORDERS:
        require_forces_to_move(begin, what, False)
        return _symplectic(begin, settings, coordinates, asked, control)
    if settings.method == MOREAU:
        return _stepped(begin, settings, coordinates, asked, control)
    stepping, touching = settings.stepping(asked.interval), bool(elements(begin.model.mechanism))
    if not touching:
        require_forces_to_move(begin, what, False)
    if coordinates == "absolute":
        return FreedFormulation(
            begin, lambda own, law: ContactFormulation(own, stepping, law), control
        )
    if touching:
        return ContactFormulation(begin, stepping, control)
    return JointFormulation(begin, stepping, control)


def _symplectic(
    begin: JointStart,
    settings: Settings,
    coordinates: str,
    asked: Sampling,
    control: Control | None = None,
) -> Formulation[Samples]:
    """By symplectic steps."""
    require_smooth(begin.model.mechanism, say("a symplectic method"))
    if coordinates != "absolute":
        return PhaseSpace(begin, settings, asked, control)
    # constraints hide no pulsation in the coordinates of joints, nor add any
    guide = PhaseSpace(begin, settings, asked) if settings.step is None else None
    return FreedFormulation(
        begin, lambda own, law: PhaseSpace(own.with_rows, settings, asked, law, guide), control
    )


def _stepped(
    begin: JointStart,
    settings: Settings,
    coordinates: str,
    asked: Sampling,
    control: Control | None = None,
) -> Formulation[Samples]:
    """By steps of Moreau and Jean."""
    check_touching(begin.model.mechanism)
    if coordinates == "absolute":
        return FreedFormulation(
            begin, lambda own, law: SteppedFormulation(own, settings, asked, law), control
        )
    return SteppedFormulation(begin, settings, asked, control)


def require_forces_to_move(begin: JointStart, what: str, touching: bool) -> None:
    """Refuse a mechanism that forces given while it moves could not move."""
    if held_still(begin.model, len(begin.model.speeds) - begin.rows.rank):
        problem = say("it cannot move: its mobility is 0, and forces change nothing.")
        raise ModelError("simulate", problem, "Leave the control out, or take a joint away.")
    if begin.is_driven:
        problem = say("imposed motions leave nothing that forces could move.")
        raise ModelError("simulate", problem, "Leave the imposed motions out, or the control.")
    if not available() or not (touching or JointFormulation.suits(begin)):
        raise ModelError(
            "simulate",
            say("{what} needs machine code, for a mechanism of at most 48 speeds.", what),
            "Describe the forces instead: forces: …",
        )


def integrated_in_joints(
    begin: JointStart, stepping: Method | None = None
) -> JointFormulation | NumericFormulation:
    """By machine code where it is not too long, or numerically."""
    suiting = JointFormulation if JointFormulation.suits(begin) else NumericFormulation
    return suiting(begin, stepping)


def why_absolute(coordinates: str, mechanism: Mechanism) -> str | None:
    """Why coordinates are absolute, empty where that was asked for; None: those of joints.

    Where nothing is asked for, they are those in which a motion is expected to be quicker. Up to
    some tens of speeds those of the joints are, whose code is made for the one mechanism; and for
    trees that only their weight moves. Beyond, they move step by step in Python, and where there
    are loops the cost of a state grows as the cube of their number; in absolute ones it is about a
    microsecond for each body, and the code is there already.
    """
    if coordinates != "auto":
        return "" if coordinates == "absolute" else None
    speeds, loops = len(state_names(mechanism)[1]), len(spanning(mechanism).closing)
    small = speeds <= LARGE and 6 * loops <= MOST_ROWS
    falls = runs_in_a_loop(mechanism) and not is_pushed(mechanism)
    if small or not available() or falls:
        return None
    bodies = len(mechanism.bodies)
    told = say("{bodies} bodies make {loops} loops", bodies, loops)
    return told if loops else say("there are {bodies} bodies", bodies)
