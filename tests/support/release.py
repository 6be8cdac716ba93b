"""A release, checked and built: `make release`.

The working tree must be committed, and its version must have a section in the changelog. Style,
tests and manual are those of `make`. The wheel, which is built from the source archive, is
installed in a new environment of every supported Python on this machine; the first pages, the demo
and a sample of the tests run there. Sizes and digests of both files come last, with the commands
that publish them.
"""

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTHONS = ("3.11", "3.12", "3.13", "3.14")


def main():
    """Every check in turn; the first that fails ends the release."""
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--unchecked", action="store_true", help="leave out style, tests, manual")
    unchecked = options.parse_args().unchecked
    version = released_version()
    if changed := output("git", "status", "--porcelain"):
        sys.exit(f"These files are not committed:\n{changed}Commit or remove them first.")
    for target in ["wheel"] if unchecked else ["lint", "test", "docs", "wheel"]:
        step(f"make {target}", ["make", target])
    pythons = installed_pythons()
    for name, python in pythons.items():
        check = [sys.executable, "tests/support/first_minutes.py", "--sample", "--python", python]
        step(f"the wheel with Python {name}", check)
    print(f"\nTorseur {version}, checked with Python {', '.join(pythons)}:")
    for path in sorted((ROOT / "dist").iterdir()):
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        print(f"  {path.name}  {path.stat().st_size / 1e6:.2f} MB  sha256 {digest}")
    print(f"To publish: git tag v{version} && git push --tags && python -m twine upload dist/*")
    print("Then put the digest of the source archive into conda/recipe.yaml.")


def released_version():
    """The version of the package, if the changelog has a section for it."""
    source = (ROOT / "src" / "torseur" / "version.py").read_text(encoding="utf-8")
    version = re.search(r'__version__ = "([\d.]+)"', source)[1]
    newest = re.search(r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)[1]
    if newest != version:
        sys.exit(f'CHANGELOG.md: the newest section is "{newest}", but the version is {version}.')
    return version


def installed_pythons():
    """Supported interpreters of this machine by version, those of pyenv included."""
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    usable = {}
    for name in PYTHONS:
        places = [shutil.which(f"python{name}"), *root.glob(f"{name}.*/bin/python{name}")]
        for place in map(str, filter(None, places)):
            if subprocess.run([place, "--version"], capture_output=True).returncode == 0:
                usable.setdefault(name, place)
    return usable


def step(name, command):
    """Run a command whose failure ends the release."""
    print(f"== {name}", flush=True)
    if subprocess.run(command, cwd=ROOT).returncode:
        sys.exit(f"The release failed: {name}.")


def output(*command):
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout


if __name__ == "__main__":
    main()
