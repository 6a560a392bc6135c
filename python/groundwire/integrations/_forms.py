"""Whether a request asks for text in a form that has to stand: JSON, a grammar, a choice.

What counts is what servers enforce: the OpenAI interface's ``response_format`` and ``text.format``,
vLLM's ``structured_outputs`` and ``guided_*``, SGLang's ``regex`` and ``ebnf``, llama.cpp's
``grammar`` and ``json_schema``. A field of such a name with a value that none of them takes is
ignored or refused there, so that the text has no form.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any


def _words(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _schema(value: Any) -> bool:
    return _words(value) or isinstance(value, Mapping)


def _choice(value: Any) -> bool:
    return isinstance(value, list | tuple) and bool(value) and all(map(_words, value))


def _true(value: Any) -> bool:
    return value is True


_STRUCTURED: dict[str, Callable[[Any], bool]] = {
    "json": _schema,
    "regex": _words,
    "choice": _choice,
    "grammar": _words,
    "json_object": _true,
    "structural_tag": _words,
}
_FIELDS: dict[str, Callable[[Any], bool]] = {
    **{f"guided_{name}": _STRUCTURED[name] for name in ("json", "regex", "choice", "grammar")},
    "guided_json_object": _true,
    "grammar": _words,
    "ebnf": _words,
    "regex": _words,
    "json_schema": lambda value: _schema(value) and bool(value),
}
# What the type needs beside itself.
_TYPES: dict[str, tuple[str, ...]] = {
    "json_object": (),
    "json_schema": ("json_schema", "schema"),
    "structural_tag": ("format", "structures"),
    "grammar": ("grammar",),
}


def form_of(request: Mapping[str, Any]) -> str:
    """Return the field of a request by which the text's form is fixed; empty if none does."""
    if _typed(request.get("response_format")):
        return "response_format"
    text = request.get("text")
    if isinstance(text, Mapping) and _typed(text.get("format")):
        return "text.format"
    structured = request.get("structured_outputs")
    if isinstance(structured, Mapping):
        fits = (name in structured and of(structured[name]) for name, of in _STRUCTURED.items())
        if any(fits):
            return "structured_outputs"
    return next((name for name, of in _FIELDS.items() if of(request.get(name))), "")


def own_form(arguments: Mapping[str, Any]) -> bool:
    """Return the same of a program's own call: SDKs also take classes, and Ollama's ``format``."""
    if form_of(arguments):
        return True
    if isinstance(arguments.get("response_format"), type):
        return True
    form = arguments.get("format")
    return form == "json" or (isinstance(form, Mapping) and bool(form)) or isinstance(form, type)


def _typed(form: Any) -> bool:
    if not isinstance(form, Mapping) or not isinstance(form.get("type"), str):
        return False
    needs = _TYPES.get(form["type"])
    if needs is None:
        return False
    return not needs or any(_schema(form.get(name)) or form.get(name) for name in needs)
