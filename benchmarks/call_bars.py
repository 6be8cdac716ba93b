"""The bars that calls and batches are held to."""

from __future__ import annotations

from benchmarks.outcome import Bar

Times = dict[tuple[str, ...], float]
LEAST = {"inverse_dynamics": 2.5, "mass_matrix": 2.0, "forward_dynamics": 3.5}


def bars_of(robot: str, single: Times, batch: Times) -> list[Bar]:
    """The bars of a robot, as far as the peers they compare with are there."""
    if robot.startswith("7R"):
        return [*_arm_calls(single), *_arm_batches(batch)]
    if robot.startswith("tree"):
        return [
            Bar(f"30-body tree, {_words(name)}, Pinocchio ÷ Torseur", ratio, 1, "×", at_least=True)
            for name in LEAST
            for ratio in _against(single, "Pinocchio", name)
        ]
    return []


def _words(function: str) -> str:
    return function.replace("_", " ")


def _against(times: Times, peer: str, name: str) -> list[float]:
    """How many times longer a peer takes for a call; empty without that peer."""
    return [times[peer, name] / times["Torseur", name]] if (peer, name) in times else []


def _arm_calls(single: Times) -> list[Bar]:
    derivatives = {f"{name}_derivatives": 1.0 for name in ("inverse_dynamics", "forward_dynamics")}
    return [
        Bar(
            f"7R, {_words(name)} from Python, Pinocchio ÷ Torseur", ratio, least, "×", at_least=True
        )
        for name, least in (LEAST | derivatives).items()
        for ratio in _against(single, "Pinocchio", name)
    ]


def _arm_batches(batch: Times) -> list[Bar]:
    name = "forward_dynamics"
    own = batch["Torseur", "batch", name]
    gain = batch["Torseur", "wall", name] / batch["Torseur", "two threads", name]
    bars = [Bar("7R, forward dynamics, a row of a batch, one core", 1e9 * own, 100, "ns")]
    ways = {
        "Pinocchio row by row": ([("Pinocchio", "row by row")], 25),
        "abaInParallel on one thread": ([("Pinocchio", "in parallel(1)")], 12),
        "MuJoCo, its best way": ([("MuJoCo", "row by row"), ("MuJoCo", "rollout(1)")], 20),
    }
    for words, (peers, least) in ways.items():
        found = [batch[(*peer, name)] for peer in peers if (*peer, name) in batch]
        if found:
            bars.append(Bar(f"7R, batch, {words} ÷ Torseur", min(found) / own, least, "×", True))
    return [*bars, Bar("7R, batch, gain of a second thread", gain, 1.7, "×", at_least=True)]
