"""Frameworks that are extras: imported when an integration is, and missed by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from groundwire.errors import MissingExtraError


def need(module: str, extra: str) -> Any:
    """Return the imported ``module``.

    Raises:
        MissingExtraError: it is not installed, or something it needs is not; the message says
            which, and the extra of groundwire that brings it.

    """
    try:
        return import_module(module)
    except ImportError as error:
        raise MissingExtraError(
            f"{module} cannot be imported ({error}): pip install 'groundwire[{extra}]'"
        ) from error
