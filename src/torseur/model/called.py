"""Names of types, bodies and contact elements in the language spoken."""

from __future__ import annotations

from typing import Any

from torseur.model.constraints.protocol import called_body as called_body
from torseur.model.joints.catalogue import shown_name
from torseur.words.catalogue import ENGLISH
from torseur.words.language import spoken
from torseur.words.sentence import say, type_words


def called_type(kind: Any) -> str:
    """The name of a type of joint, force or constraint."""
    words = type_words(getattr(kind, "words", ""), None)
    return shown_name(kind.names) if "{" in words or not words or spoken() == ENGLISH else words


def called_element(name: str) -> str:
    """ "theta: lower stop" as a sentence, which French says with its own words."""
    owner, _, part = name.rpartition(": ")
    match part:
        case "lower stop":
            return say("${owner}$: lower stop", owner)
        case "upper stop":
            return say("${owner}$: upper stop", owner)
        case "friction":
            return say("{owner}: friction", owner)
        case "dry friction":
            return say("{owner}: dry friction", owner)
    contact, _, against = name.rpartition(".")
    match against:
        case "rolling":
            return say("{contact}: resistance to rolling", contact)
        case "pivoting":
            return say("{contact}: resistance to pivoting", contact)
    return name
