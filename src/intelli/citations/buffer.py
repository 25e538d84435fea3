"""Hold back incomplete citations while a text streams. The UI has an equal state machine, tested on the same cases.

Nothing is lost or reordered, and how the text is cut into chunks makes no difference. Example: of `Yes <gml-inl` only
`Yes ` is ready.
"""

import re
from dataclasses import dataclass

from intelli.citations.parse import LONGEST, NEVER_INSIDE


@dataclass(frozen=True, slots=True)
class _Kind:
    """A form that may occur inside brackets: its text after the first character, and its closing character."""

    opening: str
    closing: str


_KINDS = {"<": _Kind("gml-", ">"), "{": _Kind("citation:", "}")}
_ENDS_INSIDE = re.compile(rf"[{NEVER_INSIDE}]")
_DECISIVE = re.compile(r"\[+|\]+|<+|\{+|\\|\n+")


class CitationBuffer:
    """Collects chunks; `ready` can be shown, `full` is everything received."""

    def __init__(self) -> None:
        self._chunks: list[str] = []
        self._length = 0
        self._bracket: int | None = None
        self._depth = 0
        self._inner: int | None = None
        self._kind = _KINDS["<"]
        self._matched = 0
        self._is_escaped = False
        self._has_ended = False

    @property
    def full(self) -> str:
        """Everything received."""
        if len(self._chunks) > 1:
            self._chunks = ["".join(self._chunks)]
        return self._chunks[0] if self._chunks else ""

    @property
    def ready(self) -> str:
        """The text that can be shown: everything up to where a citation may have begun."""
        return self.full[: self.ready_length]

    @property
    def ready_length(self) -> int:
        """Number of characters that can be shown."""
        if self._has_ended:
            return self._length
        open_ones = (start for start in (self._bracket, self._inner) if start is not None)
        return min((start for start in open_ones if self._length - start <= LONGEST), default=self._length)

    def feed(self, chunk: str) -> bool:
        """Take the next chunk; return whether there is more to show than before."""
        before, begun, at = self.ready_length, self._length, 0
        while at < len(chunk):
            at = self._step(chunk, at, begun)
        self._length = begun + len(chunk)
        self._chunks.append(chunk)
        return self.ready_length > before

    def end(self) -> bool:
        """End the text: an incomplete citation is plain text. Return whether there is more to show than before."""
        before, self._has_ended = self.ready_length, True
        return self._length > before

    def _step(self, chunk: str, at: int, begun: int) -> int:
        """Advance to the next significant character; return the position after it."""
        if self._inner is not None and begun + at - self._inner >= LONGEST:
            self._inner = None
        if self._inner is None:
            return self._outside(chunk, at, begun)
        if self._matched < len(self._kind.opening):
            return self._opening(chunk, at)
        limit = self._inner + LONGEST - begun
        mark = _ENDS_INSIDE.search(chunk, at, limit)
        if mark is None:
            return min(limit, len(chunk))
        self._inner = None
        return mark.end() if mark[0] == self._kind.closing else mark.start()

    def _opening(self, chunk: str, at: int) -> int:
        if chunk[at] != self._kind.opening[self._matched]:
            self._inner = None
            return at
        self._matched += 1
        return at + 1

    def _outside(self, chunk: str, at: int, begun: int) -> int:
        if self._is_escaped:
            self._is_escaped = False
            return at if chunk[at] == "\n" else at + 1
        mark = _DECISIVE.search(chunk, at)
        if mark is None:
            return len(chunk)
        where, first = begun + mark.start(), mark[0][0]
        if self._bracket is not None and where - self._bracket >= LONGEST:
            self._bracket = None
        if first == "[":
            self._open(where, len(mark[0]))
        elif first == "]":
            self._close(len(mark[0]))
        elif first == "\\":
            self._is_escaped = True
        elif first == "\n":
            self._reset()
        else:
            self._inner, self._kind, self._matched = begun + mark.end() - 1, _KINDS[first], 0
        return mark.end()

    def _open(self, where: int, count: int) -> None:
        """Count opening brackets. One that is too long by now is given up, and the next begins where it was."""
        if self._bracket is None:
            self._bracket, self._depth = where, 0
        beyond = count - (self._bracket + LONGEST - where)
        if beyond <= 0:
            self._depth += count
            return
        skipped = (beyond - 1) // LONGEST
        self._bracket += LONGEST * (1 + skipped)
        self._depth = beyond - LONGEST * skipped

    def _close(self, count: int) -> None:
        if self._bracket is not None:
            self._depth -= count
            if self._depth <= 0:
                self._bracket = None

    def _reset(self) -> None:
        self._bracket, self._inner, self._is_escaped = None, None, False
