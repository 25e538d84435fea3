"""Prints an answer in a terminal: streamed text with numbered citations, then the list of numbered sources."""

import re
from html import unescape
from typing import Any

from intelli.citations import marks
from intelli.cli import output, wrap
from intelli.cli.wrap import LineWrapper
from intelli.content.span import parse_identifier

_CITATION = re.compile(r'<gml-inlinecitation identifier="([^"]*)"\s*/>')
_WIDEST_QUOTE = 300
# Name of the reasoner without a model, as a message gives it.
_EXTRACTIVE = "extractive"
_WITHOUT_MODEL = "Made without a model, from the sources' own sentences. `intelli models` connects one."
# Escapes of Markdown and HTML, and what may be the beginning of one at the end of a piece.
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])|&(?:lt|gt|amp|quot);")
_HALF_ESCAPE = re.compile(r"(?:\\|&[a-z]{0,4})?$")
Json = dict[str, Any]


class CitationNumbers:
    """Numbers cited files in the order of their first citation, as the UI and exports do."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def number_of(self, identifier: str) -> int:
        """Return the number of the file that a citation identifier points into; assign the next one to a new file."""
        address = parse_identifier(identifier)
        source = address.sha256_prefix if address else identifier
        return self._numbers.setdefault(source, len(self._numbers) + 1)

    def replace_citations(self, text: str) -> str:
        """Replace every citation tag with its number: `<gml-inlinecitation …/>` → `[1]`."""
        return _CITATION.sub(lambda match: f"[{self.number_of(unescape(match[1]))}]", text)


class AnswerPrinter:
    """Prints an answer while it streams. When a crashed run restarts it, the text is printed again below."""

    def __init__(self) -> None:
        self._numbers = CitationNumbers()
        self._text = ""
        self._held = ""
        self._wrapper = LineWrapper(wrap.line_width())

    def add(self, delta: str, offset: int) -> None:
        """Print the next piece, which begins at `offset` of the whole text."""
        if offset < len(self._text):
            kept = self._text[:offset]
            self._text, self._held, delta = "", "", kept + delta
            self._write(f"{self._wrapper.flush()}\n\n")
        self._text += delta
        text = self._numbers.replace_citations(self._held + delta)
        half = _HALF_ESCAPE.search(text)
        at = half.start() if half else len(text)
        self._held = text[at:]
        self._write(self._wrapper.feed(unescape_markdown(text[:at])))

    def end(self) -> None:
        """Print what was held back: the answer is complete."""
        self._write(self._wrapper.feed(unescape_markdown(self._held)) + self._wrapper.flush())
        self._held = ""

    @staticmethod
    def _write(text: str) -> None:
        output.write(output.strip_controls(text))


def unescape_markdown(text: str) -> str:
    """Remove escapes from Markdown for display in a terminal: `5 \\* 3 &lt; 20` → `5 * 3 < 20`."""
    return _ESCAPE.sub(lambda match: match[1] or unescape(match[0]), text)


def next_questions(message: Json) -> list[str]:
    """Return lines with the follow-up questions; none when there are no questions."""
    return (
        ["", "You could ask next:", *(f"  {each}" for each in message["follow_ups"])] if message["follow_ups"] else []
    )


def sources(message: Json) -> list[str]:
    """Return the lines of the list of sources: each numbered file, and its passages with page, quote and check."""
    numbers = CitationNumbers()
    numbers.replace_citations(message["content"])
    found: dict[int, list[str]] = {}
    for citation in message["citations"]:
        lines = found.setdefault(numbers.number_of(citation["identifier"]), [_file(citation)])
        check = marks.mark(citation["check"]) + (f": {citation['reason']}" if citation["reason"] else "")
        quote = _short(citation["quote"])
        line = _place(citation) + (f"“{quote}”  {check}" if quote else check)
        if line not in lines:
            lines.append(line)
    return [line for number in sorted(found) for line in _entry(number, found[number])]


def remarks(message: Json) -> list[str]:
    """Return lines on problems of the run, what confidence in the answer rests on, and the cost."""
    sure = message.get("confidence")
    without = "The question is not answered" if message.get("citations") else "No citations"
    told = f"{sure['level'].capitalize()} confidence: {sure['summary']}" if sure else without
    return [*(f"Note: {problem}" for problem in message["problems"]), f"{told}{_cost(message)}."]


def without_model(message: Json) -> list[str]:
    """Return the line on an answer that no model thought about, with the way to connect one; none for others."""
    return [_WITHOUT_MODEL] if message.get("reasoner") == _EXTRACTIVE else []


def _cost(message: Json) -> str:
    """Return the cost; the number of tokens when no price is set for the model."""
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
    """Return the page or section of a passage, as a prefix of its quote."""
    if citation["page"]:
        return f"page {citation['page']}: "
    return f"{citation['section']}: " if citation["section"] else ""


def _short(quote: str) -> str:
    words = " ".join(quote.split())
    return words if len(words) <= _WIDEST_QUOTE else f"{words[:_WIDEST_QUOTE].rstrip()}…"
