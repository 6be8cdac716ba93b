"""First use of an installed package: new processes with an empty code cache, without numba."""

from __future__ import annotations

import compileall
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import torseur
from benchmarks.outcome import Bar, Cell, Part, Table
from benchmarks.timing import process

_START = "import sys; sys.modules['numba'] = None\nimport numpy as np, torseur as ts\n"
_ROBOT = "f = ts.compile(ts.robots.load(sys.argv[1], free_base=True))\nn = len(f.speeds)\n"
_STATE = "np.zeros(len(f.coordinates)), np.zeros(n), np.zeros(n)"
_MANY = "initial={'theta1': np.linspace(0, 1, 50)}"
# what is done, its program, the most it may take from an empty cache [s]
_CASES = (
    ("import torseur", "import torseur", 0.1),
    ("simulate slider_crank", _START + "ts.simulate('slider_crank', 1.0)", 2.5),
    ("simulate bouncing_ball", _START + "ts.simulate('bouncing_ball', 1.0)", 4.0),
    (
        "steps of Moreau, bouncing_ball",
        _START + "ts.simulate('bouncing_ball', 1.0, method='moreau', step=1e-3)",
        4.0,
    ),
    (
        "absolute coordinates, slider_crank",
        _START + "ts.simulate('slider_crank', 1.0, coordinates='absolute')",
        4.0,
    ),
    ("a batch of 50", _START + f"ts.simulate('double_pendulum', 1.0, {_MANY})", 4.0),
    (
        "forward dynamics of a URDF quadruped",
        _START + _ROBOT + f"f.forward_dynamics({_STATE})",
        2.5,
    ),
    (
        "its derivatives, 18 freedoms",
        _START + _ROBOT + f"f.forward_dynamics_derivatives({_STATE})",
        4.0,
    ),
)
_WARM = 1.0  # [s], the most that a second process may take


def run(*, quick: bool) -> Part:
    """Processor times of first and second processes."""
    rows: list[tuple[Cell, ...]] = []
    bars = []
    with tempfile.TemporaryDirectory() as folder:
        package, robot = Path(folder) / "package", Path(folder) / "quadruped.urdf"
        _install(package)
        robot.write_text(quadruped(), encoding="utf-8")
        for name, program, most in _CASES:
            command = [sys.executable, "-c", program, str(robot)]
            first, second = (
                min(times)
                for times in zip(
                    *(_two_processes(command, package) for _ in range(1 if quick else 3)),
                    strict=True,
                )
            )
            rows.append((name, first, second))
            bars.append(Bar(f"{name}, empty cache", first, most, "s"))
            bars.append(Bar(f"{name}, second process", second, min(most, _WARM), "s"))
    head = ("new process, without numba", "empty cache [s]", "second process [s]")
    return Part(
        "first_use",
        [Table("processor time of whole processes, imports included", head, rows)],
        bars,
        ["The package is laid out as a wheel installs it: kernels as bitcode, byte code compiled."],
    )


def _two_processes(command: list[str], package: Path) -> tuple[float, float]:
    """Processor time of a process that finds no code, and of the next one [s]."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {"TORSEUR_CACHE": cache, "PYTHONPATH": str(package)}
        first, second = (process(command, environment).cpu for _ in range(2))
    return first, second


def _install(package: Path) -> None:
    """The package as a wheel installs it."""
    source = Path(torseur.__file__).parent
    shutil.copytree(source, package / "torseur", ignore=shutil.ignore_patterns("__pycache__"))
    kernels = package / "torseur" / "machine" / "bitcode"
    if not kernels.is_dir():
        maker = [sys.executable, "-m", "torseur.machine.runtime.build_kernels", str(kernels)]
        subprocess.run(maker, check=True)
    compileall.compile_dir(package, quiet=1)


def quadruped() -> str:
    """A trunk on four legs of three joints each."""
    links, joints = [_link("trunk", 1.5, 0.0, (0.01, 0.02, 0.025))], []
    for name, x, y in (("fl", 1, 1), ("fr", 1, -1), ("hl", -1, 1), ("hr", -1, -1)):
        parent = "trunk"
        parts = (
            ("shoulder", 0.14, 0.0, "1 0 0", f"{0.19 * x} {0.08 * y} 0"),
            ("upper", 0.15, -0.08, "0 1 0", f"0 {0.015 * y} 0"),
            ("lower", 0.06, -0.08, "0 1 0", "0 0 -0.16"),
        )
        for part, mass, centre, axis, origin in parts:
            child = f"{name}_{part}"
            links.append(_link(child, mass, centre, (3e-4, 3e-4, 3e-5)))
            joints.append(
                f'<joint name="{child}" type="continuous"><parent link="{parent}"/>'
                f'<child link="{child}"/><origin xyz="{origin}"/><axis xyz="{axis}"/></joint>'
            )
            parent = child
    return f'<robot name="quadruped">{"".join(links + joints)}</robot>'


def _link(name: str, mass: float, centre: float, moments: tuple[float, float, float]) -> str:
    xx, yy, zz = moments
    return (
        f'<link name="{name}"><inertial><origin xyz="0 0 {centre}"/><mass value="{mass}"/>'
        f'<inertia ixx="{xx}" iyy="{yy}" izz="{zz}" ixy="0" ixz="0" iyz="0"/></inertial></link>'
    )
