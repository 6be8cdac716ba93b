"""What is made once of the contacts of a mechanism, whatever values its parameters have."""

from __future__ import annotations

from functools import cached_property, partial
from typing import final

import numpy as np

from torseur.algebra.printing.text import exact_text
from torseur.equations.functions.contact import ContactState
from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.motion import MotionKernels
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.inertia_tree import tree_tables
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.model.contact.closed import closed
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint, written

Array = np.ndarray


@final
class ContactCode:
    """The elements of a mechanism, and the functions of a state that they need."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.parts = elements(mechanism)
        held = closed(mechanism, self.parts)
        self.held = CompiledModel(held)
        self.state = ContactState(self.held.system, self.parts)
        own, zeros = fingerprint(held), [exact_text(x.zero) for x in held.events.values()]
        parts = f"{written(list(self.parts))} {own}"
        self._identity = parts
        self.of_events: Evaluator | None = None
        self.of_laws: Evaluator | None = None
        if zeros:
            events = MotionKernels(self.held.system, FREE).events
            self.of_events = kernel_code(events, f"contact events {zeros} {own}")
        if self.state.laws:
            self.of_laws = kernel_code(self.state.laws_kernel, f"contact_laws {parts}")
        self._of_parts: dict[tuple[str, ...], Evaluator] = {}

    def of_parts(self, names: tuple[str, ...]) -> Evaluator:
        """Code of some parts of a state, made when it is first asked for."""
        if names not in self._of_parts:
            identity = f"contact_state {' '.join(names)} {self._identity}"
            self._of_parts[names] = kernel_code(partial(self.state.kernel, names), identity)
        return self._of_parts[names]

    @cached_property
    def places(self) -> dict[str, Array]:
        """Where the numbers of each function of parts are in all parts."""
        return {name: np.array(self.state.places(x), int) for name, x in at.OF_PARTS.items()}

    @cached_property
    def tree(self) -> dict[str, Array]:
        """Tables of the tree of inertia."""
        return tree_tables(self.state.inertia, self.state.moved_speeds)
