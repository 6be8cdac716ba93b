"""What is made once of the contacts of a mechanism, whatever values its parameters have."""

from __future__ import annotations

from typing import final

from torseur.algebra.printing.text import exact_text
from torseur.equations.functions.contact import ContactState
from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import MotionKernels
from torseur.machine.compiled import CompiledModel
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.model.contact.closed import closed
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint, written


@final
class ContactCode:
    """The elements of a mechanism, the functions of a state that they need."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.parts = elements(mechanism)
        held = closed(mechanism, self.parts)
        self.held = CompiledModel(held)
        self.state = ContactState(self.held.system, self.parts)
        own, zeros = fingerprint(held), [exact_text(x.zero) for x in held.events.values()]
        parts = f"{written(list(self.parts))} {own}"
        self.of_state = kernel_code(self.state.kernel, f"contact_state {parts}")
        self.of_events: Evaluator | None = None
        self.of_laws: Evaluator | None = None
        if zeros:
            events = MotionKernels(self.held.system, FREE).events
            self.of_events = kernel_code(events, f"contact events {zeros} {own}")
        if self.state.laws:
            self.of_laws = kernel_code(self.state.laws_kernel, f"contact_laws {parts}")
