"""The languages by name: adding one is adding a file and an entry here."""

from collections.abc import Mapping

from torseur.errors import unknown
from torseur.export.c import C
from torseur.export.casadi_code import CASADI
from torseur.export.fortran import FORTRAN
from torseur.export.jax_code import JAX
from torseur.export.julia import JULIA
from torseur.export.language import Language
from torseur.export.mathematica import MATHEMATICA
from torseur.export.matlab import MATLAB
from torseur.export.numpy_code import NUMPY

LANGUAGES: Mapping[str, Language] = {
    language.name: language
    for language in (C, FORTRAN, MATLAB, JULIA, NUMPY, JAX, CASADI, MATHEMATICA)
}


def language_named(name: str) -> Language:
    """The language of a name; one that does not exist is reported."""
    if name not in LANGUAGES:
        raise unknown("export", "programming language", name, LANGUAGES)
    return LANGUAGES[name]
