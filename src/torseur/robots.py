"""Robots: files of other formats read with what only the user knows, and tables of their joints."""

from torseur.door import open_namespace
from torseur.language.dh import from_dh as from_dh
from torseur.language.load import load_robot as load

__all__ = open_namespace(globals())
