"""``python -m groundwire``: the command line."""

from __future__ import annotations

import sys

from groundwire.cli import main

if __name__ == "__main__":
    sys.exit(main())
