"""The command ``groundwire``: check, watch, generate, serve, doctor, explain, bench, store."""

from __future__ import annotations


def main(arguments: list[str] | None = None) -> int:
    """Run the command line with ``arguments`` (the process's own by default).

    Returns:
        0 if nothing reached ``--fail-on``, 1 if something did, 2 on wrong usage or input that
        cannot be read.

    """
    from groundwire.cli.app import run

    return run(arguments)
