"""Mechanisms that touch, stop and rub, one of every kind, to be spoilt."""

import random
import re
from importlib.util import find_spec
from typing import Any

from fuzz_inputs import VALUES, Call, Input, mostly_spoilt

PLANE = "joints: {A: {type: planar, bodies: [ground, a], normal: z}}\n"
FREE = "joints: {A: {type: free, bodies: [ground, a]}}\n"
BLOCK = "gravity: [0, -9.81, 0]\nbodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.2]}}\n"
RAIL = "joints: {A: {type: prismatic, bodies: [ground, a], axis: x, coordinate: x}}\n"
SLOPE = "gravity: [3, -9.81, 0]\nbodies: {a: {mass: 2, inertia: [0.1, 0.1, 0.2]}}\n"
PIVOT = """gravity: [0, -9.81, 0]
bodies: {a: {mass: 2, centre: [0.5, 0, 0], inertia: [0.1, 0.1, 0.2]}}
"""

MODELS = {
    "block": BLOCK + PLANE + """parameters: {h: 0.1, mu: 0.4}
contacts:
  left: {bodies: [ground, a], point: [-0.2, -h, 0], normal: y, friction: mu, restitution: 0.3}
  right: {bodies: [ground, a], point: [0.2, -h, 0], normal: y, friction: {static: 0.5, kinetic: mu}}
initial: {A_y: 0.1, A_x.: 0.3}
""",
    "box": BLOCK + FREE + """contacts:
  floor: {bodies: [ground, a], shape: box, size: [0.2, 0.2, 0.3], normal: y, friction: 0.4,
          restitution: 0.2}
initial: {A_y: 0.105, A_wx: 2, A_x.: 1}
""",
    "wheel": BLOCK + FREE + """contacts:
  road: {bodies: [ground, a], shape: disc, radius: 0.3, axis: z, normal: y, rolling: 1 mm,
         pivoting: 2 mm, friction: {coefficient: 0.5, stribeck: 0.1, viscous: 0.2}}
initial: {A_y: 0.3, A_x.: 1, A_wz: -4}
""",
    "shapes": BLOCK + FREE + """contacts:
  bowl: {bodies: [ground, a], radius: 0.1, on: bowl, surface_radius: 1, normal: y, friction: 0.1}
  hole: {bodies: [ground, a], shape: capsule, radius: 0.1, length: 0.2, axis: z, on: hole,
         surface_radius: 0.4, surface_axis: z, restitution: 1}
  slot: {bodies: [ground, a], shape: ellipsoid, radii: [0.1, 0.2, 0.3], normal: z, on: slot,
         width: 1.2}
  hill: {bodies: [ground, a], on: profile, height: "0.1*x^2 - 1", normal: y, along: x}
initial: {A_x: 0.01, A_y: 0.1, A_x.: 0.5}
""",
    "surfaces": BLOCK + FREE + """contacts:
  ball: {bodies: [ground, a], point: [0, 0, 0], on: sphere, surface_radius: 0.5, normal: y,
         through: [0, -0.5, 0], friction: 0.2}
  shaft: {bodies: [ground, a], radius: 0.1, on: shaft, surface_radius: 0.2, surface_axis: x,
          through: [0, -0.4, 0]}
  feet: {bodies: [ground, a], shape: points, points: [[1, -1, 0], [-1, -1, 0], [0, -1, 1]],
         normal: y, through: [0, -1.1, 0]}
initial: {A_z.: 0.5}
""",
    "rail": SLOPE + RAIL + """contacts: {wall: {gap: 0.5 - x, restitution: 0.5}}
forces: {k: {type: law, joint: A, value: -40*distance}}
initial: {x: 0.1, x.: 2}
""",
    "cam": SLOPE + RAIL.replace(": x}", ": x, friction: {static: 0.3, kinetic: 0.1}}") + """\
contacts: {cam: {gap: 0.2 - x^2, slip: x., friction: {static: 0.2, kinetic: 0.1}}}
initial: {x.: 2}
""",
    "stops": PIVOT + """joints:
  O: {type: pivot, bodies: [ground, a], axis: z, coordinate: q, limits: [-60 deg, 0.3],
      stop: {restitution: 0.4}, friction: {static: 0.2, kinetic: 0.1, radius: 10 mm}}
initial: {q.: 3}
""",
    "buffer": SLOPE + RAIL.replace(": x}", ": x, limits: [0, 0.2], "
    "stop: {stiffness: 8 kN/m, dissipation: 0.5}, friction: {constant: 3 N, viscous: 2}}"),
    "thread": """gravity: [0, 0, -9.81]
bodies:
  a: {mass: 2, inertia: [0.1, 0.1, 0.2]}
  b: {mass: 1, centre: [0, 0, 0.1], inertia: [0.1, 0.1, 0.1]}
joints:
  S: {type: screw, bodies: [ground, a], axis: z, pitch: 6 mm, coordinate: s,
      friction: {coefficient: 0.12, radius: 15 mm, half_angle: 15 deg}}
  R: {type: spherical, bodies: [a, b], friction: {coefficient: 0.1, radius: 5 mm}}
initial: {s.: 1, R_wx: 2}
""",
    "brake": PIVOT + """joints: {O: {type: pivot, bodies: [ground, a], axis: z, coordinate: q}}
forces:
  shoe: {type: brake, joint: O, friction: {static: 0.4, kinetic: 0.35}, load: 80 N + 0.1*Y_O,
         radius: 150 mm}
  drag: {type: joint, joint: O, value: -0.01*X_O*q.}
motors:
  M: {joint: O, ratio: 20, rotor_inertia: 1e-4, dry: {motor: [0.01, 0.02]}, torque: 0.1*sin(t)}
initial: {q.: 3}
""",
    "rope": """gravity: [0, -9.81, 0]
parameters: {m: 1, mu: 0.3}
bodies: {a: {mass: m}, b: {mass: 3 kg}}
joints:
  A: {type: prismatic, bodies: [ground, a], axis: y, coordinate: x1}
  B: {type: prismatic, bodies: [ground, b], axis: y, coordinate: x2}
contacts:
  rope: {strand: -x1, other: -x2, length: 2 m, angle: 180 deg, friction: mu}
  leash: {rope: [[ground, [0, 0, 0]], [a, [0, 0, 0]]], length: 2}
  strut: {strut: [[ground, [0, 3, 0]], [b, [0, 0, 0]]], length: 1}
initial: {x1: -1, x2: -1}
""",
    "teeth": PIVOT.replace("}}", "}, b: {mass: 1, inertia: [0.1, 0.1, 0.1]}}") + """joints:
  P: {type: pivot, bodies: [ground, a], axis: z, coordinate: p}
  Q: {type: pivot, bodies: [ground, b], axis: z, coordinate: q}
contacts: {teeth: {coefficients: {p: 2, q: -1}, play: 0.01, restitution: 0.2}}
impacts: sequential
initial: {p.: 1}
""",
    "gear": PIVOT.replace("}}", "}, b: {mass: 1, inertia: [0.1, 0.1, 0.1]}}") + """joints:
  P: {type: pivot, bodies: [ground, a], axis: z, coordinate: p}
  Q: {type: pivot, bodies: [ground, b], axis: z, coordinate: q, point: [[0.3, 0, 0], [0, 0, 0]]}
constraints: {mesh: {type: gear, joints: [P, Q], radii: [0.1, 0.2], friction: 0.02}}
forces: {push: {type: joint, joint: P, value: 1 - 0.1*F_mesh}}
""",
    "pile": """gravity: [0, 0, -9.81]
bodies:
  a: {shape: {sphere: {radius: 0.1}}, mass: 1}
  b: {shape: {box: {size: [0.2, 0.3, 0.2]}}, mass: 2}
  c: {shape: {capsule: {radius: 0.05, length: 0.2, axis: x}}, density: 800}
joints:
  A: {type: free, bodies: [ground, a]}
  B: {type: free, bodies: [ground, b]}
  C: {type: free, bodies: [ground, c]}
contacts:
  pile: {among: all, friction: 0.3, restitution: 0.2}
  floor: {among: [a, b, c], normal: z, through: [0, 0, -0.1], friction: 0.4}
initial: {A_z: 0.1, B_z: 0.4, C_z: 0.8}
""",
    "patch": BLOCK.replace("-9.81, 0", "0, -9.81") + PLANE.replace("planar", "free").replace(
        ", normal: z", "") + """parameters: {R: 0.14 m, mu: 0.02}
contacts:
  ice: {bodies: [ground, a], normal: z, friction: mu, patch: {radius: R, pressure: uniform},
        rolling: R}
  tip: {bodies: [ground, a], point: [0, 0, 0.5], normal: z, friction: {static: 0.3, kinetic: 0.2},
        patch: {radius: 1 mm, pressure: hertz}, pivoting: {length: 1 mm, viscous: 0.1}}
  ball: {bodies: [ground, a], radius: 0.2, point: [1, 0, 0.2], friction: 0.1, patch: 2 mm}
initial: {A_x.: 1.2, A_wz: 1.5}
""",
    "poisson": BLOCK + PLANE + """parameters: {e: 0.5}
contacts:
  left: {bodies: [ground, a], point: [-0.2, -0.1, 0], normal: y, friction: 0.4,
         restitution: {poisson: e}}
  right: {bodies: [ground, a], point: [0.2, -0.1, 0], normal: y, restitution: {poisson: 0.2},
          friction: {static: 0.5, kinetic: 0.3}}
initial: {A_y: 0.1, A_y.: -1, A_x.: 0.3}
""",
    "springs": BLOCK + PLANE + """parameters: {k: 20 kN/m, d: 0.3 s/m}
contacts:
  left: {bodies: [ground, a], point: [-0.2, -0.1, 0], normal: y, friction: 0.4, stiffness: k,
         dissipation: d}
  right: {bodies: [ground, a], radius: 0.1, point: [0.2, 0, 0], normal: y, stiffness: 3e7,
          exponent: 1.5, friction: {static: 0.5, kinetic: 0.3}}
  wall: {gap: 0.5 - A_x, stiffness: k, dissipation: 1}
initial: {A_y: 0.1, A_x.: 0.3}
""",
    "outline": BLOCK + PLANE + """parameters: {r: 0.2 m, e: 0.1}
tables: {round: {x: [0, 90 deg, 180 deg, 270 deg, 360 deg], value: [0.2, 0.21, 0.2, 0.21, 0.2],
                 ends: periodic}}
contacts:
  egg: {bodies: [ground, a], shape: outline, outline: r*(1 + e*cos(2*theta)), axis: z, normal: y,
        through: [0, -0.3, 0], friction: 0.3}
  lobe: {bodies: [ground, a], shape: outline, outline: round(theta), axis: z, on: ring,
         surface_outline: 5*r*(1 + e*cos(theta)), surface_axis: z, restitution: 0.4}
  nose: {bodies: [ground, a], radius: 0.1, on: cam, surface_outline: round(theta), surface_axis: z,
         through: [0.5, 0, 0]}
initial: {A_x.: 0.5}
""",
    "egg": BLOCK.replace("-9.81, 0", "0, -9.81") + """parameters: {r: 0.2 m, e: 0.1}
joints: {A: {type: planar, bodies: [ground, a], normal: y}}
constraints:
  egg: {type: rolling, bodies: [ground, a], shape: outline, outline: r*(1 + e*cos(2*theta)),
        axis: y}
initial: {A_angle.: 1}
""",
    "hulls": BLOCK + FREE + """contacts:
  part: {bodies: [ground, a], shape: mesh, normal: y, friction: 0.3,
         points: [[0.1, -0.1, 0], [-0.1, -0.1, 0], [0, -0.1, 0.2], [0, 0.2, 0]]}
  grip: {bodies: [ground, a], shape: mesh, on: mesh, friction: 0.6, through: [0, -1, 0],
         points: [[0.1, -0.1, 0], [-0.1, -0.1, 0], [0, -0.1, 0.2], [0, 0.2, 0]],
         surface_points: [[1, 0, 0], [-1, 0, 1], [-1, 0, -1], [0, -0.5, 0]]}
  solid: {bodies: [ground, a], shape: mesh, file: part.obj, scale: 0.1, normal: y}
initial: {A_y: 0.3}
""",
    "edges": BLOCK + FREE + """contacts:
  post: {bodies: [ground, a], shape: capsule, radius: 0.1, length: 0.3, axis: x, on: capsule,
         surface_radius: 0.1, surface_length: 1, surface_axis: z, through: [0, -0.5, 0]}
  crate: {bodies: [ground, a], radius: 0.1, point: [0.3, 0, 0], on: box, surface_size: [1, 1, 1],
          through: [0, -0.8, 0], friction: 0.2}
initial: {A_y.: -1, A_wz: 2}
""",
    "worm": PIVOT.replace("}}", "}, b: {mass: 1, inertia: [0.1, 0.1, 0.1]}}") + """joints:
  P: {type: pivot, bodies: [ground, a], axis: x, coordinate: p}
  Q: {type: pivot, bodies: [ground, b], axis: z, coordinate: q, point: [[0, 0.3, 0], [0, 0, 0]]}
constraints: {mesh: {type: gear, kind: worm, joints: [P, Q], radii: [0.1, 0.2], lead: 10 mm,
                     friction: 0.1}}
forces: {push: {type: joint, joint: P, value: 1}}
""",
}  # fmt: skip

CORNERS = """v 0 0 0
v 1 0 0
v 0 1 0
v 0 0 1
f 1 3 2
f 1 2 4
f 2 3 4
f 3 1 4
"""
RUNS = "simulate|--duration|0.05"
COMMANDS = [RUNS, RUNS, RUNS, f"{RUNS}|--method|moreau", f"{RUNS}|--method|radau|--json",
            f"{RUNS}|--method|moreau|--step|1e-3|--json", f"{RUNS}|--coordinates|absolute",
            f"{RUNS}|--plot|p.svg|--of|NAME.normal,NAME.adherence,NAME.gap", f"{RUNS}|-o|r.nc",
            f"{RUNS}|-o|r.csv|--of|NAME.slip,NAME.force", f"{RUNS}|--view|p.html", "check",
            "derive", "derive|--json", "tell", "mobility", "graph", "view|-o|p.html", "equilibria",
            "linearise", "linearise|--json", "linearise|--mode|NAME=slip", "first-integrals",
            "linearise|--mode|NAME=stick", "linearise|--mode|NAME=open", "export|--to|c",
            "linearise|--at|q=0.1|--mode|NAME=slip", "sensitivity|--duration|0.02|--by|mu",
            "chaos|--duration|0.02", "steady-motions", "holding-forces|--at|x=0.1",
            "phase-portrait", "bifurcations|--parameter|mu|--from|0|--to|1"]  # fmt: skip
BY_STEPS, STEPPED = ["--method", "moreau"], ("pile", "hulls")  # what only steps can move
ANSWERED = """
block simulate --duration 0.05 --method moreau --step 1e-3 --json
block simulate --duration 0.05 --coordinates absolute
block simulate --duration 0.05 --plot p.svg --of left.normal,left.adherence,left.gap
block simulate --duration 0.05 -o r.nc
stops simulate --duration 0.05 -o r.csv --of q
rail simulate --duration 0.05 --view p.html
block check
block derive
cam derive --json
block tell
box mobility
box graph
wheel view -o p.html
stops export --to c
"""
MODES = ["stick", "slip", "open", "", "glisse", 1, None, float("nan")]


def contacts(rng: random.Random) -> Input:
    """A changed file of what touches, stops or rubs."""
    name, contents = _touching(rng)
    command, *options = rng.choice(COMMANDS).replace("NAME", name).split("|")
    return Input([command, "m.yaml", *options], contents)


def _touching(rng: random.Random) -> tuple[str, dict[str, bytes]]:
    """The name of something in a file of contacts, and the file with its mesh, changed or not."""
    text = rng.choice(list(MODELS.values()))
    name = rng.choice([*re.findall(r"^  (\w+): ", text, re.MULTILINE), "A: friction", "x"])
    contents = {"m.yaml": mostly_spoilt(text, rng)}
    if "part.obj" in text:
        contents["part.obj"] = mostly_spoilt(CORNERS, rng)
    return name, contents


def functions(rng: random.Random) -> Input:
    """Functions on what touches that have no command."""
    name, contents = _touching(rng)
    function = rng.choice(["in_mode", "stability.grip", "stability.sticking_band", "simulate"])
    given = {rng.choice(["x", "q", "A_y", "mu", "h", "m", "x1.", name]): rng.choice(VALUES)}
    asked: dict[str, Any] = {"initial": given} if rng.random() < 0.3 else {}
    if function == "in_mode":
        asked = {"modes": {name: rng.choice(MODES)}}
    elif function == "stability.sticking_band":
        asked |= {"parameter": rng.choice(["mu", "m", "h", name, 3])}
    elif function == "simulate":
        asked |= {"duration": rng.choice([0.02, 1e-308, 0.0, *VALUES]), "method": "moreau"}
        asked |= {"step": rng.choice([1e-3, 1e-308, *VALUES])} if rng.random() < 0.5 else {}
    return Input([], contents, call=Call(function, asked=asked))


def _whole(name: str) -> dict[str, bytes]:
    """The files of a model."""
    files = {"m.yaml": MODELS[name].encode()}
    return files | ({"part.obj": CORNERS.encode()} if "part.obj" in MODELS[name] else {})


def touching() -> list[Input]:
    """Every model in motion, and every command on one that it answers."""
    named = ["simulate", "m.yaml", "--duration", "0.05"]
    runs = [Input([*named, *BY_STEPS * (name in STEPPED)], _whole(name)) for name in MODELS
            if name != "hulls" or find_spec("coal")]  # fmt: skip
    lines = [x.split() for x in ANSWERED.strip().splitlines()]
    return [*runs, *(Input([word, "m.yaml", *more], _whole(name)) for name, word, *more in lines)]


def touching_functions() -> list[Input]:
    """Functions on what touches, as they are meant."""
    asked = [
        ("block", Call("in_mode", asked={"modes": {"left": "stick", "right": "open"}})),
        ("springs", Call("simulate", asked={"duration": 0.01})),
        ("stops", Call("simulate", asked={"duration": 0.02, "method": "moreau", "step": 1e-3})),
        ("rope", Call("simulate", asked={"duration": 0.02, "initial": {"x1": -1.0}})),
    ]
    return [Input([], _whole(name), call=call) for name, call in asked]
