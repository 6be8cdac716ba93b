"""Every command with arguments that it answers: what is unspoilt, to be varied and to be spoilt."""

import math
import random
import shlex
from functools import cache
from importlib.resources import files
from importlib.util import find_spec

from fuzz_inputs import Call, Input, damaged, document_of

PLAIN = """
bearing-life slider_crank.yaml --joint O --rating "14 kN" --duration 0.1
blocks slider_crank.yaml -o b.svg
blocks cart_pendulum.yaml --json
bifurcations buckling_two_bars.yaml --parameter F --from 20 --to 60
chaos double_pendulum_points.yaml --duration 0.2
chaos double_pendulum_points.yaml --duration 0.3 --lyapunov 1 --json
check slider_crank.yaml
check puma560.yaml --json --lang fr
check-answer simple_pendulum.yaml "a*phi.. + g*sin(phi) = 0" --of phi
demo -o robot.html
derive cart_pendulum.yaml
derive slider_crank.yaml --formalism lagrange --json
derive simple_pendulum.yaml --compare
derive double_pendulum.yaml --as latex --standalone
derive double_pendulum.yaml --program
derive vertical_disc.yaml --reactions
draw slider_crank.yaml -o d.svg
draw cardan_shaft.yaml --view perspective --no-names -o d.tex
efficiency screw_jack.yaml --input bar --output weight --set C=30 --duration 0.05
equilibria double_pendulum.yaml
equilibria ball_governor.yaml --set Omega=12 --box z=0.1:0.4
examples puma560 -o p.yaml
examples --json
excite double_pendulum.yaml --period 2 --speed 3 --searches 1 --harmonics 2 -o m.csv
export puma560.yaml --to c -o arm
export cart_pendulum.yaml --to julia --functions mass_matrix,gravity -o cart
first-integrals elliptic_pendulum.yaml --duration 0.5
flywheel whitworth.yaml --drive drive --fluctuation 0.02 --duration 1
flywheel single_cylinder_engine.yaml --of phi --duration 0.5
graph slider_crank.yaml -o g.svg
graph four_bar.yaml --lang fr -o g.tex
gyroscopic-couple --inertia 25,25,35 --spin "2000 tr/min" --turning 0,0.5,0
holding-forces slider_crank.yaml --at "alpha=40 deg" --by x
identify double_pendulum.yaml
inertia slider_crank.yaml --body rod --at 0,0,0 --axis 0,0,1
inertia "cylinder(radius=80 mm, length=1 cm) - cylinder(radius=1 cm, length=1 cm)" --density 7800
isolations slider_crank.yaml --of Y_P
isolation cart_pendulum.yaml --input x --frequencies 1:100 --plot i.svg
linearise cart_pendulum.yaml --film modes.html
linearise double_pendulum.yaml --at "theta1=180 deg" --at theta2=0
linearise cart_pendulum.yaml --response x:theta --plot r.svg
linearise heavy_top.yaml --given theta=0.5 --given psi.=300
linearise brake_squeal.yaml --mode rub=slip
mobility slider_crank.yaml
mobility slider_crank.yaml --between ground rod --along alpha
phase-portrait simple_pendulum.yaml --plot p.svg
reduce robot_1980.yaml --to "q1=60 deg" --duration 0.3
report simple_pendulum.yaml -o r.tex
root-locus cart_pendulum.yaml --parameter b --from 0 --to 5 --count 5
rotor unbalanced_rotor.yaml --body rotor --bearing P1 --bearing P2
sensitivity single_cylinder_engine.yaml --duration 0.02 --by b --by mp --of x
simulate double_pendulum.yaml --duration 0.1 -o run.nc --view run.html
simulate slider_crank.yaml --duration 0.05 --coordinates absolute --json
simulate cart_pole.yaml --duration 0.1 --method radau --plot p.svg --of x,theta
simulate bouncing_ball.yaml --duration 0.1 --method moreau --step 1e-3
simulate rolling_wheel.yaml --duration 0.05 -o run.csv
spectrum simple_pendulum.yaml --of phi --duration 4
steady-motions heavy_top.yaml --given "theta=30 deg" --given psi.=300
summary simple_pendulum.yaml --duration 0.1
tell slider_crank.yaml --isolate crank --isolate rod
tell simple_pendulum.yaml --formalism virtual-power --lang fr
tracking robot_1980.yaml --to "q1=60 deg" --to "q3=50 deg" --duration 0.3
tumbling free_body.yaml --duration 0.5 --plot p.svg
view slider_crank.yaml -o page.html
"""

CLOCK = """study: the clock and its tolerances
model: simple_pendulum.yaml
run: {duration: 0.2 s, rate: 100}
vary:
  a: {uniform: [0.9, 1.1]}
  phi: {triangular: [4 deg, 5 deg, 6 deg]}
method: latin
samples: 12
seed: 1
outputs:
  swing: {value: range(phi), unit: rad}
  course: curve(phi)
"""
SYNTHESIS = {
    "c.yaml": b"""parameters: {r: 0.1, l: 0.3}
bodies: {crank: {mass: 1, inertia: [1, 1, 1]}}
joints: {A: {type: pivot, bodies: [ground, crank], axis: z, coordinate: a}}
points: {P: [crank, [r, 0, 0]]}
""",
    "y.yaml": b"""mechanism: c.yaml
driver: a
variables: {r: [0.05, 0.4]}
targets:
  - path: {point: P, points: [[0.2, 0], [0, 0.2], [-0.2, 0]]}
starts: 2
seed: 1
""",
}


@cache
def example(name: str) -> bytes:
    """The text of an example."""
    return (files("torseur.examples") / name).read_bytes()


def line(text: str, more: dict[str, bytes] | None = None) -> Input:
    """A command line whose files are examples, besides those that are given."""
    words, own = shlex.split(text), dict(more or {})
    for name in words:
        if name.endswith(".yaml") and (files("torseur.examples") / name).is_file():
            own.setdefault(name, example(name))
    return Input(words, own)


@cache
def operations() -> list[Input]:
    """Every command that is asked about a file or about arguments."""
    return [line(x) for x in PLAIN.strip().splitlines()]


# --- exercises ------------------------------------------------------------------------------------


def answers_of(name: str) -> list[str]:
    """The first answers of an exercise, as options have them."""
    place = files("torseur") / "exercises" / f"{name}.yaml"
    found = document_of(place.read_text(encoding="utf-8"))
    return [f"{k}={x['answer']}" for k, x in found["questions"].items()][:2]


@cache
def exercises() -> list[Input]:
    """Every exercise with its own answers; what is asked about each; answers on standard input."""
    given = []
    for place in sorted((files("torseur") / "exercises").iterdir(), key=lambda x: x.name):
        if not place.name.endswith(".yaml"):
            continue
        name = place.name.removesuffix(".yaml")
        answers = answers_of(name)
        given.append(Input(["exercise", name, *(y for x in answers for y in ("--answer", x))]))
        asked = "\n".join(x.partition("=")[2] for x in answers).encode()
        given.append(Input(["exercise", name, "--lang", "fr"], stdin=asked))
        given += [Input(["exercise", name, x]) for x in ("--hint", "--solution")]
    name = "compound_pendulum"
    table = f"student;1\nAda;{answers_of(name)[0].partition('=')[2]}\n".encode()
    given.append(Input(["grade", "a.csv", "--exercise", name], {"a.csv": table}))
    return [Input(["exercise"]), Input(["exercise", "--goals"]), *given]


def spoilt_exercises(rng: random.Random) -> Input:
    """Answers, and lines of standard input, that are changed."""
    return damaged(rng.choice(exercises()), rng)


# --- studies --------------------------------------------------------------------------------------


@cache
def studies() -> list[Input]:
    """Sweeps into every kind of table, tables that are read again, and a synthesis."""
    pendulum = {"simple_pendulum.yaml": example("simple_pendulum.yaml"), "s.yaml": CLOCK.encode()}
    endings = ["nc", "csv", *(["parquet"] if find_spec("pyarrow") else [])]
    given = [Input(["sweep", "s.yaml", "--threads", "1"], pendulum)]
    given += [Input(["sweep", "s.yaml", "--threads", "1", "-o", f"t.{x}"], pendulum)
              for x in endings]  # fmt: skip
    read = {"t.nc": table()}
    again = Input(["sweep", "s.yaml", "--threads", "1", "-o", "t.nc"], pendulum | read)
    made = Input(["synthesise", "y.yaml"], SYNTHESIS)
    return [*given, again, Input([], read, call=Call("load_study", "t.nc")), made]


@cache
def table() -> bytes:
    """The table of a study, as it is written."""
    import tempfile
    from pathlib import Path

    import torseur as ts

    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        (place / "simple_pendulum.yaml").write_bytes(example("simple_pendulum.yaml"))
        (place / "s.yaml").write_text(CLOCK, encoding="utf-8")
        found = ts.study(place / "s.yaml", threads=1)
        found.save(place / "t.nc")
        return (place / "t.nc").read_bytes()


def spoilt_studies(rng: random.Random) -> Input:
    """A study, a model or a table that is changed."""
    return damaged(rng.choice(studies()), rng)


# --- logs -----------------------------------------------------------------------------------------

ONE = """gravity: [0, -9.81, 0]
bodies: {b: {mass: 2, centre: [0.3, 0, 0], inertia: [0.03, 0.04, 0.05]}}
joints: {A: {type: pivot, bodies: [ground, b], axis: z, coordinate: q}}
motors: {M: {joint: A, ratio: 10, rotor_inertia: 1e-4}}
"""


def log(count: int = 120) -> str:
    """A log of q = sin 2t + ½ sin 5t of that pendulum, by its equation of motion."""
    rows = []
    for k in range(count):
        t = 0.02 * k
        q = math.sin(2 * t) + math.sin(5 * t) / 2
        speed = 2 * math.cos(2 * t) + 2.5 * math.cos(5 * t)
        acceleration = -4 * math.sin(2 * t) - 12.5 * math.sin(5 * t)
        inertia = 0.05 + 2 * 0.3**2 + 10**2 * 1e-4
        force = inertia * acceleration + 2 * 9.81 * 0.3 * math.cos(q)
        rows.append(",".join(f"{x:.12g}" for x in (t, q, speed, acceleration, force)))
    return "\n".join(["t [s],q [rad],q.,q..,Q_q [N.m]", *rows]) + "\n"


@cache
def logs() -> list[Input]:
    """A log that is identified in each way."""
    contents = {"m.yaml": ONE.encode(), "log.csv": log().encode()}
    ways = ["", "--consistent", "--unweighted", "--validate log.csv", "--cutoff 5", "--json",
            "--decimation 2", "--plot p.svg", '--known "rotor inertia of M"']  # fmt: skip
    return [Input(shlex.split(f"identify m.yaml --data log.csv {way}"), contents) for way in ways]


def spoilt_logs(rng: random.Random) -> Input:
    """A log, or the options of its identification, that are changed."""
    return damaged(rng.choice(logs()), rng)
