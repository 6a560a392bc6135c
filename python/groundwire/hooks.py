"""What an application may put into its own words while an answer is guarded."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from groundwire import _core
from groundwire.findings import Finding

if TYPE_CHECKING:
    from groundwire.profiles.stream import KnowledgeCheck, KnowledgeStore
    from groundwire.report import Report


class Hooks:
    """What an application may say in its own words; every method can be overridden."""

    def verify(self, prompt_ids: Sequence[int], question: str | None) -> str | None:  # noqa: ARG002
        """Return what knowledge is missing for this request, or none to go on (S4-002)."""
        return None

    def pre_check(self, question: str, knowledge: KnowledgeStore) -> KnowledgeCheck | None:  # noqa: ARG002
        """Check knowledge before generation (S4-002, S4-025); none goes on unchecked.

        Called once a guarded loop, where there is a question, with everything the loop was given:
        the monitor's knowledge base, evidence and history. A check that is not ``verified`` ends
        the answer with its ``limitation``, and the model is not asked.
        ``groundwire.KnowledgeHooks`` checks with ``verify_knowledge``.
        """
        return None

    def begin(self, question: str | None, knowledge: KnowledgeStore) -> None:  # noqa: ARG002
        """Hear that an answer begins, and what is at hand for it; again for each attempt."""
        return

    def on_step(self, step: _core.Step) -> float | None:  # noqa: ARG002
        """Hear what a token brought; return the confidence in the answer so far, 0..1, or none."""
        return None

    def on_rewind(self, text: str) -> None:  # noqa: ARG002
        """Hear that the answer was cut back to ``text``."""
        return

    def review(self, report: Report) -> Report:
        """Return the final report, with what the application knows of it (S4-027)."""
        return report

    def limitation_response(self, missing: str, text: str) -> str:  # noqa: ARG002
        """Return the statement that takes the place of an answer; ``text`` is the default.

        ``missing`` says what is missing, in the default's words: a name, or "the founder of" one;
        empty where nothing can be named.
        """
        return text

    def reformulate(self, retracted: str, text: str, findings: Sequence[Finding]) -> str:  # noqa: ARG002
        """Return what is forced in place of ``retracted``; ``text`` is the default."""
        return text

    def add_disclaimers(self, released: str, contradictions: Sequence[Finding]) -> str:
        """Return text to append for contradictions the reader has been given.

        They are those of the final report whose text was released all the same, and about which
        the answer itself says nothing: with policies that annotate some tiers, with held text that
        left because of its limit. Where the policy only watches (``Policy.only_watches``) this
        default is not asked, so that the text stays as it is, nor is it told of a finding whose
        tier the policy accepts; a method of your own is.
        """
        if not contradictions:
            return ""
        notes = [c.message.rstrip(".") for c in contradictions if c.message]
        ends = len(released) - len(released.rstrip("\n"))
        apart = "\n" * max(0, 2 - ends) if released.strip() else ""
        return f"{apart}Please note: " + ". ".join(dict.fromkeys(notes)) + "."

    def finalize(self, released: str, report: Report) -> str:  # noqa: ARG002
        """Return text to append at the very end, after disclaimers."""
        return ""

    def is_complete(self, ids: Sequence[int]) -> bool:  # noqa: ARG002
        """Return whether the answer is complete after these generated tokens."""
        return False
