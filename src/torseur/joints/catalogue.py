"""The joints by name, in English and in French, with or without accents."""

import unicodedata

from torseur.errors import unknown
from torseur.joints.annular_contact import AnnularContact
from torseur.joints.cylindrical import Cylindrical
from torseur.joints.defined import Defined
from torseur.joints.distance import Distance
from torseur.joints.fixed import Fixed
from torseur.joints.free import Free
from torseur.joints.line_contact import LineContact
from torseur.joints.parallel_axes import ParallelAxes
from torseur.joints.planar import Planar
from torseur.joints.point_contact import PointContact
from torseur.joints.prismatic import Prismatic
from torseur.joints.protocol import JointType
from torseur.joints.revolute import Revolute
from torseur.joints.screw import Screw
from torseur.joints.spherical import Spherical
from torseur.joints.universal import Universal

JOINTS: tuple[type[JointType], ...] = (
    Fixed,
    Revolute,
    Prismatic,
    Cylindrical,
    Screw,
    Universal,
    Spherical,
    Planar,
    LineContact,
    AnnularContact,
    PointContact,
    ParallelAxes,
    Free,
    Distance,
    Defined,
)


def plain(name: str) -> str:
    """A name without accents, case, hyphens or underscores."""
    letters = unicodedata.normalize("NFKD", name.lower())
    kept = "".join(c for c in letters if not unicodedata.combining(c))
    return " ".join(kept.replace("-", " ").replace("_", " ").split())


_BY_NAME = {plain(name): joint for joint in JOINTS for name in joint.names}


def called(kind: type[JointType] | JointType) -> str:
    """What to call a joint of this type in a sentence."""
    name = kind.names[0]
    return f"{'an' if name[0] in 'aeio' else 'a'} {name} joint"


def joint_class(name: str, place: str) -> type[JointType]:
    """The joint type of this name."""
    found = _BY_NAME.get(plain(name))
    if found is None:
        raise unknown(place, "joint type", name, [n for joint in JOINTS for n in joint.names])
    return found
