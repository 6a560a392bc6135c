"""NumPy, or a clear message that it is missing."""

from __future__ import annotations

from groundwire.errors import MissingExtraError

try:
    import numpy as np
except ImportError as error:
    msg = "measuring needs NumPy: pip install 'groundwire[bench]'"
    raise MissingExtraError(msg) from error

__all__ = ["np"]
