"""`torseur derive`: the equations of motion of a mechanism."""

from typing import Any

import rich_click as click

from torseur.cli.model import load_model, model_arguments, say_json
from torseur.errors import ModelError

FORMATS = ("text", "latex", "sympy", "json")


@click.command()
@model_arguments
@click.option(
    "--formalism",
    default="auto",
    metavar="F",
    help="newton-euler, lagrange, kane, virtual-power, gibbs-appell, hamilton, augmented-bodies or "
    "uicker. Default: augmented-bodies for a robot of revolute and prismatic joints described by a "
    "phrase, newton-euler otherwise.",
)
@click.option("--compare", "comparing", is_flag=True, help="Derive by all and prove them equal.")
@click.option(
    "--quasi", metavar="U=EXPR", multiple=True, help="Kane: a quasi-velocity, once for each speed."
)
@click.option(
    "--eliminate",
    metavar="NAME[=Q]",
    multiple=True,
    help="Lagrange: a constraint or imposed motion whose coordinate is put in, or which one is.",
)
@click.option("--as", "form", type=click.Choice(FORMATS), default="text", help="Output format.")
@click.option("--of", "wanted", metavar="NAMES", help="Only these outputs, such as M,h,g,Q.")
@click.option("--json", "as_json", is_flag=True, help="Same as --as json.")
def derive(
    model: str,
    masses: str | None,
    gravity: str | None,
    formalism: str,
    comparing: bool,
    quasi: tuple[str, ...],
    eliminate: tuple[str, ...],
    form: str,
    wanted: str | None,
    as_json: bool,
) -> None:
    """Derive the equations of motion M a + h + g = Q of MODEL.

    Example: `torseur derive "RY(q1), TYK(L1), RX(q2), TYK(L2);" --masses lever`
    """
    from torseur.equations.diagnosis import inertia_notices
    from torseur.equations.formalisms.derive import derive as derived

    mechanism = load_model(model, masses, gravity)
    if comparing:
        _compare(mechanism, as_json or form == "json")
        return
    options = _options(quasi, eliminate)
    equations = derived(mechanism, _formalism(mechanism, formalism, options), **options)
    outputs = tuple(name.strip() for name in wanted.split(",")) if wanted else None
    form = "json" if as_json else form
    # a motion without inertia is told by the joints it is in, which quasi-velocities have none of
    notices = (*mechanism.notices, *(() if quasi else inertia_notices(equations)))
    if form == "json":
        from torseur.report.pages.documents import equations_document

        say_json(equations_document(equations, outputs, notices))
        return
    click.echo(_written(equations, form, outputs))
    for notice in notices:
        click.echo(f"notice: {notice}", err=form != "text")


def _compare(mechanism, as_json: bool) -> None:
    """Every formalism side by side; exit code 1 if two that apply do not agree."""
    from torseur.equations.compare.compare import compare

    found = compare(mechanism)
    if as_json:
        say_json(found.document)
    else:
        click.echo(str(found))
    if not found.agree:
        raise SystemExit(1)


def _options(quasi: tuple[str, ...], eliminate: tuple[str, ...]) -> dict[str, Any]:
    """What a formalism takes besides the mechanism."""
    pairs = (given.partition("=") for given in eliminate)
    chosen = {name.strip(): coordinate.strip() for name, _, coordinate in pairs}
    options: dict[str, Any] = {"eliminate": chosen} if chosen else {}
    for given in quasi:
        name, equals, text = given.partition("=")
        if not equals:
            raise ModelError("--quasi", f'"{given}" is not U=EXPR.', 'Such as "u1=q1. + q2.".')
        options.setdefault("quasi_velocities", {})[name.strip()] = text
    return options


def _formalism(mechanism, formalism: str, options: dict[str, Any]) -> str:
    """The formalism asked for, or the one that reads best."""
    from torseur.model.joints.freedoms import Slide, Turn, only

    if formalism != "auto":
        return formalism
    if options:
        return "kane" if "quasi_velocities" in options else "lagrange"
    freedoms = (only(joint.kind.freedoms) for joint in mechanism.joints.values())
    simple = all(isinstance(x, Slide | Turn) for x in freedoms)
    return "augmented-bodies" if simple and mechanism.phrase else "newton-euler"


def _written(equations, form: str, outputs: tuple[str, ...] | None) -> str:
    """The equations in one of the printed forms."""
    if form == "latex":
        return equations.latex(outputs) if outputs else equations.latex()
    if form == "sympy":
        matrices = equations.to_sympy()
        chosen = outputs or tuple(matrices)
        missing = [name for name in chosen if name not in matrices]
        if missing:
            raise ModelError(
                "--of", f"SymPy output has no {missing[0]}.", f"Possible: {', '.join(matrices)}."
            )
        return "\n".join(f"{name} = {matrices[name]}" for name in chosen)
    if outputs is None and equations.formalism == "augmented-bodies":
        from torseur.report.pages.listing_1980 import listing

        return listing(equations)
    return equations.text(outputs) if outputs else equations.text()
