"""Torseur: from the description of a mechanism to its equations, its model and its motion."""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

_HOMES = {
    "load": "torseur.language.load",
    "Builder": "torseur.language.builder",
    "derive": "torseur.formalisms.derive",
    "compare": "torseur.formalisms.compare",
    "isolate": "torseur.formalisms.isolated",
    "virtual_power": "torseur.formalisms.virtual_motion",
    "lagrangian": "torseur.formalisms.lagrangian",
    "christoffel": "torseur.formalisms.christoffel",
    "taylor": "torseur.formalisms.series",
    "integrate": "torseur.simulation.flow",
    "check": "torseur.mechanism.checks",
    "compile": "torseur.backends.compiled",
    "export": "torseur.backends.source.export",
    "assemble": "torseur.simulation.assemble",
    "simulate": "torseur.simulation.integrate",
    "load_run": "torseur.simulation.files",
    "observe": "torseur.simulation.observe",
    "given_motion": "torseur.simulation.observe",
    "composition": "torseur.simulation.observe",
    "wheel_contact": "torseur.simulation.observe",
    "moment_theorem": "torseur.simulation.observe",
    "moment_at_body_point": "torseur.simulation.observe",
    "rigidity": "torseur.analyse.rigidity",
    "rigid_fit": "torseur.spatial.velocity_field",
    "mobility": "torseur.analyse.mobility",
    "holonomy": "torseur.analyse.holonomy",
    "diagnose": "torseur.analyse.diagnose",
    "balance": "torseur.analyse.balance",
    "equivalent_joint": "torseur.analyse.equivalent_joint",
    "singularities": "torseur.analyse.singular",
    "dead_points": "torseur.analyse.dead_points",
    "redundant_reactions": "torseur.analyse.redundancy",
    "body_torseurs": "torseur.analyse.body_torseurs",
    "equilibria": "torseur.analyse.equilibria",
    "steady_motions": "torseur.analyse.steady_motions",
    "holding_forces": "torseur.analyse.holding",
    "linearise": "torseur.analyse.linearise",
    "root_locus": "torseur.analyse.root_locus",
    "phase_portrait": "torseur.analyse.phase",
    "bifurcations": "torseur.analyse.bifurcations",
    "sensitivity": "torseur.analyse.sensitivity",
    "first_integrals": "torseur.analyse.integrals",
    "monitor": "torseur.analyse.drift",
    "drive_power": "torseur.analyse.drives",
    "check_answer": "torseur.told.answer",
    "tell": "torseur.told.tell",
    "sensitivity_to_start": "torseur.analyse.chaos",
    "trust": "torseur.analyse.trust",
    "lyapunov": "torseur.analyse.lyapunov",
    "poincare": "torseur.analyse.poincare",
    "rotor": "torseur.analyse.rotors",
    "BalanceMass": "torseur.analyse.rotors",
    "synchronous": "torseur.analyse.balancing",
    "rotation_speed": "torseur.analyse.balancing",
    "balance_rotor": "torseur.analyse.balancing",
    "gyroscopic_couple": "torseur.analyse.gyroscope",
    "free_rotation": "torseur.analyse.free_rotation",
    "euler_equations": "torseur.analyse.free_rotation",
    "flips": "torseur.analyse.free_rotation",
    "polhodes": "torseur.analyse.polhode",
    "tumbling": "torseur.analyse.tumbling",
    "spectrum": "torseur.analyse.spectrum",
    "page": "torseur.report.page",
    "drawing": "torseur.report.drawing",
    "picture": "torseur.report.picture",
    "view": "torseur.report.view",
    "film": "torseur.report.film",
    "mode_film": "torseur.report.mode_film",
    "plot": "torseur.report.plots",
    "Mechanism": "torseur.mechanism",
    "Equations": "torseur.formalisms.equations",
    "CompiledModel": "torseur.backends.compiled",
    "Run": "torseur.simulation.run",
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
