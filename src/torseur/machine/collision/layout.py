"""Fields that a record has in which contacts are searched for, whoever moves the bodies."""

from torseur.machine.runtime.memory import Shape

CORNERS = 16  # most corners of a face of a box clipped by the sides of another
OUTLINE = 516  # most corners of a face of a hull clipped by the sides of another
OUTLINE_WIDTH = 5  # point, which one it is, its gap

# --- a difference of two points: itself, both points, which pieces of the shapes they are of
POINT_A, POINT_B, PIECE_A, PIECE_B = 3, 6, 9, 10
SUPPORT_WIDTH = 11
PIECES = 5  # of a simplex: the rows after its points

# --- a face of a polytope of such differences: three of them, outer normal, height, whether it is
FACE_NORMAL, FACE_HEIGHT, FACE_STANDS = 3, 6, 7
FACE_WIDTH = 8
MOST_SUPPORTS, MOST_FACES = 100, 400

NUMBERS = ("margin",)  # a gap within which two bodies may meet [m]
COUNTS = (
    "shapes",  # a row more than these is a piece of a height field
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
    "facet",  # (facets, FACET_WIDTH) of hulls
    "facet_corner",  # (corners, 3) of facets, in order about their normals
    "height",  # of all corners of height fields, row by row [m]
    "contact",  # (capacity, contact_width): this and the next are exchanged
    "contact_before",
)
ROOM: dict[str, Shape] = {
    "corners": (2, CORNERS, 3),  # of a face that is clipped
    "outline": (3, OUTLINE, OUTLINE_WIDTH),  # of a face, and of one that it clips
    "simplex": (PIECES + 3, SUPPORT_WIDTH),  # and pieces that are polished
    "shares": (4,),  # of the points of a simplex
    "support": (MOST_SUPPORTS, SUPPORT_WIDTH),  # of a polytope
    "face": (MOST_FACES, FACE_WIDTH),
    "horizon": (MOST_FACES, 2),  # edges of the part that a point sees
}
WHOLES = (
    "order",  # (sorted,): shapes by their lower corner
    "neighbour_first",  # (bodies + 2,): where the neighbours of each body begin
    "neighbour",  # bodies that a joint holds to it
    "head",  # (bodies + 1,): the first contact of a body before the last search; −1: none
)
