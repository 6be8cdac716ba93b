"""Files of the package as plain data, and models with parts of them changed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from typing import Any

from torseur.errors import unknown
from torseur.language.packaged import EXAMPLES, packaged_files
from torseur.language.yaml.source import read_text

_SAME = "of"  # the entry that names the example which the other entries change


@cache
def packaged(folder: str, name: str) -> Any:
    """The content of a file of YAML that comes with the package."""
    text = packaged_files(folder)[name].read_text(encoding="utf-8")
    return read_text(text, f"{name}.yaml").plain


def model_document(model: str | Mapping[str, Any]) -> dict[str, Any]:
    """The YAML form of an example by name, of an example with changes, or of a model itself."""
    if isinstance(model, str):
        if model not in packaged_files(EXAMPLES):
            raise unknown("exercise", "example", model, packaged_files(EXAMPLES))
        return dict(packaged(EXAMPLES, model))
    if _SAME not in model:
        return dict(model)
    changes = {key: value for key, value in model.items() if key != _SAME}
    return merged(model_document(model[_SAME]), changes)


def merged(document: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """A document with other entries, at any depth; one that becomes nothing is left out."""
    result = dict(document)
    for key, value in changes.items():
        if value is None:
            result.pop(key, None)
        elif isinstance(value, Mapping) and isinstance(result.get(key), Mapping):
            result[key] = merged(result[key], value)
        else:
            result[key] = value
    return result


def key_of(model: str | Mapping[str, Any]) -> str:
    """A text that is the same for the same model."""
    return json.dumps(model, sort_keys=True, default=dict)
