"""Robots: files, tables of joints, workspaces, singular places, parameters identified from logs."""

from torseur.door import open_namespace
from torseur.language.dh import from_dh as from_dh
from torseur.language.load import load_robot as load
from torseur.robotics.identification.base_parameters import BaseParameters as BaseParameters
from torseur.robotics.identification.base_parameters import base_parameters as base_parameters
from torseur.robotics.identification.consistency import ConsistentEstimate as ConsistentEstimate
from torseur.robotics.identification.consistency import consistent_estimate as consistent_estimate
from torseur.robotics.identification.excitation import Excitation as Excitation
from torseur.robotics.identification.excitation import excite as excite
from torseur.robotics.identification.filtering import Filtering as Filtering
from torseur.robotics.identification.identification import Identification as Identification
from torseur.robotics.identification.identify import identify as identify
from torseur.robotics.identification.identify import validate as validate
from torseur.robotics.identification.logs import Log as Log
from torseur.robotics.identification.logs import read_log as read_log
from torseur.robotics.identification.payload import Payload as Payload
from torseur.robotics.identification.payload import identify_payload as identify_payload
from torseur.robotics.singular_places import singular_places as singular_places
from torseur.robotics.workspace import workspace as workspace

__all__ = open_namespace(globals())
