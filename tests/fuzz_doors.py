"""Spoilt inputs at every door of the command: one line and an exit code, in time and in memory.

A door makes the inputs of a number: files, arguments and environment. Each runs in a process of its
own, forked from one that has imported everything, with limits of processor time and memory; kernels
that serve every mechanism are compiled on nobody's account. Run as a program
it tries many and prints those that failed; `--door yaml --number 17 --show` shows one.
"""

import argparse
import gc
import json
import math
import os
import random
import resource
import signal
import sys
import tempfile
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import fuzz_contacts
import fuzz_control
import fuzz_robots
from fuzz_inputs import EXTREMES, Call, Input, spoilt

SECONDS, BYTES = 20, 2 * 1024**3  # of the processor and of memory, that an input may take
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

    name = rng.choice(sorted(set(commands.commands) - {"demo", "examples"}))
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


def run(rng: random.Random) -> Input:
    """A damaged file of a run."""
    data = bytearray(run_file())
    for _ in range(rng.randint(1, 3)):
        place, way = rng.randrange(len(data) or 1), rng.randrange(4)
        if way == 0 and data:
            data[place] ^= 1 << rng.randrange(8)
        elif way == 1:
            data[place : place + 4] = rng.randbytes(4)
        elif way == 2:
            del data[place : place + rng.randrange(64)]
        else:
            del data[place:]
    command = rng.choice([["view", "r.nc", "-o", "p.html"], ["spectrum", "r.nc", "--of", "phi"]])
    return Input(command, {"r.nc": bytes(data)})


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
    model = ("bodies: {b: {mass: 1}}\njoints: {A: {type: pivot, bodies: [ground, b], axis: z}}\n"
             "tables: {f: {file: t.csv}}\nforces: {F: {joint: A, value: f(A)}}\n")  # fmt: skip
    text = spoilt("x,y\n0,1\n1,2\n2,0\n3,5\n", rng)
    contents = {"m.yaml": model.encode(), "t.csv": text.encode("utf-8", errors="replace")}
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


DOORS: dict[str, Callable[[random.Random], Input]] = {
    x.__name__: x
    for x in (yaml, phrase, options, run, table, environment,
              fuzz_contacts.contacts, fuzz_contacts.functions,
              fuzz_robots.robots, fuzz_robots.dh_tables,
              fuzz_control.control, fuzz_control.tasks, fuzz_control.laws)
}  # fmt: skip


def made(door: str, number: int) -> Input:
    """The input of a number at a door, always the same."""
    return DOORS[door](random.Random(f"{door} {number}"))


# --- one input ----------------------------------------------------------------------------------


def verdict(given: Input) -> str:
    """What is wrong with how the command met an input; nothing if it did well."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in given.files.items():
            (Path(folder) / name).write_bytes(content)
        child = os.fork()
        if not child:
            _run(given, folder)
        code = _ended(child)
        said = (Path(folder) / "stderr").read_text("utf-8", errors="replace")
    if code is None:
        return f"more than {SECONDS} s of the processor"
    if code < 0:
        return f"ended by signal {-code}: {said[-300:]}"
    for sign in ("Traceback", "unforeseen way"):
        if sign in said:
            return said[said.index(sign) :][-1500:]
    return "" if code in (0, 1, 2) else f"exit code {code}: {said[-300:]}"


def _run(given: Input, folder: str) -> None:
    """In the child: the command with its limits; never returns."""
    from torseur.cli import main
    from torseur.machine.runtime import loop_kernel

    code = 99
    try:
        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (size + BYTES, size + BYTES))
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, HANGING))
        loop_kernel._compiled = on_no_account(loop_kernel._compiled)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.chdir(folder)
        os.environ.update(given.environment)
        tempfile.tempdir = None if "TMPDIR" in given.environment else folder
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for number, name in ((1, "stdout"), (2, "stderr")):
            os.dup2(os.open(name, os.O_WRONLY | os.O_CREAT, 0o600), number)
        sys.argv = ["torseur", *given.arguments]
        _ask(given.call) if given.call else main()
    except SystemExit as left:
        code = left.code if isinstance(left.code, int) else 98
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stderr.flush()
        os._exit(code)


def _ask(call: Call) -> None:
    """The answer of a function of the library, or its message."""
    import torseur as ts

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
                 "language.phrase.mechanism", "simulation.simulate", "simulation.run.files",
                 "equations.formalisms.derive", "report.viewer.view",
                 "analyse.equilibria.equilibria", "analyse.vibrations.linearise",
                 "analyse.integrals.drift", "analyse.chaos.spectrum",
                 "analyse.rotors.balancing", "analyse.mobility.mobility",
                 "machine.contact.model", "machine.piles.model",
                 "analyse.equilibria.sticking", "language.imported", "language.dh",
                 "language.urdf.reading", "language.sdf.reading", "language.mjcf.reading",
                 "controllers.tracking", "controllers.operational_space", "controllers.adaptive",
                 "simulation.stepper", "robotics.inverse", "robotics.motor_sheet",
                 "robotics.reduced", "robotics.workspace",
                 "robotics.identification.identify", "robotics.identification.excitation",
                 "robotics.identification.consistency", "robotics.identification.payload",
                 "robots"):  # fmt: skip
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


def failures(door: str, numbers: Iterator[int]) -> Iterator[tuple[int, str]]:
    """The numbers whose inputs were not met well, and what happened."""
    for number in numbers:
        wrong = verdict(made(door, number))
        if wrong:
            yield number, wrong


def serve() -> None:
    """Answer lines `door first count` with the failures as JSON; what the tests talk to."""
    prepared()
    print("ready", flush=True)
    for line in sys.stdin:
        door, first, count = line.split()
        found = list(failures(door, range(int(first), int(first) + int(count))))
        print(json.dumps(found), flush=True)


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
    for door in doors:
        if asked.show:
            print(made(door, asked.number))
        for number, said in failures(door, range(asked.number, asked.number + each)):
            wrong += 1
            given = made(door, number)
            words = given.arguments or given.call
            print(f"--- {door} {number}: {words}\n{said}", flush=True)
    print(f"{each * len(doors)} inputs, {wrong} failures")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
