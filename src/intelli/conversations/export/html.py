"""HTML export: one self-contained page with links from each citation to its source, without scripts."""

import html

from intelli.conversations.export.format import ConversationExport, ConversationFormat
from intelli.conversations.export.sources import CheckedPassage, NumberedSource, number_sources
from intelli.conversations.wire import Message, Speaker, WrittenAs
from intelli.kit import safe_markdown

# Should anything get in all the same, it may load nothing.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
_STYLE = """
body { font: 16px/1.6 system-ui, sans-serif; max-width: 46rem; margin: 2rem auto; padding: 0 1rem; }
.question { border-left: 3px solid #888; padding-left: 1rem; white-space: pre-wrap; font-weight: 600; }
.problem { font-style: italic; }
.sources { font-size: .9rem; border-top: 1px solid #ccc; }
sup a { text-decoration: none; }
.sources ul { list-style: none; padding-left: 0; }
blockquote { margin: .2rem 0; color: #555; }
table { border-collapse: collapse; } td, th { border: 1px solid #ccc; padding: .2rem .6rem; }
@media (prefers-color-scheme: dark) { body { background: #16181d; color: #e6e6e6; } a { color: #8ab4ff; } }
"""
# Stands for a citation while the text becomes HTML; it is removed from messages first.
_OPEN, _CLOSE = "\ue000", "\ue001"


def write(export: ConversationExport) -> str:
    """Render the branch from the first question to the last answer."""
    turns = "\n".join(
        _question(message) if message.role is Speaker.USER else _answer(message, turn)
        for turn, message in enumerate(export.branch, start=1)
    )
    title = html.escape(export.title)
    return (
        f'<!doctype html>\n<html><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n"
        f"<body><h1>{title}</h1>\n{turns}\n</body></html>\n"
    )


def _question(message: Message) -> str:
    return f'<p class="question">{html.escape(message.content)}</p>'


def _answer(message: Message, turn: int) -> str:
    content = message.content.replace(_OPEN, "").replace(_CLOSE, "")
    text, sources = number_sources(content, message.citations, cite=lambda source: f"{_OPEN}{source.number}{_CLOSE}")
    body: str = safe_markdown.parser().render(text)
    for source in sources:
        link = f'<sup><a href="#s{turn}-{source.number}">[{source.number}]</a></sup>'
        body = body.replace(f"{_OPEN}{source.number}{_CLOSE}", link)
    problems = "".join(f'<p class="problem">{html.escape(problem)}</p>' for problem in message.problems)
    listed = "".join(_source(source, turn) for source in sources)
    return f"{body}{problems}" + (f'<ol class="sources">{listed}</ol>' if listed else "")


def _source(source: NumberedSource, turn: int) -> str:
    passages = "".join(map(_passage, source.passages))
    return f'<li id="s{turn}-{source.number}">{html.escape(source.name)}<ul>{passages}</ul></li>'


def _passage(passage: CheckedPassage) -> str:
    quote = f"<blockquote>{html.escape(passage.citation.quote)}</blockquote>" if passage.citation.quote else ""
    place = f"{html.escape(passage.place)} " if passage.place else ""
    return f"<li>{passage.mark} {place}({html.escape(passage.verdict)}){quote}</li>"


FORM = ConversationFormat(WrittenAs.HTML, "text/html", "html", write)
