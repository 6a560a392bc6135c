"""Exceptions raised by groundwire; the Rust core's errors are mapped onto these classes."""

from __future__ import annotations


class GroundwireError(Exception):
    """Base of every exception that groundwire raises on purpose."""


class ArgumentError(GroundwireError, ValueError):
    """An argument is out of range, of the wrong shape or not valid here; state is unchanged."""


class UnknownTokenError(GroundwireError, KeyError):
    """A token id is not in the vocabulary the monitor was built with."""

    def __str__(self) -> str:
        """Return the plain message (``KeyError`` would quote it)."""
        return str(self.args[0]) if self.args else ""


class RuleError(GroundwireError, ValueError):
    """A rule or rule file is not valid; the message names the rule."""


class ConfigError(GroundwireError, ValueError):
    """A configuration key or value is not valid; the message names it."""


class FormatError(GroundwireError, ValueError):
    """Serialised data is damaged or was written by an incompatible version."""


class RollbackTooFar(GroundwireError, IndexError):
    """A rollback reaches further back than the session retains; the session is unchanged."""


class SessionLatched(GroundwireError, RuntimeError):
    """The session was finished or stopped itself after an internal fault, or a store was closed."""


class SessionBusy(GroundwireError, RuntimeError):
    """Two callers used one session, or one engine, at the same time."""


class NotFoundError(GroundwireError, KeyError):
    """A claim, entity, profile or mark of that name does not exist."""

    def __str__(self) -> str:
        """Return the plain message (``KeyError`` would quote it)."""
        return str(self.args[0]) if self.args else ""


class MissingExtraError(GroundwireError, ImportError):
    """An optional dependency is not installed; the message says which extra brings it."""


__all__ = [
    "ArgumentError",
    "ConfigError",
    "FormatError",
    "GroundwireError",
    "MissingExtraError",
    "NotFoundError",
    "RollbackTooFar",
    "RuleError",
    "SessionBusy",
    "SessionLatched",
    "UnknownTokenError",
]
