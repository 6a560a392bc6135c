"""Write the small model as a folder in float32, which vLLM can load (it reads no GGUF on a CPU).

Usage: ``python tools/float_model.py FOLDER``; a folder that holds a model is left as it is.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any


def write(folder: Path) -> None:
    """Read the packaged GGUF and write weights, configuration and tokenizer to ``folder``."""
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer, LlamaForCausalLM

    from groundwire.integrations.models import SMALL, locate

    place = locate(SMALL)
    source: dict[str, Any] = {"gguf_file": place.gguf}
    tokenizer = AutoTokenizer.from_pretrained(place.name, **source)
    read = AutoModelForCausalLM.from_pretrained(place.name, dtype=torch.float32, **source)
    # A model that knows it came from a GGUF refuses to be saved; the weights are plain by now.
    config = read.config
    config.__dict__.pop("quantization_config", None)
    plain = LlamaForCausalLM(config).to(torch.float32)
    plain.load_state_dict(read.state_dict())
    plain.save_pretrained(folder)
    tokenizer.save_pretrained(folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python tools/float_model.py FOLDER")
    target = Path(sys.argv[1])
    if not (target / "config.json").exists():
        write(target)
