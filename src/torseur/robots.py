"""Robots: files of other formats read, tables of joints, workspaces, singular places."""

from torseur.door import open_namespace
from torseur.language.dh import from_dh as from_dh
from torseur.language.load import load_robot as load
from torseur.robotics.singular_places import singular_places as singular_places
from torseur.robotics.workspace import workspace as workspace

__all__ = open_namespace(globals())
