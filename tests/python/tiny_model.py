"""A tiny random model that writes what it is told, in the real decoding loop."""

from __future__ import annotations

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import (
    LlamaConfig,
    LlamaForCausalLM,
    LogitsProcessor,
    LogitsProcessorList,
    PreTrainedTokenizerFast,
)


def tiny_tokenizer() -> PreTrainedTokenizerFast:
    """One token a byte."""
    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    raw = Tokenizer(models.BPE({c: i for i, c in enumerate(letters)}, []))
    raw.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    raw.decoder = decoders.ByteLevel()
    raw.add_special_tokens(["<pad>", "<end>"])
    return PreTrainedTokenizerFast(tokenizer_object=raw, pad_token="<pad>", eos_token="<end>")


def tiny_model(tokenizer: PreTrainedTokenizerFast) -> LlamaForCausalLM:
    """Two layers of random weights."""
    torch.manual_seed(3)
    config = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=16, intermediate_size=24, num_hidden_layers=2,
        num_attention_heads=2, num_key_value_heads=1, max_position_embeddings=4096,
        bos_token_id=None, eos_token_id=tokenizer.eos_token_id,
        pad_token_id=tokenizer.pad_token_id,
    )  # fmt: skip
    return LlamaForCausalLM(config).eval()


class Reads(LogitsProcessor):
    """Goes on in the first text that begins like the answer so far, by what the prompt says.

    Args:
        tokenizer: the model's.
        end: what every prompt ends with; the answer is what follows.
        texts: from words of a prompt to the texts of its attempts, one list an attempt. Which
            attempt it is, is told by how many different prompts there were.
    """

    def __init__(self, tokenizer, end: str, texts: dict[str, list[list[str]]]) -> None:
        self.tokenizer, self.end, self.texts = tokenizer, end, texts
        self.prompts: dict[str, list[str]] = {key: [] for key in texts}

    def __call__(self, input_ids, scores):
        ids = [i for i in input_ids[0].tolist() if i != self.tokenizer.pad_token_id]
        text = self.tokenizer.decode(ids, clean_up_tokenization_spaces=False)
        prompt, _, answer = text.rpartition(self.end)
        key = next(key for key in self.texts if key in prompt)
        seen = self.prompts[key]
        if prompt not in seen:
            seen.append(prompt)
        attempts = self.texts[key]
        token = self.tokenizer.eos_token_id
        for said in attempts[min(len(seen), len(attempts)) - 1]:
            if said.startswith(answer) and len(said) > len(answer):
                token = self.tokenizer.encode(said[len(answer) :])[0]
                break
        out = torch.full_like(scores, -1e4)
        out[0, token] = 0.0
        return out


def settings(reads: Reads) -> dict:
    """Settings of ``generate`` with which the model writes what ``reads`` says."""
    return {
        "logits_processor": LogitsProcessorList([reads]),
        "max_new_tokens": 400,
        "do_sample": False,
    }
