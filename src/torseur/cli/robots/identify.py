"""`torseur identify`: inertias, friction and loads of a robot from logs of its motion."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import rich_click as click

from torseur.cli.frame.command import Printout, answer_of, model_command
from torseur.cli.frame.options import option, plot, settings, several
from torseur.cli.frame.settings import FINITE, WHOLE
from torseur.errors import ModelError
from torseur.words.sentence import worded

if TYPE_CHECKING:
    from torseur.machine.compiled import CompiledModel
    from torseur.model.description import Mechanism
    from torseur.robotics.identification.filtering import Filtering

_LOG = click.Path(dir_okay=False)


@model_command(
    "identify",
    option("--data", "Log of a motion and of its forces; without it, list the base parameters.",
           "LOG.csv", type=_LOG),
    option("--validate", "Another log, to compare its forces with the identified model.", "LOG.csv",
           type=_LOG),
    click.option("--consistent", is_flag=True, help="Restrict to physically possible inertias."),
    option("--loaded", "Log with a load at the tool; --data is then the log without it.",
           "LOG.csv", type=_LOG),
    option("--at", "The place where the load is fixed: a frame, a point or a body.", "PLACE"),
    several("--known", "known", "A parameter that keeps its value, such as `rotor inertia of M1`."),
    click.option("--unweighted", is_flag=True, help="Give all joints the same weight."),
    option("--cutoff", "Cutoff of the filter; default: from the motion.", "HZ",
           type=FINITE),
    option("--decimation", "Keep one sample out of N.", "N", type=WHOLE),
    settings(),
    plot("Forces and residuals"),
)  # fmt: skip
def identify(
    mechanism: Mechanism,
    data: str | None,
    loaded: str | None,
    at: str | None,
    known: tuple[str, ...],
    cutoff: float | None,
    decimation: int | None,
    parameters: dict[str, float],
    **options: Any,
) -> Printout:
    """Find the base parameters of MODEL, and estimate their values from a log.

    LOG.csv has a row of names, with units in brackets, then samples: `t`, every coordinate, its
    force or torque as `Q_q1` or by the name of its motor (torque on the motor's side), and speeds
    (`q1.`) and accelerations (`q1..`) if they were measured.

    Example: `torseur identify double_pendulum.yaml`

    Example: `torseur identify double_pendulum.yaml --data log.csv --consistent`
    """
    from torseur.machine.compiled import compiled_at
    from torseur.robotics.identification.base_parameters import base_parameters
    from torseur.robotics.identification.filtering import Filtering

    model = compiled_at(mechanism, parameters)
    if data is None:
        return answer_of(mechanism, base_parameters(model, known=known))
    filtering = Filtering(cutoff, decimation=decimation)
    if loaded is not None:
        return _load(model, data, loaded, at, filtering)
    return _estimate(model, data, known, filtering, **options)


def _load(
    model: CompiledModel, data: str, loaded: str, at: str | None, filtering: Filtering
) -> Printout:
    from torseur.robotics.identification.logs import read_log
    from torseur.robotics.identification.payload import identify_payload

    if at is None:
        raise ModelError("--at", "the option is missing.", "For instance: --at tool.")
    logs = read_log(model, data), read_log(model, loaded)
    payload = identify_payload(model, *logs, at, filtering=filtering)
    document = {"name": model.mechanism.name, "load": payload.document}
    return replace(answer_of(model.mechanism, payload), document=lambda: document)


def _estimate(
    model: CompiledModel,
    data: str,
    known: tuple[str, ...],
    filtering: Filtering,
    validate: str | None,
    consistent: bool,
    unweighted: bool,
) -> Printout:
    from torseur.robotics.identification.consistency import consistent_estimate
    from torseur.robotics.identification.identify import identify as identified
    from torseur.robotics.identification.identify import validate as validated
    from torseur.robotics.identification.logs import read_log

    log = read_log(model, data)
    identification = identified(
        model, log, known=known, weighted=not unweighted, filtering=filtering
    )
    document, texts = (
        {"name": model.mechanism.name} | identification.document,
        [str(identification)],
    )
    if validate is not None:
        left = validated(identification, read_log(model, validate), filtering=filtering)
        document["validation"] = left.document
        texts += [f"{worded('on the other log:')}\n{left}"]
    if consistent:
        bodies = consistent_estimate(identification)
        document["consistent"] = bodies.document
        texts += [str(bodies)]
    text = f"{model.mechanism.name}{worded(': ')}" + "\n\n".join(texts)
    return Printout(lambda: document, text, identification.figure)
