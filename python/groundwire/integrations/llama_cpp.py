"""Generation with llama-cpp-python under guard, with its key-value cache rolled back.

    from llama_cpp import Llama
    from groundwire.integrations.llama_cpp import generate, vocabulary

    llm = Llama("model.gguf", n_ctx=2048, verbose=False)
    monitor = gw.Monitor(tokenizer=vocabulary(llm))
    report = generate(llm, "…", monitor=monitor, evidence=passages, temp=0.0)
    print(report.released)

The loop is ``groundwire.guard`` over ``Llama.generate``: after a rewrite, generation begins again
behind the text that was put in, and llama.cpp keeps the cache of what both have in common. The
sampler begins again as well, so that penalties count from there and a seed draws anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from groundwire.errors import ArgumentError
from groundwire.integrations._extra import need
from groundwire.integrations._llama_cpp import ends, prompt_ids, vocab_of, vocabulary
from groundwire.loop import Event, guard
from groundwire.policy import Policy

if TYPE_CHECKING:
    from groundwire.monitor import Monitor
    from groundwire.report import Report

__all__ = ["generate", "stream", "vocabulary"]

_llama = need("llama_cpp", "llama-cpp")
_REWRITES_NOTHING = {"accept", "annotate"}


def stream(
    llm: Any,
    prompt: str | Sequence[int] | Sequence[Mapping[str, Any]],
    *,
    monitor: Monitor,
    max_tokens: int = 512,
    signals: bool = True,
    given: Mapping[str, Any] | None = None,
    **sampling: Any,
) -> Iterator[Event]:
    """Yield the events of ``groundwire.guard`` over a running ``Llama``.

    Args:
        llm: the model; nobody else may use it meanwhile.
        prompt: text, token ids, or messages for the model's own chat template.
        monitor: a ``Monitor`` built with ``vocabulary(llm)``.
        max_tokens: most tokens of the answer, at least 1 (``length``); the context ends it as well
            (then ``stopped`` says ``end``).
        signals: whether rows of logits are read, as the sampler gets them (before penalties,
            temperature and the caller's own processors).
        given: more of what ``groundwire.guard`` takes: ``hooks``, ``policy``, ``regeneration`` …;
            ``evidence``, ``history`` and ``question`` may also stand beside it.
        sampling: what ``Llama.generate`` takes (``temp``, ``top_k``, ``logits_processor`` …).

    Raises:
        ArgumentError: it is no ``Llama``, the prompt has no tokens or does not fit the context,
            messages have no template, or a ``grammar`` meets a policy that rewrites: what is put
            in would not follow it.

    """
    given = dict(given or {})
    given |= {n: sampling.pop(n) for n in ("evidence", "history", "question") if n in sampling}
    policy = given.get("policy") or monitor.policy
    policy = policy if isinstance(policy, Policy) else Policy.from_mapping(policy)
    given["policy"] = policy
    actions = {policy.low, policy.medium, policy.high, policy.critical}
    if sampling.get("grammar") is not None and not actions <= _REWRITES_NOTHING:
        raise ArgumentError("text that is put in would break the grammar: use Policy.observe()")
    ids = prompt_ids(llm, prompt)
    if not 0 < len(ids) < llm.n_ctx():
        raise ArgumentError(f"a prompt has 1 to {llm.n_ctx() - 1} tokens here, not {len(ids)}")
    vocab = vocab_of(llm)
    return guard(
        _Model(llm, sampling, signals),
        ids,
        monitor=monitor,
        encode=lambda text: llm.tokenize(text.encode(), add_bos=False, special=False),
        stop_ids=[token for token in range(llm.n_vocab()) if ends(vocab, token)],
        max_tokens=max_tokens,
        **given,
    )


def generate(llm: Any, prompt: Any, *, monitor: Monitor, **how: Any) -> Report:
    """Let ``llm`` answer under guard; return the report, with the answer in ``released``.

    Arguments and errors are those of ``stream``.
    """
    *_, last = stream(llm, prompt, monitor=monitor, **how)
    assert last.report is not None
    return last.report


class _Model:
    """Gives the next token for whatever ids are asked about."""

    def __init__(self, llm: Any, sampling: dict[str, Any], signals: bool) -> None:
        own = sampling.pop("logits_processor", None) or ()
        processors = [self._keep, *own] if signals else list(own)
        how = {"logits_processor": _llama.LogitsProcessorList(processors)} if processors else {}
        self._llm, self._how = llm, {**sampling, **how}
        self._fed: list[int] = []
        self._tokens: Iterator[int] = iter(())
        self._row: Any = None

    def __call__(self, ids: list[int]) -> Any:
        if len(ids) >= self._llm.n_ctx():
            return None
        if ids != self._fed:
            self._tokens = self._llm.generate(ids, **self._how)
        token = next(self._tokens, None)
        self._fed = [*ids, token] if token is not None else []
        return token if token is None or self._row is None else (token, self._row)

    def _keep(self, _: Any, row: Any) -> Any:
        self._row = row.copy()
        return row
