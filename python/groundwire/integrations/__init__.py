"""Hooks into the libraries that generate text; each module imports its library only when used."""

from __future__ import annotations
