"""The one door of the library: what a public function is given becomes what it takes, or a message.

Wherever a function takes a mechanism it may be given a phrase, a path, the YAML form as a dict or a
compiled model. The hints of its signature say what it takes; anything else is a ModelError that
names the argument, what was given and what was expected.
"""

from __future__ import annotations

import os
import types
from collections import abc
from collections.abc import Callable, Mapping
from contextlib import nullcontext
from dataclasses import replace
from functools import cache, wraps
from importlib import import_module
from inspect import CO_VARKEYWORDS, Parameter, Signature, signature
from math import inf
from numbers import Integral, Real
from pathlib import Path
from typing import Any, Union, Unpack, get_args, get_origin, get_type_hints

import numpy as np

from torseur.algebra.core.called import raise_what_functions_raised
from torseur.brief import shortened
from torseur.errors import ModelError, unknown
from torseur.model.commands import uncommanded
from torseur.model.description import Mechanism
from torseur.spatial.in_words import listed
from torseur.waiting import is_interactive, waiting
from torseur.words.sentence import say, worded

NO = object()  # what does not fit
_EXACT, _LARGEST = 2**53, 2**1023  # larger whole numbers are rounded, and no longer numbers
_ANY = (Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD)
_LISTS = (list, tuple, abc.Sequence, abc.Iterable, abc.Collection)


def entrance(home: str, there: str, package: str, name: str) -> Any:
    """Value of a public name: a function of a module checked at the door, a class, a module."""
    module = import_module(home)
    value = getattr(module, there, None) or import_module(f"{home}.{there}")
    if isinstance(value, types.FunctionType):
        return opened(value, package, name)
    if isinstance(value, types.ModuleType):
        return _room(value, package, name)
    return value


def _room(module: types.ModuleType, package: str, name: str) -> types.ModuleType:
    """A module with its own functions only, each behind the door."""
    room = types.ModuleType(f"{package}.{name}", module.__doc__)
    for key, value in vars(module).items():
        is_public = isinstance(value, types.FunctionType) and value.__module__ == module.__name__
        if is_public and not key.startswith("_"):
            setattr(room, key, opened(value, package, f"{name}.{key}"))
    return room


def opened(function: Callable[..., Any], package: str, name: str) -> Callable[..., Any]:
    """A function whose arguments pass the door; it stands in the package under the name."""
    called = f"{package}.{name}".replace("torseur", "ts", 1)

    @wraps(function)
    def entered(*args: Any, **kwargs: Any) -> Any:
        expected, hints = _expected(function)
        try:
            bound = expected.bind(*args, **kwargs)
        except TypeError:
            raise _misfit(name, expected, args, kwargs) from None
        for key, value in bound.arguments.items():
            kind, hint = expected.parameters[key].kind, hints[key]
            if kind is Parameter.VAR_POSITIONAL:
                bound.arguments[key] = tuple(_passed(name, key, x, hint) for x in value)
            elif kind is not Parameter.VAR_KEYWORD:
                bound.arguments[key] = _passed(name, key, value, hint)
        try:
            with waiting(called) if is_interactive() else nullcontext():
                return function(*bound.args, **bound.kwargs)
        finally:
            raise_what_functions_raised()

    entered.__module__, entered.__qualname__ = package, name  # so that it can be pickled
    if function.__code__.co_flags & CO_VARKEYWORDS:
        entered.__signature__ = _expected(function)[0]  # type: ignore[attr-defined]
    return entered


def _misfit(
    place: str, expected: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> ModelError:
    """Which argument a function does not know, lacks or is given twice."""
    parameters = {key: x for key, x in expected.parameters.items() if x.kind not in _ANY}
    for key in kwargs:
        if key not in parameters:
            return unknown(place, "argument", key, parameters)
    placed = [key for key, x in parameters.items() if x.kind is not Parameter.KEYWORD_ONLY]
    if len(args) > len(placed):
        short = shortened(repr(args[len(placed)]))
        named = ", ".join(f"{key}=" for key in parameters if key not in placed)
        advice = (say("Give it by its name: {named}.", named),) if named else ()
        return ModelError(place, say("the argument {short} is one too many.", short), *advice)
    for key in placed[: len(args)]:
        if key in kwargs:
            return ModelError(place, say('the argument "{key}" is given twice.', key))
    given = {*placed[: len(args)], *kwargs}
    needed = [key for key, x in parameters.items() if x.default is Parameter.empty]
    lacking = next(key for key in needed if key not in given)
    call = f"{place}({', '.join(needed)}, …)"
    problem = say('the argument "{key}" is missing.', lacking)
    return ModelError(place, problem, say("Usage: {call}.", call))


@cache
def _expected(function: Callable[..., Any]) -> tuple[Any, dict[str, Any]]:
    """The signature of a function and its hints; names that are known to checkers only are Any."""
    known = _Names(function.__globals__)
    parameters, hints = list[Parameter](), dict[str, Any]()
    declared = signature(function)
    for key, parameter in declared.parameters.items():
        hint = parameter.annotation
        hint = Any if hint is Parameter.empty else hint
        hint = eval(hint, known) if isinstance(hint, str) else hint
        if get_origin(hint) is Unpack:  # arguments by name that a TypedDict lists
            (table,) = get_args(hint)
            named = get_type_hints(table)
            parameters += [
                Parameter(x, Parameter.KEYWORD_ONLY, default=None, annotation=named[x])
                for x in named
            ]
            hints |= named
        else:
            parameters.append(parameter)
            hints[key] = hint
    return declared.replace(parameters=parameters), hints


class _Names(dict[str, Any]):
    """The names of a module; one that is imported for checkers only stands for anything."""

    def __missing__(self, name: str) -> Any:
        builtins: Any = self["__builtins__"]
        known = builtins if isinstance(builtins, dict) else vars(builtins)
        return known.get(name, Any)


def _passed(place: str, key: str, value: Any, hint: Any) -> Any:
    """The value as it is taken."""
    fitted = _fitted(value, hint)
    if fitted is NO and _takes(hint, Mechanism):
        fitted = _mechanism(value, hint)
    if fitted is NO:
        short = shortened(repr(value))
        raise ModelError(
            place,
            say('the argument "{key}" is {short} ({kind}).', key, short, type(value).__name__),
            say("Expected: {last}.", listed(list(dict.fromkeys(_words(hint))), "or")),
            *(("Give one of them, such as results[0].",) if _are_several(value, hint) else ()),
        )
    _require_states_known(place, fitted)
    return _without_commands(fitted)


def _require_states_known(place: str, value: Any) -> None:
    """Refuse first-order states where a function would leave them out; runs have them."""
    mechanism = getattr(value, "mechanism", value)
    if isinstance(mechanism, Mechanism) and mechanism.states and not hasattr(value, "samples"):
        from torseur.model.contact.smooth import require_states_known

        require_states_known(place, mechanism)


def _without_commands(value: Any) -> Any:
    """A mechanism as it is described, where a law acted on it in a run."""
    if isinstance(value, Mechanism):
        return uncommanded(value)
    mechanism = getattr(value, "mechanism", None)
    if isinstance(mechanism, Mechanism) and mechanism.commanded:
        from torseur.machine.compiled import CompiledModel

        if isinstance(value, CompiledModel):
            return CompiledModel(uncommanded(mechanism), parameters=value.given)
    return value


def _are_several(value: Any, hint: Any) -> bool:
    """Whether it is a list of what was expected."""
    listed = isinstance(value, abc.Iterable) and not isinstance(value, str | Mapping)
    return listed and any(_fitted(x, hint) is not NO for x in value)


def _kinds(hint: Any) -> tuple[Any, ...]:
    """The alternatives of a hint."""
    return get_args(hint) if get_origin(hint) in (Union, types.UnionType) else (hint,)


def _takes(hint: Any, kind: type) -> bool:
    return any(one is kind for one in _kinds(hint))


def _mechanism(value: Any, hint: Any) -> Any:
    """The mechanism that a phrase, a path, a dict or a compiled model stands for."""
    from torseur.language.load import load_once
    from torseur.machine.compiled import CompiledModel
    from torseur.model.parameters import with_values

    if isinstance(value, CompiledModel):
        table = with_values(value.mechanism.parameter_table, value.given)
        return replace(value.mechanism, parameter_table=table) if value.given else value.mechanism
    text = isinstance(value, str) and not _takes(hint, str)
    readable = text or isinstance(value, os.PathLike | Mapping)
    return load_once(value) if readable else NO


def _fitted(value: Any, hint: Any) -> Any:
    """The value, brought to the form of the first alternative that it fits; NO if it fits none."""
    for kind in _kinds(hint):
        fitted = _as(value, kind)
        if fitted is not NO:
            return fitted
    return NO


def _as(value: Any, kind: Any) -> Any:
    """The value as one kind."""
    origin, inner = get_origin(kind) or kind, get_args(kind)
    if origin is Any:
        return value
    if origin is None or origin is types.NoneType:
        return value if value is None else NO
    if origin in (float, int, complex, bool):
        return _number(value, origin)
    if origin is np.ndarray:
        return _array(value)
    if origin in (Path, os.PathLike):
        return value if isinstance(value, str | os.PathLike) else NO
    if origin in (abc.Mapping, dict):
        return _mapping(value, inner)
    if origin is abc.Callable:
        return value if callable(value) else NO
    if origin in _LISTS:
        return _list(value, origin, inner)
    if getattr(origin, "_is_protocol", False):
        return value if all(hasattr(value, x) for x in _members(origin)) else NO
    return value if not isinstance(origin, type) or isinstance(value, origin) else NO


def _members(protocol: type) -> list[str]:
    """Public members of a protocol."""
    named = {**vars(protocol), **getattr(protocol, "__annotations__", {})}
    return [name for name in named if not name.startswith("_")]


def _number(value: Any, kind: type) -> Any:
    wide: Any = {int: Integral, bool: (bool, np.bool_), float: Real, complex: (Real, complex)}[kind]
    scalar = value.item() if isinstance(value, np.ndarray) and value.ndim == 0 else value
    if kind is float and isinstance(scalar, int) and abs(scalar) > _EXACT:
        return float(scalar) if abs(scalar) < _LARGEST else (inf if scalar > 0 else -inf)
    return scalar if isinstance(scalar, wide) else NO


def _array(value: Any) -> Any:
    """Numbers in any arrangement."""
    if isinstance(value, str | bytes | Mapping) or value is None:
        return NO
    try:
        array = value if isinstance(value, np.ndarray) else np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return NO
    return array if array.ndim else NO


def _mapping(value: Any, inner: tuple[Any, ...]) -> Any:
    """Names with values; what was assembled gives its coordinates and speeds."""
    from torseur.simulation.start.assemble import Assembled

    if isinstance(value, Assembled):
        return {**value.coordinates, **value.speeds}
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        return NO
    if inner[1:] == (float,):  # a text may be a number with its unit, an array a batch
        good = all(isinstance(x, Real | str | np.ndarray) for x in value.values())
        return value if good else NO
    fitted = {key: _fitted(x, inner[1] if inner else Any) for key, x in value.items()}
    return NO if any(x is NO for x in fitted.values()) else fitted


def _list(value: Any, origin: Any, inner: tuple[Any, ...]) -> Any:
    """A list of anything, or of texts, of which one may stand alone, or of numbers."""
    if isinstance(value, str):
        alone = inner[:1] == (str,) and (origin is not tuple or Ellipsis in inner)
        return (value,) if alone else NO
    if isinstance(value, Mapping) or not isinstance(value, abc.Iterable):
        return NO
    if not inner:
        return value
    items = list(value)
    fixed = origin is tuple and Ellipsis not in inner
    if fixed and len(items) != len(inner):
        return NO
    kinds = inner if fixed else inner[:1] * len(items)
    fitted = [_fitted(x, kind) for x, kind in zip(items, kinds, strict=True)]
    if any(x is NO for x in fitted):
        return NO
    return value if isinstance(value, np.ndarray) else tuple(fitted)


_WORDS = {
    Any: "a value",
    float: "a number",
    int: "a whole number",
    complex: "a number",
    bool: "True or False",
    str: "a text",
    np.ndarray: "an array of numbers",
    Mechanism: "a mechanism (ts.load), a phrase, a path or a dict of the YAML form",
    Path: "the path of a file",
    os.PathLike: "the path of a file",
    abc.Mapping: 'names with values, such as {"alpha": 0.3}',
    dict: "names with values",
    abc.Callable: "a function",
}

_TEXTS_BY_NAME = 'names with texts, such as {"theta": "-k*theta"}'


def _words(hint: Any) -> list[str]:
    """Values that a type hint accepts, in words."""
    words = []
    for kind in _kinds(hint):
        origin, inner = get_origin(kind) or kind, get_args(kind)
        if origin is abc.Mapping and inner and str in _kinds(inner[1]):
            words.append(worded(_TEXTS_BY_NAME))
        elif origin is abc.Mapping and inner[1:] == (Any,):
            words.append(worded("a dict"))
        elif origin in _WORDS:
            words.append(worded(_WORDS[origin]))
        elif origin in _LISTS:
            words.append(_list_words(origin, inner))
        elif isinstance(origin, type) and origin is not types.NoneType:
            words.append(say("a value of the kind {kind}", origin.__name__))
    return words


def _list_words(origin: Any, inner: tuple[Any, ...]) -> str:
    """A list or a tuple in words, with what is in it."""
    if origin is tuple and Ellipsis not in inner:
        each = ", ".join(listed(_words(x), "or") for x in inner)
        return say("{count} values ({each})", len(inner), each)
    first: Any = inner[0] if inner else Any
    plain = {str: "a list of names", float: "a list of numbers"}.get(first)
    items = [] if plain or first is Any else list(dict.fromkeys(_words(first)))
    if items:
        return say("a list, each {each}", listed(items, "or"))
    return worded(plain or "a list")
