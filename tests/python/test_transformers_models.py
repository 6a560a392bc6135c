"""Loading models: what it shows while it loads."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from tokenizers import Tokenizer, models  # noqa: E402
from tqdm.auto import tqdm  # noqa: E402
from transformers import (  # noqa: E402
    AutoModelForCausalLM,
    LlamaConfig,
    LlamaForCausalLM,
    PreTrainedTokenizerFast,
)
from transformers.utils import logging  # noqa: E402

from groundwire.errors import NotFoundError  # noqa: E402
from groundwire.integrations.models import load  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def folder(tmp_path):
    logging.disable_progress_bar()
    words = Tokenizer(models.WordLevel({"a": 0, "b": 1}, unk_token="a"))
    PreTrainedTokenizerFast(tokenizer_object=words, unk_token="a").save_pretrained(tmp_path)
    config = LlamaConfig(
        vocab_size=2, hidden_size=8, intermediate_size=8, num_hidden_layers=1,
        num_attention_heads=1, num_key_value_heads=1,
    )  # fmt: skip
    LlamaForCausalLM(config).save_pretrained(tmp_path)
    logging.enable_progress_bar()
    yield tmp_path
    logging.enable_progress_bar()


@pytest.mark.parametrize("bars", [True, False])
def test_bars_are_shown_only_where_they_are_wanted(folder, bars, capfd):
    capfd.readouterr()
    model, tokenizer = load(str(folder), bars=bars)
    assert ("Loading weights" in capfd.readouterr().err) == bars
    assert model.dtype == torch.float32
    assert tokenizer.encode("b") == [1]


def test_a_bar_without_a_switch_is_not_shown_either(folder, capfd, monkeypatch):
    def read(*given, **named):
        # As the reading of a GGUF file does; transformers and tqdm are imported long since.
        for _ in tqdm(range(3), desc="tensors"):
            pass
        return usual(*given, **named)

    usual = AutoModelForCausalLM.from_pretrained
    monkeypatch.setattr(AutoModelForCausalLM, "from_pretrained", read)
    for bars in (True, False, True):
        capfd.readouterr()
        load(str(folder), bars=bars)
        assert ("tensors" in capfd.readouterr().err) == bars
    with pytest.raises(NotFoundError):
        load(str(folder / "none.gguf"), bars=False)
    assert not tqdm(range(3)).disable
