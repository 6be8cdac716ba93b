"""Bitcode of the loop kernels: shipped with a released package, made once in a checkout.

It is optimised, and depends on no processor and no address: what is left to do at first use is to
emit machine code. numba is needed only to make it.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec

from torseur.errors import SolveError
from torseur.machine.llvm import cache as store
from torseur.machine.llvm.sources import RELEASED
from torseur.waiting import waiting
from torseur.words.sentence import say

ENTRY = "loop"  # the name of every kernel in its bitcode
_INSTALLED: set[str] = set()  # packages that were there when they were looked for


def file_name(module: str, name: str, lanes: int) -> str:
    """Name of the file in which a kernel is shipped."""
    return f"{module.removeprefix('torseur.machine.')}.{name}.{lanes}.bc.xz"


def available() -> bool:
    """Whether kernels are shipped, or can be made."""
    return RELEASED.is_file() or _has_numba()


def _has_numba() -> bool:
    """Whether numba can be imported; it is looked for on disk until it is there."""
    if "numba" in sys.modules:
        return sys.modules["numba"] is not None
    if not _INSTALLED and find_spec("numba") is not None:
        _INSTALLED.add("numba")
    return bool(_INSTALLED)


def bitcode(module: str, name: str, lanes: int) -> bytes:
    """The bitcode of a kernel."""
    shipped = RELEASED.parent / file_name(module, name, lanes)
    if shipped.is_file():
        import lzma  # which Pyodide has apart, and needs no bitcode

        return lzma.decompress(shipped.read_bytes())
    if not _has_numba():
        raise SolveError(
            f'kernel "{name}"',
            "this installation has no kernels for motions, and cannot make them.",
            "Install a released wheel of Torseur, or numba: pip install numba.",
        )
    key = store.key("bitcode", name, str(lanes), modules=(module,))
    return store.make_once(key, lambda: _make(module, name, lanes))


def _make(module: str, name: str, lanes: int) -> bytes:
    """Make bitcode with numba in this process, which takes some seconds."""
    from torseur.machine.runtime.text_compiler import make_bitcode

    with waiting(say("Preparing the kernel {name} for motions, once", name)):
        return make_bitcode(module, name, ENTRY, lanes)
