"""Replace the handles in a model's streamed text by citations: `[s1]` → `<gml-inlinecitation …/>`."""

import re
from collections.abc import Mapping

from intelli.reasoning.values import SourceText

_HANDLES = re.compile(r"\[\s*s\d{1,4}(?:\s*[,;]\s*s\d{1,4})*\s*\]")
_ONE = re.compile(r"s\d{1,4}")
_TAG = re.compile(r"<\s*+/?+\s*+gml-", re.IGNORECASE)
# What may still become a handle or a tag when more text comes.
_UNFINISHED = re.compile(r"(?:\[[\ss\d,;]{0,80}|<\s{0,4}/?\s{0,4}(?:g|gm|gml)?)$", re.IGNORECASE)


def citation_tag(identifier: str) -> str:
    """Return the citation tag of an identifier, in the canonical form."""
    safe = identifier.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'<gml-inlinecitation identifier="{safe}"/>'


class CitationStream:
    """Turns pieces of a model's text into text with citations. Only handles become citations; tags are escaped."""

    def __init__(self, sources: Mapping[str, SourceText]) -> None:
        self._sources = sources
        self._held = ""
        self.cited: list[str] = []
        self.unknown = 0

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be shown now, without a handle that may be incomplete."""
        text = self._held + piece
        unfinished = _UNFINISHED.search(text, max(0, len(text) - 100))
        cut = unfinished.start() if unfinished else len(text)
        self._held = text[cut:]
        return self._translate(text[:cut])

    def end(self) -> str:
        """Return the text that was still held back."""
        rest, self._held = self._held, ""
        return self._translate(rest)

    def _translate(self, text: str) -> str:
        return _HANDLES.sub(self._citations, _TAG.sub(lambda tag: tag[0].replace("<", "&lt;"), text))

    def _citations(self, match: re.Match[str]) -> str:
        handles = _ONE.findall(match[0])
        known = [self._sources[handle].identifier for handle in handles if handle in self._sources]
        self.unknown += len(handles) - len(known)
        self.cited += known
        return "".join(citation_tag(identifier) for identifier in dict.fromkeys(known))
