"""Other people's detectors through their own packages, where those are installed.

No weights are fetched: models are made here, small and random, so that what is tested is how each
package is called and how its answer is read.
"""

from __future__ import annotations

import sys

import pytest

pytest.importorskip("numpy")

import groundwire as gw
from groundwire.errors import ArgumentError, MissingExtraError, NotFoundError
from groundwire.evaluate.data import record
from groundwire.evaluate.detectors import detector
from groundwire.evaluate.detectors.peers import Peer

pytestmark = pytest.mark.filterwarnings("ignore")
SOURCE = "The Harbour Mill was built in 1907 by Ada Lind. It has 9 sails and two doors."
GOOD = "The Harbour Mill was built in 1907."
BAD = "It was sold for 7 million marks to a foreign bank."
ITEM = record(
    {
        "id": "a",
        "question": "When was it built?",
        "evidence": [SOURCE],
        "response": f"{GOOD} {BAD}",
        "hallucinated": True,
        "spans": [{"start": len(GOOD) + 1, "end": len(GOOD) + 1 + len(BAD)}],
    }
)
BARE = record({"id": "b", "response": "Anything.", "hallucinated": False})
INSTALL = {"chrf-precision": "sacrebleu", "rouge-l": "rouge-score", "summac-zs": "summac"}
PACKAGES = {
    "bert-score": "bert_score",
    "chrf-precision": "sacrebleu.metrics",
    "lettucedetect": "lettucedetect.models.inference",
    "rouge-l": "rouge_score.rouge_scorer",
    "summac-zs": "summac.model_summac",
}


@pytest.mark.parametrize("name", PACKAGES)
def test_a_peer_that_is_not_installed_says_what_to_install(name, monkeypatch) -> None:
    top = PACKAGES[name].partition(".")[0]
    for module in (top, PACKAGES[name]):
        monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(MissingExtraError, match=f"needs {INSTALL.get(name, name)} .*pip install"):
        detector(name)


def test_names_of_peers_say_what_they_take() -> None:
    with pytest.raises(ArgumentError, match="names no model behind the @"):
        detector("rouge-l@")
    with pytest.raises(ArgumentError, match="rouge-l has no model"):
        detector("rouge-l@something")
    with pytest.raises(ArgumentError, match="chrf-precision"):
        detector("rouge")


def _words(text):
    return text.split()


def scores(peer):
    return [round(s.score, 6) for s in peer.judge(ITEM, "sentence").spans]


def test_rouge_l_is_the_longest_common_subsequence_over_the_words_said() -> None:
    pytest.importorskip("rouge_score")
    peer = detector("rouge-l")
    first, second = scores(peer)
    assert first == 0.0, "every word stands there in this order"
    # The second one word by word, as the package cuts and stems it.
    words = _words("it was sold for 7 million mark to a foreign bank")
    given = _words("the harbour mill was built in 1907 by ada lind it ha 9 sail and two door")
    table = [[0] * (len(given) + 1) for _ in range(len(words) + 1)]
    for i, w in enumerate(words):
        for j, g in enumerate(given):
            table[i + 1][j + 1] = (
                table[i][j] + 1 if w == g else max(table[i][j + 1], table[i + 1][j])
            )
    assert second == pytest.approx(1 - table[-1][-1] / len(words), abs=1e-6)
    assert peer.judge(BARE, "whole").score is None
    assert len(peer.judge(ITEM, "word").spans) == len(ITEM.tokens)


def test_chrf_with_beta_0_is_the_precision_of_its_n_grams() -> None:
    pytest.importorskip("sacrebleu")
    first, second = scores(detector("chrf-precision"))

    def precision(text):
        text, given = text.replace(" ", ""), SOURCE.replace(" ", "")
        shares = []
        for n in range(1, 7):
            grams = [text[i : i + n] for i in range(len(text) - n + 1)]
            have = [given[i : i + n] for i in range(len(given) - n + 1)]
            hit = sum(min(grams.count(g), have.count(g)) for g in set(grams))
            shares.append(hit / len(grams))
        return sum(shares) / len(shares)

    assert first == pytest.approx(1 - precision(GOOD), abs=0.02)
    assert second == pytest.approx(1 - precision(BAD), abs=0.02)


def test_a_scorer_is_asked_about_the_sentence_so_far() -> None:
    asked = []

    class Stub:
        name = "stand-in"

        def whole(self, item, text):
            asked.append(text)
            return [], 0.5

    found = Peer(Stub(), spans=False).judge(ITEM, "word").spans
    assert [(s.start, s.end) for s in found] == list(ITEM.tokens)
    assert asked[2] == "The Harbour Mill" and asked[-1].strip() == BAD


@pytest.fixture(scope="module")
def tokenizer():
    """A tokenizer of words, trained on the source alone."""
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    words = ["[UNK]", "[CLS]", "[SEP]", "[PAD]", "[MASK]"]
    words += sorted({w.strip(".,?") for w in f"{SOURCE} {GOOD} {BAD}".split()} | {".", ","})
    inner = Tokenizer(models.WordLevel({w: i for i, w in enumerate(words)}, unk_token="[UNK]"))
    inner.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    inner.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 1), ("[SEP]", 2)],
    )
    return transformers.PreTrainedTokenizerFast(
        tokenizer_object=inner,
        unk_token="[UNK]",
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        mask_token="[MASK]",
        model_max_length=512,
    )


def saved(folder, model, tokenizer):
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_lettucedetect_by_a_folder(tokenizer, tmp_path) -> None:
    pytest.importorskip("lettucedetect.models.inference")
    import torch
    from transformers import ModernBertConfig, ModernBertForTokenClassification

    torch.manual_seed(0)
    config = ModernBertConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, num_labels=2, pad_token_id=3, cls_token_id=1, sep_token_id=2,
        bos_token_id=1, eos_token_id=2, max_position_embeddings=512,
    )  # fmt: skip
    model = ModernBertForTokenClassification(config)
    # Every token is hallucinated, and half of them are in doubt: a bias says so.
    torch.nn.init.zeros_(model.classifier.weight)
    model.classifier.bias.data = torch.tensor([0.0, 1.0])
    peer = detector(f"lettucedetect@{saved(tmp_path, model, tokenizer)}")
    (span,) = peer.judge(ITEM, "whole").spans
    assert (span.start, span.end) == (0, len(ITEM.response))
    assert span.score == pytest.approx(1 / (1 + 2.718281828**-1), abs=1e-4)
    first, second = peer.judge(ITEM, "sentence").spans
    assert first.decided_at == first.end and second.end == len(ITEM.response)
    model.classifier.bias.data = torch.tensor([1.0, 0.0])
    clean = detector(f"lettucedetect@{saved(tmp_path / 'clean', model, tokenizer)}")
    assert clean.judge(ITEM, "whole").spans == ()
    found = gw.evaluate.run(peer, [ITEM] * 2, modes=["sentence", "whole"], resamples=5)
    assert set(found) == {"sentence", "whole"}
    assert found["whole"]["us_per_token_p50"] > 0


def test_bertscore_by_a_folder(tokenizer, tmp_path) -> None:
    pytest.importorskip("bert_score")
    import torch
    from transformers import BertConfig, BertModel

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(tokenizer), hidden_size=32, intermediate_size=48, num_hidden_layers=2,
        num_attention_heads=4, max_position_embeddings=512, pad_token_id=3,
    )  # fmt: skip
    peer = detector(f"bert-score@{saved(tmp_path, BertModel(config), tokenizer)}")
    first, second = scores(peer)
    assert 0.0 <= first < second <= 1.0, "words that stand there match themselves"
    assert peer.judge(BARE, "whole").score is None


CODE = """
import torch
from transformers import PretrainedConfig, PreTrainedModel


class Config(PretrainedConfig):
    model_type = "overlap"


class Model(PreTrainedModel):
    config_class = Config

    def __init__(self, config):
        super().__init__(config)
        self.weight = torch.nn.Parameter(torch.ones(1))
        self.post_init()

    def predict(self, pairs):
        share = [sum(w in a for w in b.split()) / len(b.split()) for a, b in pairs]
        return torch.tensor(share) * self.weight.detach()
"""


def test_hhem_by_a_folder_that_brings_its_code(tmp_path) -> None:
    torch = pytest.importorskip("torch")
    pytest.importorskip("transformers")
    import json

    from safetensors.torch import save_file

    (tmp_path / "overlap.py").write_text(CODE, encoding="utf-8")
    names = {"AutoConfig": "overlap.Config", "AutoModelForSequenceClassification": "overlap.Model"}
    config = {"model_type": "overlap", "auto_map": names, "architectures": ["Model"]}
    (tmp_path / "config.json").write_text(json.dumps(config), encoding="utf-8")
    save_file({"weight": torch.ones(1)}, tmp_path / "model.safetensors", {"format": "pt"})
    peer = detector(f"hhem@{tmp_path}")
    first, second = scores(peer)
    expected = [1 - sum(w in SOURCE for w in t.split()) / len(t.split()) for t in (GOOD, BAD)]
    assert [first, second] == pytest.approx(expected, abs=1e-5)
    assert peer.judge(ITEM, "whole").score is not None


def test_summac_says_what_it_lacks() -> None:
    pytest.importorskip("summac.model_summac")
    with pytest.raises(ArgumentError, match=r"SummaC knows no model 'mine'; there are .*vitc"):
        detector("summac-zs@mine")
    import transformers

    if int(transformers.__version__.split(".")[0]) >= 5:
        with pytest.raises(MissingExtraError, match="transformers<5"):
            detector("summac-zs")


@pytest.mark.parametrize("name", ["lettucedetect", "hhem", "bert-score"])
def test_a_model_that_cannot_be_had_is_named(name, tmp_path) -> None:
    pytest.importorskip("transformers")
    if name in PACKAGES:
        pytest.importorskip(PACKAGES[name])
    with pytest.raises(NotFoundError, match=f"{name} needs the model .*{name}@FOLDER"):
        detector(f"{name}@{tmp_path}")
