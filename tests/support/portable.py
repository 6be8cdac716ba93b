"""The tests once for each kind of processor: `make portable [TESTS=…]`.

Arguments go to pytest. Each kind has a line with its verdict; it starts with an empty code cache,
and the first is run again with the cache it has filled. A kind whose instructions this processor
lacks is named and left out. The exit code is 1 if a test failed under any of them.
"""

import os
import subprocess
import sys
import tempfile

from numpy._core import _multiarray_umath as numpy_code

PROBE = "import numpy as n, scipy.linalg as s; a = n.eye(200); s.eigvals(a @ a); n.sin(a)"


def wide_units():
    """The units beyond NumPy's baseline that it would use here, by the names it accepts."""
    present = numpy_code.__cpu_features__
    return [name for name in numpy_code.__cpu_dispatch__ if present.get(name)]


def kinds():
    """For each kind of processor, the environment that makes this one behave like it."""
    cores = ("Prescott", "Haswell", "SkylakeX")
    return {
        **{f"OpenBLAS for {core}": {"OPENBLAS_CORETYPE": core} for core in cores},
        "NumPy without wide units": {"NPY_DISABLE_CPU_FEATURES": " ".join(wide_units())},
        "code for any processor": {"TORSEUR_PORTABLE": "1"},
    }


def runs_here(environment):
    """Whether this processor has the instructions."""
    probe = subprocess.run([sys.executable, "-c", PROBE], env=os.environ | environment, check=False)
    return probe.returncode == 0


def passed(name, environment, arguments):
    """Whether the tests pass; the verdict is printed, and below it what failed."""
    tests = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-rfE", *arguments],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    lines = [line for line in tests.stdout.splitlines() if line.strip()]
    last = lines[-1].strip("= ") if lines else tests.stderr.strip()
    verdict = "passed" if tests.returncode == 0 else f"FAILED ({tests.returncode})"
    print(f"{name}: {verdict}: {last}", flush=True)
    if tests.returncode != 0:
        told = [line for line in lines if line.startswith(("FAILED", "ERROR"))]
        print(*(f"  {line}" for line in told or lines[-20:]), sep="\n", flush=True)
    return tests.returncode == 0


def main(arguments):
    verdicts = []
    for number, (name, environment) in enumerate(kinds().items()):
        if not runs_here(environment):
            print(f"{name}: left out, this processor lacks its instructions", flush=True)
            continue
        with tempfile.TemporaryDirectory() as cache:
            here = environment | {"TORSEUR_CACHE": cache}
            verdicts.append(passed(f"{name}, cold", here, arguments))
            if number == 0:
                verdicts.append(passed(f"{name}, warm", here, arguments))
    return 0 if verdicts and all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
