"""Models for ``groundwire generate``; the loading is shared with the integrations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from groundwire.errors import NotFoundError
from groundwire.integrations import models
from groundwire.integrations.models import SMALL, Place, locate

__all__ = ["SMALL", "Place", "load", "locate"]

_INSTEAD = (
    "give a name of the model hub (HuggingFaceTB/SmolLM2-135M-Instruct), a folder with a model's "
    f"config.json, a .gguf file, or {SMALL}"
)


def load(model: str) -> tuple[Any, Any]:
    """Return the model and its tokenizer, ready to generate.

    Raises:
        MissingExtraError: PyTorch or transformers is not installed.
        NotFoundError: there is no such model; the message says what was tried and what to give
            instead.

    """
    path = Path(model)
    if not model.strip():
        msg = f"no model is named; {_INSTEAD}"
        raise NotFoundError(msg)
    if _is_path(model) and not path.exists():
        msg = f"there is no file or folder {model}, and no model of the hub has such a name; "
        raise NotFoundError(msg + _INSTEAD)
    if path.is_dir() and not (path / "config.json").is_file():
        msg = f"the folder {model} holds no model: there is no config.json in it; {_INSTEAD}"
        raise NotFoundError(msg)
    if path.is_file() and path.suffix != ".gguf":
        msg = f"the file {model} is no model: its name does not end in .gguf; {_INSTEAD}"
        raise NotFoundError(msg)
    try:
        # The command has a status line of its own, which bars would write over.
        return models.load(model, bars=False)
    except NotFoundError as error:
        tried = "as a local folder and as a name of the model hub (its cache included)"
        where = "" if path.exists() or model == SMALL else f"; tried {tried}"
        msg = f"{error}{where}; {_INSTEAD}"
        raise NotFoundError(msg) from error


def _is_path(model: str) -> bool:
    """Return whether ``model`` cannot be a name of the hub: that is ``name`` or ``owner/name``."""
    return (
        model.endswith((".gguf", "/"))
        or model.startswith(("/", ".", "~"))
        or model.count("/") > 1
        or "\\" in model
    )
