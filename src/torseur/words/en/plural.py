"""Nouns in the plural, in English."""


def plural(kind: str) -> str:
    """Several of a kind, in English."""
    if " or " in kind:
        return " or ".join(map(plural, kind.split(" or ")))
    head, of, rest = kind.partition(" of ")
    if of:
        return f"{plural(head)} of {rest}"
    if kind.endswith("is"):
        return f"{kind[:-2]}es"
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
