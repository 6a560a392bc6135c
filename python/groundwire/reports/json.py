"""Reports as JSON: written, read back, masked on request. The schema is ``report.schema.json``."""

from __future__ import annotations

import json
from importlib import resources
from typing import Any, cast

from groundwire.errors import FormatError
from groundwire.findings import SCHEMA_VERSION
from groundwire.plain import MASK, ReportDict, mask_finding, mask_weak_point


def schema() -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of a report."""
    text = resources.files(__package__).joinpath("report.schema.json").read_text("utf-8")
    return cast("dict[str, Any]", json.loads(text))


def render(report: ReportDict, *, mask: bool = False, indent: int | None = 2) -> str:
    """Return ``report`` as JSON text; with ``mask``, without a word of the stream or a source."""
    content: dict[str, Any] = dict(report)
    if mask:
        sources: dict[str, int] = {}
        content |= {
            "text": MASK,
            "released": MASK,
            "findings": [mask_finding(finding, sources) for finding in report["findings"]],
            "claims": [],
            "interventions": [],
        }
        if "weak_points" in report:
            content["weak_points"] = [
                mask_weak_point(point, sources) for point in report["weak_points"]
            ]
    return json.dumps(content, ensure_ascii=False, indent=indent)


def parse(text: str) -> ReportDict:
    """Read a report that :func:`render` wrote.

    Raises:
        FormatError: the text is no report, or one of another major version.

    """
    try:
        content = json.loads(text)
    except ValueError as error:
        what = f"it is no JSON ({error})" if text.strip() else "it is empty"
        msg = f"this is no report: {what}; `groundwire check --format json` writes one"
        raise FormatError(msg) from error
    if not isinstance(content, dict) or "schema_version" not in content:
        msg = "this is no report: it names no schema_version"
        raise FormatError(msg)
    version = str(content["schema_version"])
    if version.split(".", maxsplit=1)[0] != SCHEMA_VERSION.split(".", maxsplit=1)[0]:
        msg = f"the report is of version {version}; this groundwire reads {SCHEMA_VERSION}"
        raise FormatError(msg)
    missing = [key for key in ("text", "findings") if key not in content]
    if missing:
        msg = f"this is no report: it lacks {' and '.join(missing)}"
        raise FormatError(msg)
    return cast("ReportDict", content)
