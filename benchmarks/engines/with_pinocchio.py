"""Pinocchio: the same bodies in its model."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin

from benchmarks.engines import Call, Engine, Rows, row_by_row
from benchmarks.engines.bodies import gravity, numeric_bodies, tool
from benchmarks.robots import Robot

Array = np.ndarray
_JOINTS = (pin.JointModelRX, pin.JointModelRY, pin.JointModelRZ)


def engine(robot: Robot) -> Engine:
    """RNEA, CRBA, ABA and their analytical derivatives."""
    model = pinocchio_model(robot)
    data = model.createData()
    names = {"model": model, "data": data, "pin": pin, "np": np, "full": _full}
    calls = {
        "inverse_dynamics": Call("y = rnea(model, data, q, v, x)", {"rnea": pin.rnea, **names}),
        "mass_matrix": Call("y = crba(model, data, q)", {"crba": pin.crba, **names}, "full(y)"),
        "forward_dynamics": Call("y = aba(model, data, q, v, x)", {"aba": pin.aba, **names}),
        "inverse_dynamics_derivatives": Call(
            "partial(model, data, q, v, x)",
            {"partial": pin.computeRNEADerivatives, **names},
            "np.hstack([data.dtau_dq, data.dtau_dv])",
        ),
        "forward_dynamics_derivatives": Call(
            "partial(model, data, q, v, x)",
            {"partial": pin.computeABADerivatives, **names},
            "np.hstack([data.ddq_dq, data.ddq_dv, full(data.Minv)])",
        ),
    }
    if "tool" in robot.mechanism.points:
        calls |= _of_the_tool(robot, model)
    plain = ("inverse_dynamics", "mass_matrix", "forward_dynamics")
    batches = {"row by row": {name: row_by_row(replace(calls[name], result="y")) for name in plain}}
    batches["row by row"]["mass_matrix"] = _filled(batches["row by row"]["mass_matrix"])
    batches |= _parallel(model)
    remark = "Pinocchio's crba leaves the lower triangle empty; a call is timed so."
    return Engine("Pinocchio", calls, batches, remarks=(remark,))


def _of_the_tool(robot: Robot, model: pin.Model) -> dict[str, Call]:
    """The placement and the Jacobian of a frame; ours has the rows of ω first."""
    i, p = tool(robot)
    place = pin.SE3(np.eye(3), p)
    frame = model.addFrame(pin.Frame("tool", i + 1, place, pin.FrameType.OP_FRAME))
    names = {"model": model, "data": model.createData(), "frame": frame, "np": np}
    return {
        "pose:tool": Call(
            "forward(model, data, q)\ny = update(model, data, frame)",
            {"forward": pin.forwardKinematics, "update": pin.updateFramePlacement, **names},
            "y.homogeneous",
        ),
        "jacobian:tool": Call(
            "y = jacobian(model, data, q, frame, axes)",
            {"jacobian": pin.computeFrameJacobian, "axes": pin.LOCAL_WORLD_ALIGNED, **names},
            "np.vstack([y[3:], y[:3]])",
        ),
    }


def pinocchio_model(robot: Robot) -> pin.Model:
    """The robot in Pinocchio; joints are numbered depth first, as its crba needs."""
    model = pin.Model()
    for i, body in enumerate(numeric_bodies(robot)):
        joint = _JOINTS[body.axis]()
        k = model.addJoint(body.parent + 1, joint, pin.SE3(body.R, body.p), f"j{i}")
        inertia = pin.Inertia(body.mass, body.centre, body.inertia)
        model.appendBodyToJoint(k, inertia, pin.SE3.Identity())
    model.gravity.linear[:] = gravity(robot)
    return model


def _full(M: Array) -> Array:
    return np.triu(M) + np.triu(M, 1).swapaxes(-1, -2)


def _filled(rows: Rows) -> Rows:
    return lambda Q, V, X: _full(rows(Q, V, X))


def _parallel(model: pin.Model) -> dict[str, dict[str, Rows]]:
    """Its own loop over a batch, on one thread, where the installed build has one."""
    if not hasattr(pin, "abaInParallel"):
        return {}
    pool = pin.ModelPool(model, 1)

    def over(function) -> Rows:
        def rows(Q: Array, V: Array, X: Array) -> Array:
            out = np.zeros((model.nv, len(Q)), order="F")
            function(1, pool, Q.T, V.T, X.T, out)
            return out.T

        return rows

    functions = {"inverse_dynamics": pin.rneaInParallel, "forward_dynamics": pin.abaInParallel}
    return {"in parallel(1)": {name: over(function) for name, function in functions.items()}}
