"""A result of every public function that gives one, by the name of the function."""

from functools import cache
from importlib.resources import files

import numpy as np

import torseur as ts

EXAMPLES = files("torseur.examples")


@cache
def mechanism(name):
    return ts.load(EXAMPLES / f"{name}.yaml")


@cache
def run(name="slider_crank", duration=0.05):
    return ts.simulate(mechanism(name), duration)


def free():
    return ts.simulate(mechanism("free_body"), 0.5)


def observed():
    return ts.observe.motion(run("double_pendulum"))


def signals():
    angle = np.linspace(0, 20, 400)
    wave = np.cos(angle)[:, None]
    return [ts.rotors.synchronous(angle, wave * z) for z in ([1, 2], [2, 2], [1, 4])]


def wheel():
    return ts.mass.from_shape({"cylinder": {"radius": 0.1, "length": 0.02}}, mass=2)


def logged(name="double_pendulum"):
    """A log of an example at random states."""
    f, rng = ts.compile(mechanism(name)), np.random.default_rng(0)
    q, v, a = rng.uniform(-1, 1, (3, 60, len(f.speeds)))
    Q = f.inverse_dynamics(q, v, a) + 1e-3 * rng.normal(size=v.shape)
    return ts.robots.Log(np.arange(60) * 0.01, q, Q, v, a)


def identified():
    return ts.robots.identify(mechanism("double_pendulum"), logged())


SHAFT = {
    "bodies": {"rotor": {"mass": 10, "centre": [0.001, -0.0008, 0.18], "inertia": [0.1, 0.1, 0.1]}},
    "joints": {"P1": {"type": "rotule", "bodies": ["ground", "rotor"]},
               "P2": {"type": "linéaire annulaire", "bodies": ["ground", "rotor"],
                      "point": [0, 0, 0.4], "axis": "z"}},
}  # fmt: skip
PENDULUM, CRANK = "simple_pendulum", "slider_crank"
REACH = {f"q{k}": f"{k}*t^2" for k in range(1, 7)}

RESULTS = {
    "load": lambda: mechanism(CRANK),
    "Builder": lambda: ts.Builder("arm"),
    "check": lambda: ts.check(mechanism(CRANK)),
    "derive": lambda: ts.derive(mechanism(CRANK)),
    "tell": lambda: ts.tell(mechanism(PENDULUM)),
    "check_answer": lambda: ts.check_answer(mechanism(PENDULUM), "phi.. = 0"),
    "compile": lambda: ts.compile(mechanism(CRANK)).with_parameters(l1=0.2),
    "assemble": lambda: ts.assemble(mechanism(CRANK)),
    "simulate": run,
    "Stepper": lambda: ts.Stepper(mechanism(PENDULUM)).step(),
    "sensitivity": lambda: ts.sensitivity(mechanism(PENDULUM), 0.05, ["phi"]),
    "mobility": lambda: ts.mobility(mechanism(CRANK)),
    "equilibria": lambda: ts.equilibria(mechanism(PENDULUM)),
    "linearise": lambda: ts.linearise(mechanism(PENDULUM)),
    "first_integrals": lambda: ts.first_integrals(mechanism(PENDULUM)),
    "Torseur": lambda: ts.Torseur([0, 0, 1], [0, 0, 0], [0, 0, 0]),
    "formalisms.compare": lambda: ts.formalisms.compare(mechanism(PENDULUM)),
    "formalisms.isolations": lambda: ts.formalisms.isolations(mechanism(PENDULUM)),
    "formalisms.isolate": lambda: ts.formalisms.isolate(mechanism(PENDULUM)),
    "formalisms.virtual_power": lambda: ts.formalisms.virtual_power(
        mechanism(PENDULUM), {"phi": 1}
    ),
    "formalisms.lagrangian": lambda: ts.formalisms.lagrangian(mechanism(PENDULUM)),
    "formalisms.integrate": lambda: ts.formalisms.integrate(
        ts.formalisms.lagrangian(mechanism(PENDULUM)), 0.05
    ),
    "formalisms.christoffel": lambda: ts.formalisms.christoffel(mechanism("double_pendulum")),
    "formalisms.homogeneous": lambda: ts.formalisms.homogeneous(mechanism("double_pendulum")),
    "formalisms.taylor": lambda: ts.formalisms.taylor("sin(x)", {"x": 0}, 3),
    "control.pd": lambda: ts.control.pd(mechanism(PENDULUM), {"phi": 0.1}, 2, 1),
    "control.pid": lambda: ts.control.pid(mechanism(PENDULUM), {"phi": "t"}, 2, 1, 1, limits=3),
    "control.adaptive": lambda: ts.control.adaptive(mechanism(PENDULUM), {"phi": 0.1}, 2, 1, 1),
    "control.reaching": lambda: ts.control.reaching({"phi": 0.0}, {"phi": 1.0}, 1.0),
    "control.lqr": lambda: ts.control.lqr(
        ts.linearise(mechanism("cart_pole"), {"x": 0, "theta": 0}), 1.0, 1.0
    ),
    "control.terms": lambda: ts.control.terms(mechanism(PENDULUM), {"phi": "sin(t)"}, 1.0),
    "control.tracking": lambda: ts.control.tracking(mechanism("robot_1980"), REACH, 0.02),
    "linkages.balance": lambda: ts.linkages.balance(mechanism(CRANK)),
    "linkages.holonomy": lambda: ts.linkages.holonomy(mechanism("rolling_disc")),
    "linkages.singularities": lambda: ts.linkages.singularities(mechanism(CRANK)),
    "linkages.dead_points": lambda: ts.linkages.dead_points(mechanism(CRANK), "alpha", of="x"),
    "linkages.equivalent_joint": lambda: ts.linkages.equivalent_joint(
        mechanism(CRANK), "ground", "rod"
    ),
    "robots.workspace": lambda: ts.robots.workspace(mechanism("five_bar"), "pen", steps=4),
    "robots.singular_places": lambda: ts.robots.singular_places(
        ts.robots.workspace(mechanism("five_bar"), "pen", steps=4)
    ),
    "stability.steady_motions": lambda: ts.stability.steady_motions(
        mechanism("heavy_top"), {"theta": 0.5, "psi.": 300}
    ),
    "stability.holding_forces": lambda: ts.stability.holding_forces(
        mechanism(PENDULUM), {"phi": 0.5}
    ),
    "stability.root_locus": lambda: ts.stability.root_locus(
        mechanism("cart_pendulum"), "b", [0.0, 1.0]
    ),
    "stability.bifurcations": lambda: ts.stability.bifurcations(
        mechanism("buckling_two_bars"), "F", (20, 22), at={"theta": 0, "bend": 0}
    ),
    "stability.phase_portrait": lambda: ts.stability.phase_portrait(mechanism(PENDULUM)),
    "chaos.trust": lambda: ts.chaos.trust(mechanism(PENDULUM), 0.1),
    "chaos.sensitivity_to_start": lambda: ts.chaos.sensitivity_to_start(
        mechanism(PENDULUM), "phi", 0.01, 0.1
    ),
    "chaos.lyapunov": lambda: ts.chaos.lyapunov(mechanism(PENDULUM), 1.0),
    "chaos.poincare": lambda: ts.chaos.poincare(mechanism("double_pendulum"), "theta1", 2.0),
    "chaos.spectrum": lambda: ts.chaos.spectrum(
        np.linspace(0, 1, 64), np.cos(np.linspace(0, 60, 64))
    ),
    "observe.motion": observed,
    "observe.monitor": lambda: ts.observe.monitor(run(PENDULUM)),
    "torseurs.body_torseurs": lambda: ts.torseurs.body_torseurs(mechanism(CRANK), "rod"),
    "torseurs.rigidity": lambda: ts.torseurs.rigidity(["-x2", "x1", "0"]),
    "torseurs.rigid_fit": lambda: ts.torseurs.rigid_fit(np.eye(3), np.eye(3)),
    "rotation.free_rotation": lambda: ts.rotation.free_rotation([1, 2, 3], [1, 2, 3]),
    "rotation.polhodes": lambda: ts.rotation.polhodes([1, 2, 3]),
    "rotation.tumbling": lambda: ts.rotation.tumbling(free()),
    "robots.Log": logged,
    "robots.base_parameters": lambda: ts.robots.base_parameters(mechanism("double_pendulum")),
    "robots.identify": identified,
    "robots.validate": lambda: ts.robots.validate(identified(), logged()),
    "robots.consistent_estimate": lambda: ts.robots.consistent_estimate(identified()),
    "robots.identify_payload": lambda: ts.robots.identify_payload(
        mechanism("double_pendulum"), logged(), logged(), "lower"
    ),
    "robots.excite": lambda: ts.robots.excite(
        mechanism("double_pendulum"), searches=1, harmonics=2
    ),
    "study": lambda: ts.study(
        {"model": EXAMPLES / "simple_pendulum.yaml", "vary": {"a": [1, 2]}, "outputs": {"y": "2*a"}}
    ),
    "rotors.rotor": lambda: ts.rotors.rotor(SHAFT, "rotor", "P1", "P2"),
    "rotors.BalanceMass": lambda: ts.rotors.BalanceMass(0.1, 0.1, 0.0, z=0.1),
    "rotors.synchronous": lambda: signals()[0],
    "rotors.balance_rotor": lambda: ts.rotors.balance_rotor(
        signals()[0], signals()[1:], [0.01, 0.01]
    ),
    "mass.from_shape": wheel,
    "mass.principal_inertia": lambda: ts.mass.principal_inertia(wheel()),
    "mass.inertia_ellipsoid": lambda: ts.mass.inertia_ellipsoid(wheel()),
    "mass.deduce": lambda: ts.mass.deduce([ts.mass.Plane("z")]),
}
