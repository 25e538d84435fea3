"""Sign, word and meaning of each outcome of a check. Terminal, files and screen show these and no others.

A key is a `Check` of a citation or a `Verdict` on a statement; both are strings, so their values serve as well.
"""

from collections.abc import Mapping

from intelli.citations.wire import Check
from intelli.reasoning.verbs.judge import Verdict

SIGNS: Mapping[str, str] = {
    Check.VERIFIED: "✓",
    Check.WEAK: "≈",
    Check.FAILED: "✕",
    Check.UNCHECKED: "?",
    Verdict.SUPPORTED: "✓",
    Verdict.PARTLY: "≈",
    Verdict.NOT_SUPPORTED: "✕",
    Verdict.CONTRADICTED: "≠",
}
"""One character each, so that an outcome is never shown by colour alone."""

WORDS: Mapping[str, str] = {
    Check.VERIFIED: "Verified",
    Check.WEAK: "In other words",
    Check.FAILED: "Not supported",
    Check.UNCHECKED: "Unchecked",
    Verdict.SUPPORTED: "Supported",
    Verdict.PARTLY: "Partly supported",
    Verdict.NOT_SUPPORTED: "Not supported",
    Verdict.CONTRADICTED: "Contradicted",
}
"""As a label begins; inside a sentence a caller lowers the first letter."""

MEANINGS: Mapping[str, str] = {
    Check.VERIFIED: "The passage says this.",
    Check.WEAK: "The passage says a part of this, or says it in other words. Read it.",
    Check.FAILED: "The passage does not bear this out.",
    Check.UNCHECKED: "This has not been checked.",
    Verdict.SUPPORTED: "The sources say this.",
    Verdict.PARTLY: "The sources say a part of this.",
    Verdict.NOT_SUPPORTED: "No source says this.",
    Verdict.CONTRADICTED: "A source says otherwise.",
}
"""One sentence each, for a hint beside the sign."""


def mark(outcome: str) -> str:
    """Return sign and word of an outcome, as a line of plain text has them: `✓ verified`."""
    return f"{SIGNS[outcome]} {WORDS[outcome].lower()}"
