"""Mechanisms that touch, stop and rub, one of every kind, to be spoilt."""

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
initial: {A_y: 0.1, A_x.: 0.5}
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
}  # fmt: skip

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
MODES = ["stick", "slip", "open", "", "glisse", 1, None, float("nan")]
