"""Pictures beside `drawing`, `plot` and `view`: instants, runs side by side, modes, graphs."""

from torseur.door import open_namespace
from torseur.report.drawing.joint_graph import graph as graph
from torseur.report.drawing.picture import picture as picture
from torseur.report.viewer.film import film as film
from torseur.report.viewer.mode_film import mode_film as mode_film

__all__ = open_namespace(globals())
