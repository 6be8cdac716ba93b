"""Elements and attributes of URDF and SDF that are met and not read, by tag and number.

Each format lists what it understands, and what has no effect on a mechanism. Whatever else a file
holds is reported: nothing has to be foreseen.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, final

from torseur.language.robot.xml_tree import Element


@final
class Known(NamedTuple):
    """Names in an element, separated by blanks; `tag=text` is one that has no other text."""

    read: str = ""  # children that are looked into
    idle: str = ""  # children without effect on a mechanism
    attributes: str = ""


def unread(root: Element, format: Mapping[str, Known]) -> Counter[str]:
    """Numbers of the elements and attributes below a root that its format does not know."""
    found: Counter[str] = Counter()
    pending = [root]
    while pending:
        element = pending.pop()
        known = format.get(element.tag, Known())
        read, idle, attributes = (set(names.split()) for names in known)
        for name, text in element.attributes.items():
            if ":" not in name and name != "xmlns" and not {name, f"{name}={text}"} & attributes:
                found[f"<{element.tag} {name}>"] += 1
        outer = "" if element is root else f"<{element.tag}>"
        for child in element.children:
            if child.tag in read:
                pending.append(child)
            elif not {child.tag, f"{child.tag}={child.text}"} & idle:
                found[f"{outer}<{child.tag}>"] += 1
    return Counter(dict(sorted(found.items())))
