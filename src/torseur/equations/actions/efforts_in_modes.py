"""The balance of each body while contacts keep their modes, friction following its law."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from torseur.equations.actions.efforts import Efforts
from torseur.equations.actions.sliding import Slides
from torseur.equations.symbols.system import System, system
from torseur.model.contact.smooth import kept_modes
from torseur.model.description import Mechanism


@final
@dataclass(frozen=True)
class EffortsInModes:
    """Efforts with those of contacts, and the system in which contacts hold what they hold."""

    efforts: Efforts
    moving: System  # in which what slides is free to slide


def efforts_in_modes(mechanism: Mechanism, modes: Mapping[str, str] | None) -> EffortsInModes:
    """The efforts of a mechanism; without modes contacts and friction are left out.

    What sticks has unknowns. What slides has the normal force alone, friction being f N against the
    speed.
    """
    if modes is None:
        known = system(mechanism)
        return EffortsInModes(Efforts(known), known)
    fixed = kept_modes(mechanism, modes, "modes")
    moving = system(fixed.mechanism)
    if not fixed.slides:
        return EffortsInModes(Efforts(moving), moving)
    rubbing = Slides(mechanism, fixed.slides, signs=True, beside=fixed.beside).by_unknowns
    return EffortsInModes(Efforts(rubbing.system, rubbing.forces), moving)
