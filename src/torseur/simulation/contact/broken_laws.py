"""Refusal of motions at whose end a law of contact is broken."""

from __future__ import annotations

import numpy as np

from torseur.errors import SolveError
from torseur.machine.contact import layout as at
from torseur.machine.contact.model import ContactModel
from torseur.simulation.contact.causes import END, Cause
from torseur.words.sentence import say

Array = np.ndarray
_BROKEN = 1e-6  # of the size of a gap, or of the largest force, times what its row is compared with


def require_laws(contacts: ContactModel, t: float, y: Array, cause: Cause | None = None) -> None:
    """Refuse a stretch at whose end a contact overlaps, pulls or holds by too much friction.

    Where sliding ends its direction turns at once, and with it normal forces: those pass. It
    ends where its event is, whatever speed is left there by an instant that is not exact. What
    has its own event there kept its law up to it, and jumps.
    """
    first, second, _ = contacts.call(at.EVENTS, y, t)[: 3 * len(contacts.parts)].reshape(-1, 3).T
    if first.min(initial=0.0) >= 0 and second.min(initial=0.0) >= 0:
        return
    found, modes = contacts, contacts.table[:, at.MODE]
    found.call(at.FORCES, y, t)
    works = float(np.abs(found["z"] / found["fineness"]).max(initial=0.0))
    energy = _BROKEN * max(works, found.usual_force * found.length)
    sliding = (modes == at.SLIP) & ~found.has_no_friction
    overlaps = (modes == at.OPEN) & (first < -_BROKEN * found.gap_sizes)
    pulls = (modes != at.OPEN) & (first < -energy / found.gap_sizes) & ~found.has_spring
    over = (modes == at.STICK) & (second < -energy / found.slip_sizes)
    jumps = cause is not None and (cause.what == END or (pulls | over)[cause.element])
    ends = jumps or bool((sliding & (second < 2 * found.slow)).any())
    broken = overlaps | (over & (not jumps)) | (pulls & (not ends))
    if broken.any():
        part = contacts.parts[int(broken.argmax())]
        raise SolveError(
            f"t = {t:.6g} s",
            say('"{name}" breaks its law: this is no motion.', part.name),
            "A smaller rtol or max_step may help.",
        )
