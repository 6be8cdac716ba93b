"""What there is to say of a run: what moved before it began, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torseur.machine.integrators.outcome import Code, Outcome
from torseur.words.sentence import say

FAILURES = {
    Code.STEP_TOO_SMALL: say("the step became too small"),
    Code.NOT_FINITE: say("accelerations are not finite"),
    Code.LOOP_OPEN: say("the constraints cannot be held"),
    Code.STEP_TOO_LONG: say("the equations of a step are not solved: the step is too long"),
}


def moved_before(changed: Mapping[str, float]) -> list[str]:
    """Given coordinates and speeds that loops did not allow."""
    if not changed:
        return []
    moved = ", ".join(f"{name} by {change:.3g}" for name, change in changed.items())
    return [say("The initial values did not close the loops; moved: {moved}.", moved)]


def interrupted(t: float) -> str:
    """By the keyboard."""
    return say("Interrupted at t = {t:.6g} s.", t)


def ended_early(found: Outcome, events: Sequence[str]) -> list[str]:
    """An interruption, or the event, of those with these names, that ended a run."""
    if found.code == Code.INTERRUPTED:
        return [interrupted(found.time)]
    if found.code == Code.TERMINAL_EVENT:
        name = events[found.events[-1].index]
        return [say('Stopped by the event "{name}" at t = {time:.6g} s.', name, found.time)]
    return []
