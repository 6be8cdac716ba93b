"""Fields that a record has in which contacts are searched for, whoever moves the bodies."""

from torseur.machine.runtime.memory import Shape

CORNERS = 16  # most corners of a face of a box clipped by the sides of another

NUMBERS = ("margin",)  # a gap within which two bodies may meet [m]
COUNTS = (
    "shapes",
    "planes",
    "sorted",  # shapes that may meet others
    "axis",  # along which they are sorted
    "capacity",  # of the tables of contacts
    "contact_width",  # numbers of a contact
    "contacts",  # at the present place
    "before",  # at the place before, with their impulses
    "full",  # 1 where a contact has no room
)
GIVEN = (
    "shape",  # (shapes, SHAPE_WIDTH)
    "plane",  # (planes, PLANE_WIDTH)
    "law",  # (laws, LAW_WIDTH)
    "vertex",  # (vertices, 3) of hulls
    "contact",  # (capacity, contact_width): this and the next are exchanged
    "contact_before",
)
ROOM: dict[str, Shape] = {"corners": (2, CORNERS, 3)}  # of a face that is clipped
WHOLES = (
    "order",  # (sorted,): shapes by their lower corner
    "neighbour_first",  # (bodies + 2,): where the neighbours of each body begin
    "neighbour",  # bodies that a joint holds to it
    "head",  # (bodies + 1,): the first contact of a body before the last search; −1: none
)
