"""Resolve the citations of a text: known ones are rewritten to the canonical form, unknown ones are removed.

A bracket that names nothing known stays as it is: people use brackets for other things too. Example, with `a` known:
`Yes {citation:a} {citation:b} [1].` → `Yes <gml-inlinecitation identifier="a"/> [1].`
"""

import re
from collections import deque
from collections.abc import Container
from dataclasses import dataclass

from intelli.citations.buffer import CitationBuffer
from intelli.citations.parse import FENCE, CitationForm, closing_pattern, scan, tag, unclosed_code

# How a line begins that may be a fence, or the definition of an address.
_UNDECIDED = re.compile(r" {0,3}(?:[`~]|\[[^\]]*\](?::|$))")
_PATIENCE = 16


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """A text with canonical citations only, and the identifiers that were removed from it."""

    text: str
    unknown: tuple[str, ...]


def resolve_citations(text: str, known: Container[str]) -> ResolvedText:
    """Resolve the citations of a complete text."""
    pieces: list[str] = []
    unknown: list[str] = []
    at = 0
    for cited in scan(text):
        if cited.form is CitationForm.DEFINITION or (
            cited.form is CitationForm.BRACKET and cited.identifier not in known
        ):
            continue
        before = text[at : cited.start]
        if cited.identifier in known:
            pieces += (before, tag(cited.identifier))
        else:
            pieces.append(before.rstrip(" "))
            unknown.append(cited.identifier)
        at = cited.end
    return ResolvedText("".join([*pieces, text[at:]]), tuple(unknown))


class CitationResolver:
    """Resolves citations while the text streams: the results of `feed` and `end` join to the resolved text."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known
        self._buffer = CitationBuffer()
        self._line = ""
        self._returned = ""
        self._fence: re.Pattern[str] | None = None
        self._next_look = 0

    def feed(self, piece: str) -> str:
        """Take the next piece; return the resolved text that is final by now."""
        *whole, rest = f"{self._line}{piece}".split("\n")
        told = [f"{self._finish(line)}\n" for line in whole]
        if whole:
            self._buffer = CitationBuffer()
            self._buffer.feed(rest)
            self._next_look = 0
        else:
            self._buffer.feed(piece)
        self._line = rest
        if len(rest) >= self._next_look:
            # A line that goes on and on is looked at now and then: to look at it each time would take too long.
            self._next_look = len(rest) + len(rest) // _PATIENCE
            told.append(self._grow())
        return "".join(told)

    def end(self) -> str:
        """Return the rest that was held back."""
        rest, self._line = self._finish(self._line), ""
        return rest

    def _finish(self, line: str) -> str:
        """Return the rest of a line that is complete."""
        settled = line if self._is_code(line) else resolve_citations(line, self._known).text
        told, self._returned = settled[len(self._returned) :], ""
        return told

    def _is_code(self, line: str) -> bool:
        if self._fence is not None:
            if self._fence.match(line):
                self._fence = None
            return True
        opening = FENCE.match(line)
        if opening is not None:
            self._fence = closing_pattern(opening)
        return opening is not None

    def _grow(self) -> str:
        """Return the next final part of a line that is not complete."""
        if self._fence is not None or _UNDECIDED.match(self._line):
            return ""
        settled = resolve_citations(self._line[: self._decided_length()], self._known).text
        told, self._returned = settled[len(self._returned) :], settled
        return told

    def _decided_length(self) -> int:
        """Return the length of the line's prefix whose meaning no further text can change."""
        end = self._buffer.ready_length
        code = unclosed_code(self._line[:end])
        end = end if code is None else min(end, code)
        last = deque(scan(self._line[:end]), maxlen=1)
        if last and last[0].form is not CitationForm.TAG and last[0].end == end:
            end = last[0].start
        return len(self._line[:end].rstrip(" \\"))
