"""Resident memory of this process."""

from __future__ import annotations

import resource
import sys
from pathlib import Path

_STATM = Path("/proc/self/statm")
MIB = 1024.0 * 1024.0


def resident_mib() -> float:
    """Return resident memory in MiB: now, or where the system does not say, at its highest."""
    try:
        pages = int(_STATM.read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        return peak / MIB if sys.platform == "darwin" else peak / 1024.0
    return pages * resource.getpagesize() / MIB
