"""Choice of a formulation by the options of a motion: the first line of a table that suits it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import final

from torseur.errors import ModelError, require_known
from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.methods import Dop853, Method, Moreau, Radau, Symplectic
from torseur.machine.runtime.bitcode import available
from torseur.machine.tree.evaluator import LARGE, is_pushed
from torseur.model.contact.elements import elements
from torseur.model.contact.smooth import changing, require_smooth
from torseur.model.description import Mechanism
from torseur.model.freed import can_be_freed
from torseur.model.joint_graph import spanning
from torseur.simulation.constraints.multipliers import RESOLUTIONS
from torseur.simulation.constraints.sharing_loads import shares_loads
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.absolute import AbsoluteFormulation
from torseur.simulation.formulations.contact import ContactFormulation
from torseur.simulation.formulations.freed import Engine, FreedFormulation
from torseur.simulation.formulations.joint import (
    MOST_ROWS,
    Driven,
    JointFormulation,
    runs_in_a_loop,
)
from torseur.simulation.formulations.joint_start import JointStart, joint_start
from torseur.simulation.formulations.moreau import (
    MoreauFormulation,
    check_contacts,
    check_touching,
    moves_as_pile,
)
from torseur.simulation.formulations.numeric import NumericFormulation
from torseur.simulation.formulations.phase_space import PhaseSpace
from torseur.simulation.formulations.protocol import Formulation, immobility_notice
from torseur.simulation.formulations.request import AUTO, Beginning, Settings
from torseur.simulation.formulations.sampling import Schedule
from torseur.simulation.formulations.stepped import SteppedFormulation
from torseur.simulation.run.samples import Samples
from torseur.topology.structure import state_names
from torseur.words.sentence import say

COORDINATES = ("auto", "joint", "absolute")
Chosen = Formulation[Samples]


def formulation(
    model: CompiledModel,
    beginning: Beginning,
    settings: Settings,
    coordinates: str,
    sampling: Schedule,
    control: Control | None = None,
) -> Chosen:
    """The formulation that suits a motion."""
    require_known("simulate", "kind of coordinates", coordinates, COORDINATES)
    motion = _Motion(model, beginning, settings, coordinates, sampling, control)
    _require_suitable(motion)
    return next(make(motion) for suits, make in _TABLE if suits(motion))


@final
@dataclass(frozen=True)
class _Motion:
    """A motion with its options."""

    model: CompiledModel
    beginning: Beginning
    settings: Settings
    coordinates: str
    sampling: Schedule
    control: Control | None

    @property
    def is_absolute(self) -> bool:
        """Whether the option is absolute coordinates."""
        return self.coordinates == "absolute"

    @property
    def touches(self) -> bool:
        """Whether something may touch, stop or rub."""
        return bool(elements(self.model.mechanism))

    @property
    def is_piled(self) -> bool:
        """Whether it moves as a pile of bodies, on their graph."""
        return self.control is None and moves_as_pile(self.model)

    @property
    def sticks(self) -> bool:
        """Whether friction of motors can stick in absolute coordinates, if these are the option."""
        mechanism = self.model.mechanism
        is_small = self.is_absolute and len(mechanism.every_speed) <= LARGE
        return is_small and self.touches and can_be_freed(mechanism)

    @cached_property
    def begin(self) -> JointStart:
        """The start in the coordinates of joints."""
        return joint_start(self.model, self.beginning)

    @cached_property
    def stepping(self) -> Method:
        """The method of integration."""
        return self.settings.stepping(self.sampling.interval)

    @cached_property
    def reason(self) -> str | None:
        """Why an engine of absolute coordinates suits it; None: it does not."""
        mechanism = self.model.mechanism
        if self.control is not None or changing(mechanism) or self.sticks or mechanism.states:
            return None
        return why_absolute(self.coordinates, self.model.mechanism)

    def moved_by(self, engine: Callable[[JointStart, Control | None], Engine]) -> Chosen:
        """The formulation of an engine, in the coordinates asked for."""
        if self.is_absolute:
            return FreedFormulation(self.begin, engine, self.control)
        return engine(self.begin, self.control)


# --- formulations ---------------------------------------------------------------------------------


def _require_loads_to_share(motion: _Motion) -> None:
    """Compliance of joints shares reactions where no force follows from them."""
    mechanism = motion.model.mechanism
    if shares_loads(mechanism) and (motion.touches or motion.is_absolute):
        name = next(x.name for x in mechanism.joints.values() if x.compliance is not None)
        problem = say('joint "{name}" has a compliance.', name)
        advice = (
            "It shares loads in the coordinates of joints, without contacts, stops and friction. "
            "There, put a bushing in its place: forces: {A: {type: bushing, …}}."
        )
        raise ModelError("simulate", problem, advice)


def _require_suitable(motion: _Motion) -> None:
    """Refuse piles, and control of what forces could not move, unless steps of Moreau serve."""
    _require_loads_to_share(motion)
    _require_states_to_move(motion)
    if isinstance(motion.settings.method, Moreau):
        return
    check_contacts(motion.model.mechanism, motion.settings.name)
    if motion.control is not None and motion.settings.multipliers == AUTO and not motion.touches:
        require_forces_to_move(motion.begin, say("control in the loop"), False)


def _require_states_to_move(motion: _Motion) -> None:
    """First-order states move with straight-line code."""
    mechanism, settings = motion.model.mechanism, motion.settings
    if not mechanism.states:
        return
    small = len(motion.model.speeds) <= LARGE and available()
    by_symplectic = isinstance(settings.method, Symplectic)
    if by_symplectic or settings.multipliers != AUTO or not small:
        problem = say('the state "{name}" has a rate of its own.', next(iter(mechanism.states)))
        advice = (
            "Mechanisms with states move in code for at most 48 speeds: leave out multipliers and "
            "symplectic methods."
        )
        raise ModelError("simulate", problem, advice)


def _resolved(motion: _Motion) -> Chosen:
    """In the coordinates of joints, by one resolution of the multipliers, in numbers."""
    require_smooth(motion.model.mechanism, say("a choice of the resolution of multipliers"))
    settings = motion.settings
    method = settings.method
    fits = isinstance(method, Dop853 | Radau) and not motion.is_absolute
    if motion.control is not None or not fits:
        raise ModelError(
            "simulate",
            "the resolution of multipliers is chosen for a motion in the coordinates of joints, by "
            '"dop853" or "radau", without control.',
            "Leave out multipliers, or method, coordinates and control.",
        )
    if isinstance(method, Dop853):
        method = replace(method, patience=0)
    resolution = RESOLUTIONS[settings.multipliers]
    return NumericFormulation(motion.begin, method, resolution)


def _stepped(motion: _Motion) -> Chosen:
    """By steps of Moreau and Jean."""
    check_touching(motion.begin.model.mechanism)
    return motion.moved_by(
        lambda start, law: SteppedFormulation(start, motion.settings, motion.sampling, law)
    )


def _symplectic(motion: _Motion) -> Chosen:
    """By symplectic steps."""
    begin, settings, sampling = motion.begin, motion.settings, motion.sampling
    require_smooth(motion.model.mechanism, say("a symplectic method"))
    if not motion.is_absolute:
        return PhaseSpace(begin, settings, sampling, motion.control)
    # constraints hide no pulsation in the coordinates of joints, nor add any
    guide = PhaseSpace(begin, settings, sampling) if settings.step is None else None
    return motion.moved_by(
        lambda start, law: PhaseSpace(start.with_rows, settings, sampling, law, guide)
    )


def _smooth(motion: _Motion) -> Chosen:
    """In the coordinates of joints; motions that are all imposed are not integrated."""
    if motion.control is not None:
        return JointFormulation(motion.begin, motion.stepping, motion.control)
    moving = integrated_in_joints(motion.begin, motion.stepping)
    events = motion.model.mechanism.events
    return Driven(moving) if motion.begin.is_driven and not events else moving


_TABLE: tuple[tuple[Callable[[_Motion], bool], Callable[[_Motion], Chosen]], ...] = (
    (lambda x: x.settings.multipliers != AUTO, _resolved),
    (
        lambda x: isinstance(x.settings.method, Moreau) and x.is_piled,
        lambda x: MoreauFormulation(x.model, x.beginning, x.settings, x.sampling),
    ),
    (lambda x: isinstance(x.settings.method, Moreau), _stepped),
    (lambda x: isinstance(x.settings.method, Symplectic), _symplectic),
    (
        lambda x: x.reason is not None,
        lambda x: AbsoluteFormulation(x.model, x.beginning, x.stepping, x.reason or ""),
    ),
    (
        lambda x: x.is_absolute or x.touches,
        lambda x: x.moved_by(lambda start, law: ContactFormulation(start, x.stepping, law)),
    ),
    (lambda x: True, _smooth),
)


def require_forces_to_move(begin: JointStart, what: str, touching: bool) -> None:
    """Refuse a mechanism that forces given while it moves could not move."""
    if immobility_notice(begin.model, len(begin.model.speeds) - begin.rows.rank):
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
    """The reason for absolute coordinates, empty where that was asked for; None: those of joints.

    By default, they are those in which a motion is expected to be quicker. Up to
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
    reason = say("{bodies} bodies make {loops} loops", bodies, loops)
    return reason if loops else say("there are {bodies} bodies", bodies)
