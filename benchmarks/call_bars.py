"""The bars that calls and batches are held to."""

from __future__ import annotations

from benchmarks.engines import OF_THE_TOOL
from benchmarks.outcome import Bar

Times = dict[tuple[str, ...], float]
LEAST = {"inverse_dynamics": 2.5, "mass_matrix": 2.0, "forward_dynamics": 3.5}
DERIVATIVES = ("inverse_dynamics_derivatives", "forward_dynamics_derivatives")
# what a row of a batch is compared with: the ways of a peer, and how many times ours they take
WAYS = {
    "Pinocchio row by row": ((("Pinocchio", "row by row"),), 25),
    "Pinocchio in parallel on one thread": ((("Pinocchio", "in parallel(1)"),), 12),
    "MuJoCo, its best way,": ((("MuJoCo", "row by row"), ("MuJoCo", "rollout(1)")), 20),
}


def bars_of(robot: str, single: Times, batch: Times) -> list[Bar]:
    """The bars of a robot, as far as the peers they compare with are there."""
    derivatives = _calls(robot, single, dict.fromkeys(DERIVATIVES, 1.0))
    if robot.startswith("7R"):
        placed = [
            Bar(f"{robot}: {words(name)}, one call", 1e6 * single["Torseur", name], 1.0, "µs")
            for name in OF_THE_TOOL
        ]
        return [*_calls(robot, single, LEAST), *placed, *derivatives, *_batches(robot, batch)]
    if robot.startswith("tree"):
        return [*_calls(robot, single, dict.fromkeys(LEAST, 1.0)), *derivatives]
    return derivatives


def loop_bars(robot: str, loop: Times) -> list[Bar]:
    """One state inside a compiled loop: ours beside CasADi's C, the values folded into both."""
    own = {name: time for (engine, name), time in loop.items() if engine == "values fixed"}
    return [
        Bar(
            f"{robot}: {words(name)}, values folded, CasADi's C ÷ Torseur",
            loop["CasADi", name] / time,
            1.0,
            "×",
            at_least=True,
        )
        for name, time in own.items()
        if ("CasADi", name) in loop
    ]


def words(function: str) -> str:
    """A function as it is said."""
    return function.replace("_", " ").replace(":", " of the ")


def _calls(robot: str, single: Times, least: dict[str, float]) -> list[Bar]:
    """One call from Python: how many times longer Pinocchio takes."""
    return [
        Bar(
            f"{robot}: {words(name)}, Pinocchio ÷ Torseur",
            single["Pinocchio", name] / single["Torseur", name],
            limit,
            "×",
            at_least=True,
        )
        for name, limit in least.items()
        if ("Pinocchio", name) in single and ("Torseur", name) in single
    ]


def _batches(robot: str, batch: Times) -> list[Bar]:
    """A row of a batch: each function against each peer, and a second thread."""
    dynamics = "forward_dynamics"
    own = batch["Torseur", "batch", dynamics]
    gain = batch["Torseur", "wall", dynamics] / batch["Torseur", "two threads", dynamics]
    bars = [Bar(f"{robot}: forward dynamics, a row of a batch", 1e9 * own, 100, "ns")]
    for way, (peers, limit) in WAYS.items():
        for name in LEAST:
            found = [batch[(*peer, name)] for peer in peers if (*peer, name) in batch]
            if found:
                ratio = min(found) / batch["Torseur", "batch", name]
                what = f"{robot}: batch, {words(name)}, {way} ÷ Torseur"
                bars.append(Bar(what, ratio, limit, "×", at_least=True))
    bars.append(Bar(f"{robot}: batch, gain of a second thread", gain, 1.7, "×", at_least=True))
    return bars
