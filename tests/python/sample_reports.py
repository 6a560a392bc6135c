"""A report with two findings, as plain data, for tests of what reads reports."""

from __future__ import annotations

import copy
from typing import Any

TEXT = "Welcome.\nThe archive opened in 1962 under Ada Prévost – see below.\nStudies show 40 %.\n"


def _span(part: str) -> list[int]:
    start = TEXT.index(part)
    return [start, start + len(part)]


def _byte_span(part: str) -> list[int]:
    start = len(TEXT[: TEXT.index(part)].encode())
    return [start, start + len(part.encode())]


def finding(part: str, **changes: Any) -> dict[str, Any]:
    base: dict[str, Any] = {
        "id": f"f-{abs(_span(part)[0]):04x}",
        "system": "stream",
        "type": "stream.unsourced_authority",
        "rule": "unsourced-authority",
        "span": _span(part),
        "byte_span": _byte_span(part),
        "spans": [],
        "text": part,
        "locator": None,
        "claim_id": "c1",
        "decided_at": _byte_span(part)[1],
        "p_hallucinated": 0.6,
        "severity": "medium",
        "native_severity": "MEDIUM",
        "score": 0.5,
        "risk": 0.3,
        "tier": "low",
        "status": "unverifiable",
        "content": part,
        "message": f"“{part}” names no source",
        "masked_message": "“[masked]” names no source",
        "suggestion": None,
        "replacement": None,
        "evidence": [],
        "detected": None,
        "expected": None,
        "extra": {},
    }
    return base | changes


REPORT: dict[str, Any] = {
    "schema_version": "1.0",
    "session_id": "s1",
    "text": TEXT,
    "released": TEXT,
    "tier": "high",
    "verdict": {"status": "fail", "action": "interrupt", "reasons": ["one contradicted claim"]},
    "findings": [
        finding("Studies show 40 %"),
        finding(
            "1962",
            id="f-year",
            system="dialogue",
            type="dialogue.wrong_attribute",
            rule="attribute",
            p_hallucinated=0.95,
            severity="high",
            score=0.9,
            risk=0.855,
            tier="high",
            status="contradicted",
            message="opened is 1958, not 1962",
            masked_message="opened is [masked], not [masked]",
            suggestion="Check the archive's year.",
            replacement="1958",
            evidence=[
                {
                    "kind": "kb_fact",
                    "source": "archive.jsonl",
                    "locator": "12",
                    "text": "opened: 1958",
                    "quality": 1.0,
                    "data": None,
                }
            ],
            detected=1962,
            expected=1958,
        ),
    ],
    "claims": [
        {
            "id": "c1",
            "content": "The archive opened in 1962",
            "span": _span("The archive opened in 1962"),
            "byte_span": _byte_span("The archive opened in 1962"),
            "subject": "The archive",
            "predicate": "opened",
            "object": "1962",
            "polarity": "positive",
            "modality": "asserted",
            "stated_confidence": 1.0,
            "status": "contradicted",
            "citations": [],
            "quantities": [],
            "dates": [],
            "signals": [],
            "decided_at": _byte_span("1962")[1],
            "referent": None,
            "coordinated": None,
            "bits": None,
        }
    ],
    "interventions": [
        {
            "action": "interrupt",
            "tier": "high",
            "at_push": 14,
            "span": _byte_span("The archive opened in 1962"),
            "retracted": "The archive opened in 1962",
            "inserted": "",
            "already_sent": False,
            "findings": [],
        }
    ],
    "stats": {"segments": 3},
    "weak_points": [
        {
            "claim_id": "c1",
            "content": "The archive opened in 1962",
            "span": _span("The archive opened in 1962"),
            "confidence": 0.2,
            "reason": "low_confidence",
            "source": "archive.jsonl",
        }
    ],
}


def report(**changes: Any) -> dict[str, Any]:
    return copy.deepcopy(REPORT) | changes


# Words of the stream and of its sources that nothing masked may show.
SECRETS = ("1962", "1958", "Prévost", "Studies show", "Check the archive", "archive.jsonl", '"12"')
