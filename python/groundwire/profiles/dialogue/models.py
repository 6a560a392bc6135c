"""Models as parts, by name: they are loaded when first used and run beside the stream."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from groundwire.errors import ArgumentError, MissingExtraError, NotFoundError
from groundwire.profiles.dialogue.parts import ContradictionClassifier, SemanticSimilarityModel
from groundwire.profiles.dialogue.types import ContradictionResult, ContradictionType


class SentenceTransformerSimilarity:
    """Similarity by a sentence-transformers model.

    Args:
        model: its name or folder, or a loaded object with ``encode(text)``.

    Raises ``MissingExtraError`` if the package is not installed, ``NotFoundError`` if the model
    cannot be loaded.
    """

    def __init__(self, model: Any) -> None:
        self._model = _loaded("SentenceTransformer", model) if isinstance(model, str) else model
        self._lock = threading.Lock()
        self._kept: dict[str, list[float]] = {}

    def embed(self, text: str) -> list[float]:
        """Return the model's vector of ``text``; the last thousand are kept."""
        with self._lock:
            if text not in self._kept:
                if len(self._kept) >= 1000:
                    self._kept.pop(next(iter(self._kept)))
                self._kept[text] = [float(x) for x in self._model.encode(text)]
            return self._kept[text]


class TransformersSimilarity:
    """Similarity by an encoder of transformers: the mean of its last states over the text's tokens.

    Sentence encoders such as MiniLM are trained for that mean (Reimers and Gurevych 2019,
    arXiv 1908.10084). Texts are cut to 256 tokens.

    Args:
        model: its name or folder.

    Raises ``MissingExtraError`` if transformers or PyTorch is not installed, ``NotFoundError`` if
    the model cannot be loaded.
    """

    def __init__(self, model: str) -> None:
        try:
            import torch
            from transformers import AutoModel, AutoTokenizer
        except ImportError as error:
            raise MissingExtraError(
                "this model needs transformers: pip install 'groundwire[transformers]'"
            ) from error
        self._torch: Any = torch
        with _loading(model):
            self._tokenizer: Any = AutoTokenizer.from_pretrained(model)
            self._model: Any = AutoModel.from_pretrained(model).eval()
        self._lock = threading.Lock()

    def embed(self, text: str) -> list[float]:
        """Return the mean of the last states."""
        given = self._tokenizer(text, return_tensors="pt", truncation=True, max_length=256)
        with self._lock, self._torch.inference_mode():
            states = self._model(**given).last_hidden_state[0].float()
        return [float(x) for x in states.mean(dim=0)]


class NliClassifier:
    """Contradiction by a cross-encoder for natural language inference.

    Args:
        model: its name or folder, or a loaded object with ``predict([(premise, hypothesis)])``.
        labels: what its outputs stand for, in order; one of them is ``contradiction``. By default
            as the model's own configuration says.

    Raises ``MissingExtraError`` if the package is not installed, ``NotFoundError`` if the model
    cannot be loaded, ``ArgumentError`` if no label is ``contradiction``.
    """

    def __init__(self, model: Any, labels: Sequence[str] | None = None) -> None:
        self._model = _loaded("CrossEncoder", model) if isinstance(model, str) else model
        names = _labels(self._model) if labels is None else list(labels)
        folded = [str(name).casefold() for name in names]
        if "contradiction" not in folded:
            raise ArgumentError(
                f"the classifier's labels are {', '.join(folded) or 'unknown'}; one of them must "
                "be 'contradiction': give labels=(…) in the order of its outputs"
            )
        self._at = folded.index("contradiction")
        self._lock = threading.Lock()

    def classify(self, statement: str, earlier: str) -> ContradictionResult:
        """Return whether ``earlier`` contradicts ``statement``; confidence is the softmax's."""
        with self._lock:
            row = [float(x) for x in self._model.predict([(earlier, statement)])[0]]
        top = max(row)
        weights = [math.exp(x - top) for x in row]
        confidence = weights[self._at] / sum(weights)
        if row[self._at] == top:
            kind = ContradictionType.LogicalImpossibility
            return ContradictionResult(True, confidence, kind)
        return ContradictionResult(False, confidence)


def similarity_named(name: str) -> SemanticSimilarityModel:
    """Return the similarity model of a name.

    ``sentence-transformers:all-MiniLM-L6-v2``, or ``transformers:`` and a name or folder.
    """
    if name.startswith("transformers:"):
        return TransformersSimilarity(_after(name, "transformers"))
    return SentenceTransformerSimilarity(_after(name, "sentence-transformers"))


def classifier_named(name: str) -> ContradictionClassifier:
    """Return the classifier of a name: ``cross-encoder:`` and the model's own."""
    return NliClassifier(_after(name, "cross-encoder"))


def _after(name: str, prefix: str) -> str:
    head, colon, rest = name.partition(":")
    if head != prefix or not colon or not rest:
        raise ArgumentError(f"a model is named '{prefix}:NAME', not {name!r:.60}")
    return rest


def _labels(model: Any) -> list[str]:
    table = getattr(getattr(model, "config", None), "id2label", None) or {}
    return [str(table[key]) for key in sorted(table)]


def _loaded(kind: str, model: str) -> Any:
    package = _package()
    with _loading(model):
        return getattr(package, kind)(model)


@contextmanager
def _loading(model: str) -> Iterator[None]:
    """Say of whatever a reader of model files raises which model it was."""
    try:
        yield
    except Exception as error:
        said = " ".join(str(error).split())
        raise NotFoundError(
            f"cannot load the model {model}: {type(error).__name__}: {said:.200}; name a folder "
            "that holds one, or one of the hub"
        ) from error


def _package() -> Any:
    try:
        import sentence_transformers
    except ImportError as error:
        raise MissingExtraError(
            "models by name need sentence-transformers: pip install 'groundwire[models]'"
        ) from error
    return sentence_transformers
