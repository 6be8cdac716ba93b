"""What types and bodies are called in the language that is spoken."""

from __future__ import annotations

from typing import Any

from torseur.model.description import GROUND
from torseur.model.joints.catalogue import shown_name
from torseur.words.catalogue import ENGLISH
from torseur.words.language import spoken
from torseur.words.sentence import say, type_words


def called_type(kind: Any) -> str:
    """The name of a type of joint, force or constraint."""
    words = type_words(getattr(kind, "words", ""), None)
    return shown_name(kind.names) if "{" in words or not words or spoken() == ENGLISH else words


def called_body(name: str) -> str:
    """The name of a body; that of the ground is a word."""
    return say("ground") if name == GROUND else name
