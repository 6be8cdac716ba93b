"""What went wrong, where, with which value, and what to do about it."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches


class TorseurError(Exception):
    """A message for the user: place, problem, advice."""

    def __init__(self, place: str, problem: str, *advice: str) -> None:
        super().__init__(place, problem, *advice)
        self.place = place
        self.problem = problem
        self.advice = advice

    def __str__(self) -> str:
        head = f"{self.place}: {self.problem}" if self.place else self.problem
        return "\n  ".join([head, *self.advice])


class ModelError(TorseurError):
    """The mechanism, as described, cannot be used; `faults` holds every fault found, in order."""

    def __init__(self, place: str, problem: str, *advice: str) -> None:
        super().__init__(place, problem, *advice)
        self.faults: tuple[ModelError, ...] = (self,)

    def __str__(self) -> str:
        if len(self.faults) == 1:
            return super().__str__()
        return "\n".join(str(fault) for fault in self.faults)


class SolveError(TorseurError):
    """The computation failed; `place` says when or where."""


def all_faults(faults: Sequence[ModelError]) -> ModelError:
    """One error that shows every fault of a description at once."""
    assert faults, "an error needs at least one fault"
    first, *others = (single for fault in faults for single in fault.faults)
    if not others:
        return first
    together = ModelError(first.place, first.problem, *first.advice)
    together.faults = (first, *others)
    return together


def suggestion(name: str, known: Iterable[str]) -> tuple[str, ...]:
    """`Did you mean …?`, when a known name is close enough."""
    close = get_close_matches(name, list(known), n=1)
    return (f'Did you mean "{close[0]}"?',) if close else ()


def unknown(place: str, kind: str, name: str, known: Iterable[str]) -> ModelError:
    """A name that nothing bears, with the names that exist and the closest one."""
    names = sorted(known)
    listed = ", ".join(names) if names else "none"
    plural = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
    return ModelError(
        place,
        f'{kind} "{name}" does not exist.',
        f"Known {plural}: {listed}.",
        *suggestion(name, names),
    )
