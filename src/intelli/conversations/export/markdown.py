"""Markdown: questions as headings, answers as they are, each with its numbered sources, their quotes and checks."""

import re
from collections.abc import Sequence

from intelli.citations.wire import Citation
from intelli.conversations.export.form import Export, Form
from intelli.conversations.export.sources import Passage, Source, number
from intelli.conversations.wire import Message, Speaker, WrittenAs

_MARKUP = re.compile(r"([\\`*_\[\]<>#|])")


def write(export: Export) -> str:
    """The branch, from the first question to the last answer."""
    parts = [f"# {_plain(export.title)}"]
    for message in export.branch:
        parts += _question(message) if message.role is Speaker.USER else _answer(message)
    return "\n\n".join(parts) + "\n"


def _question(message: Message) -> list[str]:
    first, _, rest = message.content.strip().partition("\n")
    quoted = "\n".join(f"> {line}" for line in rest.strip().splitlines())
    return [f"## {_plain(first)}", *([quoted] if quoted else [])]


def answer(content: str, citations: Sequence[Citation]) -> str:
    """One answer as a document of its own, with its sources."""
    return "\n\n".join(_cited(content, citations, [])) + "\n"


def _answer(message: Message) -> list[str]:
    return _cited(message.content, message.citations, message.problems)


def _cited(content: str, citations: Sequence[Citation], problems: Sequence[str]) -> list[str]:
    text, sources = number(content, citations, cite=lambda source: f"\\[{source.number}\\]")
    parts = [text.strip(), *(f"*{_plain(problem)}*" for problem in problems)]
    if sources:
        parts += ["**Sources**", "\n".join(_source(source) for source in sources)]
    return parts


def _source(source: Source) -> str:
    return "\n".join([f"{source.number}. {_plain(source.name)}", *map(_passage, source.passages)])


def _passage(passage: Passage) -> str:
    quote = " ".join(passage.citation.quote.split())
    said = f"\n     > {_plain(quote)}" if quote else ""
    place = f"{passage.place} " if passage.place else ""
    return f"   - {passage.mark} {place}({_plain(passage.verdict)}){said}"


def _plain(text: str) -> str:
    """Words on one line that Markdown shows as they are."""
    return _MARKUP.sub(r"\\\1", " ".join(text.split()))


FORM = Form(WrittenAs.MARKDOWN, "text/markdown", "md", write)
