"""Peers that ask a model of their own: LettuceDetect, HHEM, SummaC, BERTScore."""

from __future__ import annotations

from typing import Any

from groundwire.errors import ArgumentError, MissingExtraError
from groundwire.evaluate.detectors.peers import Found, fetched, need, passages_of
from groundwire.evaluate.records import Record


class LettuceDetect:
    """LettuceDetect (Kovács and Recski 2025): token classification by ModernBERT.

    ``HallucinationDetector.predict(context, question, answer, output_format="spans")`` gives
    ``start``, ``end``, ``confidence`` and ``text`` of stretches it takes as hallucinated.
    """

    name = "lettucedetect"
    model = "KRLabsOrg/lettucedect-base-modernbert-en-v1"

    def __init__(self, model: str | None = None) -> None:
        """Load ``model``, by default the base one."""
        module = need("lettucedetect.models.inference", "lettucedetect", "lettucedetect")
        path = model or self.model
        self.detector = fetched(
            self.name,
            path,
            lambda: module.HallucinationDetector(method="transformer", model_path=path),
        )

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return the stretches it finds."""
        if not text.strip():
            return [], None
        found = self.detector.predict(
            context=passages_of(record),
            question=record.question or "",
            answer=text,
            output_format="spans",
        )
        return [(int(f["start"]), int(f["end"]), float(f["confidence"])) for f in found], None


class Hhem:
    """HHEM-2.1-Open (Vectara): consistency of a hypothesis with a premise, 1 is consistent.

    Its model card loads it with ``trust_remote_code=True``: naming this detector runs the code that
    comes with the model.
    """

    name = "hhem"
    model = "vectara/hallucination_evaluation_model"

    def __init__(self, model: str | None = None) -> None:
        """Load ``model``, by default the published one."""
        module = need("transformers", "transformers", "groundwire[transformers]")
        path = model or self.model
        self.scorer = fetched(
            self.name,
            path,
            lambda: module.AutoModelForSequenceClassification.from_pretrained(
                path, trust_remote_code=True
            ),
        )

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return 1 - consistency."""
        if not text.strip():
            return [], None
        score = self.scorer.predict([("\n".join(passages_of(record)), text)])
        return [], 1.0 - float(score[0])


class Summac:
    """SummaC-ZS (Laban et al. 2022): entailment between sentences; scores from -1 to 1."""

    name = "summac-zs"
    model = "vitc"

    def __init__(self, model: str | None = None) -> None:
        """Load ``model``: one of the names that SummaC knows."""
        module = need("summac.model_summac", "summac", "summac")
        wanted = model or self.model
        if wanted not in module.model_map:
            known = ", ".join(sorted(module.model_map))
            raise ArgumentError(f"SummaC knows no model {wanted!a}; there are {known}")
        if not hasattr(_tokenizer_class(), "batch_encode_plus"):
            raise MissingExtraError(
                "summac calls batch_encode_plus of transformers' tokenizers, which version 5 "
                "has no longer: pip install 'transformers<5'"
            )
        try:
            module.nltk.tokenize.sent_tokenize("One. Two.")
        except LookupError as error:
            raise MissingExtraError(
                "summac cuts sentences by NLTK's data: python -m nltk.downloader punkt punkt_tab"
            ) from error
        self.imager = module.SummaCZS(
            granularity="sentence", model_name=wanted, device="cpu", imager_load_cache=False
        )
        fetched(self.name, module.model_map[wanted]["model_card"], self.imager.imager.load_nli)

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return (1 - consistency) / 2."""
        documents = passages_of(record)
        if not text.strip() or not documents:
            return [], None
        score = self.imager.score(["\n".join(documents)], [text])["scores"][0]
        return [], (1.0 - float(score)) / 2.0


def _tokenizer_class() -> Any:
    return need("transformers", "transformers", "groundwire[transformers]").PreTrainedTokenizerFast


class BertScore:
    """BERTScore (Zhang et al. 2020): how well a text's tokens match the sources', as precision.

    The package reads as much of the sources as the model takes.
    """

    name = "bert-score"
    model = "roberta-large"

    def __init__(self, model: str | None = None) -> None:
        """Load ``model``: a hub name or a folder."""
        module = need("bert_score", "bert-score", "bert-score")
        path = model or self.model
        self.scorer = fetched(self.name, path, lambda: self._open(module, path))

    @staticmethod
    def _open(module: Any, path: str) -> Any:
        layers = None
        if path not in module.utils.model2layers:
            transformers = need("transformers", "transformers", "groundwire[transformers]")
            layers = transformers.AutoConfig.from_pretrained(path).num_hidden_layers
        return module.BERTScorer(model_type=path, num_layers=layers, device="cpu")

    def whole(self, record: Record, text: str) -> tuple[list[Found], float | None]:
        """Return 1 - precision, where 0 is the lowest."""
        documents = passages_of(record)
        if not text.strip() or not documents:
            return [], None
        precision, _, _ = self.scorer.score([text], ["\n".join(documents)])
        return [], max(1.0 - float(precision[0]), 0.0)
