"""Linkages beside `mobility`: balance, constraints, dead points, laws of loops.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.mobility.balance import balance as balance
from torseur.analyse.mobility.balance import redundant_reactions as redundant_reactions
from torseur.analyse.mobility.dead_points import dead_points as dead_points
from torseur.analyse.mobility.diagnose import singularities as singularities
from torseur.analyse.mobility.input_output import input_output as input_output
from torseur.analyse.mobility.kinds import constraint_kinds as constraint_kinds
from torseur.analyse.mobility.kinds import holonomy as holonomy
from torseur.analyse.mobility.twists import equivalent_joint as equivalent_joint
