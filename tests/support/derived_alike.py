"""Digests of everything that is derived from an example, in a process, an order or a thread."""

import hashlib
import json
import os
import sys

import numpy as np
from example_states import mechanism

import torseur as ts
from torseur.algebra.core.graph import free_symbols
from torseur.equations.formalisms.derive import derived
from torseur.equations.functions.catalogue import FUNCTIONS, kernel_of
from torseur.equations.symbols.system import system
from torseur.errors import ModelError
from torseur.machine.llvm.module import batch_text, module_text

_OUTPUTS = ("M", "h", "g", "Q")


def digests(name, formalisms=("newton-euler", "lagrange")):
    """Text, program, values and machine code of an example, each as a digest."""
    mechanism.cache_clear()  # a description that was read before is history too
    built = system(mechanism(name))
    found = {}
    for formalism in formalisms:
        try:
            equations = derived(built, formalism)
        except ModelError as error:
            found[formalism] = str(error)
            continue
        found[f"{formalism} text"] = equations.text()
        steps = equations.program().assignments
        found[f"{formalism} program"] = [(step.name, str(step.value)) for step in steps]
        found[f"{formalism} values"] = _bits(equations)
    kernel = kernel_of(FUNCTIONS["tree_inverse_dynamics"], built)
    needed = tuple(x.name for x in free_symbols(list(kernel.outputs)) if x.kind == "parameter")
    found["code"] = module_text(kernel, needed) + batch_text(kernel, 4)
    return {key: hashlib.sha256(repr(value).encode()).hexdigest() for key, value in found.items()}


def _bits(equations):
    """The values of the program at one state, bit by bit; every symbol gets a number."""
    program = equations.program(_OUTPUTS)
    rng = np.random.default_rng(5)
    given = {x.name: rng.uniform(0.5, 1.5) for x in program.symbols}
    return [np.asarray(x, float).tobytes() for x in program.evaluate(given).values()]


def _fresh(name):
    """The digests that a process makes which has derived nothing before."""
    read, write = os.pipe()
    if os.fork() == 0:
        os.write(write, json.dumps(digests(name)).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as answer:
        return json.load(answer)


def _crowded(names):
    """The digests after others were derived in another order, all of which are still in use."""
    alive = [ts.derive(mechanism(name), "kane") for name in reversed(names)]
    found = {name: digests(name) for name in reversed(names)}
    assert len(alive) == len(found)
    return found


if __name__ == "__main__":
    manner, *wanted = sys.argv[1:]
    made = _crowded(wanted) if manner == "crowded" else {name: _fresh(name) for name in wanted}
    print(json.dumps(made))
