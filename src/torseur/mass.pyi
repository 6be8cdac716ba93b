"""Mass geometry: mass, centre and inertia of bodies, solids and domains.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.efforts.body_sheet import body_sheet as body_sheet
from torseur.language.shapes import from_file as from_file
from torseur.language.shapes import from_shapes as from_shapes
from torseur.model.mass.domain import Domain as Domain
from torseur.model.mass.domain import Integral as Integral
from torseur.model.mass.domain import cartesian as cartesian
from torseur.model.mass.domain import integrate as integrate
from torseur.model.mass.principal import Ellipsoid as Ellipsoid
from torseur.model.mass.principal import PrincipalInertia as PrincipalInertia
from torseur.model.mass.principal import central_frame as central_frame
from torseur.model.mass.principal import draw_ellipsoid as draw_ellipsoid
from torseur.model.mass.principal import inertia_ellipsoid as inertia_ellipsoid
from torseur.model.mass.principal import principal_inertia as principal_inertia
from torseur.model.mass.properties import FrenchForm as FrenchForm
from torseur.model.mass.properties import MassProperties as MassProperties
from torseur.model.mass.properties import composed as composed
from torseur.model.mass.properties import from_pseudo_inertia as from_pseudo_inertia
from torseur.model.mass.properties import huygens as huygens
from torseur.model.mass.properties import inertia_tensor as inertia_tensor
from torseur.model.mass.properties import particles as particles
from torseur.model.mass.sheet import MassSheet as MassSheet
from torseur.model.mass.sheet import sheet as sheet
from torseur.model.mass.solids import SOLIDS as SOLIDS
from torseur.model.mass.solids import Geometry as Geometry
from torseur.model.mass.solids import Solid as Solid
from torseur.model.mass.solids import from_shape as from_shape
from torseur.model.mass.symmetry import CentralPoint as CentralPoint
from torseur.model.mass.symmetry import Consequences as Consequences
from torseur.model.mass.symmetry import FoldAxis as FoldAxis
from torseur.model.mass.symmetry import Plane as Plane
from torseur.model.mass.symmetry import Revolution as Revolution
from torseur.model.mass.symmetry import Symmetry as Symmetry
from torseur.model.mass.symmetry import applied as applied
from torseur.model.mass.symmetry import deduce as deduce
from torseur.model.mass.symmetry import violations as violations
from torseur.model.mass.validity import MassFault as MassFault
from torseur.model.mass.validity import check as check
from torseur.model.mass.validity import diagnose as diagnose
from torseur.model.mass.validity import faults as faults
from torseur.model.mass.validity import remarks as remarks
