"""Pictures beside `drawing`, `plot` and `view`: films, modes, graphs, widgets.

Written by `make format` from `public_names.py`.
"""

from torseur.report.drawing.block_diagram import blocks as blocks
from torseur.report.drawing.graph_drawing import graph as graph
from torseur.report.drawing.picture import picture as picture
from torseur.report.drawing.rotations import rotations as rotations
from torseur.report.schemes.scheme import scheme as scheme
from torseur.report.viewer.mode_film import mode_film as mode_film
from torseur.report.viewer.stage import film as film
from torseur.report.viewer.widget import widget as widget
