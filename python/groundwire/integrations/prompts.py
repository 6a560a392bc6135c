"""Prompts: what a caller may pass, as token ids, with and without the evidence.

A prompt is a string, a chat (mappings with ``role`` and ``content``), or token ids.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from groundwire import _core
from groundwire._given import passages, turns
from groundwire.errors import ArgumentError
from groundwire.integrations import _asked

Prompt = str | Sequence[Mapping[str, str]] | Sequence[int]


def chat(
    question: str,
    *,
    evidence: Iterable[Any] = (),
    history: Iterable[Any] = (),
    system: str | None = None,
) -> list[dict[str, str]]:
    """Return a chat that asks ``question`` after showing the evidence, passage by passage.

    ``evidence`` and ``history`` are what ``Monitor.session`` takes. The passages stand in the
    prompt word for word, so that ``without_evidence`` can take them out again.
    """
    messages = [] if system is None else [{"role": "system", "content": system}]
    messages += [{"role": role, "content": text} for role, text in turns(history)]
    parts = [*(text.strip() for _, text in passages(evidence)), question]
    return [*messages, {"role": "user", "content": "\n\n".join(parts)}]


def plain(question: str, *, evidence: Iterable[Any] = (), history: Iterable[Any] = ()) -> str:
    """Return the same as one text, for models that complete text and have no chat template.

    The passages come first, word for word and with an empty line behind each. Without a history the
    question follows as it is, so that the model goes on with it. With one, its turns follow, a line
    each behind its role ("User: …"), then the question as the last of them and "Assistant:".
    """
    parts = [text.strip() for _, text in passages(evidence)]
    told = [f"{role.capitalize()}: {text.strip()}" for role, text in turns(history)]
    asked = "\n".join([*told, f"User: {question}", "Assistant:"]) if told else question
    return "\n\n".join([*parts, asked])


def is_many(prompt: Any) -> bool:
    """Say whether ``prompt`` is a list of prompts rather than one of them.

    Raises ``ArgumentError`` where it is neither.
    """
    if isinstance(prompt, str):
        return False
    if isinstance(prompt, Mapping):
        raise ArgumentError(
            "a prompt is a string, a chat or token ids; of a tokenizer's output pass "
            "its 'input_ids' as lists, without padding"
        )
    shape = getattr(prompt, "shape", None)
    if shape is not None:
        return len(shape) > 1
    if not isinstance(prompt, Sequence) or not prompt or isinstance(prompt, bytes | bytearray):
        raise ArgumentError("a prompt is a string, a chat, token ids, or a non-empty list of them")
    first = prompt[0]
    return not isinstance(first, Mapping | int)


def is_chat(prompt: Any) -> bool:
    """Say whether ``prompt`` is one chat."""
    return isinstance(prompt, Sequence) and bool(prompt) and isinstance(prompt[0], Mapping)


def _messages(prompt: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return a chat whose contents are texts; parts of the type ``text`` are put together.

    Raises ``ArgumentError`` for a message that is none, or has something else than text.
    """
    found: list[Mapping[str, Any]] = []
    for at, one in enumerate(prompt):
        content = one.get("content") if isinstance(one, Mapping) else None
        if isinstance(content, list) and all(
            isinstance(part, Mapping) and isinstance(part.get("text"), str) for part in content
        ):
            content = "".join(part["text"] for part in content)
        called = isinstance(one, Mapping) and one.get("tool_calls") and content is None
        if not called and not isinstance(content, str):
            raise ArgumentError(f"message {at} of the chat has no text as its content: {one!r:.80}")
        if not isinstance(one.get("role"), str):
            raise ArgumentError(f"message {at} of the chat has no role: {one!r:.80}")
        found.append({**one, "content": content})
    return found


def render(tokenizer: Any, prompt: Any) -> str | None:
    """Return the text of a prompt as the model reads it, or ``None`` for token ids."""
    if isinstance(prompt, str):
        return prompt
    if is_chat(prompt):
        if getattr(tokenizer, "chat_template", None) is None:
            raise ArgumentError(
                "this tokenizer has no chat template, so that its model completes text: pass the "
                "prompt as one string that ends where the answer goes on"
            )
        text: str = tokenizer.apply_chat_template(
            _messages(prompt), add_generation_prompt=True, tokenize=False
        )
        return text
    return None


def encode(tokenizer: Any, prompt: Any) -> list[int]:
    """Return the prompt's token ids; a chat template brings its own special tokens.

    Raises ``ArgumentError`` for what is no prompt, and for text that has no UTF-8 form.
    """
    text = render(tokenizer, prompt)
    if text is None:
        ids = prompt.tolist() if hasattr(prompt, "tolist") else prompt
        listed = isinstance(ids, Sequence) and not isinstance(ids, bytes | bytearray)
        if not listed or not all(type(i) is int and i >= 0 for i in ids):
            raise ArgumentError(
                f"token ids of one prompt are a flat list of integers from 0 on, not {prompt!a:.60}"
            )
        return list(ids)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ArgumentError(
            f"the prompt holds a lone surrogate at character {error.start}"
        ) from None
    ids = tokenizer.encode(text, add_special_tokens=isinstance(prompt, str))
    return [int(i) for i in ids]


def without_evidence(prompt: Any, evidence: Sequence[tuple[str, str]]) -> Any:
    """Return the same prompt with every passage's text taken out.

    Raises ``ArgumentError`` if there is no evidence, or a passage does not stand in the prompt
    word for word: then there is nothing to compare with, and the caller has to say what the
    other prompt is.
    """
    if not evidence:
        raise ArgumentError("evidence_lift compares with and without evidence; pass evidence=")
    if isinstance(prompt, str):
        return _strip([prompt], evidence)[0]
    if is_chat(prompt):
        messages = _messages(prompt)
        texts = _strip([m["content"] or "" for m in messages], evidence)
        return [{**m, "content": t} for m, t in zip(messages, texts, strict=True)]
    raise ArgumentError("evidence cannot be taken out of token ids; pass prior_prompt=")


def asked(prompt: Any, evidence: Sequence[tuple[str, str]]) -> str | None:
    """Return what a prompt asks: a chat's last turn of a user, or the string; none for token ids.

    What ``conversation`` says of it beside the turns before.
    """
    return conversation(prompt, evidence)[0]


def conversation(
    prompt: Any, evidence: Sequence[tuple[str, str]]
) -> tuple[str | None, list[tuple[str, str]]]:
    """Return what a prompt asks and the turns around that, as ``(role, text)``.

    Of a chat it is the last turn of a user; a string is such a turn, and of token ids nothing is
    known. Behind a label (``Question:`` or ``Q:`` at the beginning of a line) stands the question,
    before it a turn of the user's. Passages of 24 characters or more that stand whole, on lines of
    their own (maybe behind a label such as ``Context:``), are left out. Raises ``ArgumentError``
    for messages without text or role.
    """
    passages = [text for _, text in evidence]
    if isinstance(prompt, str):
        turns: Sequence[Mapping[str, Any]] = [{"role": "user", "content": prompt}]
    elif is_chat(prompt):
        turns = _messages(prompt)
    else:
        return None, []
    found = _asked.asked(turns, passages)
    question = found["question"]
    return question and question.strip(), found["history"]


def unfinished(tokenizer: Any, prompt: Any) -> str:
    """Return the unfinished statement at the end of a prompt that the answer completes.

    A base model goes on with "Orion was founded in", so that what it writes says something only
    together with that. Empty for a chat, and where the prompt ends with a whole sentence, a line, a
    label ("Answer:"), a question or an instruction.
    """
    if isinstance(prompt, str):
        text = prompt
    elif is_chat(prompt):
        return ""
    else:
        text = _last_text(tokenizer, prompt)
    line = text[-_TAIL:].rpartition("\n")[2]
    end = line.rstrip(" ")[-1:]
    if not (end.isalnum() or end == ","):
        return ""
    read = json.loads(_core.segments(line))
    if not read or not read[-1]["statements"] or read[-1]["statements"][0]["modality"] in _ASKS:
        return ""
    return line[read[-1]["span"][0] :]


def _last_text(tokenizer: Any, prompt: Any) -> str:
    """Return the text at the end of token ids, behind the last special one: a template's mark."""
    ids = encode(tokenizer, prompt if hasattr(prompt, "tolist") else prompt[-_TAIL:])[-_TAIL:]
    special = frozenset(getattr(tokenizer, "all_special_ids", None) or ())
    marks = [at for at, one in enumerate(ids) if one in special]
    ids = ids[marks[-1] + 1 :] if marks else ids
    # Most prompts end with a line or a mark, and need not be read any further.
    end = tokenizer.decode(ids[-_END:])[-1:]
    return str(tokenizer.decode(ids)) if end.isalnum() or end in {",", " "} else ""


_END = 8
"""Tokens that tell how a prompt ends."""
_TAIL = 1024
"""Characters, or tokens, at the end of a prompt that are looked at."""
_ASKS = frozenset(("question", "instruction"))


def with_guidance(prompt: Any, text: str) -> Any:
    """Return a prompt that tells the model ``text`` as well, or none for token ids."""
    if isinstance(prompt, str):
        return f"{text}\n\n{prompt}"
    if isinstance(prompt, Sequence) and prompt and isinstance(prompt[0], Mapping):
        last = prompt[-1]
        return [*prompt[:-1], {**last, "content": f"{last['content']}\n\n{text}"}]
    return None


def _strip(texts: Sequence[str], evidence: Sequence[tuple[str, str]]) -> list[str]:
    left = list(texts)
    for name, passage in evidence:
        found = False
        body = passage.strip()
        for i, text in enumerate(left):
            if body and body in text:
                found = True
                less = text.replace(f"{body}\n\n", "").replace(f"{body}\n", "")
                left[i] = less.replace(body, "")
        if not found:
            raise ArgumentError(
                f"the text of evidence {name!r} does not stand in the prompt, so it cannot be "
                "taken out; pass the prompt without evidence as prior_prompt="
            )
    return left


def encode_continuation(tokenizer: Any, before: Sequence[int], text: str) -> list[int]:
    """Return the token ids that, put after ``before``, add exactly ``text`` to the decoded text.

    Tokenizers that write a space before every text are handled by encoding behind an anchor.
    """
    if not text:
        return []
    tail = list(before)[-8:]
    head = tokenizer.decode(tail, clean_up_tokenization_spaces=False) if tail else ""
    plain: list[int] = tokenizer.encode(text, add_special_tokens=False)
    candidates = [plain]
    for anchor in ("a", "\n"):
        alone = tokenizer.encode(anchor, add_special_tokens=False)
        both = tokenizer.encode(anchor + text, add_special_tokens=False)
        if both[: len(alone)] == alone:
            candidates.append(both[len(alone) :])
    for ids in candidates:
        if tokenizer.decode(tail + ids, clean_up_tokenization_spaces=False) == head + text:
            return ids
    return plain
