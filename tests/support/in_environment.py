"""Run a tool of `.venv`, on any system: python in_environment.py ruff check."""

import shutil
import subprocess
import sys
from pathlib import Path

ENVIRONMENT = Path(__file__).parents[2] / ".venv"


def main():
    """Run the tool with its arguments; the exit code is that of the tool."""
    name, *arguments = sys.argv[1:]
    folders = (ENVIRONMENT / "bin", ENVIRONMENT / "Scripts")  # the second on Windows
    found = [shutil.which(name, path=str(folder)) for folder in folders]
    if not any(found):
        sys.exit(f"{name} is not in .venv. Install the tools: make env")
    program = next(filter(None, found))
    sys.exit(subprocess.run([program, *arguments], cwd=ENVIRONMENT.parent).returncode)


if __name__ == "__main__":
    main()
