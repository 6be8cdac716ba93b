"""JAX: a module of functions that can be compiled, mapped and differentiated."""

from torseur.export.exported_model import Model
from torseur.export.names import Language
from torseur.export.notation import INDENT
from torseur.export.numpy_code import INVERSES, broadcast
from torseur.export.python_text import RESERVED, head, module, notation
from torseur.export.routine import Routine
from torseur.words.sentence import worded

_NOTATION = notation("jnp", INVERSES, "where", leading=("...",))


def files(model: Model) -> dict[str, str]:
    """NAME.py."""
    usage = (
        "c = FUNCTION_constants(p) once per parameter set, then FUNCTION(c, q, ...) for every",
        "state. Functions are pure: jax.jit, jax.vmap and jax.grad apply, also with respect to p.",
        'Leading axes broadcast. JAX computes in single precision unless "jax_enable_x64" is set.',
    )
    imports = "import jax.numpy as jnp"
    return module(model, imports, _NOTATION, usage, (_constants, _run), "jnp.array")


def _constants(routine: Routine) -> list[str]:
    lines = head(f"{routine.name}_constants", ["p"], worded("what depends on parameters only"))
    lines += [f"{INDENT}p = jnp.asarray(p)", f"{INDENT}shape = p.shape[:-1]"]
    lines += _NOTATION.once(routine)
    if not routine.constants:
        return [*lines, f"{INDENT}return jnp.zeros((*shape, 0))"]
    lines += _NOTATION.listed("c = [", list(routine.constants), "]", INDENT)
    return [*lines, _stacked("c"), f"{INDENT}return c"]


def _run(routine: Routine) -> list[str]:
    lines = [*head(routine.name, routine.arrays, routine.words)]
    lines += [*broadcast("jnp", routine.arrays), *_NOTATION.run(routine)]
    if not routine.shape:
        lines += _NOTATION.assignment("result", routine.results[0], INDENT)
        return [*lines, f"{INDENT}return jnp.broadcast_to(result, shape)"]
    lines += [*_NOTATION.elements("result", routine.results, INDENT), _stacked("result")]
    size = ", ".join(str(n) for n in routine.shape)
    ending = f".reshape((*shape, {size}))" if len(routine.shape) > 1 else ""
    return [*lines, f"{INDENT}return result{ending}"]


def _stacked(name: str) -> str:
    """The entries of a list along a new last axis."""
    return f"{INDENT}{name} = jnp.stack([jnp.broadcast_to(x, shape) for x in {name}], axis=-1)"


JAX: Language = Language("jax", RESERVED, files)
