"""Torseur: from the description of a mechanism to its equations, its model and its motion."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "load": "torseur.language.load",
    "Builder": "torseur.language.builder",
    "derive": "torseur.equations.formalisms.derive",
    "compare": "torseur.equations.compare.compare",
    "isolate": "torseur.equations.formalisms.isolated",
    "virtual_power": "torseur.equations.formalisms.virtual_motion",
    "lagrangian": "torseur.equations.analytical.sources",
    "christoffel": "torseur.equations.formalisms.christoffel",
    "taylor": "torseur.equations.expressions.series",
    "integrate": "torseur.simulation.formulations.flow",
    "check": "torseur.model.checks.mechanism",
    "compile": "torseur.machine.compiled",
    "export": "torseur.export.export",
    "assemble": "torseur.simulation.start.assemble",
    "simulate": "torseur.simulation.simulate",
    "load_run": "torseur.simulation.run.files",
    "observe": "torseur.simulation.observe",
    "given_motion": "torseur.simulation.observe",
    "composition": "torseur.simulation.observe",
    "wheel_contact": "torseur.simulation.observe",
    "moment_theorem": "torseur.simulation.observe",
    "moment_at_body_point": "torseur.simulation.observe",
    "rigidity": "torseur.analyse.mobility.rigidity",
    "rigid_fit": "torseur.spatial.velocity_field",
    "mobility": "torseur.analyse.mobility.mobility",
    "holonomy": "torseur.analyse.mobility.holonomy",
    "diagnose": "torseur.analyse.mobility.diagnose",
    "balance": "torseur.analyse.mobility.balance",
    "equivalent_joint": "torseur.analyse.mobility.equivalent_joint",
    "singularities": "torseur.analyse.mobility.singular",
    "dead_points": "torseur.analyse.mobility.dead_points",
    "redundant_reactions": "torseur.analyse.mobility.redundancy",
    "body_torseurs": "torseur.analyse.efforts.body_torseurs",
    "equilibria": "torseur.analyse.equilibria.equilibria",
    "steady_motions": "torseur.analyse.equilibria.steady_motions",
    "holding_forces": "torseur.analyse.equilibria.holding",
    "linearise": "torseur.analyse.vibrations.linearise",
    "root_locus": "torseur.analyse.vibrations.root_locus",
    "phase_portrait": "torseur.analyse.chaos.phase",
    "bifurcations": "torseur.analyse.bifurcations.bifurcations",
    "sensitivity": "torseur.analyse.sensitivity.sensitivity",
    "first_integrals": "torseur.analyse.integrals.integrals",
    "monitor": "torseur.analyse.integrals.drift",
    "drive_power": "torseur.analyse.efforts.drives",
    "check_answer": "torseur.teach.answers.answer",
    "tell": "torseur.teach.tell",
    "sensitivity_to_start": "torseur.analyse.chaos.chaos",
    "trust": "torseur.analyse.chaos.trust",
    "lyapunov": "torseur.analyse.chaos.lyapunov",
    "poincare": "torseur.analyse.chaos.poincare",
    "rotor": "torseur.analyse.rotors.rotors",
    "BalanceMass": "torseur.analyse.rotors.rotors",
    "synchronous": "torseur.analyse.rotors.balancing",
    "rotation_speed": "torseur.analyse.rotors.balancing",
    "balance_rotor": "torseur.analyse.rotors.balancing",
    "gyroscopic_couple": "torseur.analyse.rotation.gyroscope",
    "free_rotation": "torseur.analyse.rotation.free_rotation",
    "euler_equations": "torseur.analyse.rotation.free_rotation",
    "flips": "torseur.analyse.rotation.free_rotation",
    "polhodes": "torseur.analyse.rotation.polhode",
    "tumbling": "torseur.analyse.rotation.tumbling",
    "spectrum": "torseur.analyse.chaos.spectrum",
    "page": "torseur.report.pages.page",
    "drawing": "torseur.report.drawing.drawing",
    "picture": "torseur.report.drawing.picture",
    "view": "torseur.report.viewer.view",
    "film": "torseur.report.viewer.film",
    "mode_film": "torseur.report.viewer.mode_film",
    "plot": "torseur.report.plots.curves",
    "Mechanism": "torseur.model",
    "Equations": "torseur.equations.equations",
    "CompiledModel": "torseur.machine.compiled",
    "Run": "torseur.simulation.run.run",
    "Torseur": "torseur.spatial.torseur",
    "ModelError": "torseur.errors",
    "SolveError": "torseur.errors",
}

__all__ = ["__version__", *_HOMES]


def __getattr__(name: str) -> Any:
    """Public names are imported when they are first used, so that `import torseur` is quick.

    What functions are given passes the door first: `torseur.door`.
    """
    if name not in _HOMES:
        raise AttributeError(f"module 'torseur' has no attribute {name!r}")
    found = getattr(import_module(_HOMES[name]), name)
    if not isinstance(found, type):
        found = import_module("torseur.door").opened(found, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted(__all__)
