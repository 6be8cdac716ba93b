"""Errors: what is wrong, where, with which value, and the fix."""

import unicodedata
from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from torseur.words.catalogue import translated
from torseur.words.en.plural import plural
from torseur.words.language import spoken
from torseur.words.sentence import PLACE, TYPOGRAPHY, Address, said, say

_COLON = ": "


class TorseurError(Exception):
    """A message for the user: place, problem, advice. Printed in the language then spoken.

    The place is an address: file, line, entry and function read the same in every language, the
    kind of a part (`joint "A"`) does not.
    """

    def __init__(self, place: str, problem: str, *advice: str) -> None:
        super().__init__(place, problem, *advice)
        self.place = place
        self.problem = problem
        self.advice = advice
        self.lang = spoken()  # when it was raised

    def __str__(self) -> str:
        return self.said(self.lang)

    def said(self, lang: str) -> str:
        """The message in a language; what is no sentence of ours stays as it is."""
        problem, *advice = (said(text, lang) for text in (self.problem, *self.advice))
        head = f"{_address(self.place, lang)}{problem}" if self.place else problem
        return "\n  ".join([head, *advice])


def _address(place: str, lang: str) -> str:
    """A place and its colon, in a language."""
    kind = translated(place, lang, PLACE) if " " in place else place
    address = Address(said(place, lang) if kind == place and " " in place else kind).said(lang)
    return address + (_COLON if address == place else translated(_COLON, lang, TYPOGRAPHY))


class ModelError(TorseurError):
    """Error in the description of a mechanism; `faults` lists all errors, in order."""

    def __init__(self, place: str, problem: str, *advice: str) -> None:
        super().__init__(place, problem, *advice)
        self.faults: tuple[ModelError, ...] = (self,)

    def said(self, lang: str) -> str:
        """The message of every fault in a language."""
        if len(self.faults) == 1:
            return super().said(lang)
        return "\n".join(fault.said(lang) for fault in self.faults)


class SolveError(TorseurError):
    """Failure of a computation; `place` states where or at which time."""


def all_faults(faults: Sequence[ModelError]) -> ModelError:
    """One error that shows every fault of a description at once."""
    assert faults, "an error needs at least one fault"
    first, *others = (single for fault in faults for single in fault.faults)
    if not others:
        return first
    together = ModelError(first.place, first.problem, *first.advice)
    together.faults = (first, *others)
    return together


def without_value(place: str, missing: Sequence[str], advice: str) -> ModelError:
    """Parameters that have no value."""
    problem = say(
        "{number} parameter(s) have no value: {missing}.", len(missing), ", ".join(missing)
    )
    return ModelError(place, problem, advice)


def folded(name: str) -> str:
    """A name without capitals, accents and hyphens: those that differ so are taken for another."""
    plain = unicodedata.normalize("NFKD", name)
    bare = "".join(x for x in plain if not unicodedata.combining(x))
    return bare.casefold().replace("-", "_").replace(" ", "_")


def suggestion(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """`Did you mean …?`, when a known name differs by capitals and accents, or is close enough."""
    names: dict[str, str] = {}
    for one in known:
        names.setdefault(folded(one), one)
    folded_name = folded(name)
    close = (
        [folded_name] if folded_name in names else get_close_matches(folded_name, list(names), n=1)
    )
    return (say('Did you mean "{name}"?', names[close[0]]),) if close else ()


def unknown(place: str, kind: str, name: object, known: Iterable[str]) -> ModelError:
    """A name that nothing bears, with the names that exist and the closest one.

    Each kind has its two sentences in the catalogue, so that other languages can inflect it. What
    is given may be no name at all, such as the number of an entry.
    """
    names, several = sorted(known), plural(kind)
    listed = say(f"Known {several}: {{names}}.", ", ".join(names))
    return ModelError(
        place,
        say(kind + ' "{name}" does not exist.', name),
        listed if names else say(f"Known {several}: none."),
        *suggestion(str(name), names),
    )


def require_known(place: str, kind: str, names: str | Iterable[str], known: Iterable[str]) -> None:
    """A name, or each of several, is one that something bears; `unknown` tells the first other."""
    listed = tuple(known)
    for name in names if isinstance(names, Iterable) and not isinstance(names, str) else (names,):
        if name not in listed:
            raise unknown(place, kind, name, listed)
