"""Learning goals: what one should be able to do after each chapter.

They are those of the "contrat d'objectifs" of Plaut (2007), chapters 1 to 4, and of its chapter 5.
The last chapter has goals of the other sources: what is computed, conserved or rubs.
"""

from collections.abc import Mapping
from types import MappingProxyType

GOALS: Mapping[str, int] = MappingProxyType(
    {  # each with its chapter
        "velocity fields": 1,
        "composed motions": 1,
        "centre of mass": 2,
        "kinetic resultant": 2,
        "kinetic moment": 2,
        "inertia": 2,
        "kinetic energy": 2,
        "law of the resultant": 3,
        "law of the moment": 3,
        "law of energy": 3,
        "parameters": 4,
        "joints": 4,
        "joint efforts": 4,
        "virtual power": 4,
        "d'Alembert": 4,
        "Lagrange": 4,
        "equilibria": 4,
        "small motions": 4,
        "Hamilton": 5,
        "first integrals": 5,
        "multipliers": 6,
        "non-holonomic": 6,
        "friction": 6,
        "simulation": 6,
        "orders of magnitude": 6,
    }
)
