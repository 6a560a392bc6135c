"""What was done about findings, as leaves: a mitigator's actions, or what a guard did."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from groundwire._checks import several
from groundwire.errors import ArgumentError
from groundwire.plain import MASK

if TYPE_CHECKING:
    from groundwire.report import Report
    from groundwire.store.base import Value

# The seed's MitigationAction that is nearest to what a guard did.
_OF_GUARD = {
    "annotate": "Flag",
    "hedge": "Flag",
    "correct": "Correct",
    "remove": "Remove",
    "interrupt": "Remove",
    "discard": "Remove",
    "reject": "Remove",
    "regenerate": "Regenerate",
    "escalate": "Escalate",
    "accept": "None",
}
# Where each of the seed's actions says why.
_REASONS = ("reason", "annotation", "guidance", "source")


def mitigation_leaves(
    report: Report, mitigation: Iterable[Any] | None, *, mask: bool
) -> dict[str, Value]:
    """Return the leaves of ``mitigation/``.

    ``type`` is one of ``None``, ``Flag``, ``Correct``, ``Remove``, ``Regenerate``, ``Escalate``.
    What a guard did has no span: its text is no longer in the report's.

    Raises:
        ArgumentError: an action is no object or mapping with a type.

    """
    if mitigation is None:
        actions = [_of_guard(i.to_dict()) for i in report.interventions]
    else:
        if isinstance(mitigation, str | bytes | Mapping):
            raise ArgumentError("mitigation is a list of actions; put the one action into a list")
        given = several(mitigation, "mitigation", "actions")
        actions = [_of_mitigator(action) for action in given]
    kinds = [action["type"] for action in actions]
    leaves: dict[str, Value] = {
        "mitigation/action_count": len(actions),
        "mitigation/corrections_applied": kinds.count("Correct"),
        "mitigation/regeneration_needed": "Regenerate" in kinds,
    }
    for index, action in enumerate(actions):
        for name, value in action.items():
            hide = mask and name in {"original", "replacement", "reason"}
            leaves[f"mitigation/action/{index}/{name}"] = MASK if hide else value
    return leaves


def _of_guard(done: Mapping[str, Any]) -> dict[str, Value]:
    action: dict[str, Value] = {"type": _OF_GUARD.get(done["action"], done["action"])}
    if done["retracted"]:
        action["original"] = done["retracted"]
    if done["inserted"]:
        action["replacement"] = done["inserted"]
    reasons = [f["message"] for f in done["findings"] if f["message"]]
    if reasons:
        action["reason"] = "; ".join(reasons)
    return action


def _of_mitigator(given: Any) -> dict[str, Value]:
    def field(name: str) -> Any:
        return given.get(name) if isinstance(given, Mapping) else getattr(given, name, None)

    kind = field("type") or field("kind")
    if kind is None and not isinstance(given, Mapping | str | int | float | None):
        kind = type(given).__name__
    name = getattr(kind, "value", kind)
    if not isinstance(name, str) or not name:
        raise ArgumentError(
            f"a mitigation is a mapping or an object with a type, not {given!r:.60}"
        )
    action: dict[str, Value] = {"type": name[:1].upper() + name[1:]}
    span = field("span")
    if isinstance(span, range):
        span = (span.start, span.stop)
    if span is not None:
        action["span_start"], action["span_end"] = int(span[0]), int(span[1])
    for part in ("original", "replacement"):
        if field(part) is not None:
            action[part] = str(field(part))
    reason = next((field(part) for part in _REASONS if field(part) is not None), None)
    if reason is not None:
        action["reason"] = str(reason)
    return action
