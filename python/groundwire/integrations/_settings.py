"""What transformers makes of the caller's generation settings.

``prepare`` lets transformers resolve them itself (generation config, logits processors, stopping
criteria) by handing ``generate`` a ``custom_generate`` callable that runs nothing.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from transformers import StoppingCriteriaList, StopStringCriteria
from transformers.generation.logits_process import PrefixConstrainedLogitsProcessor

from groundwire.errors import ArgumentError


@dataclass(frozen=True, slots=True)
class Prepared:
    """What transformers made of the caller's arguments."""

    prompts: list[list[int]]
    padded: torch.Tensor
    processors: Any
    criteria: Any
    config: Any
    eos: frozenset[int]
    pad_id: int


def prepare(
    model: Any,
    input_ids: torch.Tensor,
    attention_mask: torch.Tensor,
    kwargs: Mapping[str, Any],
    tokenizer: Any = None,
) -> Prepared:
    """Resolve generation settings exactly as ``model.generate`` would.

    ``tokenizer`` is handed on where strings end the answer (``stop_strings``), which transformers
    looks for in its tokens.

    Raises ``ArgumentError`` for what transformers itself refuses, and for what cannot be rolled
    back: beams, several samples a prompt, assisted decoding, prompt lookup, contrastive search,
    encoder-decoder models.
    """
    if getattr(model.config, "is_encoder_decoder", False):
        raise ArgumentError(
            "encoder-decoder models are not supported here; pass GroundwireLogitsProcessor and "
            "GroundwireStoppingCriteria to your own generate call"
        )
    for name in ("assistant_model", "streamer", "past_key_values", "custom_generate"):
        if kwargs.get(name) is not None:
            raise ArgumentError(
                f"{name}= does not work with a guarded generation, which owns the loop; leave it "
                "out (to see text as it comes, iterate over groundwire's stream())"
            )
    found: dict[str, Any] = {}

    def capture(
        _model: Any,
        input_ids: torch.Tensor,
        logits_processor: Any,
        stopping_criteria: Any,
        generation_config: Any,
        **rest: Any,
    ) -> torch.Tensor:
        found.update(
            ids=input_ids,
            processors=logits_processor,
            criteria=stopping_criteria,
            config=generation_config,
            rest=rest,
        )
        return input_ids

    given = _with_stop_strings(model, kwargs, tokenizer)
    with _without_stop_strings(model):
        try:
            model.generate(
                input_ids, attention_mask=attention_mask, custom_generate=capture, **given
            )
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"transformers refuses these settings: {error}") from error
    _refuse(found["config"], found["processors"], found["rest"], len(input_ids))
    eos = found["config"].eos_token_id
    eos = [] if eos is None else [eos] if isinstance(eos, int) else eos
    pad = found["config"].pad_token_id
    prompts = [
        ids[mask.bool()].tolist() for ids, mask in zip(input_ids, attention_mask, strict=True)
    ]
    return Prepared(
        prompts=prompts,
        padded=found["ids"],
        processors=found["processors"],
        criteria=found["criteria"],
        config=found["config"],
        eos=frozenset(int(e) for e in eos),
        pad_id=int(pad) if pad is not None else (int(eos[0]) if len(eos) else 0),
    )


def _with_stop_strings(model: Any, kwargs: Mapping[str, Any], tokenizer: Any) -> dict[str, Any]:
    """Return the arguments with strings that end the answer as a stopping criterion.

    ``generate`` would make one of them as well, but forgets the tokenizer that it needs where a
    ``custom_generate`` is given.
    """
    given = dict(kwargs)
    tokenizer = given.pop("tokenizer", None) or tokenizer
    own = given.pop("stop_strings", None)
    config = given.get("generation_config")
    named = getattr(config, "stop_strings", None)
    if named is not None:
        given["generation_config"] = copy.deepcopy(config)
        given["generation_config"].stop_strings = None
    if named is None:
        named = getattr(getattr(model, "generation_config", None), "stop_strings", None)
    ends = named if own is None else own
    if ends is None:
        return given
    texts = [ends] if isinstance(ends, str) else ends
    several = isinstance(texts, Sequence) and len(texts) > 0
    if not several or not all(isinstance(text, str) and text for text in texts):
        raise ArgumentError(f"stop_strings is a text or a list of texts, not {ends!r:.60}")
    if tokenizer is None:
        raise ArgumentError("stop_strings are looked for in tokens, so they need the tokenizer")
    criterion = StopStringCriteria(tokenizer=tokenizer, stop_strings=texts)
    given["stopping_criteria"] = StoppingCriteriaList(
        [*(given.get("stopping_criteria") or ()), criterion]
    )
    return given


@contextlib.contextmanager
def _without_stop_strings(model: Any) -> Iterator[None]:
    """Take the strings out of the model's own settings meanwhile; ``generate`` adds those."""
    config: Any = getattr(model, "generation_config", None)
    named = getattr(config, "stop_strings", None)
    if named is None:
        yield
        return
    config.stop_strings = None
    try:
        yield
    finally:
        config.stop_strings = named


def _refuse(config: Any, processors: Any, rest: Mapping[str, Any], prompts: int) -> None:
    """Raise for a generation mode in which a rollback has no meaning."""
    refused = {
        "num_beams": (config.num_beams or 1) > 1,
        "num_return_sequences": (config.num_return_sequences or 1) > 1,
        "prompt_lookup_num_tokens": config.prompt_lookup_num_tokens is not None,
        "penalty_alpha": bool(config.penalty_alpha),
        "dola_layers": config.dola_layers is not None,
        "guidance_scale": config.guidance_scale not in {None, 1},
        "prefix_allowed_tokens_fn": prompts > 1
        and any(isinstance(p, PrefixConstrainedLogitsProcessor) for p in processors),
    }
    for name, bad in refused.items():
        if bad:
            raise ArgumentError(
                f"{name} does not work with a guarded generation, which follows one answer a "
                "prompt; use greedy decoding or sampling, one prompt at a time if need be"
            )
    known = {"attention_mask", "position_ids", "past_key_values", "use_cache", "logits_to_keep"}
    known |= {"synced_gpus", "streamer", "tokenizer", "output_attentions", "output_hidden_states"}
    extra = sorted(k for k, v in rest.items() if k not in known and v is not None)
    if extra:
        raise ArgumentError(f"the guarded loop cannot pass {', '.join(extra)} to the model")


def pad_left(
    ids: Sequence[Sequence[int]], tokenizer: Any, model: Any
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return ids padded on the left and their mask, both of shape (prompts, longest)."""
    pad = getattr(tokenizer, "pad_token_id", None)
    longest = max(len(i) for i in ids)
    padded = torch.full((len(ids), longest), 0 if pad is None else pad, dtype=torch.long)
    mask = torch.zeros_like(padded)
    for row, tokens in enumerate(ids):
        padded[row, longest - len(tokens) :] = torch.tensor(tokens)
        mask[row, longest - len(tokens) :] = 1
    return padded.to(model.device), mask.to(model.device)
