"""What is said of detectors, rules and verifiers that failed about a claim.

Of what they raised only the type is named: its text may quote the claim.
"""

from __future__ import annotations

from typing import Any

from groundwire.findings import Claim, Finding


def reason_of(name: str, error: BaseException) -> str:
    """Return who failed, and how."""
    return f"{name} failed: {type(error).__name__}"


def detector_failed(
    name: str, claim: Claim, error: BaseException, rule: str | None = None
) -> Finding:
    """Return what a claim carries from which on a detector or a ``rule`` judges no longer."""
    why = reason_of(name, error)
    message = f"from this claim on the answer is not checked in full: {why}"
    named = rule or str(name)
    return _unsure("stream.detector_failed", claim, message, content=named, rule=named)


def verifier_failed(name: str, claim: Claim, reason: str) -> Finding:
    """Return what a claim carries that a verifier gave no verdict about."""
    message = f"this claim is unverified: {reason}"
    return _unsure("stream.verifier_failed", claim, message, rule=name)


def _unsure(kind: str, claim: Claim, message: str, **more: Any) -> Finding:
    return Finding(
        type=kind,
        text=claim.content,
        byte_span=claim.byte_span,
        claim_id=claim.id,
        severity="low",
        message=message,
        extra={"absence": True},
        **more,
    )
