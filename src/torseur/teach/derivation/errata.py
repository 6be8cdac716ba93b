"""Errata of the sources: where the printed formula of a problem differs from the right one."""

from __future__ import annotations

from torseur.model.description import Mechanism
from torseur.named_words import Words

# the name of an example, the source that its description cites, the errata
_ERRATA: dict[str, tuple[str, tuple[str, ...]]] = {
    "driven-cylinder": ("Guérin", ("E2-3", "E2-4")),
    "compound-pendulum": ("Guérin", ("E2-2",)),
    "pendulum-three-parameters": ("Guérin", ("E2-5",)),
    "cart-pendulum": ("Guérin", ("E2-6",)),
    "rotating-arm": ("Guérin", ("E2-7", "E2-8")),
    "motorcycle": ("Guérin", ("E2-12",)),
    "speed-governor": ("Guérin", ("E2-9",)),
    "governor-with-friction": ("Guérin", ("E2-9",)),
    "wheel-three-parameters": ("Guérin", ("E2-10",)),
    "elliptic-pendulum": ("Llibre", ("E0-11",)),
    "cylinder-sliding": ("Llibre", ("E0-10",)),
    "cylinder-multiplier": ("Llibre", ("E0-9",)),
    "cartesian-pendulum": ("Llibre", ("E0-8",)),
    "slider-crank": ("numerical appendix", ("E3-3",)),
    "slider-crank-multipliers": ("numerical appendix", ("E3-2", "E3-3")),
    "heavy-top": ("numerical appendix", ("E3-1",)),
    "robot-1980": ("Aldon", ("E1-1", "E1-4")),
    "even-governor": ("Plaut", ("E4-20",)),
    "ball-governor": ("Plaut", ("E4-20",)),
}


def errata_of(mechanism: Mechanism, words: Words) -> list[str]:
    """The errata of the problem that an example is made of; none of any other mechanism."""
    source, codes = _ERRATA.get(mechanism.name, ("", ()))
    if not source or source not in mechanism.description:
        return []
    return [words["erratum"].format(code, words[f"erratum {code}"]) for code in codes]
