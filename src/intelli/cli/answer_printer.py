"""An answer in a terminal: its text as it is written, with numbers for citations, and the list they lead to."""

import re
from html import unescape
from typing import Any

from intelli.cli import output, wrap
from intelli.cli.wrap import LineWrapper
from intelli.content.span import parse_identifier

_CITATION = re.compile(r'<gml-inlinecitation identifier="([^"]*)"\s*/>')
_MARKS = {"verified": "✓ verified", "weak": "≈ weak", "failed": "✕ not verified", "unchecked": "? unchecked"}
_WIDEST_QUOTE = 300
# What stands for itself in Markdown, and what may be the beginning of that.
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:lt|gt|amp|quot);")
_HALF_ESCAPE = re.compile(r"(?:\\|&[a-z]{0,4})?$")
Json = dict[str, Any]


class CitationNumbers:
    """Numbers for the files that are cited, in the order they are first named, as the UI and exports have them."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def of(self, identifier: str) -> int:
        """The number of the source that an identifier names a passage of."""
        address = parse_identifier(identifier)
        source = address.sha256_prefix if address else identifier
        return self._numbers.setdefault(source, len(self._numbers) + 1)

    def shown(self, text: str) -> str:
        """The text with a number in place of every citation."""
        return _CITATION.sub(lambda match: f"[{self.of(unescape(match[1]))}]", text)


class AnswerPrinter:
    """Writes an answer while it is told. What is told anew after a crash is written anew, below."""

    def __init__(self) -> None:
        self._numbers = CitationNumbers()
        self._text = ""
        self._held = ""
        self._folding = LineWrapper(wrap.columns())

    def take(self, delta: str, offset: int) -> None:
        """The next piece, which stands at a place of the text."""
        if offset < len(self._text):
            kept = self._text[:offset]
            self._text, self._held, delta = "", "", kept + delta
            self._write(f"{self._folding.end()}\n\n")
        self._text += delta
        told = self._numbers.shown(self._held + delta)
        half = _HALF_ESCAPE.search(told)
        at = half.start() if half else len(told)
        self._held = told[at:]
        self._write(self._folding.take(readable(told[:at])))

    def end(self) -> None:
        """There is no more."""
        self._write(self._folding.take(readable(self._held)) + self._folding.end())
        self._held = ""

    @staticmethod
    def _write(text: str) -> None:
        output.write(output.harmless(text))


def readable(text: str) -> str:
    """Markdown as a terminal shows it: a sign that stands for itself needs no mark there."""
    return _ESCAPE.sub(lambda match: match[1] or unescape(match[0]), text)


def next_questions(message: Json) -> list[str]:
    """Lines that say what could be asked next."""
    return (
        ["", "You could ask next:", *(f"  {each}" for each in message["follow_ups"])] if message["follow_ups"] else []
    )


def sources(message: Json) -> list[str]:
    """Lines that say where each number leads: the file, and of each passage page, words and what the check found."""
    numbers = CitationNumbers()
    numbers.shown(message["content"])
    told: dict[int, list[str]] = {}
    for citation in message["citations"]:
        lines = told.setdefault(numbers.of(citation["identifier"]), [_file(citation)])
        check = _MARKS[citation["check"]] + (f": {citation['reason']}" if citation["reason"] else "")
        quote = _short(citation["quote"])
        line = _place(citation) + (f"“{quote}”  {check}" if quote else check)
        if line not in lines:
            lines.append(line)
    return [line for number in sorted(told) for line in _entry(number, told[number])]


def remarks(message: Json) -> list[str]:
    """What a careful reader should know besides: what went wrong, how sure it is, what it cost."""
    counted = [citation["check"] for citation in message["citations"]]
    checks = f"{counted.count('verified')} of {len(counted)} citations verified" if counted else "No citations"
    confidence = message["confidence_score"]
    sure = f", confidence {confidence:.0%}" if confidence is not None and counted else ""
    return [*(f"Note: {problem}" for problem in message["problems"]), f"{checks}{sure}{_cost(message)}."]


def _cost(message: Json) -> str:
    """What it cost; tokens of a model without a price cost something that nobody has told us."""
    if message["cost_cents"]:
        return f", {message['cost_cents']:.2f} cents"
    tokens = message["input_tokens"] + message["output_tokens"]
    return f", {tokens} tokens, no price set" if tokens else ""


def _entry(number: int, lines: list[str]) -> list[str]:
    first, *rest = lines
    return [f"[{number}] {first}", *(f"    {line}" for line in rest)]


def _file(citation: Json) -> str:
    gone = " (deleted since)" if citation["file_status"] == "deleted" else ""
    return f"{citation['file_name']}{gone}"


def _place(citation: Json) -> str:
    """Where in its file a passage stands, before its words."""
    if citation["page"]:
        return f"page {citation['page']}: "
    return f"{citation['section']}: " if citation["section"] else ""


def _short(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _WIDEST_QUOTE else f"{words[:_WIDEST_QUOTE].rstrip()}…"
