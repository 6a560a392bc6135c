"""Models for ``groundwire generate``; the loading is shared with the integrations."""

from __future__ import annotations

from groundwire.integrations.models import SMALL, Place, load, locate

__all__ = ["SMALL", "Place", "load", "locate"]
