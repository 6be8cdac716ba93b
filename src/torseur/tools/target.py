"""A tool that files are written for, as one declaration."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import final


@final
@dataclass(frozen=True)
class Exported:
    """Files by name, and notices about them."""

    files: Mapping[str, bytes]
    notices: tuple[str, ...] = ()


@final
@dataclass(frozen=True)
class Target:
    """A tool by the name of `--to`."""

    name: str
    export: Callable[..., Exported]  # of a mechanism, with options by name
    options: tuple[str, ...]  # that it takes
