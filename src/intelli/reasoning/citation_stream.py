"""Replace the handles in a model's streamed text by citations: `[s1]` → `<gml-inlinecitation …/>`."""

import re
from collections.abc import Mapping, Sequence

from intelli.reasoning.values import SourceText

_HANDLES = re.compile(r"\[\s*s\d{1,4}(?:\s*[,;]\s*s\d{1,4})*\s*\]")
_ONE = re.compile(r"s\d{1,4}")
_CANONICAL = re.compile(r"<gml-inlinecitation\s+identifier=\"([^\"<>]{1,200})\"\s*/?>(?:</gml-inlinecitation>)?")
_TAG = re.compile(r"<\s*+/?+\s*+gml-", re.IGNORECASE)
# What may still become a handle or a tag when more text comes.
_UNFINISHED = re.compile(
    r"(?:\[[\ss\d,;]{0,80}|<\s{0,4}/?\s{0,4}(?:g|gm|gml)?|</?gml-[^<>]{0,240}(?:></?[^<>]{0,20})?)$", re.IGNORECASE
)
_MOST_HELD = 300
# Stands where a citation of nothing was taken out: the sentence before it rests on no source.
NO_SOURCE = "[?]"


def citation_tag(identifier: str) -> str:
    """Return the citation tag of an identifier, in the canonical form."""
    safe = identifier.replace("&", "&amp;").replace('"', "&quot;").replace("<", "&lt;")
    return f'<gml-inlinecitation identifier="{safe}"/>'


class CitationStream:
    """Turns pieces of a model's text into text with citations.

    Handles, and citation tags that name a handle or a source, become citations; all other tags are escaped. Names of
    nothing are taken out and collected in `unknown`; a sentence that has no other is marked by `NO_SOURCE`.
    """

    def __init__(self, sources: Mapping[str, SourceText]) -> None:
        self._sources = sources
        self._held = ""
        self._identifiers = {name for source in sources.values() for name in (source.identifier, *source.also)}
        self.cited: list[str] = []
        self.unknown: list[str] = []

    def feed(self, piece: str) -> str:
        """Add a piece and return the text that can be shown now, without a handle that may be incomplete."""
        text = self._held + piece
        unfinished = _UNFINISHED.search(text, max(0, len(text) - _MOST_HELD))
        cut = unfinished.start() if unfinished else len(text)
        self._held = text[cut:]
        return self._translate(text[:cut])

    def end(self) -> str:
        """Return the text that was still held back."""
        rest, self._held = self._held, ""
        return self._translate(rest)

    def _translate(self, text: str) -> str:
        parts, at = [], 0
        for tag in _CANONICAL.finditer(text):
            parts += [self._translate_handles(text[at : tag.start()]), self._cite([tag[1].strip("[] ")])]
            at = tag.end()
        return "".join([*parts, self._translate_handles(text[at:])])

    def _translate_handles(self, text: str) -> str:
        return _HANDLES.sub(self._citations, _TAG.sub(lambda tag: tag[0].replace("<", "&lt;"), text))

    def _citations(self, match: re.Match[str]) -> str:
        return self._cite(_ONE.findall(match[0]))

    def _cite(self, names: Sequence[str]) -> str:
        named = [identifier for name in names for identifier in self._named(name)]
        known = [name for name in named if name in self._identifiers]
        self.unknown += [name for name in named if name not in self._identifiers]
        self.cited += known
        return "".join(citation_tag(identifier) for identifier in dict.fromkeys(known)) or NO_SOURCE

    def _named(self, name: str) -> tuple[str, ...]:
        source = self._sources.get(name)
        return (source.identifier, *source.also) if source is not None else (name,)
