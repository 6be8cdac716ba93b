"""The rate of the state of a large tree that only its weight moves: forward dynamics in a loop.

The state y is (q, v, work of the forces without potential), which is none here.
"""

from __future__ import annotations

from functools import lru_cache

from torseur.machine.compiled import CompiledModel
from torseur.machine.integrators.problem import Entry, entry
from torseur.machine.llvm import jit
from torseur.machine.llvm.emit import Body
from torseur.machine.llvm.module import assembled, table_pointers
from torseur.machine.runtime.loop_kernel import LoopKernel, loop_kernel
from torseur.machine.tree.evaluator import HOME, is_pushed, room, suits
from torseur.model.description import Mechanism
from torseur.model.joint_graph import spanning

_LOOP = "forward_dynamics"
_CALLED = (
    "declare ptr @malloc(i64)",
    "declare ptr @calloc(i64, i64)",
    "declare void @free(ptr)",
    "declare ptr @memcpy(ptr, ptr, i64)",
)


def only_falls(mechanism: Mechanism) -> bool:
    """Whether a mechanism is a large tree on which nothing acts but its weight."""
    return (
        suits(mechanism, _LOOP)
        and not mechanism.events
        and not is_pushed(mechanism)
        and all(joint.kind.nq == joint.kind.nv for joint in mechanism.joints.values())
    )


def tree_rate(model: CompiledModel) -> Entry:
    """ẏ = (v, a, 0), at the parameters of a model."""
    forward = model.kernel(_LOOP)
    code = _code(len(spanning(model.mechanism).carrying), len(model.speeds))
    return Entry(code.address, entry(*forward).constants, (code, forward))


@lru_cache(16)
def _code(bodies: int, speeds: int) -> LoopKernel:
    """The machine code for a number of bodies and speeds."""
    text = _rate(speeds, loop_kernel(HOME, _LOOP).address, room(_LOOP, bodies, speeds))
    engine = jit.engine(jit.object_code(text))
    return LoopKernel(engine, engine.get_function_address("rate"))


def _rate(n: int, loop: int, room: int) -> str:
    """The IR of a function of the addresses [model, y, t, output], for n speeds."""
    body = Body(1)
    model, y, _, output = table_pointers(body, "%t", 4)
    v = body.do(f"getelementptr double, ptr {y}, i64 {n}")
    a = body.do(f"getelementptr double, ptr {output}, i64 {n}")
    work = body.do(f"getelementptr double, ptr {output}, i64 {2 * n}")
    space = body.do(f"call ptr @malloc(i64 {8 * room})")
    nothing = body.do(f"call ptr @calloc(i64 {n}, i64 8)")
    arguments = ", ".join(f"ptr {p}" for p in (model, space, y, v, nothing, a))
    body.lines += [
        f"  call void inttoptr (i64 {loop} to ptr)(i64 1, {arguments})",
        f"  call void @free(ptr {space})",
        f"  call void @free(ptr {nothing})",
        f"  store double 0.0, ptr {work}",
    ]
    body.do(f"call ptr @memcpy(ptr {output}, ptr {v}, i64 {8 * n})")
    body.lines.append("  ret void")
    return assembled([("define void @rate(ptr %t)", body)], _CALLED)
