"""The languages by name: adding one is adding a file and an entry here."""

from collections.abc import Mapping

from torseur.backends.source.c import C
from torseur.backends.source.casadi_code import CASADI
from torseur.backends.source.fortran import FORTRAN
from torseur.backends.source.jax_code import JAX
from torseur.backends.source.julia import JULIA
from torseur.backends.source.language import Language
from torseur.backends.source.matlab import MATLAB
from torseur.backends.source.numpy_code import NUMPY

LANGUAGES: Mapping[str, Language] = {
    language.name: language for language in (C, FORTRAN, MATLAB, JULIA, NUMPY, JAX, CASADI)
}
