"""Description of an FMU: modelDescription.xml of FMI 2 and 3, and the build description."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final
from xml.etree import ElementTree as xml

from torseur.tools.fmu.variables import INDICATOR, Variable, base_powers
from torseur.version import __version__

Element = xml.Element
_CATEGORY = "logStatusError"


def _text(root: Element) -> str:
    xml.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + xml.tostring(root, "unicode") + "\n"


def _child(parent: Element, tag: str, **attributes: object) -> Element:
    """A child with attributes that have a value."""
    given = {name: _value(x) for name, x in attributes.items() if x not in (None, "")}
    return xml.SubElement(parent, tag, given)


def _value(x: object) -> str:
    return str(x).lower() if isinstance(x, bool) else repr(x) if isinstance(x, float) else str(x)


@final
@dataclass(frozen=True)
class Named:
    """Names of an FMU."""

    name: str
    identifier: str  # of its files
    meaning: str
    token: str


def model_description(
    fmi: int, named: Named, variables: Sequence[Variable], *,
    indicators: int, tolerance: float, sources: Sequence[str],
) -> str:  # fmt: skip
    """The text of modelDescription.xml."""
    root = xml.Element("fmiModelDescription", fmiVersion=f"{fmi}.0", modelName=named.name)
    root.set("instantiationToken" if fmi == 3 else "guid", named.token)
    if named.meaning:
        root.set("description", named.meaning)
    root.set("generationTool", f"Torseur {__version__}")
    root.set("variableNamingConvention", "flat")
    if fmi == 2:
        root.set("numberOfEventIndicators", str(indicators))
    _interfaces(root, fmi, named.identifier, sources)
    units = dict.fromkeys(x.unit for x in variables if x.unit)
    listed = _child(root, "UnitDefinitions")
    for unit in units:
        _child(_child(listed, "Unit", name=unit), "BaseUnit", **base_powers(unit))
    _child(_child(root, "LogCategories"), "Category", name=_CATEGORY)
    _child(root, "DefaultExperiment", startTime=0.0, stopTime=1.0, tolerance=tolerance)
    table = _child(root, "ModelVariables")
    for variable in variables:
        (_variable_3 if fmi == 3 else _variable_2)(table, variable)
    structure = _child(root, "ModelStructure")
    (_structure_3 if fmi == 3 else _structure_2)(structure, variables, indicators)
    return _text(root)


def _interfaces(root: Element, fmi: int, identifier: str, sources: Sequence[str]) -> None:
    """Model exchange and co-simulation; FMI 2 lists the sources here."""
    state = {"canGetAndSetFMUState" if fmi == 3 else "canGetAndSetFMUstate": True}
    exchange = _child(
        root, "ModelExchange", modelIdentifier=identifier, **state,
        **({"needsCompletedIntegratorStep": True} if fmi == 3 else {}),
    )  # fmt: skip
    stepping = _child(
        root, "CoSimulation", modelIdentifier=identifier, **state,
        canHandleVariableCommunicationStepSize=True,
    )  # fmt: skip
    if fmi == 2:
        for interface in (exchange, stepping):
            listed = _child(interface, "SourceFiles")
            for source in sources:
                _child(listed, "File", name=source)


def _variable_3(table: Element, x: Variable) -> None:
    _child(
        table, "Float64", name=x.name, valueReference=x.reference, description=x.meaning,
        causality=x.causality, variability=x.variability, initial=x.initial, unit=x.unit,
        start=x.start, derivative=x.derivative_of,
    )  # fmt: skip


def _variable_2(table: Element, x: Variable) -> None:
    """References and indices are told apart: those count from 0, these from 1."""
    one = _child(
        table, "ScalarVariable", name=x.name, valueReference=x.reference, description=x.meaning,
        causality=x.causality, variability=x.variability, initial=x.initial,
    )  # fmt: skip
    index = None if x.derivative_of is None else x.derivative_of + 1
    _child(one, "Real", unit=x.unit, start=x.start, derivative=index)


def _unknowns(variables: Sequence[Variable]) -> Mapping[str, list[int]]:
    """Value references of outputs, rates of states, and what is computed at the start."""
    return {
        "outputs": [x.reference for x in variables if x.causality == "output"],
        "rates": [x.reference for x in variables if x.derivative_of is not None],
        "initial": [
            x.reference
            for x in variables
            if x.initial == "calculated"
            and (x.causality == "output" or x.derivative_of is not None)
        ],
    }


def _unknown(parent: Element, tag: str, x: Variable, tells: bool, shift: int) -> None:
    """An unknown and what it depends on; `shift` is 1 for indices of FMI 2, which count from 1."""
    name = "index" if shift else "valueReference"
    one = _child(parent, tag, **{name: x.reference + shift})
    if tells and x.depends_on is not None:
        listed = [k + shift for k in x.depends_on]
        one.set("dependencies", " ".join(map(str, listed)))


def _structure_3(structure: Element, variables: Sequence[Variable], indicators: int) -> None:
    known = _unknowns(variables)
    for tag, listed in (
        ("Output", known["outputs"]),
        ("ContinuousStateDerivative", known["rates"]),
        ("InitialUnknown", known["initial"]),
    ):
        for reference in listed:
            _unknown(structure, tag, variables[reference], tag != "InitialUnknown", 0)
    for reference in [x.reference for x in variables if x.name.startswith(f"{INDICATOR} ")]:
        _child(structure, "EventIndicator", valueReference=reference)


def _structure_2(structure: Element, variables: Sequence[Variable], indicators: int) -> None:
    known = _unknowns(variables)
    for tag, listed in (
        ("Outputs", known["outputs"]),
        ("Derivatives", known["rates"]),
        ("InitialUnknowns", known["initial"]),
    ):
        if listed:
            one = _child(structure, tag)
            for reference in listed:
                _unknown(one, "Unknown", variables[reference], tag != "InitialUnknowns", 1)


def build_description(identifier: str, sources: Sequence[str], platform: str | None) -> str:
    """The text of sources/buildDescription.xml of FMI 3."""
    root = xml.Element("fmiBuildDescription", fmiVersion="3.0")
    one = _child(root, "BuildConfiguration", modelIdentifier=identifier, platform=platform)
    listed = _child(one, "SourceFileSet", language="C99", compilerOptions="-ffp-contract=off")
    for source in sources:
        _child(listed, "SourceFile", name=source)
    _child(one, "Library", name="m", external=True)
    return _text(root)
