"""Settling a text: every citation that names something known becomes canonical, and what names nothing is taken out.

A bracket that names nothing known is a bracket: people use them for other things too.
"""

import re
from collections import deque
from collections.abc import Container
from dataclasses import dataclass

from intelli.citations.buffer import CitationBuffer
from intelli.citations.parse import FENCE, CitationForm, closing_of, scan, tag, unclosed_code

# How a line begins that may be a fence, or the definition of an address.
_UNDECIDED = re.compile(r" {0,3}(?:[`~]|\[[^\]]*\](?::|$))")
_PATIENCE = 16


@dataclass(frozen=True, slots=True)
class ResolvedText:
    """The text with canonical citations only, and the identifiers that were taken out of it."""

    text: str
    unknown: tuple[str, ...]


def resolve_citations(text: str, known: Container[str]) -> ResolvedText:
    """The text as it is kept."""
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
    """The same while the text streams: the pieces that `feed` and `end` give make up the settled text."""

    def __init__(self, known: Container[str]) -> None:
        self._known = known
        self._buffer = CitationBuffer()
        self._line = ""
        self._returned = ""
        self._fence: re.Pattern[str] | None = None
        self._next_look = 0

    def feed(self, piece: str) -> str:
        """What can be told now, settled."""
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
        """What was still held back."""
        rest, self._line = self._finish(self._line), ""
        return rest

    def _finish(self, line: str) -> str:
        """The rest of a line that is complete."""
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
            self._fence = closing_of(opening)
        return opening is not None

    def _grow(self) -> str:
        """What can be told of a line that is not complete."""
        if self._fence is not None or _UNDECIDED.match(self._line):
            return ""
        settled = resolve_citations(self._line[: self._decided_length()], self._known).text
        told, self._returned = settled[len(self._returned) :], settled
        return told

    def _decided_length(self) -> int:
        """How much of the line means the same whatever follows it."""
        end = self._buffer.ready_length
        code = unclosed_code(self._line[:end])
        end = end if code is None else min(end, code)
        last = deque(scan(self._line[:end]), maxlen=1)
        if last and last[0].form is not CitationForm.TAG and last[0].end == end:
            end = last[0].start
        return len(self._line[:end].rstrip(" \\"))
