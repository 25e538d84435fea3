"""Markdown export: questions as headings, answers, and their numbered sources with quotes and checks.

Opening the file loads nothing from links or images that a model or a document wrote into it.
"""

from collections.abc import Sequence

from intelli.citations.wire import Citation
from intelli.conversations.export.format import ConversationExport, ConversationFormat
from intelli.conversations.export.sources import CheckedPassage, NumberedSource, number_sources
from intelli.conversations.wire import Message, Speaker, WrittenAs
from intelli.kit import safe_markdown

# Stands for a citation while the text is written anew; it is removed from messages first.
_OPEN, _CLOSE = "\ue000", "\ue001"


def write(export: ConversationExport) -> str:
    """Render the branch from the first question to the last answer."""
    parts = [f"# {safe_markdown.escape_line(export.title)}"]
    for message in export.branch:
        parts += _question(message) if message.role is Speaker.USER else _answer(message)
    return "\n\n".join(parts) + "\n"


def _question(message: Message) -> list[str]:
    first, _, rest = message.content.strip().partition("\n")
    title = f"## {safe_markdown.escape_line(first)}"
    if not rest.strip():
        return [title]
    return [title, "\n".join(f"> {line}".rstrip() for line in safe_markdown.sanitize(rest.strip()).split("\n"))]


def write_answer(content: str, citations: Sequence[Citation]) -> str:
    """Render one answer with its sources as a document."""
    return "\n\n".join(_cited(content, citations, [])) + "\n"


def _answer(message: Message) -> list[str]:
    return _cited(message.content, message.citations, message.problems)


def _cited(content: str, citations: Sequence[Citation], problems: Sequence[str]) -> list[str]:
    """Render an answer, its problems and its sources as paragraphs."""
    bare = content.replace(_OPEN, "").replace(_CLOSE, "")
    text, sources = number_sources(bare, citations, cite=lambda source: f"{_OPEN}{source.number}{_CLOSE}")
    written = safe_markdown.sanitize(text).replace(_OPEN, "\\[").replace(_CLOSE, "\\]")
    parts = [written.strip(), *(f"*{safe_markdown.escape_line(problem)}*" for problem in problems)]
    if sources:
        parts += ["**Sources**", "\n".join(_source(source) for source in sources)]
    return parts


def _source(source: NumberedSource) -> str:
    return "\n".join([f"{source.number}. {safe_markdown.escape_line(source.name)}", *map(_passage, source.passages)])


def _passage(passage: CheckedPassage) -> str:
    quote = " ".join(passage.citation.quote.split())
    quoted = f"\n     > {safe_markdown.escape_line(quote)}" if quote else ""
    place = f"{passage.place} " if passage.place else ""
    return f"   - {passage.mark} {place}({safe_markdown.escape_line(passage.verdict)}){quoted}"


FORM = ConversationFormat(WrittenAs.MARKDOWN, "text/markdown", "md", write)
