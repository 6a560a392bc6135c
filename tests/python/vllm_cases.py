"""What the tests of the vLLM integration share: a museum, its configuration, an engine."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

FACTS = '{"name": "Harbour Museum", "attributes": {"founded": 1987, "employees": 45}}\n'
WRONG = "The Harbour Museum was founded in 1992."
NOTE = " (Correction: 1987, not 1992.)"
CONFIG = """
[serving]
default_policy = "off"
requests_may_lower = true
signals_socket = "{socket}"
[serving.policies.ending]
medium = "interrupt"
high = "interrupt"
after_interrupt = "stop"
auto_correct = 1.0
[serving.knowledge_bases]
museum = "{kb}"
"""


def configured(folder: Path, socket: str = "") -> Path:
    """Write the configuration and its knowledge base; return the file."""
    kb = folder / "museum.jsonl"
    kb.write_text(FACTS)
    file = folder / "serving.toml"
    file.write_text(CONFIG.format(kb=kb.as_posix(), socket=socket))
    return file


def engine_arguments(**given: Any) -> dict[str, Any]:
    """Arguments of a small engine in this process."""
    return {
        "model": os.environ["GROUNDWIRE_TEST_MODEL"],
        "max_model_len": 1024,
        "max_num_seqs": 8,
        "block_size": 32,
        "enforce_eager": True,
        "seed": 0,
        "dtype": "float32",
        "gpu_memory_utilization": 0.08,
        **given,
    }
