"""groundwire: a streaming hallucination monitor for language models."""

from __future__ import annotations
