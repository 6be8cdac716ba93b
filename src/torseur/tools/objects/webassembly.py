"""WebAssembly module of functions, with a script that calls them from a page or from Node."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from torseur.machine.llvm import jit
from torseur.machine.wasm.objects import module_of
from torseur.model.description import Mechanism
from torseur.tools.objects.functions import OPTIONS, functions_of
from torseur.tools.target import Exported, Target
from torseur.words.sentence import say, worded


def _exported(mechanism: Mechanism, **options: Any) -> Exported:
    """NAME.wasm and NAME.js."""
    functions = functions_of(mechanism, "wasm", **options)
    name = functions.prefix
    code = module_of(jit.object_elsewhere(functions.module(), jit.PAGE), functions.symbols)
    usage = (
        say("const {name} = await load(bytes of {file}), then", name, f"{name}.wasm"),
        worded("FUNCTION(p, q, ...): a Float64Array, by rows; p is kept from call to call."),
    )
    table = {
        function: {
            "entry": functions.symbol(function),
            "maker": functions.maker(function),
            "sizes": functions.sizes(function),
        }
        for function in functions.kernels
    }
    values = [p.value for p in functions.model.parameters]
    script = (files("torseur.tools.objects") / "load.js").read_text(encoding="utf-8")
    script = script.replace("FUNCTIONS_OF_MODEL", json.dumps(table, indent=2))
    script = script.replace("VALUES_OF_MODEL", json.dumps(values))
    text = "\n".join([*functions.comment(usage), "", script])
    return Exported({f"{name}.wasm": code, f"{name}.js": text.encode()})


WASM: Target = Target("wasm", _exported, OPTIONS)
