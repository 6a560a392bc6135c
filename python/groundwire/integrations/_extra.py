"""Frameworks that are extras: imported when an integration is, and missed by name."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from groundwire.errors import MissingExtraError


def need(module: str, extra: str | None) -> Any:
    """Return the imported ``module``.

    ``extra`` is the extra of groundwire that brings it; none for engines, which are the host's.

    Raises:
        MissingExtraError: it is not installed, or something it needs is not; the message says
            which, and what to install.

    """
    try:
        return import_module(module)
    except ImportError as error:
        what = module.split(".", maxsplit=1)[0] if extra is None else f"'groundwire[{extra}]'"
        raise MissingExtraError(
            f"{module} cannot be imported ({error}): pip install {what}"
        ) from error
