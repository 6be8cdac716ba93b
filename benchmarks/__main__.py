"""`python -m benchmarks`: everything measured in one run."""

from __future__ import annotations

import argparse
import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

from benchmarks import machine
from benchmarks.figures import FOLDER
from benchmarks.outcome import Part, Table
from benchmarks.timing import BUSY, load

PARTS = (
    "operations",
    "generation",
    "formalisms",
    "calls",
    "loops",
    "reading",
    "compiling",
    "first_use",
    "chains",
    "integration",
    "stiff",
    "long_runs",
    "contact",
    "absolute",
    "piles",
    "zoo",
    "control",
    "batches",
    "studies",
    "work_precision",
)


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--json", metavar="FILE", help="results as JSON; - is standard output")
    parser.add_argument("--only", metavar="NAME", choices=PARTS, help=f"one of {', '.join(PARTS)}")
    parser.add_argument("--quick", action="store_true", help="fewer repeats, smaller cases")
    return parser.parse_args()


def main() -> int:
    """0: measured, whatever the verdicts; engines that disagree stop the run."""
    given = arguments()
    os.environ.setdefault("TORSEUR_CACHE", str((FOLDER / "cache").resolve()))
    out = sys.stderr if given.json == "-" else sys.stdout
    described = machine.description()
    print(_opening(described), file=out, flush=True)
    parts, documents = [], []
    for name in (given.only,) if given.only else PARTS:
        print(f"\n━━ {name} ━━ load average {load():.1f}\n", file=out, flush=True)
        before = load()
        part: Part = import_module(f"benchmarks.{name}").run(quick=given.quick)
        documents.append(part.document | {"load": [before, load()]})
        parts.append(part)
        print(part, file=out, flush=True)
    print(_closing(parts), file=out)
    if given.json:
        _save(given.json, {"machine": described, "parts": documents})
    return 0


def _opening(described: dict[str, str | None]) -> str:
    lines = [f"{name}: {value}" for name, value in described.items() if value is not None]
    lacking = machine.missing()
    if lacking:
        lines.append(
            f"Not installed, not compared: {', '.join(lacking)}. To get them: {machine.HOW}."
        )
    if described["gcc"] is None:
        lines.append("No gcc: CasADi's C code is not measured.")
    lines.append(f"Load average {load():.1f}; repeats are tripled above {BUSY:g}.")
    return "\n".join(lines)


def _closing(parts: list[Part]) -> str:
    """Every bar of every part, and how many are met."""
    bars = [bar for part in parts for bar in part.bars]
    met = sum(bar.met for bar in bars)
    if not bars:
        return ""
    head = ("bar", "measured", "limit", "verdict")
    table = Table("━━ all bars ━━", head, [bar.row for bar in bars])
    return f"\n{table}\n\n{met} of {len(bars)} bars met; load average {load():.1f}."


def _save(target: str, document: dict[str, Any]) -> None:
    text = json.dumps(document, indent=2, ensure_ascii=False)
    if target == "-":
        print(text)
        return
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(target).write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
