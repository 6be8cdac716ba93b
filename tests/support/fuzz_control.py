"""Robots at work to be spoilt: laws in the loop, tables of motions, of motors and of logs."""

import math
import random
from functools import partial
from typing import Any

from fuzz_inputs import EXTREMES, VALUES, Call, Input, mostly_spoilt, seldom_other, spoilt

ARM = """gravity: [0, -9.81, 0]
parameters: {m1: 2, m2: 1, l: 0.4}
bodies:
  upper: {mass: m1, centre: [l/2, 0, 0], inertia: [0.01, 0.03, m1*l^2/12]}
  fore: {mass: m2, centre: [l/2, 0, 0], inertia: [0.01, 0.02, m2*l^2/12]}
joints:
  S: {type: pivot, bodies: [ground, upper], axis: z, coordinate: q1, limits: [-3, 3]}
  E: {type: pivot, bodies: [upper, fore], axis: z, coordinate: q2, point: [[l, 0, 0], [0, 0, 0]]}
motors:
  M: {joint: S, ratio: 20, rotor_inertia: 1e-4, viscous: {motor: 1e-3}, dry: {output: 0.2}}
frames: {tool: {body: fore, position: [l, 0, 0]}}
points: {tip: [fore, [l, 0, 0]]}
initial: {q1: 0.3}
"""
MOTORS = """q1: {ratio: 20, rotor_inertia: 1e-4, viscous: 1e-3, dry: 0.01, efficiency: 0.9,
  rated_torque: 1, peak_torque: 3, max_speed: 300}
E: {ratio: 10, rotor_inertia: 2e-5, rated_torque: 0.4 N.m, peak_torque: 1, max_speed: 3000 tr/min}
"""
LAWS = ["q1=-k*q1 - c*q1.", "q1=-40*q1 - 8*q1.", "q2=20*(0.5 - q2) - 3*q2.", "q1=m1*9.81*l*cos(q1)",
        "q1=sin(t)", "q1=1/0", "q1=1e308*q1", "q1=sqrt(-1)", "q1=log(q1)", "q1=", "=1", "q3=1",
        "q1.=1", "q1=q1..", "q1=if(t, 1, -1)", "q1=1/q2", "q1=exp(1e5*t)", "tip=1",
        "E=1"]  # fmt: skip
RUNS = ["simulate", "m.yaml", "--duration", "0.05"]


def _rows(heads: str, columns: int, count: int = 60) -> str:
    """A table of smooth columns over time, at 100 Hz."""
    lines = [
        ",".join([repr(0.01 * k), *(f"{math.sin(0.05 * k * (j + 1)):.9g}" for j in range(columns))])
        for k in range(count)
    ]
    return "\n".join([heads, *lines])


MOTION = _rows("t [s],q1 [deg],q2 [rad]", 2)
LOG = _rows("t,q1,q2,Q_q1,Q_q2", 4)
FAST_LOG = _rows("t [ms],q1 [deg],q2,M [N.m],Q_q2,q1.,q2.,q1..,q2..", 8)


def control(rng: random.Random) -> Input:
    """A law of the command that is sampled, with instants and options of any value."""
    number = partial(seldom_other, rng, EXTREMES)
    laws = [spoilt(x, rng) if rng.random() < 0.3 else x for x in rng.sample(LAWS, 2)]
    arguments = [*RUNS, "--control", laws[0], "--sample", number("1e-2")]
    arguments += ["--control", laws[1]] if rng.random() < 0.4 else []
    arguments += ["--delay", number("3e-3")] if rng.random() < 0.5 else []
    arguments += rng.choice([[], ["--method", "radau"], ["--method", "rk4", "--step", "1e-3"],
                             ["--coordinates", "absolute"], ["--json"], ["-o", "r.nc"],
                             ["--plot", "p.svg", "--of", "q1,E.force,energy"], ["--set", "k=3"],
                             ["--view", "p.html"], ["--method", "moreau"]])  # fmt: skip
    if rng.random() < 0.3:
        goals = [rng.choice(["q1=1", "q2=60 deg", "q1=nan", "q3=1", "q1=1e308", "x", "q1=q2"])]
        arguments = ["tracking", "m.yaml", "--to", *goals, "--duration", number("0.1")]
        for name, usual in (("--frequency", "10"), ("--error", "0.1"), ("--sample", "1e-2")):
            arguments += [name, number(usual)] if rng.random() < 0.5 else []
    model = mostly_spoilt(ARM, rng) if rng.random() < 0.3 else ARM.encode()
    return Input([x.replace("\x00", "") for x in arguments], {"m.yaml": model})


def tasks(rng: random.Random) -> Input:
    """Spoilt tables of motions, of motors and of logs."""
    number = partial(seldom_other, rng, EXTREMES)
    model = mostly_spoilt(ARM, rng) if rng.random() < 0.2 else ARM.encode()
    contents = {"m.yaml": model}
    command = rng.choice(["inverse", "inverse", "identify", "identify", "excite"])
    arguments = [command, "m.yaml"]
    if command == "inverse":
        contents |= {"t.csv": mostly_spoilt(MOTION, rng)}
        arguments += ["--motion", "t.csv", *rng.choice([[], ["--reactions"], ["-o", "f.csv"]])]
        arguments += ["--rate", number("50")] if rng.random() < 0.3 else []
        arguments += ["--actuators", rng.choice(["q1", "q1,q2", "x", ""])] * (rng.random() < 0.3)
        if rng.random() < 0.5:
            contents |= {"motors.yaml": mostly_spoilt(MOTORS, rng)}
            arguments += ["--motors", "motors.yaml"]
    elif command == "identify":
        contents |= {"t.csv": mostly_spoilt(rng.choice([LOG, FAST_LOG]), rng)}
        arguments += ["--data", "t.csv", *rng.choice([[], ["--consistent"], ["--unweighted"]])]
        arguments += rng.choice([[], ["--validate", "t.csv"], ["--loaded", "t.csv", "--at", "tool"],
                                 ["--known", "rotor inertia of M"], ["--known", "x"]])  # fmt: skip
        arguments += ["--cutoff", number("20")] if rng.random() < 0.3 else []
        arguments += ["--decimation", number("2")] if rng.random() < 0.3 else []
    else:
        arguments += ["--searches", "1", "--harmonics", rng.choice(["1", "2", "0", "-1", "1e9"])]
        for name, usual in (("--speed", "3"), ("--acceleration", "9"), ("--period", "2")):
            arguments += [name, number(usual)] if rng.random() < 0.5 else []
        arguments += rng.choice([[], ["-o", "m.csv"], ["--plot", "p.svg"], ["--json"]])
    return Input(arguments, contents)


def laws(rng: random.Random) -> Input:
    """Ready controllers, loops, paths and what tasks need, with arguments of any value."""
    any_of = partial(seldom_other, rng, VALUES)
    wanted = {"q1": any_of("sin(t)", 0.5, "q2"), "q2": any_of("t^2", 0.1)}
    reference = wanted if rng.random() < 0.8 else any_of({}, {"q1": 1}, {"x": 1, "q1": 2})
    gain = partial(any_of, 10.0, {"q1": 3.0, "q2": 4.0}, {"q1": 1})
    points = {"q1": any_of([0, 1, 0.5], [0, 1]), "q2": [0, any_of(0.4), 0.2]}
    path = rng.choice([
        Call("robots.quintic", points, {"times": any_of([0, 0.1, 0.2], [0, 0, 1], [1, 0])}),
        Call("robots.spline", points, {"times": any_of([0, 0.1, 0.2], [0, 0, 1])}),
        Call("robots.trapezoidal", points, {"speed": gain(), "acceleration": gain()}),
    ])  # fmt: skip
    law = rng.choice([
        Call("control.pd", asked={"reference": reference, "kp": gain(), "kd": gain()}),
        Call("control.pid", asked={"reference": reference, "kp": gain(), "ki": gain(), "kd": 1.0,
                                   "limits": any_of((-1, 1), (1, -1), {"q1": (0, 1)})}),
        Call("control.computed_torque", asked={"reference": reference, "kp": gain(), "kd": gain()}),
        Call("control.adaptive", asked={"reference": reference, "slope": gain(), "kd": gain(),
                                        "rate": gain(), "learned": any_of(["m1"], ["x"])}),
        Call("control.operational_space", asked={"place": any_of("tip", "tool"),
             "reference": any_of([0.5, "0.1*t", 0], reference), "kp": gain(), "kd": gain()}),
        Call("control.regulator", asked={"along": any_of("q1"), "measure": any_of("q2.", "q1*q2"),
             "goal": any_of(1.0, "sin(t)"), "kp": any_of(2.0)}),
        {"q1": any_of("-q1", "x"), rng.choice(["q2", "q3", 3, None]): "-q2"}, rng.choice(VALUES),
    ])  # fmt: skip
    loop: dict[str, Any] = {"sample": any_of(0.01), "delay": any_of(0.0),
            "saturation": any_of((-5, 5), {"q1": (-1, 2)}), "noise": any_of({"q1": 1e-3}),
            "resolution": any_of({"q2": 1e-3}),
            "actuators": any_of(["q1"], ["q1", "q2"])}  # fmt: skip
    kept = {key: x for key, x in loop.items() if key == "sample" or rng.random() < 0.3}
    asked = rng.choice([
        Call("simulate", asked={"duration": 0.03, "control": law, "sample": any_of(0.01)}),
        Call("simulate", asked={"duration": 0.03, "control": Call("control.Loop", law, kept)}),
        Call("robots.inverse", asked={"trajectory": path, "rate": any_of(100.0)}),
        Call("robots.shortest_time", Call("robots.inverse", asked={"trajectory": path}),
             {"motors": any_of({"q1": {"ratio": 20, "peak_torque": 3}}, {"x": {}})}),
        Call("robots.reduced", asked={"task": path, "tolerance": any_of(0.05)}),
        Call("robots.within_limits", path, {"speed": gain(), "acceleration": gain()}),
        Call("control.tracking", asked={"reference": reference, "duration": any_of(0.05),
                                        "error": any_of(0.1), "sample": any_of(0.01)}),
        Call("control.terms", asked={"reference": reference, "duration": any_of(0.1),
                                     "samples": any_of(5)}),
        Call("control.joint_gains", asked={"frequency": any_of(10.0), "damping": any_of(1.0)}),
        Call("robots.workspace", asked={"place": any_of("tip"), "steps": any_of(4),
                                        "ranges": any_of({"q1": (0, 1)}, {"q1": (1, 0)})}),
        Call("robots.line", asked={"frame": any_of("tool"), "target": any_of([0.5, 0.3, 0]),
                                   "duration": any_of(0.5)}),
        Call("Stepper", asked={"sample": any_of(0.01), "actuators": any_of(["q1"])}),
    ])  # fmt: skip
    return Input([], {"m.yaml": ARM.encode()}, call=asked)


def whole_control() -> list[Input]:
    """Laws in the loop and tracking that are answered."""
    law = ["--control", "q1=-40*q1 - 8*q1.", "--control", "q2=20*(0.5 - q2) - 3*q2."]
    loops = [[*RUNS, *law, "--sample", "1e-2", *more] for more in (
        [], ["--delay", "3e-3"], ["--json"], ["--method", "rk4", "--step", "1e-3"],
        ["-o", "r.nc"], ["--view", "p.html"],
        ["--plot", "p.svg", "--of", "q1,E.force,energy"])]  # fmt: skip
    tracked = ["tracking", "m.yaml", "--to", "q1=1", "--to", "q2=60 deg", "--duration", "0.1"]
    return [Input(x, {"m.yaml": ARM.encode()}) for x in (*loops, tracked)]


def whole_tasks() -> list[Input]:
    """Tables of motions and of motors that are answered."""
    contents = {"m.yaml": ARM.encode(), "t.csv": MOTION.encode(), "motors.yaml": MOTORS.encode()}
    base = ["inverse", "m.yaml", "--motion", "t.csv"]
    lines = [base, [*base, "--reactions"], [*base, "-o", "f.csv"], [*base, "--rate", "50"],
             ["excite", "m.yaml", "--searches", "1", "--harmonics", "2", "--period", "2"],
             ["identify", "m.yaml", "--json"]]  # fmt: skip
    return [Input(x, contents) for x in lines]


def whole_laws() -> list[Input]:
    """Ready controllers, paths and what tasks need, as they are meant."""
    reference = {"q1": "sin(t)", "q2": "t^2"}
    gains = {"reference": reference, "kp": 10.0, "kd": {"q1": 3.0, "q2": 4.0}}
    path = Call("robots.quintic", {"q1": [0, 1, 0.5], "q2": [0, 0.4, 0.2]},
                {"times": [0, 0.1, 0.2]})  # fmt: skip
    laws = [
        Call("control.pd", asked=gains),
        Call("control.pid", asked=gains | {"ki": 1.0}),
        Call("control.computed_torque", asked=gains),
        Call("control.operational_space", asked={"place": "tip",
             "reference": {"x": 0.5, "y": "0.1*t"}, "kp": 10.0, "kd": 3.0}),
    ]  # fmt: skip
    asked = [Call("simulate", asked={"duration": 0.03, "control": Call("control.Loop", law,
             {"sample": 0.01, "saturation": (-5, 5)})}) for law in laws]  # fmt: skip
    asked += [
        Call("robots.inverse", asked={"trajectory": path, "rate": 100.0}),
        Call("control.tracking", asked={"reference": reference, "duration": 0.05}),
        Call("control.terms", asked={"reference": reference, "duration": 0.1, "samples": 5}),
        Call("control.joint_gains", asked={"frequency": 10.0, "damping": 1.0}),
        Call("robots.workspace", asked={"place": "tip", "steps": 4}),
        Call("robots.line", asked={"frame": "tool", "target": [0.6, 0.4, 0], "duration": 0.5}),
        Call("Stepper", asked={"sample": 0.01, "actuators": ["q1"]}),
    ]
    return [Input([], {"m.yaml": ARM.encode()}, call=x) for x in asked]
