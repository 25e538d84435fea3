"""Parse the citations of a text in any of their forms, in order and in linear time.

The canonical form is `<gml-inlinecitation identifier="…"/>`. Also read are `{citation:…}`, `[…]` and definitions, which
are lines `[…]: address`. Not a citation is what is escaped, in code, a Markdown link, nested, or not closed on its
line. `contracts/cases/citations.json` has the cases that this parser and that of the UI share.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

# A form that is longer than this is no citation: a stream need not wait for its end.
LONGEST = 1000
_ESCAPABLE = r"!-/:-@\[-`{-~"
# What no identifier holds, so that where a form breaks off does not depend on what follows.
NEVER_INSIDE = r"<>{}\[\]`\\\n"
_QUOTED = rf'"(?P<one>[^"{NEVER_INSIDE}]*)"|\'(?P<other>[^\'{NEVER_INSIDE}]*)\''
_TAG = rf"<gml-inlinecitation[ \t]+identifier=(?:{_QUOTED})[ \t]*/?>"
_BRACES = rf"\{{citation:(?P<id>[^{NEVER_INSIDE}]+)\}}"
_TOKEN = re.compile(rf"\\[{_ESCAPABLE}]|(?P<tag>{_TAG})|(?P<braces>{_BRACES})|`+|\[+|\]+|\n+")
# What opens a fence, whose lines are code until it closes.
FENCE = re.compile(r"^ {0,3}(`{3,}(?!.*`)|~{3,})", re.MULTILINE)
_RUN = re.compile(r"\\.|`+|\n")
_ADDRESS = re.compile(r":[ \t]*(\S{1,1000})(?!\S)")
_LINKED = ("(", "[")
_LINKING = ("!", "]")
_ENTITIES = (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&apos;", "'"), ("&amp;", "&"))


class CitationForm(StrEnum):
    """Notation of a citation."""

    TAG = "tag"
    BRACES = "braces"
    BRACKET = "bracket"
    DEFINITION = "definition"


@dataclass(frozen=True, slots=True)
class ParsedCitation:
    """A citation in a text: `text` is what is written from `start` to `end`."""

    text: str
    start: int
    end: int
    identifier: str
    form: CitationForm


@dataclass(frozen=True, slots=True)
class Segment:
    """Part of a stored text: plain text, or the citation with an ordinal."""

    text: str
    ordinal: int | None = None
    identifier: str | None = None


def tag(identifier: str) -> str:
    """Render a citation in its canonical form."""
    safe = identifier
    for entity, character in reversed(_ENTITIES):
        safe = safe.replace(character, entity) if character != "'" else safe
    return f'<gml-inlinecitation identifier="{safe}"/>'


def parse(text: str) -> list[ParsedCitation]:
    """Return every citation of a text, in order."""
    return list(scan(text))


def segments(text: str) -> list[Segment]:
    """Split a stored text into plain text and canonical citations, as it is shown."""
    found: list[Segment] = []
    at = 0
    tags = (cited for cited in scan(text) if cited.form is CitationForm.TAG)
    for ordinal, cited in enumerate(tags):
        if cited.start > at:
            found.append(Segment(text[at : cited.start]))
        found.append(Segment(cited.text, ordinal, cited.identifier))
        at = cited.end
    return [*found, Segment(text[at:])] if at < len(text) else found


def scan(text: str) -> Iterator[ParsedCitation]:
    """Yield every citation of a text, in order."""
    code = _Code(text)
    bracket = _Bracket(0)
    at = 0
    while token := _TOKEN.search(text, at):
        at = token.end()
        inside = code.end_of(token.start())
        if inside is not None:
            at = inside
            bracket.spoil()
        elif token["tag"] or token["braces"]:
            bracket.spoil()
            if token.end() - token.start() <= LONGEST:
                yield _parse_match(token)
        elif token[0][0] == "[":
            bracket.open(token)
        elif token[0][0] == "]":
            cited = bracket.close(text, token)
            if cited is not None:
                at = max(at, cited.end)
                yield cited
        elif token[0][0] == "\n":
            bracket = _Bracket(at)


class _Bracket:
    """The outermost open bracket of a line."""

    def __init__(self, line: int) -> None:
        self._line = line
        self._start = 0
        self._depth = 0
        self._is_plain = True

    def open(self, token: re.Match[str]) -> None:
        """Count opening brackets."""
        if self._depth == 0:
            self._start = token.start()
            self._is_plain = True
        self._depth += len(token[0])
        if self._depth > 1:
            self._is_plain = False

    def spoil(self) -> None:
        """Note that the bracket contains something else than plain text."""
        self._is_plain = False

    def close(self, text: str, token: re.Match[str]) -> ParsedCitation | None:
        """Count closing brackets; return the citation that they complete, else None."""
        at = token.start() + self._depth
        was_open, self._depth = self._depth > 0, max(self._depth - len(token[0]), 0)
        if not was_open or self._depth or not self._is_plain or at - self._start > LONGEST:
            return None
        label = text[self._start + 1 : at - 1].strip()
        if not label or self._is_link(text, at):
            return None
        address = _ADDRESS.match(text, at) if self._begins_line(text) else None
        if address is not None:
            return ParsedCitation(
                text[self._start : address.end()], self._start, address.end(), address[1], CitationForm.DEFINITION
            )
        return ParsedCitation(text[self._start : at], self._start, at, label, CitationForm.BRACKET)

    def _is_link(self, text: str, end: int) -> bool:
        before = text[self._start - 1] if self._start else ""
        return text[end : end + 1] in _LINKED or before in _LINKING

    def _begins_line(self, text: str) -> bool:
        return self._start - self._line <= 3 and not text[self._line : self._start].strip(" ")


def _parse_match(token: re.Match[str]) -> ParsedCitation:
    if token["braces"]:
        return ParsedCitation(token[0], token.start(), token.end(), token["id"].strip(), CitationForm.BRACES)
    identifier = token["one"] if token["one"] is not None else token["other"]
    for entity, character in _ENTITIES:
        identifier = identifier.replace(entity, character)
    return ParsedCitation(token[0], token.start(), token.end(), identifier, CitationForm.TAG)


def unclosed_code(line: str) -> int | None:
    """Return where a run of backticks begins that may still become code when the line goes on, else None."""
    if "`" not in line:
        return None
    runs = list(_RUN.finditer(line))
    # The run that closes a span at the very end may go on, and then closes it no more.
    closed = [(start, end) for start, end in _spans_of_line(runs) if end < len(line)]
    for run in runs:
        is_inside = any(start <= run.start() < end for start, end in closed)
        if run[0][0] == "`" and not is_inside and len(line) - run.start() < LONGEST:
            return run.start()
    return None


class _Code:
    """Code ranges of a text: fenced lines, and spans between two equally long runs of backticks on one line."""

    def __init__(self, text: str) -> None:
        self._ranges = deque(_code_ranges(text)) if "`" in text or "~~~" in text else deque()

    def end_of(self, offset: int) -> int | None:
        """Return the end of the code that contains an offset, else None. Offsets must not decrease."""
        while self._ranges and self._ranges[0][1] <= offset:
            self._ranges.popleft()
        if self._ranges and self._ranges[0][0] <= offset:
            return self._ranges[0][1]
        return None


def _code_ranges(text: str) -> Iterator[tuple[int, int]]:
    at = 0
    while fence := FENCE.search(text, at):
        yield from _code_spans(text, at, fence.start())
        end = closing_pattern(fence).search(text, fence.end())
        at = end.end() if end else len(text)
        yield fence.start(), at
    yield from _code_spans(text, at, len(text))


def closing_pattern(fence: re.Match[str]) -> re.Pattern[str]:
    """Return the pattern that closes a fence: at least as many of its marks, alone on a line."""
    return re.compile(rf"^ {{0,3}}{re.escape(fence[1][0])}{{{len(fence[1])},}}[ \t]*$", re.MULTILINE)


def _code_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield code spans. A run of backticks that nothing closes on its line is text."""
    line: list[re.Match[str]] = []
    for run in _RUN.finditer(text, start, end):
        if run[0] != "\n":
            line.append(run)
            continue
        yield from _spans_of_line(line)
        line = []
    yield from _spans_of_line(line)


def _spans_of_line(runs: list[re.Match[str]]) -> Iterator[tuple[int, int]]:
    later: defaultdict[int, deque[int]] = defaultdict(deque)
    for number, run in enumerate(runs):
        later[_ticks(run)].append(number)
    number = 0
    while number < len(runs):
        run = runs[number]
        same = later[_ticks(run)]
        while same and same[0] <= number:
            same.popleft()
        number += 1
        if run[0][0] != "`" or not same or runs[same[0]].end() - run.start() > LONGEST:
            continue
        yield run.start(), runs[same[0]].end()
        number = same[0] + 1


def _ticks(run: re.Match[str]) -> int:
    """Count the backticks. In code a backslash escapes nothing, so the backtick after it can close a span."""
    return len(run[0]) if run[0][0] == "`" else int(run[0][1] == "`")
