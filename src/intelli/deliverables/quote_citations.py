"""Citations of passages narrowed to citations of the words in them: each quote has an identifier of its own.

Like that of a passage, the identifier encodes bytes and span, so the same words always have the same identifier.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from intelli.citations.bind import bind
from intelli.citations.prove import ProofMaterial, StoredText
from intelli.content.passage import Passage
from intelli.content.span import Span


class QuoteCitations:
    """Finds the words that support a statement, and records what was cited, in order."""

    def __init__(self, passages: Mapping[str, Passage], hints: Mapping[str, Sequence[str]]) -> None:
        self._passages = passages
        self._hints = hints
        self.references: dict[str, Passage] = {}
        self.passages: dict[str, str] = {}
        self.quotes: dict[str, str] = {}

    def cite(self, identifier: str, statement: str, quote: str = "") -> str | None:
        """The identifier of the words of a passage that a statement rests on; None for a passage nobody found."""
        passage = self._passages.get(identifier)
        if passage is None:
            return None
        start, end = self._place(passage, statement, quote)
        quoted = passage.narrowed(start, end)
        made = quoted.identifier
        self.references.setdefault(made, quoted)
        self.passages.setdefault(made, identifier)
        self.quotes.setdefault(made, passage.text[start:end])
        return made

    def around(self, identifier: str) -> tuple[str, ...]:
        """What a quote of a passage stands in: the passage, and what else was found of its document."""
        passage = self._passages.get(identifier)
        if passage is None:
            return ()
        others = (each.text for each in self._passages.values() if each.sha256 == passage.sha256)
        return passage.text, "\n".join(dict.fromkeys(others))

    def material(self) -> ProofMaterial:
        """All that was cited, to be proven from the passages alone, before the sources are read."""
        passages, sources = {}, {}
        for mark, quoted in self.references.items():
            passage = self._passages[self.passages[mark]]
            # The text of a passage stands for its source, and its identifier for the hash of that.
            passages[mark] = replace(quoted, span=Span(passage.identifier, *quoted.span.offsets_in(passage.span)))
            sources[passage.identifier] = StoredText("", passage.text, is_whole=True)
        return ProofMaterial(passages, sources, {mark: [quote] for mark, quote in self.quotes.items()})

    def passage_material(self) -> ProofMaterial:
        """All passages that may be cited, each read whole."""
        passages = {
            name: replace(passage, span=Span(name, 0, len(passage.text))) for name, passage in self._passages.items()
        }
        sources = {name: StoredText("", passage.text, is_whole=True) for name, passage in self._passages.items()}
        return ProofMaterial(passages, sources)

    def _place(self, passage: Passage, statement: str, quote: str) -> tuple[int, int]:
        """Where the words of a passage begin and end that a statement rests on."""
        at = passage.text.find(quote) if quote else -1
        if at >= 0:
            return at, at + len(quote)
        bound = bind(quote or statement, passage.text, self._hints.get(passage.identifier, ()))
        return bound.start, bound.end
