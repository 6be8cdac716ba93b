"""Where the numbers of shapes, planes, laws and contacts stand in their tables.

Body 0 is the ground. Codes and indices in tables of doubles are whole numbers, which doubles hold
exactly; so are sets, a bit for each member.
"""

# --- shapes: the simpler one of two comes first ---
SPHERE, CAPSULE, BOX, CYLINDER, HULL, HEIGHT_FIELD = range(6)

# --- a shape: one row of numbers that stay ---
KIND = 0
SIZE = 1  # radius; radius, half length, axis; half lengths of a box; first vertex, vertices
REACH = 4  # from its own centre to its farthest point
OWNER = 5  # its body
PAIRS, PLANES = 6, 7  # sets: in which piles it is, which planes it meets
NUMBER = 8  # which of the shapes of its body it is
IS_CENTRED = 9  # its frame is that of the body at the centre of mass
OFFSET, TURNED = 10, 13  # its frame there: origin, axes by rows
FACETS = 22  # of a hull: the first one, and their number
FRICTION_OF = 24  # its own coefficient of friction; negative: that of the law
SHAPE_WIDTH = 27

# --- a height field: where its heights begin, columns and rows of them, lengths of a cell ---
FIRST_HEIGHT, COLUMNS, ROWS = SIZE, SIZE + 1, SIZE + 2
STEPS = FACETS
HALF_HEIGHT = 25  # of the box around it
LEVEL = 26  # cosine of its steepest slope
LEANING = 1e-3  # sine of the angle by which the normal of an edge may lean out of its sides

# --- a facet of a hull: its outer normal, its first corner and their number ---
FACET_NORMAL, FACET_FIRST, FACET_COUNT = 0, 3, 4
FACET_WIDTH = 5

# --- a shape: one row of numbers at a place, in ground axes ---
ATTITUDE, CENTRE = 0, 9  # R, by rows
LOW, HIGH = 12, 15  # corners of a box around it
PLACED_WIDTH = 18

# --- a placed body ---
BODY_ATTITUDE, BODY_CENTRE = 0, 9
BODY_PLACED_WIDTH = 12

# --- a plane of the ground: one row of numbers ---
NORMAL, HEIGHT, PLANE_LAW = 0, 3, 4
PLANE_WIDTH = 5

# --- a law: one row of numbers ---
LAW_FRICTION, LAW_RESTITUTION = 0, 1
LAW_RULE = 2  # how the coefficients of two shapes make one
LAW_WIDTH = 3
RULES = ("none", "largest", "smallest", "mean", "product")

# --- a contact: the first numbers of its row; the normal leads from the second body to the first
FIRST, SECOND, FEATURE = 0, 1, 2  # which corner, edge or end of the pair touches
FRICTION, RESTITUTION = 3, 4
GAP = 5
POINT = 6
NEXT = 9  # the next contact of the same first body; −1: none
AXES = 10  # normal and tangents, by rows
SEARCHED = 13  # so many numbers are written by a search
PUSHED = 19  # the impulse on the first body in ground axes
CONTACT_WIDTH = 22

# --- features: of a pair of shapes, then which shapes of their bodies these are ---
FEATURES = 524288.0  # of a pair
SHAPES = 64.0  # most shapes of a body
