"""Rest by dry friction about equilibria: where it holds, as far as one coordinate says so."""

from __future__ import annotations

from collections.abc import Iterable

from torseur.analyse.equilibria.holding_bands import at_rest, dry_names
from torseur.analyse.equilibria.sticking import Band, resting_range
from torseur.analyse.stability.steady import Steady
from torseur.machine.compiled import CompiledModel
from torseur.words.sentence import say


def rest_by_friction(model: CompiledModel, equilibria: Iterable[Steady]) -> tuple[Band, ...]:
    """The range about each equilibrium, of mechanisms with one coordinate free and no loops."""
    listed = [(_free_coordinate(x), x) for x in equilibria]
    if not dry_names(model.mechanism) or any(name is None for name, _ in listed):
        return ()
    known = {x: value for x, value in model.parameters.items() if value is not None}
    return tuple(
        resting_range(
            model.mechanism,
            name,
            at_rest(model) | {name: x.coordinates[name]},
            parameters=known,
            turns=not x.here.tangent.metres[x.here.chart.shifts[0]],
        )
        for name, x in listed
        if name is not None
    )


def _free_coordinate(steady: Steady) -> str | None:
    state = steady.here
    if len(state.chart.shifts) != 1 or state.tangent.rows or state.v.any() or state.t:
        return None
    speed = state.tangent.speeds[state.chart.shifts[0]]
    name = speed.removesuffix(".")
    return name if name != speed and name in steady.coordinates else None


def notices_of_rest(model: CompiledModel) -> tuple[str, ...]:
    """The notice that friction holds the mechanism beside its equilibria too."""
    names = ", ".join(dry_names(model.mechanism))
    notice = say(
        "Dry friction ({names}) lets it rest near these equilibria too: "
        "ts.stability.grip(mechanism, state) says whether it holds a state.",
        names,
    )
    return (notice,) if names else ()
