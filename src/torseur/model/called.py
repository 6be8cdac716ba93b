"""What types and bodies are called in the language that is spoken."""

from __future__ import annotations

from typing import Any

from torseur.model.description import GROUND
from torseur.words.language import FRENCH, spoken
from torseur.words.sentence import say


def called_type(kind: Any) -> str:
    """The name of a type of joint, force or constraint."""
    if spoken() != FRENCH:
        return str(kind.names[0])
    french = getattr(kind, "words", {}).get("fr", "")
    own = kind.names[1] if len(kind.names) > 1 else kind.names[0]
    return str(own if "{" in french or not french else french)


def called_body(name: str) -> str:
    """The name of a body; that of the ground is a word."""
    return say("ground") if name == GROUND else name
