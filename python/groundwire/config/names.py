"""Names of models, as servers tell them apart."""

from __future__ import annotations


def model_key(name: str) -> str:
    """Return what is the same for the names under which a server has one model.

    Ollama and others take names in any case, and ``:latest`` where no version is given.
    """
    return name.strip().casefold().removesuffix(":latest")
