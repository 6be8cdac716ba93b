"""Inputs at every door of the command: an answer, or one message and an exit code, within limits.

A door has unspoilt inputs, each of which must be answered, and makes the inputs of a number: files,
arguments and environment. Three of five are unspoilt inputs in a form that few people write, two
are spoilt, and at least half of all must be answered. Each runs in a process of its own,
forked from one that has imported everything, with limits of processor time and memory; kernels that
serve every mechanism are compiled on nobody's account. Run as a program it tries many and prints
those that failed; `--door yaml --number 17 --show` shows one.
"""

import argparse
import gc
import json
import math
import os
import random
import re
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import fuzz_app
import fuzz_contacts
import fuzz_control
import fuzz_operations
import fuzz_robots
from fuzz_inputs import EXTREMES, Input, damaged, spoilt, varied

SECONDS, BYTES = 20, 2 * 1024**3  # of the processor and of memory, that an input may take
NOT_A_NUMBER = re.compile(r"(?<![\w.])nan(?!\w)", re.IGNORECASE)
SPOILT = (1, 3)  # numbers of five
HANGING = 900  # seconds of the processor, compiling included
PHRASES = [
    "RY(q1), TYK(L1), RX(q2), TYK(L2);",
    "RY(q1MIN,q1MAX), TYK(2*L1), [RX(q2, -1, 1), TZK(3 mm)], RXK(90deg), TX(d), TZK(0);",
]
COMMANDS = ["check", "derive", "mobility", "simulate --duration 0.05", "equilibria", "linearise",
            "first-integrals", "tell", "graph", "view -o p.html", "export --to c",
            "holding-forces --at a=1",
            "simulate --duration 0.02 -o r.nc", "derive --formalism lagrange --json",
            "simulate --duration 0.02 --coordinates absolute --json"]  # fmt: skip


TABLED = """bodies: {b: {mass: 1, inertia: [1, 1, 1]}}
joints: {A: {type: pivot, bodies: [ground, b], axis: z, coordinate: A}}
tables: {f: {file: t.csv}}
forces: {F: {type: joint, joint: A, value: f(A)}}
"""


# --- the doors ----------------------------------------------------------------------------------


@cache
def examples() -> dict[str, str]:
    """The examples that are small enough to be tried many times."""
    found = {x.name: x.read_text(encoding="utf-8") for x in files("torseur.examples").iterdir()
             if x.name.endswith(".yaml")}  # fmt: skip
    return {name: text for name, text in sorted(found.items()) if len(text) < 2500}


def yaml(rng: random.Random) -> Input:
    """A changed file."""
    name = rng.choice(list(examples()))
    command, *options = rng.choice(COMMANDS).split()
    content = spoilt(examples()[name], rng).encode("utf-8", errors="replace")
    return Input([command, "m.yaml", *options], {"m.yaml": content})


def phrase(rng: random.Random) -> Input:
    """A changed phrase."""
    command, *options = rng.choice(COMMANDS).split()
    masses = rng.choice([[], ["--masses", "lever"], ["--masses", "full"]])
    text = spoilt(rng.choice(PHRASES), rng).replace("\x00", "")
    return Input([command, text or "RX(q);", *options, *masses])


def options(rng: random.Random) -> Input:
    """A good model and options of any value."""
    from torseur.cli.commands import commands

    name = rng.choice(sorted(set(commands.commands) - {"demo", "app"}))
    model = rng.choice([x for x in examples() if "pendulum" in x or "crank" in x or "cart" in x])
    values = [*EXTREMES, "m.yaml", "a=1", "theta=90 deg", "theta=nan", "=", "a=", "x:theta", "1:2",
              "theta=-1:1", ":", ",", "1,2,3", "nan,nan,nan", "/dev/null/x.svg", "p.svg", "p.html",
              "p.nc", "theta", "theta.", "A.force", "energy", "ground", "auto", "radau",
              "rk4", "absolute", "en", "c", "M,h", "20 g@0"]  # fmt: skip
    arguments = [name]
    for parameter in commands.commands[name].params:
        wanted = parameter.required or rng.random() < 0.25
        if parameter.name == "model":
            arguments.append("m.yaml")
        elif parameter.opts[0].startswith("-") and wanted:
            flag = getattr(parameter, "is_flag", False)
            given = [] if flag else [rng.choice(values) for _ in range(max(parameter.nargs, 1))]
            arguments += [rng.choice(parameter.opts), *given]
        elif wanted:
            arguments.append(rng.choice(values))
    if name in ("simulate", "chaos", "tumbling", "sensitivity", "spectrum") and rng.random() < 0.7:
        arguments += ["--duration", "0.05"]
    content = examples()[model].encode()
    return Input([x.replace("\x00", "") for x in arguments], {"m.yaml": content})


@cache
def run_file() -> bytes:
    """A good run."""
    import torseur as ts

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "r.nc"
        ts.simulate(ts.load(str(files("torseur.examples") / "simple_pendulum.yaml")), 0.1).save(
            path
        )
        return path.read_bytes()


def runs() -> list[Input]:
    """What is asked of a file of a run."""
    data = {"r.nc": run_file()}
    return [Input(x.split(), data) for x in ("view r.nc -o p.html", "spectrum r.nc --of phi",
            "view r.nc r.nc -o p.html", "report r.nc -o r.tex")]  # fmt: skip


def run(rng: random.Random) -> Input:
    """A damaged file of a run."""
    return damaged(rng.choice(runs()), rng)


def table(rng: random.Random) -> Input:
    """Changed measurements, or a changed table of a model."""
    heads = "t,bare_1,bare_2,trial1_1,trial1_2,trial2_1,trial2_2"
    rows = [",".join(f"{rng.gauss(0, 1):.6g}" for _ in range(7)) for _ in range(20)]
    rows = [f"{0.01 * k},{row.split(',', 1)[1]}" for k, row in enumerate(rows)]
    if rng.random() < 0.6:
        text = spoilt("\n".join([heads, *rows]), rng)
        options = ["--trial", "20 g@0", "--trial", "20 g@90 deg", "--radius", "80 mm"]
        content = text.encode("utf-8", errors="replace")
        return Input(["balance-rotor", "s.csv", *options], {"s.csv": content})
    text = spoilt("x,y\n0,1\n1,2\n2,0\n3,5\n", rng)
    contents = {"m.yaml": TABLED.encode(), "t.csv": text.encode("utf-8", errors="replace")}
    return Input(["simulate", "m.yaml", "--duration", "0.02"], contents)


def environment(rng: random.Random) -> Input:
    """A good model in a strange environment."""
    names = ["TORSEUR_CACHE", "XDG_CACHE_HOME", "HOME", "TMPDIR", "COLUMNS", "LINES", "TERM",
             "NO_COLOR", "FORCE_COLOR", "LANG", "MPLBACKEND", "MPLCONFIGDIR", "NUMBA_CACHE_DIR",
             "PATH", "PYTHONWARNINGS", "TTY_COMPATIBLE", "OMP_NUM_THREADS"]  # fmt: skip
    values = ["", "/dev/null", "/dev/null/x", "/dev/full", "m.yaml", "-1", "1e308", "x", "é", "0",
              "99999", "~", "a\nb"]  # nothing outside the folder  # fmt: skip
    given = {rng.choice(names): rng.choice(values) for _ in range(rng.randint(1, 4))}
    command, *options = rng.choice(COMMANDS).split()
    model = rng.choice([name for name in examples() if "pendulum" in name])
    return Input([command, "m.yaml", *options], {"m.yaml": examples()[model].encode()}, given)


# --- unspoilt -----------------------------------------------------------------------------------


def whole_yaml() -> list[Input]:
    """The commands on small examples."""
    names = ("cart_pendulum.yaml", "double_pendulum.yaml", "simple_pendulum.yaml")
    lines = [x.split() for x in COMMANDS if not x.startswith("holding")]
    return [Input([word, "m.yaml", *more], {"m.yaml": fuzz_operations.example(name)})
            for name in names for word, *more in lines]  # fmt: skip


def whole_phrases() -> list[Input]:
    """What can be asked of a phrase without numbers."""
    words = ("check", "derive", "mobility", "tell", "graph", "view -o p.html", "export --to c")
    return [Input([*x.split()[:1], phrase, *x.split()[1:], "--masses", masses])
            for x in words for phrase in PHRASES for masses in ("lever", "full")]  # fmt: skip


def whole_tables() -> list[Input]:
    """Measurements of a rotor with known influence, and a table of a model."""
    heads = "t,bare_1,bare_2,trial1_1,trial1_2,trial2_1,trial2_2"
    rows = []
    for k in range(200):
        t = 0.001 * k
        phases = (0.1, 0.5, 0.4, 0.9, -0.2, 0.3)
        waves = [(1 + 0.1 * j) * math.cos(300 * t + b) for j, b in enumerate(phases)]
        rows.append(",".join(f"{x:.9g}" for x in (t, *waves)))
    options = ["--trial", "20 g@0", "--trial", "20 g@90 deg", "--radius", "80 mm"]
    signals = {"s.csv": "\n".join([heads, *rows]).encode()}
    balanced = Input(["balance-rotor", "s.csv", *options, "--speed", "300 rad/s"], signals)
    contents = {"m.yaml": TABLED.encode(), "t.csv": b"x,y\n0,1\n1,2\n2,0\n3,5\n"}
    return [balanced, Input(["simulate", "m.yaml", "--duration", "0.02"], contents)]


def whole_environments() -> list[Input]:
    """Environments that are usual somewhere."""
    given = [{"COLUMNS": "20"}, {"NO_COLOR": "1"}, {"TERM": "dumb"}, {"LANG": "C"},
             {"FORCE_COLOR": "1"}, {"PYTHONWARNINGS": "error"}, {"OMP_NUM_THREADS": "1"},
             {"HOME": "/dev/null"}, {"TORSEUR_CACHE": ""}]  # fmt: skip
    model = {"m.yaml": fuzz_operations.example("simple_pendulum.yaml")}
    return [Input(["simulate", "m.yaml", "--duration", "0.05"], model, x) for x in given]


@dataclass
class Door:
    """What is answered there, and what is spoilt on its way."""

    unspoilt: Callable[[], list[Input]]
    spoilt: Callable[[random.Random], Input]


DOORS = {
    "yaml": Door(whole_yaml, yaml),
    "phrase": Door(whole_phrases, phrase),
    "options": Door(fuzz_operations.operations, options),
    "run": Door(runs, run),
    "table": Door(whole_tables, table),
    "environment": Door(whole_environments, environment),
    "contacts": Door(fuzz_contacts.touching, fuzz_contacts.contacts),
    "functions": Door(fuzz_contacts.touching_functions, fuzz_contacts.functions),
    "robots": Door(fuzz_robots.whole_robots, fuzz_robots.robots),
    "dh_tables": Door(fuzz_robots.whole_dh_tables, fuzz_robots.dh_tables),
    "control": Door(fuzz_control.whole_control, fuzz_control.control),
    "tasks": Door(fuzz_control.whole_tasks, fuzz_control.tasks),
    "laws": Door(fuzz_control.whole_laws, fuzz_control.laws),
    "exercises": Door(fuzz_operations.exercises, fuzz_operations.spoilt_exercises),
    "studies": Door(fuzz_operations.studies, fuzz_operations.spoilt_studies),
    "logs": Door(fuzz_operations.logs, fuzz_operations.spoilt_logs),
    "app": Door(fuzz_app.questions, fuzz_app.spoilt_questions),
}


@cache
def unspoilt(door: str) -> list[Input]:
    """What a door must answer."""
    return DOORS[door].unspoilt()


def made(door: str, number: int) -> Input:
    """The input of a number at a door, always the same."""
    rng = random.Random(f"{door} {number}")
    is_spoilt = number % 5 in SPOILT
    return DOORS[door].spoilt(rng) if is_spoilt else varied(rng.choice(unspoilt(door)), rng)


# --- one input ----------------------------------------------------------------------------------


@dataclass
class Verdict:
    """How the command met an input: whether it was answered, and what is wrong, if anything is."""

    answered: bool
    wrong: str
    said: str  # on standard error


def verdict(given: Input) -> Verdict:
    """Run an input in a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in {**given.files, "<": given.stdin}.items():
            (Path(folder) / name).write_bytes(content)
        child = os.fork()
        if not child:
            _run(given, folder)
        code = _ended(child)
        said, errors = (
            (Path(folder) / name).read_text("utf-8", errors="replace")
            for name in ("stdout", "stderr")
        )
    return Verdict(code == 0, _wrong(given, code, said, errors), errors)


def _wrong(given: Input, code: int | None, said: str, errors: str) -> str:
    if code is None:
        return f"more than {SECONDS} s of the processor"
    if code < 0:
        return f"ended by signal {-code}: {errors[-300:]}"
    for sign in ("Traceback", "unforeseen way"):
        if sign in errors:
            return errors[errors.index(sign) :][-1500:]
    if code not in (0, 1, 2):
        return f"exit code {code}: {errors[-300:]}"
    if code and not errors.strip() and not said.strip():
        return f"exit code {code} without a word"
    found = NOT_A_NUMBER.search(said)
    if found and not code and "nan" not in repr(given).lower():
        return (
            f"an answer that is no number: {said[max(found.start() - 100, 0) : found.end() + 20]}"
        )
    return ""


def _run(given: Input, folder: str) -> None:
    """In the child: the command with its limits; never returns."""
    from torseur.cli import main
    from torseur.machine.llvm import jit
    from torseur.machine.runtime import bitcode

    code = 99
    try:
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + BYTES, size + BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, HANGING))
        bitcode.bitcode = on_no_account(bitcode.bitcode)
        jit.emitted = on_no_account(jit.emitted)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(folder)
        os.environ.update(given.environment)
        tempfile.tempdir = None if "TMPDIR" in given.environment else folder
        os.dup2(os.open("<", os.O_RDONLY), 0)
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600), number)
        sys.argv = ["torseur", *given.arguments]
        _answer(given) if given.call or given.question else main()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 98
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _answer(given: Input) -> None:
    """The answer of the app or of a function of the library, or its message."""
    import torseur as ts

    if given.question is not None:
        path, document = given.question
        text = given.files["m.yaml"].decode("utf-8", errors="replace")
        fuzz_app.answer(path, {"text": text, "file": "m.yaml", **document})
    call = given.call
    assert call is not None
    try:
        print(call.answer(ts))
    except (ts.ModelError, ts.SolveError) as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    sys.exit(0)


def _ended(child: int) -> int | None:
    """The exit code of a child, minus the signal that ended it, None if it took too long."""
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return None if -code in (signal.SIGXCPU, signal.SIGKILL) else code


def on_no_account(compiled: Callable[..., bytes]) -> Callable[..., bytes]:
    """Compile without a limit; the processor time that it took is given to the input once more."""

    def free(*arguments: Any) -> bytes:
        allowed, most = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (most, most))
        began = time.process_time()
        code = compiled(*arguments)
        spent = math.ceil(time.process_time() - began)
        resource.setrlimit(resource.RLIMIT_CPU, (min(allowed + spent, most), most))
        return code

    return free


def prepared() -> None:
    """Import what inputs need, and read a text of each kind, once for all."""
    import torseur as ts
    from torseur.cli.commands import commands
    from torseur.machine.llvm import jit

    assert all(commands.commands.values()), "every command is imported"
    jit.target()
    for name in ("machine.compiled", "export.export", "language.load", "language.yaml.form",
                 "language.phrase.phrase_mechanism", "simulation.simulate", "simulation.run.files",
                 "equations.formalisms.derive", "report.viewer.view",
                 "analyse.equilibria.equilibria", "analyse.vibrations.linearise",
                 "analyse.integrals.drift", "analyse.chaos.spectrum",
                 "analyse.rotation.balancing", "analyse.mobility.mobility",
                 "machine.contact.model", "machine.piles.model",
                 "analyse.equilibria.sticking", "language.imported", "language.dh",
                 "language.urdf.urdf_reader", "language.sdf.sdf_reader",
                 "language.mjcf.mjcf_reader",
                 "controllers.tracking", "controllers.operational_space", "controllers.adaptive",
                 "simulation.stepper", "robotics.inverse", "robotics.motor_sheet",
                 "robotics.reduced_model", "robotics.workspace",
                 "robotics.identification.identify", "robotics.identification.excitation",
                 "robotics.identification.consistency", "robotics.identification.payload",
                 "robots", "cli.app.answering", "cli.app.site"):  # fmt: skip
        __import__(f"torseur.{name}")
    for name in ("rich.progress", "rich.table", "scipy.io", "scipy.linalg", "scipy.signal",
                 "scipy.spatial.transform"):  # fmt: skip
        __import__(name)
    with suppress(ImportError):
        __import__("mujoco")
    run_file()
    ts.load("RZ(q1), TXK(2*L1);")
    gc.collect()
    gc.freeze()  # what is there stays: the processes that fork need not look at it, and share it


@dataclass
class Outcome:
    """How many inputs were tried and how many answered, and what went wrong with which."""

    tried: int
    answered: int
    failures: list[tuple[str, str]]


def outcome(inputs: Iterator[tuple[str, Input]], must: bool = False) -> Outcome:
    """Try inputs that have a name; `must` they be answered, a refusal is a failure too."""
    found = Outcome(0, 0, [])
    for name, given in inputs:
        met = verdict(given)
        found.tried += 1
        found.answered += met.answered
        refused = f"an unspoilt input was refused: {met.said[-500:]}"
        wrong = met.wrong or ("" if met.answered or not must else refused)
        if wrong:
            words = given.arguments or given.call or given.question
            found.failures.append((name, f"{words}\n{wrong}"))
    return found


def controls(door: str, first: int, count: int) -> Outcome:
    """Unspoilt inputs of a door, which must be answered."""
    chosen = list(enumerate(unspoilt(door)))[first : first + count]
    return outcome(((f"{door}, unspoilt {k}", x) for k, x in chosen), must=True)


def tried(door: str, first: int, count: int) -> Outcome:
    """Inputs of a door, unusual and spoilt."""
    return outcome((f"{door} {k}", made(door, k)) for k in range(first, first + count))


def serve() -> None:
    """Answer lines `what door first count` with the outcome as JSON; what the tests talk to."""
    prepared()
    print("ready", flush=True)
    for line in sys.stdin:
        what, door, first, count = line.split()
        found = {"controls": controls, "tried": tried}[what](door, int(first), int(count))
        print(json.dumps(asdict(found)), flush=True)


def main() -> None:
    """Try inputs, and print those that failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--door", choices=DOORS, action="append", help="default: all")
    parser.add_argument("--number", type=int, default=0, help="of the first input")
    parser.add_argument("--count", type=int, default=1, help="inputs at all doors together")
    parser.add_argument("--show", action="store_true", help="print the input")
    parser.add_argument("--serve", action="store_true", help="answer requests on standard input")
    asked = parser.parse_args()
    if asked.serve:
        return serve()
    doors = asked.door or list(DOORS)
    each, wrong = -(-asked.count // len(doors)), 0
    prepared()
    total = Outcome(0, 0, [])
    for door in doors:
        if asked.show:
            print(made(door, asked.number))
        for found in (controls(door, 0, 999), tried(door, asked.number, each)):
            for name, said in found.failures:
                print(f"--- {name}: {said}", flush=True)
            wrong += len(found.failures)
        print(f"{door}: {found.tried} inputs, {found.answered} answered", flush=True)
        total = Outcome(total.tried + found.tried, total.answered + found.answered, [])
    few = 2 * total.answered < total.tried
    print(f"{total.tried} inputs, {total.answered} answered, {wrong} failures"
          + (": fewer than half are answered" if few else ""))  # fmt: skip
    sys.exit(bool(wrong or few))


if __name__ == "__main__":
    main()
