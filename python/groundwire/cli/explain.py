"""``groundwire explain``: how the numbers of one finding came about."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.table import Table
from rich.text import Text

from groundwire.cli import options, screen, sources
from groundwire.errors import NotFoundError
from groundwire.plain import MASK, FindingDict, ReportDict, tier_rank
from groundwire.reports import json as reports_json
from groundwire.reports.places import Lines
from groundwire.reports.text import finding_text, safe

_FACTORS = (
    ("kb_factor", "kb", "knowledge base"),
    ("history_factor", "history", "earlier turns"),
    ("linguistic_factor", "linguistic", "wording"),
    ("consistency_factor", "consistency", "related findings"),
)


def explain(
    finding: Annotated[str, typer.Argument(help="Id of the finding, or its beginning.")],
    report: Annotated[
        str,
        typer.Option("--report", "-r", help="Report as JSON; - reads standard input."),
    ] = "-",
    config: options.Configuration = None,
) -> None:
    """Show how a finding's score, risk and tier came about.

    Reads the report that `groundwire check --format json` writes.
    """
    data = reports_json.parse(sources.read_text(report))
    chosen = find(data, finding)
    out = screen.console()
    lines = Lines(data["text"])
    out.print(finding_text(chosen, lines, "text", out.width, mask=data["text"] == MASK), end="")
    from groundwire.config import Config

    settings = Config.load(config)
    weights = settings.dialogue.evidence_weights.model_dump()
    out.print(derivation(chosen, weights))
    tiers = settings.dialogue.tiers if chosen["system"] == "dialogue" else settings.stream.tiers
    for line in tier_lines(chosen, tiers.model_dump()):
        out.print(Text(line))


def find(report: ReportDict, name: str) -> FindingDict:
    """Return the finding whose id is ``name`` or alone begins with it.

    Raises:
        NotFoundError: there is none, or more than one; the message lists the ids.

    """
    found = [f for f in report["findings"] if f["id"] == name]
    found = found or [f for f in report["findings"] if f["id"].startswith(name)]
    if len(found) == 1:
        return found[0]
    listed = ", ".join(f["id"] for f in found or report["findings"]) or "none"
    what = "more than one finding begins with" if found else "the report has no finding"
    msg = f"{what} {name!r}; ids: {listed}"
    raise NotFoundError(msg)


def derivation(finding: FindingDict, weights: dict[str, float]) -> Table:
    """Return the score step by step (S0-066), then the risk."""
    extra = finding.get("extra", {})  # a masked report has none
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in ("step", "how"):
        table.add_column(name, overflow="fold")
    table.add_column("gives", justify="right")
    base = extra.get("base_severity")
    value = float(base) if isinstance(base, int | float) else None
    if value is not None:
        table.add_row("base severity", f"of {finding['type']}", f"{value:.4f}")
    for key, weight_name, label in _FACTORS:
        factor = extra.get(key)
        if not isinstance(factor, int | float):
            continue
        weight = weights[weight_name]
        step = weight * factor + (1 - weight)
        if value is not None:
            value *= step
        how = f"x ({weight:g} x {factor:.4g} + {1 - weight:g}) = x {step:.4f}"
        table.add_row(label, how, "" if value is None else f"{value:.4f}")
    how = "clipped to 0..1"
    if value is not None and abs(min(1.0, max(0.0, value)) - finding["score"]) > 1e-6:
        how = "as reported; the weights it was made with were others"
    table.add_row("score", how, f"{finding['score']:.4f}")
    how = f"score x p_hallucinated = {finding['score']:.4f} x {finding['p_hallucinated']:.4f}"
    table.add_row("risk", how, f"{finding['risk']:.4f}")
    for key, value in extra.items():
        if key.endswith("_bits") and isinstance(value, int | float):
            table.add_row(key.removesuffix("_bits"), "information, bits", f"{value:.4f}")
    return table


def tier_lines(finding: FindingDict, cutoffs: dict[str, float]) -> list[str]:
    """Return why the risk led to the tier it did."""
    reached = [name for name, cut in cutoffs.items() if finding["risk"] >= cut]
    by_risk = reached[-1] if reached else "none"
    lines = [
        "cut-offs: " + ", ".join(f"{name} {cut:g}" for name, cut in cutoffs.items()),
        f"by risk alone: {by_risk}; status: {finding['status'].replace('_', ' ')}; "
        f"tier: {finding['tier']}",
    ]
    extra = finding.get("extra", {})  # a masked report has none
    lower = tier_rank(finding["tier"]) < tier_rank(by_risk)
    higher = tier_rank(finding["tier"]) > tier_rank(by_risk)
    if lower and by_risk == "critical" and finding["status"] != "contradicted":
        lines.append("critical needs a source that says otherwise; there is none")
    elif lower and extra.get("absence"):
        world = "what is known is declared complete" if extra.get("closed_world") else "open world"
        lines.append(f"capped: something is missing, nothing contradicts it ({world})")
    elif lower and extra.get("disputed"):
        lines.append("held below high: the sources disagree, and one of them says so")
    elif lower and extra.get("max_tier"):
        lines.append("held low: the earlier turn settles nothing")
    elif lower:
        lines.append("held lower by the profile")
    elif higher and extra.get("pattern"):
        lines.append(f"raised: pattern {safe(str(extra['pattern']))} is above its threshold")
    elif higher:
        lines.append("raised by the profile or the rule")
    return lines
