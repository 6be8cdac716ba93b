"""Public names of Torseur: the module in which each is defined, by namespace.

This is the only list. `torseur` and its namespaces (`ts.chaos`, …) import each name from here when
it is first used; the stubs (`*.pyi`), which editors and type checkers read, are written from it by
`make format`. A public name that differs from the one in its module stands after "as".
"""

from collections.abc import Mapping

NAMESPACES = {
    "attitude": "Attitudes: rotation matrices, Euler angles, quaternions, steps, local bases.",
    "chaos": "Chaos: trust in a run, sensitivity to the start, exponents, sections, spectra.",
    "control": "Control: sampled laws with delays, limits and noise, and ready controllers.",
    "exercises": "Exercises: the problems of the bank, their answers, hints and marks.",
    "forces": "Forces in Python.",
    "formalisms": "Formalisms beside `derive`: comparison, isolated bodies, Lagrangians, action.",
    "linkages": "Linkages beside `mobility`: balance, constraints, dead points, laws of loops.",
    "mass": "Mass geometry: mass, centre and inertia of bodies, solids and domains.",
    "methods": "Methods: integrators of `simulate` with their settings, and the sampling of runs.",
    "observe": "Observed motion: points, frames, composition, contact points, moments, integrals.",
    "pictures": "Pictures beside `drawing`, `plot` and `view`: films, modes, graphs, widgets.",
    "robots": "Robots: files, joint tables, workspaces, tasks, motors, identification.",
    "rotation": "Rotating bodies: free rotation, flips, polhodes, gyroscopic couples.",
    "rotors": "Rotors: unbalance, bearings, balancing from measured signals.",
    "sizing": "Sizing of machine parts: flywheels, bearings, gearboxes, isolation.",
    "stability": "Rest and steady motion beside `equilibria` and `linearise`, and how they change.",
    "synthesis": "Dimensional synthesis: dimensions, masses and ratios for a wanted behaviour.",
    "torseurs": "Torseurs: twists, wrenches, kinetic and dynamic torseurs, rigid velocity fields.",
}

NAMESPACES_CALLED = {"observe": "motion"}  # functions of 0.1.0 that are namespaces now

MOVED = {  # names of `torseur` 0.1.0, by their namespace now: they work for one version
    "": "check as diagnose",
    "chaos": "lyapunov, poincare, sensitivity_to_start, spectrum, trust",
    "formalisms": "christoffel, compare, integrate, isolate, lagrangian, taylor, virtual_power",
    "linkages": (
        "balance, dead_points, equivalent_joint, holonomy, redundant_reactions, singularities"
    ),
    "observe": (
        "composition, drive_power, given_motion, moment_at_body_point, moment_theorem, monitor, "
        "wheel_contact"
    ),
    "pictures": "film, mode_film, picture",
    "rotation": "euler_equations, flips, free_rotation, gyroscopic_couple, polhodes, tumbling",
    "rotors": "BalanceMass, balance_rotor, rotation_speed, rotor, synchronous",
    "stability": "bifurcations, holding_forces, phase_portrait, root_locus, steady_motions",
    "torseurs": "body_torseurs, rigid_fit, rigidity",
}

PUBLIC = {  # "" is `torseur` itself
    "": {
        "analyse.equilibria.equilibria": "equilibria",
        "analyse.integrals.integrals": "first_integrals",
        "analyse.mobility.diagnose": "diagnose as check",
        "analyse.mobility.mobility": "mobility",
        "analyse.sensitivity.batched": "sensitivity",
        "analyse.vibrations.linearise": "linearise",
        "equations.formalisms.derive": "derive",
        "equations.motion.equations": "Equations",
        "equations.motion.equations_reader": "load_equations",
        "errors": "ModelError, SolveError",
        "language.builder": "Builder",
        "language.load": "load",
        "machine.compiled": "CompiledModel, compile",
        "model.contact.smooth": "in_mode",
        "model.description": "Mechanism",
        "named_words": "speaking",
        "report.dossier.report": "report",
        "report.drawing.drawing": "drawing",
        "report.pages.page": "page",
        "report.viewer.run_plot": "plot",
        "report.viewer.view": "view",
        "simulation.batch.loading": "load_run, load_runs",
        "simulation.batch.runs": "Runs",
        "simulation.rollout": "rollout",
        "simulation.run.run": "Run",
        "simulation.simulate": "simulate",
        "simulation.start.assemble": "assemble",
        "simulation.stepper": "Stepper",
        "spatial.torseur": "Torseur",
        "study.study": "study",
        "study.study_result": "StudyResult, load_study",
        "teach.answers.answer": "check_answer",
        "teach.tell": "tell",
        "tools.exporting": "export",
    },
    "attitude": {
        "spatial": "attitude_quaternions as quaternion, attitude_steps, euler",
        "spatial.given_attitudes": "axial_vector, elementary, rodrigues, skew",
        "spatial.local_bases": "LocalMotion, cylindrical, polar, spherical",
    },
    "chaos": {
        "analyse.chaos.lyapunov": "lyapunov",
        "analyse.chaos.poincare": "poincare",
        "analyse.chaos.spectrum": "spectrum",
        "analyse.chaos.trust": "sensitivity_to_start, trust",
    },
    "control": {
        "controllers.adaptive": "adaptive",
        "controllers.controller": "Controller",
        "controllers.joint_laws": (
            "computed_torque, feed_forward, gravity_compensation, joint_gains, pd, pid, regulator"
        ),
        "controllers.lqr": "LinearRegulator, lqr",
        "controllers.operational_space": "operational_space",
        "controllers.reference": "Reference, reaching",
        "controllers.tracking": "Terms, Tracking, terms, tracking",
        "robotics.environment": "environment",
        "robotics.vector_environment": "environments",
        "simulation.control.loop": "Loop, SymbolicLaw, TextLaw",
    },
    "exercises": {
        "teach.exercises.answer_checking": "Reply, check, solution",
        "teach.exercises.cases": "data, hints",
        "report.dossier.exercise_sheet": "handout",
        "teach.exercises.class_grades": "ClassGrades, grade",
        "teach.exercises.exercise_entries": "Exercise",
        "teach.exercises.exercise_reading": "folder, load, names",
        "teach.exercises.marks": "MarkSheet, goals, marks",
        "teach.exercises.what_if": "WhatIf, what_if",
    },
    "forces": {
        "model.custom_force": "custom",
        "model.forces.custom": "BodyState, ForceState",
    },
    "formalisms": {
        "analyse.integrals.action": "action",
        "equations.analytical.sources": "lagrangian",
        "equations.formalisms.compare": "compare",
        "equations.formalisms.derive": "formulas",
        "equations.formalisms.isolated": "isolate",
        "equations.formalisms.isolations": "isolations",
        "equations.formalisms.mass_matrix": "christoffel, mampey",
        "equations.formalisms.uicker": "homogeneous",
        "equations.formalisms.virtual_motion": "virtual_power",
        "equations.symbols.texts": "taylor",
        "simulation.formulations.flow": "integrate",
    },
    "linkages": {
        "analyse.mobility.balance": "balance, redundant_reactions",
        "analyse.mobility.dead_points": "dead_points",
        "analyse.mobility.diagnose": "singularities",
        "analyse.mobility.input_output": "input_output",
        "analyse.mobility.kinds": "constraint_kinds, holonomy",
        "analyse.mobility.twists": "equivalent_joint",
    },
    "mass": {
        "analyse.efforts.body_sheet": "body_sheet",
        "language.shapes": "from_file, from_shapes",
        "model.mass.domain": "Domain, Integral, cartesian, integrate",
        "model.mass.principal": (
            "Ellipsoid, PrincipalInertia, central_frame, draw_ellipsoid, inertia_ellipsoid, "
            "principal_inertia"
        ),
        "model.mass.properties": (
            "FrenchForm, MassProperties, composed, from_pseudo_inertia, huygens, "
            "inertia_tensor, particles"
        ),
        "model.mass.sheet": "MassSheet, sheet",
        "model.mass.solids": "SOLIDS, Geometry, Solid, from_shape",
        "model.mass.symmetry": (
            "CentralPoint, Consequences, FoldAxis, Plane, Revolution, Symmetry, applied, "
            "deduce, violations"
        ),
        "model.mass.validity": "MassFault, check, diagnose, faults, remarks",
    },
    "methods": {
        "machine.integrators.methods": "Dop853, Euler, Moreau, RK4, Radau, Symplectic",
        "simulation.formulations.sampling": "Sampling",
    },
    "observe": {
        "analyse.integrals.drift": "monitor",
        "analyse.integrals.integrals": "drive_power",
        "analyse.letters.transformation": "transformation",
        "analyse.sizing.summary": "summary",
        "simulation.observe.composition": "composition",
        "simulation.observe.contact": "wheel_contact",
        "simulation.observe.moments": "moment_at_body_point, moment_theorem",
        "simulation.observe.observer": "given_motion, observe as motion",
    },
    "pictures": {
        "report.drawing.block_diagram": "blocks",
        "report.drawing.graph_drawing": "graph",
        "report.drawing.picture": "picture",
        "report.drawing.rotations": "rotations",
        "report.schemes.scheme": "scheme",
        "report.viewer.mode_film": "mode_film",
        "report.viewer.stage": "film",
        "report.viewer.widget": "widget",
    },
    "robots": {
        "language.dh": "from_dh",
        "language.attaching": "attach",
        "language.load": "load_robot as load",
        "robotics.clear_path": "ClearPath, clear_path",
        "robotics.clearance": "PathClearance, path_clearance",
        "robotics.collisions": "Collision, collisions, distance",
        "robotics.standing": "on_the_ground",
        "robotics.identification.base_parameters": "BaseParameters, base_parameters",
        "robotics.identification.consistency": "ConsistentEstimate, consistent_estimate",
        "robotics.identification.excitation": "Excitation, excite",
        "robotics.identification.filtering": "Filtering",
        "robotics.identification.identification": "Identification",
        "robotics.identification.identify": "identify, validate",
        "robotics.identification.logs": "Log, read_log",
        "robotics.identification.payload": "Payload, identify_payload",
        "robotics.inverse": "TaskEfforts, inverse",
        "robotics.inverse_kinematics": "inverse_kinematics",
        "robotics.joint_paths": "quintic, spline, trapezoidal",
        "robotics.motor_coordinates": "motor_equations",
        "robotics.motor_sheet": "MotorSheet, motor_sheet, shortest_time",
        "robotics.rays": "Rays, ray",
        "robotics.reduced_model": "ReducedModel, reduced",
        "robotics.servo_poses": "servo_commands",
        "robotics.singular_places": "singular_places",
        "robotics.states": "anywhere",
        "robotics.task_paths": "circle, line",
        "robotics.term_sizes": "term_sizes",
        "robotics.timing.blends": "blended",
        "robotics.timing.scaled_time": "within_limits",
        "robotics.timing.time_optimal": "TimeOptimal, time_optimal",
        "robotics.trajectory": "Trajectory, read_trajectory",
        "robotics.workspace": "workspace",
    },
    "rotation": {
        "analyse.rotation.free_rotation": (
            "euler_equations, flips, free_rotation, gyroscopic_couple"
        ),
        "analyse.rotation.tumbling": "polhodes, tumbling",
    },
    "rotors": {
        "analyse.rotation.balancing": "balance_rotor, read_signals, rotation_speed, synchronous",
        "analyse.rotation.rotors": "BalanceMass, rotor",
    },
    "sizing": {
        "analyse.sizing.bearing_life": "bearing_life",
        "analyse.sizing.bearing_types": "Bearing",
        "analyse.sizing.efficiency": "efficiency",
        "analyse.sizing.flywheel": "flywheel, fluctuation",
        "analyse.sizing.isolation": "isolation",
    },
    "stability": {
        "analyse.bifurcations.bifurcations": "bifurcations",
        "analyse.chaos.phase": "phase_portrait",
        "analyse.equilibria.holding": "holding_forces",
        "analyse.equilibria.steady_motions": "steady_motions",
        "analyse.equilibria.sticking": "grip, sticking_band",
        "analyse.letters.critical": "critical",
        "analyse.letters.named": "closed_form",
        "analyse.letters.slip": "end_of_slip",
        "analyse.letters.states": "at_state, threshold",
        "analyse.vibrations.root_locus": "root_locus",
        "analyse.vibrations.with_states": "linear_system",
    },
    "synthesis": {
        "design.ratios": "Ratios, motor_ratios",
        "design.synthesis_problem": "Along, Grashof, Response, transmission, turning",
        "design.synthesis_study": "load_study",
        "design.synthesise": "Synthesis, synthesise",
        "design.targets": "Law, Path, Peak, Shaking, function_law",
    },
    "torseurs": {
        "analyse.efforts.body_torseurs": "body_torseurs",
        "analyse.efforts.impulse": "impulse",
        "analyse.efforts.power_balance": "power_balance",
        "analyse.mobility.twists": "rigidity",
        "model.mass.densities": "distributed",
        "spatial.torseur": (
            "Torseur, acceleration, dynamic, dynamic_moment, inertia_at, kinetic, kinetic_energy, "
            "kinetic_moment, moment_about_axis, power, seen_from_fixed, total, twist, velocity, "
            "wrench"
        ),
        "spatial.velocity_field": "rigid_fit",
    },
}


def public_homes(namespace: str = "") -> dict[str, tuple[str, str]]:
    """The module of each public name of a namespace, and its name in that module."""
    return _homes(PUBLIC[namespace])


def former_homes() -> dict[str, tuple[str, str]]:
    """The namespace in which each name of `torseur` 0.1.0 is now, and its name there."""
    return _homes(MOVED)


def _homes(table: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    homes = {}
    for home, names in table.items():
        for name in names.split(", "):
            there, _, public = name.partition(" as ")
            homes[public or there] = (f"torseur.{home}".rstrip("."), there)
    return homes
