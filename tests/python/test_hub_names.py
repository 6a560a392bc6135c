"""A model that the hub lacks, or that cannot be asked for, is refused at once."""

from __future__ import annotations

from typing import Any

import pytest

from groundwire.errors import NotFoundError
from groundwire.integrations import models

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
hub = pytest.importorskip("huggingface_hub")

NAME = "nobody/nothing-here"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """How the tokenizer was asked for; it is never there."""
    seen: list[dict[str, Any]] = []

    def gone(_name: str, **given: Any) -> None:
        seen.append(given)
        raise OSError("no such files\nand more about it")

    monkeypatch.setattr(transformers.AutoTokenizer, "from_pretrained", gone)
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", False)
    return seen


def answer(monkeypatch: pytest.MonkeyPatch, error: Exception | None) -> None:
    def model_info(_self: Any, _name: str, *, timeout: float) -> object:
        assert 0 < timeout <= 30
        if error is not None:
            raise error
        return object()

    monkeypatch.setattr(hub.HfApi, "model_info", model_info)


@pytest.mark.req("D-4")
def test_without_a_connection_only_the_cache_is_read(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]]
) -> None:
    answer(monkeypatch, ConnectionError("no route"))
    with pytest.raises(NotFoundError, match="the model hub is out of reach"):
        models.load(NAME)
    assert asked == [{"local_files_only": True}]


def test_offline_by_choice_asks_nobody(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]]
) -> None:
    answer(monkeypatch, AssertionError("asked"))
    monkeypatch.setattr(hub.constants, "HF_HUB_OFFLINE", True)
    with pytest.raises(NotFoundError, match="out of reach"):
        models.load(NAME)
    assert asked == [{"local_files_only": True}]


def test_a_name_that_the_hub_lacks_is_said_so(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]]
) -> None:
    missing = hub.errors.RepositoryNotFoundError.__new__(hub.errors.RepositoryNotFoundError)
    answer(monkeypatch, missing)
    with pytest.raises(NotFoundError, match=f"the model hub has no model {NAME}"):
        models.load(NAME)
    assert asked == []


def test_what_the_hub_has_is_loaded_from_it(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]]
) -> None:
    answer(monkeypatch, None)
    with pytest.raises(NotFoundError, match="cannot load the model nobody/nothing-here: no such"):
        models.load(NAME)
    assert asked == [{"local_files_only": False}]


def test_a_folder_is_not_asked_for(
    monkeypatch: pytest.MonkeyPatch, asked: list[dict[str, Any]], tmp_path: Any
) -> None:
    answer(monkeypatch, AssertionError("asked"))
    with pytest.raises(NotFoundError):
        models.load(str(tmp_path))
    assert asked == [{}]
