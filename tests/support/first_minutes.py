"""The first pages, done literally with a wheel: `make install-check`, or python first_minutes.py.

The newest wheel of `dist` goes into a new environment, by the command that the page gives, with the
versions of `constraints.txt` and without numba. Files, commands and Python of each page follow in a
folder of their own; what is shown must be what is printed. In a text that is shown, a line … stands
for any lines. The exit code is 1 where something differs.

`--python python3.12` makes the environment with another interpreter; `--sample` also runs a sample
of the tests with the installed package.
"""

import argparse
import email
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

from same_text import same_text, tells

ROOT = Path(__file__).parents[2]
PAGES = ("README.md", "docs/start.md", "docs/fr/debut.md")
BLOCKS = re.compile(
    r"(?:`(?P<file>[\w.]+)` ?:\n\n)?```(?P<kind>yaml|sh|python)\n(?P<text>.*?)```"
    r"(?:\n\n```text\n(?P<shown>.*?)```)?",
    re.S,
)
BETWEEN = "-- the next block --"
SAMPLE = ("algebra", "spatial", "dynamics", "language", "cli")  # folders of tests
TEST_TOOLS = ("pytest", "pytest-xdist", "hypothesis")
OUTSIDE = "import pathlib, torseur; print(pathlib.Path(torseur.__file__).parts[-3])"
NO_NUMBA = "import importlib.util as u, sys; sys.exit(u.find_spec('numba') is not None)"
KERNELS = """
import lzma, pathlib, llvmlite, llvmlite.binding as llvm, torseur
kernels = [*pathlib.Path(torseur.__file__).parent.glob("machine/bitcode/*.xz")]
assert kernels, "the wheel ships no kernels"
for x in kernels:
    llvm.parse_bitcode(lzma.decompress(x.read_bytes()))
print(f"llvmlite {llvmlite.__version__} reads {len(kernels)} kernels")
"""


def main():
    """Every page in one new environment; the oldest llvmlite that is allowed comes last."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--python", default=sys.executable, help="interpreter of the environment")
    options.add_argument("--sample", action="store_true", help="also run a sample of the tests")
    asked = options.parse_args()
    wheels = sorted((ROOT / "dist").glob("*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        sys.exit("dist: there is no wheel. Build one with: make wheel")
    wheel = wheels[-1]
    described = metadata(wheel)
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        environment = new_environment(place, wheel, asked.python)
        for page in PAGES:
            (place / "work").mkdir()
            follow(page, place / "work", environment)
            shutil.rmtree(place / "work")
        run(["python", "-c", NO_NUMBA], place, environment)
        if asked.sample:
            sample(place, environment)
        read_kernels(described, place, environment)
    print("All pages passed.")


def metadata(wheel):
    """What an index shows; its README has no address that holds in the repository only."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = [x for x in archive.namelist() if x.endswith(".dist-info/METADATA")]
        found = email.message_from_bytes(archive.read(name))
    page = found.get_payload(decode=True).decode()
    assert page.startswith("# Torseur\n"), "the metadata hold no README"
    local = [x for x in re.findall(r"\]\(([^)]+)\)", page) if not x.startswith("https://")]
    assert not local, f"addresses that an index cannot follow: {local}"
    return found


def new_environment(place, wheel, python):
    """Variables of a new environment, in which pip takes Torseur from the wheel."""
    subprocess.run([python, "-m", "venv", str(place / "env")], check=True)
    limits = place / "constraints.txt"
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8")
    limits.write_text(f"{pinned}torseur @ {wheel.resolve().as_uri()}\n", encoding="utf-8")
    programs = place / "env" / ("Scripts" if os.name == "nt" else "bin")
    given = {
        "PATH": os.pathsep.join([str(programs), os.environ["PATH"]]),
        "PIP_CONSTRAINT": str(limits),
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
        "PYTHONIOENCODING": "utf-8",
        "TORSEUR_CACHE": str(place / "cache"),
    }
    kept = {k: x for k, x in os.environ.items() if k not in ("PYTHONPATH", "VIRTUAL_ENV")}
    return kept | given


def follow(page, place, environment):
    """Write the files of a page, run its commands, then its Python in one process."""
    print(f"== {page}", flush=True)
    environment = environment | {"TORSEUR_LANG": "fr" if "/fr/" in page else "en"}
    python = []
    for block in BLOCKS.finditer((ROOT / page).read_text(encoding="utf-8")):
        if block["kind"] == "yaml":
            (place / block["file"]).write_text(block["text"], encoding="utf-8")
        elif block["kind"] == "python":
            python.append(block)
        else:
            lines = [shlex.split(x, comments=True) for x in block["text"].splitlines()]
            compare("".join(run(x, place, environment) for x in lines), block)
    code = f"\nprint({BETWEEN!r})\n".join(block["text"] for block in python)
    printed = run(["python", "-c", code], place, environment).split(f"{BETWEEN}\n")
    for text, block in zip(printed, python, strict=True):
        compare(text, block)


def run(command, place, environment):
    """What a command prints, if it succeeds."""
    program = shutil.which(command[0], path=environment["PATH"])
    done = subprocess.run(
        [program, *command[1:]], cwd=place, env=environment, capture_output=True, encoding="utf-8"
    )
    shown = shlex.join(command) if len(command) < 3 or "\n" not in command[2] else "python …"
    print(f"{'ok' if done.returncode == 0 else 'FAILED'}: {shown[:100]}", flush=True)
    if done.returncode:
        sys.exit(f"{done.stdout}{done.stderr}")
    return done.stdout


def compare(printed, block):
    """Leave where something else is printed than is shown."""
    whole, *pieces = re.split(r"^…\n", block["shown"] or "", flags=re.M)
    same = all(tells(printed, x) for x in pieces) if pieces else same_text(printed, whole)
    if block["shown"] and not same:
        sys.exit(f"{block['text']}printed:\n{printed}\nbut the page shows:\n{block['shown']}")


def sample(place, environment):
    """Run a sample of the tests, of which only the folder `tests` is there, with the package."""
    run(["pip", "install", "-q", *TEST_TOOLS], place, environment)
    shutil.copytree(ROOT / "tests", place / "tests")
    shutil.copy(ROOT / "pyproject.toml", place)
    assert run(["python", "-c", OUTSIDE], place, environment) == "site-packages\n"
    folders = [f"tests/{x}" for x in SAMPLE]
    print(run(["python", "-m", "pytest", *folders], place, environment)[-200:])


def read_kernels(described, place, environment):
    """Shipped kernels are bitcode, which no LLVM older than their own can read."""
    (needed,) = [x for x in described.get_all("Requires-Dist") if x.startswith("llvmlite")]
    oldest = re.search(r">=([\d.]+)", needed)[1]
    free = {k: x for k, x in environment.items() if k != "PIP_CONSTRAINT"}
    install = ["pip", "install", "-q", "--no-deps", "--only-binary=:all:"]
    if sys.version_info < (3, 14):  # the first versions have no wheels for later Python
        run([*install, f"llvmlite=={oldest}.*"], place, free)
    print(run(["python", "-c", KERNELS], place, free), end="")


if __name__ == "__main__":
    main()
