"""The first state of a motion with contacts, and the first commands that act on it."""

from __future__ import annotations

import numpy as np

from torseur.machine.contact.model import ContactModel
from torseur.simulation.control.control import Control
from torseur.simulation.formulations.joint_start import JointStart
from torseur.simulation.formulations.sensing import sense
from torseur.simulation.run.contact_samples import UNKNOWN, ContactSamples
from torseur.simulation.run.samples import Samples
from torseur.words.sentence import say

Array = np.ndarray


def first_state(contacts: ContactModel, begin: JointStart) -> Array:
    """The start of a mechanism, with elements whose modes are not known yet."""
    start = np.concatenate([begin.y, np.zeros(contacts.size - len(begin.y))])
    start[contacts.in_state["modes"]] = UNKNOWN
    return start


def act_first(
    control: Control, contacts: ContactModel, begin: JointStart, measured: Array, start: Array
) -> None:
    """start ← with the first commands; reactions are those of a state without commands."""
    if control.reactions:
        aside = ContactModel(begin.model)  # the integrator's own stays as it is

        def samples(t: Array, states: Array, _: None) -> Samples:
            return ContactSamples(aside, t, states)

        sense(control, begin, samples, contacts.size + contacts.reported)
    size = len(begin.y)
    start[:size] = control.acted(measured, begin.t)[:size]


def shared_joints(contacts: ContactModel) -> list[str]:
    """The notice of joints whose shares rigid bodies do not decide; none where it is accepted."""
    names = [load.joint for load in contacts.state.carried]
    if not names or contacts.model.mechanism.reactions == "least_norm":
        return []
    return [
        say(
            "Rigid bodies do not decide how the joints {names} share their load, and the motion "
            "depends on it, by friction or by forces that name reactions: couples in these joints "
            "are taken as small as can be, then forces. `reactions: least_norm` accepts this.",
            ", ".join(names),
        )
    ]
