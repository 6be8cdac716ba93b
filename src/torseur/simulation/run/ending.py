"""What there is to say of a run: what moved before it began, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from torseur.machine.integrators.outcome import Code, Outcome

FAILURES = {
    Code.STEP_TOO_SMALL: "the step became too small",
    Code.NOT_FINITE: "accelerations are not finite",
    Code.LOOP_OPEN: "the constraints cannot be held",
    Code.STEP_TOO_LONG: "the equations of a step are not solved: the step is too long",
}


def moved_before(changed: Mapping[str, float]) -> list[str]:
    """Given coordinates and speeds that loops did not allow."""
    if not changed:
        return []
    moved = ", ".join(f"{name} by {change:.3g}" for name, change in changed.items())
    return [f"The initial values did not close the loops; moved: {moved}."]


def interrupted(t: float) -> str:
    """By the keyboard."""
    return f"Interrupted at t = {t:.6g} s."


def ended_early(found: Outcome, events: Sequence[str]) -> list[str]:
    """An interruption, or the event, of those with these names, that ended a run."""
    if found.code == Code.INTERRUPTED:
        return [interrupted(found.time)]
    if found.code == Code.TERMINAL_EVENT:
        name = events[found.events[-1].index]
        return [f'Stopped by the event "{name}" at t = {found.time:.6g} s.']
    return []
