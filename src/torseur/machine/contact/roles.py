"""What the rows of contacts do, by the modes of the elements, and the islands they make."""

from __future__ import annotations

from functools import cached_property
from typing import final

import numpy as np

from torseur.machine.contact import layout as at
from torseur.machine.contact.code import ContactCode, Islands

Array = np.ndarray
Acting = tuple[Array, Islands]  # the role of each row, and the islands of those that act
_RUBBING = np.array([at.OFF, at.HELD, at.RESISTED])  # roles of rows of friction, by the mode


@final
class Roles:
    """The roles of rows, found once for each set of modes."""

    def __init__(self, code: ContactCode, table: Array) -> None:
        self._code, self._state = code, code.state
        self._normal = table[:, at.NORMAL].astype(int)
        self._rubbing = [
            (int(row), k)
            for k, line in enumerate(table)
            for row in line[at.FIRST : at.FIRST + int(line[at.COUNT])]
        ]
        self.given = [row for row, _ in self._state.laws if row >= 0]
        self._known: dict[tuple[bytes, bool], Acting] = {}

    def of_modes(self, modes: Array, laws_act: bool = True) -> Acting:
        """What rows do where elements are in modes, and forces by reactions act or not."""
        kinds = modes.astype(np.int8)
        if (key := (kinds.tobytes(), laws_act)) not in self._known:
            self._known[key] = self._acting(self._roles(kinds), laws_act)
        return self._known[key]

    def all(self, laws_act: bool) -> Acting:
        """What rows do if all act that are not idle."""
        if (key := (b"all", laws_act)) not in self._known:
            self._known[key] = self._acting(self._all_roles(), laws_act)
        return self._known[key]

    def islands_of(self, closed: Array) -> tuple[Array, Array]:
        """(elements,), (rows,): the island of each, where elements that are closed stick."""
        _, islands = self.of_modes(np.where(closed, at.STICK, at.OPEN))
        return islands.of_rows[self._first], islands.of_rows

    def _acting(self, role: Array, laws_act: bool) -> Acting:
        role[self.given] = at.LAWFUL if laws_act else at.OFF
        return role, self._code.islands(role != at.OFF)

    def _roles(self, kinds: Array) -> Array:
        role = self._all_roles()
        role[self.owned] = at.OFF
        role[self._normal[(kinds != at.OPEN) & (self._normal >= 0)]] = at.HELD
        for row, k in self._rubbing:
            role[row] = _RUBBING[kinds[k]]
        return role

    def _all_roles(self) -> Array:
        role = np.full(len(self._state.held.owners), float(at.HELD))
        role[list(self._state.idle)] = at.OFF
        return role

    @cached_property
    def owned(self) -> list[int]:
        """The rows of elements."""
        return [row for rows in self._state.rows for row in rows]

    @cached_property
    def _first(self) -> list[int]:
        """The first row of each element that is not idle, if there is one."""
        idle = self._state.idle
        return [next((k for k in rows if k not in idle), rows[0]) for rows in self._state.rows]
