"""Whether anything of a mechanism can move, for what asks nothing of mechanisms that stand."""

from __future__ import annotations

from torseur.errors import ModelError
from torseur.model.description import Mechanism
from torseur.words.sentence import say


def require_coordinates(mechanism: Mechanism, what: str) -> None:
    """Refuse a mechanism of fixed joints alone where `what` could not tell anything of it."""
    if not mechanism.speeds:
        raise ModelError(
            f'mechanism "{mechanism.name}"',
            say(
                "its {number} joint(s) have no coordinate: there is nothing for {what}.",
                len(mechanism.joints),
                what,
            ),
        )
