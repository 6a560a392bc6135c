"""The configuration as a monitor takes it: policy, settings, and changes to profiles."""

from __future__ import annotations

from typing import Any

from groundwire.config.model import Config


def policy(config: Config) -> dict[str, Any]:
    """Return the core's policy: from tier to action, and the limits of holding text back."""
    stream = config.stream
    return {
        "release": stream.release,
        **stream.actions.model_dump(),
        "annotation": stream.annotation,
        "after_interrupt": stream.after_interrupt,
        "max_hold_tokens": stream.max_hold_tokens,
        "max_hold_ms": stream.max_hold_ms,
        "max_interventions": stream.max_interventions,
        "auto_correct": config.dialogue.mitigation.auto_correct_threshold,
        "hold_unresolved": stream.hold_unresolved,
    }


def settings(config: Config) -> dict[str, Any]:
    """Return the core's settings: limits and thresholds of a monitor."""
    stream = config.stream
    return {
        "max_retained": stream.max_retained,
        "max_claims": config.dialogue.max_claims,
        "history_turns": config.dialogue.history_turns,
        "history_roles": list(config.dialogue.history_roles),
        "history_similarity": config.dialogue.history_similarity,
        "contradiction_confidence": config.dialogue.contradiction_confidence,
        "unsupported_confidence": config.dialogue.unsupported_confidence,
        "max_future_years": config.dialogue.max_future_years,
        "group_window": stream.group_window,
        "group_confidence_bar": stream.group_confidence_bar,
        "budget_target": config.hallucination.budget.target,
        "budget_eps": config.hallucination.budget.eps,
        "support_threshold": stream.support_threshold,
        "word_support_threshold": stream.word_support_threshold,
        "detail_threshold": stream.detail_threshold,
        "unknown_names_always": stream.unknown_names_always,
    }


def profiles(config: Config) -> tuple[str, ...]:
    """Return the names of the streaming profiles that are switched on."""
    on = (
        ("stream", config.stream.enabled),
        ("dialogue", config.dialogue.enabled),
        ("budget", config.hallucination.enabled),
    )
    return tuple(name for name, enabled in on if enabled)


def profile_changes(config: Config, name: str) -> dict[str, Any]:
    """Return what the configuration sets in the built-in profile ``name``; empty if nothing."""
    if name == "stream":
        return {
            "cutoffs": config.stream.tiers.model_dump(),
            "interruption_threshold": config.stream.interruption_threshold,
            "failure": config.stream.failure,
            "strict_seed": config.stream.strict_seed,
        }
    if name == "dialogue":
        return {
            "cutoffs": config.dialogue.tiers.model_dump(),
            "weights": config.dialogue.evidence_weights.model_dump(),
            "enabled_detectors": config.dialogue.enabled_detectors.model_dump(),
            "detector_weights": config.dialogue.detector_weights.model_dump(),
            "detection_threshold": config.dialogue.detection_threshold,
            "regenerate_threshold": config.dialogue.mitigation.regenerate_threshold,
            "failure": config.dialogue.failure,
            "strict_seed": config.dialogue.strict_seed,
        }
    if name == "budget":
        return {
            "flag_threshold_bits": config.hallucination.output_verification.flag_threshold_bits,
            "failure": config.hallucination.failure,
            "strict_seed": config.hallucination.strict_seed,
        }
    return {}


def monitor_arguments(config: Config) -> dict[str, Any]:
    """Return the arguments that make a monitor of ``config``: ``Monitor(kb=…, **arguments)``."""
    return {
        "policy": policy(config),
        "profiles": tuple(
            {"name": name, **profile_changes(config, name)} for name in profiles(config)
        ),
        "settings": settings(config),
    }
