"""Rest and steady motion beside `equilibria` and `linearise`, and how they change.

Written by `make format` from `public_names.py`.
"""

from torseur.analyse.bifurcations.bifurcations import bifurcations as bifurcations
from torseur.analyse.chaos.phase import phase_portrait as phase_portrait
from torseur.analyse.equilibria.holding import holding_forces as holding_forces
from torseur.analyse.equilibria.steady_motions import steady_motions as steady_motions
from torseur.analyse.equilibria.sticking import grip as grip
from torseur.analyse.equilibria.sticking import sticking_band as sticking_band
from torseur.analyse.letters.critical import critical as critical
from torseur.analyse.letters.named import closed_form as closed_form
from torseur.analyse.letters.slip import end_of_slip as end_of_slip
from torseur.analyse.letters.states import at_state as at_state
from torseur.analyse.letters.states import threshold as threshold
from torseur.analyse.vibrations.root_locus import root_locus as root_locus
from torseur.analyse.vibrations.with_states import linear_system as linear_system
