"""Build the playground: a folder of static files in which Torseur runs in the browser.

`python tests/support/playground.py FOLDER` collects the runtime of Pyodide from npm, the wheel of
this checkout and its pure dependencies by pip, and writes the pages beside them. npm has no wheels
of NumPy for Pyodide: `--pyodide DISTRIBUTION` names the unpacked full distribution, which has.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from hashlib import sha256
from pathlib import Path

ROOT = Path(__file__).parents[2]
VERSION = "314.0.7"  # of Pyodide that is taken from npm
RUNTIME = ("pyodide.mjs", "pyodide.asm.*", "python_stdlib.zip", "pyodide-lock.json")
NEEDED = ("numpy", "markupsafe")  # of the distribution, from the start on
LATE = {"scipy": ("scipy",)}  # modules that some answers need, with the packages of each
PURE = ("click", "jinja2", "lark", "rich-click", "ruamel.yaml")  # wheels of any platform
PURE_LATE = {"sympy": ("sympy", "mpmath")}
_NO_USE = re.compile(r"\.bc\.xz$")  # files of our wheel: code of LLVM


def built(folder, pyodide=None, wheel=None):
    """Write the playground; what is missing of the packages that some answers need."""
    shutil.rmtree(folder, ignore_errors=True)
    runtime, packages = folder / "pyodide", folder / "packages"
    for one in (runtime, packages):
        one.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as rest:
        source = Path(pyodide) if pyodide else from_npm(Path(rest))
        lock = copy_runtime(source, runtime)
        version = ".".join(lock["info"]["python"].split(".")[:2])
        missing = [x for x in NEEDED if not copy_package(lock, source, runtime, x)]
        if missing:
            raise SystemExit(advice(missing, lock, pyodide))
        late = {}
        for module, names in LATE.items():
            if all([copy_package(lock, source, runtime, x) for x in names]):
                late[module] = {"names": names, "files": ()}
        collect(packages, version, PURE)
        own = shrunk(Path(wheel) if wheel else own_wheel(Path(rest)), packages)
        compiled(folder)
        files = sorted(x.name for x in packages.iterdir())
        for module, names in PURE_LATE.items():
            late[module] = {"names": (), "files": collect(packages, version, names)}
    from torseur.cli.playground.site_files import write_site

    assert own in files, "our wheel is there from the start"
    write_site(folder, {"names": NEEDED, "files": files}, late)
    return [x for x in LATE if x not in late]


def from_npm(folder):
    """The runtime of Pyodide: Python and its standard library."""
    run = ["npm", "pack", f"pyodide@{VERSION}", "--silent", "--pack-destination", str(folder)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    (archive,) = folder.glob("pyodide-*.tgz")
    with tarfile.open(archive) as content:
        content.extractall(folder, filter="data")
    return folder / "package"


def copy_runtime(source, target):
    """Copy the files of the runtime; the list of the packages that belong to it."""
    for pattern in RUNTIME:
        found = list(source.glob(pattern))
        if not found:
            raise SystemExit(f"{source} has no {pattern}: it is no distribution of Pyodide.")
        for path in found:
            shutil.copy(path, target)
    return json.loads((source / "pyodide-lock.json").read_text(encoding="utf-8"))


def copy_package(lock, source, target, name):
    """Copy a package and those it depends on; whether all of them are there, as the list says."""
    package = lock["packages"].get(name)
    path = None if package is None else source / package["file_name"]
    if path is None or not path.is_file():
        return False
    if sha256(path.read_bytes()).hexdigest() != package["sha256"]:
        raise SystemExit(f"{path} is not the file that {source / 'pyodide-lock.json'} lists.")
    shutil.copy(path, target)
    return all([copy_package(lock, source, target, x) for x in package["depends"]])


def collect(folder, version, names):
    """Wheels of any platform, by pip; their files."""
    with tempfile.TemporaryDirectory() as rest:
        run = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
        run += ["--disable-pip-version-check", "-c", str(ROOT / "constraints.txt"), "-d", rest]
        run += ["--platform", "any", "--python-version", version, "--implementation", "py"]
        subprocess.run([*run, "--abi", "none", *names], check=True)
        found = sorted(Path(rest).glob("*.whl"))
        return [Path(shutil.copy(x, folder)).name for x in found]


def own_wheel(folder):
    """The wheel of this checkout."""
    run = [sys.executable, "-m", "build", "--wheel", "--outdir", str(folder), str(ROOT)]
    subprocess.run(run, check=True, stdout=subprocess.DEVNULL)
    return next(folder.glob("torseur-*.whl"))


def shrunk(wheel, folder):
    """A copy of our wheel without what no page reads; the name of its file."""
    with (
        zipfile.ZipFile(wheel) as old,
        zipfile.ZipFile(folder / wheel.name, "w", zipfile.ZIP_DEFLATED) as new,
    ):
        for entry in old.infolist():
            if not _NO_USE.search(entry.filename):
                new.writestr(entry, old.read(entry))
    return wheel.name


def compiled(folder):
    """Compile the Python files of our packages by the Python of the page, which starts sooner."""
    subprocess.run(
        ["node", str(ROOT / "tests/support/compile_wheels.mjs"), str(folder)], check=True
    )


def advice(missing, lock, pyodide):
    """What to do where the distribution has no wheels."""
    info, names = lock["info"], ", ".join(lock["packages"][x]["file_name"] for x in missing)
    place = pyodide or "the npm package of Pyodide"
    return (
        f"The playground needs {names}, which {place} does not have.\n"
        f"Unpack the full distribution of Pyodide for Python {info['python']} (the archive of its"
        " release whose name has no suffix such as -core), then:\n"
        "  make playground PYODIDE=folder\n"
        "folder being the one with pyodide-lock.json and the wheels."
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--pyodide", help="folder of the unpacked full distribution of Pyodide")
    parser.add_argument("--wheel", help="wheel of Torseur; without it, one is built")
    given = parser.parse_args()
    without = built(given.folder, given.pyodide, given.wheel)
    size = sum(x.stat().st_size for x in given.folder.rglob("*") if x.is_file())
    print(f"{given.folder}: {size / 1e6:.0f} MB. Serve it: python -m http.server -d {given.folder}")
    for name in without:
        print(f"Without {name}, whose wheel was not found: answers that need it say so.")


if __name__ == "__main__":
    main()
