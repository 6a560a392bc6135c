"""Results as Markdown tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Values = Mapping[str, Any]

GENERAL = (
    ("span_f1", "span F1", 100.0),
    ("example_f1", "example F1", 100.0),
    ("example_precision", "P", 100.0),
    ("example_recall", "R", 100.0),
    ("balanced_accuracy", "bal. acc.", 100.0),
    ("roc_auc", "AUC", 100.0),
    ("recall_at_1_percent_false_alarms", "R@1 %", 100.0),
    ("recall_at_5_percent_false_alarms", "R@5 %", 100.0),
    ("recall_at_10_percent_false_alarms", "R@10 %", 100.0),
    ("false_alarms_per_1000_clean_tokens", "false alarms", 1.0),
)
TIME = (
    ("delay_from_onset_p50", "from onset", 1.0),
    ("delay_from_end_p50", "from end", 1.0),
    ("delay_early", "early", 100.0),
    ("delay_in_span", "in span", 100.0),
    ("delay_1_32", "1–32", 100.0),
    ("delay_33_64", "33–64", 100.0),
    ("delay_65_128", "65–128", 100.0),
    ("delay_over_128", "> 128", 100.0),
    ("delay_never", "never", 100.0),
    ("first_alarm_early", "first alarm early", 100.0),
)
COST = (
    ("us_per_token_p50", "µs a token P50", 1.0),
    ("us_per_token_p99", "P99", 1.0),
    ("us_per_token_mean", "mean", 1.0),
    ("ms_per_response_p50", "ms a response P50", 1.0),
    ("ms_per_response_p99", "P99 ", 1.0),
    ("resident_growth_mib", "MiB more", 1.0),
)
OWN = (
    ("qi_f1", "QI F1", 100.0),
    ("hi_f1", "HI F1", 100.0),
    ("kbi_f1", "KBI F1", 100.0),
    ("overall_accuracy", "overall accuracy", 100.0),
    ("pairs_won", "pairs won", 100.0),
    ("pairs_tied", "of them tied", 100.0),
    ("hallmark_f1", "F1", 100.0),
    ("detection_rate", "detection rate", 100.0),
    ("false_positive_rate", "false positive rate", 100.0),
    ("tier_weighted_f1", "tier-weighted F1", 100.0),
    ("token_precision", "token P", 100.0),
    ("token_recall", "token R", 100.0),
    ("token_f1", "token F1", 100.0),
    ("fact_error_rank_correlation", "rank correlation", 100.0),
)
BY_TYPE = ("pairs_won_", "detection_rate_")

Column = tuple[str, str, float]


def markdown(result: Mapping[str, Any]) -> str:
    """Return a run's JSON data as Markdown, one heading a set.

    Shares and scores are percent with their interval in brackets, false alarms stretches in 1,000
    tokens of clean responses, delays tokens.
    """
    parts: list[str] = []
    for name, detectors in result["sets"].items():
        rows = [
            (detector, mode, values)
            for detector, modes in detectors.items()
            for mode, values in modes.items()
        ]
        first = rows[0][2]
        parts.append(f"## {name}\n")
        parts.append(f"{first['records']:,} records, {first['hallucinated']:,} hallucinated.\n")
        sources = result.get("thresholds", {}).get(name, {})
        parts.append(_table(rows, GENERAL, sources))
        for heading, columns in (
            ("In the set's own terms:", OWN),
            ("Detection delay (tokens; shares of labelled stretches in percent):", TIME),
            ("Cost:", COST),
        ):
            body = _table(rows, columns)
            if body:
                parts.append(f"{heading}\n\n{body}")
        for prefix in BY_TYPE:
            body = _by_type(rows, prefix)
            if body:
                parts.append(f"By error type, {prefix.strip('_').replace('_', ' ')}:\n\n{body}")
    if result.get("warnings"):
        parts.append("To mind:\n\n" + "".join(f"- {line}\n" for line in result["warnings"]))
    return "\n".join(parts)


def _table(
    rows: Sequence[tuple[str, str, Values]],
    columns: Sequence[Column],
    sources: Mapping[str, Mapping[str, str]] | None = None,
) -> str:
    """Return a table of the columns that any row has; nothing where none has one."""
    shown = [c for c in columns if any(c[0] in values for _, _, values in rows)]
    if not shown:
        return ""
    heads = ["detector", "mode", *(label for _, label, _ in shown)]
    if sources is not None:
        heads.append("thresholds")
    lines = ["| " + " | ".join(heads) + " |", "|---|---|" + "---:|" * (len(heads) - 2)]
    for detector, mode, values in rows:
        if not any(key in values for key, _, _ in shown):
            continue
        cells = [detector, mode, *(cell(values, key, scale) for key, _, scale in shown)]
        if sources is not None:
            cells.append(sources.get(detector, {}).get(mode, "–"))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def _by_type(rows: Sequence[tuple[str, str, Values]], prefix: str) -> str:
    names = sorted(
        {k for _, _, v in rows for k in v if k.startswith(prefix) and not k.endswith("_ci")}
    )
    return _table(rows, [(n, n.removeprefix(prefix).replace("_", " "), 100.0) for n in names])


def cell(values: Values, key: str, scale: float) -> str:
    """Return a value, with its interval where there is one; a dash where there is none."""
    value = values.get(key)
    if value is None:
        return "–"
    shown = number(value * scale)
    interval = values.get(f"{key}_ci")
    if interval is None:
        return shown
    return f"{shown} [{number(interval[0] * scale)}, {number(interval[1] * scale)}]"


def number(value: float) -> str:
    """Return a number with one digit after the point, two below 10 where it is no percent."""
    return f"{value:.1f}" if abs(value) >= 1 or value == 0 else f"{value:.2f}"
