"""What links are drawn with in URDF and in SDF: box, cylinder, sphere, capsule, and surfaces."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from torseur.language.robot.numbers import number, several
from torseur.language.robot.parts import Mesh, Placement, Visual
from torseur.language.robot.xml_tree import Element
from torseur.words.sentence import say

_LENGTHS = {
    "cylinder": ("radius", "length"),
    "sphere": ("radius",),
    "capsule": ("radius", "length"),
}
_OTHERS = ("ellipsoid", "plane")  # which nothing here draws
Said = Callable[[Element, str], str]  # the text of an entry of a solid


def visuals(
    link: Element, said: Said, placed: Callable[[Element], Placement]
) -> tuple[Visual, ...]:
    """What a link is drawn with; a solid without volume is not. `placed` is the frame of one."""
    return tuple(
        Visual(shape, placed(visual))
        for visual, geometry in _geometries(link)
        for shape in _shapes(geometry, said)
    )


def meshes(link: Element, read: Callable[[Element, Element], Mesh]) -> tuple[Mesh, ...]:
    """The surfaces of a link, each made of its <visual> and its <mesh>."""
    return tuple(read(x, one) for x, geometry in _geometries(link) for one in geometry.all("mesh"))


def _geometries(link: Element) -> Iterator[tuple[Element, Element]]:
    return ((x, geometry) for x in link.all("visual") for geometry in x.all("geometry"))


def _shapes(geometry: Element, said: Said) -> Iterator[dict[str, Any]]:
    for solid in geometry.children:
        if solid.tag == "box":
            sizes: Any = several(solid, "size", said(solid, "size"), 3)
            if min(sizes) > 0:
                yield {"box": {"size": list(sizes)}}
        elif solid.tag in _LENGTHS:
            sizes = {key: number(solid, key, said(solid, key)) for key in _LENGTHS[solid.tag]}
            if min(sizes.values()) > 0:
                yield {solid.tag: sizes}


def undrawn(links: Iterable[Element]) -> list[str]:
    """That some solids of links are not drawn."""
    count = sum(
        geometry.first(solid) is not None
        for link in links
        for _, geometry in _geometries(link)
        for solid in _OTHERS
    )
    return [say("Not drawn: {drawn} plain solid(s) of <visual>.", count)] if count else []
