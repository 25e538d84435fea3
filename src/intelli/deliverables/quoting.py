"""Citations of passages become citations of the words in them: each quote has an identifier of its own.

The identifier tells bytes and span as a passage's does, so the same words always have the same one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from intelli.citations.bind import bind
from intelli.citations.prove import Reference


class Quoting:
    """Finds the words a statement rests on, and remembers what was cited, in order."""

    def __init__(self, passages: Mapping[str, Reference], hints: Mapping[str, Sequence[str]]) -> None:
        self._passages = passages
        self._hints = hints
        self.references: dict[str, Reference] = {}
        self.passages: dict[str, str] = {}
        self.quotes: dict[str, str] = {}

    def cite(self, identifier: str, statement: str, quote: str = "") -> str | None:
        """The identifier of the words of a passage that a statement rests on; None for a passage nobody found."""
        passage = self._passages.get(identifier)
        if passage is None:
            return None
        start, end = self._span(passage, statement, quote)
        made = f"{passage.sha256[:16]}.{passage.start + start}-{passage.start + end}"
        self.references.setdefault(
            made, replace(passage, identifier=made, start=passage.start + start, end=passage.start + end)
        )
        self.passages.setdefault(made, identifier)
        self.quotes.setdefault(made, passage.text[start:end])
        return made

    def _span(self, passage: Reference, statement: str, quote: str) -> tuple[int, int]:
        at = passage.text.find(quote) if quote else -1
        if at >= 0:
            return at, at + len(quote)
        bound = bind(quote or statement, passage.text, self._hints.get(passage.identifier, ()))
        return bound.start, bound.end
