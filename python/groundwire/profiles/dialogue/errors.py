"""What the dialogue profile's stages raise (S0-027)."""

from __future__ import annotations

from groundwire.errors import GroundwireError


class HallucinationError(GroundwireError, RuntimeError):
    """A stage of detection failed; the message names the stage, ``__cause__`` is what it raised."""


class MitigationError(GroundwireError, RuntimeError):
    """An action cannot be found or carried out; the message says which and why."""
