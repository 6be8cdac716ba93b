"""Control in the loop: laws that are sampled, with delays, limits, noise and resolution."""

from torseur.door import open_namespace
from torseur.simulation.control.loop import Loop as Loop
from torseur.simulation.control.loop import SymbolicLaw as SymbolicLaw
from torseur.simulation.control.text_law import TextLaw as TextLaw

__all__ = open_namespace(globals())
