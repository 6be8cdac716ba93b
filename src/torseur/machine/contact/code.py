"""Code of the contacts of a mechanism, made once for all values of its parameters."""

from __future__ import annotations

from functools import cached_property, partial
from typing import final

import numpy as np

from torseur.algebra.core.expr import ZERO
from torseur.algebra.printing.text import exact_text
from torseur.equations.functions.contact import ContactState
from torseur.equations.functions.contact_places import Placing
from torseur.equations.functions.held_rows import FREE
from torseur.equations.functions.joint_slopes import joint_slopes
from torseur.equations.functions.kernel import kernel
from torseur.equations.functions.motion import MotionKernels, inputs_of_state
from torseur.machine.compiled import CompiledModel
from torseur.machine.contact import layout as at
from torseur.machine.contact.inertia_tree import tree_tables
from torseur.machine.evaluator import Evaluator, kernel_code
from torseur.model.contact.closed_contacts import closed
from torseur.model.contact.elements import elements
from torseur.model.description import Mechanism
from torseur.model.values.fingerprint import fingerprint, written

Array = np.ndarray


@final
class ContactCode:
    """The elements of a mechanism, and the functions of a state that they need."""

    def __init__(self, mechanism: Mechanism) -> None:
        self.parts = elements(mechanism)
        closed_mechanism = closed(mechanism, self.parts)
        self.held = CompiledModel(closed_mechanism)
        self.state = ContactState(self.held.system, self.parts)
        identity = fingerprint(closed_mechanism)
        zeros = [exact_text(x.zero) for x in closed_mechanism.events.values()]
        parts = f"{written(list(self.parts))} {identity}"
        self._identity = parts
        self.of_events: Evaluator | None = None
        self.of_laws: Evaluator | None = None
        if zeros:
            events = MotionKernels(self.held.system, FREE).events
            self.of_events = kernel_code(events, f"contact events {zeros} {identity}")
        if self.state.laws:
            self.of_laws = kernel_code(self.state.laws_kernel, f"contact_laws {parts}")
        self._of_parts: dict[tuple[str, ...], Evaluator] = {}
        self._places: dict[int, dict[str, Array]] = {}

    def of_parts(self, names: tuple[str, ...]) -> Evaluator:
        """Code of some parts of a state, made when it is first asked for."""
        if names not in self._of_parts:
            identity = f"contact_state {' '.join(names)} {self._identity}"
            self._of_parts[names] = kernel_code(partial(self.state.kernel, names), identity)
        return self._of_parts[names]

    def places(self, more: int = 0) -> dict[str, Array]:
        """Where the numbers of each function of parts are in all parts, with room for more rows."""
        if more not in self._places:
            listed = at.OF_PARTS.items()
            indices = {name: np.array(self.state.places(x, more), int) for name, x in listed}
            self._places[more] = indices
        return self._places[more]

    @cached_property
    def placing(self) -> Placing:
        """Places of bodies and axes of speeds, of which rows of contacts are made."""
        return Placing(self.state)

    @cached_property
    def of_placing(self) -> Evaluator:
        """Code of these."""
        return kernel_code(self.placing.kernel, f"contact_placing {self._identity}")

    @cached_property
    def of_slopes(self) -> Evaluator | None:
        """Code of the slopes of forces along single speeds; None where there is none."""
        slopes = joint_slopes(self.held.system).ravel()
        if all(x is ZERO for x in slopes):
            return None
        inputs = inputs_of_state(self.held.system)
        build = partial(kernel, "contact_slopes", inputs, slopes)
        return kernel_code(build, f"contact_slopes {self._identity}")

    @cached_property
    def tree(self) -> dict[str, Array]:
        """Tables of the tree of inertia."""
        return tree_tables(self.state.inertia, self.state.moved_speeds)
