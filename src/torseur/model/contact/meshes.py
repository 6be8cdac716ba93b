"""The contacts between meshes of a mechanism: their points, and where these cannot be followed."""

from __future__ import annotations

from torseur.errors import ModelError
from torseur.model.constraints.contact import ContactSet
from torseur.model.constraints.protocol import JointRows
from torseur.model.description import Mechanism
from torseur.model.joints.mesh_points import MeshPoint
from torseur.words.sentence import say


def mesh_rows(mechanism: Mechanism) -> tuple[JointRows, ...]:
    """The rows of the points of meshes, of contacts or held."""
    constraints = (*mechanism.contacts.values(), *mechanism.constraints.values())
    parts = (part for x in constraints for part in (x.parts if isinstance(x, ContactSet) else (x,)))
    rows = (part.rows for part in parts)
    return tuple(x for x in rows if isinstance(x, JointRows) and isinstance(x.kind, MeshPoint))


def mesh_signals(mechanism: Mechanism) -> tuple[str, ...]:
    """The names of the numbers of those points, which are given while the mechanism moves."""
    return tuple(name for rows in mesh_rows(mechanism) for name in rows.kind.signals)


def require_no_meshes(mechanism: Mechanism, what: str) -> None:
    """Refuse contacts between meshes where gaps must be functions of the coordinates."""
    for contact in mechanism.contacts.values():
        if isinstance(getattr(contact.rows, "kind", None), MeshPoint):
            raise ModelError(
                contact.place or f'contact "{contact.name}"',
                say(
                    '"{name}" is between two meshes, whose points jump from corner to corner; '
                    "{what} needs smooth gaps.",
                    contact.name,
                    what,
                ),
                'Move it with method="moreau" and a step, or let corners touch planes: on: plane.',
            )
