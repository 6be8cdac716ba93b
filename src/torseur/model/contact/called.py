"""What stops, rubs or resists within a joint or a contact is called where it is told of.

The names by which one asks for it stay as they are.
"""

from torseur.words.sentence import say


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
