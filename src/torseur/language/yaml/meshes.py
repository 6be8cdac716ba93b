"""The entries `file` and `surface_file` of a contact: triangles, below the folder of the model."""

from __future__ import annotations

from collections.abc import MutableMapping
from pathlib import Path
from typing import Any

from torseur.language.text.place import Place
from torseur.language.text.triangles import read_triangles
from torseur.language.yaml.source import Item
from torseur.language.yaml.tables import TableFolder, missing, tables_below
from torseur.model.checks.limits import MOST_CORNERS
from torseur.spatial.hulls import Triangles
from torseur.words.sentence import say


def read_mesh(item: Item, folder: TableFolder | None) -> Triangles:
    """The surface of a file, which has some volume and few corners."""
    path = (folder or tables_below(Path(), None)).path(item)
    try:
        found = read_triangles(path, str(item.place))
    except FileNotFoundError:
        raise missing(item, path) from None
    if found.is_flat:
        raise item.fault(
            say("all points of {item} lie in a plane.", item),
            "Give its corners: points: [[0, 0, 0], [0.1, 0, 0]].",
        )
    if len(found.hull) > MOST_CORNERS:
        raise item.fault(
            say(
                "{item} has {count} corners, more than {most}: each of them would be a contact.",
                item,
                len(found.hull),
                MOST_CORNERS,
            ),
            "Simplify the mesh, or give the corners that matter: points: [[0, 0, 0]].",
        )
    return found


def scaled_corners(
    folder: Path, contact: MutableMapping[str, Any], before: str = ""
) -> list[list[Any]]:
    """The corners that the file and the scale of a contact give, which are taken out of it.

    Those of its surface have names that begin with `before`.
    """
    item = Item(Place(str(folder)), str(contact.pop(f"{before}file")))
    scale = contact.pop(f"{before}scale", None)
    corners = read_mesh(item, tables_below(folder, None)).hull.tolist()
    if scale is None:
        return [list(corner) for corner in corners]
    return [[f"({scale})*{x!r}" for x in corner] for corner in corners]
