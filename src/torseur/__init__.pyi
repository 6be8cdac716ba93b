"""Torseur: from the description of a mechanism to its equations, its model and its motion.

Written by `make format` from `public_names.py`.
"""

from torseur import attitude as attitude
from torseur import chaos as chaos
from torseur import control as control
from torseur import exercises as exercises
from torseur import forces as forces
from torseur import formalisms as formalisms
from torseur import linkages as linkages
from torseur import mass as mass
from torseur import methods as methods
from torseur import observe as observe
from torseur import pictures as pictures
from torseur import robots as robots
from torseur import rotation as rotation
from torseur import rotors as rotors
from torseur import sizing as sizing
from torseur import stability as stability
from torseur import synthesis as synthesis
from torseur import torseurs as torseurs
from torseur.analyse.equilibria.equilibria import equilibria as equilibria
from torseur.analyse.integrals.integrals import first_integrals as first_integrals
from torseur.analyse.mobility.diagnose import diagnose as check
from torseur.analyse.mobility.mobility import mobility as mobility
from torseur.analyse.sensitivity.batched import sensitivity as sensitivity
from torseur.analyse.vibrations.linearise import linearise as linearise
from torseur.equations.formalisms.derive import derive as derive
from torseur.equations.motion.equations import Equations as Equations
from torseur.equations.motion.equations_reader import load_equations as load_equations
from torseur.errors import ModelError as ModelError
from torseur.errors import SolveError as SolveError
from torseur.language.builder import Builder as Builder
from torseur.language.load import load as load
from torseur.machine.compiled import CompiledModel as CompiledModel
from torseur.machine.compiled import compile as compile
from torseur.model.contact.smooth import in_mode as in_mode
from torseur.model.description import Mechanism as Mechanism
from torseur.named_words import speaking as speaking
from torseur.report.dossier.report import report as report
from torseur.report.drawing.drawing import drawing as drawing
from torseur.report.pages.page import page as page
from torseur.report.viewer.run_plot import plot as plot
from torseur.report.viewer.view import view as view
from torseur.simulation.batch.loading import load_run as load_run
from torseur.simulation.batch.loading import load_runs as load_runs
from torseur.simulation.batch.runs import Runs as Runs
from torseur.simulation.rollout import rollout as rollout
from torseur.simulation.run.run import Run as Run
from torseur.simulation.simulate import simulate as simulate
from torseur.simulation.start.assemble import assemble as assemble
from torseur.simulation.stepper import Stepper as Stepper
from torseur.spatial.torseur import Torseur as Torseur
from torseur.study.study import study as study
from torseur.study.study_result import StudyResult as StudyResult
from torseur.study.study_result import load_study as load_study
from torseur.teach.answers.answer import check_answer as check_answer
from torseur.teach.tell import tell as tell
from torseur.tools.exporting import export as export

__version__: str
__all__: list[str]
