"""Notices of joints that repeat each other and share loads that the motion depends on."""

from __future__ import annotations

from torseur.machine.contact.model import ContactModel
from torseur.words.sentence import say


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
